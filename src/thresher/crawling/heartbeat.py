"""Heart: tells the frontier every few seconds what a worker is doing, and hears from it what to do."""

import json
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from resource import RUSAGE_SELF, getpagesize, getrusage
from typing import Any

from thresher.crawling.landing import Landing
from thresher.frontier.overseer import Beat, Overseer

FRESH_S = 15.0  # a worker that was silent for longer is not called running
RATE_OVER_S = 60.0
MAX_URL_CHARS = 200
DRAIN, STOP, RECYCLE = "drain", "stop", "recycle"  # what a worker may be told


@dataclass(frozen=True, slots=True)
class Limits:
    """When a worker is to begin anew, so that what leaks, in it or in a library, never adds up."""

    pages: int | None = None
    memory_bytes: int | None = None


class Heart:
    """One worker's signs of life; `order` is what it was told, by somebody or by its limits, empty when nothing."""

    def __init__(
        self, overseer: Overseer, worker: str, limits: Limits, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.order = ""
        self._overseer, self._worker, self._limits, self._clock = overseer, worker, limits, clock
        self._pages = self._documents = 0
        self._last_url = ""
        self._began_at = clock()
        self._counts = deque([(self._began_at, 0)])

    def landed(self, landing: Landing) -> None:
        """Count one landing."""
        self._pages += landing.settlement.fetched
        self._documents += landing.document is not None and not landing.is_part
        self._last_url = landing.settlement.lease.link.url[:MAX_URL_CHARS]
        if self._limits.pages is not None and self._pages >= self._limits.pages:
            self.order = self.order or RECYCLE

    def beat(self, state: str, held: int) -> None:
        """Give a sign of life; call in the frontier's thread."""
        memory = memory_bytes()
        doing = {
            "state": state,
            "pages": self._pages,
            "documents": self._documents,
            "per_min": round(60 * self._per_s(), 1),
            "in_flight": held,
            "memory_bytes": memory,
            "up_s": round(self._clock() - self._began_at),
            "last_url": self._last_url,
        }
        told = self._overseer.beat(self._worker, json.dumps(doing, ensure_ascii=False))
        if self._limits.memory_bytes is not None and self._pages and memory >= self._limits.memory_bytes:
            told = told or RECYCLE  # not before it has done something: a limit that is too low must not stop the crawl
        self.order = told or self.order

    def retire(self) -> None:
        """Say that the worker leaves this job in good order, and hear the last order; call in the frontier's thread."""
        self.order = self._overseer.beat(self._worker, "{}") or self.order  # to a worker that goes on to another job
        self._overseer.retire(self._worker)

    def _per_s(self) -> float:
        now = self._clock()
        self._counts.append((now, self._pages))
        while len(self._counts) > 1 and self._counts[1][0] <= now - RATE_OVER_S:
            self._counts.popleft()
        since, pages = self._counts[0]
        return (self._pages - pages) / max(now - since, 1.0)


def is_fresh(beat: Beat) -> bool:
    """Say whether a worker was heard of just now."""
    return beat.age_s <= FRESH_S


def doing_of(beat: Beat) -> dict[str, Any]:
    """Return what a worker said it was doing; empty when it said so in other words."""
    try:
        said = json.loads(beat.doing)
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}


def memory_bytes() -> int:
    """Return the memory that this process takes now; where the system does not tell, the most that it took."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * getpagesize()
    except OSError:
        return getrusage(RUSAGE_SELF).ru_maxrss
