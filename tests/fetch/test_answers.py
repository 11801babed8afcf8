"""What each error means."""

import errno
import zlib

import pytest
from OpenSSL import SSL
from scrapy import exceptions as scrapy_errors
from scrapy.http import Headers
from twisted.internet import error as twisted_errors
from twisted.python.failure import Failure as TwistedFailure
from twisted.web.client import ResponseNeverReceived

from thresher.fetch.answers import MAX_DETAIL_CHARS, failure_of, headers_of
from thresher.model import Failure, Outcome


def wrapped(*causes: BaseException) -> Exception:
    """Wrap errors as Twisted and then Scrapy do."""
    outer = scrapy_errors.DownloadFailedError("it failed")
    reasons = [TwistedFailure(cause) for cause in causes]  # type: ignore[no-untyped-call]
    outer.__cause__ = ResponseNeverReceived(reasons)  # type: ignore[no-untyped-call]
    return outer


def not_connected(number: int) -> BaseException:
    error: BaseException = twisted_errors.getConnectError((number, "no"))  # type: ignore[no-untyped-call]
    return error


@pytest.mark.parametrize(
    ("error", "reason", "outcome"),
    [
        (scrapy_errors.DownloadTimeoutError("30 s"), "timeout", Outcome.RETRY),
        (scrapy_errors.CannotResolveHostError("a.test"), "dns", Outcome.RETRY),
        (wrapped(SSL.Error([("SSL routines", "", "certificate verify failed")])), "tls", Outcome.BURY),
        (wrapped(twisted_errors.ConnectionLost()), "connection", Outcome.RETRY),
        (wrapped(wrapped(twisted_errors.ConnectionDone())), "connection", Outcome.RETRY),
        (wrapped(ValueError("content-length: many")), "bad-answer", Outcome.RETRY),
        (wrapped(), "bad-answer", Outcome.RETRY),
        (not_connected(errno.EHOSTUNREACH), "connection", Outcome.RETRY),
        (not_connected(errno.ETIMEDOUT), "timeout", Outcome.RETRY),
        (zlib.error("bad"), "bad-encoding", Outcome.RETRY),
        (ValueError("invalid hostname"), "bad-url", Outcome.DONE),
        (UnicodeError("label too long"), "bad-url", Outcome.DONE),
        (ZeroDivisionError("nobody thought of this"), "fetch-error", Outcome.RETRY),
    ],
)
def test_an_error_means(error: BaseException, reason: str, outcome: Outcome) -> None:
    failure = failure_of(error)
    assert (failure.reason, failure.outcome) == (reason, outcome)
    assert failure.detail.startswith(type(error).__name__)


def test_a_host_without_an_admitted_address_is_refused_not_unknown() -> None:
    unresolved = scrapy_errors.CannotResolveHostError("no results")
    assert failure_of(unresolved, ("10.0.0.1",)) == Failure("address-refused", Outcome.DONE, "not public: 10.0.0.1")
    assert failure_of(scrapy_errors.DownloadTimeoutError(), ("10.0.0.1",)).reason == "timeout"


def test_details_are_cut_short() -> None:
    assert len(failure_of(ZeroDivisionError("x" * 10_000)).detail) == MAX_DETAIL_CHARS


def test_headers_are_read_as_utf8_where_they_are_and_as_latin1_where_not() -> None:
    raw = Headers({b"Location": "/谷".encode(), b"X-Name": b"caf\xe9", b"X-Many": [b"a", b"b"]})
    assert headers_of(raw) == {"location": "/谷", "x-name": "café", "x-many": "a, b"}
