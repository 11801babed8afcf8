"""Dates in the lines of a page: near its title, behind a label, on lines of their own, without a year, against now."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta

from thresher.extraction.fields.date_ranks import (
    ALONE,
    LABEL,
    MAX_LEAD,
    PUBLISHED,
    SINCE,
    WEAK,
    begins_with_label,
    is_wider,
    label_of,
    ranked,
    short_dates,
    standing_alone,
)
from thresher.extraction.fields.dates import Habits, Moment, dates_of, find_dates, find_yearless
from thresher.extraction.fields.near import AFTER, MAX_LINE, Near
from thresher.extraction.fields.relative import read_relative
from thresher.html import Tree

FLOOR = datetime(1995, 1, 1, tzinfo=UTC)  # no page of the web was published before
CEILING = datetime(2100, 1, 1, tzinfo=UTC)  # nor after; what is later stands for "never"
TOLERANCE = timedelta(days=1)  # a page without a zone may be a day ahead of UTC
MAX_LABELLED = 2_000  # lines in which a date with its label is looked for
RELATIVE_LINES = 8  # from the title on, in which "2 hours ago" is about the page
MAX_DATE_LINE = 80  # characters of a line that holds a date and little else
LITTLE = 12  # characters beside the date on such a line

_SET_OFF = re.compile(r"\s{0,2}[.:|)\]–—-]\s?\S")
_YEAR_IN_URL = re.compile(r"(?<!\d)((?:19|20)\d\d)(?=[-/_]?(?:0[1-9]|1[0-2])?(?!\d))")


def is_plausible(at: datetime, now: datetime | None) -> bool:
    """Say whether a page can have been published then."""
    return FLOOR <= at < CEILING and (now is None or at - TOLERANCE <= now)


def near_title(near: Near, habits: Habits) -> list[Moment]:
    """Return the dates after the title and before it: those said to be of publication, and by themselves."""
    return [moment for rank, moment in _near(near, habits) if rank <= WEAK]


def in_sentences(near: Near, habits: Habits) -> list[Moment]:
    """Return the other dates after the title and before it: those in sentences, and those of updates."""
    return [moment for rank, moment in _near(near, habits) if rank > WEAK]


def _near(near: Near, habits: Habits) -> list[tuple[int, Moment]]:
    dates: list[tuple[int, Moment]] = []
    for line in near.after:
        dates += ranked(line, habits, by_itself=ALONE)
    for line in near.before:
        dates += ranked(line, habits, by_itself=WEAK)
    return sorted(dates, key=lambda pair: pair[0])


def labelled(near: Near, habits: Habits) -> Iterator[Moment]:
    """Yield the dates anywhere that a word for publication stands right before, on their line or on the one above."""
    above = ""
    inside: list[Moment] = []
    place = near.place or 0
    for line in (*near.texts[place : place + MAX_LABELLED], *near.texts[:place]):
        if len(line) <= MAX_LINE and ("20" in line or "19" in line or line.count("/") > 1 or line.count(".") > 1):
            for moment in (*dates_of(line, habits), *short_dates(line, habits)):
                label = label_of(line[max(0, moment.start - LABEL) : moment.start] or above[-LABEL:])
                if not PUBLISHED.search(label) and not begins_with_label(line, moment):
                    continue
                if len(line) <= LABEL + len(moment.raw) + LABEL:
                    yield moment
                else:
                    inside.append(moment)
        above = line
    yield from inside  # of a sentence, which may tell of something else


def above_text(near: Near, habits: Habits) -> list[Moment]:
    """Return the dates that stand by themselves right above the first long text below the title, the nearest first."""
    start = 0 if near.place is None else near.place + 1
    texts = enumerate(near.texts[start:], start)
    first = next((number for number, text in texts if is_wider(text, MAX_LINE)), start)
    lines = [line for line in near.texts[max(start, first - AFTER) : first] if not is_wider(line, MAX_DATE_LINE)]
    return standing_alone(reversed(lines), habits)


def begins_text(near: Near, habits: Habits) -> Iterator[Moment]:
    """Yield the date with which the text below the title begins, set off from it: "8 June 2016 – The ferry runs"."""
    if near.place is not None:
        for text in near.texts[near.place + 1 : near.place + AFTER + 1]:
            head = text[:MAX_DATE_LINE]
            for moment in dates_of(head, habits)[:1]:
                if moment.start <= MAX_LEAD and _SET_OFF.match(head, moment.start + len(moment.raw)):
                    yield moment


def alone_in(lines: Iterable[str], habits: Habits, beside: int = LITTLE) -> Iterator[Moment]:
    """Yield the dates of lines that hold little else."""
    for line in lines:
        if len(line) <= MAX_DATE_LINE and ("20" in line or "19" in line):
            dates = (moment for moment in dates_of(line, habits) if len(line) <= len(moment.raw) + beside)
            yield from (moment for moment in dates if not SINCE.search(line[: moment.start]))


def alone_on(near: Near, habits: Habits) -> list[Moment]:
    """Return the dates of the page's lines that hold little else: with a time first, then after the title.

    The day on which a page is read stands above its title without one, and further up than that of its publication.
    """
    place = near.place or 0
    dates = (*alone_in(near.texts[place:], habits), *alone_in(reversed(near.texts[:place]), habits))
    return sorted(dates, key=lambda moment: not moment.has_time)


def on_short_lines(near: Near, habits: Habits) -> list[Moment]:
    """Return the dates of short lines from the title on that stand by themselves, those with a time first."""
    lines = (line for line in near.texts[near.place or 0 :] if len(line) <= MAX_LINE and ("20" in line or "19" in line))
    return sorted(standing_alone(lines, habits), key=lambda moment: not moment.has_time)


def dates_in(lines: Iterable[str], habits: Habits) -> Iterator[Moment]:
    for line in lines:
        yield from dates_of(line, habits)


def relative_to(near: Near, now: datetime | None) -> Iterator[Moment]:
    if now is None:
        return
    for line in (*near.after[:RELATIVE_LINES], *near.before):
        if told := read_relative(line, now):
            # "2 weeks ago" tells a day; the time of the fetch is none of the page's.
            in_days = (now - told[0]) % timedelta(days=1) == timedelta(0) and told[0] != now
            at = told[0].replace(hour=0, minute=0, second=0, microsecond=0) if in_days else told[0]
            yield Moment(at, told[1], not in_days, 0)


def without_year(tree: Tree, near: Near, now: datetime | None, habits: Habits) -> Iterator[Moment]:
    """Yield dates that leave out the year, in the year of the URL or else the last one before now."""
    match = _YEAR_IN_URL.search(tree.url or "")
    for line in (*near.after, *near.before):
        if match:
            yield from find_yearless(line, int(match[1]), habits)
        elif now:
            for year in (now.year, now.year - 1):
                yield from (moment for moment in find_yearless(line, year, habits) if is_plausible(moment.at, now))


def latest_in(texts: Sequence[str], now: datetime | None, habits: Habits) -> list[Moment]:
    """Return the latest plausible date of the page, as the thesis does; empty when there is none."""
    plausible = [moment for moment in find_dates("\n".join(texts), habits) if is_plausible(moment.at, now)]
    return [max(plausible, key=lambda moment: moment.at)] if plausible else []
