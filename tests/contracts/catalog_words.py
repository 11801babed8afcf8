"""Words of the catalog's contract tests: sources, endpoints, rounds and verdicts with what they need and no more."""

from datetime import UTC, datetime
from typing import Any

from thresher.model import Endpoint, EndpointKind, Judged, Round, Source, SourceKind

NOW = datetime(2026, 11, 16, 12, 30, tzinfo=UTC)
FEED = "https://example.com/feed.xml"


def source(name: str = "example", **values: Any) -> Source:
    given = {"kind": SourceKind.SITE, "address": "https://example.com/", "created_at": NOW}
    return Source(name=name, **{**given, **values})


def endpoint(url: str = FEED, *, source: str = "example", **values: Any) -> Endpoint:
    return Endpoint(source=source, url=url, **{"kind": EndpointKind.FEED, **values})


def visit(at: datetime = NOW, url: str = FEED, *, source: str = "example", **values: Any) -> Round:
    return Round(source=source, url=url, at=at, **{"status": 200, **values})


def judged(number: int = 1, *, source: str = "example", at: datetime = NOW, **values: Any) -> Judged:
    given = {"stored": True, "reason": "article"}
    return Judged(source=source, url=f"https://example.com/{number}", at=at, **{**given, **values})
