"""Gauge a command: its wall time, and CPU time and memory of every process it starts."""

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from thresher.errors import ThresherError, UsageError

LOOK_EVERY_S = 0.1
TICKS_PER_S = os.sysconf("SC_CLK_TCK")
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
_TOLD_CHARS = 2_000  # of what a failing command wrote
_PROC = Path("/proc")
_IDLE = slice(3, 5)  # of the machine's ticks: idle, and waiting for a disk


@dataclass(frozen=True, slots=True)
class Reading:
    """What a command took, its children and theirs included."""

    wall_s: float  # from its start to its end
    cpu_s: float
    peak_bytes: int  # the largest sum of resident memory; what processes share counts for each of them
    output: str  # its standard output


class Process(NamedTuple):
    """A process as /proc shows it."""

    id: tuple[int, int]  # pid and start: a pid alone may be given out again
    parent: int
    session: int
    cpu_s: float
    resident_bytes: int


def gauge(command: Sequence[str], *, folder: Path, timeout_s: float, good_codes: Sequence[int] = (0,)) -> Reading:
    """Run a command in a folder to its end; raise ThresherError when it fails or takes longer than allowed."""
    if not (_PROC / "self" / "stat").exists():
        raise UsageError("measuring a command's processes needs /proc: run it on Linux")
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as complaints:
        started_s = time.monotonic()
        # A session of its own is how its processes are known, orphans included.
        process = subprocess.Popen(
            command, cwd=folder, stdout=output, stderr=complaints, text=True, start_new_session=True
        )
        try:
            cpu_s, peak_bytes = _watch(process.pid, started_s + timeout_s)
            wall_s = time.monotonic() - started_s
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        if process.returncode not in good_codes:
            complaints.seek(0)
            said = complaints.read()[-_TOLD_CHARS:]
            raise ThresherError(f"{' '.join(command)[:200]} ended with {process.returncode}:\n{said}")
        output.seek(0)
        return Reading(wall_s, cpu_s, peak_bytes, output.read())


def cpu_of(pid: int) -> float:
    """Return the CPU seconds that a process has used, its children aside; 0.0 when it has ended."""
    process = _look_at(_PROC / str(pid))
    return process.cpu_s if process else 0.0


def cpu_in_sessions(leaders: Collection[int]) -> dict[tuple[int, int], float]:
    """Return the CPU seconds of each process that now lives in the sessions of these leaders."""
    return {process.id: process.cpu_s for process in _processes() if process.session in leaders}


def cpu_of_family(pid: int) -> dict[tuple[int, int], float]:
    """Return the CPU seconds of a process and of each of its children that now live."""
    return {process.id: process.cpu_s for process in _processes() if pid in (process.id[0], process.parent)}


def busy_s() -> float:
    """Return the seconds that the cores were in use since the machine was started, as a share of all cores."""
    ticks = [int(word) for word in (_PROC / "stat").read_text().splitlines()[0].split()[1:8]]
    waiting = sum(ticks[_IDLE])
    return (sum(ticks) - waiting) / TICKS_PER_S / (os.cpu_count() or 1)


def _watch(pid: int, deadline_s: float) -> tuple[float, int]:
    """Look at a session's processes until its first one has ended; return their CPU time and the memory's peak."""
    cpu_s: dict[tuple[int, int], float] = {}
    peak_bytes = 0
    ended = None
    while ended is None:
        # The dead process stays to be looked at once more: its last CPU time is exact.
        ended = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT | os.WNOHANG)
        processes = [process for process in _processes() if process.session == pid]
        cpu_s.update((process.id, process.cpu_s) for process in processes)
        peak_bytes = max(peak_bytes, sum(process.resident_bytes for process in processes))
        if ended is None:
            if time.monotonic() > deadline_s:
                raise ThresherError("the command took longer than allowed: give it more time or fewer pages")
            time.sleep(LOOK_EVERY_S)
    return sum(cpu_s.values()), peak_bytes


def _processes() -> list[Process]:
    found = (_look_at(folder) for folder in _PROC.iterdir() if folder.name.isdecimal())
    return [process for process in found if process is not None]


def _look_at(folder: Path) -> Process | None:
    try:
        stat = (folder / "stat").read_text()
    except OSError:  # it has ended meanwhile
        return None
    after_name = stat.rsplit(")", 1)[1].split()
    parent, session, user, system, started, pages = (int(after_name[place]) for place in (1, 3, 11, 12, 19, 21))
    cpu_s = (user + system) / TICKS_PER_S
    return Process((int(folder.name), started), parent, session, cpu_s, pages * PAGE_BYTES)
