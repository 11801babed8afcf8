"""Words of the store's contract tests: pages, documents, posts and fates with what they need and no more."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

from thresher.model import Block, Document, Evidence, Fate, Kind, Page, Post, Span, Verdict
from thresher.store.contract import Store

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
URL = "https://example.com/a"


def fate(url: str = URL, *, run: int = 1, state: str = "stored", reason: str = "stored", **values: Any) -> Fate:
    return Fate(url, run, state, reason, **{"at": NOW, **values})


def page(url: str = URL, *, status: int = 200, body: bytes = b"<p>Hello</p>", **values: Any) -> Page:
    return Page(url, status, body, **{"fetched_at": NOW, "headers": {"content-type": "text/html"}, **values})


def document(url: str = URL, **values: Any) -> Document:
    blocks = (Block((Span("Hello "), Span("world", href="https://example.com/w", strong=True)), "p", "/p[1]"),)
    return Document(url, Kind.ARTICLE, 0.9, **{"title": "Hello", "blocks": blocks, **values})


def post(position: int, text: str = "text", **values: Any) -> Post:
    return Post(text=text, position=position, **{"author": f"author {position}", "published": None, **values})


def full_document() -> Document:
    return document(
        authors=("Ann", "李四"),
        published=datetime(2026, 11, 1, 8, tzinfo=timezone(timedelta(hours=8))),
        language="zh",
        description="d",
        image="https://example.com/i.png",
        links=("https://example.com/w",),
        posts=(post(1, id="p1", quotes=("q",), permalink="#1"), post(2, reply_to="p1", published=NOW)),
        canonical_url="https://example.com/other",
        site="example.com",
        site_name="Example",
        algorithm="cevc",
        verdict=Verdict(("no-date",)),
        evidence={"title": Evidence("h1", 0.5, "Hello")},
    )


def texts(store: Store, url: str) -> list[str]:
    found = store.document(url)
    assert found
    return [part.text for part in found.posts]
