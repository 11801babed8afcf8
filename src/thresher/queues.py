"""The frontier that the settings mean, opened alone: whoever asks only for links and workers needs no store.

Opening a whole corpus costs a second of processor time for the libraries of stores and indexes. A health check, which
runs every minute in each container, cannot afford that.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from thresher import sqlite
from thresher.config import SQLITE, Settings
from thresher.errors import NothingCollected
from thresher.frontier.contract import Rules
from thresher.frontier.overseer import Overseer
from thresher.frontier.redis_overseer import RedisOverseer, redis_jobs
from thresher.frontier.server import Server
from thresher.frontier.sqlite_overseer import SqliteOverseer, sqlite_jobs

LOCAL = "local.db"  # in the data folder: this machine's frontier, beside a store that is a server


@dataclass(frozen=True, slots=True)
class Queue:
    """An open frontier: its jobs, and what may be seen and changed of each."""

    jobs: Callable[[], list[str]]
    overseer: Callable[[str, Rules], Overseer]  # by job, one that is there
    close: Callable[[], None]


def open_queue(settings: Settings) -> Queue:
    """Open the frontier that the settings name; raise NothingCollected where there is none on this machine yet."""
    if settings.frontier:
        server = redis_server(settings)
        return Queue(lambda: redis_jobs(server), lambda job, rules: RedisOverseer(server, job, rules), server.close)
    embedded = settings.store_url.startswith(SQLITE)
    path = Path(settings.store_url.removeprefix(SQLITE)) if embedded else Path(settings.data) / LOCAL
    if embedded and not path.exists():
        raise NothingCollected(f"nothing was collected in {path.parent} yet; start with `thresher crawl URL`")
    file = sqlite.connect(path, parents=True)
    return Queue(lambda: sqlite_jobs(file), lambda job, rules: SqliteOverseer(file, job, rules), file.close)


def redis_server(settings: Settings) -> Server:
    """Return the Redis or Valkey of the settings; nothing is sent yet."""
    return Server(re.sub("^valkey", "redis", settings.frontier))
