"""Cut a part of a page into Blocks: runs of inline text under one block-level element, in reading order."""

import sys
from collections.abc import Callable, Iterator
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple
from urllib.parse import urljoin

from lxml import etree

from thresher.extraction.marks import GAP, MAX_UP, Marks
from thresher.extraction.paths import Paths
from thresher.extraction.tags import BLOCK_LEVEL, BREAKS, INHERITED, SHAPES, STYLES, UNSEEN
from thresher.model import Block, Span
from thresher.model.content import FRAMES
from thresher.text import strip_unseen

Keep = Callable[[str, bool], bool]  # a leaf's text and whether it lies in a link → whether it is wanted


class Style(NamedTuple):
    """The formatting that a leaf has from the elements around it."""

    in_link: bool = False
    href: str | None = None
    strong: bool = False
    emphasis: bool = False
    code: bool = False


def cut(
    element: etree._Element,
    *,
    base_url: str | None = None,
    keep: Keep | None = None,
    bare: bool = False,
    paths: Paths | None = None,
    limit: int = sys.maxsize,
) -> tuple[Block, ...]:
    """Return the blocks of an element's text; leaves that `keep` refuses are left out, links are made absolute.

    `bare` blocks have no xpath, and their links are as written in the page: that takes half the time.
    `paths` are those asked for so far, where many elements of one page are cut. Past `limit` blocks the rest is left.
    """
    cutter = _Cutter(element, base_url, keep, None if bare else paths or Paths())
    walk = etree.iterwalk(element, events=("start", "end"))
    for event, node in walk:
        if event == "start":
            if not cutter.enter(node):
                walk.skip_subtree()
        else:
            cutter.leave(node)
            if node is not element and (tail := node.tail):
                cutter.add(tail)
            if len(cutter.blocks) >= limit:
                break
    cutter.flush()
    return tuple(cutter.blocks)


class _Cutter:
    """The state of one walk: open elements, and the run of text since the last border of a block."""

    def __init__(self, element: etree._Element, base_url: str | None, keep: Keep | None, paths: Paths | None) -> None:
        self.blocks: list[Block] = []
        self._base_url = base_url
        self._keep = keep
        self._paths = paths
        self._marks = Marks()
        self._breaks = 0  # since the last block
        self._last: etree._Element | None = None  # which the last block was of
        self._styles = [Style()]
        self._shapes = ["p"]
        self._owners = [element]  # the open block-level elements
        self._run: list[tuple[str, Style]] = []
        self._space = False  # white space seen since the last piece

    def enter(self, node: etree._Element) -> bool:
        """Open an element; False when its content is to be skipped."""
        tag = str(node.tag)
        if tag in BLOCK_LEVEL:
            if self._run:
                self.flush()
            above = self._shapes[-1]
            self._shapes.append(SHAPES.get(tag) or (above if above in INHERITED else "p"))
            self._owners.append(node)
            self._breaks += BREAKS.get(tag, 0)
        elif tag == "a" or tag in STYLES:
            self._styles.append(self._style_of(node, tag))
        elif tag in UNSEEN:
            return False
        if text := node.text:
            self.add(text)
        return True

    def leave(self, node: etree._Element) -> None:
        """Close an element."""
        tag = str(node.tag)
        if tag in BLOCK_LEVEL:
            if self._run:
                self.flush()
            self._shapes.pop()
            self._owners.pop()
        elif tag == "a" or tag in STYLES:
            self._styles.pop()

    def add(self, text: str) -> None:
        """Add a leaf to the run."""
        style = self._styles[-1]
        if self._keep is not None and not self._keep(text, style.in_link):
            self._space = True  # the words around it stay two words
            return
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
        spans: list[Span] = []
        for text, style in _merged(run):
            seen = strip_unseen(text)
            if seen:
                spans.append(Span(seen, style.href, style.strong, style.emphasis, style.code))
        if any(not span.text.isspace() for span in spans):
            self.blocks.append(self._block(tuple(spans)))

    def _block(self, spans: tuple[Span, ...]) -> Block:
        if not self._paths:
            return Block(spans, self._shapes[-1])
        owner = self._owners[-1]
        frame = next((each for each in self._owners[: -MAX_UP - 1 : -1] if each.tag in FRAMES), None)
        if frame is self._owners[0]:
            frame = None  # what is cut is no item of its own: many posts lie in the cells of one table
        mark = self._marks.of("".join([span.text for span in spans]), frame) if frame is not None else ""
        if self._breaks >= GAP and owner is self._last:
            mark += "\n"
        self._breaks, self._last = 0, owner
        return Block(spans, self._shapes[-1], self._paths.of(owner), mark)

    def _add_lines(self, text: str, style: Style) -> None:
        first, *others = text.splitlines() or [""]
        self._run.append((first, style))
        for line in others:
            self.flush()
            self._run.append((line.rstrip(), style))
        if text.endswith("\n"):
            self.flush()

    def _style_of(self, node: etree._Element, tag: str) -> Style:
        style = self._styles[-1]
        if tag == "a":
            href = node.get("href")
            return style._replace(in_link=True, href=absolute(href, self._base_url) if self._paths else href)
        match STYLES[tag]:
            case "strong":
                return style._replace(strong=True)
            case "emphasis":
                return style._replace(emphasis=True)
            case _:
                return style._replace(code=True)


def absolute(href: str | None, base_url: str | None) -> str | None:
    """Return a link's absolute http(s) URL, or None where it gives none."""
    if not href:
        return None
    try:
        url = urljoin(base_url or "", href.strip())
    except ValueError:
        return None
    return url if url.lower().startswith(("http://", "https://")) else None


def _merged(run: list[tuple[str, Style]]) -> Iterator[tuple[str, Style]]:
    """Join neighbours of one style."""
    for style, pieces in groupby(run, key=itemgetter(1)):
        yield "".join(text for text, _ in pieces), style
