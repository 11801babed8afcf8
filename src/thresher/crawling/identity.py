"""Worker names that tell whether their process still lives."""

import hashlib
import os
import socket
from pathlib import Path


def worker_name() -> str:
    """Name this process: host, pid, when it started (a pid alone may be given out again), and who counts pids alike."""
    return name_of(os.getpid())


def name_of(pid: int) -> str:
    """Return the name that a worker has which runs as a process of this machine."""
    return f"{socket.gethostname()}/{pid}/{_started(pid)}.{_realm()}"


def is_dead(worker: str, *, shared: bool = False) -> bool:
    """Say whether a worker of this machine has ended; False for workers of other machines: unknown.

    Other machines or containers may have the same name as this one. Where the frontier is `shared` with them, a worker
    whose pid is not one of ours is unknown, too; where it is not, it was a worker of ours before the machine started.
    """
    host, pid, mark = worker.rsplit("/", 2)
    started, _, realm = mark.partition(".")
    if host != socket.gethostname():
        return False
    if realm != _realm():
        return not shared
    return not _exists(int(pid)) or _started(int(pid)) != started


def _realm() -> str:
    """A word for all processes that count pids as we do: those of this boot of the machine, in this container."""
    try:
        marks = Path("/proc/sys/kernel/random/boot_id").read_text() + os.readlink("/proc/self/ns/pid")
    except OSError:
        marks = ""
    return hashlib.sha256(marks.encode()).hexdigest()[:4]


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
