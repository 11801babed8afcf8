"""A page laid out flat for the search for posts: elements in document order, the pieces of its text, and its lines."""

import re
from dataclasses import dataclass, field

from lxml import etree

from thresher.extract.tags import BLOCK_LEVEL

MAX_CLASSES = 4  # of an element that tell it from others
MAX_ELEMENTS = 80_000  # of a page that are looked at
MAX_PIECE = 20_000  # characters of one piece of text that are looked at
MAX_SAME = 500  # characters that tell one line from another
NONE = -1

EPOCH_NAMES = ("data-time", "data-timestamp", "data-epoch", "data-unixtime", "data-utime", "data-date", "data-created")
DATE_NAMES = (
    *("datetime", "title", "data-original-title", "data-datetime", "data-date-string", "data-original-date"),
    *("data-time-string", "data-content", "content", "data-created-at", "data-published", "data-tip"),
    *("data-tippy-content", "data-bs-original-title", "data-title", "aria-label"),
)
AUTHOR_NAMES = ("data-author", "data-username", "data-user-name", "data-author-name", "data-nick", "uname")
TELLING = frozenset([*EPOCH_NAMES, *DATE_NAMES, *AUTHOR_NAMES])  # attributes that may tell a time or a name

_REMOVED = frozenset(
    ("script", "style", "template", "svg", "math", "select", "option", "textarea", "iframe", "object", "embed", "map")
)
_NUMBERS = re.compile(r"\d+")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_NAMING = frozenset(["id", "itemprop", "data-role", "component"])
_HIDING = frozenset(["hidden", "u-hidden", "is-hidden"])
_ANSWERS = ("re", "aw", "antw", "sv", "回")
_ANSWER = re.compile(r"^(?:re|aw|antw|sv|回复|回覆)\s?[:：]\s?")
_NO_DISPLAY = re.compile(r"display\s*:\s*none", re.IGNORECASE)
_SPACES = re.compile(r"\s+")
CJK_LETTERS = 2.5  # a Chinese, Japanese or Korean character says as much as so many letters


@dataclass(slots=True)
class Layout:
    """The elements of a page by number in document order; `ends` is where the elements inside each one end."""

    elements: list[etree._Element] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)  # tag and classes, numbers left out
    names: list[str] = field(default_factory=list)  # all that an element is named with: classes, id and roles
    first_line: list[int] = field(default_factory=list)  # of each element; its lines end before `last_line`
    last_line: list[int] = field(default_factory=list)
    lines: list["Line"] = field(default_factory=list)
    telling: list[int] = field(default_factory=list)  # elements with attributes that may tell a time or a name

    def holds(self, outer: int, inner: int) -> bool:
        """Say whether an element is another, or lies in it."""
        return outer <= inner < self.ends[outer]

    def children(self, number: int) -> list[int]:
        """Return the numbers of the elements directly in one."""
        found = []
        child = number + 1
        while child < self.ends[number]:
            found.append(child)
            child = self.ends[child]
        return found

    def meeting(self, one: int, other: int) -> int:
        """Return the lowest element that holds both of two."""
        while not self.holds(one, other):
            one = self.parents[one]
        return one

    def below(self, outer: int, inner: int) -> int:
        """Return the child of one element that holds another, or the outer one where that is the inner."""
        while inner != outer and self.parents[inner] != outer:
            inner = self.parents[inner]
        return inner

    def short_text(self, number: int) -> str:
        """Return the text of an element that has a single line, or stands in one."""
        line, end = self.lines[self.first_line[number]], self.ends[number]
        places = [place for place, owner in enumerate(line.owners) if number <= owner < end]
        if not places:
            return ""
        if len(places) == len(line.owners):
            return line.text.strip()
        last = places[-1] + 1
        return line.text[line.starts[places[0]] : line.starts[last] if last < len(line.starts) else None].strip()

    def lines_of(self, number: int) -> list["Line"]:
        """Return the lines in an element; a line shared with what is around it counts where it begins."""
        return self.lines[self.first_line[number] : self.last_line[number]]


@dataclass(slots=True)
class Line:
    """Text between two borders of blocks, in pieces: where each begins, and the element it stands in."""

    starts: list[int] = field(default_factory=list)
    owners: list[int] = field(default_factory=list)
    text: str = ""
    linked: float = 0.0  # letters that stand in links
    letters: float = 0.0  # all of them, those of Chinese, Japanese and Korean counted as CJK_LETTERS
    is_first: bool = True  # it is shown, and no line before it reads the same, numbers aside

    @property
    def mass(self) -> float:
        """Letters outside of links that no line before it had."""
        return max(0.0, self.letters - self.linked) if self.is_first else 0.0


def lay_flat(body: etree._Element) -> Layout:
    """Return the layout of a page."""
    builder = _Builder()
    enter, leave, add = builder.enter, builder.leave, builder.add
    walk = etree.iterwalk(body, events=("start", "end"))
    for event, node in walk:
        if event == "start":
            tag = str(node.tag)
            if enter(node, tag) >= MAX_ELEMENTS:
                break
            if tag in _REMOVED:
                walk.skip_subtree()
            elif text := node.text:
                add(text)
        else:
            leave(str(node.tag))
            if (tail := node.tail) and node is not body:
                add(tail)
    builder.close()
    return builder.layout


class _Builder:
    """The state of one walk: open elements, and the line since the last border of a block."""

    def __init__(self) -> None:
        self.layout = Layout()
        self._open: list[int] = [NONE]
        self._links = 0
        self._hider = NONE  # the outermost open element that is not shown
        self._pieces: list[str] = []
        self._line = Line()
        self._length = 0
        self._met: set[str] = set()
        self._keys: dict[tuple[str, str], tuple[str, str]] = {}

    def enter(self, node: etree._Element, tag: str) -> int:
        """Open an element, and return its number."""
        layout = self.layout
        if tag in BLOCK_LEVEL and self._pieces:
            self.end_line()
        number, lines = len(layout.elements), len(layout.lines)
        layout.elements.append(node)
        layout.parents.append(self._open[-1])
        layout.ends.append(number + 1)
        layout.first_line.append(lines)
        layout.last_line.append(lines)
        self._open.append(number)
        if tag == "a":
            self._links += 1
        items = node.items()
        if items:
            self._name(number, tag, items)
        else:
            layout.keys.append(tag)
            layout.names.append("")
        return number

    def _name(self, number: int, tag: str, items: list[tuple[str, str]]) -> None:
        """Keep what an element's attributes name it, and whether they tell more."""
        classes = style = ""
        others: list[str] = []
        for name, value in items:
            if name == "class":
                classes = value
            elif name in _NAMING:
                others.append(value)
            elif name == "style":
                style = value
            elif name in TELLING and self.layout.telling[-1:] != [number]:
                self.layout.telling.append(number)
        key, names = self._keys.get((tag, classes)) or self._key(tag, classes)
        self.layout.keys.append(key)
        self.layout.names.append(f"{names} {_NUMBERS.sub(' ', ' '.join(others).lower())}" if others else names)
        if self._hider == NONE and _is_hidden(key, style):
            self._hider = number

    def leave(self, tag: str) -> None:
        """Close an element."""
        number = self._open.pop()
        if self._pieces and tag in BLOCK_LEVEL:
            self.end_line()
        elif tag == "a":
            self._links -= 1
        self.layout.ends[number] = len(self.layout.elements)
        if number == self._hider:
            self._hider = NONE
        # The open line counts for an inline element that ends in it.
        self.layout.last_line[number] = len(self.layout.lines) + (1 if self._pieces else 0)

    def close(self) -> None:
        """Close what is open yet: all, where the page has more elements than are looked at."""
        self.end_line()
        for number in self._open[1:]:
            self.layout.ends[number] = len(self.layout.elements)
            self.layout.last_line[number] = len(self.layout.lines)

    def add(self, text: str) -> None:
        """Add a piece of text to the line."""
        if text.isspace():
            if not self._pieces:
                return
            text = " "
        else:
            text = _SPACES.sub(" ", text[:MAX_PIECE])
        line = self._line
        line.starts.append(self._length)
        line.owners.append(self._open[-1])
        self._pieces.append(text)
        self._length += len(text)
        if self._links:
            line.linked += _letters(text)

    def end_line(self) -> None:
        """End the line, if there is one."""
        if not self._pieces:
            return
        line = self._line
        text = line.text = "".join(self._pieces)
        line.letters = _letters(text)
        plain = _NUMBERS.sub("0", text[:MAX_SAME].strip().casefold())
        if plain.startswith(_ANSWERS):
            plain = _ANSWER.sub("", plain)
        line.is_first = self._hider == NONE and plain not in self._met
        if line.is_first:
            self._met.add(plain)
        self.layout.lines.append(line)
        self._pieces, self._line, self._length = [], Line(), 0

    def _key(self, tag: str, classes: str) -> tuple[str, str]:
        lower = classes.lower()
        names = [_NUMBERS.sub("", name) for name in lower.split()[:MAX_CLASSES]]
        both = ".".join([tag, *filter(None, names)]), _NUMBERS.sub(" ", lower)
        self._keys[tag, classes] = both
        return both


def _is_hidden(key: str, style: str) -> bool:
    """Say whether an element is not shown, by its own word."""
    if "hidden" in key and not _HIDING.isdisjoint(key.split(".")):
        return True
    return bool(style) and "none" in style and _NO_DISPLAY.search(style) is not None


def _letters(text: str) -> float:
    wide = 0 if text.isascii() else len(_CJK.findall(text))
    return len(text) - text.count(" ") + (CJK_LETTERS - 1) * wide
