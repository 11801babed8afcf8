# ruff: noqa: N802, N803 - the names of the method that Twisted calls
"""Resolve hosts for Twisted so that it can only connect to addresses which the guard admits.

Twisted passes every host through its resolver, also an address in any spelling (2130706433, 0x7f.1, [::ffff:7f00:1]),
and connects to the address it is given without looking the name up again.
"""

import asyncio
import logging
import socket
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from twisted.internet.address import IPv4Address, IPv6Address
from twisted.internet.interfaces import IAddress, IHostnameResolver, IHostResolution
from zope.interface import implementer  # type: ignore[import-untyped]

from thresher.fetch.guard import Guard

TTL_S = 300.0  # getaddrinfo does not tell the record's own
MAX_HOSTS = 10_000
THREADS = 16
log = logging.getLogger("thresher.fetch")


@dataclass(frozen=True, slots=True)
class Resolved:
    """The addresses of a host, by what the guard said of them."""

    admitted: tuple[str, ...]
    refused: tuple[str, ...]
    until: float  # of the event loop's clock


def lookup(host: str) -> list[str]:
    """Return the addresses of a host, best first; none when it cannot be resolved."""
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return []
    return list(dict.fromkeys(str(sockaddr[0]) for *_, sockaddr in found))


@implementer(IHostResolution)
class Resolution:
    """A look-up that is under way; Twisted wants to hold one."""

    def __init__(self, name: str) -> None:
        self.name = name

    def cancel(self) -> None:
        """Do nothing: a look-up in a thread cannot be stopped, and its result does no harm."""


@implementer(IHostnameResolver)
class GuardedResolver:
    """Looks hosts up in threads, keeps the result for a while, and gives out admitted addresses only."""

    def __init__(
        self,
        guard: Guard,
        look_up: Callable[[str], Sequence[str]] = lookup,
        *,
        strict: bool = False,
        trusted: str = "",
    ) -> None:
        """A host with a refused address is contacted at its others; not at all when we are `strict`.

        `trusted` is a host that may have any address: the proxy, which is then the only host that we connect to.
        """
        self._strict = strict
        self._reactor: Any = None
        self._guard = guard
        self._trusted = trusted
        self._look_up = look_up
        self._known: dict[str, Resolved] = {}
        self._threads = ThreadPoolExecutor(THREADS, "resolve")
        self._under_way: set[asyncio.Task[None]] = set()

    def bound_to(self, reactor: Any) -> "GuardedResolver":
        """Return itself, knowing the reactor that Scrapy will ask it to install itself on."""
        self._reactor = reactor
        return self

    def install_on_reactor(self) -> None:
        """Become the resolver of the reactor."""
        self._reactor.installNameResolver(self)

    def close(self) -> None:
        """Give up the threads; one that is still looking something up ends by itself."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def refused(self, url: str) -> tuple[str, ...]:
        """Return the refused addresses of a URL's host when it has no admitted one; empty otherwise."""
        known = self._known.get(_ascii(_host(url)))
        return known.refused if known and not known.admitted else ()

    def resolveHostName(
        self,
        resolutionReceiver: Any,
        hostName: str,
        portNumber: int = 0,
        addressTypes: Sequence[type[IAddress]] | None = None,
        transportSemantics: str = "TCP",
    ) -> "Resolution":
        """Tell the receiver each admitted address, at once when the host is known."""
        host = _ascii(hostName)
        resolution = Resolution(hostName)
        resolutionReceiver.resolutionBegan(resolution)
        known = self._known.get(host)
        if known and known.until > asyncio.get_running_loop().time():
            _tell(resolutionReceiver, known.admitted, portNumber)
        else:
            task = asyncio.create_task(self._resolve(host, resolutionReceiver, portNumber))
            self._under_way.add(task)
            task.add_done_callback(self._under_way.discard)
        return resolution

    async def _resolve(self, host: str, receiver: Any, port: int) -> None:
        loop = asyncio.get_running_loop()
        (found,) = await asyncio.gather(self._looked_up(host), return_exceptions=True)
        if isinstance(found, BaseException):  # Twisted would wait for ever
            log.warning("cannot look up %s: %s", host, found)
            found = ()
        admitted = tuple(address for address in found if host == self._trusted or self._guard.admits(address))
        refused = tuple(address for address in found if address not in admitted)
        if self._strict and refused:
            admitted = ()
        self._known.pop(host, None)
        if found:
            self._known[host] = Resolved(admitted, refused, loop.time() + TTL_S)
        if len(self._known) > MAX_HOSTS:
            del self._known[next(iter(self._known))]
        _tell(receiver, admitted, port)

    async def _looked_up(self, host: str) -> Sequence[str]:
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._look_up, host)


def _tell(receiver: Any, addresses: Sequence[str], port: int) -> None:
    for address in addresses:
        kind = IPv6Address if ":" in address else IPv4Address
        receiver.addressResolved(kind("TCP", address, port))
    receiver.resolutionComplete()


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def _ascii(host: str) -> str:
    """Return the ASCII form of a host that Twisted has decoded from it, or of one that is ASCII already."""
    labels = (label if label.isascii() else "xn--" + label.encode("punycode").decode() for label in host.split("."))
    return ".".join(labels)
