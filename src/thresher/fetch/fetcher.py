"""Lease → Page, through Scrapy: one polite, safe request.

The frontier schedules, Scrapy downloads: each lease is one request. Redirects, errors and 304s are Pages like any
other; following and retrying is the frontier's business, so that politeness and dedup see every hop. What makes a
request safe stands beside this file: settings.py (what Scrapy may do), requests.py (what goes to whom), guard.py
and resolver.py (public addresses only), robots.py (permission), media.py (what is worth downloading), answers.py (what
each error means).
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from typing import Any

from scrapy import Request, Spider, signals
from scrapy.crawler import AsyncCrawlerProcess, Crawler
from scrapy.exceptions import StopDownload
from scrapy.http import Headers, Response
from twisted.internet.error import ReactorNotRestartable

from thresher.errors import ThresherError
from thresher.fetch.answers import by_proxy, failure_of, headers_of, page_of
from thresher.fetch.contract import Crew, FetchOptions
from thresher.fetch.encodings import decompress
from thresher.fetch.guard import Guard
from thresher.fetch.interrupts import listening
from thresher.fetch.media import is_wanted
from thresher.fetch.rendering import Rendering, check_render
from thresher.fetch.requests import Requests
from thresher.fetch.resolver import GuardedResolver
from thresher.fetch.robots import RobotsDesk
from thresher.fetch.settings import quiet, scrapy_settings
from thresher.model import Failure, Link, Page

__all__ = ["Crew", "FetchOptions", "fetch"]

MAX_VALIDATOR_CHARS = 1_000  # a server refuses headers that are too long, even those that it asked for
HALT_S = 1.0  # what is in flight at a second Ctrl-C has this long to let go
log = logging.getLogger("thresher.fetch")


def fetch(crew: Crew, options: FetchOptions) -> str:
    """Fetch the crew's leases until they end; answer "finished", "interrupted" or "halted" (by a second signal).

    Runs once per process: Twisted's reactor cannot be started again. Raises what the crew raised, and ThresherError
    when Scrapy could not do its part.
    """
    check_render(options.render)
    guard = Guard(options.allowed_addresses, ports=options.allowed_ports)
    requests = Requests(options, guard)
    resolver = GuardedResolver(guard, strict=options.strict_addresses, trusted=requests.proxy_host)
    with quiet():
        process = AsyncCrawlerProcess(scrapy_settings(options, resolver))
    crawler = process.create_crawler(LeaseSpider)
    crawling = process.crawl(crawler, crew=crew, options=options, requests=requests, resolver=resolver)
    try:
        ending = _run(process, crawler, crew)
    except ReactorNotRestartable as error:
        raise ThresherError("a process can crawl only once: start another one") from error
    finally:
        resolver.close()
    if ending != "halted":
        _raise_failure(crawling, crawler.spider)
    return ending


class LeaseSpider(Spider):
    """Serves each lease with one request; ends when the leases do and every answer is delivered."""

    name = "lease"

    def __init__(self, *, crew: Crew, options: FetchOptions, requests: Requests, resolver: GuardedResolver) -> None:
        super().__init__()
        self.failure: BaseException | None = None
        self._working: asyncio.Task[None] | None = None
        self._crew = crew
        self._options = options
        self._resolver = resolver
        self._requests = requests
        self._lanes = asyncio.Semaphore(options.concurrency)
        self._robots = RobotsDesk(crew, lambda url: self._download(url, "robots"), options)
        self._rendering = Rendering(options, requests.guard, self._robots.permits, crew)

    async def start(self) -> AsyncIterator[Request]:
        """Work; nothing is yielded to Scrapy's scheduler, and no error is left to Scrapy, which would swallow it."""
        self.crawler.signals.connect(stop_unwanted, signal=signals.headers_received)
        self._working = asyncio.create_task(self._work())
        (self.failure,) = await asyncio.gather(self._working, return_exceptions=True)
        return
        yield

    def halt(self) -> None:
        """Drop every request and delivery that is under way."""
        if self._working:
            self._working.cancel()

    async def _work(self) -> None:
        """Serve the leases side by side: a delivery that takes long holds up nobody else."""
        broken = False
        try:
            async with asyncio.TaskGroup() as serving:
                async for lease in self._crew.leases():
                    serving.create_task(self._crew.deliver(lease, self._answer(lease.link)))
        except BaseExceptionGroup as failed:
            broken = failed.split(ThresherError)[1] is not None  # something that nobody foresaw
            raise
        finally:
            await self._rendering.close()
            await self._crew.closing(broken=broken)

    async def _answer(self, link: Link) -> Page | Failure:
        """Ask for the page, and say in the log what came of it."""
        answer = await self._asked(link)
        log.debug("%s: %s", link.url, answer.status if isinstance(answer, Page) else answer.reason)
        return answer

    async def _asked(self, link: Link) -> Page | Failure:
        """Ask for permission, then for the page, on the condition that it has changed since it was stored."""
        permit = await self._robots.consult(link.url)
        if isinstance(permit, Failure):
            return permit
        answer = await self._download(link.url, link.why, _conditions(link))
        return replace(await self._rendering.shown(link, answer), crawl_delay_s=permit.crawl_delay_s)

    async def _download(self, url: str, why: str, conditions: Mapping[str, str] | None = None) -> Page | Failure:
        """Send one request when a lane is free; whatever Scrapy raises becomes a Failure."""
        refusal = self._requests.refusal_of(url)
        if refusal is not None:
            return refusal
        async with self._lanes:
            started = asyncio.get_running_loop().time()
            sending = self._send(url, why, conditions or {})
            (result,) = await asyncio.gather(sending, return_exceptions=True)
            elapsed_s = asyncio.get_running_loop().time() - started
        if isinstance(result, StopDownload) and result.response is not None:
            result = result.response, b""
        if isinstance(result, BaseException):
            answer: Page | Failure = failure_of(result, self._resolver.refused(url))
        else:
            answer = page_of(*result, url, elapsed_s)
        return by_proxy(answer) if self._requests.proxy_host else answer

    async def _send(self, url: str, why: str, conditions: Mapping[str, str]) -> tuple[Response, bytes]:
        """Return the answer, and its body decompressed."""
        response = await self.crawler.engine.download_async(self._requests.make(url, why, conditions))
        if "Content-Encoding" not in response.headers:
            return response, response.body
        # What a few bytes unfold to may take its time: nobody else is to wait for it.
        return response, await asyncio.to_thread(decompress, response, self._options.max_body_bytes)


def stop_unwanted(headers: Headers, request: Request) -> None:
    """Stop a download after its headers when its type is not worth the body."""
    why = request.meta["why"]
    content_type = headers_of(headers).get("content-type", "")
    if why != "robots" and not is_wanted(content_type, request.url, why):
        raise StopDownload


def _conditions(link: Link) -> dict[str, str]:
    validators = {"If-None-Match": link.etag, "If-Modified-Since": link.modified}
    return {name: value for name, value in validators.items() if value and len(value) <= MAX_VALIDATOR_CHARS}


def _run(process: AsyncCrawlerProcess, crawler: Crawler, crew: Crew) -> str:
    """Run the event loop to its end; a first signal lets the crew drain, a second one lets go of everything."""
    loop = asyncio.get_event_loop()
    endings = ["finished"]

    def interrupt() -> None:
        endings.append("interrupted")
        crew.interrupt()

    def halt() -> None:
        endings.append("halted")
        loop.call_later(HALT_S, loop.stop)  # whether or not everything lets go
        if isinstance(crawler.spider, LeaseSpider):
            crawler.spider.halt()

    with listening(loop, interrupt, halt):
        process.start(install_signal_handlers=False)
    return endings[-1]


def _raise_failure(crawling: "asyncio.Task[None]", spider: Any) -> None:
    if crawling.exception() is not None:
        raise ThresherError("Scrapy could not run the crawl") from crawling.exception()
    failure = spider.failure
    while isinstance(failure, BaseExceptionGroup):
        failure = failure.exceptions[0]
    if failure is not None:
        raise failure
