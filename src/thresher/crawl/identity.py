"""Worker names that tell whether their process still lives."""

import os
import socket
from pathlib import Path


def worker_name() -> str:
    """Name this process: host, pid, and when it started (a pid alone may be given out again)."""
    return f"{socket.gethostname()}/{os.getpid()}/{_started(os.getpid())}"


def is_dead(worker: str) -> bool:
    """Say whether a worker of this machine has ended; False for workers of other machines: unknown."""
    host, pid, started = worker.rsplit("/", 2)
    if host != socket.gethostname():
        return False
    return not _exists(int(pid)) or _started(int(pid)) != started


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _started(pid: int) -> str:
    """The process's start in clock ticks since boot; "ended" for a zombie, "0" where the system does not tell."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return "0"
    after_name = stat.rsplit(")", 1)[1].split()
    return "ended" if after_name[0] == "Z" else after_name[19]
