"""Holding: the leases that a worker holds, taken when there is room and their hosts are due, renewed, given back."""

import asyncio
import random
import time
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from enum import StrEnum
from typing import TypeVar

from thresher import tracing
from thresher.crawling.books import Books
from thresher.errors import ThresherError
from thresher.model import Lease

LEASE_BATCH = 16
IDLE_S = 0.5  # longest wait before looking for due links again: other workers may have offered some
LONGEST_IDLE_S = 2.0  # the same of a worker that holds nothing and has looked in vain again and again
IDLE_GROWTH = 1.5  # of that wait, each time
DRAIN_S = 12.0  # what is in flight has so long to be finished when the worker is to end
SOON_S = 30.0  # what is due within this counts as due now: a link that is tried again
R = TypeVar("R")


class Overdue(ThresherError):
    """The worker was to end, and something in flight took too long: it is dropped, and its link goes to others."""


class Until(StrEnum):
    """When a worker that finds nothing to lease has nothing more to do."""

    OVER = "over"  # when the job is over
    IDLE = "idle"  # when nothing is due any more, though something may be later
    TOLD = "told"  # never: it waits for what others offer until it is told to end


class Holding:
    """What one worker has leased and not yet settled."""

    def __init__(
        self,
        books: Books,
        worker: str,
        room: Callable[[], int],
        *,
        lease_s: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`room` says how many leases may be held at once; `lease_s` how long one lasts that is not renewed."""
        self._books, self._worker, self._room, self._lease_s, self._clock = books, worker, room, lease_s, clock
        self._held: dict[str, Lease] = {}  # by the link's key
        self._ready: deque[Lease] = deque()  # of these, those that nobody has begun to fetch
        self.renew_every_s = lease_s / 3  # so that a renewal may fail, and another come in time
        self._ours_until_s: dict[str, float] = {}  # by the link's key; the frontier counts from later than we do
        self._asked = 0  # links that the call under way may bring
        self._claimed = 0  # the same of the settle under way
        self._claimed_s = 0.0  # when it was made
        self.until = Until.OVER
        self.is_paused = False  # begin nothing new for now; what is held is kept
        self._in_vain = 0  # looks in a row that brought nothing, while nothing was held
        self._is_dry = False  # the last settle looked for due links and found too few
        self._renewed_s = clock()
        self._changed = asyncio.Event()  # something was settled: a place is free, more may be due
        self._drained = asyncio.Event()  # lease no more

    def __len__(self) -> int:
        return len(self._held)

    @property
    def is_draining(self) -> bool:
        """True when nothing more is leased."""
        return self._drained.is_set()

    def drain(self) -> None:
        """Lease no more."""
        self._drained.set()
        self._changed.set()

    def settled(self, lease: Lease) -> None:
        """Make room: this lease is settled, or given up. One of the same link that came after it is still held."""
        key = lease.link.key
        if key in self._held and self._held[key].token == lease.token:
            del self._held[key], self._ours_until_s[key]
        tracing.ended(lease)
        self._changed.set()

    def doubt(self) -> None:
        """Ask for each lease whether it is still ours before it is fetched: the frontier may have forgotten it."""
        self._ours_until_s = dict.fromkeys(self._ours_until_s, 0.0)

    def claim(self, ending: int) -> int:
        """Say how many links to lease while so many leases are settled; then `take` has to be called."""
        free = self._room() - len(self._held) + ending - self._asked
        self._claimed = 0 if self.is_draining or self.is_paused else max(0, min(free, LEASE_BATCH))
        self._claimed_s = self._clock()
        return self._claimed

    def take(self, leases: Sequence[Lease]) -> None:
        """Hold what was leased by a claim; nothing more when draining: then all is given back in the end."""
        self._is_dry, self._claimed = len(leases) < self._claimed, 0
        if not self.is_draining:
            self._hold(leases, self._claimed_s)

    async def next(self) -> Lease | None:
        """Return the next lease, one that cannot have expired; None when draining or when the job is over."""
        while not self.is_draining:
            self._changed.clear()
            if self.is_paused:
                await self._wait(IDLE_S)
                continue
            if self._ready:
                if self._clock() < self._ours_until_s[self._ready[0].link.key]:
                    return self._ready.popleft()
                await self._unless_draining(self.renew())
                continue
            due_s = await self._unless_draining(self._lease())
            if self.is_draining or await self._is_done(due_s):
                return None
            due_s = IDLE_S if due_s is None else due_s
            if not self._ready:
                await self._wait(min(due_s, self._patience_s()))
        return None

    def _patience_s(self) -> float:
        """Return how long to wait for what others may offer: longer and longer in vain, and not when all others look.

        A thousand workers without work that looked twice a second each would keep the frontier busy with nothing.
        """
        if self._held:  # what is in flight may bring links, too
            return IDLE_S
        self._in_vain += 1
        growth = min(IDLE_GROWTH ** min(self._in_vain - 1, 20), LONGEST_IDLE_S / IDLE_S)
        return IDLE_S * growth * random.uniform(0.8, 1.0)

    async def _is_done(self, due_s: float | None) -> bool:
        """Say whether there is nothing more to do, given how long it is until something can be leased."""
        if self.until is not Until.IDLE or self._ready or self._held or due_s is None:
            return due_s is None and self.until is not Until.TOLD
        if due_s <= SOON_S:
            return False
        census = await self._books.ask(self._books.frontier.census)
        return census.pending + census.leased == 0

    async def _lease(self) -> float | None:
        """Lease what there is room for; answer how long until more can be due, or None when the job is over."""
        frontier, room = self._books.frontier, self._room()
        if self._is_dry:
            self._is_dry = False
            return await self._books.ask(frontier.due_in_s)
        free = room - len(self._held) - self._claimed
        enough = min(LEASE_BATCH, max(1, room // 3))  # a call for each link would cost more than the links
        if free < enough or self._books.patience.is_waiting:
            return IDLE_S
        self._asked, asked_s = min(free, LEASE_BATCH), self._clock()
        try:
            leased = await self._books.ask(frontier.lease, self._worker, self._asked)
        finally:
            self._asked = 0
        self._hold(leased, asked_s)
        return 0.0 if leased else await self._books.ask(frontier.due_in_s)

    def _hold(self, leases: Sequence[Lease], asked_s: float) -> None:
        tracing.leased(leases, self._clock() - asked_s)
        if leases:
            self._in_vain = 0
        for lease in leases:
            before = self._held.get(lease.link.key)
            if before and before in self._ready:  # it expired before anybody began to fetch it, and came to us again
                self._ready.remove(before)
            self._held[lease.link.key] = lease
            self._ours_until_s[lease.link.key] = asked_s + self._lease_s
        self._ready.extend(leases)

    async def _unless_draining(self, work: Coroutine[None, None, R]) -> R | None:
        """Await the work; None when the worker is to drain before it is done."""
        working, draining = asyncio.ensure_future(work), asyncio.ensure_future(self._drained.wait())
        try:
            await asyncio.wait({working, draining}, return_when=asyncio.FIRST_COMPLETED)
            return working.result() if working.done() else None
        finally:
            working.cancel()
            draining.cancel()

    async def _wait(self, seconds: float) -> None:
        try:
            await asyncio.wait_for(self._changed.wait(), max(seconds, 0.01))
        except TimeoutError:
            return

    async def renew(self, after_s: float = 0.0) -> None:
        """Renew all leases, unless that was done less than so long ago.

        One that was lost is not fetched any more, for another worker does.
        """
        if self._clock() < self._renewed_s + after_s:
            return
        self._renewed_s = self._clock()
        leases = list(self._held.values())
        asked_s, answers = await self._books.ask(self._renewed, leases)
        for lease, ours in zip(leases, answers, strict=True):
            if ours and lease.link.key in self._held:
                self._ours_until_s[lease.link.key] = asked_s + self._lease_s
            elif lease in self._ready:
                self._ready.remove(lease)
                self.settled(lease)

    def _renewed(self, leases: Sequence[Lease]) -> tuple[float, list[bool]]:
        """Answer which leases were renewed, and a time at which they were not yet."""
        return self._clock(), self._books.frontier.renew(leases)

    async def finish(self, hurry: Callable[[], bool]) -> None:
        """Wait for what is in flight; raise Overdue when it takes too long, or when there is a `hurry`."""
        for lease in self._ready:
            self.settled(lease)
        self._ready.clear()
        deadline_s = time.monotonic() + DRAIN_S
        while self._held and not hurry() and time.monotonic() < deadline_s:
            self._changed.clear()
            await self._wait(IDLE_S)
        if self._held:
            raise Overdue(f"not finished in time: {len(self._held)} of the pages in flight; their links go to others")

    async def give_back(self, *, lost: bool = False) -> None:
        """Release every lease, or give it up as `lost` with its worker; raise BackendError when the frontier is away.

        One of them may have taken the worker down: lost leases count, so that it cannot do so for ever.
        """
        frontier = self._books.frontier
        if lost:
            await self._books.ask_once(frontier.reap, [self._worker])
        else:
            await self._books.ask_once(frontier.release, self._worker)
