"""Families: stamps that stand in the same place of the markup, and so may be the times of posts."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate, pairwise

from thresher.extract.forum.layout import Layout
from thresher.extract.forum.records import Record, cut_records, name_of
from thresher.extract.forum.stamps import Stamp, month_first
from thresher.extract.forum.words import POST, USER_CARD

MAX_FAMILIES = 40  # that are looked at, the largest first
MAX_MEMBERS = 20_000  # of all families together
FULL_POST = 400.0  # letters from which on a post counts no more
USUAL_POST = 50.0  # letters below which records on average look less like posts the shorter they are
SAMPLE = 20  # records that tell what records hold
LOOK = 60  # elements of a record that tell what it holds
STEPS = 3  # elements above a stamp that tell its place
_INLINE = frozenset(
    ["a", "abbr", "b", "em", "font", "i", "small", "span", "strong", "time", "u", "label", "bdi", "ins", "meta"]
)
_NUMBERS = re.compile(r"\d+")
_WORDS = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Family:
    """Stamps of one place, the records around them, and how much speaks for their being posts."""

    stamps: tuple[Stamp | None, ...]  # None for a record that tells no time
    records: tuple[Record, ...]
    score: float  # letters of posts, up to FULL_POST each, weighed
    quality: float  # 0 to 1, of the stamps
    comments: frozenset[int] = frozenset()  # elements in the records that are comments on the posts


def find_families(layout: Layout, stamps: Sequence[Stamp]) -> list[Family]:
    """Return the families of two or more stamps, the best first."""
    groups: dict[tuple[str, ...], list[Stamp]] = {}
    for stamp in stamps:
        for place in _places_of(layout, stamp):
            groups.setdefault(place, []).append(stamp)
    unlike = {tuple(stamp.element for stamp in group): group for group in groups.values() if len(group) > 1}
    several = sorted(unlike.values(), key=lambda group: (not group[0].role, len(group)), reverse=True)
    masses = layout.masses
    sizes = accumulate(map(len, several))
    few = [group for group, size in zip(several, sizes, strict=True) if size <= MAX_MEMBERS or group is several[0]]
    found = [_family(layout, group, masses) for group in few[:MAX_FAMILIES]]
    step = max((family.score for family in found), default=0.0) / 100 or 1.0
    return sorted(found, key=lambda family: (-round(family.score / step), -len(family.records)))


def with_untimed(layout: Layout, family: Family) -> Family:
    """Return the family with the records that stand among the others under the same name, but tell no time."""
    names = Counter(name_of(layout, record.start) for record in family.records)
    name, count = names.most_common(1)[0]
    if "." not in name or count < 2:
        return family
    starts = {record.start for record in family.records}
    parents = Counter(layout.parents[start] for start in starts if name_of(layout, start) == name)
    rows = layout.children(parents.most_common(1)[0][0])
    missing = [row for row in rows if row not in starts and name_of(layout, row) == name]
    usual = _usual_names(layout, family.records[:SAMPLE]) if missing else set()
    missing = [row for row in missing if _is_like(layout, row, usual)]
    if not missing:
        return family
    times = dict(zip(family.records, family.stamps, strict=True))
    cut: list[tuple[Record, Stamp | None]] = [(Record(row, layout.ends[row], row), None) for row in missing]
    for record, stamp in times.items():
        place = bisect_right(missing, record.start)
        end = min(record.end, missing[place]) if place < len(missing) else record.end
        cut.append((record._replace(end=end), stamp))
    cut.sort(key=lambda pair: pair[0].start)
    return replace(family, records=tuple(r for r, _ in cut), stamps=tuple(stamp for _, stamp in cut))


def _usual_names(layout: Layout, records: Sequence[Record]) -> set[str]:
    """Return the names of elements that most records hold."""
    counts = Counter(name for record in records for name in _names_in(layout, record.start, record.end))
    return {name for name, count in counts.items() if 2 * count > len(records)}


def _names_in(layout: Layout, start: int, end: int) -> set[str]:
    return {name_of(layout, node) for node in range(start + 1, min(end, start + LOOK))}


def _is_like(layout: Layout, row: int, usual: set[str]) -> bool:
    """Say whether an element holds what most records hold."""
    own = _names_in(layout, row, layout.ends[row])
    return len(own & usual) > 0.6 * max(len(usual), len(own), 1)


def mass_of(layout: Layout, record: Record, masses: Sequence[float]) -> float:
    """Return the letters of a record that are no links and were not read before."""
    return masses[line_at(layout, record.end)] - masses[line_at(layout, record.start)]


def line_at(layout: Layout, element: int) -> int:
    """Return the number of the first line at or after the start of an element, past the last one for the end."""
    return layout.first_line[element] if element < len(layout.first_line) else len(layout.lines)


def place_of(layout: Layout, stamp: Stamp, steps: int = 1) -> tuple[str, ...]:
    """Return what tells a place in the markup: so many blocks around a stamp, and what it is."""
    node = stamp.element
    place = [stamp.role, layout.keys[node] if stamp.is_marked else ""]
    while node >= 0 and len(place) < steps + 2:
        if layout.tags[node] not in _INLINE:
            place.append(layout.keys[node])
        node = layout.parents[node]
    return tuple(place)


def _places_of(layout: Layout, stamp: Stamp) -> list[tuple[str, ...]]:
    """Return the places of a stamp from coarse to fine, the same with its form last."""
    finest, form = place_of(layout, stamp, STEPS), form_of(stamp)
    places = [finest[: steps + 2] for steps in range(1, STEPS + 1)]
    return [*places, *((*place, form) for place in places)]


def form_of(stamp: Stamp) -> str:
    """Return how a time is written: attributes alike, text by its signs with numbers and words left out."""
    return "marked" if stamp.is_marked else _form(stamp.raw)


@lru_cache(maxsize=1_000)  # asked for each family that a time is in
def _form(raw: str) -> str:
    return _WORDS.sub("a", _NUMBERS.sub("0", raw))


def _family(layout: Layout, group: list[Stamp], masses: Sequence[float]) -> Family:
    stamps = month_first(group)
    records = cut_records(layout, [stamp.element for stamp in stamps])
    quality = _quality(layout, stamps) * _likeness(stamps) * evenness(layout, records, masses)
    letters = letters_of(layout, records, masses)
    letters *= min(1.0, letters / len(records) / USUAL_POST)
    return Family(tuple(stamps), tuple(records), quality * letters, quality)


def letters_of(layout: Layout, records: Sequence[Record], masses: Sequence[float]) -> float:
    """Return the letters of all records, each up to FULL_POST, and no farther than where it meets a neighbour."""
    nearest = _nearest(layout, [record.anchor for record in records])
    letters = 0.0
    for record, holder in zip(records, nearest, strict=True):
        end = min(record.end, layout.ends[holder])
        letters += min(masses[line_at(layout, end)] - masses[line_at(layout, record.start)], FULL_POST)
    return letters


def _nearest(layout: Layout, anchors: Sequence[int]) -> list[int]:
    """Return for each anchor the lowest element that holds it and one of its neighbours."""
    if len(anchors) == 1:
        return [anchors[0]]
    meetings = [layout.meeting(one, other) for one, other in pairwise(anchors)]
    return [max(pair) for pair in zip([-1, *meetings], [*meetings, -1], strict=True)]


def _quality(layout: Layout, stamps: Sequence[Stamp]) -> float:
    """Weigh what tells times of posts from other dates: they rise, have a time of day, and stand alone in a line."""
    times = [stamp.at for stamp in stamps if stamp.at is not None]
    ups = sum(one <= two for one, two in pairwise(times))
    downs = sum(one >= two for one, two in pairwise(times))
    rise = max(ups, downs) / max(len(times) - 1, 1) if len(times) > 1 else 0.7
    rest = sum(min(stamp.rest, 200) for stamp in stamps if not stamp.is_marked) / len(stamps)
    quality = (0.3 + 0.7 * rise) / (1 + rest / 160)
    if len(times) > 2 and len(set(times)) == 1 and stamps[0].has_time:
        quality *= 0.3  # as dates in the title of a thread are
    quality *= {"joined": 0.15, "edited": 0.3}.get(stamps[0].role, 1.0)
    quality *= 1.0 if any(stamp.has_time for stamp in stamps) else 0.8
    names = " ".join(_names(layout, stamps[0].element))
    if USER_CARD.search(names) and not POST.search(names):
        quality *= 0.8
    return quality


def evenness(layout: Layout, records: Sequence[Record], masses: Sequence[float]) -> float:
    """Weigh how alike the records are: begin with, or lie in elements of one name."""
    names: dict[str, int] = {}
    for record in records:
        holders = _holders(layout, record, masses)
        first = name_of(layout, holders[0])
        for name in (first,) if len(holders) == 1 else {name_of(layout, node) for node in holders}:
            names[name] = names.get(name, 0) + 1
    return 0.2 + 0.8 * max(names.values()) / len(records)


def _holders(layout: Layout, record: Record, masses: Sequence[float]) -> list[int]:
    """Return the first element of a record, and those around its anchor that hold most of its text."""
    whole = mass_of(layout, record, masses)
    found = [record.start]
    node = record.anchor
    while node > record.start:
        if "." in layout.keys[node]:
            before = masses[layout.first_line[node]]
            if 2 * (masses[line_at(layout, min(layout.ends[node], record.end))] - before) > whole:
                found.append(node)
        node = layout.parents[node]
    return found


def _likeness(stamps: Sequence[Stamp]) -> float:
    """Weigh how alike the times are written."""
    return 0.9 + 0.1 * max(Counter(map(form_of, stamps)).values()) / len(stamps)


def _names(layout: Layout, node: int) -> list[str]:
    names: list[str] = []
    while node >= 0 and len(names) < 4:
        names.append(layout.keys[node])
        node = layout.parents[node]
    return names
