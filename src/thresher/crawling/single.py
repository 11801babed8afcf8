"""Fetch a few URLs outside of any run, as politely and safely as a crawl would; nothing is stored."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Sequence
from dataclasses import replace

from thresher import urls
from thresher.crawling.judge import MAX_REDIRECTS, REDIRECTS
from thresher.crawling.reasons import NOT_PERMITTED, UNREACHABLE, meaning_of
from thresher.errors import NotPermitted, ThresherError, Unreachable, UsageError
from thresher.fetch.fetcher import FetchOptions, fetch
from thresher.model import Failure, Lease, Link, Outcome, Page, Robots, RobotsRules
from thresher.model.robots import read_rules

CRAWL_DELAY_CAP_S = 60.0


class _Errand:
    """A crew that asks for one URL after the other, and for what each redirects to."""

    def __init__(self, wanted: Sequence[str], delay_s: float) -> None:
        self.answers: list[Page | Failure] = []
        self._wanted = wanted
        self._delay_s = delay_s
        self._robots: dict[str, Robots] = {}
        self._due: dict[str, float] = {}  # host → when it may be asked again
        self._next: Link | None = None
        self._answered = asyncio.Event()
        self._stopped = False

    async def leases(self) -> AsyncIterator[Lease]:
        for url in self._wanted:
            self._next = Link(url)
            while self._next is not None and not self._stopped:
                link, self._next = self._next, None
                self._answered.clear()
                await asyncio.sleep(max(0.0, self._due.get(urls.host_of(link.url), 0.0) - time.monotonic()))
                yield Lease(link, token=1, worker="errand", expires_at=0.0)
                await self._answered.wait()

    async def deliver(self, lease: Lease, asking: Awaitable[Page | Failure]) -> None:
        (answer,) = await asyncio.gather(asking, return_exceptions=True)
        if isinstance(answer, Exception):
            answer = Failure("fetch-error", Outcome.DONE, f"{type(answer).__name__}: {answer}")
        if isinstance(answer, BaseException):
            raise answer
        link = lease.link
        if isinstance(answer, Failure) and answer.reason == "robots-learned":
            self._next = link
        elif isinstance(answer, Page) and answer.status in REDIRECTS:
            self._redirect(link, answer)
        else:
            self.answers.append(answer)
        asked_s = min(answer.crawl_delay_s or 0.0, CRAWL_DELAY_CAP_S)
        self._due[urls.host_of(link.url)] = time.monotonic() + max(self._delay_s, asked_s)
        self._answered.set()

    def _redirect(self, link: Link, page: Page) -> None:
        try:
            target = urls.canonical(page.headers.get("location", ""), page.url)
        except UsageError:
            self.answers.append(Failure("bad-redirect", Outcome.DONE))
            return
        if link.hops >= MAX_REDIRECTS:
            self.answers.append(Failure("too-many-redirects", Outcome.DONE))
        else:
            self._next = replace(link, url=target, hops=link.hops + 1)

    async def closing(self, *, broken: bool) -> None:
        return

    def interrupt(self) -> None:
        self._stopped = True
        self._answered.set()

    async def recall_robots(self, origin: str) -> Robots | None:
        return self._robots.get(origin)

    async def keep_robots(self, robots: Robots) -> None:
        self._robots[robots.origin] = robots

    async def read_robots(self, body: bytes, name: str) -> RobotsRules | None:
        return await asyncio.to_thread(read_rules, body, name)


def fetch_one(url: str, options: FetchOptions) -> Page:
    """Return the page, redirects followed; raise NotPermitted, Unreachable or ThresherError when there is none."""
    (answer,) = fetch_all([url], options)
    if isinstance(answer, ThresherError):
        raise answer
    return answer


def fetch_all(wanted: Sequence[str], options: FetchOptions, *, delay_s: float = 0.0) -> list[Page | ThresherError]:
    """Return for each URL its page, redirects followed, or the error that says why there is none.

    Raise KeyboardInterrupt when a signal came first: a process can fetch only once.
    """
    targets = [urls.canonical(url) for url in wanted]
    crew = _Errand(targets, delay_s)
    fetch(crew, options.starting_at(targets))
    if len(crew.answers) < len(wanted):
        raise KeyboardInterrupt
    return [_page_or_error(url, answer) for url, answer in zip(wanted, crew.answers, strict=True)]


def _page_or_error(url: str, answer: Page | Failure) -> Page | ThresherError:
    if isinstance(answer, Page):
        bad = answer.status >= 400
        return ThresherError(f"{answer.url} answered with status {answer.status}") if bad else answer
    kind = NotPermitted if answer.reason in NOT_PERMITTED else ThresherError
    kind = Unreachable if answer.reason in UNREACHABLE else kind
    return kind(f"{url}: {answer.reason}: {meaning_of(answer.reason)}")
