"""Survey an address before it is followed: what it is, where new documents are announced, and what they look like.

address → page ─┬─ feed or sitemap: that is the endpoint
                └─ HTML: announced feeds, else well-known places; sitemaps of robots.txt; the page itself
        → a few articles, extracted
"""

import asyncio
import re
from collections.abc import Callable, Sequence
from urllib.parse import urljoin, urlsplit

from thresher import urls
from thresher.crawling import harvest
from thresher.crawling.corpus import Means
from thresher.crawling.judge import readable, refusal_of
from thresher.crawling.landing import Harvest, harvest_from_bytes
from thresher.crawling.pool import PageKilled, Pool
from thresher.crawling.sights import Sample, Spot, Survey
from thresher.crawling.single import Answer, Ask, fetching
from thresher.discovery.feeds import is_side_feed
from thresher.discovery.sitemaps import sitemaps_from_robots
from thresher.errors import NotHtml, ThresherError, UsageError
from thresher.model import EndpointKind, Kind, Link, Page, SourceKind

FEED_PLACES = ("feed", "feed/", "rss.xml", "feed.xml", "atom.xml", "rss", "index.xml", "feeds/posts/default")
MAX_GUESSES = 10  # requests to well-known places
MAX_FEEDS = 3
MAX_SITEMAPS = 2
MAX_BOARDS = 50
SURVEYS = 16  # at the same time
_NEWS = re.compile("news", re.IGNORECASE)
_ARTICLE_LIKE = re.compile(r"\d{4}|[^/]+-[^/]+-[^/]+|\.s?html?$")  # in a path: a date or number, a slug, a file

SAMPLE_CHARS = 3_000  # of a sample's text that are shown

Wants = Callable[[str], bool]
Told = Callable[[Page | Spot | Sample], None]  # hears of what is found as it is found; a page comes before its sample


def survey(
    addresses: Sequence[str],
    means: Means,
    *,
    samples: int = 5,
    wants: Wants = lambda _: True,
    are_results: bool = False,
    told: Told = lambda _: None,
) -> list[Survey | ThresherError]:
    """Survey addresses, many at a time; for each return what was found, or why it cannot be followed.

    `told` is called with each page, spot and sample as it is found. With `are_results` they are the result pages of
    search engines. Nothing is stored. A process can do this once.
    """
    found: list[Survey | ThresherError] = []
    size = max(1, min(means.extractors, len(addresses)))
    limits = {"timeout_s": means.extract_timeout_s, "memory_bytes": means.extract_memory_bytes}
    pool = Pool(harvest.answer, size, **limits)  # type: ignore[arg-type]

    async def work(ask: Ask) -> None:
        surveyor = _Surveyor(ask, pool, samples=samples, wants=wants, require_date=means.require_date, told=told)
        room = asyncio.Semaphore(SURVEYS)

        async def one(address: str) -> Survey | ThresherError:
            async with room:
                try:
                    return await (surveyor.results(address) if are_results else surveyor.survey(address))
                except ThresherError as error:
                    return error

        found.extend(await asyncio.gather(*map(one, addresses)))

    try:
        fetching(work, means.fetching.starting_at(addresses), delay_s=means.rules.delay_s)
    finally:
        pool.close()
    return found


class _Surveyor:
    """Asks for pages and puts together what they tell."""

    def __init__(self, ask: Ask, pool: Pool, *, samples: int, wants: Wants, require_date: bool, told: Told) -> None:
        self._told = told
        self._ask = ask
        self._pool = pool
        self._samples = samples
        self._wants = wants
        self._require_date = require_date

    async def survey(self, address: str) -> Survey:
        """Return what is at an address; raise a ThresherError when it cannot be followed."""
        try:
            page, found = await self._look(address)
        except NotHtml as error:
            raise NotHtml(f"{address}: {error}") from None
        if found.fault:
            raise NotHtml(f"{address}: neither a web page nor a feed ({page.content_type or 'no content type'})")
        asked, address = address, page.moved_to or address
        if found.medium in ("feed", "sitemap"):
            spots = [_spot(address, EndpointKind(found.medium), found, "given")]
            kind = SourceKind.FEED if found.medium == "feed" else SourceKind.SITE
        else:
            kind = _kind_of(found)
            spots = await self._spots(page, found, kind, address)
        if not spots:
            raise UsageError(f"{address}: {_nothing_to_follow(found)}")
        for spot in spots:
            self._told(spot)
        samples = await self._extracted([url for spot in spots for url in spot.links], address)
        language = next((sample.language for sample in samples if sample.language), "")
        document = found.document
        title = document.title if document else ""
        return Survey(
            asked,
            address,
            kind,
            title,
            language or (document.language if document and document.language else ""),
            "allowed" + (f", Crawl-delay {page.crawl_delay_s:g} s" if page.crawl_delay_s else ""),
            tuple(spots),
            tuple(samples),
        )

    async def results(self, address: str) -> Survey:
        """Return what a search engine found; raise a ThresherError when it has nothing to tell."""
        _, found = await self._look(address, why="search")
        if not found.links:
            raise UsageError(f"{address}: no results here" + (f" ({found.note})" if found.note else ""))
        spot = _spot(address, EndpointKind.SEARCH, found, "given")
        samples = await self._extracted(spot.links, address)
        return Survey(address, address, SourceKind.SEARCH, "", "", "allowed", (spot,), tuple(samples))

    async def _spots(self, page: Page, found: Harvest, kind: SourceKind, address: str) -> list[Spot]:
        """Return where an HTML page's site announces what is new."""
        own = [] if kind is SourceKind.SITE and not _lists(found) else [_own_spot(address, found, kind)]
        if kind is SourceKind.FORUM:
            return [*own, *await self._boards(found)]
        announced = [link.url for link in found.links if link.why == "feed" and not is_side_feed(link.url)]
        feeds = await self._feeds(announced[:MAX_FEEDS], "announced")
        if not feeds:
            feeds = await self._feeds(_guesses(page.url), "well-known place", enough=1)
        return [*feeds, *await self._sitemaps(page.url, besides_feeds=bool(feeds)), *own]

    async def _boards(self, found: Harvest) -> list[Spot]:
        """Return the boards that a forum's front page leads to; the first is looked at, for its threads."""
        named = [link.url for link in found.links if link.why == "board"][:MAX_BOARDS]
        if not named or any(link.why == "thread" for link in found.links):
            return []
        looked = await self._try(named[0])
        threads = tuple(link.url for link in looked[1].links if link.why == "thread") if looked else ()
        return [Spot(url, EndpointKind.BOARD, threads if url == named[0] else (), "on the front page") for url in named]

    async def _feeds(self, candidates: Sequence[str], how: str, *, enough: int = MAX_FEEDS) -> list[Spot]:
        feeds: list[Spot] = []
        for url in candidates:
            looked = await self._try(url)
            if looked and looked[1].medium == "feed" and looked[1].links:
                feeds.append(_spot(looked[0].moved_to or url, EndpointKind.FEED, looked[1], how))
            if len(feeds) >= enough:
                break
        return feeds

    async def _sitemaps(self, url: str, *, besides_feeds: bool) -> list[Spot]:
        """Return sitemaps; where there are feeds, only those of news: others list all that a site ever had."""
        origin = urls.origin_of(url)
        named = await self._ask(f"{origin}/robots.txt", _sitemaps_named)
        candidates = [sitemap for sitemap in named if _NEWS.search(urlsplit(sitemap).path)]
        if not besides_feeds:
            candidates += [sitemap for sitemap in named if sitemap not in candidates] or [f"{origin}/sitemap.xml"]
        spots = []
        for candidate in candidates[:MAX_SITEMAPS]:
            looked = await self._try(candidate)
            if looked and looked[1].medium == "sitemap" and looked[1].links:
                how = "robots.txt" if named else "well-known place"
                spots.append(_spot(candidate, EndpointKind.SITEMAP, looked[1], how))
        return spots

    async def _extracted(self, listed: Sequence[str], address: str) -> list[Sample]:
        """Extract some of the listed pages: those that look like articles first, twice as many as wanted at most."""
        wanted = [url for url in dict.fromkeys(listed) if self._wants(url) and url != address]
        likely = sorted(wanted, key=lambda url: not _ARTICLE_LIKE.search(urlsplit(url).path))
        samples: list[Sample] = []
        for url in likely[: 2 * self._samples]:
            if sum(not sample.refusal for sample in samples) == self._samples:
                break
            samples.append(await self._sample(url))
            self._told(samples[-1])
        return sorted(samples, key=lambda sample: bool(sample.refusal))[: self._samples]

    async def _sample(self, url: str) -> Sample:
        try:
            _, found = await self._look(url)
        except ThresherError as error:
            return Sample(url, refusal=str(error))
        refusal = refusal_of(found, require_date=self._require_date)
        document = found.document
        if document is None:
            return Sample(url, refusal=refusal)
        return Sample(
            url,
            document.title,
            document.published,
            document.authors,
            len(document.text),
            document.language or "",
            refusal,
            document.text[:SAMPLE_CHARS],
        )

    async def _try(self, url: str) -> tuple[Page, Harvest] | None:
        """Look at what may not be there."""
        try:
            return await self._look(url)
        except ThresherError:
            return None

    async def _look(self, url: str, why: str = "start") -> tuple[Page, Harvest]:
        """Fetch a page and harvest it; raise a ThresherError when there is none."""

        async def use(answer: Answer) -> tuple[Page, Harvest] | ThresherError:
            return answer if isinstance(answer, ThresherError) else (answer, await self._harvest(answer, why))

        looked: tuple[Page, Harvest] | ThresherError = await self._ask(url, use)
        if isinstance(looked, ThresherError):
            raise looked
        self._told(looked[0])
        return looked

    async def _harvest(self, page: Page, why: str) -> Harvest:
        if why != "search" and not readable(page):
            return Harvest("none", fault="not-html")
        try:
            return harvest_from_bytes(await self._pool.ask(harvest.request(page, Link(page.url, why=why), None)))
        except PageKilled as error:
            return Harvest("none", fault=str(error))


def _kind_of(found: Harvest) -> SourceKind:
    """Tell forums from sites: by the kind of the page, or since many of its links lead to boards and threads."""
    if found.document is None or found.document.kind is Kind.ARTICLE:
        return SourceKind.SITE
    inner = sum(link.why in ("board", "thread") for link in found.links)
    others = sum(link.why in ("page", "article") for link in found.links)
    forum = found.document.kind in (Kind.BOARD, Kind.THREAD) or (inner and inner >= others / 2)
    return SourceKind.FORUM if forum else SourceKind.SITE


def _lists(found: Harvest) -> bool:
    """Say whether a page of a site can be asked for new links: one that is an article cannot."""
    is_article = found.document is not None and found.document.kind is Kind.ARTICLE
    return not is_article and any(link.why in ("page", "article", "thread", "board") for link in found.links)


def _spot(url: str, kind: EndpointKind, found: Harvest, how: str) -> Spot:
    return Spot(url, kind, tuple(link.url for link in found.links if link.why != "next"), how)


def _own_spot(address: str, found: Harvest, kind: SourceKind) -> Spot:
    """Return the page itself, with the threads of a board, or with what lies on the same site."""
    if kind is SourceKind.FORUM:
        threads = tuple(link.url for link in found.links if link.why == "thread")
        return Spot(address, EndpointKind.BOARD, threads, "given")
    site = urls.site_of(address)
    inner = [link for link in found.links if link.why in ("article", "page") and urls.site_of(link.url) == site]
    inner = [link for link in inner if link.why == "article"] or inner
    return Spot(address, EndpointKind.LISTING, tuple(link.url for link in inner), "given")


def _guesses(url: str) -> list[str]:
    """Name the places where feeds often are: beside the page, then at the root of its host."""
    bases = dict.fromkeys([urljoin(url, "."), urls.origin_of(url) + "/"])
    return [urls.canonical(urljoin(base, place)) for base in bases for place in FEED_PLACES][:MAX_GUESSES]


async def _sitemaps_named(answer: Answer) -> list[str]:
    return [] if isinstance(answer, ThresherError) else sitemaps_from_robots(answer.body)


def _nothing_to_follow(found: Harvest) -> str:
    if found.document is not None and found.document.kind is Kind.ARTICLE:
        return "this is a single article, and its site announces no feed; give the page that lists the articles"
    return "there is nothing to follow: no feed, no sitemap, and no links on the page"
