"""Writes landings down in batches: what waits while one transaction runs goes into the next."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

from thresher.crawling.landing import Landing

BATCH = 16  # landings per transaction; more only makes other processes wait longer
SHARE = 4  # a batch that holds one in so many of the landings under way does not wait for more
BACKLOG_S = 10.0  # of writing that may lie ahead: a store that is slow makes fewer leases wait for it
SMOOTHING = 0.2  # weight of the latest batch in the pace
LINGER_S = 0.05  # others wait so long: a transaction of its own for each page would double the cost of writing it


class BatchWriter:
    """Collects landings and writes them with one coroutine, one batch after the other."""

    def __init__(
        self, write: Callable[[Sequence[Landing]], Awaitable[None]], under_way: Callable[[], int] = lambda: 0
    ) -> None:
        """`under_way` says how many landings there will be soon, those that wait here included."""
        self._write = write
        self._under_way = under_way
        self._enough = asyncio.Event()
        self._pace_s = 0.0  # to write one landing, lately
        self._waiting: list[tuple[Landing, asyncio.Future[None]]] = []
        self._writing: asyncio.Task[None] | None = None

    async def land(self, landing: Landing) -> None:
        """Return when the landing is written; raise what its batch raised."""
        written = asyncio.get_running_loop().create_future()
        self._waiting.append((landing, written))
        if self._is_enough():
            self._enough.set()
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._drain())
        await written

    def room(self, most: int) -> int:
        """Say how many landings may be under way at once: `most`, or what a slow store can write in BACKLOG_S."""
        return max(1, min(most, int(BACKLOG_S / self._pace_s))) if self._pace_s else most

    async def close(self, within_s: float) -> None:
        """Let the batch that is being written be finished, if that takes no longer; what waits is dropped."""
        if self._writing and not self._writing.done():
            await asyncio.wait({self._writing}, timeout=within_s)
            self._writing.cancel()

    async def _drain(self) -> None:
        while self._waiting:
            await self._linger()
            batch, self._waiting = self._waiting[:BATCH], self._waiting[BATCH:]
            began_at = time.monotonic()
            try:
                await self._write([landing for landing, _ in batch])
            except BaseException as error:
                _tell(batch, error)
                if isinstance(error, asyncio.CancelledError):
                    raise
            else:
                _tell(batch, None)
                self._pace_s += SMOOTHING * ((time.monotonic() - began_at) / len(batch) - self._pace_s)

    async def _linger(self) -> None:
        """Let a batch grow that is small for what is under way."""
        self._enough.clear()
        if not self._is_enough():
            with suppress(TimeoutError):
                await asyncio.wait_for(self._enough.wait(), LINGER_S)

    def _is_enough(self) -> bool:
        return len(self._waiting) >= min(BATCH, self._under_way() / SHARE)


def _tell(batch: list[tuple[Landing, asyncio.Future[None]]], error: BaseException | None) -> None:
    for _, written in batch:
        if written.done():
            continue
        if error is None:
            written.set_result(None)
        else:
            written.set_exception(error)
