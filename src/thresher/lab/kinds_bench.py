"""Measure how well kinds of pages are told: by models that have not seen the site, or by the shipped one."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple
from zlib import crc32

from thresher.extraction.drawn import draw
from thresher.extraction.extractor import extract
from thresher.extraction.kind import KINDS, Judged, judge_row
from thresher.lab.kinds import KindPage
from thresher.lab.tables import table
from thresher.lab.train.kind_pages import MADE
from thresher.lab.train.kinds import KindSample, fit, read_page
from thresher.model import Kind, Post

FOLDS = 10
ENGINES = ("phpbb", "xenforo", "discuz", "fluxbb", "discourse", "stackexchange")  # each in a fold of its own
COUNTED = (Kind.ARTICLE, Kind.THREAD, Kind.BOARD, Kind.LISTING)  # kinds that the macro recall is the mean of


class Told(NamedTuple):
    """A page's dataset, its kind, and the kind that it was taken for; its id and posts where they are known."""

    dataset: str
    kind: Kind
    as_kind: Kind
    page: str = ""
    posts: tuple[Post, ...] = ()


def fold_of(group: str) -> int:
    """Return the fold in which a site or a family of forum engines is held out."""
    return ENGINES.index(group) if group in ENGINES else crc32(group.encode()) % FOLDS


def judge_left_out(samples: Sequence[KindSample]) -> dict[str, Judged]:
    """Judge every real page, by id, by a model trained on the other folds, made pages of their sites left out too."""
    import numpy as np

    judged = {}
    for fold in range(FOLDS):
        held = [sample for sample in samples if fold_of(sample.group) == fold and sample.dataset != MADE]
        boosters = fit([sample for sample in samples if fold_of(sample.group) != fold])
        rows = np.stack([sample.features for sample in held])
        chances = np.stack([booster.predict(rows, num_threads=1) for booster in boosters], axis=1)
        for sample, row in zip(held, chances, strict=True):
            judged[sample.page] = judge_row(sample.features, row)
    return judged


def by_looks(pages: Iterable[KindPage], judged: Mapping[str, Judged]) -> list[Told]:
    """Take pages for what their features say, without looking for posts."""
    return [Told(page.dataset, page.kind, judged[page.id].kind.value, page.id) for page in pages]


def by_posts(pages: Iterable[KindPage], judged: Mapping[str, Judged]) -> Iterator[Told]:
    """Take pages for what they are with their posts, as an extraction does."""
    for page in pages:
        tree, _, sheet, content = read_page(page)
        content, kind = draw(tree, judged[page.id], sheet.table, content, posts="threads", fetched_at=None)
        yield Told(page.dataset, page.kind, kind.value, page.id, content.posts)


def judge_shipped(pages: Iterable[KindPage]) -> list[Told]:
    """Judge pages as they are extracted, posts included."""
    return [Told(page.dataset, page.kind, extract(page.html, page.url).kind) for page in pages]


def confusion(told: Sequence[Told]) -> str:
    """Return tables in Markdown: what pages of each kind and dataset were taken for, and the macro recall."""
    rows = [_line(f"**{kind}**", [each for each in told if each.kind is kind]) for kind in KINDS]
    names = sorted({(each.dataset, each.kind) for each in told})
    for dataset, kind in names:
        rows.append(_line(f"{dataset}: {kind}", [each for each in told if each[:2] == (dataset, kind)]))
    recalls = [_recall([each for each in told if each.kind is kind]) for kind in COUNTED]
    known = [recall for recall in recalls if recall is not None]
    macro = sum(known) / len(known) if known else 0.0
    shown = table(["pages", "number", "recall", *map(str, KINDS)], [row for row in rows if row[1] != "0"])
    return f"{shown}\nmacro recall over {', '.join(COUNTED)}: {macro:.3f}"


def _recall(told: Sequence[Told]) -> float | None:
    return sum(each.kind is each.as_kind for each in told) / len(told) if told else None


def _line(name: str, told: Sequence[Told]) -> list[str]:
    counts = Counter(each.as_kind for each in told)
    recall = _recall(told)
    return [name, str(len(told)), f"{recall:.3f}" if recall is not None else "", *(str(counts[kind]) for kind in KINDS)]
