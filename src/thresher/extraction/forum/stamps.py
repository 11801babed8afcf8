"""Stamps: where a page tells a time, in text or in attributes, and what it tells."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta, timezone
from functools import lru_cache
from typing import NamedTuple

from thresher.extraction.fields.dates import Habits, Moment, find_dates, find_yearless, read_date, zone_named
from thresher.extraction.fields.relative import read_relative
from thresher.extraction.forum.layout import DATE_NAMES, EPOCH_NAMES, Layout, stripped
from thresher.extraction.forum.words import EDITED, JOINED, SUMMER_TIME, TIMES

MAX_STAMPS = 8_000  # of a page that are read
MAX_LINE = 240  # characters of a line that tells the time of a post
MAX_RELATIVE = 90  # characters of a line that tells a time against now
MAX_ATTRIBUTE = 60  # characters
MAX_ROLE = 24  # characters of a label in an element of its own
LABEL_AWAY = 3  # elements before a time that such a label begins at most
MAX_OFFSET_M = 15 * 60  # minutes that a zone is away from UTC at most
EPOCHS_S = (852_076_800, 4_102_444_800)  # 1997 to 2099

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
# "GMT+8", "UTC - 5 hours", "UTC+05:30", and the clock of a page in its footer: "GMT+8, 2014-2-20 15:06".
_OFFSET = re.compile(r"\b(?:GMT|UTC)(?![a-z])(?:\s?([+\-\u2212\u2013])\s?(\d{1,2})(?:[:.]?([0-5]\d))?(?!\d))?")
_CLOCK = re.compile(
    r"^\W{0,3}(?:GMT|UTC)\s?[+\-]\s?\d[\d:]{0,4},\s?(?:19|20)\d\d[-/.]\d{1,2}[-/.]\d{1,2}\s\d{1,2}:\d\d"
)
_NAMED_ZONE = re.compile(r"\btimes are (?:in )?([A-Z]{3,4})\b(?!\s?\()")
_TELLS_ZONE = re.compile(r"(?:Z|UTC|GMT|[+-]\d\d:?\d\d)\s*$|^\d+$")
_SLASHED = re.compile(r"(?<!\d)(\d{1,2})[-/](\d{1,2})[-/](?:19|20)\d\d(?!\d)")
_DATED, _EPOCHS = frozenset(DATE_NAMES), frozenset(EPOCH_NAMES)
_ONES = str.maketrans("023456789", "111111111")
_ASCII_ONES = bytes.maketrans(b"023456789", b"111111111")
_USUAL = Habits()
_SOME_DAY = datetime(2000, 1, 1, tzinfo=UTC)


class Stamp:
    """A time that a page tells: the lowest element that tells it, and what kind of telling it is."""

    __slots__ = ("at", "element", "has_time", "is_local", "is_marked", "is_shown", "raw", "rest", "role")

    def __init__(self, element: int, at: datetime | None, raw: str, has_time: bool) -> None:
        self.element = element
        self.at = at
        self.raw = raw
        self.has_time = has_time  # a time of day, not only a date
        self.role = ""  # "joined" or "edited" where the words around it say so
        self.rest = 0  # characters of its line that are not the date
        self.is_marked = False  # told by an attribute or a <time>
        self.is_shown = False  # told in words, too
        self.is_local = False  # told by an attribute in the zone of the page


class ToldZone(NamedTuple):
    """A zone that a page tells for all of its times, and the element that does."""

    zone: timezone
    element: int


def find_zones(layout: Layout) -> list[ToldZone]:
    """Return the zones that lines of a page tell for its times, the last first: most forums do it in the footer."""
    found: list[ToldZone] = []
    for line in range(len(layout.texts) - 1, -1, -1):
        text = layout.texts[line]
        zone = (
            _zone_told(text) if len(text) <= MAX_LINE and ("GMT" in text or "UTC" in text or "imes" in text) else None
        )
        if zone is not None:
            found.append(ToldZone(zone, layout.owners[layout.pieces[line]]))
    return found


def _zone_told(text: str) -> timezone | None:
    """Return the zone that a line tells for the times of its page; None where it tells none."""
    offset = _OFFSET.search(text)
    if offset is None:
        named = _NAMED_ZONE.search(text)
        return zone_named(named[1]) if named else None
    if not TIMES.search(text) and not _CLOCK.match(text):
        return None
    minutes = int(offset[2] or 0) * 60 + int(offset[3] or 0)
    minutes = minutes if offset[1] == "+" else -minutes
    if SUMMER_TIME.match(text, offset.end()):
        minutes += 60
    return timezone(timedelta(minutes=minutes)) if abs(minutes) <= MAX_OFFSET_M else None


def find_stamps(layout: Layout, now: datetime | None, zone: timezone | None = None) -> list[Stamp]:
    """Return the stamps of a page in document order, one for an element; those inside of quotations are left out.

    `zone` is that of times which do not tell their own; None: nobody knows, and they are taken as UTC.
    """
    found: dict[int, Stamp] = {}
    now = now.astimezone(zone) if now and zone else now
    for number in layout.telling:
        if stamp := _marked(number, layout.attributes[number], now, zone):
            found[number] = stamp
            if len(found) >= MAX_STAMPS:
                break
    for line, text in enumerate(layout.texts):
        if _may_tell(text):
            for stamp in _told(line, text, layout, now, Habits(zone=zone or UTC)):
                _add(found, stamp, layout)
        if len(found) > MAX_STAMPS:
            break
    return [found[number] for number in sorted(found) if not layout.is_quoted(number)]


def _may_tell(text: str) -> bool:
    """Say whether a line has a number, or a word that tells a time without one."""
    if len(text) > MAX_LINE:
        return False
    return _has_digit(text) or (len(text) <= MAX_RELATIVE and _names_time(text))


def _has_digit(text: str) -> bool:
    for char in text:  # noqa: SIM110  # a loop, which is fast when compiled
        if "0" <= char <= "9" or (char > "\x7f" and char.isdecimal()):
            return True
    return False


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
    zone = stamp.at.tzinfo if stamp.at else None
    habits = Habits(day_first=False, zone=zone if isinstance(zone, timezone) else UTC)
    moment = next(find_dates(stamp.raw, habits), None)
    return _changed(stamp, moment.at, stamp.has_time) if moment else stamp


def _changed(stamp: Stamp, at: datetime | None, has_time: bool) -> Stamp:
    """Return a stamp that tells another time."""
    other = Stamp(stamp.element, at, stamp.raw, has_time)
    other.role, other.rest, other.is_local = stamp.role, stamp.rest, stamp.is_local
    other.is_marked, other.is_shown = stamp.is_marked, stamp.is_shown
    return other


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
    joined = _changed(marked, *_moment_of(marked, shown))
    joined.role, joined.rest, joined.is_shown = marked.role or shown.role, shown.rest, True
    return joined


def _moment_of(marked: Stamp, shown: Stamp) -> tuple[datetime | None, bool]:
    """Return the moment that two stamps tell together, and whether they tell its time of day."""
    if marked.at is None or shown.at is None or shown.raw.startswith("~"):
        return marked.at, marked.has_time
    if not shown.has_time:
        return _on_day(marked.at, shown.at), marked.has_time
    if marked.is_local:  # the clock of a server, whatever its zone
        same_minute = marked.has_time and marked.at.minute == shown.at.minute
        return shown.at.replace(second=marked.at.second) if same_minute else shown.at, True
    offset = shown.at.replace(tzinfo=UTC) - marked.at.astimezone(UTC).replace(second=0)
    minutes = round(offset.total_seconds() / 60 / 15) * 15
    near = abs(offset - timedelta(minutes=minutes)) < timedelta(minutes=2)
    if near and abs(minutes) <= 14 * 60 and marked.has_time:
        return marked.at.astimezone(timezone(timedelta(minutes=minutes))), True
    return shown.at, True


def _on_day(at: datetime, day: datetime) -> datetime:
    """Return an instant in the zone next to its own in which it falls on the day shown; as it is, where in none."""
    wanted = day.date()
    if at.date() == wanted:
        return at
    own = at.utcoffset() or timedelta(0)
    for hours in sorted(range(-12, 15), key=lambda hours: abs(timedelta(hours=hours) - own)):
        local = at.astimezone(timezone(timedelta(hours=hours)))
        if local.date() == wanted:
            return local
    return at


def _marked(number: int, told: Mapping[str, str], now: datetime | None, zone: timezone | None) -> Stamp | None:
    """Return the time that an element's attributes tell."""
    for name in () if _DATED.isdisjoint(told) else DATE_NAMES:
        value = told.get(name)
        if value and len(value) <= MAX_ATTRIBUTE and _has_digit(value):
            moment = read_date(value, Habits(zone=zone or UTC))
            if moment and _is_whole(moment, value) and (now is None or moment.at <= now + timedelta(days=2)):
                stamp = _by_attribute(Stamp(number, moment.at, value, moment.has_time), told, value)
                stamp.is_local = zone is not None and not _TELLS_ZONE.search(value)
                return stamp
    for name in () if _EPOCHS.isdisjoint(told) else EPOCH_NAMES:
        value = told.get(name)
        if value and value.isdecimal() and 9 <= len(value) <= 13:
            seconds = int(value) if len(value) <= 10 else int(value) // 1000
            if EPOCHS_S[0] <= seconds <= EPOCHS_S[1]:
                at = datetime.fromtimestamp(seconds, UTC)
                return _by_attribute(Stamp(number, at, value, True), told, "")
    return None


def _by_attribute(stamp: Stamp, told: Mapping[str, str], value: str) -> Stamp:
    stamp.role = _role_in(_ones(f"{told.get('itemprop', '')} {told.get('class', '')} {value}"))
    stamp.is_marked = True
    return stamp


def _is_whole(moment: Moment, value: str) -> bool:
    """Say whether an attribute is a date and not a sentence with one in it."""
    return len(moment.raw) >= 0.5 * len(value.strip())


def _ones(text: str) -> str:
    """Return a text with all of its digits ones, so that texts with other numbers are the same."""
    if text.isascii():
        return text.encode("ascii").translate(_ASCII_ONES).decode("ascii")
    return text.translate(_ONES)


@lru_cache(maxsize=10_000)
def _role_in(words: str) -> str:
    """Return what the words around a time, all digits of which are ones, say that it is."""
    return "edited" if EDITED.search(words) else "joined" if JOINED.search(words) else ""


def _told(line: int, text: str, layout: Layout, now: datetime | None, habits: Habits) -> list[Stamp]:
    """Return what a line tells: whole dates, or else one without a year, or one against now."""
    found: list[Stamp] = []
    if "20" in text or "19" in text:
        found = [_in_line(line, layout, moment, moment.raw) for moment in find_dates(text, habits)]
    if not found and len(text) <= MAX_RELATIVE and _is_nearby(_ones(text)):
        told = _against_now(text, now or _SOME_DAY, habits)
        if told is not None:
            found.append(_in_line(line, layout, told, f"~{told.raw}"))
            found[0].at = told.at if now is not None else None
    return found


@lru_cache(maxsize=10_000)  # lines of user cards come again on every post, with other numbers
def _is_nearby(text: str) -> bool:
    """Say whether a line may hold a date without a year, or one against now; its digits are ones, valid anywhere."""
    return _NEARBY.search(text) is not None and _against_now(text, _SOME_DAY, _USUAL) is not None


def _in_line(line: int, layout: Layout, moment: Moment, raw: str) -> Stamp:
    text = layout.texts[line]
    start = moment.start
    end = start + len(raw.lstrip("~"))
    piece, stop = layout.piece_at(line, start), layout.pieces[line + 1]
    node = layout.owners[piece]
    piece += 1
    while piece < stop and layout.starts[piece] < end:
        node = layout.meeting(node, layout.owners[piece])
        piece += 1
    stamp = Stamp(node, moment.at, raw, moment.has_time)
    stamp.role = _role_in(_ones(text[max(0, start - 40) : start] + text[end : end + 12]))
    stamp.rest = len(stripped(text)) - (end - start)
    stamp.is_shown = True
    if line and not stamp.role and stamp.rest <= 0 and node - layout.owners[layout.pieces[line - 1]] <= LABEL_AWAY:
        stamp.role = _role_by_label(layout.texts[line - 1])
    return stamp


@lru_cache(maxsize=1_000)
def _role_by_label(label: str) -> str:
    """Return what the line before a time says that it is, where that is a label beside it."""
    return "joined" if len(label) <= MAX_ROLE and JOINED.search(label) else ""


def _against_now(text: str, now: datetime, habits: Habits) -> Moment | None:
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
    moment = next(find_yearless(text, now.year, habits), None)
    if moment is not None and moment.at > now + timedelta(days=2):
        moment = next(find_yearless(text, now.year - 1, habits), None)
    return moment
