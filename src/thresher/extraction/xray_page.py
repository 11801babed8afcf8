"""Write a page's text again in its own order and structure, every block's leaves marked, and nothing else of it."""

from collections.abc import Callable
from html import escape
from typing import NamedTuple

from lxml import etree

from thresher.extraction.learned.table import SOFT, VOID_BORDERS
from thresher.extraction.learned.walk import is_swollen
from thresher.extraction.tags import BLOCK_LEVEL, INHERITED, SHAPES, STYLES, UNSEEN
from thresher.text import squeeze, strip_unseen

Mark = Callable[[int], tuple[str, str]]  # from a block's number to its class and to what is shown on hover

MAX_HOVERS = 100_000  # leaves with a text to show on hover: each takes about half a kilobyte
MAX_SHOWN = 120  # characters of a link's address or an image's description

_VOIDS = {"br": "<br>", "hr": "<hr>"}
_INLINE = frozenset(("a", "img", "sub", "sup", "small", "u", "s", "del", "mark", *STYLES))  # those with a style
_DIRECTIONS = frozenset(("ltr", "rtl", "auto"))


class Marked(NamedTuple):
    """A page's text as markup, how many blocks it has, and how many of its leaves show something on hover."""

    markup: str
    blocks: int
    hovers: int


def marked_page(body: etree._Element, mark: Mark) -> Marked:
    """Return a page's text with every block marked; blocks are numbered as `walk` numbers them.

    Only <div>, <span>, <br> and <hr> are written, with a class of ours, a language and a direction: so the browser
    builds the tree that was judged, and nothing of the page can run, load or lead anywhere.
    """
    copy = _Copy(mark)
    steps = etree.iterwalk(body, events=("start", "end"))
    for event, node in steps:
        if event == "start":
            if not copy.enter(node):
                steps.skip_subtree()
        else:
            copy.leave(node)
            if node is not body and (tail := node.tail):
                copy.add(tail)
    copy.flush()
    return Marked("".join(copy.written), copy.blocks, copy.hovers)


def attributes_of(node: etree._Element) -> str:
    """Return the language and direction of an element as attributes, where it gives them."""
    language, direction = node.get("lang") or "", (node.get("dir") or "").strip().lower()
    shown = f' lang="{language}"' if language.isascii() and language.replace("-", "").isalnum() else ""
    return shown + (f' dir="{direction}"' if direction in _DIRECTIONS else "")


class _Copy:
    """The state of writing: the open elements, and the leaves since the last border."""

    def __init__(self, mark: Mark) -> None:
        self.written: list[str] = []
        self.blocks = self.hovers = 0
        self._mark = mark
        self._ends: list[str] = []
        self._shapes = ["p"]
        self._links: list[str] = []
        self._run: list[tuple[int, str, str]] = []  # place in `written`, text, and the link it stands in

    def enter(self, node: etree._Element) -> bool:
        """Open an element; False when its content is unseen."""
        tag = str(node.tag)
        if tag in BLOCK_LEVEL:
            self._border(node, tag)
        elif tag in UNSEEN and not (tag in SOFT and is_swollen(node)):
            self._ends.append("")
            return False
        else:
            self._open_inline(node, tag)
        if text := node.text:
            self.add(text)
        return True

    def leave(self, node: etree._Element) -> None:
        """Close an element."""
        tag = str(node.tag)
        if tag in BLOCK_LEVEL:
            self.flush()
            if tag not in VOID_BORDERS:
                self._shapes.pop()
        elif tag == "a":
            self._links.pop()
        self.written.append(self._ends.pop())

    def add(self, text: str) -> None:
        """Write a leaf; in preformatted text every line is one."""
        if self._shapes[-1] != "pre":
            self._add_leaf(text)
            return
        lines = text.splitlines(keepends=True)
        for number, line in enumerate(lines, start=1):
            self._add_leaf(line)
            if number < len(lines) or text.endswith("\n"):
                self.flush()

    def flush(self) -> None:
        """End a run; its leaves are marked if they make a block."""
        run, self._run = self._run, []
        while run and run[-1][1].isspace():
            run.pop()
        if not run or not strip_unseen("".join(text for _, text, _ in run)).strip():
            return
        name, hover = self._mark(self.blocks)
        self.blocks += 1
        for place, text, link in run:
            title = ""
            if hover and self.hovers < MAX_HOVERS:
                self.hovers += 1
                title = f' title="{escape(hover + link).replace(chr(10), "&#10;")}"'
            self.written[place] = f'<span class="{name}"{title}>{escape(text)}</span>'

    def _add_leaf(self, text: str) -> None:
        if self._run or not text.isspace():
            self._run.append((len(self.written), text, self._links[-1] if self._links else ""))
        self.written.append(escape(text))

    def _border(self, node: etree._Element, tag: str) -> None:
        self.flush()
        if tag in VOID_BORDERS:
            self.written.append(_VOIDS.get(tag, ""))
            self._ends.append("")
            return
        above = self._shapes[-1]
        self._shapes.append(SHAPES.get(tag) or (above if above in INHERITED else "p"))
        self.written.append(f'<div class="t-{tag}"{attributes_of(node)}>')
        self._ends.append("</div>")

    def _open_inline(self, node: etree._Element, tag: str) -> None:
        attributes = attributes_of(node)
        style = f' class="t-{tag}"' if tag in _INLINE else ""
        self.written.append(f"<span{style}{attributes}>" if style or attributes else "")
        self._ends.append("</span>" if style or attributes else "")
        if tag == "a":
            address = squeeze(node.get("href") or "")[:MAX_SHOWN]
            self._links.append(f"\nlinks to {address}" if address else "")
        elif tag == "img":
            self.written.append(escape(squeeze(node.get("alt") or "")[:MAX_SHOWN]))
