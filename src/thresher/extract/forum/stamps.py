"""Stamps: where a page tells a time, in text or in attributes, and what it tells."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta, timezone
from functools import lru_cache
from typing import NamedTuple

from thresher.extract.fields.dates import Habits, Moment, find_dates, find_yearless, read_date
from thresher.extract.fields.relative import read_relative
from thresher.extract.forum.layout import DATE_NAMES, EPOCH_NAMES, Layout, Line
from thresher.extract.forum.words import EDITED, JOINED

MAX_STAMPS = 8_000  # of a page that are read
MAX_LINE = 240  # characters of a line that tells the time of a post
MAX_RELATIVE = 90  # characters of a line that tells a time against now
MAX_ATTRIBUTE = 60  # characters
EPOCHS_S = (852_076_800, 4_102_444_800)  # 1997 to 2099

_DIGIT = re.compile(r"\d")
# What a line without a number has at least that tells a time.
_TRIGGERS = re.compile(
    r"ago\b|今天|昨天|前天|刚刚|剛剛|today|yesterday|just now|heute|gestern|hier|ayer|hoy|oggi|ieri|вчера|сегодня"
)
# What a date without a year, or one against now, has at least.
_NEARBY = re.compile(
    r"ago\b|前|[今昨][天日]|刚刚|剛剛|\d\s?[月월일]|today|yesterday|just now|heute|gestern|vor \w|aujourd|hier|il y a"
    r"|hoy|ayer|hace|oggi|ieri|\bfa\b|há |atrás|назад|вчера|сегодня|전|\d[-/]\d"
    r"|\d(?:st|nd|rd|th|\.)?\s(?:de |of )?[^\W\d_]{3}|[^\W\d_]{3}\.?\s\d",
    re.IGNORECASE,
)
_NAMED_DAY = re.compile(
    r"\b(today|yesterday|heute|gestern|aujourd.hui|hier|hoy|ayer|oggi|ieri|сегодня|вчера|今天|昨天|前天|今日|昨日)\W{0,3}"
    r"(?:at|um|à|a las|alle|в|,)?\W{0,2}(?:(上午|下午|晚上)?\s?(\d{1,2})[:：](\d\d)(?::\d\d)?\s?([ap])?\.?m?)?",
    re.IGNORECASE,
)
_DAYS_BACK = {
    "yesterday": 1,
    "gestern": 1,
    "hier": 1,
    "ayer": 1,
    "ieri": 1,
    "вчера": 1,
    "昨天": 1,
    "昨日": 1,
    "前天": 2,
}
_SLASHED = re.compile(r"(?<!\d)(\d{1,2})[-/](\d{1,2})[-/](?:19|20)\d\d(?!\d)")
_MONTH_FIRST = Habits(day_first=False)
_ONES = str.maketrans("023456789", "111111111")
_SOME_DAY = datetime(2000, 1, 1, tzinfo=UTC)


class Stamp(NamedTuple):
    """A time that a page tells: the lowest element that tells it, and what kind of telling it is."""

    element: int
    at: datetime | None
    raw: str
    has_time: bool  # a time of day, not only a date
    role: str = ""  # "joined" or "edited" where the words around it say so
    rest: int = 0  # characters of its line that are not the date
    is_marked: bool = False  # told by an attribute or a <time>
    is_shown: bool = False  # told in words, too


def find_stamps(layout: Layout, now: datetime | None) -> list[Stamp]:
    """Return the stamps of a page in document order, one for an element; those inside of quotations are left out."""
    found: dict[int, Stamp] = {}
    for number in layout.telling:
        if stamp := _marked(number, layout.attributes[number], now):
            found[number] = stamp
            if len(found) >= MAX_STAMPS:
                break
    for line in layout.lines:
        if _may_tell(line.text):
            for stamp in _told(line, layout, now):
                _add(found, stamp, layout)
        if len(found) > MAX_STAMPS:
            break
    stamps = sorted(found.values(), key=lambda stamp: stamp.element)
    return [stamp for stamp in stamps if not layout.is_quoted(stamp.element)]


def _may_tell(text: str) -> bool:
    """Say whether a line has a number, or a word that tells a time without one."""
    if len(text) > MAX_LINE:
        return False
    for char in text:
        if "0" <= char <= "9" or (char > "\x7f" and char.isdecimal()):
            return True
    return len(text) <= MAX_RELATIVE and _names_time(text)


@lru_cache(maxsize=10_000)  # buttons and titles come again on every post
def _names_time(text: str) -> bool:
    return _TRIGGERS.search(text.lower()) is not None


def within(stamps: Sequence[Stamp], start: int, end: int) -> Sequence[Stamp]:
    """Return the stamps, given in document order, from one element to before another."""
    first = bisect_left(stamps, start, key=lambda stamp: stamp.element)
    return stamps[first : bisect_left(stamps, end, lo=first, key=lambda stamp: stamp.element)]


def inside_of(stamps: Sequence[Stamp], spans: Iterable[tuple[int, int]]) -> list[Sequence[Stamp]]:
    """Return the same for each of several spans of elements: start, and end."""
    elements = [stamp.element for stamp in stamps]
    places = [(bisect_left(elements, start), bisect_left(elements, end)) for start, end in spans]
    return [stamps[first:last] for first, last in places]


def month_first(stamps: list[Stamp]) -> list[Stamp]:
    """Read the dates of one family again where some of them can only have the month before the day."""
    pairs = [match for stamp in stamps if not stamp.is_marked for match in _SLASHED.findall(stamp.raw)]
    if not any(int(second) > 12 for _, second in pairs) or any(int(first) > 12 for first, _ in pairs):
        return stamps
    return [_read_again(stamp) if not stamp.is_marked else stamp for stamp in stamps]


def _read_again(stamp: Stamp) -> Stamp:
    moment = next(find_dates(stamp.raw, _MONTH_FIRST), None)
    return stamp._replace(at=moment.at) if moment else stamp


def _add(found: dict[int, Stamp], stamp: Stamp, layout: Layout) -> None:
    """Keep a time told in text; where an attribute around it tells the same, the two are one."""
    node, steps = stamp.element, 0
    while node >= 0 and steps < 3:
        marked = found.get(node)
        if marked is not None:
            if marked.is_marked:
                found[node] = _joined(marked, stamp)
            return
        node, steps = layout.parents[node], steps + 1
    found[stamp.element] = stamp


def _joined(marked: Stamp, shown: Stamp) -> Stamp:
    """Put an attribute's instant and the time of day that is shown together: the same moment, in the zone shown."""
    role, rest = marked.role or shown.role, shown.rest
    if marked.at is None or shown.at is None or shown.raw.startswith("~"):
        return marked._replace(role=role, rest=rest, is_shown=True)
    if not shown.has_time:
        return marked._replace(at=_on_day(marked.at, shown.at), role=role, rest=rest, is_shown=True)
    offset = shown.at.replace(tzinfo=UTC) - marked.at.astimezone(UTC).replace(second=0)
    minutes = round(offset.total_seconds() / 60 / 15) * 15
    near = abs(offset - timedelta(minutes=minutes)) < timedelta(minutes=2)
    if near and abs(minutes) <= 14 * 60 and marked.has_time:
        return marked._replace(
            at=marked.at.astimezone(timezone(timedelta(minutes=minutes))), role=role, rest=rest, is_shown=True
        )
    return marked._replace(at=shown.at, has_time=True, role=role, rest=rest, is_shown=True)


def _on_day(at: datetime, day: datetime) -> datetime:
    """Return an instant in the zone next to its own in which it falls on the day shown; as it is, where in none."""
    own = at.utcoffset() or timedelta(0)
    for hours in sorted(range(-12, 15), key=lambda hours: abs(timedelta(hours=hours) - own)):
        local = at.astimezone(timezone(timedelta(hours=hours)))
        if local.date() == day.date():
            return at if at.date() == day.date() else local
    return at


def _marked(number: int, told: Mapping[str, str], now: datetime | None) -> Stamp | None:
    for name in DATE_NAMES:
        value = told.get(name)
        if value and len(value) <= MAX_ATTRIBUTE and _DIGIT.search(value):
            moment = read_date(value)
            if moment and _is_whole(moment, value) and (now is None or moment.at <= now + timedelta(days=2)):
                return Stamp(number, moment.at, value, moment.has_time, _role_of(told, value), 0, True)
    for name in EPOCH_NAMES:
        value = told.get(name)
        if value and value.isdigit() and 9 <= len(value) <= 13:
            seconds = int(value) if len(value) <= 10 else int(value) // 1000
            if EPOCHS_S[0] <= seconds <= EPOCHS_S[1]:
                return Stamp(number, datetime.fromtimestamp(seconds, UTC), value, True, _role_of(told, ""), 0, True)
    return None


def _is_whole(moment: Moment, value: str) -> bool:
    """Say whether an attribute is a date and not a sentence with one in it."""
    return len(moment.raw) >= 0.5 * len(value.strip())


def _role_of(told: Mapping[str, str], value: str) -> str:
    return _role_in(f"{told.get('itemprop', '')} {told.get('class', '')} {value}".translate(_ONES))


@lru_cache(maxsize=10_000)
def _role_in(words: str) -> str:
    """Return what the words around a time, all digits of which are ones, say that it is."""
    return "edited" if EDITED.search(words) else "joined" if JOINED.search(words) else ""


def _told(line: Line, layout: Layout, now: datetime | None) -> Iterator[Stamp]:
    """Yield what a line tells: whole dates, or else one without a year, or one against now."""
    text = line.text
    none_yet = True
    for moment in find_dates(text) if "20" in text or "19" in text else ():
        none_yet = False
        yield _in_line(line, layout, moment, moment.raw)
    if none_yet and len(text) <= MAX_RELATIVE and _is_nearby(text.translate(_ONES)):
        told = _against_now(text, now or _SOME_DAY)
        if told is not None:
            yield _in_line(line, layout, told, f"~{told.raw}", known=now is not None)


@lru_cache(maxsize=10_000)  # lines of user cards come again on every post, with other numbers
def _is_nearby(text: str) -> bool:
    """Say whether a line may hold a date without a year, or one against now; its digits are ones, valid anywhere."""
    return _NEARBY.search(text) is not None and _against_now(text, _SOME_DAY) is not None


def _in_line(line: Line, layout: Layout, moment: Moment, raw: str, *, known: bool = True) -> Stamp:
    start, end = moment.start, moment.start + len(raw.lstrip("~"))
    place = bisect_right(line.starts, start)
    node = line.owners[place - 1]
    for owner in line.owners[place : bisect_left(line.starts, end)]:
        node = layout.meeting(node, owner)
    around = line.text[max(0, start - 40) : start] + line.text[end : end + 12]
    role = _role_in(around.translate(_ONES))
    at = moment.at if known else None
    rest = len(line.text.strip()) - len(raw.lstrip("~"))
    return Stamp(node, at, raw, moment.has_time, role, rest, is_shown=True)


def _against_now(text: str, now: datetime) -> Moment | None:
    day = _NAMED_DAY.search(text)
    if day:
        at = now - timedelta(days=_DAYS_BACK.get(day[1].lower(), 0))
        if day[3] is None:
            return Moment(at.replace(hour=0, minute=0, second=0, microsecond=0), day[0], False, day.start())
        hour = int(day[3]) % 24
        late = (day[5] or "").lower() == "p" or day[2] in ("下午", "晚上")
        hour = hour + 12 if late and hour < 12 else 0 if (day[5] or "").lower() == "a" and hour == 12 else hour
        at = at.replace(hour=hour, minute=min(int(day[4]), 59), second=0, microsecond=0)
        return Moment(at, day[0].strip(), True, day.start())
    told = read_relative(text, now)
    if told is not None:
        return Moment(told[0], told[1], False, max(text.find(told[1]), 0))
    moment = next(find_yearless(text, now.year), None)
    if moment is not None and moment.at > now + timedelta(days=2):
        moment = next(find_yearless(text, now.year - 1), None)
    return moment
