"""The SQLite frontier as the contract tests see it."""

import sqlite3
from pathlib import Path

from tests.contracts.frontier_words import QUICK, Clock
from thresher.frontier.contract import Rules
from thresher.frontier.sqlite import SqliteFrontier
from thresher.frontier.sqlite_overseer import SqliteOverseer
from thresher.sqlite import connect

_MISCOUNTED_JOBS = """
SELECT name, pending, delayed, leased, done, dead, reserved FROM frontier_jobs AS job
WHERE (pending, delayed, leased, done, dead, reserved) IS NOT (
    SELECT coalesce(sum(state = 'pending'), 0), coalesce(sum(state = 'delayed'), 0), coalesce(sum(state = 'leased'), 0),
        coalesce(sum(state = 'done'), 0), coalesce(sum(state = 'dead'), 0), coalesce(sum(reserved), 0)
    FROM frontier_links WHERE job = job.id
)
"""
_MISCOUNTED_HOSTS = """
SELECT name, accepted, waiting, leased FROM frontier_hosts AS host
WHERE accepted <> (SELECT count(*) FROM frontier_links WHERE host = host.id)
    OR waiting <> (SELECT count(*) FROM frontier_links WHERE lane = host.id AND state = 'pending' AND NOT suspect)
    OR leased <> (SELECT count(*) FROM frontier_links WHERE lane = host.id AND state = 'leased')
"""


class SqliteBackend:
    """One database file; each frontier has its own connection to it."""

    def __init__(self, path: Path) -> None:
        self.clock = Clock()
        self._path = path
        self._connections: list[sqlite3.Connection] = []

    def open(self, rules: Rules = QUICK, job: str = "job") -> SqliteFrontier:
        """Open a frontier, as another process would."""
        return SqliteFrontier(self._connect(), job, rules, self.clock)

    def oversee(self, rules: Rules = QUICK, job: str = "job") -> SqliteOverseer:
        """Open the overseer of a job that is there."""
        return SqliteOverseer(self._connect(), job, rules, self.clock)

    def audit(self) -> None:
        """Fail when a counter differs from the rows it counts."""
        connection = self._connections[0]
        assert connection.execute(_MISCOUNTED_JOBS).fetchall() == []
        assert connection.execute(_MISCOUNTED_HOSTS).fetchall() == []

    def close(self) -> None:
        """Close every connection."""
        for connection in self._connections:
            connection.close()

    def _connect(self) -> sqlite3.Connection:
        self._connections.append(connect(self._path))
        return self._connections[-1]
