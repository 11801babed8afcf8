"""Scrapy's settings: what it may do is listed here, everything else it brings is off."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from scrapy import Request

from thresher.fetch.connections import BoundedDownloadHandler
from thresher.fetch.contract import FetchOptions
from thresher.fetch.resolver import GuardedResolver


class NoScheduler:
    """Schedules nothing: leases come from the frontier, one request each."""

    def has_pending_requests(self) -> bool:
        """Say that none is waiting."""
        return False

    def enqueue_request(self, request: Request) -> bool:
        """Refuse the request."""
        return False

    def next_request(self) -> Request | None:
        """Return None."""
        return None


def scrapy_settings(options: FetchOptions, resolver: GuardedResolver) -> dict[str, Any]:
    """Return the settings of a crawl.

    The lists that Scrapy starts from are replaced, not added to: redirects, retries, cookies, proxies, referers, the
    telnet console, remote control and the handlers of file:, data:, ftp: and s3: are not there to be turned on.
    """
    return {
        "TWISTED_REACTOR": "twisted.internet.asyncioreactor.AsyncioSelectorReactor",
        "TWISTED_DNS_RESOLVER": lambda reactor: resolver.bound_to(reactor),  # Scrapy copies objects, not functions
        "DNSCACHE_ENABLED": False,
        "SCHEDULER": NoScheduler,
        "STATS_CLASS": "scrapy.statscollectors.DummyStatsCollector",
        "EXTENSIONS_BASE": {},
        "SPIDER_MIDDLEWARES_BASE": {},
        "DOWNLOADER_MIDDLEWARES_BASE": {},
        "DOWNLOAD_HANDLERS_BASE": {"http": BoundedDownloadHandler, "https": BoundedDownloadHandler},
        "TELNETCONSOLE_ENABLED": False,
        "REMOTE_CONTROL_ENABLED": False,
        "CONCURRENT_REQUESTS": options.concurrency,
        "CONCURRENT_REQUESTS_PER_DOMAIN": options.concurrency,
        "DOWNLOAD_DELAY": 0,
        "DOWNLOAD_MAXSIZE": options.max_body_bytes,
        "DOWNLOAD_WARNSIZE": 0,
        "DOWNLOAD_FAIL_ON_DATALOSS": True,
        "DOWNLOAD_VERIFY_CERTIFICATES": options.verify_tls,
        "LOG_INSTALL_ROOT_HANDLER": False,
        "LOG_ENABLED": False,
    }


@contextmanager
def quiet() -> Iterator[None]:
    """Let Scrapy, started within, speak of its own bugs only: answers and failures are told by us."""
    before = logging.root.manager.disable
    logging.disable(logging.INFO)  # it sets its own level and introduces itself in one go
    try:
        yield
    finally:
        logging.disable(before)
        for name in ("scrapy", "twisted"):
            logging.getLogger(name).setLevel(logging.ERROR)
