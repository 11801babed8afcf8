"""Release and reap: leases that end without a settle."""

from collections.abc import Collection

from thresher.frontier.contract import State
from thresher.frontier.steps import addresses, rests
from thresher.frontier.steps.job import Job

LOST = "lost-leases"  # the reason of a link buried for them

_HELD = """
SELECT link.id, lane, lost, asked_s, worker, pace_s, address, name
FROM frontier_links AS link JOIN frontier_hosts AS host ON host.id = lane
WHERE link.job = ? AND state = 'leased' AND
"""
EXPIRED = f"{_HELD} at <= ?"
HELD = f"{_HELD} at > ?"
GIVE_BACK = """
UPDATE frontier_links
SET state = ?, at = ?, lost = ?, suspect = ?, reason = coalesce(?, reason), reserved = reserved AND (replay OR ?),
    worker = NULL, stale = 0
WHERE id = ?
"""
REST = """
UPDATE frontier_hosts SET next_at = max(next_at, ?), waiting = waiting + ?, leased = leased - 1 WHERE id = ?
"""

# link, lane, lost, asked_s, worker, pace_s, address, name of the host
_Held = tuple[int, int, int, float, str, float, str | None, str]


def release(job: Job, now: float, worker: str) -> int:
    """Give back all leases of a worker that stops in good order; answer how many."""
    held = [row for row in job.connection.execute(HELD, (job.id, 0)) if row[4] == worker]
    for row in held:
        was_alone = row[2] >= job.rules.suspect_after  # nothing else can have stopped its worker
        _give_back(job, now, row, lost=int(was_alone))
    return len(held)


def reap(job: Job, now: float, dead_workers: Collection[str] = ()) -> int:
    """Take back expired leases and those of dead workers, as lost; answer how many."""
    held = job.connection.execute(EXPIRED, (job.id, now)).fetchall()
    if dead_workers:
        held += [row for row in job.connection.execute(HELD, (job.id, now)) if row[4] in dead_workers]
    for row in held:
        _give_back(job, now, row, lost=1)
    return len(held)


def _give_back(job: Job, now: float, held: _Held, *, lost: int) -> None:
    link, lane, lost_before, asked_s, _, pace_s, address, host = held
    losses = lost_before + lost
    suspect = losses >= job.rules.suspect_after
    buried = lost and losses > job.rules.max_lost
    if buried:
        job.connection.execute(GIVE_BACK, (State.DEAD.value, now, losses, suspect, LOST, False, link))
    else:
        job.connection.execute(GIVE_BACK, (State.PENDING.value, None, losses, suspect, None, True, link))
    # The request may have been under way until now.
    is_replay = lane == job.replays
    rest_s = 0.0 if is_replay else job.rules.gap_s(asked_s, pace_s)
    rested_at = 0.0 if is_replay else now + rest_s
    rests.rest(job, now, host, rest_s)
    addresses.rest(job, now, address)
    job.connection.execute(REST, (rested_at, not (buried or suspect), lane))
