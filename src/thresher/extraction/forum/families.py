"""Families: stamps that stand in the same place of the markup, and so may be the times of posts."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, pairwise

from thresher.extraction.forum.layout import Layout
from thresher.extraction.forum.naming import IS_INLINE
from thresher.extraction.forum.records import Record, cut_records, name_of
from thresher.extraction.forum.stamps import Stamp, month_first
from thresher.extraction.forum.words import POST, USER_CARD

MAX_FAMILIES = 40  # that are looked at, the largest first
MAX_MEMBERS = 20_000  # of all families together
FULL_POST = 400.0  # letters from which on a post counts no more
USUAL_POST = 50.0  # letters below which records on average look less like posts the shorter they are
SAMPLE = 20  # records that tell what records hold
LOOK = 60  # elements of a record that tell what it holds
STEPS = 3  # elements above a stamp that tell its place
_NUMBERS = re.compile(r"\d+")
_WORDS = re.compile(r"[^\W\d_]+")
_ROLES = {"joined": 0.15, "edited": 0.3}  # weight of times that are told as such


class Family:
    """Stamps of one place, the records around them, and how much speaks for their being posts."""

    __slots__ = ("comments", "quality", "records", "score", "stamps")

    def __init__(self, stamps: list[Stamp | None], records: list[Record], score: float, quality: float) -> None:
        self.stamps = stamps  # None for a record that tells no time
        self.records = records
        self.score = score  # letters of posts, up to FULL_POST each, weighed
        self.quality = quality  # 0 to 1, of the stamps
        self.comments: frozenset[int] = frozenset()  # elements in the records that are comments on the posts

    def with_records(self, stamps: list[Stamp | None], records: list[Record]) -> "Family":
        """Return the family with other records, and their stamps."""
        other = Family(stamps, records, self.score, self.quality)
        other.comments = self.comments
        return other


def find_families(layout: Layout, stamps: Sequence[Stamp]) -> list[Family]:
    """Return the families of two or more stamps, the best first."""
    groups: dict[tuple[str, ...], list[Stamp]] = {}
    for stamp in stamps:
        for place in _places_of(layout, stamp):
            groups.setdefault(place, []).append(stamp)
    unlike = {tuple([stamp.element for stamp in group]): group for group in groups.values() if len(group) > 1}
    several = sorted(unlike.values(), key=_size_of, reverse=True)
    sizes = accumulate(map(len, several))
    few = [group for group, size in zip(several, sizes, strict=True) if size <= MAX_MEMBERS or group is several[0]]
    return _ranked([_family(layout, group) for group in few[:MAX_FAMILIES]])


def _size_of(group: list[Stamp]) -> tuple[bool, int]:
    return not group[0].role, len(group)


def _ranked(families: list[Family]) -> list[Family]:
    """Return families from the best to the worst; of those that differ by little the larger first."""
    step = max([family.score for family in families], default=0.0) / 100 or 1.0
    return sorted(families, key=lambda family: (-round(family.score / step), -len(family.records)))


def with_untimed(layout: Layout, family: Family) -> Family:
    """Return the family with the records that stand among the others under the same name, but tell no time."""
    names = Counter([name_of(layout, record.start) for record in family.records])
    name, count = names.most_common(1)[0]
    if "." not in name or count < 2:
        return family
    starts = {record.start for record in family.records}
    parents = Counter([layout.parents[start] for start in starts if name_of(layout, start) == name])
    rows = layout.children(parents.most_common(1)[0][0])
    missing = [row for row in rows if row not in starts and name_of(layout, row) == name]
    usual = _usual_names(layout, family.records[:SAMPLE]) if missing else set()
    missing = [row for row in missing if _is_like(layout, row, usual)]
    if not missing:
        return family
    cut: list[tuple[Record, Stamp | None]] = [(Record(row, layout.ends[row], row), None) for row in missing]
    for record, stamp in zip(family.records, family.stamps, strict=True):
        place = bisect_right(missing, record.start)
        end = min(record.end, missing[place]) if place < len(missing) else record.end
        cut.append((Record(record.start, end, record.anchor), stamp))
    cut.sort(key=_start_of)
    return family.with_records([stamp for _, stamp in cut], [record for record, _ in cut])


def _start_of(pair: tuple[Record, Stamp | None]) -> int:
    return pair[0].start


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


def mass_of(layout: Layout, record: Record) -> float:
    """Return the letters of a record that are no links and were not read before."""
    return layout.masses[line_at(layout, record.end)] - layout.masses[line_at(layout, record.start)]


def line_at(layout: Layout, element: int) -> int:
    """Return the number of the first line at or after the start of an element, past the last one for the end."""
    return layout.first_line[element] if element < len(layout.tags) else len(layout.texts)


def place_of(layout: Layout, stamp: Stamp, steps: int = 1) -> tuple[str, ...]:
    """Return what tells a place in the markup: so many blocks around a stamp, and what it is."""
    node = stamp.element
    place = [stamp.role, layout.keys[node] if stamp.is_marked else ""]
    while node >= 0 and len(place) < steps + 2:
        mark = layout.marks[node]
        if not mark & IS_INLINE:
            place.append(layout.keys[node])
        node = layout.parents[node]
    return tuple(place)


def _places_of(layout: Layout, stamp: Stamp) -> list[tuple[str, ...]]:
    """Return the places of a stamp from coarse to fine, the same with its form last."""
    finest, form = place_of(layout, stamp, STEPS), form_of(stamp)
    places = [finest[: steps + 2] for steps in range(1, STEPS + 1)]
    return places + [(*place, form) for place in places]


def form_of(stamp: Stamp) -> str:
    """Return how a time is written: attributes alike, text by its signs with numbers and words left out."""
    return "marked" if stamp.is_marked else _form(stamp.raw)


@lru_cache(maxsize=1_000)  # asked for each family that a time is in
def _form(raw: str) -> str:
    return _WORDS.sub("a", _NUMBERS.sub("0", raw))


def _family(layout: Layout, group: list[Stamp]) -> Family:
    stamps = month_first(group)
    records = cut_records(layout, [stamp.element for stamp in stamps])
    quality = _quality(layout, stamps) * _likeness(stamps) * evenness(layout, records)
    letters = letters_of(layout, records)
    letters *= min(1.0, letters / len(records) / USUAL_POST)
    return Family(list(stamps), records, quality * letters, quality)


def letters_of(layout: Layout, records: list[Record]) -> float:
    """Return the letters of all records, each up to FULL_POST, and no farther than where it meets a neighbour."""
    letters = 0.0
    before = -1  # the lowest element that holds the anchor, and the one before it
    for place, record in enumerate(records):
        if place + 1 < len(records):
            following = records[place + 1]
            after = layout.meeting(record.anchor, following.anchor)
        else:
            after = -1 if place else record.anchor
        end = min(record.end, layout.ends[max(before, after)])
        held = layout.masses[line_at(layout, end)] - layout.masses[line_at(layout, record.start)]
        letters += min(held, FULL_POST)
        before = after
    return letters


def _quality(layout: Layout, stamps: list[Stamp]) -> float:
    """Weigh what tells times of posts from other dates: they rise, have a time of day, and stand alone in a line."""
    times = [stamp.at for stamp in stamps if stamp.at is not None]
    ups = sum([one <= two for one, two in pairwise(times)])
    downs = sum([one >= two for one, two in pairwise(times)])
    rise = max(ups, downs) / max(len(times) - 1, 1) if len(times) > 1 else 0.7
    rest = sum([min(stamp.rest, 200) for stamp in stamps if not stamp.is_marked]) / len(stamps)
    quality = (0.3 + 0.7 * rise) / (1 + rest / 160)
    first = stamps[0]
    if first.has_time and len(times) > 2 and len(set(times)) == 1:
        quality *= 0.3  # as dates in the title of a thread are
    quality *= _ROLES.get(first.role, 1.0)
    quality *= 1.0 if True in [stamp.has_time for stamp in stamps] else 0.8
    if _is_of_card(" ".join(_names(layout, first.element))):
        quality *= 0.8
    return quality


@lru_cache(maxsize=1_000)
def _is_of_card(names: str) -> bool:
    return USER_CARD.search(names) is not None and POST.search(names) is None


def evenness(layout: Layout, records: list[Record]) -> float:
    """Weigh how alike the records are: begin with, or lie in elements of one name."""
    names: dict[str, int] = {}
    for record in records:
        holders = _holders(layout, record)
        if len(holders) == 1:
            name = name_of(layout, record.start)
            names[name] = names.get(name, 0) + 1
        else:
            for name in {name_of(layout, node) for node in holders}:
                names[name] = names.get(name, 0) + 1
    return 0.2 + 0.8 * max(names.values()) / len(records)


def _holders(layout: Layout, record: Record) -> list[int]:
    """Return the first element of a record, and those around its anchor that hold most of its text."""
    whole = mass_of(layout, record)
    found = [record.start]
    node = record.anchor
    while node > record.start:
        before = layout.masses[layout.first_line[node]]
        held = layout.masses[line_at(layout, min(layout.ends[node], record.end))] - before
        if 2 * held > whole and "." in layout.keys[node]:
            found.append(node)
        node = layout.parents[node]
    return found


def _likeness(stamps: list[Stamp]) -> float:
    """Weigh how alike the times are written."""
    forms: dict[str, int] = {}
    for stamp in stamps:
        form = form_of(stamp)
        forms[form] = forms.get(form, 0) + 1
    return 0.9 + 0.1 * max(forms.values()) / len(stamps)


def _names(layout: Layout, node: int) -> list[str]:
    names: list[str] = []
    while node >= 0 and len(names) < 4:
        names.append(layout.keys[node])
        node = layout.parents[node]
    return names
