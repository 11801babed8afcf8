"""Requests through a proxy: it sees them all, its login stays with it, and it is asked for public hosts only."""

import os
import socket
import ssl
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.commands import run as thresher
from tests.fetch.conftest import Crawl
from tests.fetch.loopback import Route, Site, answer
from tests.fetch.test_tls import certify

PROXY = "127.0.0.9"


def relay(source: socket.socket, target: socket.socket) -> None:
    while data := source.recv(65536):
        target.sendall(data)
    target.shutdown(socket.SHUT_WR)


def tunnel(path: str) -> Route:
    """Answer for any http URL; let CONNECT through to loopback."""
    if path.startswith("http://"):
        return answer(f"asked for {path}".encode())
    host, _, port = path.rpartition(":")
    if host == "closed.test":
        return answer(b"", "502 Bad Gateway")

    def behave(connection: socket.socket) -> None:
        with socket.create_connection(("127.0.0.1", int(port))) as onward:
            connection.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
            back = threading.Thread(target=relay, args=(onward, connection), daemon=True)
            back.start()
            relay(connection, onward)
            back.join()

    return behave


@pytest.fixture
def proxy() -> Iterator[Site]:
    with Site({}, PROXY, otherwise=tunnel) as site:
        yield site


def options(proxy: Site, login: str = "", allowed: tuple[str, ...] = ()) -> dict[str, object]:
    return {"proxy": f"http://{login}{PROXY}:{proxy.port}", "allowed_addresses": list(allowed)}


def test_names_are_left_to_the_proxy_whose_own_address_needs_no_permission(proxy: Site, crawl: Crawl) -> None:
    told = crawl("http://news.test/a", "http://other.test/", options=options(proxy, "me:hu%2Fsh@"))
    assert {answer["status"] for answer in told.answers} == {200}
    assert {answer["address"] for answer in told.answers} == {None}
    assert sorted(proxy.paths()) == ["http://news.test/a", "http://other.test/"]
    assert {visit.headers["proxy-authorization"] for visit in proxy.visits} == {"Basic bWU6aHUvc2g="}
    assert set(told.asked) <= {PROXY}


def test_a_proxy_may_have_a_name_that_leads_inside(proxy: Site, crawl: Crawl) -> None:
    given = {"proxy": f"http://proxy.test:{proxy.port}", "allowed_addresses": []}
    told = crawl("http://news.test/", options=given, hosts={"proxy.test": [PROXY]})
    assert told.reasons() == [200]
    assert told.asked == ["proxy.test"]


def test_https_goes_through_a_tunnel_and_the_host_never_sees_the_login_of_the_proxy(
    proxy: Site, crawl: Crawl, tmp_path: Path
) -> None:
    certificate = certify(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    with Site({"/": answer(b"safe")}, tls=context) as safe:
        url = f"https://good.test:{safe.port}/"
        given = options(proxy, "me:hush@") | {"credentials": {"headers": [f"good.test:{safe.port} X-Key: own"]}}
        told = crawl(url, options=given, env=os.environ | {"SSL_CERT_FILE": str(certificate)})
        assert told.of(url)["status"] == 200
        assert [visit.headers.get("x-key") for visit in safe.visits] == ["own"]
        assert "proxy-authorization" not in safe.visits[0].headers
    assert proxy.paths() == [f"good.test:{safe.port}"]
    assert proxy.visits[0].headers["proxy-authorization"] == "Basic bWU6aHVzaA=="
    assert "x-key" not in proxy.visits[0].headers


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "[::1]", "127.0.0.9", "localhost", "a.localhost", "metadata.google.internal", "[::ffff:7f00:1]"],
)
def test_what_the_url_shows_to_be_inside_is_not_asked_of_a_proxy(proxy: Site, crawl: Crawl, host: str) -> None:
    url = f"http://{host}:{proxy.port}/"
    assert crawl(url, options=options(proxy)).of(url)["reason"] == "address-refused"
    assert proxy.visits == []


def test_an_address_that_is_permitted_is_asked_of_the_proxy(proxy: Site, crawl: Crawl) -> None:
    assert crawl("http://127.0.0.1:81/", options=options(proxy, allowed=("127.0.0.1",))).reasons() == [200]
    assert proxy.paths() == ["http://127.0.0.1:81/"]


def test_the_proxy_itself_is_not_crawled_by_its_name(proxy: Site, crawl: Crawl) -> None:
    given = {"proxy": f"http://proxy.test:{proxy.port}", "allowed_addresses": []}
    told = crawl(f"http://proxy.test:{proxy.port}/", options=given, hosts={"proxy.test": [PROXY]})
    assert told.reasons() == ["address-refused"]


def test_a_proxy_that_is_away_or_says_no_is_told_from_the_site(proxy: Site, crawl: Crawl) -> None:
    proxy.routes["http://news.test/"] = answer(b"", "407 Proxy Authentication Required")
    told = crawl("http://news.test/", "https://closed.test/", options=options(proxy))
    assert told.reasons() == ["proxy-failed", "proxy-failed"]
    with socket.create_server((PROXY, 0)) as nobody:
        port = nobody.getsockname()[1]
    told = crawl("http://news.test/", "https://news.test/", options={"proxy": f"http://me:hush@{PROXY}:{port}"})
    assert told.reasons() == ["proxy-failed", "proxy-failed"]
    assert "hush" not in str(told)


def test_a_command_goes_through_the_proxy_that_it_is_given(proxy: Site, tmp_path: Path) -> None:
    given = ("--proxy", f"http://me:hush@{PROXY}:{proxy.port}")
    ended = thresher("probe", "http://news.test/a", *given, cwd=tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert proxy.paths() == ["http://news.test/robots.txt", "http://news.test/a"]
    assert "hush" not in ended.stdout + ended.stderr
