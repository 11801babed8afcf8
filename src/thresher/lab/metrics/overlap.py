"""Overlap: what found and gold have in common, for one page; and the two ways to sum pages up."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Overlap:
    """Sizes of what is common, of what was found and of the gold, in a metric's own unit."""

    common: float
    found: float
    gold: float

    @property
    def precision(self) -> float:
        """The share of what was found that is gold; 0 for empty output, 1 where the gold is empty too."""
        return self.common / self.found if self.found else float(not self.gold)

    @property
    def recall(self) -> float:
        """The share of the gold that was found; for empty gold 1 when nothing was found, else 0."""
        return self.common / self.gold if self.gold else float(not self.found)


def f1(precision: float, recall: float) -> float:
    """Return the harmonic mean of the two; 0 when both are."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def pooled(pages: Sequence[Overlap]) -> Overlap:
    """Add the pages up, so that a long page weighs more than a short one (CEVC thesis, eq. 2-15 and 3-7)."""
    return Overlap(
        sum(page.common for page in pages), sum(page.found for page in pages), sum(page.gold for page in pages)
    )


def averaged(pages: Sequence[Overlap]) -> tuple[float, float]:
    """Return precision and recall averaged over the pages, so that each page weighs the same; (0, 0) for no page."""
    if not pages:
        return 0.0, 0.0
    return sum(page.precision for page in pages) / len(pages), sum(page.recall for page in pages) / len(pages)
