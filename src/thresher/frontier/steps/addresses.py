"""Addresses: hosts that share one wait for each other."""

from thresher.frontier.steps.job import Job

_REST = """
INSERT INTO frontier_addresses (job, address, next_at) VALUES (?, ?, ?)
ON CONFLICT DO UPDATE SET next_at = max(next_at, excluded.next_at)
"""
_ASK = """
UPDATE frontier_addresses SET turns = :turns, booked = max(booked, next_at + :turns * :gap_s)
WHERE job = :job AND address = :address
"""
_BOOK = "UPDATE frontier_addresses SET turns = turns + 1, booked = ? WHERE job = ? AND address = ?"
_GIVE_UP = "UPDATE frontier_addresses SET turns = max(0, turns - 1) WHERE job = ? AND address = ?"


def rest(job: Job, now: float, address: str | None) -> None:
    """Let an address rest from now."""
    if address and job.rules.address_gap_s > 0:
        job.connection.execute(_REST, (job.id, address, now + job.rules.address_gap_s))


def book(job: Job, now: float, address: str | None, *, has_turn: bool) -> float | None:
    """Return None when the address may be asked now, which is noted; else the time that is booked there instead.

    Others that have their turn go first; a host that comes in time and finds it resting still keeps its turn.
    """
    gap_s = job.rules.address_gap_s
    if not address or gap_s <= 0:
        return None
    query = "SELECT next_at, booked, turns FROM frontier_addresses WHERE job = ? AND address = ?"
    next_at, booked, turns = job.connection.execute(query, (job.id, address)).fetchone() or (0.0, 0.0, 0)
    if next_at <= now and (has_turn or booked <= now):
        rest(job, now, address)
        terms = {"job": job.id, "address": address, "turns": max(0, turns - has_turn), "gap_s": gap_s}
        job.connection.execute(_ASK, terms)
        return None
    if has_turn:
        return float(next_at)
    slot = max(next_at, booked)
    job.connection.execute(_BOOK, (slot + gap_s, job.id, address))
    return float(slot)


def give_up_turn(job: Job, address: str | None) -> None:
    """Note that a host that had booked an address has moved to another."""
    job.connection.execute(_GIVE_UP, (job.id, address))
