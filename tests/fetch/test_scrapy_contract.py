"""What we use of Scrapy and Twisted: an upgrade that breaks us fails here first."""

import inspect

import pytest
from scrapy import Request, exceptions, signals
from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler
from scrapy.core.engine import ExecutionEngine
from scrapy.core.scheduler import BaseScheduler
from scrapy.exceptions import StopDownload
from scrapy.http import Headers
from scrapy.settings import Settings, default_settings
from scrapy.utils.misc import load_object
from twisted.internet.interfaces import IHostnameResolver
from twisted.web._newclient import HTTP11ClientProtocol
from twisted.web.client import HTTPConnectionPool
from zope.interface.verify import verifyClass  # type: ignore[import-untyped]

from tests.fetch.conftest import Crawl
from tests.fetch.loopback import Site, answer
from thresher.fetch.answers import MEANINGS, OTHERWISE
from thresher.fetch.connections import BoundedDownloadHandler
from thresher.fetch.contract import FetchOptions
from thresher.fetch.fetcher import stop_unwanted
from thresher.fetch.guard import Guard
from thresher.fetch.resolver import GuardedResolver
from thresher.fetch.settings import NoScheduler, scrapy_settings

# Raised for other reasons than a download that failed.
OTHER_ERRORS = {
    "CloseSpider",
    "ContractFail",
    "DontCloseSpider",
    "DropItem",
    "NotConfigured",
    "ScrapyDeprecationWarning",
    "StopDownload",
    "UsageError",
    "_InvalidOutput",
}


@pytest.fixture(scope="module")
def resolver() -> GuardedResolver:
    return GuardedResolver(Guard())


def test_every_setting_we_make_is_one_that_scrapy_knows(resolver: GuardedResolver) -> None:
    unknown = [
        name for name in scrapy_settings(FetchOptions("Thresher/0.1"), resolver) if not hasattr(default_settings, name)
    ]
    assert unknown == []


def test_the_settings_survive_scrapys_copying(resolver: GuardedResolver) -> None:
    settings = Settings(scrapy_settings(FetchOptions("Thresher/0.1"), resolver)).copy()
    assert load_object(settings["TWISTED_DNS_RESOLVER"])(reactor=None) is resolver
    assert settings.getwithbase("DOWNLOAD_HANDLERS").keys() == {"http", "https"}


def test_our_parts_fit_into_their_places() -> None:
    assert verifyClass(IHostnameResolver, GuardedResolver)
    assert issubclass(NoScheduler, BaseScheduler)
    assert issubclass(BoundedDownloadHandler, HTTP11DownloadHandler)
    assert inspect.iscoroutinefunction(ExecutionEngine.download_async)


def test_the_inner_parts_that_we_set_are_still_there() -> None:
    assert {"cachedConnectionTimeout", "_factory"} <= set(vars(HTTPConnectionPool))
    assert {"_parser", "abort", "dataReceived"} <= set(vars(HTTP11ClientProtocol))
    assert "self._pool._factory = " in inspect.getsource(HTTP11DownloadHandler.__init__)


def test_every_error_of_scrapy_has_a_meaning() -> None:
    known = {kind.__name__ for kind, *_ in (*MEANINGS, *OTHERWISE)}
    theirs = {name for name, kind in vars(exceptions).items() if isinstance(kind, type) and issubclass(kind, Exception)}
    assert theirs - known == OTHER_ERRORS


def test_a_download_is_stopped_by_a_signal_that_carries_headers_and_request() -> None:
    assert signals.headers_received
    with pytest.raises(StopDownload) as raised:
        stop_unwanted(Headers({"Content-Type": "image/png"}), Request("http://a.test/", meta={"why": "page"}))
    assert raised.value.fail


def test_scrapy_opens_no_port_of_its_own(crawl: Crawl) -> None:
    """Its telnet console and its remote control would."""
    with Site({"/": answer(b"x")}) as site:
        assert crawl(site.origin + "/", count_ports=True).listening == 0
