"""Census, find, dead, workers, due_in_s: what can be asked without changing anything."""

import sqlite3
from typing import Any

from thresher import urls
from thresher.frontier.contract import Census, Rules, Standing, State
from thresher.frontier.steps.job import LINK_COLUMNS, Job, to_link

STANDING = f"""
SELECT state, reason, attempts, lost, worker, at, lane, next_at, {LINK_COLUMNS}, link.id AS id, boosted
FROM frontier_links AS link JOIN frontier_hosts AS host ON host.id = lane
"""
OPEN_JOBS = """
SELECT job.id, job.name, lane.id
FROM frontier_jobs AS job JOIN frontier_hosts AS lane ON lane.job = job.id AND lane.name = ''
WHERE job.pending + job.delayed + job.leased + job.dead > 0 ORDER BY job.id DESC
"""
FIND = f"{STANDING} WHERE link.job = ? AND key = ?"
DEAD = f"{STANDING} WHERE link.job = ? AND state = 'dead' AND at > 0 ORDER BY at DESC, link.id DESC LIMIT ?"
WORKERS = "SELECT DISTINCT worker FROM frontier_links WHERE job = ? AND state = 'leased' AND at > 0 ORDER BY worker"
_HELD = "SELECT count(*) FROM frontier_links WHERE job = :job AND reserved = 1 AND replay = 0 AND state"
CENSUS = f"""
SELECT pending, delayed, leased, done, dead, reserved,
    ({_HELD} = 'pending' AND suspect = 0) + ({_HELD} = 'pending' AND suspect = 1) + ({_HELD} = 'leased' AND at > 0)
FROM frontier_jobs WHERE id = :job
"""

_TIMED = "SELECT at FROM frontier_links WHERE job = :job AND state"
_OPEN = "(leased < :concurrency OR frontier_hosts.id = :replays) AND paused = 0"
_READY = f"""
SELECT next_at FROM frontier_hosts
WHERE job = :job AND boosted = %d AND waiting > 0 AND {_OPEN} ORDER BY next_at LIMIT 1
"""
_SUSPECTS = f"""
SELECT next_at FROM frontier_links JOIN frontier_hosts ON frontier_hosts.id = lane
WHERE frontier_links.job = :job AND suspect = 1 AND state = 'pending' AND {_OPEN}
"""
_PAUSED = """
SELECT host.id FROM frontier_hosts AS host JOIN frontier_links AS link ON lane = host.id
WHERE host.job = :job AND paused = 1 AND state = 'pending'
"""
PAUSED = f"{_PAUSED} LIMIT 1"
PAUSED_WITH_A_PLACE = f"{_PAUSED} AND (reserved OR replay) LIMIT 1"
ASK_AGAIN_S = 30.0  # while all that is left is paused
NEXT_EXPIRY = f"{_TIMED} = 'leased' AND at > 0 ORDER BY at LIMIT 1"
NEXT_WHILE_PLACES_LAST = (
    f"{_TIMED} = 'delayed' AND at > 0 ORDER BY at LIMIT 1",
    _READY % 1,
    _READY % 0,
    f"{_SUSPECTS} ORDER BY next_at LIMIT 1",
)
NEXT_WHEN_LIMIT_IS_USED_UP = (
    f"{_TIMED} = 'delayed' AND at > 0 AND (reserved OR replay) ORDER BY at LIMIT 1",
    "SELECT next_at FROM frontier_hosts WHERE id = :replays AND waiting > 0",
    f"""
    SELECT next_at FROM frontier_links JOIN frontier_hosts ON frontier_hosts.id = lane
    WHERE frontier_links.job = :job AND state = 'pending' AND suspect = 0 AND reserved = 1 AND replay = 0 AND {_OPEN}
    ORDER BY next_at LIMIT 1
    """,
    f"{_SUSPECTS} AND (reserved OR replay) ORDER BY next_at LIMIT 1",
)


def census(job: Job) -> Census:
    """Count the links by state."""
    return Census(*job.connection.execute(CENSUS, {"job": job.id}).fetchone())


def find(job: Job, now: float, url: str) -> Standing | None:
    """Look a canonical URL up; None when it was never accepted."""
    row = job.connection.execute(FIND, (job.id, bytes.fromhex(urls.key_of(url)))).fetchone()
    return None if row is None else standing_of(job, now, row[:-2])


def open_standings(connection: sqlite3.Connection, now: float, url: str) -> dict[str, Standing]:
    """Say by job name where a canonical URL stands that is not done, newest job first."""
    jobs = [(name, Job(connection, id_, lane, Rules())) for id_, name, lane in connection.execute(OPEN_JOBS)]
    found = ((name, find(job, now, url)) for name, job in jobs)
    return {name: at for name, at in found if at and at.state is not State.DONE}


def dead(job: Job, now: float, limit: int) -> list[Standing]:
    """List dead letters, newest first."""
    return [standing_of(job, now, row[:-2]) for row in job.connection.execute(DEAD, (job.id, limit))]


def workers(job: Job) -> list[str]:
    """Name the workers that hold leases."""
    return [name for (name,) in job.connection.execute(WORKERS, (job.id,))]


def due_in_s(job: Job, now: float) -> float | None:
    """Say how long until a link can be leased; None when the job is over."""
    spent = job.places_left() == 0
    queries = NEXT_WHEN_LIMIT_IS_USED_UP if spent else NEXT_WHILE_PLACES_LAST
    terms = {"job": job.id, "replays": job.replays, "concurrency": job.rules.host_concurrency}

    def first(query: str) -> float | None:
        row = job.connection.execute(query, terms).fetchone()
        return float(row[0]) if row else None

    expiry, *times = [first(query) for query in (NEXT_EXPIRY, *queries)]
    left = any(time is not None for time in times) or first(PAUSED_WITH_A_PLACE if spent else PAUSED) is not None
    known = [time for time in (expiry, *(() if job.is_paused() else times)) if time is not None]
    if known:
        return max(0.0, float(min(known)) - now)
    return ASK_AGAIN_S if left else None


def standing_of(job: Job, now: float, row: tuple[Any, ...]) -> Standing:
    """Build the standing of a link from what STANDING selects, up to the link's columns."""
    state, reason, attempts, lost, worker, at, lane, next_at, *columns = row
    due_at = at if state == State.DELAYED else None
    if state == State.PENDING and lane != job.replays and next_at > now:
        due_at = next_at
    due = None if due_at is None else max(0.0, due_at - now)
    return Standing(to_link(columns), State(state), reason, attempts, lost, due, worker)
