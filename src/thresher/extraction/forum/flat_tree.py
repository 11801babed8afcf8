"""The walk that lays a page out flat in Python: what `_flat.pyx` does in C, for where that could not be compiled."""

import re
from array import array
from functools import lru_cache
from itertools import accumulate

from lxml import etree

from thresher.extraction.forum.layout import CJK_LETTERS, KEPT, NAMING, NONE, TELLING, Layout
from thresher.extraction.forum.naming import IS_QUOTATION, marks_of_key, marks_of_names, marks_of_tag
from thresher.extraction.tags import BLOCK_LEVEL

MAX_CLASSES = 4  # of an element that tell it from others
MAX_ELEMENTS = 80_000  # of a page that are looked at
MAX_PIECE = 20_000  # characters of one piece of text that are looked at
MAX_SAME = 500  # characters that tell one line from another
MAX_USUAL = 200  # characters of classes that are remembered

REMOVED = frozenset(
    ("script", "style", "template", "svg", "math", "select", "option", "textarea", "iframe", "object", "embed", "map")
)
_NUMBERS = re.compile(r"\d+")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_HIDING = frozenset(["hidden", "u-hidden", "is-hidden"])
ANSWERS = ("re", "aw", "antw", "sv", "回")
ANSWER = re.compile(r"^(?:re|aw|antw|sv|回复|回覆)\s?[:：]\s?")
_NO_DISPLAY = re.compile(r"display\s*:\s*none", re.IGNORECASE)
_SPACES = re.compile(r"\s+")


def lay_flat_tree(body: etree._Element) -> Layout:
    """Return the layout of a page."""
    builder = _Builder()
    enter, leave, add = builder.enter, builder.leave, builder.add
    walk = etree.iterwalk(body, events=("start", "end"))
    for event, node in walk:
        if event == "start":
            tag = str(node.tag)
            if enter(node, tag) >= MAX_ELEMENTS:
                break
            if tag in REMOVED:
                walk.skip_subtree()
            elif text := node.text:
                add(text)
        else:
            leave(str(node.tag))
            if (tail := node.tail) and node is not body:
                add(tail)
    return builder.close()


class _Builder:
    """The state of one walk: open elements, and the line since the last border of a block."""

    def __init__(self) -> None:
        self._layout = Layout()
        self._elements: list[etree._Element] = []
        self._parents, self._ends, self._first_line, self._last_line = array("i"), array("i"), array("i"), array("i")
        self._letters, self._fresh, self._all_pieces = array("d"), array("d"), array("i")
        self._starts, self._owners = array("i"), array("i")
        self._open: list[int] = [NONE]
        self._links = 0
        self._hider = NONE  # the outermost open element that is not shown
        self._pieces: list[str] = []
        self._length = 0
        self._linked = 0.0  # letters of the line that stand in links
        self._met: set[str] = set()

    def enter(self, node: etree._Element, tag: str) -> int:
        """Open an element, and return its number."""
        if tag in BLOCK_LEVEL and self._pieces:
            self.end_line()
        number, lines = len(self._layout.tags), len(self._layout.texts)
        self._elements.append(node)
        self._layout.tags.append(tag)
        self._parents.append(self._open[-1])
        self._ends.append(number + 1)
        self._first_line.append(lines)
        self._last_line.append(lines)
        self._open.append(number)
        if tag == "a":
            self._links += 1
        self._name(number, tag, node.items())
        return number

    def _name(self, number: int, tag: str, items: list[tuple[str, str]]) -> None:
        """Keep what an element's attributes name it, and whether they tell more."""
        classes = style = ""
        others: list[str] = []
        is_telling = False
        for name, value in items:
            if name == "class":
                classes = value
            elif name in NAMING:
                others.append(value)
            elif name == "style":
                style = value
            elif name in TELLING:
                is_telling = True
        kept = {name: value for name, value in items if name in KEPT}
        if is_telling:
            self._layout.telling.append(number)
            kept["class"] = classes
        self._layout.attributes.append(kept)
        key, names = key_of(tag, classes)
        self._layout.keys.append(key)
        self._layout.names.append(_named(names, others) if others else names)
        if self._hider == NONE and is_hidden(key, style):
            self._hider = number

    def leave(self, tag: str) -> None:
        """Close an element."""
        number = self._open.pop()
        if self._pieces and tag in BLOCK_LEVEL:
            self.end_line()
        elif tag == "a":
            self._links -= 1
        self._ends[number] = len(self._layout.tags)
        if number == self._hider:
            self._hider = NONE
        # The open line counts for an inline element that ends in it.
        self._last_line[number] = len(self._layout.texts) + (1 if self._pieces else 0)

    def close(self) -> Layout:
        """Close what is open yet: all, where the page has more elements than are looked at; return the layout."""
        self.end_line()
        layout = self._layout
        for number in self._open[1:]:
            self._ends[number] = len(layout.tags)
            self._last_line[number] = len(layout.texts)
        layout.elements, layout.parents, layout.ends = self._elements, self._parents, self._ends
        layout.first_line, layout.last_line = self._first_line, self._last_line
        layout.letters, layout.fresh = self._letters, self._fresh
        layout.masses = array("d", accumulate(self._fresh, initial=0.0))
        self._all_pieces.append(len(self._starts))
        layout.pieces, layout.starts, layout.owners = self._all_pieces, self._starts, self._owners
        layout.marks = _marks(layout)
        end = 0
        for number, mark in enumerate(layout.marks):
            if mark & IS_QUOTATION and number >= end:
                layout.quotes.append(number)
                end = self._ends[number]
        return layout

    def add(self, text: str) -> None:
        """Add a piece of text to the line."""
        if text.isspace():
            if not self._pieces:
                return
            text = " "
        else:
            text = _SPACES.sub(" ", text[:MAX_PIECE])
        self._starts.append(self._length)
        self._owners.append(self._open[-1])
        self._pieces.append(text)
        self._length += len(text)
        if self._links:
            self._linked += _letters(text)

    def end_line(self) -> None:
        """End the line, if there is one."""
        if not self._pieces:
            return
        text = "".join(self._pieces)
        letters = _letters(text)
        plain = _plain_of(text)
        is_first = self._hider == NONE and plain not in self._met
        if is_first:
            self._met.add(plain)
        self._layout.texts.append(text)
        self._letters.append(letters)
        self._fresh.append(max(0.0, letters - self._linked) if is_first else 0.0)
        self._all_pieces.append(len(self._starts) - len(self._pieces))
        self._pieces, self._length, self._linked = [], 0, 0.0


def key_of(tag: str, classes: str) -> tuple[str, str]:
    """Return the key of an element, and what it is named by its classes."""
    return _usual_key(tag, classes) if len(classes) <= MAX_USUAL else _key_of(tag, classes)


@lru_cache(maxsize=10_000)  # the same names come again on every page of a site
def _usual_key(tag: str, classes: str) -> tuple[str, str]:
    return _key_of(tag, classes)


def _key_of(tag: str, classes: str) -> tuple[str, str]:
    lower = classes.lower()
    names = [_NUMBERS.sub("", name) for name in lower.split()[:MAX_CLASSES]]
    return ".".join([tag, *filter(None, names)]), _NUMBERS.sub(" ", lower)


def _named(names: str, others: list[str]) -> str:
    return f"{names} {_NUMBERS.sub(' ', ' '.join(others).lower())}"


def is_hidden(key: str, style: str) -> bool:
    """Say whether an element is not shown, by its own word."""
    if "hidden" in key and not _HIDING.isdisjoint(key.split(".")):
        return True
    return bool(style) and "none" in style and _NO_DISPLAY.search(style) is not None


def _plain_of(text: str) -> str:
    """Return what lines that say the same have in common: numbers aside, and that they answer."""
    plain = _NUMBERS.sub("0", text[:MAX_SAME].strip().casefold())
    return ANSWER.sub("", plain) if plain.startswith(ANSWERS) else plain


def _letters(text: str) -> float:
    wide = 0 if text.isascii() else len(_CJK.findall(text))
    return len(text) - text.count(" ") + (CJK_LETTERS - 1) * wide


def _marks(layout: Layout) -> "array[int]":
    """Return what tags, keys and names say."""
    named = zip(layout.tags, layout.keys, layout.names, strict=True)
    return array("i", [marks_of_tag(tag) | marks_of_key(key) | marks_of_names(names) for tag, key, names in named])
