"""Thresher's own method: two stages of boosted trees over the blocks of a page.

Idea. A page is cut into blocks, runs of inline text under one block-level element. About 240 features describe a block:
its own text (size, links, punctuation, stop words, what its words are about), the elements around it (text density,
tags, class names), the blocks of its kind, its neighbours, its place, and what the page says of its text (title,
summary, JSON-LD). Trees give each block a chance to be main text. A second stage sees these chances as well, those of
the neighbours, containers and likes: it learns what sliding windows, block scores and core blocks do by hand in the
methods beside this one. The blocks are then chosen for the page as a whole (decide.py).

Reference. Features come from all methods in this folder (CETD's density, CEVC's core block, CEPR's tag paths, DGWC's
windows); trees are fitted by LightGBM, see docs/model-card.md for data, splits and scores.

Where it fails. Pages that are lists or tables of short entries; several articles on one page of which the title tells
none apart; text that is only in scripts.

Cost. One walk over the tree, then time linear in blocks; those after the first MAX_JUDGED go by their likes.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from thresher.errors import UsageError
from thresher.extraction.confidence import text_signs
from thresher.extraction.contract import CHOSEN, COMMENTS, HEADED, OWN, SIGNS, TALK, Content, Favour
from thresher.extraction.fields.clues import gather
from thresher.extraction.learned.about import read_about
from thresher.extraction.learned.decide import choose
from thresher.extraction.learned.features import COUNT, FEATURES, compute
from thresher.extraction.learned.forest import LearnedModel, chances, load
from thresher.extraction.learned.headed import elements_within, headed_comments, runs_of_comments
from thresher.extraction.learned.insets import paragraphs_of
from thresher.extraction.learned.second import SECOND, fill_second
from thresher.extraction.learned.sheet import Run, Sheet, lay_out, without
from thresher.extraction.learned.walk import walk
from thresher.extraction.memory import SiteMemory, trace, weigh
from thresher.html import Tree

MAX_JUDGED = 20_000  # blocks of a page that are judged, which takes 45 MB; the others go by their likes
SHIPPED = Path(__file__).parent.parent / "models" / "thresher.model"


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the two stages say of a page's blocks.

    `rows` are the second stage's features of the first MAX_JUDGED blocks that are no comments, for those who ask why.
    """

    chances: "array[float]"
    rows: "array[float]"
    model: LearnedModel
    comments: Sequence[Run] = ()


def extract_thresher(tree: Tree, *, model: str | None = None, favour: Favour = "balance") -> Content:
    """Return the main text of a page; no blocks where it has none."""
    sheet = lay_out(walk(tree.body), read_about(gather(tree)))
    return extract_sheet(sheet, tree.base_url, model=model, favour=favour)


def extract_sheet(
    sheet: Sheet, base_url: str | None, *, model: str | None, favour: Favour, memory: SiteMemory | None = None
) -> Content:
    """Return the main text of a page that is laid out already, and its traces where there is a memory."""
    content = choose_content(sheet, model=model, favour=favour, memory=memory)
    own, confidence = content.facts[OWN]
    return replace(content, blocks=paragraphs_of(sheet.table, own, base_url=base_url), confidence=confidence)


def choose_content(sheet: Sheet, *, model: str | None, favour: Favour, memory: SiteMemory | None = None) -> Content:
    """Return the same without blocks: which they are, with the comments and without, and how sure that is."""
    judgement = judge_blocks(sheet, model)
    own = chosen = choose(sheet, judgement.chances, favour)
    headed = headed_comments(sheet)
    comments = runs_of_comments(sheet, headed)
    if comments:
        judgement = judge_blocks(sheet, model, comments)
        own = choose(sheet, judgement.chances, favour)
    traces = None
    if memory is not None:
        traces = trace(sheet.table, own[0])  # before memory is used: it must not feed on itself
        own = choose(sheet, weigh(judgement.chances, sheet.table, memory), favour)
        chosen = chosen if comments else own
    signs = text_signs(judgement.chances, sheet.table.texts, own[0])
    told = {COMMENTS: elements_within(sheet.table, comments), HEADED: elements_within(sheet.table, headed)}
    return Content(
        confidence=chosen[1], traces=traces, facts={CHOSEN: chosen[0], OWN: own, TALK: comments, SIGNS: signs, **told}
    )


def judge_blocks(sheet: Sheet, model: str | None = None, comments: Sequence[Run] = ()) -> Judgement:
    """Give every block its chance to be main text; raise UsageError for a model that cannot be used.

    Blocks of comments have none, and the others are judged as if the page did not have those.
    """
    learned = read_learned(model)
    part = without(sheet, comments) if comments else sheet
    count = len(part.table.texts)
    if count <= MAX_JUDGED:
        judged = _judge(part, learned)
    else:
        judged = _judge(without(part, [(MAX_JUDGED, count)]), learned)
        judged = replace(judged, chances=_by_likes(part, judged.chances))
    return replace(judged, chances=_with_comments(judged.chances, comments), comments=comments)


def _with_comments(chances: "array[float]", comments: Sequence[Run]) -> "array[float]":
    """Put comments, which are no main text, among the judged blocks."""
    together = array("d")
    taken = 0
    for first, end in comments:
        between = first - len(together)
        together += chances[taken : taken + between]
        together += array("d", bytes(8 * (end - first)))
        taken += between
    return together + chances[taken:]


def _by_likes(sheet: Sheet, judged: "array[float]") -> "array[float]":
    """Give the blocks beyond those judged the mean chance of the judged ones of their kind; 0 where there are none."""
    owner, kind = sheet.table.owner, sheet.kind
    mass, counts = array("d", bytes(8 * sheet.kinds)), array("d", bytes(8 * sheet.kinds))
    for place, chance in enumerate(judged):
        mass[kind[owner[place]]] += chance
        counts[kind[owner[place]]] += 1
    means = [whole / number if number else 0.0 for whole, number in zip(mass, counts, strict=True)]
    return judged + array("d", [means[kind[owner[place]]] for place in range(len(judged), len(owner))])


def _judge(sheet: Sheet, learned: LearnedModel) -> Judgement:
    count = len(sheet.table.texts)
    width = COUNT + len(SECOND)
    rows = compute(sheet, width)
    guess = chances(learned.stages[0], rows, width, count)
    fill_second(sheet, guess, rows, COUNT)
    return Judgement(chances(learned.stages[1], rows, width, count), rows, learned)


def read_learned(path: str | None) -> LearnedModel:
    """Return the model of a file, or the shipped one for None; the last ones read are remembered."""
    if path is None:
        return _read(SHIPPED, None)
    file = Path(path)
    try:
        stat = file.stat()
    except OSError as error:
        raise UsageError(f"cannot read the model {file}: {error.strerror}") from error
    return _read(file, (stat.st_mtime_ns, stat.st_size))


@lru_cache(maxsize=16)
def _read(file: Path, stamp: tuple[int, int] | None) -> LearnedModel:
    """Read a model; `stamp` makes a file that was written anew another one, None stands for the one that is shipped."""
    try:
        model = load(file.read_bytes())
    except OSError as error:
        raise UsageError(f"cannot read the model {file}: {error.strerror}") from error
    except UsageError as error:
        raise UsageError(f"{file}: {error}") from error
    if model.features != (tuple(FEATURES), (*FEATURES, *SECOND)):
        raise UsageError(f"{file} is a model for other features than this version's; train it again")
    return model
