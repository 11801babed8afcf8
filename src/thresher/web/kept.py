"""What takes longer than a page may: worked out in a process beside the server, and kept for a while.

    page ──get(name)──▶ fresh: at once
                        stale: at once, and made anew meanwhile
                        none:  waited for a moment, then None: the page says that it is being worked out

The process goes when the work is done, and its memory with it.
"""

import asyncio
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any

from thresher.config import Settings
from thresher.errors import ThresherError

Work = Callable[..., Any]  # of a module, taking the settings and plain arguments
WAIT_S = 0.15  # a page is there within 300 ms, and comes back for what is still worked out
AGAIN_S = 30.0  # after which what failed is tried again
MOST = 100  # results
ENDED = "the process that worked it out was ended"


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
        self._turn = asyncio.Lock()
        self._guard = threading.Lock()  # of the process, and of whether another may be started
        self._process: SpawnProcess | None = None
        self._is_closed = False

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
        with self._guard:
            self._is_closed = True
            if self._process:
                self._process.kill()
        await asyncio.gather(*self._running.values())

    async def _run(self, name: str, work: Work, args: tuple[Any, ...]) -> None:
        try:
            async with self._turn:
                value, failed = await asyncio.to_thread(self._work_out, work, args)
            before = self._found.get(name)
            value = before.value if failed and before else value
            self._keep(name, Finding(value, time.monotonic(), failed))
        finally:
            del self._running[name]

    def _work_out(self, work: Work, args: tuple[Any, ...]) -> tuple[Any, str]:
        """Return what a process of its own found, and why it failed if it did."""
        spawning = get_context("spawn")  # a copy of this process would share its threads and databases
        ours, theirs = spawning.Pipe(duplex=False)
        process = spawning.Process(target=_answer, args=(theirs, work, self._settings, args))
        with ours:
            with self._guard, theirs:  # once it is closed here, the pipe ends with the process
                if self._is_closed:
                    return None, ENDED
                try:
                    process.start()
                except OSError as error:
                    return None, str(error)
                self._process = process
            try:
                told: tuple[Any, str] = ours.recv()
            except (EOFError, OSError):
                told = None, ENDED
            process.join()
            with self._guard:
                self._process = None
            process.close()
            return told

    def _keep(self, name: str, finding: Finding) -> None:
        self._found.pop(name, None)
        self._found[name] = finding
        while len(self._found) > MOST:
            del self._found[next(iter(self._found))]


def _answer(pipe: Connection, work: Work, settings: Settings, args: tuple[Any, ...]) -> None:
    """Do some work in a process of its own."""
    try:
        pipe.send((work(settings, *args), ""))
    except (ThresherError, OSError, MemoryError) as error:
        pipe.send((None, str(error) or type(error).__name__))
