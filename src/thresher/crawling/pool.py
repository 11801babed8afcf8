"""Processes beside the event loop, one page each at a time, killed when a page takes too long or too much memory."""

import asyncio
import multiprocessing
import os
import signal
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from queue import SimpleQueue

from thresher.crawling import child
from thresher.errors import ThresherError

Job = Callable[[bytes], bytes]
PAGES_PER_CHILD = 2000  # then a fresh process: the C heap of a parser only ever grows
PATIENCE = 5  # times the limit that a page may wait for a core beyond it
START_TIMEOUT_S = 60.0  # imports on a busy machine
CANNOT_START = "an extraction process cannot be started"
LOW_MEMORY = "is its memory limited (ulimit -v)? `thresher doctor` checks the installation"


def cores() -> int:
    """Count the cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):  # Linux; a container may be given less than the machine has
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class PageKilled(ThresherError):
    """A page that made its process hang, crash or run out of memory; the message is the reason's fixed word."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason)
        self.detail = detail


class PoolBroken(ThresherError):
    """Processes that cannot be started, or fail at a page that is known to be good: no page can be read."""


class Pool:
    """Runs a job (a module's function, bytes in, bytes out) in `size` processes."""

    def __init__(
        self,
        job: Job,
        size: int,
        *,
        timeout_s: float,
        memory_bytes: int,
        probe: bytes | None = None,
        reads: Sequence[Path] = (),
    ) -> None:
        """`probe` is a request that cannot fail: when it does, the pool is to blame and not the pages.

        `reads` are files, such as models, that the job opens when it first needs them.
        """
        self._probe = probe
        self._proved = False  # a request was answered since the last one that failed
        self._seats: SimpleQueue[_Seat] = SimpleQueue()
        self._all = [_Seat(job, timeout_s, memory_bytes, probe, reads) for _ in range(size)]
        for seat in self._all:
            self._seats.put(seat)
        self._threads = ThreadPoolExecutor(size, thread_name_prefix="pool")
        try:
            # While the caller prepares its first page.
            self._warming = [self._threads.submit(self._warm_up) for _ in self._all]
        except RuntimeError as error:
            raise PoolBroken(f"{CANNOT_START} ({error}); {LOW_MEMORY}") from error

    @property
    def given_up(self) -> str:
        """What the processes have given up for safety; empty when none has started, or the system allows nothing."""
        return next((seat.given_up for seat in self._all if seat.given_up), "")

    async def ready(self) -> None:
        """Return when a process has started; raise PoolBroken when none can."""
        await asyncio.wrap_future(self._warming[0])

    async def ask(self, request: bytes) -> bytes:
        """Return the answer of a child process; raise PageKilled when the page took it down, PoolBroken when all do."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._ask, request)

    def _ask(self, request: bytes) -> bytes:
        seat = self._seats.get()
        try:
            try:
                answer = seat.ask(request)
            except PageKilled:
                self._prove(seat)
                raise
            self._proved = True
            return answer
        finally:
            self._seats.put(seat)

    def _prove(self, seat: "_Seat") -> None:
        """Raise PoolBroken when not even the probe is answered; a request that was, since the last failure, will do."""
        if self._proved or self._probe is None:
            self._proved = False
            return
        try:
            seat.ask(self._probe)
        except PageKilled as killed:
            raise PoolBroken(_unfit(f"{killed}: {killed.detail}" if killed.detail else str(killed))) from killed
        self._proved = True

    def _warm_up(self) -> None:
        seat = self._seats.get()
        try:
            seat.warm_up()
        finally:
            self._seats.put(seat)

    def close(self) -> None:
        """End the processes, in the middle of a page if need be."""
        for seat in self._all:
            seat.stop()
        self._threads.shutdown(wait=True, cancel_futures=True)
        for seat in self._all:  # and one that was about to start when it was stopped
            seat.close()


class _Seat:
    """One child process and its replacements; used by one thread at a time."""

    def __init__(
        self, job: Job, timeout_s: float, memory_bytes: int, probe: bytes | None, reads: Sequence[Path]
    ) -> None:
        self.given_up = ""
        self._job, self._probe, self._reads = job, probe, reads
        self._timeout_s = timeout_s
        self._memory_bytes = memory_bytes
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None
        self._pages = 0
        self._closed = False

    def warm_up(self) -> None:
        if self._process is None or self._pages >= PAGES_PER_CHILD:
            self._start()

    def ask(self, request: bytes) -> bytes:
        self.warm_up()
        try:
            answer = self._exchange(request)
        except (EOFError, OSError) as error:
            reason = self._autopsy()
            raise PageKilled(reason) from error
        self._pages += 1
        if answer == child.OUT_OF_MEMORY:
            self._kill()
            raise PageKilled("extract-memory")
        if answer.startswith(child.CRASHED):
            raise PageKilled("extract-crash", answer.removeprefix(child.CRASHED).decode())
        return answer

    def _exchange(self, request: bytes) -> bytes:
        assert self._pipe is not None
        self._pipe.send_bytes(request)
        if not self._answered(self._pipe):
            self._kill()
            raise PageKilled("extract-timeout")
        return self._pipe.recv_bytes()

    def _answered(self, pipe: Connection) -> bool:
        """Wait for an answer: longer where the process wants to work and others keep the cores busy."""
        assert self._process is not None
        if pipe.poll(self._timeout_s):
            return True
        for _ in range(
            PATIENCE
        ):  # its time on a core is limited by the kernel, so a page that never ends is not awaited
            if not child.wants_a_core(self._process.pid):
                return False
            if pipe.poll(self._timeout_s):
                return True
        return False

    def _start(self) -> None:
        if self._closed:
            raise PoolBroken("the extraction processes are closed")
        self._kill()
        try:
            self._process, self._pipe = self._started()
        except (OSError, EOFError) as error:
            raise PoolBroken(f"{CANNOT_START} ({error or type(error).__name__}); {LOW_MEMORY}") from error
        if not self._pipe.poll(START_TIMEOUT_S):
            raise PoolBroken(f"{CANNOT_START} within {START_TIMEOUT_S:.0f} s")
        try:
            greeting = self._pipe.recv_bytes()
        except (EOFError, OSError) as error:
            self._process.join(timeout=5)
            raise PoolBroken(f"{CANNOT_START} (exit code {self._process.exitcode}); {LOW_MEMORY}") from error
        if not greeting.startswith(child.READY):
            raise PoolBroken(_unfit(greeting.removeprefix(child.CRASHED).decode()))
        self.given_up, self._pages = greeting.removeprefix(child.READY).decode(), 0

    def _started(self) -> tuple[BaseProcess, Connection]:
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload([child.__name__, self._job.__module__])
        ours, theirs = context.Pipe()
        args = (theirs, self._job, self._memory_bytes, self._timeout_s, self._probe, self._reads)
        process = context.Process(target=child.serve, args=args, daemon=True)
        process.start()
        theirs.close()
        return process, ours

    def _autopsy(self) -> str:
        """Name what ended the process: the kernel's limits show as signals."""
        assert self._process is not None
        self._process.join(timeout=5)
        code = self._process.exitcode
        self._kill()
        return "extract-timeout" if code == -signal.SIGXCPU else "extract-crash"

    def _kill(self) -> None:
        if self._pipe is not None:
            self._pipe.close()
        if self._process is not None:
            self._process.kill()
            self._process.join(timeout=5)
        self._process = self._pipe = None

    def stop(self) -> None:
        """End the process; whoever waits for its answer sees the pipe end (one closed under it would never tell)."""
        self._closed = True
        if (process := self._process) is not None:
            process.kill()

    def close(self) -> None:
        """End the process for good, once nobody waits for it."""
        self._closed = True
        self._kill()


def _unfit(why: str) -> str:
    return f"no page can be extracted ({why}); `thresher doctor` checks the installation"
