"""X-ray: a page that shows what the learned extractor kept of another, what it left out, and why."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from thresher.errors import UsageError
from thresher.extraction.algorithms import DEFAULT
from thresher.extraction.algorithms.thresher import MAX_JUDGED, Judgement, judge_blocks
from thresher.extraction.contract import Favour
from thresher.extraction.fields.clues import gather
from thresher.extraction.learned.about import read_about
from thresher.extraction.learned.captions import is_caption
from thresher.extraction.learned.closing import closing_runs
from thresher.extraction.learned.decide import (
    DOUBTFUL,
    MIN_TOP,
    SURE,
    choose,
    is_aside,
    is_boxed,
    is_signature,
    threshold,
)
from thresher.extraction.learned.features import title_block
from thresher.extraction.learned.headed import headed_comments, runs_of_comments
from thresher.extraction.learned.sheet import Run, Sheet, lay_out
from thresher.extraction.learned.slides import show_around
from thresher.extraction.learned.walk import walk
from thresher.extraction.xray_page import MAX_HOVERS, Marked, attributes_of, marked_page
from thresher.extraction.xray_panel import whole_page
from thresher.extraction.xray_reasons import Reason, reasons_of
from thresher.html import Tree
from thresher.model import Document

CLOSE = 0.15  # from the threshold; a smaller change of the page might turn the decision


def xray(tree: Tree, document: Document, *, model: str | None = None, favour: Favour = "balance") -> str:
    """Return the X-ray of a page as HTML that runs and loads nothing.

    `document` is what was extracted with the same model and favour. Raise UsageError for another algorithm's.
    """
    if document.algorithm != DEFAULT:
        raise UsageError(f"the X-ray shows what {DEFAULT} thinks of a page; {document.algorithm} gives no such scores")
    sheet = lay_out(walk(tree.body), read_about(gather(tree)))
    view = _view_of(sheet, model, favour)
    marked = marked_page(tree.body, view.mark)
    main = f"<main{attributes_of(tree.root)}>{marked.markup}</main>"
    return whole_page(document, main, facts=_facts(view, sheet, favour), notes=_notes(view, marked))


@dataclass(frozen=True, slots=True)
class _View:
    """What is shown of the blocks: their chances, the chosen ones, and the features of those that are explained."""

    chances: "array[float]"
    chosen: frozenset[int]
    sheet: Sheet
    kept_texts: frozenset[str]
    top: float
    threshold: float
    explained: Judgement
    closing: Sequence[Run]
    shows: dict[int, bool]  # elements of which it is known whether they are slide shows

    def mark(self, block: int) -> tuple[str, str]:
        """Return a block's class, and what is shown on hover."""
        chance, is_kept = self.chances[block], block in self.chosen
        name = "x-keep" if is_kept else "x-drop"
        if abs(chance - self.threshold) < CLOSE and self.top >= MIN_TOP:
            name += " x-close"
        verdict = f"kept{self._why_kept(block)}" if is_kept else f"left out{self._why_not(block)}"
        return name, f"{verdict} · score {chance:.2f}, threshold {self.threshold:.2f}{self._reasons(block)}"

    def _why_kept(self, block: int) -> str:
        return "" if self.chances[block] > self.threshold else ": it stands amid the text"

    def _why_not(self, block: int) -> str:
        """Say why a block was left out that is likely enough, or whose chance was not asked for."""
        if self._is_comment(block):
            return ": it is among the comments below the text"
        if self.chances[block] <= self.threshold:
            return ""
        if self.top < MIN_TOP:
            return ": the page has no main text"
        if self.sheet.table.texts[block] in self.kept_texts:
            return ": the same text is kept elsewhere"
        return f": it {self._what_it_is(block)}"

    def _what_it_is(self, block: int) -> str:
        if self.top < DOUBTFUL and is_aside(self.sheet, block):
            return "is in an element named for what stands beside a text"
        if self.chances[block] <= SURE and is_boxed(self.sheet.table, block):
            return "is in a box named for a notice"
        if self.chances[block] <= SURE and is_caption(self.sheet, block, title_block(self.sheet)):
            return "is in an element named for pictures"
        return self._what_it_tells(block)

    def _what_it_tells(self, block: int) -> str:
        if is_signature(self.sheet, block):
            return "tells author or time"
        if any(first <= block < end for first, end in self.closing):
            return "is what a site writes below its texts"
        if show_around(self.sheet, block, title_block(self.sheet), self.shows):
            return "is on the slides of a show"
        return "is of another article"

    def _is_comment(self, block: int) -> bool:
        return any(first <= block < end for first, end in self.explained.comments)

    def _reasons(self, block: int) -> str:
        judged = block - sum(end - first for first, end in self.explained.comments if end <= block)
        if judged >= MAX_JUDGED or self._is_comment(block):
            return ""
        model = self.explained.model
        width = len(model.features[1])
        row = self.explained.rows[judged * width : (judged + 1) * width]
        first, second = reasons_of(model, row)
        at_first = row[model.features[1].index("chance")]
        lines = [f"at first sight {at_first:.2f}:", *map(_line, first), "then, by what stands around:"]
        return "\n" + "\n".join([*lines, *map(_line, second)])


def _line(reason: Reason) -> str:
    speaks_for, words = reason
    return f"{'+' if speaks_for else '−'} {words}"


def _view_of(sheet: Sheet, model: str | None, favour: Favour) -> _View:
    judgement = judge_blocks(sheet, model, runs_of_comments(sheet, headed_comments(sheet)))
    chosen, top = choose(sheet, judgement.chances, favour)
    texts = sheet.table.texts
    return _View(
        chances=judgement.chances,
        chosen=frozenset(chosen),
        sheet=sheet,
        kept_texts=frozenset(texts[block] for block in chosen),
        top=top,
        threshold=threshold(top, favour),
        explained=judgement,
        closing=closing_runs(sheet, list(range(len(texts)))),
        shows={},
    )


def _facts(view: _View, sheet: Sheet, favour: Favour) -> list[tuple[str, str]]:
    texts = sheet.table.texts
    kept = sum(len(texts[block]) for block in view.chosen)
    return [
        ("confidence", f"{view.top:.2f}"),
        ("threshold", f"{view.threshold:.2f} ({favour})"),
        ("blocks", f"{len(view.chosen):,} kept of {len(texts):,}"),
        ("characters", f"{kept:,} kept of {sum(map(len, texts)):,}"),
    ]


def _notes(view: _View, marked: Marked) -> list[str]:
    notes = []
    if view.top < MIN_TOP:
        notes.append("No main text: no part of the page is likely enough.")
    if marked.blocks > MAX_JUDGED:
        notes.append(f"A large page: reasons are given for its first {MAX_JUDGED:,} blocks only.")
    if marked.hovers >= MAX_HOVERS:
        notes.append(f"A large page: scores are shown for its first {MAX_HOVERS:,} pieces of text only.")
    return notes
