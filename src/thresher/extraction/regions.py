"""Low, Middle and High: how far a feature's value lies in each region, as DGWC and FAR-SW measure it."""

from collections.abc import Sequence
from statistics import fmean
from typing import NamedTuple

ALPHA = 0.5  # weight of the topical region against the others (DGWC eq. 1 to 3, FAR-SW eq. 1 to 3)


class Scope(NamedTuple):
    """A feature's weighted minimum, mean and maximum over topical and other lines: MIN, Mean and MAX in the papers."""

    least: float
    mean: float
    most: float


def scope_of(topical: Sequence[float], others: Sequence[float], alpha: float = ALPHA) -> Scope:
    """Weigh what is observed in the topical region against the rest; where one is empty the other speaks alone."""
    inside, outside = (topical or others), (others or topical)
    return Scope(
        alpha * min(inside) + (1 - alpha) * min(outside),
        alpha * fmean(inside) + (1 - alpha) * fmean(outside),
        alpha * max(inside) + (1 - alpha) * max(outside),
    )


def three_regions(value: float, scope: Scope) -> tuple[float, float, float]:
    """Return the membership in Low, Middle and High (FAR-SW Fig. 3, DGWC Fig. 4); they add up to 1.

    Low falls from 1 to 0 between L (half-way from MIN to Mean) and Mean, High rises from 0 to 1 between Mean and H
    (half-way from Mean to MAX), Middle is the rest. Where MIN is the Mean, what does not exceed it is Low.
    """
    least, mean, most = scope
    if value <= mean:
        half = (mean - least) / 2
        low = min((mean - value) / half, 1.0) if half > 0 else 1.0
        return low, 1.0 - low, 0.0
    half = (most - mean) / 2
    high = min((value - mean) / half, 1.0) if half > 0 else 1.0
    return 0.0, 1.0 - high, high


def two_regions(value: float, scope: Scope) -> tuple[float, float]:
    """Return the membership in Low' and High', which add up to 1; a reading of FAR-SW's Fig. 7, which is lost.

    Low' falls linearly from 1 to 0 between L and H.
    """
    least, mean, most = scope
    low_until, high_from = (least + mean) / 2, (mean + most) / 2
    if value <= low_until:
        return 1.0, 0.0
    if value >= high_from:
        return 0.0, 1.0
    high = (value - low_until) / (high_from - low_until)
    return 1.0 - high, high
