"""A page laid out flat for the search for posts: elements in document order, the pieces of its text, and its lines."""

from array import array
from bisect import bisect_right
from collections.abc import Mapping, Sequence

from lxml import etree

NONE = -1
MAX_PIECES = 2_000  # of a line that are looked at for the text of an element in it
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
    *("attributes", "elements", "ends", "first_line", "fresh", "keys", "last_line", "letters", "marks", "masses"),
    *("names", "owners", "parents", "pieces", "quotes", "starts", "tags", "telling", "texts"),
)
# Attributes that are read, and the classes of elements with one that may tell something.
KEPT = TELLING | {*ID_NAMES, *POST_NAMES, "href", "itemprop", "itemtype", "rel"}


class Layout:
    """The elements of a page by number in document order; `ends` is where the elements inside each one end.

    A line is the text between two borders of blocks. It has pieces, each of them in one element.
    """

    __slots__ = COLUMNS

    def __init__(self) -> None:
        self.elements: Sequence[etree._Element] = []
        self.attributes: list[Mapping[str, str]] = []  # those KEPT, and classes where something is told
        self.tags: list[str] = []
        self.keys: list[str] = []  # tag and classes, numbers left out
        self.names: list[str] = []  # all that an element is named with: classes, id and roles
        self.parents = array("i")
        self.ends = array("i")
        self.marks = array("i")  # what tag, key and names say, in the bits of `naming`
        self.first_line = array("i")  # of each element; its lines end before `last_line`
        self.last_line = array("i")
        self.telling: list[int] = []  # elements with attributes that may tell a time or a name
        self.quotes: list[int] = []  # outermost elements that are named as quotations

        self.texts: list[str] = []  # of the lines
        self.letters = array("d")  # of the lines, those of Chinese, Japanese and Korean counted as CJK_LETTERS
        self.fresh = array("d")  # the same outside of links; none where it is not shown, or one before reads the same
        self.masses = array("d")  # fresh letters of the lines before each, and at the end of all
        self.pieces = array("i")  # the first of each line, and at the end their number
        self.starts = array("i")  # where in its line each piece begins
        self.owners = array("i")  # the elements that they stand in

    def holds(self, outer: int, inner: int) -> bool:
        """Say whether an element is another, or lies in it."""
        return outer <= inner < self.ends[outer]

    def children(self, number: int) -> list[int]:
        """Return the numbers of the elements directly in one."""
        found = []
        child, end = number + 1, self.ends[number]
        while child < end:
            found.append(child)
            child = self.ends[child]
        return found

    def meeting(self, one: int, other: int) -> int:
        """Return the lowest element that holds both of two."""
        while not one <= other < self.ends[one]:
            one = self.parents[one]
        return one

    def below(self, outer: int, inner: int) -> int:
        """Return the child of one element that holds another, or the outer one where that is the inner."""
        while inner != outer and self.parents[inner] != outer:
            inner = self.parents[inner]
        return inner

    def is_quoted(self, number: int) -> bool:
        """Say whether an element is, or lies in, a quotation."""
        place = bisect_right(self.quotes, number)
        return place > 0 and number < self.ends[self.quotes[place - 1]]

    def outside(self, span: tuple[int, int], skipped: Sequence[int]) -> list[tuple[int, int]]:
        """Return the parts of a span of elements that lie outside of some, which are given in document order."""
        found = []
        node, stop = span
        for inner in skipped:
            if inner >= stop:
                break
            if inner > node:
                found.append((node, inner))
            if inner >= node:
                node = self.ends[inner]
        if node < stop:
            found.append((node, stop))
        return found

    def short_text(self, number: int) -> str:
        """Return the text of an element that has a single line, or stands in one; none, where that has no end."""
        line, end = self.first_line[number], self.ends[number]
        first, last = self.pieces[line], self.pieces[line + 1]
        if last - first > MAX_PIECES:
            return ""
        while first < last and not number <= self.owners[first] < end:
            first += 1
        if first == last:
            return ""
        stop = last
        while not number <= self.owners[last - 1] < end:
            last -= 1
        text = self.texts[line]
        if self.starts[first] == 0 and last == stop:
            return stripped(text)
        return stripped(text[self.starts[first] : self.starts[last]] if last < stop else text[self.starts[first] :])

    def piece_at(self, line: int, place: int) -> int:
        """Return the last piece of a line that begins at a place in its text, or before it."""
        piece = self.pieces[line + 1] - 1
        while self.starts[piece] > place:
            piece -= 1
        return piece


def stripped(text: str) -> str:
    """Return a text without the white space around it; most have none, which is soon told."""
    return text.strip() if text and (text[0].isspace() or text[-1].isspace()) else text
