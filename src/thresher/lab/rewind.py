"""The append-only file of a Redis server: its length now, and cutting off what was written since."""

import os
from pathlib import Path

from thresher.errors import BackendError


def length(folder: Path) -> int:
    """Return how long the file is that a server appends to; raise BackendError when there is none."""
    return _file(folder).stat().st_size


def cut(folder: Path, size: int) -> None:
    """Cut the file to a size, as a power cut does with what was not synced; the server must not run."""
    os.truncate(_file(folder), size)


def _file(folder: Path) -> Path:
    """Find the file: Redis 7 keeps numbered parts of which the last one grows, Redis 6 a single one."""
    parts = sorted(folder.glob("appendonlydir/*.incr.aof"), key=lambda path: int(path.name.split(".")[-3]))
    found = parts or sorted(folder.glob("appendonly.aof"))
    if not found:
        raise BackendError("the Redis server keeps no append-only file")
    return found[-1]
