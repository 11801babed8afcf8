"""Answers made to break a client: odd statuses, lengths that lie, chunks and heads without end, worn-out decoders."""

import gzip
import socket
import time
import zlib
from collections.abc import Iterator
from contextlib import suppress

import pytest
import zstandard

from tests.fetch.conftest import Crawl, Told, body_of
from tests.fetch.loopback import Route, Site, answer

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
LIMIT_BYTES = 100_000
TIMEOUT_S = 1.0  # for answers that never end
PATIENCE_S = 200.0  # for all others: never reached, however slow the machine


def once(raw: bytes) -> Route:
    """Send these bytes, then close the connection."""
    return lambda connection: connection.sendall(raw)


def without_end(first: bytes, piece: bytes, pause_s: float = 0.0) -> Route:
    """Send a beginning, then the same piece again and again."""

    def behave(connection: socket.socket) -> None:
        connection.sendall(first)
        while True:
            connection.sendall(piece)
            time.sleep(pause_s)

    return behave


def nested(times: int) -> bytes:
    body = b"text"
    for _ in range(times):
        body = gzip.compress(body)
    return answer(body, content_encoding=", ".join(["gzip"] * times))


GALLERY: dict[str, tuple[Route, str, str]] = {  # what is sent, and the reason and outcome that it leads to
    "/status-huge": (once(b"HTTP/1.1 99999999999999999999 OK\r\nContent-Length: 2\r\n\r\nhi"), "bad-answer", "retry"),
    "/status-huge-film": (
        once(b"HTTP/1.1 99999999999999999999 OK\r\nContent-Type: video/mp4\r\nContent-Length: 2\r\n\r\nhi"),
        "bad-answer",
        "retry",
    ),
    "/status-negative": (once(b"HTTP/1.1 -200 OK\r\nContent-Length: 2\r\n\r\nhi"), "bad-answer", "retry"),
    "/status-0": (once(b"HTTP/1.1 0 OK\r\nContent-Length: 2\r\n\r\nhi"), "bad-answer", "retry"),
    "/status-text": (once(b"HTTP/1.1 fine OK\r\nContent-Length: 2\r\n\r\nhi"), "bad-answer", "retry"),
    "/continue": (without_end(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 100), "bad-answer", "retry"),
    "/slow-head": (without_end(HEAD, b"X", 0.2), "timeout", "retry"),
    "/length-negative": (once(HEAD + b"Content-Length: -2\r\n\r\nhello"), "bad-answer", "retry"),
    "/length-twice": (once(HEAD + b"Content-Length: 2\r\nContent-Length: 5\r\n\r\nhello"), "bad-answer", "retry"),
    "/length-huge": (once(HEAD + b"Content-Length: " + b"9" * 30 + b"\r\n\r\nhello"), "too-large", "done"),
    "/chunk-nonsense": (once(CHUNKED + b"zz\r\nhello\r\n0\r\n\r\n"), "truncated", "retry"),
    "/chunk-negative": (once(CHUNKED + b"-5\r\nhello\r\n0\r\n\r\n"), "truncated", "retry"),
    "/chunk-huge": (once(CHUNKED + b"F" * 20 + b"\r\nhello\r\n0\r\n\r\n"), "truncated", "retry"),
    "/chunk-drip": (without_end(CHUNKED, b"1\r\nx\r\n", 0.2), "timeout", "retry"),
    "/chunk-flood": (without_end(CHUNKED, b"1\r\nx\r\n" * 5_000), "too-large", "done"),
    "/chunk-extension": (without_end(CHUNKED + b"5;", b"x" * 8_000), "truncated", "retry"),
    "/trailers": (without_end(CHUNKED + b"5\r\nhello\r\n0\r\n", b"X: " + b"y" * 8_000 + b"\r\n"), "truncated", "retry"),
    "/header-name": (once(HEAD + b"X-\xff\x00: y\r\nContent-Length: 2\r\n\r\nhi"), "bad-answer", "retry"),
    "/location-100-kb": (
        once(b"HTTP/1.1 302 Found\r\nLocation: /" + b"x" * 100_000 + b"\r\nContent-Length: 0\r\n\r\n"),
        "connection",
        "retry",
    ),
    "/nested": (nested(4), "bad-encoding", "retry"),
    "/deflate-bomb": (answer(zlib.compress(bytes(20_000_000)), content_encoding="deflate"), "too-large", "done"),
    "/gzip-members": (answer(gzip.compress(b"") * 4_000, content_encoding="gzip"), "bad-encoding", "retry"),
    "/zstd-frames": (answer(zstandard.compress(b"") * 8_000, content_encoding="zstd"), "bad-encoding", "retry"),
}
READ = {  # odd, but read as browsers do
    "/status-bare": once(b"HTTP/1.1 200\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\nhello"),
    "/early-hints": once(b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + HEAD + b"Content-Length: 5\r\n\r\nhello"),
    "/length-short": once(HEAD + b"Content-Length: 5\r\n\r\nhello, and more than was said"),
    "/length-and-chunks": once(HEAD + b"Content-Length: 3\r\n" + CHUNKED[len(HEAD) :] + b"5\r\nhello\r\n0\r\n\r\n"),
    "/two-answers": once((HEAD + b"Content-Length: 5\r\n\r\nhello") + (HEAD + b"Content-Length: 4\r\n\r\nevil")),
    "/bare-newlines": once(b"HTTP/1.1 200 OK\nContent-Type: text/html\nContent-Length: 5\n\nhello"),
    "/no-colon": once(HEAD + b"what is this\r\nContent-Length: 5\r\n\r\nhello"),
    "/header-nul": once(HEAD + b"ETag: a\x00b\r\nContent-Length: 5\r\n\r\nhello"),
    "/nested-thrice": nested(3),
    "/gzip-and-garbage": answer(gzip.compress(b"hello") + b"garbage" * 50, content_encoding="gzip"),
}


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with Site({path: route for path, (route, _, _) in GALLERY.items()} | READ) as site:
        yield site


ENDLESS = [path for path, (_, reason, _) in GALLERY.items() if reason == "timeout"]


@pytest.fixture(scope="module")
def shown(site: Site, crawl: Crawl) -> Told:
    links = [site.origin + path for path in (*GALLERY, *READ) if path not in ENDLESS]
    return crawl(*links, options={"timeout_s": PATIENCE_S, "max_body_bytes": LIMIT_BYTES, "concurrency": 40})


@pytest.fixture(scope="module")
def given_up(site: Site, crawl: Crawl) -> Told:
    links = [site.origin + path for path in ENDLESS]
    return crawl(*links, options={"timeout_s": TIMEOUT_S, "max_body_bytes": LIMIT_BYTES, "concurrency": 40})


@pytest.mark.parametrize("path", GALLERY)
def test_an_answer_made_to_break_a_client_is_a_failure_with_its_reason(
    shown: Told, given_up: Told, site: Site, path: str
) -> None:
    told = (given_up if path in ENDLESS else shown).of(site.origin + path)
    assert (told.get("reason", ""), told.get("outcome", "")) == GALLERY[path][1:], told


@pytest.mark.parametrize("path", READ)
def test_what_browsers_read_is_read(shown: Told, site: Site, path: str) -> None:
    told = shown.of(site.origin + path)
    assert told.get("status") == 200, told
    assert body_of(told) in (b"hello", b"text")


def test_nothing_hostile_holds_up_the_others_or_is_shouted_about(shown: Told, given_up: Told) -> None:
    assert (shown.ended, given_up.ended) == ("finished", "finished")
    assert (shown.stderr, given_up.stderr) == ("", "")


def test_a_host_that_does_not_even_accept_is_given_up(crawl: Crawl) -> None:
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen(0)
        callers = [socket.socket() for _ in range(4)]
        for caller in callers:  # until the queue of those who wait is full, and the rest is not answered at all
            caller.setblocking(False)
            with suppress(BlockingIOError):
                caller.connect(deaf.getsockname())
        url = f"http://127.0.0.1:{deaf.getsockname()[1]}/"
        told = crawl(url, options={"timeout_s": 1.0})
        for caller in callers:
            caller.close()
    assert told.reasons() == ["timeout"]
    assert told.wall_s < 100  # left to itself, the system would try for more than two minutes


def test_a_name_that_nobody_knows_is_told_from_a_host_that_is_down(crawl: Crawl) -> None:
    told = crawl("http://nowhere.test/", "http://127.0.0.1:1/", hosts={"nowhere.test": []})
    assert told.of("http://nowhere.test/")["reason"] == "dns"
    assert told.of("http://127.0.0.1:1/")["reason"] == "connection"


def test_a_validator_beyond_measure_is_not_sent_back(crawl: Crawl) -> None:
    with Site({"/a": answer(b"text"), "/b": answer(b"text")}) as site:
        links = [
            {"url": site.origin + "/a", "etag": "x" * 5_000, "modified": "yesterday"},
            {"url": site.origin + "/b", "etag": "é\ufffd中\x01\x0b\x7f", "modified": "a\nHost: evil.test"},
        ]
        assert crawl(*links).reasons() == [200, 200]
        by_path = {visit.path: visit.headers for visit in site.visits}
    assert "if-none-match" not in by_path["/a"]
    assert by_path["/a"]["if-modified-since"] == "yesterday"
    assert "if-none-match" in by_path["/b"]
    assert by_path["/b"]["host"].startswith("127.0.0.1:")
