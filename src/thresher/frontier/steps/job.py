"""Job: what every step needs to know of the job it works on."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from thresher.frontier.contract import Rules
from thresher.model import Link

LINK_COLUMNS = "url, depth, why, found_on, priority, hops, replay, etag, modified, source"


@dataclass(frozen=True, slots=True)
class Job:
    """One job's rows in a database, and the rules it is crawled by."""

    connection: sqlite3.Connection
    id: int
    replays: int  # the lane of links that are followed again without a request
    rules: Rules
    sprung: set[tuple[int, str]] = field(default_factory=set)  # host and shape of traps that `weed` has not seen yet

    def backoff_s(self, failures: int) -> float:
        """Return the wait after so many failures in a row."""
        doublings = min(max(failures, 1) - 1, 60)
        return min(self.rules.backoff_s * 2.0**doublings, self.rules.backoff_cap_s)

    def is_paused(self) -> bool:
        """Say whether somebody paused the job."""
        query = "SELECT paused FROM frontier_jobs WHERE id = ?"
        return bool(self.connection.execute(query, (self.id,)).fetchone()[0])

    def places_left(self) -> int | None:
        """Return how many more links may take a place of the page limit; None when there is no limit."""
        if self.rules.limit is None:
            return None
        query = "SELECT reserved FROM frontier_jobs WHERE id = ?"
        return max(0, self.rules.limit - int(self.connection.execute(query, (self.id,)).fetchone()[0]))


def open_job(connection: sqlite3.Connection, name: str, rules: Rules) -> Job:
    """Return the job of that name, adding it when it is new."""
    connection.execute("INSERT INTO frontier_jobs (name) VALUES (?) ON CONFLICT DO NOTHING", (name,))
    (job,) = connection.execute("SELECT id FROM frontier_jobs WHERE name = ?", (name,)).fetchone()
    lane = "INSERT INTO frontier_hosts (job, name, next_at) VALUES (?, '', 0) ON CONFLICT DO NOTHING"
    connection.execute(lane, (job,))
    query = "SELECT id FROM frontier_hosts WHERE job = ? AND name = ''"
    (replays,) = connection.execute(query, (job,)).fetchone()
    return Job(connection, job, replays, rules)


def to_link(columns: Sequence[Any]) -> Link:
    """Build a Link from the values of LINK_COLUMNS."""
    url, depth, why, found_on, priority, hops, replay, etag, modified, source = columns
    return Link(url, depth, why, found_on, priority, hops, bool(replay), etag, modified, source=source)
