"""Books: frontier, store and index as a worker holds them, written from threads beside the event loop."""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import ParamSpec, TypeVar

from thresher.crawling.outage import Patience
from thresher.errors import RolledBack
from thresher.frontier.contract import Frontier
from thresher.index.contract import Index
from thresher.store.contract import Store

P = ParamSpec("P")
R = TypeVar("R")
LOST = "%s; what it no longer knows is offered again, and what is stored is not fetched again"
log = logging.getLogger("thresher.crawl")


def _thread(name: str) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, thread_name_prefix=name)


@dataclass(frozen=True)
class Books:
    """The three backends, and what makes a group of their calls one transaction where they share a database.

    Where the frontier is a server of its own (`apart`) it is asked from a second thread: a store that is slow or away
    must not keep leases from being renewed.
    """

    frontier: Frontier
    store: Store
    index: Index
    together: Callable[[], AbstractContextManager[object]]
    apart: bool = False
    patience: Patience = field(default_factory=Patience)
    on_loss: list[Callable[[], object]] = field(default_factory=list)  # called when the frontier has lost steps
    _thread: ThreadPoolExecutor = field(default_factory=lambda: _thread("books"))
    _second: ThreadPoolExecutor = field(default_factory=lambda: _thread("frontier"))

    async def call(self, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Run one call, which may be repeated, in the books' thread; wait for a server that is away."""
        return await self.patience.through(lambda: self._run(self._thread, lambda: work(*args, **kwargs)), "books")

    async def ask(self, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Run one call of the frontier alone, likewise."""
        return await self.patience.through(lambda: self.ask_once(work, *args, **kwargs), "frontier")

    async def ask_once(self, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Run one call of the frontier alone; raise when it is away."""
        return await self._run(self._second if self.apart else self._thread, lambda: work(*args, **kwargs))

    async def _run(self, thread: ThreadPoolExecutor, work: Callable[[], R]) -> R:
        """Run one call in a thread; make it again when the frontier has lost the steps that it builds on."""
        try:
            return await _run(thread, work)
        except RolledBack as error:
            if await _run(thread, self.frontier.recover):
                log.warning(LOST, error)
                for forget in self.on_loss:
                    forget()
            return await _run(thread, work)

    def close(self) -> None:
        """End the threads when what they do is done; the calls that wait are dropped."""
        for thread in (self._thread, self._second):
            thread.shutdown(cancel_futures=True)


async def _run(thread: ThreadPoolExecutor, work: Callable[[], R]) -> R:
    return await asyncio.get_running_loop().run_in_executor(thread, work)
