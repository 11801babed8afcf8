"""Lease: give out links of hosts that are due, hosts in turn, within the page limit."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from thresher.frontier.steps import rests
from thresher.frontier.steps.addresses import book
from thresher.frontier.steps.job import LINK_COLUMNS, Job, to_link
from thresher.frontier.steps.reclaim import reap
from thresher.model import Lease

PAGES = 16  # of hosts looked at in one call, most of which turn out to be at a resting address
PROMOTED_AT_ONCE = 1000  # delayed links; bounds the time of one call, the next one goes on

PROMOTE = """
UPDATE frontier_links SET state = 'pending', at = NULL WHERE id IN (
    SELECT id FROM frontier_links WHERE job = ? AND state = 'delayed' AND at <= ? ORDER BY at LIMIT ?
) RETURNING lane, suspect
"""
WAIT = "UPDATE frontier_hosts SET waiting = waiting + 1 WHERE id = ?"
_LANE = "id, name, asked_s, pace_s, waiting, leased, address, booked"
_FREE = "waiting > 0 AND paused = 0 AND next_at <= :now AND (leased < :concurrency OR id = :replays)"
_DUE = f"{_FREE} ORDER BY next_at LIMIT :count OFFSET :chosen"
DUE_LANES = f"SELECT {_LANE} FROM frontier_hosts WHERE job = :job AND boosted = :boosted AND {_DUE}"
PLACED_LANES = f"""
WITH placed (id) AS (
    SELECT :replays UNION SELECT lane FROM frontier_links
    WHERE job = :job AND state = 'pending' AND suspect = 0 AND reserved = 1 AND replay = 0
)
SELECT {_LANE} FROM placed CROSS JOIN frontier_hosts USING (id) WHERE {_DUE}
"""
_TICKET = f"token, attempts, lost, reserved, suspect, {LINK_COLUMNS}"
WAITING = f"""
SELECT id, {_TICKET} FROM frontier_links WHERE lane = ? AND state = 'pending' AND suspect = 0
ORDER BY priority DESC, id LIMIT ?
"""
PLACED = f"""
SELECT id, {_TICKET} FROM frontier_links
WHERE job = ? AND lane = ? AND state = 'pending' AND suspect = 0 AND reserved = 1 AND replay = 0
ORDER BY priority DESC, id LIMIT ?
"""
SUSPECT = f"""
SELECT lane, name, asked_s, pace_s, address, booked, link.id, {_TICKET}
FROM frontier_links AS link JOIN frontier_hosts AS host ON host.id = lane
WHERE link.job = :job AND suspect = 1 AND state = 'pending' AND next_at <= :now
    AND host.paused = 0 AND (host.leased < :concurrency OR lane = :replays) AND (reserved OR replay OR :places)
ORDER BY next_at LIMIT 1
"""
HOLDS_SUSPECT = "SELECT 1 FROM frontier_links WHERE job = ? AND suspect = 1 AND state = 'leased' AND worker = ?"
HOLDS_ANY = "SELECT 1 FROM frontier_links WHERE job = ? AND state = 'leased' AND at > 0 AND worker = ? LIMIT 1"
GRANT = """
UPDATE frontier_links SET state = 'leased', at = ?, worker = ?, token = token + 1, reserved = reserved OR NOT replay
WHERE id = ?
"""
CHARGE = """
UPDATE frontier_hosts SET next_at = ?, booked = 0, waiting = waiting - ?, leased = leased + ?, busy_until = ?
WHERE id = ?
"""


@dataclass(slots=True)
class _Lane:
    """A host that is due, or the lane of replays."""

    id: int
    name: str
    delay_s: float
    address: str | None
    has_turn: bool  # booked at the address
    capacity: int  # links it may give in this call


_Ticket = Sequence[Any]  # the row of a link that waits: its id, then _TICKET
_Turn = tuple[_Lane, list[_Ticket]]


def lease(job: Job, now: float, worker: str, count: int) -> list[Lease]:
    """Give out up to `count` links that are due, hosts in turn; a suspect comes alone, when nothing else is due."""
    reap(job, now)
    _promote(job, now)
    if count < 1 or job.is_paused() or job.connection.execute(HOLDS_SUSPECT, (job.id, worker)).fetchone():
        return []
    places = job.places_left()
    turns = _choose(job, now, count, places) or _choose_suspect(job, now, worker, places)
    expires_at = now + job.rules.lease_s
    _grant(job, now, turns, (expires_at, worker))
    return [
        Lease(to_link(columns), token + 1, worker, expires_at, attempts, lost)
        for _, tickets in turns
        for _, token, attempts, lost, _, _, *columns in tickets
    ]


def _promote(job: Job, now: float) -> None:
    promoted = job.connection.execute(PROMOTE, (job.id, now, PROMOTED_AT_ONCE)).fetchall()
    job.connection.executemany(WAIT, [(lane,) for lane, suspect in promoted if not suspect])


def _choose(job: Job, now: float, count: int, places: int | None) -> list[_Turn]:
    """Return links in turn; once the limit is used up, only replays and links that hold a place already."""
    spent = places == 0
    lanes = list(islice(_due_lanes(job, now, count, spent=spent), count))
    turns = []
    for lane, share in _deal(lanes, count):
        if spent and lane.id != job.replays:
            tickets = job.connection.execute(PLACED, (job.id, lane.id, share)).fetchall()
        else:
            tickets = job.connection.execute(WAITING, (lane.id, share)).fetchall()
        if places is not None and lane.id != job.replays:
            tickets, places = _keep_to_limit(tickets, places)
        if tickets:
            turns.append((lane, tickets))
    return turns


def _due_lanes(job: Job, now: float, count: int, *, spent: bool) -> Iterator[_Lane]:
    """Yield hosts that are due, boosted ones first; one whose address rests books its turn there."""
    for query, boosted in ((PLACED_LANES, 0),) if spent else ((DUE_LANES, 1), (DUE_LANES, 0)):
        chosen = 0
        for _ in range(PAGES):
            terms = {**_terms(job, now), "count": count, "chosen": chosen, "boosted": boosted}
            rows = job.connection.execute(query, terms).fetchall()
            for row in rows:
                lane = _lane(job, *row)
                if _may_ask(job, now, lane):
                    chosen += 1
                    yield lane
            if len(rows) < count:
                break


def _may_ask(job: Job, now: float, lane: _Lane) -> bool:
    """Say whether a host may be asked now, which its address then knows; one that may not comes again later."""
    later = rests.due_at(job, now, lane.name, lane.delay_s)
    if later is not None:
        job.connection.execute("UPDATE frontier_hosts SET next_at = ? WHERE id = ?", (later, lane.id))
        return False
    slot = book(job, now, lane.address, has_turn=lane.has_turn)
    if slot is not None:
        job.connection.execute("UPDATE frontier_hosts SET next_at = ?, booked = 1 WHERE id = ?", (slot, lane.id))
    return slot is None


def _keep_to_limit(tickets: list[_Ticket], places: int) -> tuple[list[_Ticket], int]:
    """Return the links that hold a place or find one, and the places left."""
    kept = []
    for ticket in tickets:
        reserved = ticket[4]
        if reserved or places:
            kept.append(ticket)
            places -= not reserved
    return kept, places


def _choose_suspect(job: Job, now: float, worker: str, places: int | None) -> list[_Turn]:
    """Return one suspect, if any is due and the worker holds nothing that would be lost with it."""
    row = job.connection.execute(SUSPECT, {**_terms(job, now), "places": places != 0}).fetchone()
    if row is None or job.connection.execute(HOLDS_ANY, (job.id, worker)).fetchone():
        return []
    id_, name, asked_s, pace_s, address, booked, *ticket = row
    lane = _lane(job, id_, name, asked_s, pace_s, 1, 0, address, booked)
    return [(lane, [ticket])] if _may_ask(job, now, lane) else []


def _grant(job: Job, now: float, turns: Sequence[_Turn], terms: tuple[float, str]) -> None:
    """Mark the links as leased on these terms (until when, to whom), and charge their hosts the delay."""
    job.connection.executemany(GRANT, [(*terms, ticket[0]) for _, tickets in turns for ticket in tickets])
    charges = []
    for lane, tickets in turns:
        queued = sum(not suspect for _, _, _, _, _, suspect, *_ in tickets)
        charges.append((now + lane.delay_s, queued, len(tickets), terms[0], lane.id))
        rests.ask(job, now, lane.name, lane.delay_s)
    job.connection.executemany(CHARGE, charges)


def _terms(job: Job, now: float) -> dict[str, float]:
    return {"job": job.id, "now": now, "concurrency": job.rules.host_concurrency, "replays": job.replays}


def _lane(job: Job, *row: Any) -> _Lane:
    id_, name, asked_s, pace_s, waiting, leased, address, booked = row
    if id_ == job.replays:
        return _Lane(id_, name, 0.0, None, False, waiting)
    delay_s = job.rules.gap_s(asked_s, pace_s)
    # After one link the host rests, unless it need not rest at all.
    capacity = 1 if delay_s > 0 else min(waiting, job.rules.host_concurrency - leased)
    return _Lane(id_, name, delay_s, address, bool(booked), capacity)


def _deal(lanes: Sequence[_Lane], count: int) -> Iterator[tuple[_Lane, int]]:
    """Share `count` among lanes, one each in turn until all is dealt or the lanes can give no more."""
    shares = [0] * len(lanes)
    left = min(count, sum(lane.capacity for lane in lanes))
    while left:
        for turn, lane in enumerate(lanes):
            if left and shares[turn] < lane.capacity:
                shares[turn] += 1
                left -= 1
    return ((lane, share) for lane, share in zip(lanes, shares, strict=True) if share)
