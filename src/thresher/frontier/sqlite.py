"""SqliteFrontier: the embedded frontier, in one SQLite file that several processes may use at once."""

import sqlite3
import time
from collections.abc import Callable, Collection, Sequence

from thresher.frontier.contract import Census, Offered, Rules, Settlement, Standing
from thresher.frontier.steps import report
from thresher.frontier.steps.clock import SteadyClock, bound
from thresher.frontier.steps.job import open_job
from thresher.frontier.steps.lease import lease
from thresher.frontier.steps.offer import offer, wake
from thresher.frontier.steps.reclaim import reap, release
from thresher.frontier.steps.schema import MIGRATIONS
from thresher.frontier.steps.settle import renew, settle
from thresher.frontier.steps.weed import drop, weed
from thresher.model import Lease, Link
from thresher.sqlite import atomic, migrate, snapshot

__all__ = ["MIGRATIONS", "SqliteFrontier", "open_standings"]


def open_standings(connection: sqlite3.Connection, url: str) -> dict[str, Standing]:
    """Say by job where a canonical URL stands that is not done; nothing is written."""
    migrate(connection, "frontier", MIGRATIONS)
    with snapshot(connection):
        return report.open_standings(connection, SteadyClock().now(connection, keep=False), url)


class SqliteFrontier:
    """A Frontier (see contract.py) over a connection of `thresher.sqlite.connect`.

    A call made while a transaction is open on the connection becomes part of it: that is how save, index, offer and
    settle are made one. The clock is read once the database is locked, so waiting for another process costs no lease.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        job: str,
        rules: Rules,
        clock: Callable[[], float] = time.time,
        steady: Callable[[], float] | None = None,
    ) -> None:
        """Open the job, adding tables and job where they are missing; raise BackendError when that fails.

        `clock` and `steady` (one that nobody sets) are for tests.
        """
        migrate(connection, "frontier", MIGRATIONS)
        self._connection, self._time = connection, SteadyClock(clock, steady)
        with atomic(connection):
            self._job = open_job(connection, job, rules)
            bound(self._job, self._clock())

    def _clock(self, *, keep: bool = True) -> float:
        return self._time.now(self._connection, keep=keep)

    def offer(self, links: Sequence[Link]) -> list[Offered]:
        with atomic(self._connection):
            return offer(self._job, self._clock(), links)

    def wake(self, links: Sequence[Link]) -> list[bool]:
        with atomic(self._connection):
            return wake(self._job, self._clock(), links)

    def lease(self, worker: str, count: int) -> list[Lease]:
        with atomic(self._connection):
            return lease(self._job, self._clock(), worker, count)

    def renew(self, leases: Sequence[Lease]) -> list[bool]:
        with atomic(self._connection):
            return renew(self._job, self._clock(), leases)

    def settle(self, settlements: Sequence[Settlement]) -> list[bool]:
        with atomic(self._connection):
            return settle(self._job, self._clock(), settlements)

    def exchange(self, settlements: Sequence[Settlement], worker: str, count: int) -> tuple[list[bool], list[Lease]]:
        with atomic(self._connection):
            return self.settle(settlements), self.lease(worker, count)

    def weed(self) -> list[Link]:
        if not self._job.sprung:
            return []
        with atomic(self._connection):
            return weed(self._job)

    def drop(self, link: Link, reason: str, which: Callable[[Link], bool] | None = None) -> list[Link]:
        with atomic(self._connection):
            return drop(self._job, link.host, reason, which)

    def release(self, worker: str) -> int:
        with atomic(self._connection):
            return release(self._job, self._clock(), worker)

    def reap(self, dead_workers: Collection[str] = ()) -> int:
        with atomic(self._connection):
            return reap(self._job, self._clock(), dead_workers)

    def workers(self) -> list[str]:
        with snapshot(self._connection):
            return report.workers(self._job)

    def due_in_s(self) -> float | None:
        with snapshot(self._connection):
            return report.due_in_s(self._job, self._clock(keep=False))

    def census(self) -> Census:
        with snapshot(self._connection):
            return report.census(self._job)

    def find(self, url: str) -> Standing | None:
        with snapshot(self._connection):
            return report.find(self._job, self._clock(keep=False), url)

    def dead(self, limit: int = 100) -> list[Standing]:
        with snapshot(self._connection):
            return report.dead(self._job, self._clock(keep=False), limit)

    def recover(self) -> bool:
        return False

    def has_lost(self) -> bool:
        return False

    def loss(self) -> int:
        return 0

    def make_good(self, loss: int) -> None:
        """There is nothing to make good: a file that was written has been written."""
