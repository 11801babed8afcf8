"""Renew and settle: only the holder of the newest token is heard."""

from collections.abc import Sequence
from dataclasses import dataclass

from thresher import urls
from thresher.frontier.contract import Settlement, State
from thresher.frontier.steps import addresses, rests
from thresher.frontier.steps.job import Job
from thresher.model import Lease, Outcome

RENEW = """
UPDATE frontier_links SET at = ? WHERE job = ? AND key = ? AND state = 'leased' AND token = ? RETURNING lane
"""
STAY_BUSY = "UPDATE frontier_hosts SET busy_until = ? WHERE id = ?"
FIND = """
SELECT link.id, link.host, lane, attempts, reserved, replay, stale, asked_s, strain, pace_s, address, booked, name
FROM frontier_links AS link JOIN frontier_hosts AS host ON host.id = lane
WHERE link.job = ? AND key = ? AND state = 'leased' AND token = ?
"""
SETTLE = """
UPDATE frontier_links
SET state = ?, at = ?, attempts = ?, reserved = ?, reason = ?, worker = NULL, stale = 0, again = 0
WHERE id = ?
"""
FOLLOW_AGAIN = """
UPDATE frontier_links
SET state = 'pending', at = NULL, lane = ?, replay = 1, attempts = 0, lost = 0, suspect = 0, reserved = ?, reason = ?,
    worker = NULL, stale = 0
WHERE id = ?
"""
REST = """
UPDATE frontier_hosts
SET next_at = max(next_at, ?), asked_s = ?, strain = ?, pace_s = ?, address = ?, booked = ?, leased = leased - 1
WHERE id = ?
"""
ASK_AGAIN = """
UPDATE frontier_links
SET state = 'delayed', at = ?, lane = host, replay = 0, attempts = 0, lost = 0, suspect = 0, reserved = 0, reason = ?,
    worker = NULL, stale = 0, again = 1
WHERE id = ?
"""
WAIT = "UPDATE frontier_hosts SET waiting = waiting + 1 WHERE id = ?"
COUNT_SHAPE = """
INSERT INTO frontier_shapes (host, shape, barren, fruitful) VALUES (?, ?, ?, ?)
ON CONFLICT DO UPDATE SET barren = barren + excluded.barren, fruitful = fruitful + excluded.fruitful
RETURNING barren, fruitful
"""


@dataclass(slots=True)
class _Held:
    """A leased link and its host, as they are before the settle."""

    id: int
    host: int
    lane: int
    attempts: int
    reserved: int
    replay: int
    stale: int  # a shorter path was offered meanwhile
    asked_s: float
    strain: int
    pace_s: float
    address: str | None
    booked: int
    name: str  # of the host


def renew(job: Job, now: float, leases: Sequence[Lease]) -> list[bool]:
    """Extend leases; False for one that is no longer held under its token."""
    until = now + job.rules.lease_s
    lanes = [
        job.connection.execute(RENEW, (until, job.id, bytes.fromhex(lease.link.key), lease.token)).fetchone()
        for lease in leases
    ]
    job.connection.executemany(STAY_BUSY, [(until, *lane) for lane in lanes if lane])
    return [lane is not None for lane in lanes]


def settle(job: Job, now: float, settlements: Sequence[Settlement]) -> list[bool]:
    """End leases; False (and no effect) for one whose token is no longer valid."""
    return [_settle(job, now, settlement) for settlement in settlements]


def _settle(job: Job, now: float, end: Settlement) -> bool:
    terms = (job.id, bytes.fromhex(end.lease.link.key), end.lease.token)
    row = job.connection.execute(FIND, terms).fetchone()
    if row is None:
        return False
    held = _learned(job, end, _Held(*row))
    # A replay sends no request: what its link holds of the limit, it holds for the page fetched before.
    reserved = int(held.reserved and (end.fetched or held.replay))
    if end.outcome is Outcome.DONE and end.again_in_s is not None:
        wait_s = max(_within(end.again_in_s, job.rules.again_cap_s), job.rules.gap_s(held.asked_s, held.pace_s))
        job.connection.execute(ASK_AGAIN, (now + wait_s, end.reason, held.id))
    elif end.outcome is Outcome.DONE and held.stale:
        job.connection.execute(FOLLOW_AGAIN, (job.replays, reserved, end.reason, held.id))
        job.connection.execute(WAIT, (job.replays,))
    else:
        state, at, attempts = _next_state(job, now, end, held)
        job.connection.execute(SETTLE, (state.value, at, attempts, reserved, end.reason, held.id))
    _rest(job, now, end, held)
    looked_at = (end.fetched or end.unchanged) and not held.replay and end.again_in_s is None
    if end.outcome is not Outcome.RETRY and (looked_at or end.fruitful):
        _count_shape(job, end, held.host)
    return True


def _next_state(job: Job, now: float, end: Settlement, held: _Held) -> tuple[State, float | None, int]:
    """Return where the link goes, the time that matters there, and its attempts."""
    if end.outcome is Outcome.DONE:
        return State.DONE, None, held.attempts
    if end.outcome is Outcome.BURY:
        return State.DEAD, now, held.attempts
    attempts = held.attempts + end.counted
    if end.counted and attempts >= job.rules.max_attempts:
        return State.DEAD, now, attempts
    wait_s = _retry_after_s(job, end) or (job.backoff_s(attempts) if end.counted else 0.0)
    return State.DELAYED, now + max(wait_s, job.rules.gap_s(held.asked_s, held.pace_s)), attempts


def _learned(job: Job, end: Settlement, held: _Held) -> _Held:
    """Take over what was learned about the host; a replay asked none."""
    if held.replay:
        return held
    response_s = end.response_s if end.response_s is not None and end.response_s > 0 else held.pace_s
    held.pace_s = (held.pace_s + response_s) / 2 if held.pace_s else response_s
    if end.address and end.address != held.address:
        if held.booked:
            addresses.give_up_turn(job, held.address)
        held.address, held.booked = end.address, 0
    if end.crawl_delay_s is not None:
        held.asked_s = _within(end.crawl_delay_s, job.rules.crawl_delay_cap_s)
    return held


def _rest(job: Job, now: float, end: Settlement, held: _Held) -> None:
    """Let the host rest from now, for longer when it said that it is too busy; a replay has no host."""
    if held.replay:
        job.connection.execute(REST, (0.0, 0.0, 0, 0.0, None, 0, held.lane))
        return
    rest_s = max(job.rules.gap_s(held.asked_s, held.pace_s), _retry_after_s(job, end))
    strain = 0 if end.fetched or end.unchanged else held.strain
    if end.slow_host:
        strain = held.strain + 1
        rest_s = max(rest_s, min(job.backoff_s(strain), job.rules.rest_cap_s))
    learned = (held.asked_s, strain, held.pace_s, held.address, held.booked)
    job.connection.execute(REST, (now + rest_s, *learned, held.lane))
    rests.rest(job, now, held.name, rest_s)
    addresses.rest(job, now, held.address)


def _count_shape(job: Job, end: Settlement, host: int) -> None:
    """Count the page for its URL shape; a document speaks for the listing of its host that led to it, too."""
    link = end.lease.link
    shape = urls.shape_of(link.url)
    counted = job.connection.execute(COUNT_SHAPE, (host, shape, int(not end.fruitful), int(end.fruitful))).fetchone()
    if counted == (job.rules.barren_pages, 0):
        job.sprung.add((host, shape))
    if end.fruitful and link.found_on and urls.host_of(link.found_on) == link.host:
        job.connection.execute(COUNT_SHAPE, (host, urls.shape_of(link.found_on), 0, 1))


def _retry_after_s(job: Job, end: Settlement) -> float:
    return _within(end.retry_after_s, job.rules.retry_after_cap_s)


def _within(seconds: float | None, cap_s: float) -> float:
    """Return what a server asked for as a number to rely on: NaN and negative ones count as nothing."""
    return min(seconds, cap_s) if seconds is not None and seconds > 0 else 0.0
