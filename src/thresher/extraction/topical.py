"""From topical lines to the main text, as DGWC and FAR-SW do it: a sliding window, then a score for each block."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import NamedTuple

from thresher.extraction.contract import Content, Favour
from thresher.extraction.line_features import Features, normalised_features, topic_lines
from thresher.extraction.lines import Layout, Line, blocks_of
from thresher.html import Tree

# Lines, φ in the papers. It holds on articles/train too: F1 with 0, 2, 5 and 10, measured as for SHARES: dgwc-svm .583,
# .879, .887, .861; far-sw .571, .805, .833, .832.
WINDOW = 5
MIN_SCORE = 1.5  # of a block; half of the highest score possible, β in FAR-SW
_MAX_SCORE = 3.0

# On a page where no block passes MIN_SCORE: the share of the best block's score that a block must reach. The papers
# output nothing there, but on articles/train that is 19 pages of 20; half of the best is their cut, half of what is
# possible, taken for the page. Chosen on every second page of articles/train, models trained inter-site; precision,
# recall and F1 of the shingles for dgwc-svm: 0.3 .819 .957 .883, 0.4 .840 .944 .889, 0.5 .858 .919 .887, 0.6 .867 .866
# .866, 0.7 .869 .798 .832; far-sw: 0.3 .820 .842 .831, 0.5 .856 .812 .833, 0.6 .867 .770 .816. On all its pages by
# `thresher bench extract articles/train --protocol inter-site --metrics shingles --algorithms NAME,NAME:favour=recall`
# and so on, F1 for recall, balance and precision: dgwc-svm .882 .885 .865, far-sw .831 .833 .817.
SHARES: dict[Favour, float] = {"precision": 0.6, "balance": 0.5, "recall": 0.3}


@dataclass(frozen=True, slots=True)
class Selection:
    """How to choose blocks: the window in lines, the least score, and the share of the best (None: score alone)."""

    window: int = WINDOW
    min_score: float = MIN_SCORE
    share: float | None = SHARES["balance"]


class Stretch(NamedTuple):
    """A potential topical block: the lines from `start` to `end`, both included."""

    start: int
    end: int


def stretches_of(marks: Sequence[bool], window: int = WINDOW) -> Iterator[Stretch]:
    """Yield the potential topical blocks: topical lines at most `window` lines apart, and the line before and after.

    So `window` or more other lines in a row separate, and a window of 0 makes every topical line a block. The border
    lines belong to the block (FAR-SW §3.5) unless the page ends there, or they are topical themselves.
    """
    first: int | None = None
    last = 0
    for number, mark in enumerate(marks):
        if not mark:
            continue
        if first is not None and number - last > window:
            yield _with_borders(marks, first, last)
            first = None
        first = number if first is None else first
        last = number
    if first is not None:
        yield _with_borders(marks, first, last)


def score_line(features: Features) -> float:
    """Return how informative a line is (eq. 4), from its normalised features: at most 3."""
    return features.text_length + features.output_length + features.density - features.links - features.images


def score_stretch(scores: Sequence[float], stretch: Stretch) -> float:
    """Return the mean of the scores of a block's lines (eq. 5)."""
    return fmean(scores[stretch.start : stretch.end + 1])


def informative(stretches: Sequence[Stretch], scores: Sequence[float], selection: Selection) -> list[Stretch]:
    """Return the blocks whose score passes; where none does, those that come near the best of them."""
    totals = [score_stretch(scores, stretch) for stretch in stretches]
    passed = [stretch for stretch, total in zip(stretches, totals, strict=True) if total > selection.min_score]
    if passed or selection.share is None or not totals:
        return passed
    least = selection.share * max(totals)
    return [stretch for stretch, total in zip(stretches, totals, strict=True) if total >= least > 0]


def main_text(tree: Tree, layout: Layout, selection: Selection, is_topical: Callable[[Features], bool]) -> Content:
    """Return the main text of a page, given what says of a line's normalised features whether it is topical."""
    lines = topic_lines(tree.source, layout)
    rows = normalised_features(lines)
    marks = [is_topical(row) for row in rows]
    return content_of(lines, rows, marks, selection=selection, base_url=tree.base_url)


def content_of(
    lines: Sequence[Line],
    rows: Sequence[Features],
    marks: Sequence[bool],
    *,
    selection: Selection,
    base_url: str | None = None,
) -> Content:
    """Return the lines of the informative blocks, given the normalised features and the topical marks of all lines."""
    scores = [score_line(row) for row in rows]
    stretches = list(stretches_of(marks, selection.window))
    chosen = informative(stretches, scores, selection)
    # Two blocks may share a border line.
    kept = sorted({number for start, end in chosen for number in range(start, end + 1)})
    return Content(
        blocks_of((lines[number] for number in kept), base_url),
        confidence=max(0.0, fmean(scores[number] for number in kept) / _MAX_SCORE) if kept else 0.0,
        facts={
            "lines": len(lines),
            "topical_lines": sum(marks),
            "blocks": len(stretches),
            "informative_blocks": len(chosen),
        },
    )


def _with_borders(marks: Sequence[bool], first: int, last: int) -> Stretch:
    start = first - 1 if first > 0 and not marks[first - 1] else first
    end = last + 1 if last + 1 < len(marks) and not marks[last + 1] else last
    return Stretch(start, end)
