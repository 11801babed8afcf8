"""Books: frontier, store and index as a worker holds them, all written from one thread beside the event loop."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import ParamSpec, TypeVar

from thresher.frontier.contract import Frontier
from thresher.index.contract import Index
from thresher.store.contract import Store

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True)
class Books:
    """The three backends, and what makes a group of their calls one transaction where they share a database."""

    frontier: Frontier
    store: Store
    index: Index
    together: Callable[[], AbstractContextManager[object]]
    thread: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, thread_name_prefix="books"))

    async def call(self, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Run one call in the books' thread."""
        return await asyncio.get_running_loop().run_in_executor(self.thread, lambda: work(*args, **kwargs))
