"""Addresses: hosts that share one wait for each other, those of other jobs, too; turns are booked within a job."""

from thresher.frontier.steps.job import Job

_REST = """
INSERT INTO frontier_addresses (job, address, next_at) VALUES (?, ?, ?)
ON CONFLICT DO UPDATE SET next_at = max(next_at, excluded.next_at)
"""
_REST_FOR_ALL = """
INSERT INTO frontier_address_rests (address, next_at) VALUES (?, ?)
ON CONFLICT DO UPDATE SET next_at = max(next_at, excluded.next_at)
"""
_LOOK = """
SELECT shared.next_at, coalesce(booked, 0), coalesce(turns, 0)
FROM frontier_address_rests AS shared
    LEFT JOIN frontier_addresses AS own ON own.job = ? AND own.address = shared.address
WHERE shared.address = ?
"""
_ASK = """
UPDATE frontier_addresses SET turns = :turns, booked = max(booked, next_at + :turns * :gap_s)
WHERE job = :job AND address = :address
"""
_BOOK = """
INSERT INTO frontier_addresses (job, address, next_at, booked, turns) VALUES (:job, :address, 0, :booked, 1)
ON CONFLICT DO UPDATE SET turns = turns + 1, booked = :booked
"""
_GIVE_UP = "UPDATE frontier_addresses SET turns = max(0, turns - 1) WHERE job = ? AND address = ?"


def rest(job: Job, now: float, address: str | None) -> None:
    """Let an address rest from now."""
    if address and job.rules.address_gap_s > 0:
        until = now + job.rules.address_gap_s
        job.connection.execute(_REST, (job.id, address, until))
        job.connection.execute(_REST_FOR_ALL, (address, until))


def book(job: Job, now: float, address: str | None, *, has_turn: bool) -> float | None:
    """Return None when the address may be asked now, which is noted; else the time that is booked there instead.

    Others that have their turn go first; a host that comes in time and finds it resting still keeps its turn.
    """
    gap_s = job.rules.address_gap_s
    if not address or gap_s <= 0:
        return None
    next_at, booked, turns = job.connection.execute(_LOOK, (job.id, address)).fetchone() or (0.0, 0.0, 0)
    if next_at <= now and (has_turn or booked <= now):
        rest(job, now, address)
        terms = {"job": job.id, "address": address, "turns": max(0, turns - has_turn), "gap_s": gap_s}
        job.connection.execute(_ASK, terms)
        return None
    if has_turn:
        return float(next_at)
    slot = max(next_at, booked)
    job.connection.execute(_BOOK, {"job": job.id, "address": address, "booked": slot + gap_s})
    return float(slot)


def give_up_turn(job: Job, address: str | None) -> None:
    """Note that a host that had booked an address has moved to another."""
    job.connection.execute(_GIVE_UP, (job.id, address))
