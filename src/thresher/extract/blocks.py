"""Cut a part of a page into Blocks: runs of inline text under one block-level element, in reading order."""

import re
from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import urljoin

from lxml import etree

from thresher.extract.tags import BLOCK_LEVEL, INHERITED, SHAPES, STYLES, UNSEEN
from thresher.model import Block, Span
from thresher.text import strip_unseen

Keep = Callable[[str, bool], bool]  # a leaf's text and whether it lies in a link → whether it is wanted

_MAX_PATH_DEPTH = 64  # deeper elements get no xpath: a hostile page would fill the memory with them
_PLAIN_NAME = re.compile(r"[a-z][a-z0-9]*")


class Style(NamedTuple):
    """The formatting that a leaf has from the elements around it."""

    in_link: bool = False
    href: str | None = None
    strong: bool = False
    emphasis: bool = False
    code: bool = False


def cut(element: etree._Element, *, base_url: str | None = None, keep: Keep | None = None) -> tuple[Block, ...]:
    """Return the blocks of an element's text; leaves that `keep` refuses are left out, links are made absolute."""
    cutter = _Cutter(element, base_url, keep)
    walk = etree.iterwalk(element, events=("start", "end"))
    for event, node in walk:
        if event == "start":
            if not cutter.enter(node):
                walk.skip_subtree()
        else:
            cutter.leave(node)
            if node is not element and node.tail:
                cutter.add(node.tail)
    cutter.flush()
    return tuple(cutter.blocks)


def path_of(element: etree._Element) -> str:
    """Return the XPath of an element, every step with its position."""
    steps: list[str] = []
    node: etree._Element | None = element
    while node is not None:
        parent = node.getparent()
        same = "*" if not _PLAIN_NAME.fullmatch(str(node.tag)) else str(node.tag)
        before = sum(1 for _ in node.itersiblings(same, preceding=True)) if parent is not None else 0
        steps.append(f"{same}[{before + 1}]" if parent is not None else same)
        node = parent
    return "/" + "/".join(reversed(steps))


class _Cutter:
    """The state of one walk: open elements, and the run of text since the last border of a block."""

    def __init__(self, element: etree._Element, base_url: str | None, keep: Keep | None) -> None:
        self.blocks: list[Block] = []
        self._base_url = base_url
        self._keep = keep
        self._root = element
        self._path = [path_of(element)]
        self._counts: list[dict[str, int]] = [{}]  # by open element: how many children of each name came so far
        self._styles = [Style()]
        self._shapes = ["p"]
        self._owners = [self._path[0]]  # by open block-level element: its xpath
        self._run: list[tuple[str, Style]] = []
        self._space = False  # white space seen since the last piece

    def enter(self, node: etree._Element) -> bool:
        """Open an element; False when its content is to be skipped."""
        tag = str(node.tag)
        if node is not self._root:
            self._step_into(tag)
        seen = tag not in UNSEEN
        if tag in BLOCK_LEVEL:
            self.flush()
            above = self._shapes[-1]
            self._shapes.append(SHAPES.get(tag) or (above if above in INHERITED else "p"))
            self._owners.append("/".join(self._path) if len(self._path) <= _MAX_PATH_DEPTH else "")
        elif tag == "a" or tag in STYLES:
            self._styles.append(self._style_of(node, tag))
        if seen and node.text:
            self.add(node.text)
        return seen

    def leave(self, node: etree._Element) -> None:
        """Close an element."""
        tag = str(node.tag)
        if tag in BLOCK_LEVEL:
            self.flush()
            self._shapes.pop()
            self._owners.pop()
        elif tag == "a" or tag in STYLES:
            self._styles.pop()
        if node is not self._root:
            self._path.pop()
            self._counts.pop()

    def add(self, text: str) -> None:
        """Add a leaf to the run."""
        style = self._styles[-1]
        if self._keep is not None and not self._keep(text, style.in_link):
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
            self.blocks.append(Block(tuple(spans), self._shapes[-1], self._owners[-1]))

    def _add_lines(self, text: str, style: Style) -> None:
        first, *others = text.splitlines() or [""]
        self._run.append((first, style))
        for line in others:
            self.flush()
            self._run.append((line.rstrip(), style))
        if text.endswith("\n"):
            self.flush()

    def _step_into(self, tag: str) -> None:
        name = tag if _PLAIN_NAME.fullmatch(tag) else "*"
        counts = self._counts[-1]
        counts[tag] = counts.get(tag, 0) + 1
        counts["*"] = counts.get("*", 0) + 1
        self._path.append(f"{name}[{counts[name]}]")
        self._counts.append({})

    def _style_of(self, node: etree._Element, tag: str) -> Style:
        style = self._styles[-1]
        if tag == "a":
            return style._replace(in_link=True, href=absolute(node.get("href"), self._base_url))
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


def _merged(run: list[tuple[str, Style]]) -> list[tuple[str, Style]]:
    """Join neighbours of one style."""
    merged: list[tuple[str, Style]] = []
    for text, style in run:
        if merged and merged[-1][1] == style:
            merged[-1] = (merged[-1][0] + text, style)
        else:
            merged.append((text, style))
    return merged
