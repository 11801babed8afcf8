"""Documents over time: which unit suits a period, and counts of hours or days as counts of longer units."""

from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from thresher.model import Bucket, Histogram

HOUR_S, DAY_S = 3_600, 86_400
# The longest period for which each unit is chosen: at most some sixty buckets, and few enough empty ones.
LONGEST_S = {"hour": 3 * DAY_S, "day": 62 * DAY_S, "week": 400 * DAY_S, "month": 6 * 366 * DAY_S}
_FIRST = datetime(1, 1, 1, tzinfo=UTC)
UNITS = (*LONGEST_S, "year")


def unit_for(period_s: float) -> str:
    """Return the unit in which a period is counted."""
    return next((unit for unit, longest_s in LONGEST_S.items() if period_s <= longest_s), "year")


def step_s(unit: str) -> int:
    """Return the seconds of what has to be counted for a unit: hours, or days."""
    return HOUR_S if unit == "hour" else DAY_S


def rolled_up(unit: str, counts: Iterable[tuple[int, int]], each_s: int | None = None) -> Histogram:
    """Return the histogram of (number of the hour or day since the year 1, count); `each_s` tells which it is."""
    each_s = each_s or step_s(unit)
    totals: Counter[str] = Counter()
    for number, count in counts:
        try:
            moment = _FIRST + timedelta(seconds=number * each_s)
        except OverflowError:
            continue
        totals[_begin(unit, moment)] += count
    return Histogram(unit, tuple(Bucket(begin, totals[begin]) for begin in sorted(totals)))


def _begin(unit: str, moment: datetime) -> str:
    if unit == "hour":
        return f"{moment:%Y-%m-%dT%H}:00".rjust(16, "0")
    day = moment.date()
    if unit == "week":
        day -= timedelta(days=min(day.weekday(), day.toordinal() - 1))
    return day.isoformat()[: {"year": 4, "month": 7}.get(unit, 10)]
