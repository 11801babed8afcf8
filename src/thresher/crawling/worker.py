"""The spine, lease → fetch → discover → extract → save → index → settle.

A worker leases links, hands them to the fetcher (fetch/fetcher.py), which calls `deliver` with each answer, and
writes what came of it. Everything is stored before its lease is settled: a crash repeats work, it never loses any.
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Protocol

from thresher import tracing
from thresher.crawling import harvest, questions
from thresher.crawling.batch_writer import BatchWriter
from thresher.crawling.books import Books
from thresher.crawling.follower import Follower
from thresher.crawling.heartbeat import DRAIN, RECYCLE, STOP, Heart
from thresher.crawling.holding import Holding, Until
from thresher.crawling.intake import HOST_BYTES, Intake
from thresher.crawling.judge import Judge, readable
from thresher.crawling.landing import Harvest, Landing, harvest_from_bytes, log_landing
from thresher.crawling.ledger import Ledger
from thresher.crawling.memories import Memories
from thresher.crawling.pool import PageKilled, Pool, PoolBroken
from thresher.crawling.recovery import Recovery
from thresher.errors import BackendError, JobLost, ThresherError
from thresher.frontier.contract import Census, Settlement
from thresher.model import Failure, Lease, Outcome, Page, Robots, RobotsRules

BEAT_EVERY_S = 2.0
CLOSE_S = 2.0  # for the last words to the frontier; leases that it does not hear of expire
MAX_DETAIL_CHARS = 300
log = logging.getLogger("thresher.crawl")


@dataclass(frozen=True, slots=True)
class Task:
    """What a worker needs to know besides its books."""

    name: str
    ahead: int  # links leased and not yet settled, at most
    lease_s: float  # how long a lease lasts that is not renewed
    algorithm: str | None = None
    memories: Memories | None = None  # of the sites; None: every page is read for itself
    host_bytes: int = 0  # that a host may send in the run; 0: any amount
    run_bytes: int = 0  # the same of all hosts together
    shortage: Callable[[], str] = lambda: ""  # what the machine is short of: nothing new is begun meanwhile
    follower: Follower | None = None  # of sources that are watched; None: a crawl that ends


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

    def __init__(self, task: Task, books: Books, pool: Pool, *, intake: Intake, judge: Judge, heart: Heart) -> None:
        self.watcher: Watcher | None = None
        self.error: ThresherError | None = None  # what made the worker stop before the job was over
        self._task, self._books, self._pool = task, books, pool
        self._intake, self._judge, self._heart = intake, judge, heart
        self._ledger, self._recovery = Ledger(books, intake, task.follower, task.host_bytes), Recovery(books, intake)
        self._writer = BatchWriter(self._write, under_way=lambda: len(self._holding))
        self._holding = Holding(books, task.name, lambda: self._writer.room(task.ahead), lease_s=task.lease_s)
        self._holding.until = task.follower.until if task.follower else Until.OVER
        self._keeping: asyncio.Task[None] | None = None
        books.patience.on_back = intake.forget  # a server that was away may have lost what it was told last
        books.on_loss.extend((intake.forget, self._holding.doubt))

    async def leases(self) -> AsyncIterator[Lease]:
        """Lease: yield each link to fetch when a place is free and its host is due; end when the job is over."""
        self._keeping = asyncio.create_task(self._keep())
        self._keeping.add_done_callback(self._not_kept)
        try:
            await self._pool.ready()  # before a link is asked for that nobody could read
            while (lease := await self._next()) is not None:
                follower = self._task.follower
                wanted = await self._books.call(follower.prepared, lease) if follower else lease
                if isinstance(wanted, Failure):
                    await self._land(lease, _given(wanted))
                elif lease.link.replay or await self._is_stored(lease):
                    await self._land(lease, None)
                elif self._intake.is_closed(lease.link.host):
                    await self._land(lease, _given(Failure(HOST_BYTES, Outcome.DONE)))
                else:
                    yield wanted
        except (BackendError, PoolBroken) as error:
            self._give_up(error)
        await self._holding.finish(hurry=lambda: self._heart.order == STOP)

    async def _next(self) -> Lease | None:
        """Return the next lease; None when draining, or when the job is over and all that is stored is known."""
        while True:
            lease = await self._holding.next()
            if lease or not await self._recovery.is_needed(lambda: self._holding.is_draining):
                return lease

    async def _is_stored(self, lease: Lease) -> bool:
        """Say whether a link is leased again though this run has stored its page: the frontier has lost that."""
        if self._task.follower or not self._books.frontier.has_lost():
            return False
        return await self._books.call(self._recovery.landing_of, lease) is not None

    async def deliver(self, lease: Lease, asking: Awaitable[Page | Failure]) -> None:
        """Fetch, discover, extract, save, index, settle: called by the fetcher, which asks, for each lease."""
        turns = self._intake.kinds.turns
        async with turns.turn(lease.link, asking, lambda: self._holding.is_draining) as answer:
            await self._land(lease, answer)

    async def _judged(self, lease: Lease, asking: Awaitable[Page | Failure] | None) -> Landing:
        if asking is None:  # follow a stored page's links again without asking for it
            again = None if lease.link.replay else await self._books.call(self._recovery.landing_of, lease)
            return again or Landing(Settlement(lease, Outcome.DONE, "replayed"))
        with tracing.stage("fetch", [lease]):
            answer = await asking
        if isinstance(answer, Failure):
            return self._judge.failure(lease, answer, datetime.now(UTC))
        landing = await self._read(lease, answer)
        learned = replace(landing.settlement, address=answer.address, response_s=answer.elapsed_s)
        return replace(landing, settlement=learned, headers=answer.headers, received_bytes=len(answer.body))

    async def _read(self, lease: Lease, answer: Page) -> Landing:
        if not readable(answer):
            return self._judge.answer(lease, answer, None)
        began_s = time.monotonic()
        try:
            with tracing.stage("extract", [lease]):
                found = await self._harvest(lease, answer)
        except PageKilled as killed:
            return self._judge.killed(lease, answer, str(killed), killed.detail)
        landing = self._judge.answer(lease, answer, found)
        return replace(landing, extract_s=round(time.monotonic() - began_s, 4))

    async def _harvest(self, lease: Lease, page: Page) -> Harvest:
        """Discover and extract in a process of their own; a page that takes it down gets a second chance."""
        known = self._task.memories
        memory = await self._books.call(known.of, page.url) if known else None
        experience = await self._books.call(self._intake.kinds.experience, lease.link.host)
        dated = self._task.follower.dated(page) if self._task.follower else page
        request = harvest.request(dated, lease.link, self._task.algorithm, memory, experience)
        try:
            return harvest_from_bytes(await self._pool.ask(request))
        except PageKilled:
            return harvest_from_bytes(await self._pool.ask(request))

    async def _land(self, lease: Lease, asking: Awaitable[Page | Failure] | None) -> None:
        """Do all the work of one lease: whatever a host sends may cost its own link an attempt, and nothing more."""
        try:
            if fault := await _fault_of(self._worked(lease, asking)):
                await self._fail(lease, fault)
        except (BackendError, PoolBroken) as error:  # the lease stays ours until it is released or expires
            self._give_up(error)
        finally:
            self._holding.settled(lease)

    async def _worked(self, lease: Lease, asking: Awaitable[Page | Failure] | None) -> None:
        landing = await self._judged(lease, asking)
        if await _fault_of(self._writer.land(landing)):  # another landing of the batch may be to blame
            await self._write_alone(landing)
        self._tell(landing)

    async def _fail(self, lease: Lease, fault: Exception) -> None:
        """Settle a lease whose work failed for a reason that nobody foresaw: an attempt that counts."""
        log.error("cannot land %s", lease.link.url, exc_info=fault)
        failure = Failure("worker-error", Outcome.RETRY, f"{type(fault).__name__}: {fault}"[:MAX_DETAIL_CHARS])
        landing = self._judge.failure(lease, failure, datetime.now(UTC))
        for each in (landing, Landing(landing.settlement)):  # without its fate, if that cannot be stored
            if not await _fault_of(self._write_alone(each)):
                self._tell(each)
                return
        log.error("cannot settle %s: its lease will expire, and count as lost", lease.link.url)

    def _tell(self, landing: Landing) -> None:
        self._heart.landed(landing)
        log_landing(landing, self._intake.run, is_findable=not self._books.index.is_deferred)
        if self.watcher:
            self.watcher.landed(landing)
        self._heed()

    async def _write_alone(self, landing: Landing) -> None:
        await self._books.call(self._ledger.write, [landing])

    async def _write(self, landings: Sequence[Landing]) -> None:
        leases: Sequence[Lease] = ()
        wanted = self._holding.claim(len(landings))
        try:
            leases = await self._books.call(self._ledger.write, landings, self._task.name, wanted)
        finally:
            self._holding.take(leases)

    async def _keep(self) -> None:
        """Every few seconds give a sign of life, hear what to do and renew the leases."""
        while True:
            try:
                await self._books.ask(self._heart.beat, self._state(), len(self._holding))
                follower = self._task.follower
                if follower is not None and await self._books.call(follower.tend):
                    self._heart.order = self._heart.order or RECYCLE
                self._heed()
                await self._heed_shortage()
                await self._heed_volume()
                if self.watcher:
                    self.watcher.counted(await self._books.ask(self._books.frontier.census))
                pause_s = min(self._holding.renew_every_s, BEAT_EVERY_S)
                await asyncio.sleep(pause_s)
                await self._holding.renew(after_s=self._holding.renew_every_s - pause_s)
            except BackendError as error:
                self._give_up(error)
                return

    def _not_kept(self, keeping: "asyncio.Task[None]") -> None:
        """Stop when the leases are kept no longer, for a reason nobody foresaw: they would pass to others unseen."""
        if not keeping.cancelled() and (error := keeping.exception()):
            self._give_up(ThresherError(f"the worker cannot keep its links: {type(error).__name__}: {error}"))

    def _state(self) -> str:
        if self._books.patience.is_waiting or self._holding.is_paused:
            return "waiting"
        return "draining" if self._holding.is_draining else "running"

    def _heed(self) -> None:
        if self._heart.order:
            self._holding.drain()

    async def _heed_volume(self) -> None:
        """End in good order when the run has been sent all that it may."""
        if not self._task.run_bytes or self._holding.is_draining:
            return
        sent = await self._books.call(self._books.store.volume, self._intake.run.id)
        if sent >= self._task.run_bytes:
            log.warning("the run has received %.0f MB, its limit (run_bytes); raise the limit to continue", sent / 1e6)
            self.interrupt()

    async def _heed_shortage(self) -> None:
        """Begin nothing new while the machine is short of room, and say so once."""
        short = await asyncio.get_running_loop().run_in_executor(None, self._task.shortage)
        if short and not self._holding.is_paused:
            log.warning("waiting for room: %s", short)
        elif self._holding.is_paused and not short:
            log.warning("there is space again; the crawl continues")
        self._holding.is_paused = bool(short)

    def _give_up(self, error: ThresherError) -> None:
        """Stop before the job is over: the books cannot be written, or no page can be read."""
        self.error = self.error or error
        self._holding.drain()

    def interrupt(self) -> None:
        """Stop leasing; what is in flight is finished and kept."""
        self._heart.order = self._heart.order or DRAIN
        self._holding.drain()
        if self.watcher:
            self.watcher.draining()

    async def closing(self, *, broken: bool) -> None:
        """Give back every lease that was not settled; as lost when one of them may have broken the worker."""
        await self._writer.close(CLOSE_S)
        if self._keeping:
            self._keeping.cancel()
        try:
            await asyncio.wait_for(self._holding.give_back(lost=broken), CLOSE_S)
            await asyncio.wait_for(self._books.ask_once(self._heart.retire), CLOSE_S)
        except JobLost as error:  # there is nothing left to give back
            self.error = self.error or error
        except (BackendError, TimeoutError) as error:
            log.warning(
                "could not tell the frontier that this worker ends; its links will go to others later (%s)", error
            )

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

    async def read_robots(self, body: bytes, name: str) -> RobotsRules | None:
        """The rules of a robots.txt, read in a pool process; None when it takes that down, or has too many."""
        return await questions.robots_rules(self._pool, body, name)

    async def shell_of(self, page: Page) -> str:
        """Why a page is an empty shell, found out in a pool process; empty when it is none."""
        return await questions.shell_of(self._pool, page)

    def _take_sitemaps(self, robots: Robots) -> None:
        with self._books.together():
            self._intake.take_sitemaps(robots)


async def _given(failure: Failure) -> Page | Failure:
    """Answer in place of a host that is not asked."""
    return failure


async def _fault_of(work: Awaitable[object]) -> Exception | None:
    """Do the work; return what it raised, unless it means that nothing can be done for any lease."""
    try:
        await work
    except (BackendError, PoolBroken):
        raise
    except Exception as error:  # noqa: BLE001  # one boundary for whatever a page or host makes go wrong
        return error
    return None
