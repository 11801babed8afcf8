"""Harvest one page: parse it once, discover its links, extract its document. Runs in a pool process."""

import json
from base64 import b64decode, b64encode
from dataclasses import replace
from datetime import UTC, datetime

from thresher.crawling.activity import with_activity
from thresher.crawling.editions import as_edition
from thresher.crawling.landing import Harvest, harvest_to_bytes
from thresher.crawling.overviews import is_locked, is_overview
from thresher.crawling.questions import answered
from thresher.crawling.threads import as_part
from thresher.discovery.links import discover_any, is_feed_or_sitemap
from thresher.discovery.listings import Experience
from thresher.discovery.metasearch import discover_results
from thresher.discovery.thread_links import sort_page_links, without_first_page
from thresher.errors import ExtractionError, NotHtml, PageTooLarge
from thresher.extraction.discussion import Posts
from thresher.extraction.extractor import extract_traced
from thresher.extraction.memory import SiteMemory
from thresher.extraction.memory_codec import memory_from_bytes, traces_to_bytes
from thresher.html import parse
from thresher.model import Kind, Link, Page

FAULTS = {NotHtml: "not-html", PageTooLarge: "too-large"}
LISTS = (Kind.BOARD, Kind.LISTING, Kind.OTHER)  # kinds that may list threads
KEPT_HEADERS = ("content-type", "link", "x-robots-tag")
_SENTENCE = "The ferry to the islands was late again on Tuesday, and people stood in the rain for more than an hour. "
PROBE = Page(
    "http://probe.invalid/",
    200,
    f"<title>The ferry is late</title><h1>The ferry is late</h1>{f'<p>{_SENTENCE * 3}</p>' * 4}".encode(),
    datetime(2020, 1, 1, tzinfo=UTC),
)


def harvest(
    page: Page,
    depth: int,
    algorithm: str | None,
    memory: SiteMemory | None = None,
    *,
    why: str = "page",
    experience: Experience | None = None,
) -> Harvest:
    """Return what a page holds; a page that cannot be read gives its fault and nothing else.

    With a memory of its site (an empty one will do) the page leaves its traces as well. `experience` helps to tell the
    items of a list. What is wanted as part of a thread is taken for one, though it may hold a single post; a further
    page of an article for none, though comments may be most of it.
    """
    try:
        if why == "search":
            results = discover_results(page, depth=depth)
            found = results.found
            return Harvest("search", None, found.links, found.skipped, noindex=found.noindex, note=results.note)
        medium = is_feed_or_sitemap(page.content_type, page.body)
        tree = None if medium else parse(page.body, url=page.url, content_type=page.content_type)
        found = discover_any(page, depth=depth, tree=tree)
        if tree is None or found.noindex:
            return Harvest(medium or "page", None, found.links, found.skipped, noindex=found.noindex)
        is_further = why == "continued" and found.pagination is not None and found.pagination.number > 1
        posts: Posts = "always" if why == "part" else "never" if is_further else "threads"
        document, traces = extract_traced(
            tree, fetched_at=page.fetched_at, algorithm=algorithm, memory=memory, posts=posts
        )
    except ExtractionError as error:
        return Harvest("none", fault=FAULTS.get(type(error), "unreadable"))
    first = found.pagination.first if found.pagination else page.url
    if why != "part" and is_overview(document, tree, {page.url, first, document.canonical_url or page.url}):
        document = replace(document, kind=Kind.BOARD if document.kind is Kind.THREAD else Kind.LISTING)
    elif is_locked(document, tree):
        document = replace(document, kind=Kind.OTHER)
    left = traces_to_bytes(traces) if traces else None
    links, skipped = without_first_page(found.links, found.pagination), found.skipped
    sorted_links = sort_page_links(links, page.url, found.pagination, document.kind, is_board=why == "board")
    links, skipped = sorted_links.links, skipped + sorted_links.left
    harvested = Harvest("page", document, links, skipped, traces=left)
    if document.kind in LISTS:
        return replace(harvested, links=with_activity(links, tree, page.url, page.fetched_at, experience))
    harvested = as_part(harvested, found.pagination, depth) if found.pagination else harvested
    return as_edition(harvested, tree, page.url, depth)


def request(
    page: Page, link: Link, algorithm: str | None, memory: bytes | None = None, experience: Experience | None = None
) -> bytes:
    """Encode a page, and the memory of its site if any, for a pool process: a line of JSON, then the body."""
    head = {
        "url": page.url,
        "status": page.status,
        "fetched_at": page.fetched_at.isoformat(),
        "headers": {name: page.headers[name] for name in KEPT_HEADERS if name in page.headers},
        "depth": link.depth,
        "why": link.why,
        "algorithm": algorithm,
        "memory": b64encode(memory).decode() if memory else None,
        "experience": experience,
    }
    return json.dumps(head).encode() + b"\n" + page.body


def answer(encoded: bytes) -> bytes:
    """Decode a request, harvest its page, encode what was found."""
    head, body = encoded.split(b"\n", 1)
    told = json.loads(head)
    if (reply := answered(told, body)) is not None:
        return reply
    at = datetime.fromisoformat(told["fetched_at"])
    page = Page(told["url"], told["status"], body, at, told["headers"])
    memory = memory_from_bytes(b64decode(told["memory"])) if told["memory"] else None
    found = harvest(page, told["depth"], told["algorithm"], memory, why=told["why"], experience=told["experience"])
    return harvest_to_bytes(found)
