"""A page of which a test chooses the head, the line below the title and what follows, and its date."""

from datetime import UTC, datetime

from thresher.extraction.extractor import extract
from thresher.model import Document

NOW = datetime(2016, 6, 10, 12, 0, tzinfo=UTC)
META = '<meta property="article:published_time" content="2016-06-02T08:00:00Z">'
PROSE = "<p>The ferry to the islands runs again, and the harbour is as full as it was before the storm.</p>" * 3


def page(head: str = "", line: str = "", after: str = "") -> str:
    title = "The ferry runs again"
    head = f"<head><title>{title}</title>{head}</head>"
    return f"<html lang=en>{head}<body><h1>{title}</h1><div>{line}</div>{PROSE}{after}</body></html>"


def dated(html: str, url: str | None = None, fetched_at: datetime | None = NOW) -> Document:
    return extract(html, url, fetched_at=fetched_at)


def source(document: Document) -> str:
    return document.evidence["published"].source
