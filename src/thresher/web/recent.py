"""What was read a moment ago: pages that many ask for at once are read once, and dear ones not for each request.

    get(key) ──▶ in hand:          wait for that
                 dear, and fresh:  at once
                 else:             read; kept for a while if it took long

What is cheap to read is never kept, and what is written through this server makes everything be read anew.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass
from typing import Any, TypeVar, cast

DEAR_S = 0.02  # of a processor, from which a result is kept
TIMES = 20  # as long as it took, a result is kept: reading it again and again takes a twentieth of a processor at most
MOST_S = 10.0  # that a result is kept
MOST = 200  # results
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Result:
    value: Any
    until: float  # of the monotonic clock


class Recent:
    """Results by key, shared by all who ask; they must not be changed."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._kept: dict[Hashable, _Result] = {}
        self._in_hand: dict[Hashable, asyncio.Task[tuple[Any, float]]] = {}

    async def get(self, key: Hashable, read: Callable[[], Awaitable[tuple[T, float]]]) -> T:
        """Return what read() gives, which tells the seconds of a processor it took, or gave; raise what it raises."""
        kept = self._kept.get(key)
        if kept and self._clock() < kept.until:
            return cast(T, kept.value)
        task = self._in_hand.get(key)
        if task is None or task.done():
            task = self._in_hand[key] = asyncio.ensure_future(self._read(key, read))
        value, _ = await asyncio.shield(task)  # one who goes away leaves it to the others
        return cast(T, value)

    def forget(self) -> None:
        """Read everything anew that is asked for from now on."""
        self._kept.clear()
        self._in_hand.clear()

    async def _read(self, key: Hashable, read: Callable[[], Awaitable[tuple[T, float]]]) -> tuple[T, float]:
        mine = asyncio.current_task()
        try:
            value, spent_s = await read()
            if spent_s >= DEAR_S and self._in_hand.get(key) is mine:
                self._keep(key, _Result(value, self._clock() + min(spent_s * TIMES, MOST_S)))
            return value, spent_s
        finally:
            if self._in_hand.get(key) is mine:
                del self._in_hand[key]

    def _keep(self, key: Hashable, result: _Result) -> None:
        self._kept.pop(key, None)
        self._kept[key] = result
        while len(self._kept) > MOST:
            del self._kept[next(iter(self._kept))]
