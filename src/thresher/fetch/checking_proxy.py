"""A forward proxy on loopback through which a browser reaches the network: each connection passes the address guard.

The browser is told to send everything here and to look up nothing itself. The proxy looks the host up, lets the guard
choose among its addresses, and connects to the address that was checked. It serves one page, and is closed with it:

    browser ── CONNECT host:443, or GET http://host/ ──▶ look up ─▶ guard ─▶ connect to the checked address
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from thresher.fetch.guard import Guard
from thresher.fetch.resolver import lookup

HEAD_BYTES = 65_536
HEAD_S = 10.0  # for a request's head to come
CONNECT_S = 10.0
PIECE_BYTES = 65_536
MAX_CONNECTIONS = 64  # of one page, at the same time
_REFUSED = b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
_FAILED = b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
_CONNECTED = b"HTTP/1.1 200 Connection established\r\n\r\n"
_HOP_BY_HOP = (b"proxy-", b"connection:", b"keep-alive:", b"upgrade:", b"te:")


@dataclass(slots=True)
class Traffic:
    """What went through the proxy."""

    received: int = 0  # bytes
    is_too_much: bool = False
    refused: list[str] = field(default_factory=list)  # hosts whose addresses or port the guard refused


class CheckingProxy:
    """Runs on the event loop for one page; use it in an `async with` block."""

    def __init__(
        self,
        guard: Guard,
        max_bytes: int,
        *,
        strict: bool = False,
        look_up: Callable[[str], Sequence[str]] = lookup,
    ) -> None:
        self.traffic = Traffic()
        self._guard, self._max_bytes, self._strict, self._look_up = guard, max_bytes, strict, look_up
        self._serving: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    @property
    def url(self) -> str:
        """The address to give to the browser."""
        assert self._server
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def __aenter__(self) -> "CheckingProxy":
        """Listen."""
        self._server = await asyncio.start_server(self._accepted, "127.0.0.1", 0, limit=HEAD_BYTES)
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close every connection."""
        assert self._server
        self._server.close()
        for task in self._serving:
            task.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)

    async def _accepted(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        self._serving.add(task)
        try:
            if len(self._serving) <= MAX_CONNECTIONS and not self.traffic.is_too_much:
                await self._serve(reader, writer)
        except (asyncio.CancelledError, OSError, ValueError, EOFError, asyncio.LimitOverrunError, TimeoutError):
            pass  # a connection that breaks off, or ends with its page, concerns the browser alone
        finally:
            self._serving.discard(task)
            writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), HEAD_S)
        method, target, *_ = head.split(b"\r\n", 1)[0].decode("latin-1").split(" ")
        tunnel = method == "CONNECT"
        parts = urlsplit(f"https://{target}" if tunnel else target)
        host, port = parts.hostname or "", parts.port or (443 if tunnel else 80)
        if not host or parts.scheme not in ("http", "https") or (parts.scheme == "https") != tunnel:
            writer.write(_REFUSED)
            return
        addresses = await self._admitted(host, f"{parts.scheme}://{parts.netloc}/")
        if not addresses:
            writer.write(_REFUSED)
            return
        there = await self._connected(addresses, port)
        if there is None:
            writer.write(_FAILED)
            return
        if tunnel:
            writer.write(_CONNECTED)
        else:
            there[1].write(_origin_form(head, method, target))
        await self._pass_on((reader, writer), there, whole=tunnel)

    async def _admitted(self, host: str, url: str) -> list[str]:
        """Return the addresses of a host that may be contacted; none when its port may not."""
        found: Sequence[str] = ()
        if self._guard.refused_port(url) is None:
            found = await asyncio.to_thread(self._look_up, host)
        admitted = [address for address in found if self._guard.admits(address)]
        if self._strict and len(admitted) < len(found):
            admitted = []
        if not admitted:
            self.traffic.refused.append(host)
        return admitted

    async def _connected(
        self, addresses: Sequence[str], port: int
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
        for address in addresses:
            try:
                return await asyncio.wait_for(asyncio.open_connection(address, port), CONNECT_S)
            except (OSError, TimeoutError):
                continue
        return None

    async def _pass_on(
        self,
        browser: tuple[asyncio.StreamReader, asyncio.StreamWriter],
        there: tuple[asyncio.StreamReader, asyncio.StreamWriter],
        *,
        whole: bool,
    ) -> None:
        """Copy what comes from either side; unless it is a `whole` connection, it is for one request alone."""
        sending = asyncio.create_task(self._copy(browser[0], there[1], counted=False))
        try:
            if not whole:
                browser[1].write(_for_one_request(await there[0].readuntil(b"\r\n\r\n")))
            await self._copy(there[0], browser[1], counted=True)
        finally:
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)
            there[1].close()

    async def _copy(self, source: asyncio.StreamReader, target: asyncio.StreamWriter, *, counted: bool) -> None:
        while piece := await source.read(PIECE_BYTES):
            if counted:
                self.traffic.received += len(piece)
                if self.traffic.received > self._max_bytes:
                    self.traffic.is_too_much = True
                    return
            target.write(piece)
            await target.drain()


def _origin_form(head: bytes, method: str, target: str) -> bytes:
    """Return a request as the server expects it."""
    parts = urlsplit(target)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    rest = head.partition(b"\r\n")[2]
    return _for_one_request(f"{method} {path} HTTP/1.1\r\n".encode("latin-1") + rest)


def _for_one_request(head: bytes) -> bytes:
    """Return a head that says that its connection ends: the next request may be for another host, and is checked."""
    first, *lines = head.removesuffix(b"\r\n\r\n").split(b"\r\n")
    kept = [line for line in lines if not line.lower().startswith(_HOP_BY_HOP)]
    return b"\r\n".join([first, *kept, b"Connection: close", b"", b""])
