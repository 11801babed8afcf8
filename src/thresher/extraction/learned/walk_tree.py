"""The walk over a page in Python: what `_walk.pyx` does in C, for where that could not be compiled."""

from itertools import islice

from lxml import etree

from thresher.extraction.learned.hints import BIT, hints_of
from thresher.extraction.learned.table import (
    NOTED,
    PLAIN,
    SHAPE_CODE,
    SOFT,
    SWOLLEN,
    TAG_CODE,
    VOID_BORDERS,
    Run,
    Style,
    Table,
)
from thresher.extraction.tags import BLOCK_LEVEL, BREAKS, INHERITED, SHAPES, STYLES, UNSEEN
from thresher.text import strip_unseen


def walk_tree(body: etree._Element) -> Table:
    """Return the table of a page; what is not shown as text is left out."""
    walker = _Walker()
    steps = etree.iterwalk(body, events=("start", "end"))
    for event, node in steps:
        if event == "start":
            if not walker.enter(node):
                steps.skip_subtree()
        else:
            walker.leave(node)
            if node is not body and (tail := node.tail):
                walker.add(tail)
    walker.flush()
    walker.table.nodes = walker.nodes
    walker.table.runs = walker.runs
    return walker.table


class _Walker:
    """The state of a walk: the open elements, and the run of text since the last border."""

    def __init__(self) -> None:
        self.styles: list[Style] = [PLAIN]
        self.table = Table(styles=self.styles)
        self.nodes: list[etree._Element] = []
        self.runs: list[Run] = []
        self._open: list[int] = []  # block-level elements
        self._shapes: list[str] = ["p"]
        self._style: list[int] = [0]
        self._run: Run = []
        self._space = False  # white space seen since the last piece
        self._inner = self._links = self._broken = self._images = self._breaks = 0
        self._tags = 0

    def enter(self, node: etree._Element) -> bool:
        """Open an element; False when its content is to be skipped."""
        tag = str(node.tag)
        self._tags += 1
        if tag in BLOCK_LEVEL:
            if self._run:
                self.flush()
            if tag in VOID_BORDERS:
                self._broken = 1
                self._breaks += BREAKS[tag]
                return True
            self._open_element(node, tag)
        elif tag in UNSEEN and not (tag in SOFT and is_swollen(node)):
            return False
        elif tag == "img":
            self._images += 1
        else:
            self._inner |= _hints_of(node)
            if tag == "a" or tag in STYLES:
                self._style.append(self._style_of(node, tag))
        if text := node.text:
            self.add(text)
        return True

    def leave(self, node: etree._Element) -> None:
        """Close an element."""
        tag = str(node.tag)
        if tag in BLOCK_LEVEL:
            if self._run:
                self.flush()
            if tag in VOID_BORDERS:
                return
            element = self._open.pop()
            self._shapes.pop()
            self.table.end[element] = len(self.table.texts)
            self.table.tags[element] = self._tags - self.table.tags[element]
        elif tag == "a" or tag in STYLES:
            self._style.pop()

    def add(self, text: str) -> None:
        """Add a leaf to the run."""
        style = self._style[-1]
        if self._shapes[-1] == "pre":
            self._add_lines(text, style)
            return
        words = text.split()
        if words:
            gap = " " if self._run and (self._space or text[0].isspace()) else ""
            self._run.append((gap + " ".join(words), style))
            self._space = text[-1].isspace()
        else:
            self._space = True

    def flush(self) -> None:
        """End the run; it becomes a block if it holds any text."""
        run, self._run, self._space = self._run, [], False
        pieces = [(strip_unseen(text), style) for text, style in run]
        joined = "".join(text for text, _ in pieces)
        if not joined or joined.isspace():
            return
        table, styles = self.table, self.styles
        table.texts.append(joined)
        table.owner.append(self._open[-1] if self._open else 0)
        table.shape.append(SHAPE_CODE[self._shapes[-1]])
        table.linked.append(sum(len(text) for text, style in pieces if styles[style][0]))
        table.links.append(self._links)
        table.strong.append(sum(len(text) for text, style in pieces if styles[style][2]))
        table.inner.append(self._inner)
        table.broken.append(self._broken)
        table.images.append(self._images)
        table.breaks.append(self._breaks)
        self.runs.append(pieces)
        self._inner = self._links = self._broken = self._images = self._breaks = 0

    def _open_element(self, node: etree._Element, tag: str) -> None:
        table = self.table
        above = self._shapes[-1]
        self._shapes.append(SHAPES.get(tag) or (above if above in INHERITED else "p"))
        table.parent.append(self._open[-1] if self._open else -1)
        self._open.append(len(table.tag))
        table.tag.append(TAG_CODE.get(tag, 0))
        table.hints.append(_hints_of(node))
        table.first.append(len(table.texts))
        table.end.append(0)
        table.tags.append(self._tags - 1)
        self.nodes.append(node)
        self._inner = self._links = 0

    def _add_lines(self, text: str, style: int) -> None:
        first, *others = text.splitlines() or [""]
        self._run.append((first, style))
        for line in others:
            self.flush()
            self._run.append((line.rstrip(), style))
        if text.endswith("\n"):
            self.flush()

    def _style_of(self, node: etree._Element, tag: str) -> int:
        in_link, href, strong, emphasis, code = self.styles[self._style[-1]]
        if tag == "a":
            in_link, href = True, node.get("href")
            self._links += 1
        elif STYLES[tag] == "strong":
            strong = True
        elif STYLES[tag] == "emphasis":
            emphasis = True
        else:
            code = True
        self.styles.append((in_link, href, strong, emphasis, code))
        return len(self.styles) - 1


def is_swollen(node: etree._Element) -> bool:
    """Say whether an element holds so many others that it cannot be what its name says."""
    return next(islice(node.iterdescendants(), SWOLLEN, None), None) is not None


def _hints_of(node: etree._Element) -> int:
    mask = 0
    for name in NOTED:
        value = node.get(name)
        if value:
            mask |= hints_of(value)
    style = node.get("style")
    if style and "none" in style and "display" in style:
        mask |= BIT["hidden"]
    if node.get("hidden") is not None or node.get("aria-hidden") == "true":
        mask |= BIT["hidden"]
    return mask
