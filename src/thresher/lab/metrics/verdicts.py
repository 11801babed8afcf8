"""Strict verdicts on a page (CEVC thesis, §4.4.3 and Table 4-4): contains the main text; contains little else.

The thesis had people say so. Here the longest common subsequence does: nearly all of the gold must be there ("a news
item whose text is not wholly extracted does not contain it"), and all but a tenth of the output must be gold.
"""

from dataclasses import dataclass

from thresher.lab.metrics.overlap import Overlap

MIN_RECALL = 0.98  # leaves room for a caption or a ligature, not for a paragraph
MIN_PRECISION = 0.9


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a reader would say of one page's output."""

    contains_text: bool
    little_else: bool


def verdict(overlap: Overlap) -> Verdict:
    """Judge one page by its common subsequence; an empty output is neither."""
    if not overlap.found:
        return Verdict(contains_text=False, little_else=False)
    return Verdict(overlap.recall >= MIN_RECALL, overlap.precision >= MIN_PRECISION)
