"""Fetch URLs outside of any run, as politely and safely as a crawl would; nothing is stored."""

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from thresher import urls
from thresher.crawling.judge import MAX_REDIRECTS, REDIRECTS
from thresher.crawling.questions import is_shell
from thresher.crawling.reasons import NOT_PERMITTED, UNREACHABLE, meaning_of
from thresher.errors import NotHtml, NotPermitted, ThresherError, Unreachable, UsageError
from thresher.fetch.fetcher import FetchOptions, fetch
from thresher.fetch.media import is_wanted
from thresher.html.sniff import describe
from thresher.model import Failure, Lease, Link, Outcome, Page, Robots, RobotsRules
from thresher.model.robots import read_rules

CRAWL_DELAY_CAP_S = 60.0
PERMANENT = (301, 308)
MAX_HOSTS = 1_000  # whose robots.txt and last request are remembered

Answer = Page | ThresherError
Use = Callable[[Answer], Awaitable[Any]]  # what is done with an answer; while many do, no more URLs are fetched
Ask = Callable[[str, Use], Awaitable[Any]]  # fetches a URL, and returns what its use returned


class _Interrupted(ThresherError):
    """Somebody pressed Ctrl-C."""


@dataclass(eq=False, slots=True)
class _Wanted:
    """A URL that somebody waits for, and the link that is to be followed next to get it."""

    url: str
    link: Link
    use: Use
    used: "asyncio.Future[Any]"
    moved_to: str = ""  # by permanent redirects alone
    wandered: bool = False  # there was one that is not permanent


class _Errand:
    """A crew that serves work which asks for URLs: one request at a time to each host, redirects followed."""

    def __init__(self, work: Callable[[Ask], Awaitable[None]], options: FetchOptions, delay_s: float) -> None:
        self._work = work
        self._delay_s = delay_s
        self._room = asyncio.Semaphore(options.concurrency)  # of pages that are fetched or used
        self._robots: dict[str, Robots] = {}
        self._queues: dict[str, deque[_Wanted]] = {}  # by host; those that wait
        self._due: dict[str, float] = {}  # when a host may be asked again; infinite while it is being asked
        self._out: dict[Link, _Wanted] = {}  # under way
        self._changed = asyncio.Event()
        self._stopped = False

    async def leases(self) -> AsyncIterator[Lease]:
        working = asyncio.ensure_future(self._work(self._ask))
        working.add_done_callback(lambda _: self._changed.set())
        try:
            while not working.done():
                await self._room.acquire()
                wanted = await self._next(working)
                if wanted is None:
                    break
                self._out[wanted.link] = wanted
                yield Lease(wanted.link, token=1, worker="errand", expires_at=0.0)
            await working
        finally:
            working.cancel()

    async def _ask(self, url: str, use: Use) -> Any:
        try:
            link = Link(urls.canonical(url))
        except UsageError as error:
            return await use(error)
        wanted = _Wanted(url, link, use, asyncio.get_running_loop().create_future())
        self._enqueue(wanted)
        return await wanted.used

    def _enqueue(self, wanted: _Wanted, *, first: bool = False) -> None:
        queue = self._queues.setdefault(urls.host_of(wanted.link.url), deque())
        (queue.appendleft if first else queue.append)(wanted)
        self._changed.set()

    async def _next(self, working: "asyncio.Future[None]") -> _Wanted | None:
        """Wait for a URL whose host is due; None when the work is done."""
        while not working.done():
            if self._stopped:
                raise _Interrupted("interrupted")
            self._changed.clear()
            host = min(self._queues, key=self._when, default=None)
            wait_s = self._when(host) - time.monotonic() if host is not None else float("inf")
            if host is not None and wait_s <= 0:
                return self._taken(host)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), None if wait_s == float("inf") else wait_s)
        return None

    def _when(self, host: str) -> float:
        return self._due.get(host, 0.0)

    def _taken(self, host: str) -> _Wanted:
        wanted = self._queues[host].popleft()
        if not self._queues[host]:
            del self._queues[host]
        self._due[host] = float("inf")
        return wanted

    async def deliver(self, lease: Lease, asking: Awaitable[Page | Failure]) -> None:
        (answer,) = await asyncio.gather(asking, return_exceptions=True)
        if isinstance(answer, Exception):
            answer = Failure("fetch-error", Outcome.DONE, f"{type(answer).__name__}: {answer}")
        if isinstance(answer, BaseException):
            raise answer
        wanted = self._out.pop(lease.link)
        asked_s = min(answer.crawl_delay_s or 0.0, CRAWL_DELAY_CAP_S)
        self._rest(urls.host_of(lease.link.url), max(self._delay_s, asked_s))
        try:
            onward = lease.link if _is_robots(answer) else _target(lease.link, answer)
            if isinstance(onward, Link):
                self._enqueue(replace(wanted, link=onward), first=True)  # its turn has come; the others wait for it
            elif not wanted.used.done():  # nobody waits for it any more when the work was ended
                wanted.used.set_result(await wanted.use(_page_or_error(wanted, onward or answer)))
        finally:
            self._room.release()

    def _rest(self, host: str, seconds: float) -> None:
        """Let a host rest, and forget those that have had their rest when there are many."""
        now = time.monotonic()
        if len(self._due) > MAX_HOSTS:
            self._due = {name: due for name, due in self._due.items() if due > now}
        self._due[host] = now + seconds
        self._changed.set()

    async def closing(self, *, broken: bool) -> None:
        return

    def interrupt(self) -> None:
        self._stopped = True
        self._room.release()
        self._changed.set()

    async def recall_robots(self, origin: str) -> Robots | None:
        return self._robots.get(origin)

    async def keep_robots(self, robots: Robots) -> None:
        self._robots[robots.origin] = robots
        if len(self._robots) > MAX_HOSTS:
            self._robots.pop(next(iter(self._robots)))

    async def read_robots(self, body: bytes, name: str) -> RobotsRules | None:
        return await asyncio.to_thread(read_rules, body, name)

    async def shell_of(self, page: Page) -> str:
        return await asyncio.to_thread(is_shell, page)


def fetching(work: Callable[[Ask], Awaitable[None]], options: FetchOptions, *, delay_s: float = 0.0) -> None:
    """Run a piece of work that asks for URLs; raise what it raises, and KeyboardInterrupt when a signal ended it.

    The pages of each host come one after the other, with a delay; a process can fetch only once.
    """
    try:
        if fetch(_Errand(work, options, delay_s), options) != "finished":
            raise KeyboardInterrupt
    except _Interrupted as error:
        raise KeyboardInterrupt from error


def fetch_one(url: str, options: FetchOptions) -> Page:
    """Return the page, redirects followed; raise NotPermitted, Unreachable or ThresherError when there is none."""
    answers: list[Answer] = []

    async def keep(answer: Answer) -> None:
        answers.append(answer)

    async def work(ask: Ask) -> None:
        await ask(url, keep)

    fetching(work, options.starting_at([urls.canonical(url)]))
    (answer,) = answers
    if isinstance(answer, ThresherError):
        raise answer
    return answer


def _is_robots(answer: Page | Failure) -> bool:
    """Say whether only robots.txt was fetched, and the page is to be asked for again."""
    return isinstance(answer, Failure) and answer.reason == "robots-learned"


def _target(link: Link, answer: Page | Failure) -> Link | Failure | None:
    """Return the link that an answer redirects to, or what is wrong with it; None when it does not redirect."""
    if isinstance(answer, Failure) or answer.status not in REDIRECTS:
        return None
    try:
        url = urls.canonical(answer.headers.get("location", ""), answer.url)
    except UsageError:
        return Failure("bad-redirect", Outcome.DONE)
    if link.hops >= MAX_REDIRECTS:
        return Failure("too-many-redirects", Outcome.DONE)
    return replace(link, url=url, hops=link.hops + 1)


def _led_on(wanted: _Wanted, onward: Link, answer: Page | Failure) -> _Wanted:
    """Note where a request is to go on, and how far permanent redirects have led."""
    if isinstance(answer, Failure):  # robots.txt was learned: the same URL again
        return replace(wanted, link=onward)
    wandered = wanted.wandered or answer.status not in PERMANENT
    return replace(wanted, link=onward, wandered=wandered, moved_to=wanted.moved_to if wandered else onward.url)


def _page_or_error(wanted: _Wanted, answer: Page | Failure) -> Answer:
    if isinstance(answer, Page):
        if answer.status >= 400:
            return ThresherError(f"{answer.url} answered with status {answer.status}")
        if not answer.body and not is_wanted(answer.content_type, answer.url):
            return NotHtml(describe(answer.content_type, answer.url))
        return replace(answer, moved_to=wanted.moved_to)
    kind = NotPermitted if answer.reason in NOT_PERMITTED else ThresherError
    kind = Unreachable if answer.reason in UNREACHABLE else kind
    return kind(f"{wanted.url}: {answer.reason}: {meaning_of(answer.reason)}")
