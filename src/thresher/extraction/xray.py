"""X-ray: a page that shows what the learned extractor kept of another, what it left out, and why.

    blocks, scores, posts ──_View──▶ class and reasons of each ──marked_page──▶ the page's text, marked
    fields and their evidence ──────────────────────────────────whole_page──▶ a panel beside it

The reasons are shown on hover, and for what has the focus: by the tab key, a click or a touch. Nothing runs or loads.
"""

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import NamedTuple

from lxml import etree

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
from thresher.extraction.learned.table import SOFT, VOID_BORDERS
from thresher.extraction.learned.walk import is_swollen, walk
from thresher.extraction.paths import Paths
from thresher.extraction.tags import BLOCK_LEVEL, INHERITED, SHAPES, STYLES, UNSEEN
from thresher.extraction.xray_reasons import Reason, reasons_of
from thresher.html import Tree
from thresher.model import Document, Evidence, Kind, Post
from thresher.text import squeeze, strip_unseen

CLOSE = 0.15  # from the threshold; a smaller change of the page might turn the decision
Mark = Callable[[int], tuple[str, str]]  # from a block's number to its class and to what is shown on hover

MAX_HOVERS = 100_000  # leaves with a text to show on hover: each takes about half a kilobyte
KEPT, LEFT_OUT = "x-keep", "x-drop"
MAX_SHOWN = 120  # characters of a link's address or an image's description

_VOIDS = {"br": "<br>", "hr": "<hr>"}
_INLINE = frozenset(("a", "img", "sub", "sup", "small", "u", "s", "del", "mark", *STYLES))  # those with a style
_DIRECTIONS = frozenset(("ltr", "rtl", "auto"))
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
MAX_VALUE = 200  # characters of a field that are shown

STYLE = """
:root { color-scheme: light; }
body { margin: 0; font: 15px/1.55 system-ui, sans-serif; color: #767676; background: #fff; }
main { max-width: 46rem; padding: 1.5rem 23rem 4rem 2rem; overflow-wrap: anywhere; }
main div { margin: .25em 0; }
.x-keep { background: #d3f0d9; color: #111; padding: .1em 0; }
.x-keep, .x-drop { -webkit-box-decoration-break: clone; box-decoration-break: clone; }
.x-keep:is(:hover, :focus), .x-drop:is(:hover, :focus) { outline: 1px solid #1a66c2; }
.x-drop:is(:hover, :focus) { color: #333; }
main [tabindex]:focus { outline-width: 2px; scroll-margin: 30vh 0; }
main [tabindex]:focus::after { content: attr(title); white-space: pre-line; position: fixed; z-index: 1; left: 0;
  bottom: 0; right: 23rem; max-height: 40vh; overflow: auto; padding: .6rem 1rem; background: #1d2733; color: #fff;
  font: 14px/1.45 system-ui, sans-serif; direction: ltr; text-align: left; }
#skip { position: absolute; left: -999rem; } #skip:focus { left: 1rem; top: 1rem; padding: .3rem .6rem; z-index: 2;
  background: #fff; color: #1a66c2; outline: 2px solid #1a66c2; }
.x-close { border-bottom: 2px dotted #c26a00; }
.t-h1, .t-h2, .t-h3, .t-h4, .t-h5, .t-h6, .t-b, .t-strong, .t-th { font-weight: 600; }
.t-h1 { font-size: 1.6em; } .t-h2 { font-size: 1.35em; } .t-h3 { font-size: 1.15em; }
.t-i, .t-em, .t-cite, .t-dfn, .t-var { font-style: italic; }
.t-code, .t-kbd, .t-samp, .t-tt, .t-pre, .t-xmp, .t-listing, .t-plaintext { font-family: monospace; }
.t-pre, .t-xmp, .t-listing, .t-plaintext { white-space: pre-wrap; }
.t-sub { vertical-align: sub; font-size: .8em; } .t-sup { vertical-align: super; font-size: .8em; }
.t-a { text-decoration: underline; text-decoration-color: #b9c6d6; }
.t-s, .t-del { text-decoration: line-through; }
main .t-li { display: list-item; margin-inline-start: 1.4em; }
main .t-dd, main .t-blockquote { margin-inline-start: 1.4em; }
.t-blockquote { border-inline-start: 3px solid #ddd; padding-inline-start: .7em; }
main .t-li:not(:has(.x-keep, .x-drop, .t-img:not(:empty))) { display: none; }
main :is(.t-table, .t-tbody, .t-tr, .t-td, .t-th) { margin: 0; }
.t-tr { display: flex; flex-wrap: wrap; gap: .25em 1em; }
.t-td, .t-th { flex: 0 1 auto; max-width: 100%; }
.t-img:not(:empty) { border: 1px dashed #ccc; padding: 0 .3em; font-size: .8em; }
#panel { position: fixed; top: 1rem; right: 1rem; width: 19rem; max-height: calc(100vh - 4rem); overflow: auto;
  padding: .6rem .9rem; background: #fafafa; color: #222; border: 1px solid #ccc; border-radius: 6px; font-size: 13px; }
#panel summary { font-weight: 600; cursor: pointer; }
#panel dl { margin: .5em 0; } #panel dt { color: #666; font-size: 11px; margin-top: .4em; }
#panel dd { margin: 0; overflow-wrap: anywhere; } #panel small { color: #666; display: block; }
#panel p { margin: .5em 0; } #panel label { display: block; margin: .5em 0; cursor: pointer; }
#panel .note { color: #a04000; }
body:has(#only:checked) main :is(.x-drop, .t-img, hr), body:has(#only:checked) main div:not(:has(.x-keep))
  { display: none; }
@media (max-width: 60rem) { #panel { position: static; width: auto; margin: 1rem; } main { padding: 1rem 1rem 40vh; }
  main [tabindex]:focus::after { right: 0; } }
"""
_LEGEND = (
    '<p><span class="x-keep">kept</span> · <span class="x-drop">left out</span> · '
    '<span class="x-close">close to the threshold</span></p>'
    "<p>Point at a text, tap it or step to it with the tab key for its score and the reasons.</p>"
)
_SKIP = '<a id="skip" href="#kept">Skip to the kept text</a>\n'
_JUMP = '<p><a href="#kept">Jump to the kept text</a></p>'


def xray(tree: Tree, document: Document, *, model: str | None = None, favour: Favour = "balance") -> str:
    """Return the X-ray of a page as HTML that runs and loads nothing.

    `document` is what was extracted with the same model and favour. Raise UsageError for another algorithm's.
    """
    if document.algorithm != DEFAULT:
        raise UsageError(f"the X-ray shows what {DEFAULT} thinks of a page; {document.algorithm} gives no such scores")
    sheet = lay_out(walk(tree.body), read_about(gather(tree)))
    view = _view_of(sheet, model, favour, _Talk(sheet, document))
    marked = marked_page(tree.body, view.mark)
    main = f"<main{attributes_of(tree.root)}>{marked.markup}</main>"
    facts, notes = _facts(view, sheet, favour), _notes(view, marked)
    return whole_page(document, main, facts=facts, notes=notes, has_kept=marked.has_kept)


class Marked(NamedTuple):
    """A page's text as markup, how many blocks it has, and how many of its leaves show something on hover."""

    markup: str
    blocks: int
    hovers: int
    has_kept: bool  # something to begin at


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
    talk: "_Talk"

    def mark(self, block: int) -> tuple[str, str]:
        """Return a block's class, and what is shown on hover."""
        chance, is_kept = self.chances[block], block in self.chosen
        name = KEPT if is_kept else LEFT_OUT
        if abs(chance - self.threshold) < CLOSE and self.top >= MIN_TOP and not self.talk.of(block):
            name += " x-close"
        why = self.talk.of(block) or (self._why_kept(block) if is_kept else self._why_not(block))
        verdict = f"kept{why}" if is_kept else f"left out{why}"
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


class _Talk:
    """Which blocks lie in the posts of a document, and which of them are the posts' text."""

    def __init__(self, sheet: Sheet, document: Document) -> None:
        self.is_thread = document.kind is Kind.THREAD and bool(document.posts)
        self.posts = len(document.posts)
        self._why: dict[int, str] = {}
        self.kept: set[int] = set()
        roots = {root: post for post in document.posts for root in post.xpath.split("|") if root}
        paths = Paths()
        table = sheet.table
        for block, text in enumerate(table.texts) if roots else ():
            post = _post_around(paths.of(table.nodes[table.owner[block]]), roots)
            if post is not None:
                self._add(block, text, post)
            elif self.is_thread:
                self._why[block] = ": it is outside of the posts"

    def of(self, block: int) -> str:
        """Say why a block is kept, or left out, as a part of a thread; empty where posts decide nothing."""
        return self._why.get(block, "")

    def _add(self, block: int, text: str, post: Post) -> None:
        if _says(post.text, text):
            self.kept.add(block)
            self._why[block] = f": it is the text of post {post.position}"
        elif any(_says(quote, text) for quote in post.quotes):
            self._why[block] = f": it is a quotation in post {post.position}"
        else:
            self._why[block] = f": it is in post {post.position}, but not its text"


def _post_around(path: str, roots: Mapping[str, Post]) -> Post | None:
    while path and path not in roots:
        path = path[: max(path.rfind("/"), 0)]
    return roots.get(path)


def _says(whole: str, text: str) -> bool:
    """Say whether a post, or what it quotes, has a block as a line, or most of the block is one."""
    wanted = "".join(text.split())
    for line in whole.splitlines():
        own = "".join(line.split())
        if own == wanted or (own and own in wanted and 2 * len(own) > len(wanted)):
            return True
    return False


def _line(reason: Reason) -> str:
    speaks_for, words = reason
    return f"{'+' if speaks_for else '−'} {words}"


def _view_of(sheet: Sheet, model: str | None, favour: Favour, talk: _Talk) -> _View:
    judgement = judge_blocks(sheet, model, runs_of_comments(sheet, headed_comments(sheet)))
    chosen, top = choose(sheet, judgement.chances, favour)
    chosen = sorted(talk.kept) if talk.is_thread else sorted({*chosen, *talk.kept})
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
        talk=talk,
    )


def _facts(view: _View, sheet: Sheet, favour: Favour) -> list[tuple[str, str]]:
    texts = sheet.table.texts
    kept = sum(len(texts[block]) for block in view.chosen)
    posts = [("posts", f"{view.talk.posts:,}")] if view.talk.posts else []
    return [
        *posts,
        ("confidence", f"{view.top:.2f}"),
        ("threshold", f"{view.threshold:.2f} ({favour})"),
        ("blocks", f"{len(view.chosen):,} kept of {len(texts):,}"),
        ("characters", f"{kept:,} kept of {sum(map(len, texts)):,}"),
    ]


def _notes(view: _View, marked: Marked) -> list[str]:
    notes = []
    if view.top < MIN_TOP and not view.chosen:
        notes.append("No main text: no part of the page is likely enough.")
    if marked.blocks > MAX_JUDGED:
        notes.append(f"A large page: reasons are given for its first {MAX_JUDGED:,} blocks only.")
    if marked.hovers >= MAX_HOVERS:
        notes.append(f"A large page: scores are shown for its first {MAX_HOVERS:,} pieces of text only.")
    return notes


def marked_page(body: etree._Element, mark: Mark) -> Marked:
    """Return a page's text with every block marked; blocks are numbered as `walk` numbers them.

    Only <div>, <span>, <br> and <hr> are written, with a class and a focus of ours, a language and a direction: so the
    browser builds the tree that was judged, and nothing of the page can run, load or lead anywhere.
    """
    copy = _Copy(mark)
    steps = etree.iterwalk(body, events=("start", "end"))
    for event, node in steps:
        if event == "start":
            if not copy.enter(node):
                steps.skip_subtree()
        else:
            copy.leave(node)
            if node is not body and (tail := node.tail):
                copy.add(tail)
    copy.flush()
    return Marked("".join(copy.written), copy.blocks, copy.hovers, copy.has_kept)


def attributes_of(node: etree._Element) -> str:
    """Return the language and direction of an element as attributes, where it gives them."""
    language, direction = node.get("lang") or "", (node.get("dir") or "").strip().lower()
    shown = f' lang="{language}"' if language.isascii() and language.replace("-", "").isalnum() else ""
    return shown + (f' dir="{direction}"' if direction in _DIRECTIONS else "")


class _Copy:
    """The state of writing: the open elements, and the leaves since the last border."""

    def __init__(self, mark: Mark) -> None:
        self.written: list[str] = []
        self.blocks = self.hovers = 0
        self.has_kept = False
        self._mark = mark
        self._ends: list[str] = []
        self._shapes = ["p"]
        self._links: list[str] = []
        self._run: list[tuple[int, str, str]] = []  # place in `written`, text, and the link it stands in

    def enter(self, node: etree._Element) -> bool:
        """Open an element; False when its content is unseen."""
        tag = str(node.tag)
        if tag in BLOCK_LEVEL:
            self._border(node, tag)
        elif tag in UNSEEN and not (tag in SOFT and is_swollen(node)):
            self._ends.append("")
            return False
        else:
            self._open_inline(node, tag)
        if text := node.text:
            self.add(text)
        return True

    def leave(self, node: etree._Element) -> None:
        """Close an element."""
        tag = str(node.tag)
        if tag in BLOCK_LEVEL:
            self.flush()
            if tag not in VOID_BORDERS:
                self._shapes.pop()
        elif tag == "a":
            self._links.pop()
        self.written.append(self._ends.pop())

    def add(self, text: str) -> None:
        """Write a leaf; in preformatted text every line is one."""
        if self._shapes[-1] != "pre":
            self._add_leaf(text)
            return
        lines = text.splitlines(keepends=True)
        for number, line in enumerate(lines, start=1):
            self._add_leaf(line)
            if number < len(lines) or text.endswith("\n"):
                self.flush()

    def flush(self) -> None:
        """End a run; its leaves are marked if they make a block."""
        run, self._run = self._run, []
        while run and run[-1][1].isspace():
            run.pop()
        if not run or not strip_unseen("".join(text for _, text, _ in run)).strip():
            return
        name, hover = self._mark(self.blocks)
        self.blocks += 1
        for number, (place, text, link) in enumerate(run):
            told = ""
            if hover and self.hovers < MAX_HOVERS:
                self.hovers += 1
                told = f' title="{escape(hover + link).replace(chr(10), "&#10;")}"'
                told += ' tabindex="-1"' if number else self._stop(name)
            self.written[place] = f'<span class="{name}"{told}>{escape(text)}</span>'

    def _stop(self, name: str) -> str:
        """Let the tab key stop at the first leaf of a block, and the browser begin at the first one that is kept."""
        is_first_kept = name.startswith(KEPT) and not self.has_kept
        self.has_kept = self.has_kept or is_first_kept
        return ' tabindex="0"' + (' id="kept" autofocus' if is_first_kept else "")

    def _add_leaf(self, text: str) -> None:
        if self._run or not text.isspace():
            self._run.append((len(self.written), text, self._links[-1] if self._links else ""))
        self.written.append(escape(text))

    def _border(self, node: etree._Element, tag: str) -> None:
        self.flush()
        if tag in VOID_BORDERS:
            self.written.append(_VOIDS.get(tag, ""))
            self._ends.append("")
            return
        above = self._shapes[-1]
        self._shapes.append(SHAPES.get(tag) or (above if above in INHERITED else "p"))
        self.written.append(f'<div class="t-{tag}"{attributes_of(node)}>')
        self._ends.append("</div>")

    def _open_inline(self, node: etree._Element, tag: str) -> None:
        attributes = attributes_of(node)
        style = f' class="t-{tag}"' if tag in _INLINE else ""
        self.written.append(f"<span{style}{attributes}>" if style or attributes else "")
        self._ends.append("</span>" if style or attributes else "")
        if tag == "a":
            address = squeeze(node.get("href") or "")[:MAX_SHOWN]
            self._links.append(f"\nlinks to {address}" if address else "")
        elif tag == "img":
            self.written.append(escape(squeeze(node.get("alt") or "")[:MAX_SHOWN]))


def whole_page(
    document: Document, main: str, *, facts: Iterable[tuple[str, str]], notes: Iterable[str], has_kept: bool
) -> str:
    """Return the X-ray as a page that loads and runs nothing; `main` is markup, everything else is escaped."""
    title = escape(document.title[:MAX_VALUE] or "page")
    told = "".join(_row(name, value, evidence) for name, value, evidence in _fields(document))
    told += "".join(_row(name, value, None) for name, value in facts)
    warned = "".join(f'<p class="note">{escape(note)}</p>' for note in notes)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="referrer" content="no-referrer">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>X-ray: {title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f"{_SKIP if has_kept else ''}"
        f'<details id="panel" open><summary>X-ray</summary>{warned}<dl>{told}</dl>{_JUMP if has_kept else ""}'
        f'<label><input type="checkbox" id="only"> kept only</label>{_LEGEND}</details>\n{main}\n</body>\n</html>\n'
    )


def _fields(document: Document) -> Iterable[tuple[str, str, Evidence | None]]:
    published = document.published.isoformat(sep=" ") if document.published else ""
    values = {
        "title": document.title,
        "published": published,
        "authors": ", ".join(document.authors),
        "language": document.language or "",
        "kind": document.kind.value,
    }
    return [(name, value, document.evidence.get(name)) for name, value in values.items()]


def _row(name: str, value: str, evidence: Evidence | None) -> str:
    """Return a name, its value, and where that was found."""
    shown = escape(value[:MAX_VALUE]) or "—"
    small = ""
    if evidence is not None and value:
        small = f'<small title="{escape(evidence.raw)}">{escape(evidence.source)}, {evidence.confidence:.2f}</small>'
    return f'<dt>{escape(name)}</dt><dd dir="auto">{shown}</dd><dd>{small}</dd>'
