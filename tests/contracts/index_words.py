"""Words of the index's contract tests: documents, and what a query finds."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from thresher.index.contract import Index
from thresher.index.query import parse
from thresher.model import Block, Document, Hit, Kind, Span

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


def document(url: str = "https://example.com/a", text: str = "Nothing much happened.", **fields: Any) -> Document:
    blocks = tuple(Block((Span(line),)) for line in text.split("\n"))
    return replace(Document(url, Kind.ARTICLE, 0.9, title="Untitled", blocks=blocks), **fields)


def found(index: Index, query: str, sort: str = "relevance") -> list[str]:
    """The paths of the hits, in order."""
    page = index.search(parse(query, NOW), limit=100, sort=sort)
    assert page.total == len(page.hits)
    return [hit.url.removeprefix("https://example.com/") for hit in page.hits]


def only_hit(index: Index, query: str) -> Hit:
    page = index.search(parse(query, NOW))
    assert page.total == 1
    return page.hits[0]


def marked(hit: Hit) -> list[str]:
    return [hit.snippet[start:end] for start, end in hit.marks]
