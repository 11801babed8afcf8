"""Cut a page's source into Lines, as written or re-flowed at block-level tags: the unit of line-based methods."""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from html import unescape
from typing import Literal, NamedTuple

from thresher.errors import UsageError
from thresher.extraction.blocks import absolute
from thresher.extraction.markup import VOID, Tag, tags_of, without
from thresher.extraction.tags import BLOCK_LEVEL, SHAPES, UNSEEN
from thresher.model import Block, Span
from thresher.text import clean, squeeze, strip_unseen

Layout = Literal["source", "flowed"]
LAYOUTS: tuple[Layout, ...] = ("source", "flowed")
MAX_LINES = 100_000  # of a page; what follows is not read. A page of 10 MB has 40,000

_NEWLINE = re.compile(r"\r\n?|\n")
_HREF = re.compile(r"""\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)


class Piece(NamedTuple):
    """A run of a line's content, as HTML; `href` is that of the link it lies in, None outside of links."""

    content: str
    href: str | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a page's source, white space squeezed and what was asked to be dropped left out; never blank."""

    markup: str  # tags and content
    pieces: tuple[Piece, ...]  # the content between the tags
    tags: int  # start and end tags
    links: int  # <a href> that start here
    images: int  # <img>
    shape: str  # of its first block-level tag: p, h1 to h6, li, blockquote, pre, td

    @property
    def content(self) -> str:
        """What stands between the tags, as HTML: references such as &amp; are kept."""
        return squeeze("".join(piece.content for piece in self.pieces))

    @property
    def text(self) -> str:
        """What a reader sees."""
        return clean(unescape("".join(piece.content for piece in self.pieces)))

    @property
    def link_text(self) -> str:
        """What a reader sees as links."""
        return clean(unescape(" ".join(piece.content for piece in self.pieces if piece.href is not None)))


def lines_of(
    source: str, *, layout: Layout = "source", drop: Collection[str] = UNSEEN, bare: bool = True
) -> list[Line]:
    """Return the lines between <body> and </body>, or of all the source where there is no <body>.

    `drop` names the elements to leave out with all that is in them; comments always are. "source" ends a line where
    the source does, but not inside a tag or in what is dropped; "flowed" ends it before and after each block-level
    element instead, so that minified and wrapped sources come out alike. `bare` keeps lines that have tags only. Lines
    beyond MAX_LINES are not read. Raise UsageError for another layout.
    """
    gatherer = _Gatherer(source, layout_named(layout) == "flowed")
    position, end, tags = _body_of(source, list(tags_of(source)))
    for tag in without(tags, drop):
        gatherer.add_text(position, tag.start)
        gatherer.add_tag(tag)
        position = tag.end
        if len(gatherer.lines) > MAX_LINES:
            break
    else:
        gatherer.add_text(position, end)
        gatherer.flush()
    del gatherer.lines[MAX_LINES:]
    return gatherer.lines if bare else [line for line in gatherer.lines if line.text]


def layout_named(name: str) -> Layout:
    """Return the layout of this name; raise UsageError when there is none."""
    if name not in LAYOUTS:
        raise UsageError(f"unknown line layout {name!r}; choose one of {', '.join(LAYOUTS)}")
    return LAYOUTS[LAYOUTS.index(name)]


def block_of(line: Line, base_url: str | None = None) -> Block | None:
    """Return the line as a Block with its links; None when a reader sees nothing of it."""
    spans: list[Span] = []
    gap = False  # white space since the last word
    for piece in line.pieces:
        text = strip_unseen(unescape(piece.content))
        words = text.split()
        if words:
            space = " " if spans and (gap or text[0].isspace()) else ""
            spans.append(Span(space + " ".join(words), absolute(piece.href, base_url)))
        gap = (gap and not words) or text[-1:].isspace()
    return Block(tuple(spans), line.shape) if spans else None


def blocks_of(lines: Iterable[Line], base_url: str | None = None) -> tuple[Block, ...]:
    """Return the lines as Blocks, without those of which a reader sees nothing."""
    blocks = (block_of(line, base_url) for line in lines)
    return tuple(block for block in blocks if block)


class _Gatherer:
    """The state of one pass over the source: what has been gathered since the last end of a line."""

    def __init__(self, source: str, flowed: bool) -> None:
        self.lines: list[Line] = []
        self._source = source
        self._flowed = flowed
        self._href: str | None = None  # of the link that is open
        self._markup: list[str] = []
        self._pieces: list[Piece] = []
        self._tags = self._links = self._images = 0
        self._shape = ""

    def add_text(self, start: int, end: int) -> None:
        """Add what stands between two tags."""
        if start >= end:
            return
        text = self._source[start:end]
        if self._flowed:
            self._add(text)
            return
        first, *others = _NEWLINE.split(text, MAX_LINES)
        self._add(first)
        for each in others:
            self.flush()
            self._add(each)

    def add_tag(self, tag: Tag) -> None:
        """Add a tag; block-level ones end the line where lines are re-flowed, and are a gap between words anyway."""
        is_block = tag.name in BLOCK_LEVEL
        if is_block and self._flowed and (tag.dropped or not (tag.closing or tag.name in VOID)):
            self.flush()
        if not tag.dropped:
            self._count(tag)
        if is_block:
            self._pieces.append(Piece(" ", self._href))
            if self._flowed and (tag.dropped or tag.closing or tag.name in VOID):
                self.flush()

    def flush(self) -> None:
        """End the line; a blank one is left out."""
        markup = squeeze("".join(self._markup))
        if markup:
            counts = (self._tags, self._links, self._images)
            self.lines.append(Line(markup, tuple(self._pieces), *counts, self._shape or "p"))
        self._markup, self._pieces = [], []
        self._tags = self._links = self._images = 0
        self._shape = ""

    def _add(self, text: str) -> None:
        if text:
            self._markup.append(text)
            self._pieces.append(Piece(text, self._href))

    def _count(self, tag: Tag) -> None:
        markup = self._source[tag.start : tag.end]
        self._markup.append(markup)
        self._tags += 1
        self._shape = self._shape or SHAPES.get(tag.name, "")
        if tag.name == "a":
            self._href = None if tag.closing else _href_in(markup)
            self._links += self._href is not None
        elif tag.name == "img":
            self._images += 1


def _href_in(markup: str) -> str | None:
    found = _HREF.search(markup)
    return unescape(found[1] or found[2] or found[3] or "") if found else None


def _body_of(source: str, tags: list[Tag]) -> tuple[int, int, list[Tag]]:
    """Return where the body starts and ends, and the tags in it; where none is marked it is all after the head."""
    start, first = 0, 0
    end, last = len(source), len(tags)
    for number, tag in enumerate(tags):
        if tag.name == "head" and tag.closing:
            start, first = tag.end, number + 1
        elif tag.name == "body" and not tag.closing:
            start, first = tag.end, number + 1
            break
    for number in range(len(tags) - 1, first - 1, -1):
        if tags[number].name == "body" and tags[number].closing:
            end, last = tags[number].start, number
            break
    return start, end, tags[first:last]
