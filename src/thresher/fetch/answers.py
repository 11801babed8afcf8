"""Translate what Scrapy and Twisted return or raise into Page and Failure: none of their types goes further."""

import gzip
import zlib
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from itertools import chain

from OpenSSL import SSL
from scrapy import exceptions as scrapy_errors
from scrapy.core.downloader.handlers.http11 import TunnelError
from scrapy.http import Headers, Response
from scrapy.utils._compression import brotli, zstd  # type: ignore[attr-defined]  # whichever it decodes with
from service_identity import CertificateError, VerificationError
from twisted.internet import error as twisted_errors
from twisted.web._newclient import ParseError
from twisted.web.client import ResponseFailed

from thresher.model import Failure, Outcome, Page

MAX_DETAIL_CHARS = 300
PROXY_LOGIN = 407

# The first row that fits, looking at the error itself and then at what caused it.
MEANINGS: tuple[tuple[type[BaseException], str, Outcome], ...] = (
    (scrapy_errors.DownloadTimeoutError, "timeout", Outcome.RETRY),
    (scrapy_errors.CannotResolveHostError, "dns", Outcome.RETRY),
    (scrapy_errors.DownloadConnectionRefusedError, "connection", Outcome.RETRY),
    (scrapy_errors.ResponseDataLossError, "truncated", Outcome.RETRY),
    (scrapy_errors.DownloadCancelledError, "too-large", Outcome.DONE),  # while it was read
    (scrapy_errors.IgnoreRequest, "too-large", Outcome.DONE),  # while it was decompressed
    (scrapy_errors.UnsupportedURLSchemeError, "bad-url", Outcome.DONE),
    (scrapy_errors.NotSupported, "bad-url", Outcome.DONE),  # no downloader for the scheme
    (TunnelError, "proxy-failed", Outcome.RETRY),  # it did not let us through
    (SSL.Error, "tls", Outcome.BURY),
    (CertificateError, "tls", Outcome.BURY),
    (VerificationError, "tls", Outcome.BURY),
    (twisted_errors.TimeoutError, "timeout", Outcome.RETRY),
    (twisted_errors.TCPTimedOutError, "timeout", Outcome.RETRY),
    (twisted_errors.ConnectError, "connection", Outcome.RETRY),
    (twisted_errors.ConnectionClosed, "connection", Outcome.RETRY),
    (ParseError, "bad-answer", Outcome.RETRY),  # not HTTP
    (zlib.error, "bad-encoding", Outcome.RETRY),
    (brotli.error, "bad-encoding", Outcome.RETRY),
    (zstd.ZstdError, "bad-encoding", Outcome.RETRY),
    (gzip.BadGzipFile, "bad-encoding", Outcome.RETRY),
    (EOFError, "bad-encoding", Outcome.RETRY),
    (OSError, "connection", Outcome.RETRY),
)
# What the error itself means where none of its causes says more.
OTHERWISE: tuple[tuple[type[BaseException], str, Outcome], ...] = (
    (scrapy_errors.DownloadFailedError, "bad-answer", Outcome.RETRY),
    (ValueError, "bad-url", Outcome.DONE),  # a host that cannot be one; UnicodeError is a ValueError
    (BaseException, "fetch-error", Outcome.RETRY),
)


def page_of(response: Response, body: bytes, url: str, elapsed_s: float) -> Page | Failure:
    """Turn an answer, whole or stopped after its headers, and its body into a Page; a Failure if its status is none."""
    if not 100 <= response.status <= 999:  # three digits; Twisted takes any number, and databases do not
        return Failure("bad-answer", Outcome.RETRY, f"status {response.status}"[:MAX_DETAIL_CHARS])
    address = response.ip_address
    return Page(
        url=url,
        status=response.status,
        body=body,
        fetched_at=datetime.now(UTC),
        headers=headers_of(response.headers),
        elapsed_s=elapsed_s,
        address=None if address is None else str(address),
    )


def headers_of(headers: Headers) -> dict[str, str]:
    """Return the headers as text: lower-case names, repeated ones joined by a comma."""
    return {_text(name).lower(): ", ".join(map(_text, values)) for name, values in headers.items()}


def failure_of(error: BaseException, refused: tuple[str, ...] = ()) -> Failure:
    """Say what an error means; `refused` are the addresses that were all the host had."""
    detail = f"{type(error).__name__}: {error}"[:MAX_DETAIL_CHARS]
    if refused and isinstance(error, scrapy_errors.CannotResolveHostError):
        return Failure("address-refused", Outcome.DONE, f"not public: {', '.join(refused)}"[:MAX_DETAIL_CHARS])
    known = (
        (reason, outcome) for cause in _causes(error) for kind, reason, outcome in MEANINGS if isinstance(cause, kind)
    )
    otherwise = ((reason, outcome) for kind, reason, outcome in OTHERWISE if isinstance(error, kind))
    reason, outcome = next(chain(known, otherwise))
    return Failure(reason, outcome, detail)


def by_proxy(answer: Page | Failure) -> Page | Failure:
    """Say what an answer means that came through a proxy: the only server that we were in touch with."""
    if isinstance(answer, Page):
        if answer.status == PROXY_LOGIN:
            return Failure("proxy-failed", Outcome.RETRY, "the proxy asks for a login (status 407)")
        return replace(answer, address=None)  # the proxy's: hosts behind it would pass for one
    return replace(answer, reason="proxy-failed") if answer.reason in ("connection", "dns") else answer


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error, then what it was raised from; Twisted keeps lists of causes."""
    while error is not None:
        yield error
        if isinstance(error, ResponseFailed):
            for reason in error.reasons:
                yield from _causes(reason.value)
        error = error.__cause__


def _text(raw: bytes) -> str:
    """Decode a header: servers write UTF-8 where the standard has Latin-1."""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw.decode("latin-1")
