"""The table that a walk over a page fills: its block-level elements and its blocks as columns of numbers."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast

from lxml import etree

from thresher.extraction.fields.near import Lines, Shown

# Elements with a number of their own; all the others are 0.
_TAGS = (
    "other body div p article main section header footer nav aside ul ol li dl dt dd table tbody thead tfoot tr td th "
    "h1 h2 h3 h4 h5 h6 blockquote pre figure figcaption form fieldset center details summary address caption"
)
TAGS = _TAGS.split()
TAG_CODE = {tag: code for code, tag in enumerate(TAGS)}
SHAPE_NAMES = ("p", "h1", "h2", "h3", "h4", "h5", "h6", "li", "blockquote", "pre", "td")  # Block.tag, by number
SHAPE_CODE = {shape: code for code, shape in enumerate(SHAPE_NAMES)}

VOID_BORDERS = frozenset(("br", "hr", "col"))  # they part blocks and hold none
SOFT = frozenset(("button", "object", "video", "audio", "canvas", "map"))  # unseen unless they are swollen
SWOLLEN = 60  # elements inside; a button or video with a page inside was never closed
NOTED = ("class", "id", "itemprop", "role")  # attributes that are searched for hints

Style = tuple[bool, str | None, bool, bool, bool]  # in a link, its address as written, strong, emphasis, code
Run = list[tuple[str, int]]  # text and style of each piece
PLAIN: Style = (False, None, False, False, False)


def lines_of(table: "Table", limit: int, left_out: Sequence[tuple[int, int]] = ()) -> Sequence[Shown]:
    """Return the first blocks of a table, less some runs in order, as the fields see them."""
    texts, shapes = table.texts[:limit], table.shape[:limit]
    for first, end in reversed(left_out):
        del texts[first:end]
        del shapes[first:end]
    return cast("Sequence[Shown]", Lines(texts, shapes, SHAPE_NAMES))


def _ints() -> "array[int]":
    return array("i")


@dataclass(slots=True)
class Table:
    """A page as columns: its block-level elements in document order, and its blocks.

    An element's blocks are those from `first` up to `end`; element 0 is the body. A block's owner is the innermost
    block-level element around it.
    """

    parent: "array[int]" = field(default_factory=_ints)
    tag: "array[int]" = field(default_factory=_ints)
    hints: "array[int]" = field(default_factory=_ints)
    first: "array[int]" = field(default_factory=_ints)
    end: "array[int]" = field(default_factory=_ints)
    tags: "array[int]" = field(default_factory=_ints)  # elements of any kind inside, itself included
    nodes: Sequence[etree._Element] = field(default_factory=list)

    texts: list[str] = field(default_factory=list)
    owner: "array[int]" = field(default_factory=_ints)
    shape: "array[int]" = field(default_factory=_ints)
    linked: "array[int]" = field(default_factory=_ints)  # characters in links
    links: "array[int]" = field(default_factory=_ints)
    strong: "array[int]" = field(default_factory=_ints)  # characters in bold type
    inner: "array[int]" = field(default_factory=_ints)  # hints of the inline elements inside
    broken: "array[int]" = field(default_factory=_ints)  # 1 where a <br> or <hr> stands before it
    images: "array[int]" = field(default_factory=_ints)  # since the block before
    breaks: "array[int]" = field(default_factory=_ints)  # <br> since the block before; a rule counts as two
    runs: Sequence[Run] = field(default_factory=list)
    styles: Sequence[Style] = field(default_factory=list)
