"""What takes longer than a page may: worked out in a process beside the server, and kept for a while.

    page ──get(name)──▶ fresh: at once
                        stale: at once, and made anew meanwhile
                        none:  waited for a moment, then None: the page says that it is being worked out

The process goes when the work is done, and its memory with it.
"""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any

from thresher.config import Settings
from thresher.errors import ThresherError

Work = Callable[..., Any]  # of a module, taking the settings and plain arguments
WAIT_S = 0.15  # a page is there within 300 ms, and comes back for what is still worked out
AGAIN_S = 30.0  # after which what failed is tried again
MOST = 100  # results


@dataclass(slots=True)
class Finding:
    """What came of some work, and when."""

    value: Any
    at: float  # of the monotonic clock
    failed: str = ""


class Kept:
    """Results by name; works one after another, each in a process that ends with it."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._found: dict[str, Finding] = {}
        self._running: dict[str, asyncio.Task[None]] = {}
        self._pool: ProcessPoolExecutor | None = None

    async def get(self, name: str, work: Work, *args: Any, fresh_s: float, wait_s: float = WAIT_S) -> Finding | None:
        """Return what work(settings, *args) found not long ago; None while that is being worked out."""
        found = self._found.get(name)
        fresh_s = AGAIN_S if found and found.failed else fresh_s
        if found is None or time.monotonic() - found.at > fresh_s:
            if name not in self._running:
                self._running[name] = asyncio.create_task(self._run(name, work, args))
            if found is None or found.failed:
                await asyncio.wait([self._running[name]], timeout=wait_s)
        return self._found.get(name)

    def forget(self, name: str) -> None:
        """Let the next call work something out anew."""
        self._found.pop(name, None)

    async def close(self) -> None:
        """End what is running."""
        tasks = list(self._running.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._pool:
            for process in list((self._pool._processes or {}).values()):
                process.kill()
            self._pool.shutdown(cancel_futures=True)
            self._pool = None

    async def _run(self, name: str, work: Work, args: tuple[Any, ...]) -> None:
        if self._pool is None:
            context = get_context("spawn")  # a copy of this process would share its threads and databases
            self._pool = ProcessPoolExecutor(1, mp_context=context, max_tasks_per_child=1)
        try:
            value = await asyncio.get_running_loop().run_in_executor(self._pool, work, self._settings, *args)
            self._keep(name, Finding(value, time.monotonic()))
        except (ThresherError, BrokenProcessPool, OSError, MemoryError) as error:
            before = self._found.get(name)
            why = str(error) or type(error).__name__
            self._keep(name, Finding(before.value if before else None, time.monotonic(), why))
            if isinstance(error, BrokenProcessPool):
                self._pool = None
        finally:
            del self._running[name]

    def _keep(self, name: str, finding: Finding) -> None:
        self._found.pop(name, None)
        self._found[name] = finding
        while len(self._found) > MOST:
            del self._found[next(iter(self._found))]
