"""The clerk writes landings down in batches: what waits while one transaction runs goes into the next."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from thresher.crawl.landing import Landing

BATCH = 16  # landings per transaction; more only makes other processes wait longer


class Clerk:
    """Collects landings and writes them with one coroutine, one batch after the other."""

    def __init__(self, write: Callable[[Sequence[Landing]], Awaitable[None]]) -> None:
        self._write = write
        self._waiting: list[tuple[Landing, asyncio.Future[None]]] = []
        self._writing: asyncio.Task[None] | None = None

    async def land(self, landing: Landing) -> None:
        """Return when the landing is written; raise what its batch raised."""
        written = asyncio.get_running_loop().create_future()
        self._waiting.append((landing, written))
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._drain())
        await written

    async def _drain(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting[:BATCH], self._waiting[BATCH:]
            try:
                await self._write([landing for landing, _ in batch])
            except BaseException as error:
                _tell(batch, error)
                if isinstance(error, asyncio.CancelledError):
                    raise
            else:
                _tell(batch, None)


def _tell(batch: list[tuple[Landing, asyncio.Future[None]]], error: BaseException | None) -> None:
    for _, written in batch:
        if written.done():
            continue
        if error is None:
            written.set_result(None)
        else:
            written.set_exception(error)
