"""Measure how well kinds of pages are told: by models that have not seen engine or site, or by the shipped one."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple
from zlib import crc32

from thresher.extraction.discussion import are_sought, decide_thread
from thresher.extraction.extractor import extract
from thresher.extraction.kind import KINDS, Judged, judge_row
from thresher.lab.kinds import KindPage
from thresher.lab.tables import table
from thresher.lab.train.kind_pages import MADE
from thresher.lab.train.kinds import FOLDS, KindSample, chances_left_out, evidence_row, fit_talk, fold_of
from thresher.model import Kind, Post

COUNTED = (Kind.ARTICLE, Kind.THREAD, Kind.BOARD, Kind.LISTING)  # kinds that the macro recall is the mean of
LIVE = "live installations"
Fold = Callable[[KindSample], int]


class Told(NamedTuple):
    """A page's dataset, its kind, and the kind that it was taken for; its id and posts where they are known."""

    dataset: str
    kind: Kind
    as_kind: Kind
    page: str = ""
    posts: tuple[Post, ...] = ()
    site: str = ""


def by_engine(sample: KindSample) -> int:
    """Return the fold of a page whose engine is held out, or its site where it is no forum's."""
    return fold_of(sample.group)


def by_site(sample: KindSample) -> int:
    """Return the fold of a page whose site is held out."""
    return crc32(sample.site.encode()) % FOLDS


class LeftOut(NamedTuple):
    """What models that have not seen a page say of its looks; the evidence of its posts, and the chance by it."""

    judged: Mapping[str, Judged]
    threads: Mapping[str, tuple[Sequence[float], float]]


def judge_left_out(samples: Sequence[KindSample], fold: Fold = by_engine) -> LeftOut:
    """Judge every real page, by id, by models trained on the other folds, made pages of their sites left out too."""
    import numpy as np

    chances = chances_left_out(samples, fold)
    real = [sample for sample in samples if sample.dataset != MADE]
    judged = {sample.page: judge_row(sample.features, chances[sample.page]) for sample in real}
    threads: dict[str, tuple[Sequence[float], float]] = {}
    for number in range(FOLDS):
        held = [sample for sample in real if fold(sample) == number and sample.talk is not None]
        if held:
            booster: Any = fit_talk([sample for sample in samples if fold(sample) != number], chances)
            rows = np.stack([evidence_row(sample, chances[sample.page]) for sample in held])
            given = booster.predict(rows, num_threads=1)
            for sample, row, chance in zip(held, rows, given, strict=True):
                threads[sample.page] = row, float(chance)
    return LeftOut(judged, threads)


def by_looks(samples: Iterable[KindSample], left_out: LeftOut) -> list[Told]:
    """Take pages for what their features say, without looking for posts."""
    return [_told(sample, left_out.judged[sample.page].kind.value) for sample in samples if sample.dataset != MADE]


def by_posts(samples: Iterable[KindSample], left_out: LeftOut) -> list[Told]:
    """Take pages for what they are with their posts, as an extraction does."""
    told = []
    for sample in samples:
        if sample.dataset == MADE:
            continue
        judged, talk = left_out.judged[sample.page], sample.talk
        kind = judged.kind
        if talk is not None and are_sought(judged, "threads"):
            row, chance = left_out.threads[sample.page]
            kind = decide_thread(judged, row, chance, len(talk.thread.posts))
        posts = talk.thread.posts if talk is not None and kind.value is Kind.THREAD else ()
        told.append(_told(sample, kind.value, posts))
    return told


def _told(sample: KindSample, kind: Kind, posts: tuple[Post, ...] = ()) -> Told:
    dataset = LIVE if sample.is_live else sample.dataset
    return Told(dataset, sample.kind, kind, sample.page, posts, sample.site)


def judge_shipped(pages: Iterable[KindPage]) -> list[Told]:
    """Judge pages as they are extracted, posts included."""
    return [Told(page.dataset, page.kind, extract(page.html, page.url).kind, site=page.site) for page in pages]


def confusion(told: Sequence[Told]) -> str:
    """Return tables in Markdown: what pages of each kind and dataset were taken for, and the macro recall.

    Pages of live installations are counted in a row of their own alone; the recall by site is the mean over sites.
    """
    real = [each for each in told if each.dataset != LIVE]
    rows = [_line(f"**{kind}**", [each for each in real if each.kind is kind]) for kind in KINDS]
    names = sorted({(each.dataset, each.kind) for each in told})
    for dataset, kind in names:
        rows.append(_line(f"{dataset}: {kind}", [each for each in told if each[:2] == (dataset, kind)]))
    recalls = [_recall([each for each in real if each.kind is kind]) for kind in COUNTED]
    known = [recall for recall in recalls if recall is not None]
    macro = sum(known) / len(known) if known else 0.0
    heads = ["pages", "number", "recall", "by site", *map(str, KINDS)]
    shown = table(heads, [row for row in rows if row[1] != "0"])
    return f"{shown}\nmacro recall over {', '.join(COUNTED)}: {macro:.3f}"


def _recall(told: Sequence[Told]) -> float | None:
    return sum(each.kind is each.as_kind for each in told) / len(told) if told else None


def _recall_by_site(told: Sequence[Told]) -> float | None:
    sites: dict[str, list[Told]] = {}
    for each in told:
        sites.setdefault(each.site, []).append(each)
    recalls = [_recall(pages) or 0.0 for pages in sites.values()]
    return sum(recalls) / len(recalls) if recalls else None


def _line(name: str, told: Sequence[Told]) -> list[str]:
    counts = Counter(each.as_kind for each in told)
    shares = [f"{share:.3f}" if share is not None else "" for share in (_recall(told), _recall_by_site(told))]
    return [name, str(len(told)), *shares, *(str(counts[kind]) for kind in KINDS)]
