"""How many documents there are per day, week or month, by group; a day is one of UTC, as in queries."""

from collections import Counter
from datetime import UTC, date, datetime, timedelta
from typing import Literal

from thresher.analysis.charts import Chart, Series

Per = Literal["day", "week", "month"]

MAX_PLOTTED = 2_000  # periods, the latest ones
MAX_CURVES = 7  # groups with a curve of their own; the others are drawn as one
OTHERS = "all others"


class Volume:
    """Counts documents by period and group; memory grows with the number of these alone."""

    def __init__(self, per: Per) -> None:
        self.per = per
        self.undated = 0
        self.counts: Counter[tuple[date, str]] = Counter()  # by the first day of the period, and group
        self.groups: Counter[str] = Counter()  # documents with a date

    def add(self, group: str, moment: datetime | None) -> None:
        """Count one document; without a time it is only counted as undated."""
        if moment is None:
            self.undated += 1
            return
        self.counts[first_day(moment, self.per), group] += 1
        self.groups[group] += 1

    def rows(self) -> list[tuple[str, str, int]]:
        """Return (period, group, documents) in order of time; periods without documents are left out."""
        return [(name_of(day, self.per), group, count) for (day, group), count in sorted(self.counts.items())]


def first_day(moment: datetime, per: Per) -> date:
    """Return the first day of the period that a moment is in; without a zone it is taken as UTC."""
    try:
        day = (moment.astimezone(UTC) if moment.tzinfo else moment).date()
    except OverflowError:  # the first and last hours of all time: pages say anything
        day = moment.date()
    if per == "month":
        return day.replace(day=1)
    return day - timedelta(days=day.weekday()) if per == "week" and day.toordinal() > 6 else day


def name_of(day: date, per: Per) -> str:
    """Return the name of the period that begins on a day: 2026-11-16, 2026-W47 or 2026-11."""
    if per == "week":
        year, week, _ = day.isocalendar()
        return f"{year:04}-W{week:02}"
    return day.isoformat()[:7] if per == "month" else day.isoformat()


def chart_of(volume: Volume, title: str) -> Chart:
    """Draw the documents per period, a curve for each of the largest groups, empty periods as 0."""
    days = _days(volume)
    first = volume.groups.most_common(MAX_CURVES)
    names = [name for name, _ in first] + ([OTHERS] if len(volume.groups) > len(first) else [])
    shown = Counter[tuple[date, str]]()
    for (day, group), count in volume.counts.items():
        shown[day, group if group in names else OTHERS] += count
    series = [
        Series(name or "documents", tuple((float(place), float(shown[day, name])) for place, day in enumerate(days)))
        for name in names
    ]
    labels = [name_of(day, volume.per) for day in days]
    return Chart(title, volume.per, series, y_label="documents", x_names=labels or ["-"])


def _days(volume: Volume) -> list[date]:
    """Return the first day of each period from the first with documents to the last; of very many, the latest."""
    if not volume.counts:
        return []
    day, last = (wanted(day for day, _ in volume.counts) for wanted in (min, max))
    days = [last]
    while days[-1] > day and len(days) < MAX_PLOTTED:
        days.append(first_day(datetime.combine(days[-1] - timedelta(days=1), datetime.min.time()), volume.per))
    return days[::-1]
