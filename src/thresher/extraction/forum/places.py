"""Places: where elements stand inside of records, by the keys of each and of two around it, and what stands there."""

from array import array

from thresher.extraction.forum.layout import Layout
from thresher.extraction.forum.records import Record, roots_of

BITS = 20  # of a number of a key; there are fewer elements
MASK = (1 << BITS) - 1
Cells = dict[int, tuple[int, int]]  # by what is around them: the cell that was last asked for, and how many are before


def _key(layout: Layout, node: int, cells: Cells) -> str:
    """Return the key of an element; that of cells with their number, that of others without class with their id."""
    key = layout.keys[node]
    if key.startswith(("td", "th")):
        return f"{key}@{_cells_before(layout, node, cells)}"
    return f"{key}#{layout.names[node]}" if "." not in key and layout.names[node] else key


def _cells_before(layout: Layout, node: int, cells: Cells) -> int:
    """Count the cells of a table that stand before an element in the same one, on from the last that was asked for."""
    parent = layout.parents[node]
    other, count = cells.get(parent, (parent + 1, 0))
    if other > node:
        other, count = parent + 1, 0
    while other < node:
        if layout.tags[other] in ("td", "th"):
            count += 1
        other = layout.ends[other]
    cells[parent] = other, count
    return count


class Part:
    """What the elements of one place hold in one record."""

    __slots__ = ("elements", "end", "has_anchor", "held", "number", "wanted")

    def __init__(self, number: int) -> None:
        self.number = number  # of the record
        self.wanted = 0.0  # letters of new text
        self.held = 0.0  # letters of all text
        self.elements: list[int] = []  # the outermost
        self.end = 0  # of the last of them
        self.has_anchor = False


class Place:
    """The parts of records that stand at one place, in the order of the records."""

    __slots__ = ("_code", "_words", "parts")

    def __init__(self, code: int, words: list[str]) -> None:
        self._code = code
        self._words = words
        self.parts: list[Part] = []

    def keys(self) -> tuple[str, ...]:
        """Return the keys of the elements of this place, and of those around them."""
        codes = self._code, self._code >> BITS, self._code >> 2 * BITS
        return tuple([self._words[code & MASK] for code in codes if code & MASK])


class Places:
    """The places met so far; keys are known by numbers, and a place by those of three."""

    __slots__ = ("_by_code", "_cells", "_codes", "_numbers", "_own", "_start", "_words", "layout")

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self._by_code: dict[int, Place] = {}
        self._codes = array("i", bytes(4 * len(layout.tags)))  # of the elements' keys, 0 where not asked for yet
        self._cells: Cells = {}
        self._numbers: dict[str, int] = {}
        self._words: list[str] = [""]
        self._own: list[int] = []  # elements with keys that hold for the record only
        self._start = 0

    def found(self) -> list[Place]:
        """Return all places in the order in which they were met."""
        return list(self._by_code.values())

    def of_record(self, record: Record) -> "Places":
        """Look at one record from now on: those of several elements tell them by number where they have no name."""
        for root in self._own:
            self._codes[root] = 0
        self._own = []
        self._start = record.start
        roots = roots_of(self.layout, record)
        if len(roots) > 1:
            for place, root in enumerate(roots):
                key = self.layout.keys[root]
                if "." not in key:
                    self._codes[root] = self._number_of(f"{key}@{place}")
                    self._own.append(root)
        return self

    def part_at(self, node: int, number: int) -> Part:
        """Return the part of a record, which has this number, at the place of one of its elements."""
        code, shift = 0, 0
        while node >= self._start and shift < 3 * BITS:
            own = self._codes[node]
            if own == 0:
                own = self._codes[node] = self._number_of(_key(self.layout, node, self._cells))
            code |= own << shift
            shift += BITS
            node = self.layout.parents[node]
        place = self._by_code.get(code)
        if place is None:
            place = self._by_code[code] = Place(code, self._words)
        parts = place.parts
        if parts:
            last = parts[-1]
            if last.number == number:
                return last
        part = Part(number)
        parts.append(part)
        return part

    def _number_of(self, key: str) -> int:
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self._words)
            self._words.append(key)
        return number
