"""The served sample web behaves as real sites do, and its log tells who did what."""

import gzip
import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from thresher.errors import UsageError
from thresher.sample import Origins, RunningSample, SampleWeb, serve, serve_folder

SLOW_S = 0.3
PATIENCE_S = 200.0  # what a machine may take that has much else to do
PARENT = """
import sys, time
from thresher.sample import SampleWeb, serve
site = serve(SampleWeb(10))
print(site.server.pid, site.starts[0], flush=True)
time.sleep(600)
"""


@pytest.fixture(scope="module")
def site() -> Iterator[RunningSample]:
    with serve(SampleWeb(20, slow_s=SLOW_S)) as running:
        yield running


def get(url: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    """Ask for a URL and follow nothing."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=PATIENCE_S)
    target = parts.path + (f"?{parts.query}" if parts.query else "")
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request("GET", target, headers={"User-Agent": "test/1"} | names)
    reply = connection.getresponse()
    body = reply.read()
    connection.close()
    return reply.status, {name.lower(): value for name, value in reply.getheaders()}, body


def test_it_serves_exactly_what_the_web_says(site: RunningSample) -> None:
    expected = site.web.expected_urls()
    for url in sorted(expected.articles | expected.threads | expected.boards | expected.listings | expected.feeds):
        answer = site.web.answer(url)
        status, headers, body = get(url)
        assert (status, body) == (200, answer.body)
        assert headers["content-type"] == answer.content_type


def test_the_origins_are_three_ports_of_one_host(site: RunningSample) -> None:
    parts = [urlsplit(start) for start in site.starts]
    assert {part.hostname for part in parts} == {"127.0.0.1"}
    assert len({part.port for part in parts}) == 3


def test_a_connection_is_kept_alive(site: RunningSample) -> None:
    parts = urlsplit(site.starts[0])
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=PATIENCE_S)
    for path in ("/", "/robots.txt", "/feed.xml"):
        connection.request("GET", path)
        assert connection.getresponse().read()
        assert connection.sock is not None
    connection.close()


def test_an_unchanged_page_is_not_sent_again(site: RunningSample) -> None:
    url = min(site.web.expected_urls().articles)
    _, headers, _ = get(url)
    status, _, body = get(url, If_None_Match=headers["etag"])
    assert (status, body) == (304, b"")
    status, _, body = get(url, If_Modified_Since=headers["last-modified"])
    assert (status, body) == (304, b"")
    assert get(url, If_None_Match='W/"other"')[0] == 200
    assert get(url, If_Modified_Since="Mon, 01 Jan 2001 00:00:00 GMT")[0] == 200


def test_pages_are_compressed_for_those_who_accept_it(site: RunningSample) -> None:
    url = min(site.web.expected_urls().articles)
    _, headers, body = get(url, Accept_Encoding="gzip, deflate")
    assert headers["content-encoding"] == "gzip"
    assert gzip.decompress(body) == site.web.answer(url).body
    assert "content-encoding" not in get(url)[1]


def test_a_flaky_page_fails_once_then_answers(site: RunningSample) -> None:
    site.server.forget()
    url = site.web.expected_urls().hazards["flaky"]
    status, headers, _ = get(url)
    assert (status, headers["retry-after"]) == (503, "1")
    assert [get(url)[0], get(url)[0]] == [200, 200]


def test_a_slow_page_takes_its_time(site: RunningSample) -> None:
    begun = time.monotonic()
    status, _, body = get(site.web.expected_urls().hazards["slow"])
    assert (status, b"Live from the harbour" in body) == (200, True)
    assert time.monotonic() - begun >= SLOW_S


def test_a_slow_page_holds_up_nobody() -> None:
    with serve(SampleWeb(10, slow_s=3600)) as running:
        parts = urlsplit(running.web.expected_urls().hazards["slow"])
        connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=PATIENCE_S)
        connection.request("GET", parts.path)
        assert get(running.starts[0])[0] == 200
        connection.close()


def test_a_client_that_leaves_a_slow_page_harms_nobody(site: RunningSample) -> None:
    parts = urlsplit(site.web.expected_urls().hazards["slow"])
    with socket.create_connection((parts.hostname or "", parts.port or 0)) as leaver:
        leaver.sendall(f"GET {parts.path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    assert get(site.starts[0])[0] == 200


def test_the_other_hazards_answer_as_they_should(site: RunningSample) -> None:
    expected = site.web.expected_urls()
    hazards = expected.hazards
    assert get(hazards["broken"])[0] == 500
    assert get(hazards["missing"])[0] == 404
    assert get(hazards["binary"])[1]["content-type"] == "application/pdf"
    assert get(hazards["loop"])[1]["location"] == "/loop/b"
    news = site.web.origins.news
    assert get(f"{news}/loop/b")[1]["location"] == "/loop/a"
    assert b'name="robots" content="noindex"' in get(f"{news}/press/embargo")[2]
    assert get(f"{news}/press/statement")[1]["x-robots-tag"] == "noindex"


def test_redirects_lead_from_site_to_site_and_in_chains(site: RunningSample) -> None:
    origins = site.web.origins
    assert get(f"{origins.news}/blog")[1]["location"] == f"{origins.blog}/"
    status, headers, _ = get(f"{origins.news}/go/1")
    assert (status, headers["location"]) == (302, "/a/1")
    status, headers, _ = get(f"{origins.news}/a/1")
    assert status == 301
    assert origins.news + headers["location"] in site.web.expected_urls().articles


def test_the_log_tells_what_was_asked_when_and_by_whom(site: RunningSample) -> None:
    site.server.forget()
    closed = f"{site.web.origins.blog}/private/notes/"
    before = time.monotonic()
    get(site.starts[1], User_Agent="polite/2")
    get(closed)
    get(closed + "?again=1")
    first, second, third = site.log()
    assert (first.url, first.status, first.user_agent) == (site.starts[1], 200, "polite/2")
    assert before <= first.at <= second.at <= third.at <= time.monotonic()
    assert site.hits(closed) == 1
    assert site.hits(f"{site.web.origins.blog}/private/*") == 2
    assert site.hits(f"{site.web.origins.news}/private/*") == 0


def test_a_port_that_is_taken_is_refused_with_its_number() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(UsageError, match=str(port)):
            serve(SampleWeb(10), port=port)


def test_stopping_ends_the_server() -> None:
    running = serve(SampleWeb(10))
    running.server.stop()
    with pytest.raises(ConnectionRefusedError):
        get(running.starts[0])
    running.server.stop()


def test_the_server_ends_when_its_parent_is_killed() -> None:
    parent = subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True)
    assert parent.stdout
    pid, url = parent.stdout.readline().split()
    assert get(url)[0] == 200
    parent.kill()
    parent.wait()
    parent.stdout.close()
    assert silent_within(url, int(pid), PATIENCE_S)


def silent_within(url: str, pid: int, limit_s: float) -> bool:
    """Wait for a server to stop listening; end it ourselves and return False when it does not."""
    deadline = time.monotonic() + limit_s
    while time.monotonic() < deadline:
        try:
            get(url)
        except ConnectionRefusedError:
            return True
        time.sleep(0.05)
    os.kill(pid, signal.SIGKILL)
    return False


def test_the_same_web_can_be_at_other_addresses(site: RunningSample) -> None:
    moved = site.web.at(Origins("http://a.example", "http://b.example", "http://c.example"))
    assert {truth.title for truth in moved.truth()} == {truth.title for truth in site.web.truth()}
    assert all(truth.url.startswith("http://") and ".example/" in truth.url for truth in moved.truth())


def test_a_folder_of_pages_is_served_with_an_index(tmp_path: Path) -> None:
    (tmp_path / "deep er").mkdir()
    for number in range(150):
        (tmp_path / f"{number:03}.html").write_text(f"<p>page {number}</p>")
    (tmp_path / "deep er" / "ü.htm").write_bytes(b"<p>below</p>")
    (tmp_path / "secret.txt").write_text("no")
    with serve_folder(tmp_path) as running:
        (start,) = running.starts
        _, _, index = get(start)
        assert index.count(b"<li>") == 100
        assert b'rel="next" href="/_index/2/"' in index
        second = get(f"{start}_index/2/")[2]
        assert second.count(b"<li>") == 51
        assert b"/deep%20er/%C3%BC.htm" in index + second
        assert get(f"{start}007.html")[2] == b"<p>page 7</p>"
        assert get(f"{start}007.html")[1]["content-type"] == "text/html"
        assert get(f"{start}deep%20er/%C3%BC.htm")[2] == b"<p>below</p>"
        for path in ("secret.txt", "_index/3/", "../x.html", "_index/x/"):
            assert get(start + path)[0] == 404
        assert running.hits(f"{start}007.html") == 2


def test_a_folder_without_pages_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no \*\.html files"):
        serve_folder(tmp_path)


def test_the_largest_web_is_served() -> None:
    with serve(SampleWeb(100_000)) as running:
        forum = running.web.origins.forum
        assert get(f"{forum}/thread-29998-1-1.html")[0] == 200
        assert get(f"{running.web.origins.news}/world/page/300/")[0] == 200
