"""Reading 3 of 6: the spine, lease → fetch → discover → extract → save → index → settle.

A worker leases links, hands them to the fetcher (fetch/fetcher.py), which calls `deliver` with each answer, and
writes what came of it. Everything is stored before its lease is settled: a crash repeats work, it never loses any.
"""

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

from thresher.crawl import harvest
from thresher.crawl.books import Books
from thresher.crawl.clerk import Clerk
from thresher.crawl.intake import Intake
from thresher.crawl.judge import Judge, readable
from thresher.crawl.landing import Harvest, Landing
from thresher.crawl.ledger import Ledger
from thresher.crawl.memories import Memories
from thresher.crawl.pool import PageKilled, Pool
from thresher.errors import BackendError
from thresher.frontier.contract import Census, Settlement
from thresher.model import Failure, Lease, Outcome, Page, Robots

LEASE_BATCH = 16
CENSUS_EVERY_S = 2.0
IDLE_S = 0.5  # longest wait before looking for due links again: other workers may have offered some
log = logging.getLogger("thresher.crawl")


@dataclass(frozen=True, slots=True)
class Task:
    """What a worker needs to know besides its books."""

    name: str
    ahead: int  # links leased and not yet settled, at most
    renew_every_s: float
    algorithm: str | None = None
    memories: Memories | None = None  # of the sites; None: every page is read for itself


class Watcher(Protocol):
    """Somebody who wants to see how the crawl goes."""

    def landed(self, landing: Landing) -> None:
        """Hear of each landing once it is written."""

    def counted(self, census: Census) -> None:
        """Hear every few seconds how many links stand where."""

    def draining(self) -> None:
        """Hear that somebody asked to stop: what is in flight is finished."""


class Worker:
    """One worker of a run; the fetcher's crew (see fetch/fetcher.py)."""

    def __init__(self, task: Task, books: Books, pool: Pool, *, intake: Intake, judge: Judge) -> None:
        self.watcher: Watcher | None = None
        self.error: BackendError | None = None  # what made the worker stop before the job was over
        self._task, self._books, self._pool = task, books, pool
        self._intake, self._judge = intake, judge
        self._ledger = Ledger(books, intake)
        self._clerk = Clerk(self._write, under_way=lambda: len(self._held))
        self._held: dict[str, Lease] = {}  # leased and not yet settled, by the link's key
        self._ready: deque[Lease] = deque()
        self._changed = asyncio.Event()  # something was settled: a slot is free, more may be due
        self._draining = False
        self._renewal: asyncio.Task[None] | None = None

    async def leases(self) -> AsyncIterator[Lease]:
        """Lease: yield each link to fetch when a place is free and its host is due; end when the job is over."""
        self._renewal = asyncio.create_task(self._keep_leases())
        while (lease := await self._next()) is not None:
            if lease.link.replay:
                await self._land(lease, None)
            else:
                yield lease

    async def deliver(self, lease: Lease, answer: Page | Failure) -> None:
        """Discover, extract, save, index, settle: called by the fetcher with each page or failure."""
        await self._land(lease, answer)

    async def _judged(self, lease: Lease, answer: Page | Failure | None) -> Landing:
        if answer is None:  # a replay: follow a stored page's links again without asking for it
            return Landing(Settlement(lease, Outcome.DONE, "replayed"))
        if isinstance(answer, Failure):
            return self._judge.failure(lease, answer, datetime.now(UTC))
        try:
            found = await self._harvest(lease, answer) if readable(answer) else None
        except PageKilled as killed:
            return self._judge.killed(lease, answer, str(killed), killed.detail)
        return self._judge.answer(lease, answer, found)

    async def _harvest(self, lease: Lease, page: Page) -> Harvest:
        """Discover and extract in a process of their own; a page that takes it down gets a second chance."""
        known = self._task.memories
        memory = await self._books.call(known.of, page.url) if known else None
        request = harvest.request(page, lease.link, self._task.algorithm, memory)
        try:
            return harvest.read(await self._pool.ask(request))
        except PageKilled:
            return harvest.read(await self._pool.ask(request))

    async def _land(self, lease: Lease, answer: Page | Failure | None) -> None:
        try:
            landing = await self._judged(lease, answer)
            await self._clerk.land(landing)
            if self.watcher:
                self.watcher.landed(landing)
        except BackendError as error:  # the lease stays ours until it is released or expires
            self._give_up(error)
        except Exception:
            log.exception("cannot land %s", lease.link.url)
            await self._clerk.land(Landing(Settlement(lease, Outcome.RETRY, "worker-error")))
        finally:
            self._held.pop(lease.link.key, None)
            self._changed.set()

    async def _write(self, landings: Sequence[Landing]) -> None:
        await self._books.call(self._ledger.write, landings)

    async def _next(self) -> Lease | None:
        """The next lease; None when draining or when the job is over."""
        while not self._draining:
            self._changed.clear()
            if self._ready:
                return self._ready.popleft()
            free = self._task.ahead - len(self._held)
            enough = min(LEASE_BATCH, self._task.ahead // 3)  # a call for each link would cost more than the links
            due_s = await self._lease(min(free, LEASE_BATCH)) if free >= enough else IDLE_S
            if due_s is None:
                return None
            if not self._ready and not self._draining:
                await self._wait(min(due_s, IDLE_S))
        return None

    async def _lease(self, count: int) -> float | None:
        """Lease up to `count` links; answer how long until more can be due, or None when the job is over."""
        frontier = self._books.frontier
        try:
            leased = await asyncio.shield(self._books.call(frontier.lease, self._task.name, count))
            self._held.update({lease.link.key: lease for lease in leased})
            self._ready.extend(leased)
            return 0.0 if leased else await self._books.call(frontier.due_in_s)
        except BackendError as error:
            self._give_up(error)
            return None

    async def _wait(self, seconds: float) -> None:
        try:
            await asyncio.wait_for(self._changed.wait(), max(seconds, 0.01))
        except TimeoutError:
            return

    async def _keep_leases(self) -> None:
        while True:
            await asyncio.sleep(min(self._task.renew_every_s, CENSUS_EVERY_S))
            try:
                await self._books.call(self._books.frontier.renew, list(self._held.values()))
                if self.watcher:
                    self.watcher.counted(await self._books.call(self._books.frontier.census))
            except BackendError as error:
                self._give_up(error)

    def _give_up(self, error: BackendError) -> None:
        """Stop before the job is over: the books cannot be written."""
        self.error = error
        self._stop_leasing()

    def interrupt(self) -> None:
        """Stop leasing; what is in flight is finished and kept."""
        self._stop_leasing()
        if self.watcher:
            self.watcher.draining()

    def _stop_leasing(self) -> None:
        self._draining = True
        self._changed.set()

    async def closing(self) -> None:
        """Give back every lease that was not settled."""
        if self._renewal:
            self._renewal.cancel()
        await self._books.call(self._books.frontier.release, self._task.name)

    async def recall_robots(self, origin: str) -> Robots | None:
        """The host's robots.txt as stored; what sitemaps it names are taken in."""
        robots = await self._books.call(self._books.store.robots, origin)
        if robots:
            await self._books.call(self._take_sitemaps, robots)
        return robots

    async def keep_robots(self, robots: Robots) -> None:
        """Store a host's robots.txt and take in what sitemaps it names."""
        await self._books.call(self._books.store.save_robots, robots)
        await self._books.call(self._take_sitemaps, robots)

    def _take_sitemaps(self, robots: Robots) -> None:
        with self._books.together():
            self._intake.take_sitemaps(robots)
