"""Answer: what a site replies to one request, before any network."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import format_datetime


@dataclass(frozen=True, slots=True)
class Answer:
    """One HTTP reply; `delay_s` is waited first, and `at_first` replaces it the first time it is asked for."""

    status: int = 200
    body: bytes = b""
    content_type: str = "text/html; charset=utf-8"
    headers: Mapping[str, str] = field(default_factory=dict)
    modified: datetime | None = None
    delay_s: float = 0.0
    at_first: "Answer | None" = None


def page(html: str, *, encoding: str = "utf-8", declared: bool = True, modified: datetime | None = None) -> Answer:
    """Return an HTML page in an encoding, which the Content-Type names only when `declared`."""
    content_type = f"text/html; charset={encoding}" if declared else "text/html"
    return Answer(body=html.encode(encoding, "xmlcharrefreplace"), content_type=content_type, modified=modified)


def xml(text: str, content_type: str = "application/xml") -> Answer:
    """Return an XML document."""
    return Answer(body=text.encode(), content_type=f"{content_type}; charset=utf-8")


def redirect(location: str, status: int = 301) -> Answer:
    """Return a redirect with the short body that servers send along."""
    return Answer(status, b"<!DOCTYPE html><title>Moved</title><h1>Moved</h1>\n", headers={"Location": location})


def missing() -> Answer:
    """Return a 404 page."""
    return Answer(404, b"<!DOCTYPE html><html><head><title>Not found</title></head><body><h1>404</h1></body></html>")


def http_date(moment: datetime) -> str:
    """Return an aware UTC moment in the form of HTTP headers."""
    return format_datetime(moment, usegmt=True)
