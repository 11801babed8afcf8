"""A page laid out flat for the search for posts: elements in document order, the pieces of its text, and its lines."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate

from lxml import etree

from thresher.extract.forum.naming import IS_QUOTATION, marks_of_key, marks_of_names

NONE = -1
CJK_LETTERS = 2.5  # a Chinese, Japanese or Korean character says as much as so many letters

EPOCH_NAMES = ("data-time", "data-timestamp", "data-epoch", "data-unixtime", "data-utime", "data-date", "data-created")
DATE_NAMES = (
    *("datetime", "title", "data-original-title", "data-datetime", "data-date-string", "data-original-date"),
    *("data-time-string", "data-content", "content", "data-created-at", "data-published", "data-tip"),
    *("data-tippy-content", "data-bs-original-title", "data-title", "aria-label"),
)
AUTHOR_NAMES = ("data-author", "data-username", "data-user-name", "data-author-name", "data-nick", "uname")
TELLING = frozenset([*EPOCH_NAMES, *DATE_NAMES, *AUTHOR_NAMES])  # attributes that may tell a time or a name
# Attributes that may hold the number a post is known by, those that nothing else has last.
ID_NAMES = (
    "id",
    "name",
    "data-pid",
    "data-post-id",
    "data-postid",
    "data-id",
    "data-comment-id",
    "data-cid",
    "data-mid",
)
POST_NAMES = ("data-pid", "data-post-id", "data-postid", "data-comment-id", "data-content-id", "data-reply-id")
NAMING = frozenset(["id", "itemprop", "data-role", "component"])  # attributes that name an element as classes do
COLUMNS = (
    *("attributes", "elements", "ends", "first_line", "keys", "last_line", "lines", "marks", "masses", "names"),
    *("parents", "quotes", "tags", "telling"),
)
# Attributes that are read, and the classes of elements with one that may tell something.
KEPT = TELLING | {*ID_NAMES, *POST_NAMES, "href", "itemprop", "itemtype", "rel"}


class Line:
    """Text between two borders of blocks, in pieces: where each begins, and the element it stands in."""

    __slots__ = ("letters", "mass", "owners", "starts", "text")

    def __init__(self, starts: list[int], owners: list[int], text: str, weight: tuple[float, float]) -> None:
        self.starts = starts
        self.owners = owners
        self.text = text
        self.letters = weight[0]  # those of Chinese, Japanese and Korean counted as CJK_LETTERS
        self.mass = weight[1]  # letters outside of links; none where it is not shown, or one before it reads the same


class Layout:
    """The elements of a page by number in document order; `ends` is where the elements inside each one end."""

    __slots__ = COLUMNS

    def __init__(self) -> None:
        self.elements: Sequence[etree._Element] = []
        self.attributes: list[Mapping[str, str]] = []  # those KEPT, and classes where something is told
        self.tags: list[str] = []
        self.parents: list[int] = []
        self.ends: list[int] = []
        self.keys: list[str] = []  # tag and classes, numbers left out
        self.names: list[str] = []  # all that an element is named with: classes, id and roles
        self.marks: list[int] = []  # what key and names say, in the bits of `naming`
        self.first_line: list[int] = []  # of each element; its lines end before `last_line`
        self.last_line: list[int] = []
        self.lines: list[Line] = []
        self.telling: list[int] = []  # elements with attributes that may tell a time or a name
        self.masses: list[float] = []  # of the lines before each, and at the end of all
        self.quotes: list[int] = []  # outermost elements that are named as quotations

    def holds(self, outer: int, inner: int) -> bool:
        """Say whether an element is another, or lies in it."""
        return outer <= inner < self.ends[outer]

    def children(self, number: int) -> list[int]:
        """Return the numbers of the elements directly in one."""
        found = []
        ends = self.ends
        child, end = number + 1, ends[number]
        while child < end:
            found.append(child)
            child = ends[child]
        return found

    def meeting(self, one: int, other: int) -> int:
        """Return the lowest element that holds both of two."""
        ends, parents = self.ends, self.parents
        while not one <= other < ends[one]:
            one = parents[one]
        return one

    def below(self, outer: int, inner: int) -> int:
        """Return the child of one element that holds another, or the outer one where that is the inner."""
        parents = self.parents
        while inner != outer and parents[inner] != outer:
            inner = parents[inner]
        return inner

    def is_quoted(self, number: int) -> bool:
        """Say whether an element is, or lies in, a quotation."""
        place = bisect_right(self.quotes, number)
        return place > 0 and number < self.ends[self.quotes[place - 1]]

    def outside(self, span: tuple[int, int], skipped: Sequence[int]) -> list[tuple[int, int]]:
        """Return the parts of a span of elements that lie outside of some, which are given in document order."""
        found = []
        ends = self.ends
        node, stop = span
        for inner in skipped:
            if inner >= stop:
                break
            if inner > node:
                found.append((node, inner))
            if inner >= node:
                node = ends[inner]
        if node < stop:
            found.append((node, stop))
        return found

    def short_text(self, number: int) -> str:
        """Return the text of an element that has a single line, or stands in one."""
        line, end = self.lines[self.first_line[number]], self.ends[number]
        owners = line.owners
        if len(owners) == 1:
            return line.text.strip() if number <= owners[0] < end else ""
        places = [place for place, owner in enumerate(owners) if number <= owner < end]
        if not places:
            return ""
        if len(places) == len(owners):
            return line.text.strip()
        last = places[-1] + 1
        return line.text[line.starts[places[0]] : line.starts[last] if last < len(owners) else None].strip()

    def lines_of(self, number: int) -> list[Line]:
        """Return the lines in an element; a line shared with what is around it counts where it begins."""
        return self.lines[self.first_line[number] : self.last_line[number]]


def settle(layout: Layout) -> Layout:
    """Add to a layout what its elements and lines tell together."""
    layout.masses = list(accumulate([line.mass for line in layout.lines], initial=0.0))
    if not layout.marks:
        layout.marks = _marks(layout.keys, layout.names)
    end = 0
    for number, mark in enumerate(layout.marks):
        if mark & IS_QUOTATION and number >= end:
            layout.quotes.append(number)
            end = layout.ends[number]
    return layout


def _marks(keys: Sequence[str], names: Sequence[str]) -> list[int]:
    """Return what keys and names say; most come more than once on a page."""
    of_keys = {key: marks_of_key(key) for key in set(keys)}
    of_names = {name: marks_of_names(name) for name in set(names)}
    return [of_keys[key] | of_names[name] for key, name in zip(keys, names, strict=True)]
