"""The proxy that a browser goes through: it connects only to addresses that the guard admits."""

import asyncio
from collections.abc import Sequence

from tests.fetch.loopback import Site, answer
from thresher.fetch.checking_proxy import CheckingProxy
from thresher.fetch.guard import Guard

HOSTS = {"good.test": ["127.0.0.1"], "inside.test": ["127.0.0.9"], "both.test": ["127.0.0.9", "127.0.0.1"]}


def look_up(host: str) -> Sequence[str]:
    return HOSTS.get(host, [host])


def asked(request: str, *, ports: frozenset[int] | None = None, strict: bool = False, most: int = 10_000) -> str:
    """Send a request through a proxy that admits 127.0.0.1 alone; return what comes back."""

    async def ask() -> str:
        guard = Guard(["127.0.0.1"], ports=ports)
        async with CheckingProxy(guard, most, strict=strict, look_up=look_up) as proxy:
            reader, writer = await asyncio.open_connection("127.0.0.1", int(proxy.url.rpartition(":")[2]))
            writer.write(request.encode())
            came = b""
            try:
                came = await reader.readuntil(b"\r\n\r\n")
                length = int(came.lower().partition(b"content-length: ")[2].split(b"\r\n")[0])
                came += await reader.readexactly(length)
            except asyncio.IncompleteReadError as error:
                came += error.partial
            writer.close()
            return came.decode("latin-1")

    return asyncio.run(ask())


def get(host: str, port: int) -> str:
    return f"GET http://{host}:{port}/a?b=1 HTTP/1.1\r\nHost: {host}\r\nProxy-Connection: keep-alive\r\n\r\n"


def test_a_page_comes_from_an_admitted_address_in_the_form_that_servers_expect() -> None:
    with Site({"/a?b=1": answer(b"hello")}) as site:
        assert asked(get("good.test", site.port)).endswith("hello")
        (visit,) = site.visits
    assert "proxy-connection" not in {name.lower() for name in visit.headers}


def test_refused_addresses_are_never_connected_to() -> None:
    with Site({}, address="127.0.0.9", otherwise=lambda _: answer(b"secret")) as site:
        for host in ("inside.test", "127.0.0.9", "2130706441", "0x7f000009"):
            assert asked(get(host, site.port)).startswith("HTTP/1.1 403"), host
            tunnel = f"CONNECT {host}:{site.port} HTTP/1.1\r\n\r\n"
            assert asked(tunnel).startswith("HTTP/1.1 403"), host
        assert site.connections == 0


def test_a_host_with_a_refused_address_is_asked_at_its_others_unless_we_are_strict() -> None:
    with Site({}, otherwise=lambda _: answer(b"hello")) as site:
        assert asked(get("both.test", site.port)).endswith("hello")
        assert asked(get("both.test", site.port), strict=True).startswith("HTTP/1.1 403")


def test_ports_that_are_not_allowed_are_refused() -> None:
    with Site({}, otherwise=lambda _: answer(b"hello")) as site:
        assert asked(get("good.test", site.port), ports=frozenset({80, 443})).startswith("HTTP/1.1 403")
        assert site.connections == 0


def test_no_more_comes_than_is_allowed() -> None:
    with Site({}, otherwise=lambda _: answer(b"x" * 200_000)) as site:
        assert len(asked(get("good.test", site.port), most=50_000)) <= 50_000


def test_what_is_no_request_is_refused() -> None:
    for request in ("GET /a HTTP/1.1\r\n\r\n", "GET ftp://good.test/ HTTP/1.1\r\n\r\n", "CONNECT : HTTP/1.1\r\n\r\n"):
        assert asked(request)[:12] in ("HTTP/1.1 403", "")
    assert asked("nonsense\r\n\r\n") == ""
