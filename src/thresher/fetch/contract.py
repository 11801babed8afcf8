"""What the fetcher is given: a crew that leases links and takes the answers, and how to ask."""

from collections.abc import AsyncIterator, Awaitable, Iterable
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Protocol

from thresher.fetch.guard import port_of
from thresher.model import Failure, Lease, Page, Robots, RobotsRules
from thresher.model.credentials import Credentials


class Crew(Protocol):
    """Who the fetcher works for. Every method is called on the event loop; what one raises ends the crawl."""

    def leases(self) -> AsyncIterator[Lease]:
        """Yield each link to fetch when a place is free and its host is due; end when the job is over or draining."""

    async def deliver(self, lease: Lease, asking: Awaitable[Page | Failure]) -> None:
        """Await the answer to one lease, and take it: once for each, at most once when the crawl is halted.

        Awaiting the answer does all the work of getting it: permission, request, decoding. What it raises is a fault
        of ours that the host has found.
        """

    async def closing(self, *, broken: bool) -> None:
        """Give back what was not settled: called once, after the last delivery; `broken` when an error ends it all."""

    def interrupt(self) -> None:
        """Stop leasing: `leases` ends soon, what is in flight is finished."""

    async def recall_robots(self, origin: str) -> Robots | None:
        """Return the robots.txt kept for an origin, however old; None when there is none."""

    async def keep_robots(self, robots: Robots) -> None:
        """Keep a robots.txt."""

    async def shell_of(self, page: Page) -> str:
        """Say why a page is an empty shell that a browser has to fill; empty when it is none."""

    async def read_robots(self, body: bytes, name: str) -> RobotsRules | None:
        """Read the rules for that name beside the event loop; None when that cannot be done in bounds."""


class Manner(NamedTuple):
    """How certain addresses are asked: those of a search engine that somebody set up."""

    pattern: str  # a regular expression that their canonical URLs match from end to end
    delay_s: float = 0.0  # that is kept as if the host's robots.txt asked for it
    robots: bool = True  # False: they may be asked for whatever it says


@dataclass(frozen=True, slots=True)
class FetchOptions:
    """How to ask."""

    user_agent: str  # its first word up to the slash is the name that robots.txt is read for
    concurrency: int = 16  # requests at once
    timeout_s: float = 30.0  # for the whole of a request, from the look-up of its host to its last byte
    max_body_bytes: int = 10_000_000  # after decompression
    allowed_addresses: tuple[str, ...] = ()  # addresses or networks that may be contacted though they are not public
    strict_addresses: bool = False  # refuse a host one of whose addresses is refused
    allowed_ports: frozenset[int] | None = None  # None: any
    accept_language: str = "en,*;q=0.5"
    obey_robots: bool = True
    robots_ttl_s: float = 86_400.0  # RFC 9309: no longer than a day
    robots_retry_s: float = 300.0  # until a robots.txt that could not be had is asked for again
    verify_tls: bool = True
    proxy: str = field(default="", repr=False)  # http://[USER:PASSWORD@]HOST:PORT; its own address is permitted
    credentials: Credentials = field(default_factory=Credentials)  # what goes to some hosts, and to them alone
    render: str = "off"  # off, auto: pages that are empty shells, always: every page
    render_pages: int = 2  # at the same time
    render_timeout_s: float = 20.0  # for one page
    manners: tuple[Manner, ...] = ()  # the first that fits a URL holds

    def starting_at(self, starts: Iterable[str]) -> "FetchOptions":
        """Return these options with the ports allowed that canonical URLs lead to which a person asked for."""
        if self.allowed_ports is None:
            return self
        return replace(self, allowed_ports=self.allowed_ports.union(map(port_of, starts)))
