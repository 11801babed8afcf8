"""Plain Scrapy spiders to measure a crawl against: `python -m thresher.lab.plain_spiders ORDER` runs one of them.

They do what Scrapy's tutorial shows and keep nothing: Scrapy's defaults in one process, robots.txt not asked for,
nothing logged. ORDER is a file that holds an Order as JSON; standard output gets the seconds from when each response
arrived to when it was parsed, summed, and the number of texts extracted.
"""

import json
import re
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from scrapy import Request, Spider, signals
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.http import HtmlResponse, Response
from scrapy.linkextractors import LinkExtractor
from w3lib.url import url_query_cleaner

from thresher.crawling.harvest import harvest
from thresher.errors import MissingExtra
from thresher.model import Page

KINDS = ("download", "links", "trafilatura", "harvest")


@dataclass(frozen=True, slots=True)
class Order:
    """What a spider is to do; as JSON it passes between processes."""

    kind: str  # of KINDS: download the starts alone; follow links; follow links and extract, with trafilatura or ours
    starts: tuple[str, ...]
    origins: tuple[str, ...]  # links elsewhere are not followed
    excluded: tuple[str, ...]  # nor those that match one of these regular expressions
    noise: tuple[str, ...]  # parameters that are dropped from links, so that no page is fetched twice
    max_depth: int | None
    concurrency: int


def check_extra() -> None:
    """Raise MissingExtra when trafilatura is not installed."""
    if find_spec("trafilatura") is None:
        raise MissingExtra("trafilatura is not installed; it comes with an extra: pip install 'thresher[bench]'")


class PlainSpider(Spider):
    """Downloads, follows and extracts, as far as its order says."""

    name = "plain"

    def __init__(self, order: Order) -> None:
        super().__init__()
        self.texts = 0
        self.arrived_to_parsed_s = 0.0
        self._order = order
        self._follow = order.kind != "download"
        self._links = LinkExtractor(
            allow=[re.escape(origin) + "/" for origin in order.origins],
            deny=list(order.excluded),
            process_value=self._without_noise,
        )
        self._extract = {"trafilatura": _trafilatura, "harvest": _harvest}.get(order.kind, _nothing)()

    def _without_noise(self, href: str) -> str:
        return url_query_cleaner(href, self._order.noise, remove=True) if "?" in href else href

    async def start(self) -> AsyncIterator[Request]:
        """Ask for the starts."""
        for url in self._order.starts:
            yield Request(url)

    def parse(self, response: Response) -> Iterator[Request]:
        """Extract the text, and go on to the links."""
        if not isinstance(response, HtmlResponse):
            return
        self.texts += bool(self._extract(response))
        if self._follow:
            for link in self._links.extract_links(response):
                if not link.nofollow:
                    yield Request(link.url)
        self.arrived_to_parsed_s += time.perf_counter() - response.meta["arrived_s"]


def run(order: Order) -> tuple[float, int]:
    """Crawl as ordered, once per process; return the seconds of parsing, and how many pages gave a text."""
    settings = {
        "CONCURRENT_REQUESTS": order.concurrency,
        "CONCURRENT_REQUESTS_PER_DOMAIN": order.concurrency,
        "DEPTH_LIMIT": order.max_depth or 0,
        "LOG_LEVEL": "ERROR",
        "TELNETCONSOLE_ENABLED": False,
    }
    process = AsyncCrawlerProcess(settings)
    crawler = process.create_crawler(PlainSpider)
    crawler.signals.connect(_note_arrival, signals.response_received)
    process.crawl(crawler, order)
    process.start()
    spider = crawler.spider
    return (spider.arrived_to_parsed_s, spider.texts) if isinstance(spider, PlainSpider) else (0.0, 0)


def _note_arrival(request: Request) -> None:
    request.meta["arrived_s"] = time.perf_counter()


def _nothing() -> Callable[[HtmlResponse], Any]:
    return lambda response: None


def _trafilatura() -> Callable[[HtmlResponse], Any]:
    check_extra()
    import trafilatura

    return lambda response: trafilatura.extract(response.text)


def _harvest() -> Callable[[HtmlResponse], Any]:
    """Do what a pool process does with a page, in the spider's own."""
    headers = {"content-type": "text/html"}
    return lambda response: (
        harvest(Page(response.url, 200, response.body, datetime.now(UTC), headers), 1, None).document
    )


if __name__ == "__main__":
    print(*run(Order(**json.loads(Path(sys.argv[1]).read_text("utf-8")))))
