"""Document, Post, Evidence: what extraction keeps of a page."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum


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


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a Document is worth storing; `faults` names each check that failed."""

    faults: tuple[str, ...] = ()  # short-title, short-text, no-date, future-date …

    @property
    def valid(self) -> bool:
        """True when no check failed."""
        return not self.faults


@dataclass(frozen=True, slots=True)
class Document:
    """An article or a thread (or what else the page turned out to be)."""

    url: str | None
    kind: Kind
    confidence: float
    title: str = ""
    blocks: tuple[Block, ...] = ()
    authors: tuple[str, ...] = ()
    published: datetime | None = None
    language: str | None = None
    description: str | None = None
    image: str | None = None
    links: tuple[str, ...] = ()  # in the main text, absolute
    posts: tuple[Post, ...] = ()
    canonical_url: str | None = None  # what the page says; evidence, never the key
    site: str | None = None  # registrable domain, or host
    site_name: str | None = None
    algorithm: str = ""
    verdict: Verdict = field(default_factory=Verdict)
    evidence: Mapping[str, Evidence] = field(default_factory=dict)  # by field name

    @property
    def text(self) -> str:
        """The main text, one block a line."""
        return "\n".join(block.text for block in self.blocks)
