"""Read dates out of text: numeric, Chinese, Japanese and Korean, and with names of months; with time and zone.

Every pattern is anchored at a year and looks at a few characters around it, so the cost is linear in the text.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, timezone
from functools import lru_cache
from typing import NamedTuple

from thresher.extraction.fields.months import MONTHS

MAX_TEXT = 200_000  # characters searched; a publication date stands near the top
MAX_SHORT_YEAR = 39  # of this century; what looks like a later one is a version or a price
MAX_FIELD = 100  # characters of a field of structured data
# Of a date; others stand for "never" (0001-01-01, 9999-12-31), and at the ends of the calendar zones run out of days.
YEARS = range(1900, 2100)

_DIGIT = re.compile(r"\d")
_AROUND = 40  # characters around a year in which the rest of the date stands
# 19xx and 20xx, no digit before; it starts with a character and not with a look back, for which there is a fast search.
_YEAR = re.compile(r"[12](?<!\d[12])(?:(?<=1)9|(?<=2)0)\d\d(?:(?!\d)|(?=\d{4}(?:T\d| \d\d:)))")
# Year first: 2014-06-12, 2014/6/12, 2014.06.12, 2014•06•12, 2014年6月12日, 2014년 6월 12일, 20140612T10.
_YEAR_FIRST = re.compile(
    r"(\d{4})(?:\s?(?:([-/.•·])\s?(\d{1,2})\s?\2|[年년]\s?(\d{1,2})\s?[月월])\s?(\d{1,2})(?!\d)\s?[日일号.]?|"
    r"(\d\d)(\d\d)(?=T| \d\d:))"
)
# Day or month first, numeric: 12.06.2014, 06/12/2014, 12-6-2014, 12 | 06 | 2014.
_YEAR_LAST = re.compile(r"(?<!\d)(\d{1,2})\s?([-/.•·|])\s?(\d{1,2})\s?\2\s?(\d{4})(?!\d)")
_EITHER_ORDER = re.compile(r"(\d{1,2})\s?([-/.])\s?(\d{1,2})\s?\2\s?(?:\d{4}|\d\d)(?!\d)")
# A month's name: letters, and the vowels of Indian and Thai scripts, which are none to expressions.
_NAME = r"([^\s\d\x00-\x40\x5b-\x60\x7b-\xbf\u2000-\u303f\uff00-\uff20\U00010000-\U0010ffff]{3,14})"
# With a month's name: 8 June 2016, 8. Juni 2016, 8.Juni 2016, 8 de junio de 2016, 8 d'octubre de 2016, 8-Jun-2016.
_DAY_NAME_YEAR_GLUED = re.compile(  # to the date before it
    rf"(\d{{1,2}})(?:(?:st|nd|rd|th|er|\.|º|ª)?[\s/-]{{1,3}}|\.)(?:de |of |d['’])?{_NAME}"
    r"(?:[.,]?[\s/-]{1,3}|\.)(?:de |del )?(\d{4})(?!\d)"
)
_DAY_NAME_YEAR = re.compile(r"(?<!\d)" + _DAY_NAME_YEAR_GLUED.pattern)
# June 8, 2016; Jun. 8th 2016; junio 8 de 2016.
_NAME_DAY_YEAR = re.compile(
    rf"{_NAME}\.?\s{{1,3}}(\d{{1,2}})(?:st|nd|rd|th)?\s?[.,]?\s{{1,3}}(?:de |del )?(\d{{4}})(?!\d)"
)
_GLUE = re.compile(r"[^\W\d_]*[a-zà-ÿ](?=[A-Z][a-z]+$)")  # "MillerMay": what two elements show side by side
# 2016. június 8.; 2016 m. birželio 8 d.; 2016 June 8.
_YEAR_NAME_DAY = re.compile(rf"(\d{{4}})\.?\s(?:m\.\s)?{_NAME}\.?\s(\d{{1,2}})(?!\d)\.?")
# The year after the time, as ctime writes it: Jun 8 10:30:00 2016, Jun 08 10:30 CEST 2016.
_TIME_BEFORE_YEAR = re.compile(
    rf"(?<!\w){_NAME}\.?\s{{1,3}}(\d{{1,2}})\s{{1,3}}"
    r"(\d{1,2}:\d{2}(?::\d{2})?)\s{1,2}([A-Z]{3,4}|[+-]\d{4})?\s{0,2}(\d{4})(?!\d)"
)
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_WEEKDAY = re.compile(rf"\b({'|'.join(_WEEKDAYS)})[a-z]{{0,6}}[.,]?\s?$", re.IGNORECASE)
_YEAR_MARKS = frozenset("-/.•·|")  # right before a year at the end, if not a space
# The century left out: 28.01.22, 1/28/22.
_SHORT_YEAR = re.compile(r"(?<![\d./:,-])(\d{1,2})([./])(\d{1,2})\2(\d\d)(?![\d./:])")

# Without a year: 8 June, June 8, 6月8日, 06-08 before a time.
_YEARLESS = re.compile(
    r"(?<!\d)(\d{1,2})(?:st|nd|rd|th|\.)?\s(?:de |of )?([^\W\d_]{3,14})(?![\w])"
    r"|(?<!\w)([^\W\d_]{3,14})\.?\s(\d{1,2})(?:st|nd|rd|th)?(?![\d:])"
    r"|(?<!\d)(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일号]"
    r"|(?<![\d\-/.])(\d{1,2})[-/](\d{1,2})(?=\s{1,3}\d{1,2}[:：]\d{2})|(?<![\d\-/.])(\d\d)[-/](\d\d)(?=\d\d[:：]\d\d)"
)

_ZONES_H = {"z": 0, "utc": 0, "gmt": 0, "bst": 1, "cet": 1, "cest": 2, "est": -5, "edt": -4, "cdt": -5, "mst": -7}
_ZONES_H.update(mdt=-6, pst=-8, pdt=-7, jst=9, kst=9, hkt=8, msk=3, aest=10, wib=7)
# Zones that are not known are written in capitals: "10:00 by Ann Miller" names none.
_ZONE = rf"Z\b|UTC|GMT|[+-]\d\d:?\d\d|\b(?:{'|'.join(_ZONES_H)}|(?-i:(?!BY\b)[A-Z]{{2,4}}))\b"
# What may stand between a date and its time: a weekday, a comma, "at", "um", "kl.", "|".
_TIME = re.compile(
    r"[T\s,;|@–-]{0,4}(?:[（(]?(?:星期|周|週)?[一二三四五六日月火水木金土天][)）]?\s?)?"
    r"(?:at|um|om|kl\.?|às?|a las|klo|o|в|-)?\s{0,3}(上午|下午|晚上|오전|오후)?\s{0,2}"
    r"(\d{1,2})\s?[:：时時点點시hu.]\s?(\d{2})(?:\s?[:：分분]\s?(\d{2})(?!\d))?(?:[.,]\d{1,9})?[分秒분초]?"
    rf"\s{{0,2}}([ap]\.?m\.?)?\s{{0,2}}({_ZONE})?",
    re.IGNORECASE,
)
# A time without minutes: "at 5 a.m.", ", 11 PM", "noon", "midnight".
_FULL_HOUR = re.compile(
    r"[\s,;|@–-]{1,4}(?:at\s{1,2})?(?:(1[0-2]|0?[1-9])\s?([ap])\.?m\b\.?|(noon|midnight)\b)"
    rf"(?:\s{{1,2}}({_ZONE}))?",
    re.IGNORECASE,
)
_EVENING = ("下午", "晚上", "오후")


class Habits(NamedTuple):
    """How a language writes dates: 06/08/2016 is 6 August, and a time without a zone is in this one."""

    day_first: bool = True
    zone: timezone = UTC


@dataclass(frozen=True, slots=True)
class Moment:
    """A date found in text."""

    at: datetime
    raw: str
    has_time: bool
    start: int  # where in the text


_USUAL = Habits()


def has_digit(text: str) -> bool:
    """Say whether a text holds a digit, without which there is no date in it."""
    return _DIGIT.search(text) is not None


def find_dates(text: str, habits: Habits = _USUAL) -> Iterator[Moment]:
    """Yield the dates of a text in order."""
    if "20" not in text and "19" not in text:  # as most lines
        return
    text = text[:MAX_TEXT]
    done = 0
    for year in _YEAR.finditer(text):
        if year.start() < done:
            continue
        moment = _moment_at(text, year.start(), done, habits)
        if moment is not None:
            done = moment.start + len(moment.raw)
            yield moment


def dates_of(line: str, habits: Habits = _USUAL) -> tuple[Moment, ...]:
    """Return the dates of a line, which several searches ask for, one after the other."""
    return _dates_of(line, habits) if "20" in line or "19" in line else ()


@lru_cache(maxsize=512)  # lines of the page at hand
def _dates_of(line: str, habits: Habits) -> tuple[Moment, ...]:
    return tuple(find_dates(line, habits))


def read_date(text: str, habits: Habits = _USUAL) -> Moment | None:
    """Return the date that a field of structured data holds, or None."""
    return _read_date(text.strip()[:MAX_FIELD], habits)


@lru_cache(maxsize=64)  # fields of the page at hand, which several searches ask for
def _read_date(text: str, habits: Habits) -> Moment | None:
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return _counted(text, habits) if text.isdecimal() else next(find_dates(text, habits), None)
    if at.year not in YEARS:
        return None
    return Moment(at if at.tzinfo else at.replace(tzinfo=habits.zone), text, len(text) > len("2014-06-12"), 0)


def _counted(digits: str, habits: Habits) -> Moment | None:
    """Read seconds or milliseconds since 1970, or a date and a time of which only the digits are left."""
    if len(digits) == len("20140612101500"):
        return next(find_dates(f"{digits[:8]}T{digits[8:10]}:{digits[10:12]}:{digits[12:]}", habits), None)
    if len(digits) in (10, 13) and digits[0] == "1":
        return Moment(datetime.fromtimestamp(int(digits[:10]), habits.zone), digits, True, 0)
    return None


def find_short(text: str, habits: Habits = _USUAL) -> Iterator[Moment]:
    """Yield the dates of a short line that leave out the century ("28.01.22"), as of this one."""
    for match in _SHORT_YEAR.finditer(text[:MAX_FIELD]):
        if int(match[4]) > MAX_SHORT_YEAR:
            continue
        weekday = _WEEKDAY.search(text[: match.start()])
        digits = f"{match[1]}{match[2]}{match[3]}{match[2]}20{match[4]}"
        whole = read_date(f"{weekday[0]}{digits}" if weekday else digits, habits)
        if whole and (moment := _with_time(text, match, whole.at, habits.zone)):
            yield moment


def find_yearless(text: str, year: int, habits: Habits = _USUAL) -> Iterator[Moment]:
    """Yield the dates of a short line that leave out the year ("5 June", "6月5日", "06-05 10:30"), as of that year."""
    for match in _YEARLESS.finditer(text[:MAX_FIELD]):
        name = match[2] or match[3]
        month = MONTHS.get(name.lower()) if name else int(match[5] or match[7] or match[9])
        day = int(match[1] or match[4] or match[6] or match[8] or match[10])
        if month and (at := _day_of(year, month, day)) and (moment := _with_time(text, match, at, habits.zone)):
            yield moment


def exchanged(moment: Moment) -> Moment | None:
    """Return the date with day and month exchanged, where both orders are in use for it (02/12/2016); else None."""
    match = _EITHER_ORDER.match(moment.raw)
    if match is None or match[1] == match[3] or max(int(match[1]), int(match[3])) > 12:
        return None
    return replace(moment, at=moment.at.replace(month=moment.at.day, day=moment.at.month))


def _moment_at(text: str, position: int, floor: int, habits: Habits) -> Moment | None:
    """Try the patterns on the surroundings of a year."""
    first = _YEAR_FIRST.match(text, position)
    begun = _with_time(text, first, _day_begun(first), habits.zone) if first else None
    # What is spaced may be the end of a date and a time behind it: "8 June 2016 - 10.12".
    if first and begun and " " not in first[0]:
        return begun
    for pattern, match in _with_year_last(text, position, floor):
        if day := _named_or_numeric(pattern, match, habits.day_first):
            return _without_glue(_with_time(text, match, day, habits.zone), pattern, match)
    if begun:
        return begun
    if (named := _YEAR_NAME_DAY.match(text, position)) and (month := MONTHS.get(named[2].lower())):
        return _with_time(text, named, _day_of(int(named[1]), month, int(named[3])), habits.zone)
    return (
        _with_time_before(text, position, floor, habits) if ":" in text[max(0, position - _AROUND) : position] else None
    )


def _day_begun(match: "re.Match[str]") -> datetime | None:
    """Return the day of a date that begins with its year; None where there is no such day."""
    return _day_of(int(match[1]), int(match[3] or match[4] or match[6]), int(match[5] or match[7]))


def _without_glue(moment: Moment | None, pattern: "re.Pattern[str]", match: "re.Match[str]") -> Moment | None:
    """Return the date without the word that its month is written together with."""
    glue = _GLUE.match(match[1]) if moment and pattern is _NAME_DAY_YEAR else None
    if moment is None or glue is None:
        return moment
    return replace(moment, raw=moment.raw[glue.end() :], start=moment.start + glue.end())


def _with_year_last(text: str, position: int, floor: int) -> Iterator[tuple["re.Pattern[str]", "re.Match[str]"]]:
    """Yield what may be a date that ends with the year at the position, and is not before the floor."""
    glued = _DAY_NAME_YEAR_GLUED.match(text, floor, position + 4) if floor else None
    if glued and glued.end() == position + 4:
        yield _DAY_NAME_YEAR, glued
    start = max(floor, position - _AROUND)
    for pattern in _ending_after(text[start:position]):
        for match in pattern.finditer(text, start, position + 4):
            if match.end() == position + 4:
                yield pattern, match


def _ending_after(before: str) -> Iterator["re.Pattern[str]"]:
    """Yield the patterns of which a year can be the end by what stands right before it."""
    last = before[-1:]
    if (not last.isspace() and last not in _YEAR_MARKS) or not has_digit(before):
        return
    if last != "." or before[-2:-1].isalpha():
        yield _DAY_NAME_YEAR
    if last.isspace():
        yield _NAME_DAY_YEAR
    yield _YEAR_LAST


def _with_time_before(text: str, position: int, floor: int, habits: Habits) -> Moment | None:
    """Read a date whose year, at the position, stands behind its time."""
    for match in _TIME_BEFORE_YEAR.finditer(text, max(floor, position - _AROUND), position + 4):
        if match.end() == position + 4:
            usual = next(find_dates(f"{match[1]} {match[2]}, {match[5]} {match[3]} {match[4] or ''}", habits), None)
            return usual and Moment(usual.at, match[0], usual.has_time, match.start())
    return None


def _named_or_numeric(pattern: "re.Pattern[str]", match: "re.Match[str]", day_first: bool) -> datetime | None:
    if pattern is _YEAR_LAST:
        one, other = int(match[1]), int(match[3])
        orders = (_day_of(int(match[4]), other, one), _day_of(int(match[4]), one, other))
        return _on_weekday(match, orders) or (orders[0] or orders[1] if day_first else orders[1] or orders[0])
    day, name = (match[1], match[2]) if pattern is _DAY_NAME_YEAR else (match[2], match[1])
    month = MONTHS.get(name.lower()) or MONTHS.get(_GLUE.sub("", name, count=1).lower())
    return _day_of(int(match[3]), month, int(day)) if month else None


def _on_weekday(match: "re.Match[str]", days: Iterable[datetime | None]) -> datetime | None:
    """Return the one of these days on which the weekday falls that stands before the date; None without one."""
    named = _WEEKDAY.search(match.string[max(0, match.start() - len("Wednesday, ")) : match.start()])
    weekday = _WEEKDAYS.index(named[1].lower()) if named else None
    return next((day for day in days if day and day.weekday() == weekday), None)


def _day_of(year: int, month: int, day: int) -> datetime | None:
    try:
        return datetime(year, month, day, tzinfo=UTC)
    except ValueError:
        return None


def _with_time(text: str, match: "re.Match[str]", day: datetime | None, zone: timezone) -> Moment | None:
    """Add the time that follows the date, if one does."""
    if day is None:
        return None
    time = _TIME.match(text, match.end())
    if time is None:
        return _with_full_hour(text, match, day, zone)
    hour, minute, second = int(time[2]), int(time[3]), int(time[4] or 0)
    afternoon = (time[5] or "").lower().startswith("p") or time[1] in _EVENING
    if hour < 12 and afternoon:
        hour += 12
    elif hour == 12 and (time[5] or "").lower().startswith("a"):
        hour = 0
    if hour > 23 or minute > 59 or second > 59:
        return Moment(day.replace(tzinfo=zone), match[0], False, match.start())
    at = day.replace(hour=hour, minute=minute, second=second, tzinfo=zone_named(time[6]) or zone)
    return Moment(at, text[match.start() : time.end()].rstrip(), True, match.start())


def _with_full_hour(text: str, match: "re.Match[str]", day: datetime, zone: timezone) -> Moment:
    """Add the hour that follows the date, if one without minutes does."""
    time = _FULL_HOUR.match(text, match.end())
    if time is None:
        return Moment(day.replace(tzinfo=zone), match[0], False, match.start())
    if time[3]:
        hour = 12 if time[3].lower() == "noon" else 0
    else:
        hour = int(time[1]) % 12 + (12 if time[2].lower() == "p" else 0)
    at = day.replace(hour=hour, tzinfo=zone_named(time[4]) or zone)
    return Moment(at, text[match.start() : time.end()].rstrip(), True, match.start())


def zone_named(name: str | None) -> timezone | None:
    """Return the zone of a short name or an offset ("CET", "+0800"); None where none, or an unknown one, is named."""
    if not name:
        return None
    if name[0] in "+-":
        minutes = int(name[1:3]) * 60 + int(name[-2:])
        return timezone(timedelta(minutes=min(minutes, 14 * 60) * (1 if name[0] == "+" else -1)))
    hours = _ZONES_H.get(name.lower())
    return None if hours is None else timezone(timedelta(hours=hours))
