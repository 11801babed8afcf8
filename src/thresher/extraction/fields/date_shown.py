"""What a page shows of its date against what it tells: another day, or the same moment in another zone."""

import re
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta, timezone

from thresher.extraction.fields.clues import Clues, Stamp
from thresher.extraction.fields.date_lines import (
    MAX_DATE_LINE,
    TOLERANCE,
    dates_in,
)
from thresher.extraction.fields.date_ranks import BESIDE, UPDATED, called_updates, not_called_otherwise, standing_alone
from thresher.extraction.fields.date_told import modified, read_all, told_in_json_ld, told_in_meta
from thresher.extraction.fields.dates import Habits, Moment, exchanged, read_date
from thresher.extraction.fields.near import Near

ZONES_H = (-12, 14)  # the outermost zones
STEP = timedelta(minutes=15)  # what zones differ by at least
SLACK = timedelta(minutes=2)  # between the time that a page tells and the one that it shows

_MONTH_IN_URL = re.compile(r"/((?:19|20)\d\d)[-/](\d\d?)(?=[-/])")


def contradicted(told: Moment, clues: Clues, near: Near, habits: Habits) -> Moment | None:
    """Return the only date that the page shows below its title, where it is not the one told and is no update.

    None also where it shows a later one than that of its last change, which is then of something else, or the one told
    on a line, whatever its <time> elements say.
    """
    if other := in_other_zone(told, clues, near, habits):
        return other
    stamps = [*read_all((stamp.text for stamp in stamps_after_title(clues, near.title)), habits)]
    shown = stamps or not_called_otherwise(near.after, habits)
    if len({moment.at.date() for moment in shown}) != 1 or _is_told(shown[0], told, habits):
        return None
    if stamps and any(_is_told(moment, told, habits) for moment in not_called_otherwise(near.after, habits)):
        return None
    changed = [moment.at.date() for moment in modified(clues, habits)]
    if changed and shown[0].at.date() - max(changed) > TOLERANCE:
        return None
    return None if shown[0].at.date() in changed and _is_update(shown[0], clues, near, habits) else shown[0]


def _is_told(shown: Moment, told: Moment, habits: Habits) -> bool:
    """Say whether a date is that told, give or take a day, in one order of day and month or the other."""
    if abs((shown.at.date() - told.at.date()).days) <= 1:
        return True
    other = _in_other_order(shown, habits)
    return other is not None and other.at.date() == told.at.date()


def _is_update(shown: Moment, clues: Clues, near: Near, habits: Habits) -> bool:
    """Say whether a <time> or a line near the title calls this day that of an update."""
    updates = read_all((stamp.text for stamp in clues.times if UPDATED.search(stamp.role)), habits)
    return any(other.at.date() == shown.at.date() for other in (*updates, *called_updates(near.after, habits)))


def in_other_zone(told: Moment, clues: Clues, near: Near, habits: Habits) -> Moment | None:
    """Return the only date on lines below the title, where it is a day apart: that is what readers see in their zone.

    Where the page tells that day, too, it is returned as it is told, with its time. An exact moment is returned in the
    zone that a time shown with the day tells; one that some zone has on the day shown says more than that day alone.
    """
    short = [line for line in near.after if len(line) <= MAX_DATE_LINE and ("20" in line or "19" in line)]
    alone = [
        moment
        for line in short
        for moment in not_called_otherwise((line,), habits)
        if len(line) <= len(moment.raw) + BESIDE
    ]
    if len({moment.at.date() for moment in alone}) != 1 or abs((alone[0].at.date() - told.at.date()).days) != 1:
        return None
    shown = alone[0]
    others = (*told_in_json_ld(clues, habits), *told_in_meta(clues, habits))
    if same := next((other for other in others if other.at.date() == shown.at.date()), None):
        return same
    if not told.has_time or told.at.minute + told.at.second == 0:
        return shown
    if shown.has_time:
        zone = _zone_shown(told.at, shown.at)
        return replace(told, at=told.at.astimezone(zone)) if zone else shown
    shifts = (told.at + timedelta(hours=hours) for hours in ZONES_H)
    return None if any(shifted.date() == shown.at.date() for shifted in shifts) else shown


def _zone_shown(told: datetime, shown: datetime) -> timezone | None:
    """Return the zone in which a moment has the time that is shown; None where none has."""
    apart = shown.replace(tzinfo=UTC) - told.astimezone(UTC)
    offset = round(apart / STEP) * STEP
    is_zone = timedelta(hours=ZONES_H[0]) <= offset <= timedelta(hours=ZONES_H[1]) and abs(apart - offset) <= SLACK
    return timezone(offset) if is_zone else None


def in_zone_of_page(told: Moment, clues: Clues, habits: Habits) -> datetime:
    """Return the moment, if told in UTC, in the zone in which a <time> shows the same: its day is what readers see.

    What is midnight in the zone of the page's language was a day without a time before it was told in UTC.
    """
    if told.has_time and told.at.utcoffset() == timedelta(0):
        for stamp in clues.times:
            shown = read_date(stamp.text)
            if shown and shown.has_time and shown.at == told.at:
                return shown.at
        local = told.at.astimezone(habits.zone)
        return local if local.time() == time() else told.at
    return told.at


def with_time_shown(told: Moment, near: Near, habits: Habits) -> Moment:
    """Return the day that is told with the only time that lines below the title show on it; else as it is told."""
    if told.has_time:
        return told
    shown = {moment.at: moment for moment in standing_alone(near.after, habits) if moment.has_time}
    same = [moment for at, moment in shown.items() if at.date() == told.at.date()]
    if len(same) != 1:
        return told
    return replace(told, at=same[0].at, raw=f"{told.raw}; {same[0].raw}", has_time=True)


def in_usual_order(moment: Moment, clues: Clues, near: Near, habits: Habits, *, url: str = "") -> Moment:
    """Return the date with day and month exchanged, where it can be read both ways and the page has only the other.

    The month may stand in its URL.
    """
    other = _in_other_order(moment, habits)
    if other is None:
        return moment
    named = _MONTH_IN_URL.search(url)
    if named and int(named[1]) == moment.at.year and int(named[2]) in (moment.at.month, other.at.month):
        return other if int(named[2]) == other.at.month else moment
    all_dates = (
        *read_all((stamp.text for stamp in clues.times), habits),
        *dates_in((*near.after, *near.before), habits),
    )
    days = {date.at.date() for date in all_dates if exchanged(date) is None}
    return other if other.at.date() in days and moment.at.date() not in days else moment


def _in_other_order(moment: Moment, habits: Habits) -> Moment | None:
    """Return the date with day and month exchanged; None where one order is used alone, as mostly with full stops."""
    return None if habits.day_first and "." in moment.raw[:3] else exchanged(moment)


def stamps_after_title(clues: Clues, title: str) -> list[Stamp]:
    """Return the <time> elements between the title's <h1> and the next one, but for updates."""
    if title not in clues.headings:
        return []
    count = clues.headings.index(title) + 1
    return [stamp for stamp in clues.times if stamp.headings == count and not UPDATED.search(stamp.role)]
