"""Every kind of answer a server may give, from one run over a gallery of them."""

import gzip
import socket
import time
import zlib
from collections.abc import Iterator
from typing import Any

import brotli  # type: ignore[import-untyped]
import pytest
import zstandard

from tests.fetch.conftest import Crawl, Told, body_of
from tests.fetch.loopback import Route, Site, answer

TEXT = b"<p>" + "grain and chaff, 谷物与糠 ".encode() * 200
LIMIT_BYTES = 100_000
TIMEOUT_S = 1.0  # for what never ends
PATIENCE_S = 200.0  # for all others: never reached, however slow the machine
sent: dict[str, int] = {}  # by the endless answers


def endless(name: str, head: bytes, piece: bytes, pause_s: float = 0.0) -> Route:
    """Answer without end, and count what the client took."""

    def behave(connection: socket.socket) -> None:
        sent[name] = 0
        connection.sendall(head)
        while True:
            connection.sendall(piece)
            sent[name] += len(piece)
            time.sleep(pause_s)

    return behave


def hang_up(first: bytes = b"") -> Route:
    """Send a little, then close the connection."""
    return lambda connection: connection.sendall(first)


def zstd_bomb() -> bytes:
    return zstandard.compress(bytes(20_000_000))


GALLERY: dict[str, Route] = {
    "/plain": answer(TEXT, x_robots_tag="noindex"),
    "/gzip": answer(gzip.compress(TEXT), content_encoding="gzip"),
    "/deflate": answer(zlib.compress(TEXT), content_encoding="deflate"),
    "/br": answer(brotli.compress(TEXT), content_encoding="br"),
    "/zstd": answer(zstandard.compress(TEXT), content_encoding="zstd"),
    "/moved": answer(b"", "301 Moved Permanently", location="/谷", content_encoding="gzip"),
    "/refresh": answer(b'<meta http-equiv="refresh" content="0;url=/plain">'),
    "/missing": answer(b"gone", "410 Gone"),
    "/busy": answer(b"later", "503 Busy", retry_after="120"),
    "/unchanged": answer(b"", "304 Not Modified", etag='"v1"'),
    "/twice": b"HTTP/1.1 200 OK\r\nX-Robots-Tag: nofollow\r\nX-Robots-Tag: noindex\r\nContent-Length: 0\r\n\r\n",
    "/untyped": hang_up(b"HTTP/1.0 200 OK\r\n\r\n" + TEXT),
    "/feed": answer(b"<rss/>", content_type="application/rss+xml; charset=utf-8"),
    "/sitemap.xml.gz": answer(gzip.compress(b"<urlset/>"), content_type="application/octet-stream"),
    "/film": endless("film", b"HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\n\r\n", bytes(50_000)),
    "/picture": answer(b"GIF89a", content_type="image/gif", content_encoding="gzip"),
    "/big": answer(bytes(LIMIT_BYTES + 1)),
    "/flood": endless("flood", b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n", bytes(10_000)),
    "/gzip-bomb": answer(gzip.compress(bytes(20_000_000)), content_encoding="gzip"),
    "/br-bomb": answer(brotli.compress(bytes(20_000_000)), content_encoding="br"),
    "/zstd-bomb": answer(zstd_bomb(), content_encoding="zstd"),
    "/double-bomb": answer(gzip.compress(gzip.compress(bytes(50_000_000))), content_encoding="gzip, gzip"),
    "/not-gzip": answer(b"plain after all", content_encoding="gzip"),
    "/not-br": answer(b"\xff\xffplain after all", content_encoding="br"),
    "/not-zstd": answer(b"plain after all", content_encoding="zstd"),
    "/truncated": hang_up(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 900\r\n\r\nshort"),
    "/drip": endless("drip", b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 9000\r\n\r\n", b"x", 0.1),
    "/silence": lambda connection: time.sleep(250),
    "/headers": endless("headers", b"HTTP/1.1 200 OK\r\n", b"X-Filler: " + b"y" * 8000 + b"\r\n"),
    "/long-line": endless("long-line", b"HTTP/1.1 200 OK\r\nX-Filler: ", b"y" * 8000),
    "/hang-up": hang_up(),
    "/garbage": hang_up(b"SSH-2.0-OpenSSH_9.2\r\n\r\n"),
    "/bad-length": answer(b"x", content_length="many"),
}
FAILURES = {
    "/big": ("too-large", "done"),
    "/flood": ("too-large", "done"),
    "/gzip-bomb": ("too-large", "done"),
    "/br-bomb": ("too-large", "done"),
    "/zstd-bomb": ("too-large", "done"),
    "/double-bomb": ("too-large", "done"),
    "/not-gzip": ("bad-encoding", "retry"),
    "/not-br": ("bad-encoding", "retry"),
    "/not-zstd": ("bad-encoding", "retry"),
    "/truncated": ("truncated", "retry"),
    "/drip": ("timeout", "retry"),
    "/silence": ("timeout", "retry"),
    "/headers": ("bad-answer", "retry"),
    "/long-line": ("connection", "retry"),
    "/hang-up": ("connection", "retry"),
    "/garbage": ("bad-answer", "retry"),
    "/bad-length": ("bad-answer", "retry"),
}


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with Site(GALLERY) as site:
        yield site


SLOW = [path for path, (reason, _) in FAILURES.items() if reason == "timeout"]


@pytest.fixture(scope="module")
def shown(site: Site, crawl: Crawl) -> Told:
    rest = GALLERY.keys() - {"/unchanged", *SLOW}
    links: list[dict[str, Any]] = [{"url": site.origin + path} for path in GALLERY if path in rest]
    links.append({"url": site.origin + "/unchanged", "etag": '"v1"', "modified": "Sun, 06 Nov 1994 08:49:37 GMT"})
    options = {"timeout_s": PATIENCE_S, "max_body_bytes": LIMIT_BYTES, "concurrency": 40}
    return crawl(*links, options=options)


@pytest.fixture(scope="module")
def given_up(site: Site, crawl: Crawl) -> Told:
    return crawl(*(site.origin + path for path in SLOW), options={"timeout_s": TIMEOUT_S, "concurrency": 40})


def test_each_lease_is_delivered_exactly_once_then_the_crew_is_closed(shown: Told) -> None:
    assert shown.ended == "finished"
    assert len({told["url"] for told in shown.answers}) == len(shown.answers) == len(GALLERY) - len(SLOW)
    assert shown.events[-1] == "closing"
    assert shown.events.count("closing") == 1


@pytest.mark.parametrize("path", ["/plain", "/gzip", "/deflate", "/br", "/zstd", "/untyped"])
def test_a_page_arrives_decompressed_with_its_address_and_time(shown: Told, site: Site, path: str) -> None:
    told = shown.of(site.origin + path)
    assert (told["status"], body_of(told)) == (200, TEXT)
    assert told["address"] == "127.0.0.1"
    assert told["fetched_at"].endswith("+00:00")
    assert 0 < told["elapsed_s"] < PATIENCE_S


@pytest.mark.parametrize("path", FAILURES)
def test_what_cannot_be_read_is_a_failure_with_its_reason(shown: Told, given_up: Told, site: Site, path: str) -> None:
    told = (given_up if path in SLOW else shown).of(site.origin + path)
    assert (told.get("reason"), told.get("outcome")) == FAILURES[path], told
    assert told["detail"]
    assert told["counted"]


def test_a_redirect_is_a_page_and_is_not_followed(shown: Told, site: Site) -> None:
    told = shown.of(site.origin + "/moved")
    assert (told["status"], told["headers"]["location"]) == (301, "/谷")
    assert body_of(told) == b""
    assert body_of(shown.of(site.origin + "/refresh")).startswith(b"<meta")
    assert site.paths().count("/plain") == 1


def test_errors_are_pages_and_are_not_retried(shown: Told, given_up: Told, site: Site) -> None:
    assert shown.of(site.origin + "/missing")["status"] == 410
    busy = shown.of(site.origin + "/busy")
    assert (busy["status"], busy["headers"]["retry-after"]) == (503, "120")
    assert site.paths().count("/busy") == 1
    assert site.paths().count("/silence") == 1


def test_a_stored_version_makes_the_request_conditional(shown: Told, site: Site) -> None:
    (visit,) = [visit for visit in site.visits if visit.path == "/unchanged"]
    assert visit.headers["if-none-match"] == '"v1"'
    assert visit.headers["if-modified-since"] == "Sun, 06 Nov 1994 08:49:37 GMT"
    assert shown.of(site.origin + "/unchanged")["status"] == 304


def test_requests_say_who_asks(shown: Told, site: Site) -> None:
    for visit in site.visits:
        assert visit.headers["user-agent"] == "Thresher/0.1 (test)"
        assert visit.headers["accept-encoding"] == "gzip, deflate, br, zstd"


def test_header_names_are_lower_case_and_repeated_ones_joined(shown: Told, site: Site) -> None:
    assert shown.of(site.origin + "/plain")["headers"]["x-robots-tag"] == "noindex"
    assert shown.of(site.origin + "/twice")["headers"]["x-robots-tag"] == "nofollow, noindex"


def test_feeds_and_packed_sitemaps_are_downloaded(shown: Told, site: Site) -> None:
    assert body_of(shown.of(site.origin + "/feed")) == b"<rss/>"
    assert gzip.decompress(body_of(shown.of(site.origin + "/sitemap.xml.gz"))) == b"<urlset/>"


def test_a_film_is_stopped_after_its_headers(shown: Told, site: Site) -> None:
    for path, kind in (("/film", "video/mp4"), ("/picture", "image/gif")):
        told = shown.of(site.origin + path)
        assert (told["status"], told["headers"]["content-type"], body_of(told)) == (200, kind, b"")
    assert sent["film"] < 20_000_000


def test_endless_headers_are_cut_off_early(shown: Told, site: Site) -> None:
    assert sent["headers"] < 20_000_000
    assert sent["long-line"] < 20_000_000


def test_what_servers_do_wrong_is_not_shouted_about(shown: Told) -> None:
    assert shown.stderr == ""
