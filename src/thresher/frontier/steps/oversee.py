"""What people may see and change: hosts, pauses, priorities, dead letters, signs of life."""

from typing import Any

from thresher import urls
from thresher.frontier.contract import Standing
from thresher.frontier.overseer import Beat, HostState
from thresher.frontier.steps.job import Job
from thresher.frontier.steps.report import STANDING, standing_of

FORGOTTEN_AFTER_S = 86_400.0  # a worker that has given no sign of life for so long

HOSTS = """
SELECT name, waiting, leased, accepted, asked_s, pace_s, next_at, address, paused, boosted
FROM frontier_hosts WHERE job = ? AND name <> '' ORDER BY waiting DESC, name LIMIT ?
"""
DUE_HOSTS = """
SELECT count(*) FROM frontier_hosts
WHERE job = ? AND waiting > 0 AND paused = 0 AND next_at <= ? AND (leased < ? OR name = '')
"""
FIRST_DUE = """
SELECT min(next_at) FROM frontier_hosts
WHERE job = ? AND waiting > 0 AND paused = 0 AND next_at <= ? AND leased < ? AND name <> ''
"""
PEEK = f"""
SELECT * FROM ({STANDING} WHERE link.job = :job AND state = 'pending' AND suspect = 0
    AND (:host IS NULL OR link.host = (SELECT id FROM frontier_hosts WHERE job = :job AND name = :host)))
ORDER BY row_number() OVER (PARTITION BY lane ORDER BY priority DESC, id), boosted DESC, next_at LIMIT :count
"""
PREFER = """
UPDATE frontier_links SET priority = ? WHERE job = ? AND key = ? AND state IN ('pending', 'delayed') RETURNING id
"""
RETRY = """
UPDATE frontier_links SET state = 'pending', at = NULL, attempts = 0, lost = 0, suspect = 0
WHERE job = :job AND state = 'dead' AND at > 0 AND (:key IS NULL OR key = :key)
    AND (:host IS NULL OR host = (SELECT id FROM frontier_hosts WHERE job = :job AND name = :host))
RETURNING lane
"""
WAIT = "UPDATE frontier_hosts SET waiting = waiting + 1 WHERE id = ?"
BEAT = """
INSERT INTO frontier_beats (job, worker, at, doing) VALUES (?, ?, ?, ?)
ON CONFLICT DO UPDATE SET at = excluded.at, doing = excluded.doing RETURNING told
"""
BEATS = """
SELECT worker, at, doing, (
    SELECT count(*) FROM frontier_links AS link WHERE link.job = beat.job AND state = 'leased' AND link.at > 0
        AND link.worker = beat.worker
) FROM frontier_beats AS beat WHERE job = ? ORDER BY at DESC, worker
"""


def hosts(job: Job, now: float, limit: int) -> list[HostState]:
    """List hosts, those with the most links waiting first."""
    return [_state(job, now, *row) for row in job.connection.execute(HOSTS, (job.id, limit))]


def _state(job: Job, now: float, *row: Any) -> HostState:
    name, waiting, leased, accepted, asked_s, pace_s, next_at, address, paused, boosted = row
    delay_s, due_in_s = job.rules.gap_s(asked_s, pace_s), max(0.0, next_at - now)
    return HostState(name, waiting, leased, accepted, delay_s, due_in_s, address, bool(paused), bool(boosted))


def due_hosts(job: Job, now: float) -> int:
    """Count the hosts of which a link could be leased now."""
    (count,) = job.connection.execute(DUE_HOSTS, (job.id, now, job.rules.host_concurrency)).fetchone()
    return int(count)


def overdue_s(job: Job, now: float) -> float:
    """Say for how long the host has waited that could be asked first; 0 when none is due."""
    (since,) = job.connection.execute(FIRST_DUE, (job.id, now, job.rules.host_concurrency)).fetchone()
    return 0.0 if since is None else float(now - since)


def peek(job: Job, now: float, count: int, host: str | None) -> list[Standing]:
    """List what waits to be leased next, of one host or of all in turn."""
    rows = job.connection.execute(PEEK, {"job": job.id, "count": count, "host": host})
    return [standing_of(job, now, row[:-2]) for row in rows]


def mark(job: Job, host: str | None, column: str, *, on: bool) -> bool:
    """Set or clear a mark ("paused", "boosted") of a host or of the job; False for a host that is not known."""
    if host is None:
        return job.connection.execute(f"UPDATE frontier_jobs SET {column} = ? WHERE id = ?", (on, job.id)).rowcount > 0
    update = f"UPDATE frontier_hosts SET {column} = ? WHERE job = ? AND name = ? AND name <> ''"
    return job.connection.execute(update, (on, job.id, host)).rowcount > 0


def prefer(job: Job, url: str, priority: int) -> bool:
    """Give a link that waits another priority; False when there is none of that URL."""
    terms = (priority, job.id, bytes.fromhex(urls.key_of(url)))
    return job.connection.execute(PREFER, terms).fetchone() is not None


def retry(job: Job, url: str | None, host: str | None) -> int:
    """Let dead letters wait again; answer how many."""
    key = None if url is None else bytes.fromhex(urls.key_of(url))
    lanes = job.connection.execute(RETRY, {"job": job.id, "key": key, "host": host}).fetchall()
    job.connection.executemany(WAIT, lanes)
    return len(lanes)


def beat(job: Job, now: float, worker: str, doing: str) -> str:
    """Note that a worker is alive, answer what it was told to do; forget those that have long been silent."""
    job.connection.execute("DELETE FROM frontier_beats WHERE job = ? AND at < ?", (job.id, now - FORGOTTEN_AFTER_S))
    ((told,),) = job.connection.execute(BEAT, (job.id, worker, now, doing)).fetchall()
    return str(told)


def tell(job: Job, worker: str, order: str) -> bool:
    """Tell a worker what to do; False for one that has given no sign of life."""
    update = "UPDATE frontier_beats SET told = ? WHERE job = ? AND worker = ?"
    return job.connection.execute(update, (order, job.id, worker)).rowcount > 0


def retire(job: Job, worker: str) -> None:
    """Forget a worker that has stopped in good order."""
    job.connection.execute("DELETE FROM frontier_beats WHERE job = ? AND worker = ?", (job.id, worker))


def beats(job: Job, now: float) -> list[Beat]:
    """List the workers that have given a sign of life, the last sign first."""
    rows = job.connection.execute(BEATS, (job.id,))
    return [Beat(worker, max(0.0, now - at), doing, leases) for worker, at, doing, leases in rows]
