"""A page, feed or sitemap → Links worth fetching."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from typing import NamedTuple

from thresher import urls
from thresher.discovery.boards import board_references
from thresher.discovery.feeds import feed_references
from thresher.discovery.kinds import is_feed_or_sitemap
from thresher.discovery.link_header import header_references
from thresher.discovery.not_pages import is_page
from thresher.discovery.pagination import Pagination, find_pagination
from thresher.discovery.references import Reference, html_references
from thresher.discovery.robots_meta import Wishes, wishes
from thresher.discovery.sitemaps import is_sitemap_file, sitemap_references, sitemaps_from_robots
from thresher.errors import UsageError
from thresher.html import Tree, parse
from thresher.model import Link, Page

__all__ = [
    "Found",
    "discover",
    "discover_any",
    "discover_feed",
    "discover_sitemap",
    "is_feed_or_sitemap",
    "priority_of",
    "sitemaps_from_robots",
]

MAX_LINKS = 10_000  # different targets read from one page; of 1,397 real pages one has 3,845, the next 645
MAX_LISTED = 50_000  # from one feed or sitemap: the sitemap protocol's own limit
# Higher is leased first. Feeds tell what is new; sitemaps list the whole archive. A listing's next page comes after the
# pages that it lists: what is new stands on its first page. A "part" is another page of the same thread, "continued"
# one of the same article: both are as far from the start as the page that leads to them. A forum's threads come first,
# those last active before the others, then its boards, whatever their depth. A "subfeed" is the feed of a page below
# the start, "comments" one of comments. The files of a sitemap come before the pages that no list names as its items:
# then it is known what the site has. "moved" is the old address of a document that another one shows now.
PRIORITIES = {"start": 10, "search": 10, "redirect": 9, "feed": 8, "result": 8, "thread": 7, "board": 6, "part": 6}
PRIORITIES |= {
    "article": 7,
    "next": 6,
    "page": 6,
    "continued": 6,
    "moved": 6,
    "subfeed": 3,
    "comments": 3,
    "sitemap": 2,
}
REASONS = tuple(PRIORITIES)  # best first
SITEMAP_FILE = 6
LEAST_PAGE_PRIORITY = 3  # pages lose one for each step away from a start, down to this
AWAY = ("article", "page", "next", "part", "continued")
_Told = tuple[str, str, str | None, Reference]
_OTHER_SCHEME = re.compile(r"\s*(?!https?:)[a-z][a-z0-9+.-]*:", re.IGNORECASE)  # mailto:, javascript: and the like


@dataclass(frozen=True, slots=True)
class Found:
    """The links of one document, those left with the reason, and whether it asks not to be kept or followed."""

    links: tuple[Link, ...] = ()
    skipped: tuple[tuple[str, str], ...] = ()  # URL, and why: nofollow, not-a-page, bad-url, sign-in, too-many-links …
    noindex: bool = False
    nofollow: bool = False
    pagination: Pagination | None = None  # of an HTML page


def discover_any(page: Page, *, depth: int = 0, tree: Tree | None = None, agent: str = "thresher") -> Found:
    """Return what a fetched document of any kind leads to; raise ExtractionError for a page that cannot be parsed.

    `depth` is the document's own, `tree` the page where it is parsed already.
    """
    robots_tag = page.headers.get("x-robots-tag", "")
    kind = is_feed_or_sitemap(page.content_type, page.body)
    if kind == "feed":
        return discover_feed(page.body, page.url, page.content_type, depth=depth, robots_tag=robots_tag, agent=agent)
    if kind == "sitemap":
        return discover_sitemap(page.body, page.url, depth=depth, robots_tag=robots_tag, agent=agent)
    tree = tree or parse(page.body, url=page.url, content_type=page.content_type)
    named = header_references(page.headers.get("link", ""))
    return discover(tree, page.url, depth=depth, robots_tag=robots_tag, agent=agent, named=named)


def discover(
    tree: Tree,
    url: str,
    *,
    depth: int = 0,
    robots_tag: str = "",
    agent: str = "thresher",
    named: Iterable[Reference] = (),
) -> Found:
    """Return what an HTML page links to; `robots_tag` is its X-Robots-Tag header, `named` what other headers say."""
    asked = wishes(tree.root, robots_tag, agent=agent)
    place = Place(url, depth, base_of(tree, url), tree.encoding or "utf-8")
    references: Iterable[Reference] = chain(named, board_references(tree.root, html_references(tree.root)))
    if depth > 0:
        references = (each._replace(why="subfeed") if each.why == "feed" else each for each in references)
    found = judge(references, asked, place, limit=MAX_LINKS)
    return replace(found, pagination=find_pagination(tree, url))


def discover_feed(
    body: bytes, url: str, content_type: str = "", *, depth: int = 0, robots_tag: str = "", agent: str = "thresher"
) -> Found:
    """Return the entries of an RSS, Atom or JSON feed, and its next page; nothing when it cannot be read."""
    references = feed_references(body, url, content_type)
    return judge(references, wishes(None, robots_tag, agent=agent), Place(url, depth, url), limit=MAX_LISTED)


def discover_sitemap(body: bytes, url: str, *, depth: int = 0, robots_tag: str = "", agent: str = "thresher") -> Found:
    """Return the pages of a sitemap or the sitemaps of an index; nothing when it cannot be read."""
    references = sitemap_references(body)
    return judge(references, wishes(None, robots_tag, agent=agent), Place(url, depth, url), limit=MAX_LISTED)


def priority_of(why: str, depth: int) -> int:
    """Return how early a link is leased: higher is earlier."""
    return max(LEAST_PAGE_PRIORITY, PRIORITIES[why] - depth) if why in AWAY else PRIORITIES[why]


class Place(NamedTuple):
    """Where references stand."""

    url: str
    depth: int
    base: str
    encoding: str = "utf-8"


def base_of(tree: Tree, url: str) -> str:
    """Return the canonical URL that a page's references are relative to."""
    try:
        return urls.canonical(tree.base_url or url)
    except UsageError:
        return url


def judge(references: Iterable[Reference], asked: Wishes, place: Place, *, limit: int) -> Found:
    """Keep each target once, in document order, for the best reason it is named for; say why the others are left."""
    links: dict[str, Link] = {}
    skipped: dict[str, str] = {}
    depth = place.depth + 1
    for target, why, refusal, told in _targets(references, place, limit):
        if refusal or asked.nofollow:
            skipped.setdefault(target, refusal or "nofollow")
            continue
        known = links.get(target)
        if known is None or (known.why != why and REASONS.index(why) < REASONS.index(known.why)):
            priority = SITEMAP_FILE if is_sitemap_file(target, why) else priority_of(why, depth)
            links[target] = Link(target, depth, why, place.url, priority=priority, active_at=told.date, mark=told.mark)
    left = tuple(item for item in skipped.items() if item[0] not in links)
    return Found(tuple(links.values()), left, asked.noindex, asked.nofollow)


def _targets(references: Iterable[Reference], place: Place, limit: int) -> Iterator[_Told]:
    """Yield canonical URL, why, refusal and each different reference itself; what is no http(s) link is passed over.

    The first reference past the limit stands for all that follow.
    """
    seen: set[Reference] = set()
    for reference in references:
        href, why, refusal, base, *_ = reference
        if reference in seen or _OTHER_SCHEME.match(href):
            continue
        seen.add(reference)
        try:
            target = urls.canonical(href, base or place.base, encoding=place.encoding)
        except UsageError:
            target, refusal = urls.shown(href), "bad-url"
        if len(seen) > limit:
            yield target, why, "too-many-links", reference
            return
        if target != place.url:
            yield target, why, refusal or _refusal(target, why, place.url), reference


def _refusal(target: str, why: str, page: str) -> str | None:
    if not is_page(target, why):
        return "not-a-page"
    return "sign-in" if why == "page" and urls.carries(target, page) else None
