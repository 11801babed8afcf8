"""Block, Span, Post, Evidence, Kind: the parts that a Document is made of."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

# The elements that a block's mark is about.
FRAMES = ("li", "dt", "dd", "td", "th", "pre")


class Kind(StrEnum):
    """What a page is."""

    ARTICLE = "article"
    THREAD = "thread"
    BOARD = "board"
    LISTING = "listing"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where a field's value was found, and how sure that is (0 to 1)."""

    source: str  # e.g. "json-ld", "meta article:published_time", "title ∩ h1"
    confidence: float = 1.0
    raw: str = ""  # the text it was read from

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON data, every field under its own name."""
        return {"source": self.source, "confidence": self.confidence, "raw": self.raw}


@dataclass(frozen=True, slots=True)
class Span:
    """A run of inline text with its formatting."""

    text: str
    href: str | None = None
    strong: bool = False
    emphasis: bool = False
    code: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    """One block of text: a line of Document.text."""

    spans: tuple[Span, ...]
    tag: str = "p"  # p, h1 to h6, li, blockquote, pre, td
    xpath: str = ""
    # What its place does not tell: an item's number, a cell's column, the language of code; "\n" for a line left blank.
    mark: str = ""

    @property
    def text(self) -> str:
        """The plain text of the block."""
        spans = self.spans
        return spans[0].text if len(spans) == 1 else "".join([span.text for span in spans])


@dataclass(frozen=True, slots=True)
class Image:
    """An image of the main text."""

    url: str  # absolute, http(s)
    alt: str = ""  # what the page says that it shows
    place: int = 0  # how many blocks of the document stand above it
    xpath: str = ""  # of the block-level element that it stands in

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON data, every field under its own name."""
        return {"url": self.url, "alt": self.alt, "place": self.place, "xpath": self.xpath}


@dataclass(frozen=True, slots=True)
class Post:
    """One author's part of a thread."""

    author: str | None
    published: datetime | None
    text: str
    position: int
    id: str | None = None
    permalink: str | None = None
    reply_to: str | None = None
    quotes: tuple[str, ...] = ()
    xpath: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON data, every field under its own name."""
        return {
            "author": self.author,
            "published": self.published.isoformat() if self.published else None,
            "text": self.text,
            "position": self.position,
            "id": self.id,
            "permalink": self.permalink,
            "reply_to": self.reply_to,
            "quotes": list(self.quotes),
            "xpath": self.xpath,
        }
