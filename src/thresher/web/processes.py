"""Processes that the application starts: workers and the watch, kept running, and crawls, which run once.

Each is the `thresher` command with the settings of this process. A process that is to be kept is started again when it
ends, after a pause that grows while it ends soon. When the application ends, all are asked to drain, and after a while
killed; on Linux they are told even when it is killed itself.
"""

import asyncio
import os
import signal
import time
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime

from thresher.config import Settings, environment_of
from thresher.errors import ThresherError, UsageError
from thresher.fleet.starter import child_command
from thresher.text import printable
from thresher.urls.secrets import masked_text

DRAIN_S = 20.0  # a worker ends itself 17 seconds after it was asked to
FIRST_PAUSE_S = 1.0
LONGEST_PAUSE_S = 60.0
STEADY_S = 60.0  # a process that lived so long starts again without a pause
KEPT_LINES = 200
MAX_LINE = 64_000  # bytes
MAX_PROCESSES = 64
ENDED_KEPT = 50  # crawls that are over, for their last lines


@dataclass
class Process:
    """One process, or the series of them that was started again and again."""

    name: str
    arguments: tuple[str, ...]
    keep: bool  # running: start it again when it ends
    pid: int | None = None
    state: str = "starting"  # starting, running, pausing, draining, ended
    started_at: datetime | None = None
    starts: int = 0
    code: int | None = None  # the exit code of the last one
    lines: deque[str] = field(default_factory=lambda: deque(maxlen=KEPT_LINES))
    task: "asyncio.Task[None] | None" = field(default=None, repr=False)
    stopping: asyncio.Event = field(default_factory=asyncio.Event, repr=False)


class Processes:
    """Starts processes, keeps them running, and ends them."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._all: dict[str, Process] = {}

    def start(self, name: str, arguments: Sequence[str], *, keep: bool = False) -> Process:
        """Start `thresher ARGUMENTS…` under a name; raise UsageError when one of its name runs, or too many do."""
        known = self._all.get(name)
        if known and known.state != "ended":
            raise UsageError(f"{name} runs already")
        if sum(process.state != "ended" for process in self._all.values()) >= MAX_PROCESSES:
            raise UsageError(f"{MAX_PROCESSES} processes run already; stop one first")
        self._forget_ended()
        process = self._all[name] = Process(name, tuple(arguments), keep)
        process.task = asyncio.create_task(self._look_after(process))
        return process

    def free_name(self, stem: str) -> str:
        """Return a name that no running process has: worker-1, worker-2, …"""
        busy = {name for name, process in self._all.items() if process.state != "ended"}
        return next(name for number in range(1, MAX_PROCESSES + 2) if (name := f"{stem}-{number}") not in busy)

    def list(self) -> list[Process]:
        """All processes, those that ended a while ago aside."""
        return list(self._all.values())

    def get(self, name: str) -> Process | None:
        """Look a process up."""
        return self._all.get(name)

    def stop(self, name: str) -> Process:
        """Ask a process to finish what it has in flight and to end; raise UsageError when there is none."""
        process = self._all.get(name)
        if process is None or process.state == "ended":
            raise UsageError(f"there is no process {name!r}")
        process.state = "draining"
        process.stopping.set()
        return process

    async def close(self) -> None:
        """Ask all processes to end, and wait until they have."""
        for process in self._all.values():
            process.stopping.set()
        tasks = [process.task for process in self._all.values() if process.task]
        if tasks:
            await asyncio.wait(tasks, timeout=2 * DRAIN_S)

    def _forget_ended(self) -> None:
        ended = [name for name, process in self._all.items() if process.state == "ended"]
        for name in ended[:-ENDED_KEPT]:
            del self._all[name]

    async def _look_after(self, process: Process) -> None:
        pause_s = FIRST_PAUSE_S
        while not process.stopping.is_set():
            began = time.monotonic()
            await self._run(process)
            if not process.keep or process.stopping.is_set():
                break
            pause_s = FIRST_PAUSE_S if time.monotonic() - began > STEADY_S else min(2 * pause_s, LONGEST_PAUSE_S)
            process.state = "pausing"
            with suppress(TimeoutError):
                await asyncio.wait_for(process.stopping.wait(), pause_s)
        process.state = "ended"

    async def _run(self, process: Process) -> None:
        try:
            child = await _spawn(process.arguments, environment_of(self._settings))
        except OSError as error:
            process.lines.append(f"cannot start: {error.strerror}")
            process.code = 1
            return
        process.pid, process.state, process.starts = child.pid, "running", process.starts + 1
        process.started_at = datetime.now(UTC)
        reading = asyncio.create_task(_read(child, process.lines))
        ended, asked = asyncio.create_task(child.wait()), asyncio.create_task(process.stopping.wait())
        await asyncio.wait({ended, asked}, return_when=asyncio.FIRST_COMPLETED)
        asked.cancel()
        if not ended.done():
            process.state = "draining"
            await _end(child)
        process.code, process.pid = await ended, None
        await reading


async def _spawn(arguments: Sequence[str], environment: Mapping[str, str]) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *child_command(os.getpid(), arguments),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        limit=MAX_LINE,
        env=environment,
        start_new_session=True,  # a Ctrl-C reaches us alone, and we ask them to drain
    )


async def _end(child: asyncio.subprocess.Process) -> None:
    with suppress(ProcessLookupError):
        child.send_signal(signal.SIGTERM)
    try:
        await asyncio.wait_for(child.wait(), DRAIN_S)
    except TimeoutError:
        with suppress(ProcessLookupError):
            child.kill()


async def _read(child: asyncio.subprocess.Process, lines: deque[str]) -> None:
    """Keep the last lines that a process writes; its children may hold the pipe open after it."""
    if child.stderr is None:
        raise ThresherError("a process was started without a pipe")
    while True:
        try:
            line = await child.stderr.readline()
        except ValueError:  # longer than the limit; what is left of it comes next
            continue
        if not line:
            return
        lines.append(printable(masked_text(line.decode("utf-8", "replace").rstrip())))
