"""The inside of a pool process: read a request, do the job, answer; within limits of time and memory."""

import resource
import signal
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path

READY = b"ready"
OUT_OF_MEMORY = b"out of memory"
CRASHED = b"crashed\x00"  # and then the error
MAX_DETAIL_CHARS = 300


def serve(pipe: Connection, job: Callable[[bytes], bytes], memory_bytes: int, timeout_s: float) -> None:
    """Answer requests until the pipe closes; OUT_OF_MEMORY when memory ran out, CRASHED and what was raised."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to the whole group; the parent drains
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _limit_memory(memory_bytes)
    with suppress(EOFError, OSError):  # the parent has ended, or was killed
        pipe.send_bytes(READY)
        while True:
            request = pipe.recv_bytes()
            _limit_cpu(timeout_s)
            pipe.send_bytes(_answered(job, request))


def _answered(job: Callable[[bytes], bytes], request: bytes) -> bytes:
    try:
        return job(request)
    except MemoryError:
        return OUT_OF_MEMORY
    except BaseException as error:  # noqa: BLE001  # the parent hears of it; a traceback would go to the user's screen
        return CRASHED + f"{type(error).__name__}: {error}"[:MAX_DETAIL_CHARS].encode("utf-8", "replace")


def _limit_memory(memory_bytes: int) -> None:
    """Allow so much address space beyond what the imports took."""
    statm = Path("/proc/self/statm")
    if not statm.exists():  # no Linux: the time limit alone must do
        return
    used = int(statm.read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + memory_bytes, resource.RLIM_INFINITY))


def _limit_cpu(timeout_s: float) -> None:
    """Let the kernel end a page that outlives even its parent."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    spent = usage.ru_utime + usage.ru_stime
    resource.setrlimit(resource.RLIMIT_CPU, (int(spent + 2 * timeout_s) + 2, resource.RLIM_INFINITY))
