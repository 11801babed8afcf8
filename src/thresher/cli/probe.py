"""`thresher probe`: what a crawl would do with a URL."""

import json
from collections import Counter
from typing import Any

import click

from thresher import urls, wiring
from thresher.cli.options import request_options, requests_in, settings
from thresher.cli.terminal import counted, show, show_data
from thresher.crawling.harvest import harvest
from thresher.crawling.judge import readable, refusal_of
from thresher.crawling.landing import Harvest
from thresher.crawling.reasons import meaning_of
from thresher.crawling.single import fetch_one
from thresher.discovery.feeds import feed_hubs
from thresher.model import Page
from thresher.text import printable, squeeze

SHOWN_ARTICLES = 10


@click.command("probe")
@click.argument("url")
@click.option("-f", "--format", "format_", type=click.Choice(["txt", "json"]), default="txt", show_default=True)
@click.option(
    "--allow-address", "allowed_addresses", multiple=True, help="Private address or network to allow (repeatable)."
)
@request_options
@click.pass_context
def command(ctx: click.Context, /, url: str, format_: str, allowed_addresses: tuple[str, ...], **flags: Any) -> None:
    """Fetch one URL and show what a crawl would do with it; store nothing."""
    wanted = urls.canonical(url if "://" in url else f"https://{url}")
    chosen = settings(ctx, allowed_addresses=allowed_addresses or None, **requests_in(ctx, flags, [wanted]))
    page = fetch_one(wanted, wiring.fetch_options(chosen))
    found = harvest(page, 0, None) if readable(page) else Harvest("none", fault="not-html")
    facts = _facts(page, found) | _verdict(found, require_date=chosen.require_date)
    if format_ == "json":
        show_data(json.dumps(facts, ensure_ascii=False, indent=2))
        return
    for name, value in facts.items():
        shown = ", ".join(f"{k} {v}" for k, v in value.items()) if isinstance(value, dict) else value
        show(f"{name + ':':<14}{squeeze(printable(str(shown)))}")


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
    part = f"{counted(len(document.posts), 'post')} on page {found.part} of {found.thread}"
    return facts | {
        "kind": f"{document.kind} (confidence {document.confidence:.2f})",
        **({"thread": part} if found.thread else {}),
        "title": document.title,
        "published": document.published.isoformat() if document.published else "unknown",
        "authors": ", ".join(document.authors) or "unknown",
        "language": document.language or "unknown",
        "text": f"{counted(len(document.text), 'character')}: {document.text[:200]!r}",
    }


def _feeds(found: Harvest) -> str:
    """Name the feeds that a page announces; the links of a feed itself are its items."""
    return " ".join(link.url for link in found.links if link.why == "feed" and found.medium == "page")


def _articles(found: Harvest) -> str:
    """Name the links of a listing that lead to what it lists, as many as fit on a screen."""
    links = [link.url for link in found.links if link.why == "article"]
    more = [f"and {len(links) - SHOWN_ARTICLES} more"] if len(links) > SHOWN_ARTICLES else []
    return " ".join([*links[:SHOWN_ARTICLES], *more])


def _verdict(found: Harvest, *, require_date: bool) -> dict[str, str]:
    reason = refusal_of(found, require_date=require_date)
    return {"would store": f"no, {reason}: {meaning_of(reason)}" if reason else "yes"}
