"""What a crawl would do with one page: facts for people and programs, told before anything is stored."""

from collections import Counter
from typing import Any

from thresher.crawling.judge import refusal_of
from thresher.crawling.landing import Harvest
from thresher.crawling.reasons import meaning_of
from thresher.discovery.feeds import feed_hubs
from thresher.model import Page
from thresher.model.document import CALIBRATED

SHOWN_ARTICLES = 10


def probe_facts(page: Page, found: Harvest, *, require_date: bool, min_confidence: float = 0.0) -> dict[str, Any]:
    """Return what a page is, what is found on it, and whether it would be stored."""
    return _facts(page, found) | _verdict(found, require_date=require_date, min_confidence=min_confidence)


def _facts(page: Page, found: Harvest) -> dict[str, Any]:
    document = found.document
    facts: dict[str, Any] = {
        "url": page.url,
        "status": page.status,
        "type": page.content_type,
        "bytes": len(page.body),
        "robots": "allowed" + (f", Crawl-delay {page.crawl_delay_s:g} s" if page.crawl_delay_s else ""),
        "medium": found.medium if not found.fault else f"{found.medium} ({found.fault})",
        "links": dict(Counter(link.why for link in found.links)) or "none",
        "not followed": dict(Counter(reason for _, reason in found.skipped)) or "none",
        "feeds": _feeds(found) or "none",
        "articles": _articles(found) or "none",
    }
    if found.medium == "feed":
        hubs = feed_hubs(page.body, page.url, page.headers.get("link", ""))
        facts["hubs"] = " ".join(hubs) or "none"
    if document is None:
        return facts | {"kind": "no document"}
    part = f"{_counted(len(document.posts), 'post')} on page {found.part} of {found.thread}"
    return facts | {
        "kind": f"{document.kind} (confidence {document.confidence:.2f})",
        "confidence": {name: f"{document.chance_of(name):.2f}" for name in CALIBRATED if name in document.evidence},
        **({"thread": part} if found.thread else {}),
        "title": document.title,
        "published": document.published.isoformat() if document.published else "unknown",
        "authors": ", ".join(document.authors) or "unknown",
        "language": document.language or "unknown",
        "text": f"{_counted(len(document.text), 'character')}: {document.text[:200]!r}",
    }


def _feeds(found: Harvest) -> str:
    """Name the feeds that a page announces; the links of a feed itself are its items."""
    return " ".join(link.url for link in found.links if link.why == "feed" and found.medium == "page")


def _articles(found: Harvest) -> str:
    """Name the links of a listing that lead to what it lists, as many as fit on a screen."""
    links = [link.url for link in found.links if link.why == "article"]
    more = [f"and {len(links) - SHOWN_ARTICLES} more"] if len(links) > SHOWN_ARTICLES else []
    return " ".join([*links[:SHOWN_ARTICLES], *more])


def _verdict(found: Harvest, *, require_date: bool, min_confidence: float) -> dict[str, str]:
    reason = refusal_of(found, require_date=require_date, min_confidence=min_confidence)
    return {"would store": f"no, {reason}: {meaning_of(reason)}" if reason else "yes"}


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
