"""How many documents there are per hour, day, week, month or year (UTC), by group, from what an index counts."""

from collections import Counter
from datetime import datetime, timedelta
from typing import Literal

from thresher.analysis.charts import Chart, Series
from thresher.model import Histogram

Per = Literal["hour", "day", "week", "month", "year"]

MAX_PLOTTED = 2_000  # periods, the latest ones
MAX_CURVES = 7  # groups with a curve of their own; the others are drawn as one
OTHERS = "all others"
_FIRST_MOMENT = "0001-01-01T00:00"


class Volume:
    """The documents of each period and group."""

    def __init__(self, per: Per) -> None:
        self.per = per
        self.undated = 0
        self.counts: Counter[tuple[datetime, str]] = Counter()  # by the beginning of the period, and group
        self.groups: Counter[str] = Counter()  # documents with a date

    def add(self, group: str, found: Histogram, undated: int = 0) -> None:
        """Count the documents of a group."""
        for bucket in found.buckets:
            begin = datetime.fromisoformat(bucket.value + _FIRST_MOMENT[len(bucket.value) :])
            self.counts[begin, group] += bucket.count
            self.groups[group] += bucket.count
        self.undated += undated

    def add_rest(self, group: str, found: Histogram, undated: int) -> None:
        """Count what of all documents is in no group yet as one group."""
        counted: Counter[datetime] = Counter()
        for (begin, _), count in self.counts.items():
            counted[begin] += count
        rest = Volume(self.per)
        rest.add(group, found)
        for (begin, _), count in rest.counts.items():
            if count > counted[begin]:
                self.counts[begin, group] += count - counted[begin]
                self.groups[group] += count - counted[begin]
        self.undated = max(self.undated, undated)

    def rows(self) -> list[tuple[str, str, int]]:
        """Return (period, group, documents) in order of time; periods without documents are left out."""
        return [(name_of(begin, self.per), group, count) for (begin, group), count in sorted(self.counts.items())]


def name_of(begin: datetime, per: Per) -> str:
    """Return the name of the period that begins at a time: 2026-11-16T09:00, 2026-11-16, 2026-W47, 2026-11 or 2026."""
    if per == "week":
        year, week, _ = begin.isocalendar()
        return f"{year:04}-W{week:02}"
    return begin.isoformat(timespec="minutes")[: {"hour": 16, "day": 10, "month": 7, "year": 4}[per]]


def chart_of(volume: Volume, title: str) -> Chart:
    """Draw the documents per period, a curve for each of the largest groups, empty periods as 0."""
    begins = _begins(volume)
    first = volume.groups.most_common(MAX_CURVES)
    names = [name for name, _ in first] + ([OTHERS] if len(volume.groups) > len(first) else [])
    shown = Counter[tuple[datetime, str]]()
    for (begin, group), count in volume.counts.items():
        shown[begin, group if group in names else OTHERS] += count
    series = [
        Series(name or "documents", tuple((float(at), float(shown[begin, name])) for at, begin in enumerate(begins)))
        for name in names
    ]
    labels = [name_of(begin, volume.per) for begin in begins]
    return Chart(title, volume.per, series, y_label="documents", x_names=labels or ["-"])


def _begins(volume: Volume) -> list[datetime]:
    """Return the beginning of each period from the first with documents to the last; of very many, the latest."""
    if not volume.counts:
        return []
    first = min(begin for begin, _ in volume.counts)
    begins = [max(begin for begin, _ in volume.counts)]
    while begins[-1] > first and len(begins) < MAX_PLOTTED:
        begins.append(_before(begins[-1], volume.per))
    return begins[::-1]


def _before(begin: datetime, per: Per) -> datetime:
    """Return the beginning of the period before one."""
    if per in ("month", "year"):
        last = begin - timedelta(days=1)
        return last.replace(day=1) if per == "month" else last.replace(month=1, day=1)
    step = {"hour": timedelta(hours=1), "day": timedelta(days=1), "week": timedelta(weeks=1)}[per]
    return begin - step if begin - datetime.min > step else datetime.min
