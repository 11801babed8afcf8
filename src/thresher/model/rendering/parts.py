"""The parts that a text is made of: paragraphs, code, quotations, lists, terms and tables."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from thresher.model.content import Block, Image, Span


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph, or a heading of a level from 1 to 6; of several lines where the page breaks them."""

    level: int  # 0: no heading
    lines: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Code:
    """Lines of code."""

    language: str  # empty where the page tells none
    lines: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Quote:
    """A quotation."""

    parts: tuple["Part", ...]


@dataclass(frozen=True, slots=True)
class Item:
    """An item of a list, or a term or a definition."""

    parts: tuple["Part", ...]
    number: int = 0  # as shown, in a list with numbers
    is_term: bool = False


@dataclass(frozen=True, slots=True)
class Listing:
    """A list with numbers or without, or one of terms and definitions."""

    kind: str  # ol, ul or dl
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table; without parts where it is empty."""

    parts: tuple["Part", ...] = ()
    is_head: bool = False


@dataclass(frozen=True, slots=True)
class Grid:
    """A table of data; all rows have the same number of cells."""

    caption: tuple[Block, ...]
    head: tuple[Cell, ...]  # the first row where it names the columns, else empty
    rows: tuple[tuple[Cell, ...], ...]


Part = Text | Code | Quote | Listing | Grid

IMAGE = "img"  # the tag of a block that is an image: its span is what it shows, and its address


def with_images(blocks: Sequence[Block], images: Iterable[Image], first: int = 0) -> Sequence[Block]:
    """Return blocks with images among them, as blocks; `first` is the place of the first block in the document."""
    among = list(blocks)
    for added, image in enumerate(images):
        block = Block((Span(image.alt, image.url),), IMAGE, image.xpath)
        among.insert(max(image.place - first, 0) + added, block)
    return among
