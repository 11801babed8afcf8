"""The frontier's clock: it goes on from where it was, however the machine's clock is set, and over restarts."""

import sqlite3
import time
from collections.abc import Callable

from thresher.frontier.steps.job import Job

JUMP_S = 2.0  # by which the machine's clock may differ from the time that passed before it is taken to have been set
KEPT_EVERY_S = 1.0  # how often the time is written down

_LOOK = "SELECT last, ahead FROM frontier_clock WHERE id = 1"
_KEEP = "UPDATE frontier_clock SET last = ?, ahead = ? WHERE id = 1"
_BOUNDS = (
    "UPDATE frontier_hosts SET next_at = :most WHERE job = :job AND next_at > :most",
    "UPDATE frontier_links SET at = :most WHERE job = :job AND state = 'delayed' AND at > :most AND again = 0",
    "UPDATE frontier_links SET at = :again WHERE job = :job AND state = 'delayed' AND at > :again",
    "UPDATE frontier_links SET at = :most WHERE job = :job AND state = 'leased' AND at > :most",
    "UPDATE frontier_addresses SET next_at = min(next_at, :most), booked = min(booked, :most) WHERE job = :job",
    "UPDATE frontier_rests SET next_at = :most WHERE next_at > :most",
    "UPDATE frontier_rests SET asked_at = :now WHERE asked_at > :now",
    "UPDATE frontier_address_rests SET next_at = :most WHERE next_at > :most",
)


class SteadyClock:
    """Reads the machine's clock and corrects it when it was set.

    While a process runs, a second clock that nobody sets tells how much time has passed. A process that begins has
    only the time that was written down last: it goes on from there when the machine's clock is behind.
    """

    def __init__(self, clock: Callable[[], float] = time.time, steady: Callable[[], float] | None = None) -> None:
        """`steady` only grows; a clock that is passed in alone is taken to do so."""
        self._clock = clock
        self._steady = steady or (time.monotonic if clock is time.time else clock)
        self._seen: tuple[float, float] | None = None  # the frontier's time, and the steady clock's

    def now(self, connection: sqlite3.Connection, *, keep: bool) -> float:
        """Return the frontier's time; `keep` writes it down for other processes (in a transaction that writes)."""
        last, ahead = connection.execute(_LOOK).fetchone()
        wall, steady = self._clock(), self._steady()
        now = wall + ahead
        if self._seen is not None:
            seen, steady_then = self._seen
            passed = seen + max(0.0, steady - steady_then)
            now = max(seen, passed if abs(now - passed) > JUMP_S else now)
        now = max(now, last)
        if keep and (now - last >= KEPT_EVERY_S or abs(now - wall - ahead) > 0.001):
            connection.execute(_KEEP, (now, now - wall))
        self._seen = now, steady
        return float(now)


def bound(job: Job, now: float) -> None:
    """Let nothing of a job be due later than the longest wait there is: its times may be those of a wrong clock."""
    terms = {"job": job.id, "now": now, "most": now + job.rules.longest_s, "again": now + job.rules.again_cap_s}
    for statement in _BOUNDS:
        job.connection.execute(statement, terms)
