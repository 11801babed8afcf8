"""The inside of a pool process: read a request, do the job, answer; within limits of time and memory."""

import gc
import math
import resource
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TypeVar

from thresher.crawling import sandbox

READY = b"ready "
OUT_OF_MEMORY = b"out of memory"
CRASHED = b"crashed\x00"  # and then the error
MAX_DETAIL_CHARS = 300
T = TypeVar("T")


def serve(
    pipe: Connection,
    job: Callable[[bytes], bytes],
    memory_bytes: int,
    timeout_s: float,
    probe: bytes | None = None,
    reads: Sequence[Path] = (),
) -> None:
    """Answer requests until the pipe closes; OUT_OF_MEMORY when memory ran out, CRASHED and what was raised.

    The first message says READY and what the process has given up (see sandbox.py), once it has answered the `probe`;
    it can still read the files `reads`.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to the whole group; the parent drains
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    with suppress(EOFError, OSError):  # the parent has ended, or was killed
        pipe.send_bytes(_answered(_prepared, (job, memory_bytes, probe, reads)))
        while True:
            request = pipe.recv_bytes()
            _limit_cpu(timeout_s)
            pipe.send_bytes(_answered(job, request))


def _prepared(terms: tuple[Callable[[bytes], bytes], int, bytes | None, Sequence[Path]]) -> bytes:
    """Load what pages need by reading one, then limit the process."""
    job, memory_bytes, probe, reads = terms
    if probe is not None:
        job(probe)
    gc.collect()
    gc.freeze()  # what was loaded stays: collections need not look at it again and again
    _limit_memory(memory_bytes)
    return READY + ", ".join(sandbox.enter(reads)).encode()


def _answered(job: Callable[[T], bytes], request: T) -> bytes:
    try:
        return job(request)
    except MemoryError:
        return OUT_OF_MEMORY
    except BaseException as error:  # noqa: BLE001  # the parent hears of it; a traceback would go to the user's screen
        return CRASHED + f"{type(error).__name__}: {error}"[:MAX_DETAIL_CHARS].encode("utf-8", "replace")


def _limit_memory(memory_bytes: int) -> None:
    """Allow so much address space beyond what the imports took, or less where whoever started us allows less."""
    statm = Path("/proc/self/statm")
    if not statm.exists():  # no Linux: the time limit alone must do
        return
    used = int(statm.read_text().split()[0]) * resource.getpagesize()
    _lower(resource.RLIMIT_AS, used + memory_bytes)


def _limit_cpu(timeout_s: float) -> None:
    """Let the kernel end a page that takes too long, however busy the machine is and even when its parent is gone."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    spent = usage.ru_utime + usage.ru_stime
    _lower(resource.RLIMIT_CPU, math.ceil(spent + timeout_s))


def wants_a_core(pid: int | None) -> bool:
    """Say whether a process is at work or waits for a core to work on; False where the system does not tell."""
    try:
        told = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return told.rpartition(")")[2].split()[0] in "RD"  # running or runnable, or waiting for a page of memory


def _lower(limit: int, wanted: int) -> None:
    """Set a soft limit, no higher than the hard one, which nobody may raise."""
    _, hard = resource.getrlimit(limit)
    resource.setrlimit(limit, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))
