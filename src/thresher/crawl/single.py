"""Fetch one URL outside of any run, as politely and safely as a crawl would; nothing is stored."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

from thresher import urls
from thresher.crawl.judge import MAX_REDIRECTS, REDIRECTS
from thresher.errors import NotPermitted, ThresherError, Unreachable
from thresher.fetch.fetcher import FetchOptions, fetch
from thresher.model import Failure, Lease, Link, Page, Robots

REFUSED = frozenset({"address-refused", "robots-disallowed", "scheme-refused"})


class _Single:
    """A crew that asks for one URL, and for what it redirects to."""

    def __init__(self, url: str) -> None:
        self.answer: Page | Failure | None = None
        self.robots: dict[str, Robots] = {}
        self._next: Link | None = Link(url)
        self._answered = asyncio.Event()

    async def leases(self) -> AsyncIterator[Lease]:
        while self._next is not None:
            link, self._next = self._next, None
            self._answered.clear()
            yield Lease(link, token=1, worker="single", expires_at=0.0)
            await self._answered.wait()

    async def deliver(self, lease: Lease, answer: Page | Failure) -> None:
        self.answer = answer
        if isinstance(answer, Failure) and answer.reason == "robots-learned":
            self._next = lease.link
        elif isinstance(answer, Page) and answer.status in REDIRECTS and lease.link.hops < MAX_REDIRECTS:
            target = urls.canonical(answer.headers.get("location", ""), answer.url)
            self._next = replace(lease.link, url=target, hops=lease.link.hops + 1)
        self._answered.set()

    async def closing(self) -> None:
        return

    def interrupt(self) -> None:
        self._next = None
        self._answered.set()

    async def recall_robots(self, origin: str) -> Robots | None:
        return self.robots.get(origin)

    async def keep_robots(self, robots: Robots) -> None:
        self.robots[robots.origin] = robots


def fetch_one(url: str, options: FetchOptions) -> Page:
    """Return the page, redirects followed; raise NotPermitted, Unreachable or ThresherError when there is none."""
    crew = _Single(urls.canonical(url))
    fetch(crew, options)
    answer = crew.answer
    if isinstance(answer, Page):
        if answer.status >= 400 or answer.status in REDIRECTS:
            raise ThresherError(f"{answer.url} answered with status {answer.status}")
        return answer
    if answer is None:
        raise ThresherError(f"{url} was not fetched")
    kind = NotPermitted if answer.reason in REFUSED else Unreachable
    raise kind(f"{url}: {answer.reason}" + (f" ({answer.detail})" if answer.detail else ""))
