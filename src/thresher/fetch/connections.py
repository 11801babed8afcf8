"""Scrapy's HTTP/1.1 downloader with two limits it lacks: on idle connections and on the size of an answer's head."""

from scrapy.core.downloader.handlers.http11 import (
    HTTP11DownloadHandler,
    _LenientHTTP11ClientFactory,
    _LenientHTTP11ClientProtocol,
)
from scrapy.crawler import Crawler
from twisted.internet.interfaces import IAddress
from twisted.web._newclient import BODY, DONE

IDLE_S = 10  # a broad crawl leaves a connection behind on every host: keep them short of the limit on open files
MAX_HEAD_BYTES = 256 * 1024  # status line and headers; browsers stop at about this much


class _BoundedHeadProtocol(_LenientHTTP11ClientProtocol):
    """Hangs up on a server whose headers do not end."""

    head_bytes = 0

    def dataReceived(self, data: bytes) -> None:  # noqa: N802 - Twisted's name
        parser = self._parser
        if parser is None or parser.state in (BODY, DONE):
            self.head_bytes = 0
        else:
            self.head_bytes += len(data)
        super().dataReceived(data)  # type: ignore[no-untyped-call]
        if self.head_bytes > MAX_HEAD_BYTES and parser is not None and parser.state not in (BODY, DONE):
            self.abort()  # type: ignore[no-untyped-call]


class _BoundedHeadFactory(_LenientHTTP11ClientFactory):
    def buildProtocol(self, addr: IAddress | None) -> _BoundedHeadProtocol:  # noqa: N802 - Twisted's name
        return _BoundedHeadProtocol(self._quiescentCallback)  # type: ignore[no-untyped-call]


class BoundedDownloadHandler(HTTP11DownloadHandler):
    """Downloads over connections that neither idle for long nor swallow endless headers."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._pool.cachedConnectionTimeout = IDLE_S
        self._pool._factory = _BoundedHeadFactory
