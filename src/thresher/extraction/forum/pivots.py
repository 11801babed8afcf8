"""Date pivots: the lowest elements that hold the date of a post (the CEVC thesis, §3.3.2, definition 3.5)."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Literal

from lxml import etree

from thresher.extraction.fields.dates import Moment, find_dates, read_date
from thresher.extraction.tags import BLOCK_LEVEL

Dates = Literal["thesis", "any"]
MAX_DATES = 20_000  # of a page that are read: a thread of 10 MB has fewer
REMOVED = frozenset({"script", "style"})  # before anything is counted (thesis, §3.3.2); comments are gone already

# Figure 3-4 is lost; this reads its three examples: 2014-06-12 10:10:20, 2014/06/12 10:10 and 2014/6/12 10:10:20.
_THESIS = re.compile(r"\d{4}[-/]\d{1,2}[-/]\d{1,2}\s+\d{1,2}:\d{2}(?::\d{2})?")
_BREAKS = {ord(c): " " for c in "\n\r\t\v\f\x1c\x1d\x1e\x85\u2028\u2029"}  # a line end is to mean the border of a block


@dataclass(frozen=True, slots=True)
class Pivots:
    """The pivots of a page in document order, and how many lie in each element that has any (itself counted)."""

    moments: dict[etree._Element, Moment | None]  # the first date of each pivot; None: of the right form, but no date
    counts: dict[etree._Element, int]
    lengths: dict[etree._Element, int]  # non-space characters in each element that has a pivot
    _order: list[etree._Element]
    _firsts: dict[etree._Element, int]  # where in the order the pivots of an element begin

    def inside(self, element: etree._Element) -> list[etree._Element]:
        """Return the pivots in an element, itself included, in document order."""
        first = self._firsts.get(element, 0)
        return self._order[first : first + self.counts.get(element, 0)]


@dataclass(slots=True)
class _Text:
    """The text of a page in one piece; elements by number in document order, text by the element it stands in."""

    elements: list[etree._Element] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)  # where in the text each element ends
    lengths: list[int] = field(default_factory=list)  # non-space characters in each element
    pieces: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)  # of the pieces
    owners: list[int] = field(default_factory=list)  # of the pieces
    length: int = 0
    nonspace: int = 0

    def open(self, element: etree._Element, parent: int) -> int:
        """Add an element, and return its number."""
        self.elements.append(element)
        self.parents.append(parent)
        self.ends.append(0)
        self.lengths.append(-self.nonspace)
        return len(self.elements) - 1

    def close(self, number: int) -> None:
        """End an element where the text ends."""
        self.ends[number] = self.length
        self.lengths[number] += self.nonspace

    def add(self, piece: str, owner: int) -> None:
        """Add a piece of the text that stands in an element."""
        self.nonspace += len(piece) - piece.count(" ")
        self.pieces.append(piece)
        self.starts.append(self.length)
        self.owners.append(owner)
        self.length += len(piece)

    def end_line(self, owner: int) -> None:
        """Add the border of a block, unless there is one."""
        if self.pieces and self.pieces[-1] != "\n":
            self.add("\n", owner)


def find_pivots(body: etree._Element, dates: Dates = "thesis") -> Pivots:
    """Return the pivots below an element: by the thesis's expression, or by any date that can be read."""
    page = _read(body)
    text = "".join(page.pieces)
    holders: dict[int, Moment | None] = {}
    found = _thesis_dates(text) if dates == "thesis" else _any_dates(text)
    for start, end, moment in islice(found, MAX_DATES):
        owner = page.owners[bisect_right(page.starts, start) - 1]
        while page.ends[owner] < end:
            owner = page.parents[owner]
        holders.setdefault(owner, moment)
    return _lowest(page, holders)


def _thesis_dates(text: str) -> Iterator[tuple[int, int, Moment | None]]:
    for match in _THESIS.finditer(text):
        yield match.start(), match.end(), read_date(" ".join(match[0].replace("/", "-").split()))


def _any_dates(text: str) -> Iterator[tuple[int, int, Moment | None]]:
    offset = 0
    for line in text.split("\n"):
        for moment in find_dates(line):
            start = offset + moment.start
            yield start, start + len(moment.raw), moment
        offset += len(line) + 1


def _read(body: etree._Element) -> _Text:
    """Walk the elements; text on the two sides of a block's border is kept apart by a line end."""
    page = _Text()
    above = [0]
    walk = etree.iterwalk(body, events=("start", "end"))
    for event, node in walk:
        if event == "start":
            if node.tag in BLOCK_LEVEL:
                page.end_line(above[-1])
            above.append(page.open(node, above[-1]))
            if node.tag in REMOVED:
                walk.skip_subtree()
            elif text := node.text:
                page.add(text.translate(_BREAKS), above[-1])
            continue
        page.close(above.pop())
        if node.tag in BLOCK_LEVEL:
            page.end_line(above[-1])
        if node is not body and (tail := node.tail):
            page.add(tail.translate(_BREAKS), above[-1])
    return page


def _lowest(page: _Text, holders: dict[int, Moment | None]) -> Pivots:
    """Keep the holders that have no other below them, and count upwards."""
    counts = [0] * len(page.elements)
    onward = [0] * len(page.elements)  # pivots at or after an element, in document order
    pivots: list[int] = []
    for number in range(len(counts) - 1, -1, -1):
        if number in holders and not counts[number]:
            counts[number] = 1
            pivots.append(number)
        if number:
            counts[page.parents[number]] += counts[number]
        onward[number] = len(pivots)
    order = [page.elements[number] for number in reversed(pivots)]
    held = [number for number, count in enumerate(counts) if count]
    return Pivots(
        moments={page.elements[number]: holders[number] for number in reversed(pivots)},
        counts={page.elements[number]: counts[number] for number in held},
        lengths={page.elements[number]: page.lengths[number] for number in held},
        _order=order,
        _firsts={page.elements[number]: len(order) - onward[number] for number in held},
    )
