"""Cut a page into records: each holds one anchor of a family, and with it what stands around it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from thresher.extraction.forum.layout import Layout

MAX_ROOTS = 24  # elements that make up one record
MIN_LETTERS = 40.0  # of a post, without which an element holds but its head
MAX_LINES = 60  # of an element that are looked at for them
MAX_GAP = 8  # rows between two anchors that are compared
MOST = 0.7  # share of records that begin with elements of one name, where these are posts


class Record:
    """Elements from `start` to before `end` in document order, and the anchor among them."""

    __slots__ = ("anchor", "end", "start")

    def __init__(self, start: int, end: int, anchor: int) -> None:
        self.start = start
        self.end = end
        self.anchor = anchor


def cut_records(layout: Layout, anchors: Sequence[int]) -> list[Record]:
    """Return a record for each of two or more anchors, which are in document order.

    Two neighbours part at the highest element that holds the second and not the first. What stands between the two
    there goes to the first, but for what also stands before all: so posts of several rows keep rows above the anchor.
    Where posts lie in one another they part at the elements that have the same name in all.
    """
    top = layout.meeting(anchors[0], anchors[-1])
    rows = _Rows(layout, top, anchors)
    one, start = anchors[0], rows.start()
    records: list[Record] = []
    for other in anchors[1:]:
        parent = layout.meeting(one, other)
        left, right = layout.below(parent, one), layout.below(parent, other)
        border = rows.split(left, right) if parent == top and left != top else right
        records.append(Record(start, border, one))
        one, start = other, border
    records.append(Record(start, rows.end(), one))
    return _named_alike(layout, records, top)


def roots_of(layout: Layout, record: Record) -> list[int]:
    """Return the highest elements that lie wholly in a record."""
    roots: list[int] = []
    node = record.start
    while node < record.end and len(roots) < MAX_ROOTS:
        if layout.ends[node] <= record.end:
            roots.append(node)
            node = layout.ends[node]
        else:
            node += 1
    return roots


def name_of(layout: Layout, element: int) -> str:
    """Return the tag and the first class of an element."""
    return _name(layout.keys[element])


@lru_cache(maxsize=10_000)  # the same names come again on every post, and on every page of a site
def _name(key: str) -> str:
    return ".".join(key.split(".", 2)[:2])


def _named_alike(layout: Layout, records: list[Record], top: int) -> list[Record]:
    """Let records that lie in one another begin with the elements that have the same name in all."""
    if not _overlap(layout, records, top):
        return records
    above = {name_of(layout, node): node for node in reversed(_chain(layout, records[0].anchor, NO_FLOOR))}
    chains = [_chain(layout, record.anchor, record.start) for record in records[1:]]
    name = _common_name(layout, chains, above)
    if not name:
        return records
    starts = [above.get(name, records[0].start)]
    for chain, record in zip(chains, records[1:], strict=True):
        alike = [node for node in chain if name_of(layout, node) == name]
        starts.append(min(alike, default=record.start))
    ends = [*starts[1:], records[-1].end]
    return [Record(s, max(s + 1, e), r.anchor) for r, s, e in zip(records, starts, ends, strict=True)]


def _overlap(layout: Layout, records: list[Record], top: int) -> bool:
    """Say whether records lie in one another."""
    one = records[0]
    for two in records[1:]:
        if layout.holds(one.start, two.start) or one.start == top:
            return True
        one = two
    return False


def _common_name(layout: Layout, chains: Sequence[Sequence[int]], above: Mapping[str, int]) -> str:
    """Return the highest name that most chains have, of those with text and around the first anchor, too, if any."""
    counts = Counter(name for chain in chains for name in {name_of(layout, node) for node in chain})
    common = [name for name, count in counts.items() if count >= MOST * len(chains) and "." in name]
    around = [name for name in common if name in above and _has_text(layout, above[name])]
    if around:
        return min(around, key=lambda name: above[name])
    places = {name: place for place, name in enumerate(name_of(layout, node) for node in chains[-1])}
    return max((name for name in common if name in places), key=lambda name: places[name], default="")


def _has_text(layout: Layout, element: int) -> bool:
    """Say whether an element holds more than names and times."""
    first = layout.first_line[element]
    return sum(layout.fresh[first : min(layout.last_line[element], first + MAX_LINES)]) >= MIN_LETTERS


NO_FLOOR = -1


def _chain(layout: Layout, anchor: int, start: int) -> list[int]:
    """Return an anchor and the elements around it, up to where its record starts."""
    chain = []
    while anchor >= start and anchor >= 0:
        chain.append(anchor)
        anchor = layout.parents[anchor]
    return chain


class _Rows:
    """The children of the element that holds all records, some with anchors and some without."""

    def __init__(self, layout: Layout, top: int, anchors: Sequence[int]) -> None:
        self._layout = layout
        self._rows = layout.children(top)
        self._places = {row: place for place, row in enumerate(self._rows)}
        held = list(dict.fromkeys([layout.below(top, anchor) for anchor in anchors]))
        self._first, self._last = held[0], held[-1]
        self._gaps = self._between([self._places[row] for row in held if row in self._places])
        self._above = self._rows_above()

    def start(self) -> int:
        """Return where the first record begins: with the rows that come again before the others."""
        place = self._places.get(self._first)
        return self._first if place is None else self._rows[place - self._above]

    def end(self) -> int:
        """Return where the last record ends: after the rows that follow the others, too."""
        place = self._places.get(self._last)
        if place is None or not any(self._gaps):
            return self._layout.ends[self._last]
        after = self._shapes(place + 1, place + 1 + MAX_GAP)
        below = [_common(after, gap[: len(gap) - self._above]) for gap in self._gaps]
        return self._layout.ends[self._rows[place + max(below, default=0)]]

    def split(self, left: int, right: int) -> int:
        """Return where the record of the right one of two rows begins."""
        return self._rows[max(self._places[right] - self._above, self._places[left] + 1)]

    def _shapes(self, start: int, end: int) -> list[str]:
        """Return what tells rows apart: their keys, and those of what they hold."""
        keys = self._layout.keys
        return [
            f"{keys[row]}({','.join([keys[child] for child in self._layout.children(row)[:4]])})"
            for row in self._rows[start:end]
        ]

    def _between(self, places: list[int]) -> list[list[str]]:
        return [
            self._shapes(max(one + 1, two - MAX_GAP), two) if two > one + 1 else [] for one, two in pairwise(places)
        ]

    def _rows_above(self) -> int:
        """Count the rows above an anchor's that belong to it: those that stand before the first one as well."""
        place = self._places.get(self._first)
        if place is None or not self._gaps or not all(self._gaps):
            return 0
        before = self._shapes(max(0, place - MAX_GAP), place)[::-1]
        above = min([_common(before, gap[::-1]) for gap in self._gaps])
        is_all = above == min(map(len, self._gaps))
        last = self._places[self._last]
        after = self._shapes(last + 1, last + 1 + MAX_GAP)
        return 0 if is_all and max([_common(after, gap) for gap in self._gaps]) else above


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """Count how many shapes two sequences begin with alike."""
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count
