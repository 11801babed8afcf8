"""Writers: who wrote each record, told by the place where a name stands in most of them."""

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache

from thresher.extraction.fields.dates import find_dates
from thresher.extraction.fields.relative import read_relative
from thresher.extraction.forum.families import Family
from thresher.extraction.forum.layout import AUTHOR_NAMES, CJK_LETTERS, Layout
from thresher.extraction.forum.naming import MAY_NAME, SPEAKS_OF_AUTHOR, STRESSES
from thresher.extraction.forum.records import Record
from thresher.extraction.forum.stamps import Stamp, inside_of
from thresher.extraction.forum.words import ACTION, NO_NAME, PROFILE
from thresher.text import cjk_share

MAX_NAME = 50  # characters
MAX_LABEL = 70  # characters of a name with what is said before it
MAX_WORDS = 6
USUAL_NAME, USUAL_WORDS = 24, 3  # letters and words of a name, which some of a page may have more of
LIKELY = 1.0  # what speaks for a name, on average, where it is compared with others
FARTHER = 0.25  # what a place loses whose names all stand farther from the time than others: those of editors
MAX_ELEMENTS = 4  # that a name stands in, one in the other
_BY = re.compile(r"^(?:(?:posted |written |submitted )?by|von|par|por|door|от|作者)\s?[:：]?\s", re.IGNORECASE)
_COUNTED = re.compile(r"^.{1,12}[:：]\s?[\d,.]+$")
Place = tuple[str, ...]
Candidate = tuple[Place, str, float, int]  # place, name, what speaks for it, and its element
_AUTHORS = frozenset(AUTHOR_NAMES)
_A_MINUTE = timedelta(minutes=1)
_NOW = datetime(2000, 1, 1, tzinfo=UTC)  # whatever it is: only whether a text counts from now is asked


class _Names:
    """The names that stand at one place: the first of each record, and what speaks for them."""

    __slots__ = ("before", "by_record", "far", "hints", "nearest")

    def __init__(self) -> None:
        self.by_record: dict[int, str] = {}
        self.far: dict[int, int] = {}  # how far from the time each stands
        self.hints = 0.0
        self.before = 0  # records in which it stands before the text
        self.nearest = 0  # records in which no other likely name stands nearer to the time


def find_writers(layout: Layout, family: Family, bodies: list[list[int]], alike: list[list[Stamp]]) -> list[str | None]:
    """Return the author of each record, None where none is told; of several at one place that next to the time.

    `alike` are the stamps that tell the time of each.
    """
    places: dict[Place, _Names] = {}
    comments = sorted(family.comments)
    for number, record in enumerate(family.records):
        told = [stamp.element for stamp in alike[number]]
        first_body = min(bodies[number]) if bodies[number] else record.end
        inner = _between(comments, record.start + 1, record.end) if comments else comments
        skipped = sorted({*bodies[number], *inner} - {record.start}) if inner else bodies[number]
        for place, name, hint, node in _names(layout, record, told, skipped):
            names = places.get(place)
            if names is None:
                names = places[place] = _Names()
            far = _distance(layout, node, told)
            if number not in names.by_record:
                names.hints += hint
                names.before += node < first_body
            if far < names.far.get(number, far + 1):
                names.by_record[number], names.far[number] = name, far
    _count_nearest(places, len(family.records))
    return _chosen(places, len(family.records))


def are_titles(writers: Sequence[str | None]) -> bool:
    """Say whether what was taken for names is too long for those in every record: it is what the records are titled.

    Of 308 real threads none has such names alone, and two have as many as others.
    """
    told = [writer for writer in writers if writer]
    return bool(told) and all(_is_wordy(writer) for writer in told)


def _is_wordy(name: str) -> bool:
    letters = len(name) * (1 + (CJK_LETTERS - 1) * cjk_share(name))
    return letters > USUAL_NAME or len(name.split()) > USUAL_WORDS


def _count_nearest(places: dict[Place, _Names], count: int) -> None:
    """Count in how many records each place has the likely name that stands nearest to the time."""
    likely = [names for names in places.values() if names.hints >= LIKELY * len(names.by_record)]
    for number in range(count):
        held = [names for names in likely if number in names.far]
        nearest = min([names.far[number] for names in held], default=0)
        for names in held:
            names.nearest += names.far[number] == nearest


def _distance(layout: Layout, node: int, told: list[int]) -> int:
    """Return how many elements the smallest one has that holds an element and one of others, which are in order.

    None, where there are no others: the box that tells when a post was written also tells who did, and is not the one
    that tells who edited it.
    """
    if not told:
        return 0
    place = bisect_left(told, node)
    after = layout.meeting(node, told[min(place, len(told) - 1)])
    before = layout.meeting(told[max(place - 1, 0)], node)
    return min(layout.ends[after] - after, layout.ends[before] - before)


def same_times(family: Family, stamps: list[Stamp]) -> list[list[Stamp]]:
    """Return for each record the stamps that tell the same time as its own: it may be told twice."""
    found: list[list[Stamp]] = []
    everything = inside_of(stamps, [(record.start, record.end) for record in family.records])
    for inside, own in zip(everything, family.stamps, strict=True):
        found.append([stamp for stamp in inside if _is_same(stamp, own)] if own is not None else [])
    return found


def _is_same(one: Stamp, other: Stamp) -> bool:
    if one is other or one.at is None or other.at is None:
        return one is other
    return abs(one.at - other.at) < _A_MINUTE


def _chosen(places: dict[Place, _Names], count: int) -> list[str | None]:
    writers: list[str | None] = [None] * count
    ranked = sorted(places.values(), key=lambda names: -_score(names, count))
    for names in ranked[:4]:
        if _score(names, count) <= 0:
            break
        for number, name in names.by_record.items():
            if writers[number] is None:
                writers[number] = name
    return writers


def _score(names: _Names, count: int) -> float:
    """Weigh a place: names stand in most records, differ, are named or linked as such, and stand before the text."""
    met = len(names.by_record)
    differ = len(set(names.by_record.values()))
    if differ == 1 and met > 3 and names.hints / met < 3:
        return 0.0
    variety = 0.6 + 0.4 * min(1.0, (differ - 1) / max(1.0, 0.3 * (met - 1))) if met > 1 else 0.8
    placed = (0.7 + 0.3 * names.before / met) * (1 - FARTHER + FARTHER * names.nearest / met)
    return (met / count) * variety * (names.hints / met) * placed


def _between(numbers: list[int], start: int, end: int) -> list[int]:
    """Return of numbers in order those from `start` to before `end`."""
    first = bisect_left(numbers, start)
    return numbers[first : bisect_left(numbers, end, lo=first)]


def _names(layout: Layout, record: Record, stamps: list[int], skipped: list[int]) -> list[Candidate]:
    """Return what may be a name in a record outside of some elements, by place, with what speaks for it.

    The record's first element counts as outside of itself.
    """
    found: list[Candidate] = []
    start, end, times = record.start, record.end, set(stamps)
    telling = {
        node for node in _between(layout.telling, start, end) if not _AUTHORS.isdisjoint(layout.attributes[node])
    }
    for first, last in layout.outside((start, end), skipped if not skipped or skipped[0] != start else skipped[1:]):
        for node in range(first, last):
            if telling and node in telling:
                found += _attributes(layout, node)
            name = _name_at(layout, node, times)
            if name:
                found.append((_place(layout, node, start), name, _hint(layout, node, start), node))
    return found


def _attributes(layout: Layout, node: int) -> list[Candidate]:
    attributes = layout.attributes[node]
    told = ((name, attributes.get(name)) for name in AUTHOR_NAMES)
    return [
        ((layout.keys[node], name), value.strip(), 4.0, node)
        for name, value in told
        if value and value.strip() and len(value) <= MAX_NAME
    ]


def _name_at(layout: Layout, node: int, times: set[int]) -> str | None:
    """Return the text of an element that may be a name: short, alone in its element, and no time, number or button."""
    if layout.ends[node] - node > MAX_ELEMENTS or layout.last_line[node] - layout.first_line[node] != 1:
        return None
    mark = layout.marks[node]
    if not mark & MAY_NAME or node in times:
        return None
    text = layout.short_text(node)
    name = _name_in(text) if text and len(text) <= MAX_LABEL else None
    if name is None:
        return None
    told = layout.attributes[node]
    href = told.get("href") or "" if told else ""
    if (not href and not _has_letter(name)) or _is_count(name, href) or (href and _is_action(href)):
        return None
    return name


def _has_letter(text: str) -> bool:
    for char in text:  # noqa: SIM110  # a loop, which is fast when compiled
        if char.isalpha():
            return True
    return False


@lru_cache(maxsize=10_000)  # authors, buttons and titles come again on every post
def _name_in(text: str) -> str | None:
    """Return what a short text says without the words before a name; None where that can be none."""
    text = _BY.sub("", text).strip(" :：,»|·•-–—@")
    if not text or len(text) > MAX_NAME or len(text.split()) > MAX_WORDS or NO_NAME.match(text):
        return None
    if len(text) == 1 and text.isascii():  # in place of a picture
        return None
    if _COUNTED.match(text) or next(find_dates(text), None) is not None or read_relative(text, _NOW) is not None:
        return None
    return text


def _is_count(text: str, href: str) -> bool:
    """Say whether a text is a number, as of posts; a long one that links to a profile may be a name."""
    last = text[-1]
    if last not in ",#" and not last.isdigit():
        return False
    if not text.strip("#").replace(",", "").isdigit():
        return False
    return len(text) < 6 or not _is_profile(href)


@lru_cache(maxsize=10_000)
def _is_action(href: str) -> bool:
    """Say whether a link does something, such as to edit or to print, and leads to nobody."""
    return ACTION.search(href) is not None and not _is_profile(href)


@lru_cache(maxsize=10_000)
def _is_profile(href: str) -> bool:
    return PROFILE.search(href.lower()) is not None


def _speaks_of_author(layout: Layout, node: int) -> bool:
    mark = layout.marks[node]
    return mark & SPEAKS_OF_AUTHOR != 0


def _hint(layout: Layout, node: int, start: int) -> float:
    """Weigh what the names and links of an element and of those around it say about its being an author."""
    told = layout.attributes[node]
    mark = layout.marks[node]
    hint = 0.2
    if told:
        prop = told.get("itemprop") or told.get("rel") or ""
        if "author" in prop or prop in ("name", "creator"):
            hint += 1.5
        href = told.get("href")
        if href and _is_profile(href):
            hint += 1.2
    if mark & SPEAKS_OF_AUTHOR:
        hint += 1.0
    above, steps = layout.parents[node], 0
    while above >= start and steps < 2:
        if _speaks_of_author(layout, above) or _is_author(layout.attributes[above]):
            hint += 0.5
            break
        above, steps = layout.parents[above], steps + 1
    if layout.ends[node] > node + 1 and _holds_words(layout, node):
        hint *= 0.7  # what is inside is the name itself
    if mark & STRESSES:
        hint += 0.3
    return hint


def _is_author(told: Mapping[str, str]) -> bool:
    """Say whether attributes tell an author."""
    if not told:
        return False
    prop = told.get("itemprop")
    return prop is not None and "author" in prop


def _holds_words(layout: Layout, node: int) -> bool:
    """Say whether one of the elements in an element of one line holds any text."""
    line, end = layout.first_line[node], layout.ends[node]
    text, stop = layout.texts[line], layout.pieces[line + 1]
    for piece in range(layout.pieces[line], stop):
        owner = layout.owners[piece]
        if node < owner < end:
            last = layout.starts[piece + 1] if piece + 1 < stop else len(text)
            if not text[layout.starts[piece] : last].isspace():
                return True
    return False


def _place(layout: Layout, node: int, start: int) -> Place:
    keys: list[str] = []
    while node >= start and len(keys) < 3:
        key = layout.keys[node]
        keys.append(f"{key}@" if _is_author(layout.attributes[node]) else key)
        node = layout.parents[node]
    return tuple(keys)
