"""Document: what extraction keeps of a page, and how it is written down."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, time
from typing import Any

from thresher.model.content import Block, Evidence, Image, Kind, Post
from thresher.model.rendering.render import to_html, to_markdown
from thresher.text import fingerprint


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a Document is worth storing; `faults` names each check that failed."""

    faults: tuple[str, ...] = ()  # short-title, short-text, no-date, future-date …

    @property
    def valid(self) -> bool:
        """True when no check failed."""
        return not self.faults


MOST_LAG_S = 3 * 86_400  # what was older when it came was no news that anybody waited for
CALIBRATED = ("text", "title", "published", "authors")  # whose evidence says how probably they are right


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
    images: tuple[Image, ...] = ()  # of the main text, in order; only where they were asked for
    sources: tuple[str, ...] = ()  # names of those that led to it, the first one first; none after a plain crawl
    copy_group: str | None = None  # what its copies share, nearly the same ones too; None: nobody has looked

    @property
    def text(self) -> str:
        """The main text, one block a line; of a thread what its posts say."""
        if self.kind is Kind.THREAD and self.posts:
            return "\n".join([post.text for post in self.posts if post.text])
        return "\n".join([block.text for block in self.blocks])

    @property
    def text_hash(self) -> str | None:
        """What copies of the text share (see `fingerprint`); None for a text too short to tell."""
        return fingerprint(self.text)

    def chance_of(self, name: str) -> float:
        """Return the probability that a field (or `text`) is right; 0 where the page does not tell it."""
        evidence = self.evidence.get(name)
        return evidence.confidence if evidence else 0.0

    def lag_s(self, now: datetime) -> float | None:
        """Return the seconds since it was published; None where only the day is known, or it was no news any more."""
        published = self.published
        if published is None or published.tzinfo is None or published.time() == time():
            return None
        lag_s = (now - published).total_seconds()
        return round(lag_s, 1) if 0 <= lag_s <= MOST_LAG_S else None

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON data, every field under its own name; the text, but not the blocks it is made of."""
        return {
            "url": self.url,
            "kind": self.kind.value,
            "title": self.title,
            "text": self.text,
            **fields_of(self),
            "posts": [post.to_dict() for post in self.posts],
        }

    def markdown(self) -> str:
        """Return the title as a heading, then the text; of a thread the posts, below an article its comments."""
        return to_markdown(self)

    def html(self) -> str:
        """Return an <article> of clean HTML: escaped, without scripts, fit to be shown inside any page."""
        return to_html(self)


def fields_of(document: Document) -> dict[str, Any]:
    """Return the fields of a document as JSON data, without its text, blocks and posts.

    Images and sources are left out where there are none.
    """
    sources = {"sources": list(document.sources)} if document.sources else {}
    images = {"images": [image.to_dict() for image in document.images]} if document.images else {}
    return {
        "url": document.url,
        "canonical_url": document.canonical_url,
        "site": document.site,
        "site_name": document.site_name,
        "kind": document.kind.value,
        "confidence": document.confidence,
        "title": document.title,
        "authors": list(document.authors),
        "published": document.published.isoformat() if document.published else None,
        "language": document.language,
        "description": document.description,
        "image": document.image,
        "links": list(document.links),
        "algorithm": document.algorithm,
        "verdict": list(document.verdict.faults),
        "evidence": {name: evidence.to_dict() for name, evidence in document.evidence.items()},
        **images,
        **sources,
    }
