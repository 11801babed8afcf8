"""SqliteOverseer: what people may see and change of a job in an SQLite file."""

import sqlite3
import time
from collections.abc import Callable

from thresher.errors import UsageError
from thresher.frontier.contract import Census, Rules, Standing
from thresher.frontier.overseer import Beat, HostState
from thresher.frontier.steps import oversee, report
from thresher.frontier.steps.clock import SteadyClock
from thresher.frontier.steps.job import open_job
from thresher.frontier.steps.schema import MIGRATIONS
from thresher.sqlite import atomic, migrate, snapshot


def sqlite_jobs(connection: sqlite3.Connection) -> list[str]:
    """Name the jobs of a database, the newest first."""
    migrate(connection, "frontier", MIGRATIONS)
    with snapshot(connection):
        return [name for (name,) in connection.execute("SELECT name FROM frontier_jobs ORDER BY id DESC")]


class SqliteOverseer:
    """An Overseer (see overseer.py) over a connection of `thresher.sqlite.connect`."""

    def __init__(
        self, connection: sqlite3.Connection, job: str, rules: Rules, clock: Callable[[], float] = time.time
    ) -> None:
        """Open a job that is there; raise UsageError when it is not."""
        if job not in sqlite_jobs(connection):
            raise UsageError(f"there is no job {job!r}; `thresher frontier status` lists the ones that exist")
        with atomic(connection):
            self._job = open_job(connection, job, rules)
        self._connection, self._time = connection, SteadyClock(clock)

    def _clock(self, *, keep: bool = False) -> float:
        return self._time.now(self._connection, keep=keep)

    def census(self) -> Census:
        with snapshot(self._connection):
            return report.census(self._job)

    def is_paused(self) -> bool:
        with snapshot(self._connection):
            return self._job.is_paused()

    def hosts(self, limit: int = 50) -> list[HostState]:
        with snapshot(self._connection):
            return oversee.hosts(self._job, self._clock(), limit)

    def due_hosts(self) -> int:
        with snapshot(self._connection):
            return 0 if self._job.is_paused() else oversee.due_hosts(self._job, self._clock())

    def overdue_s(self) -> float:
        with snapshot(self._connection):
            return 0.0 if self._job.is_paused() else oversee.overdue_s(self._job, self._clock())

    def peek(self, count: int = 20, host: str | None = None) -> list[Standing]:
        with snapshot(self._connection):
            return oversee.peek(self._job, self._clock(), count, host)

    def pause(self, host: str | None = None) -> bool:
        with atomic(self._connection):
            return oversee.mark(self._job, host, "paused", on=True)

    def resume(self, host: str | None = None) -> bool:
        with atomic(self._connection):
            return oversee.mark(self._job, host, "paused", on=False)

    def boost(self, host: str, *, on: bool = True) -> bool:
        with atomic(self._connection):
            return oversee.mark(self._job, host, "boosted", on=on)

    def prefer(self, url: str, priority: int) -> bool:
        with atomic(self._connection):
            return oversee.prefer(self._job, url, priority)

    def retry(self, *, url: str | None = None, host: str | None = None) -> int:
        with atomic(self._connection):
            return oversee.retry(self._job, url, host)

    def beat(self, worker: str, doing: str) -> str:
        with atomic(self._connection):
            return oversee.beat(self._job, self._clock(keep=True), worker, doing)

    def tell(self, worker: str, order: str) -> bool:
        with atomic(self._connection):
            return oversee.tell(self._job, worker, order)

    def retire(self, worker: str) -> None:
        with atomic(self._connection):
            oversee.retire(self._job, worker)

    def beats(self) -> list[Beat]:
        with snapshot(self._connection):
            return oversee.beats(self._job, self._clock())
