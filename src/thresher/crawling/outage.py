"""Patience: calls to a server that is away are made again until it is back; one line tells of that, one of its end."""

import asyncio
import logging
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TypeVar

from thresher.errors import BackendError

SHORTEST_PAUSE_S, LONGEST_PAUSE_S = 0.25, 15.0
GROWTH = 0.25  # a pause is so much of the time that the outage has lasted
AWAY = "%s (waiting for it; nothing is lost)"
BACK = "it answers again after %.0f s; going on"
R = TypeVar("R")
log = logging.getLogger("thresher.crawl")


@dataclass(slots=True)
class _Lane:
    """Calls that wait for the same server: one at a time asks whether it is back."""

    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    failing: bool = False  # the last attempt that was made in turn failed, too


class Patience:
    """Waits through outages. What an error says decides: one that trying again cannot help is raised at once.

    A call may have been carried out though its answer was lost: only calls that may be repeated belong here.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.on_back: Callable[[], object] = lambda: None  # called when the outage is over
        self._clock = clock
        self._since: float | None = None  # when the outage began; None: there is none
        self._waiting = 0  # calls that failed and have not succeeded since
        self._lanes: defaultdict[str, _Lane] = defaultdict(_Lane)
        self._somebody_met = asyncio.Event()

    @property
    def is_waiting(self) -> bool:
        """True while a server is away."""
        return self._since is not None

    async def through(self, attempt: Callable[[], Awaitable[R]], lane: str = "") -> R:
        """Return what the attempt returns, however often it takes; raise an error that trying again cannot help."""
        try:
            return await attempt()
        except BackendError as error:
            if not error.retry:
                raise
            self._missed(error)
        back = False
        try:
            async with self._lanes[lane].turn:
                result = await self._again(attempt, self._lanes[lane])
                back = True
                return result
        finally:
            self._met(back=back)

    async def _again(self, attempt: Callable[[], Awaitable[R]], lane: _Lane) -> R:
        while True:
            if lane.failing:
                await self._pause()
            try:
                result = await attempt()
            except BackendError as error:
                lane.failing = True
                if not error.retry:
                    raise
            else:
                lane.failing = False
                self._somebody_met.set()
                self._somebody_met = asyncio.Event()
                return result

    async def _pause(self) -> None:
        """Wait a while, or until a server answered somebody: leases that came with that must not lie and expire."""
        with suppress(TimeoutError):
            async with asyncio.timeout(self._pause_s()):
                await self._somebody_met.wait()

    def _missed(self, error: BackendError) -> None:
        self._waiting += 1
        if self._since is None:
            self._since = self._clock()
            log.warning(AWAY, error)

    def _met(self, *, back: bool) -> None:
        """Note that a call that had failed has succeeded, or is not made any more."""
        self._waiting -= 1
        if self._waiting == 0 and self._since is not None:
            lasted_s, self._since = self._clock() - self._since, None
            if back:
                log.warning(BACK, lasted_s)
                self.on_back()

    def _pause_s(self) -> float:
        """How long to wait before the next attempt: the longer it has lasted, the longer."""
        lasted_s = self._clock() - self._since if self._since is not None else 0.0
        return min(max(SHORTEST_PAUSE_S, lasted_s * GROWTH), LONGEST_PAUSE_S)


def wait_out(attempt: Callable[[], R], sleep: Callable[[float], None] = time.sleep) -> R:
    """Do the same where there is no event loop."""
    pause_s, waited_s = SHORTEST_PAUSE_S, 0.0
    while True:
        try:
            result = attempt()
        except BackendError as error:
            if not error.retry:
                raise
            if not waited_s:
                log.warning(AWAY, error)
        else:
            if waited_s:
                log.warning(BACK, waited_s)
            return result
        sleep(pause_s)
        waited_s, pause_s = waited_s + pause_s, min(2 * pause_s, LONGEST_PAUSE_S)
