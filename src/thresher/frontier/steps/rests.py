"""Rests: a host is left in peace by all jobs together; jobs that want the same host take turns.

A job whose host need not rest at all (no delay) neither waits for other jobs nor makes them wait.
"""

from thresher.frontier.steps.job import Job

GRACE_S = 1.0  # a job whose turn it is has so long to come for it
LOOK_AGAIN_S = 0.25  # at a host at which other jobs have as many leases as there may be

_LOOK = "SELECT next_at, asked_at, job, rival, rival_until FROM frontier_rests WHERE host = ?"
_BUSY = """
SELECT coalesce(sum(leased), 0) FROM frontier_hosts
WHERE name = ? AND leased > 0 AND (job = ? OR busy_until > ?)
"""
_QUEUE_UP = "UPDATE frontier_rests SET rival = ?, rival_until = ? WHERE host = ?"
_ASK = """
INSERT INTO frontier_rests (host, next_at, asked_at, job) VALUES (:host, :until, :now, :job)
ON CONFLICT DO UPDATE SET next_at = max(next_at, :until), asked_at = :now, job = :job, rival = nullif(rival, :job)
"""
_REST = """
INSERT INTO frontier_rests (host, next_at, asked_at, job) VALUES (:host, :until, :now, :job)
ON CONFLICT DO UPDATE SET next_at = max(next_at, :until), asked_at = max(asked_at, :now)
"""


def due_at(job: Job, now: float, host: str, gap_s: float) -> float | None:
    """Return None when the job may ask the host now; else when to look again."""
    if gap_s <= 0:
        return None
    row = job.connection.execute(_LOOK, (host,)).fetchone()
    if row is None:
        return None
    next_at, asked_at, last, rival, rival_until = row
    if last != job.id:
        next_at = max(next_at, asked_at + gap_s)
    (busy,) = job.connection.execute(_BUSY, (host, job.id, now)).fetchone()
    if busy >= job.rules.host_concurrency:
        next_at = max(next_at, now + LOOK_AGAIN_S)
    waits = rival is not None and rival_until > now
    if waits and rival != job.id:
        next_at = max(next_at, min(rival_until, now + gap_s))
    if next_at <= now:
        return None
    if last != job.id and not waits:
        job.connection.execute(_QUEUE_UP, (job.id, next_at + GRACE_S, host))
    return float(next_at)


def ask(job: Job, now: float, host: str, gap_s: float) -> None:
    """Note that the job asks the host now."""
    if gap_s > 0:
        job.connection.execute(_ASK, {"host": host, "until": now + gap_s, "now": now, "job": job.id})


def rest(job: Job, now: float, host: str, rest_s: float) -> None:
    """Let the host rest from now, for all jobs."""
    if rest_s > 0:
        job.connection.execute(_REST, {"host": host, "until": now + rest_s, "now": now, "job": job.id})
