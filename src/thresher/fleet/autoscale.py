"""Autoscale: how many workers there should be, from what could be fetched at this moment.

    work = hosts of which a link is due and nobody has it + links that workers hold
    wanted = work / links that one worker holds to keep its requests in flight, between `least` and `most`

A queue of a thousand links of one host is work for one worker, however long it is. The fleet grows at most twofold
and by `step` members at once, and no sooner than `rest_s` after it last changed. It shrinks by no more than `step`, and
only to the most that was wanted within the last `calm_s`: a short lull ends no worker.
"""

from collections import deque
from dataclasses import dataclass
from math import ceil

REST_S = 30.0
CALM_S = 300.0


@dataclass(frozen=True, slots=True)
class Bounds:
    """Within what the fleet may change."""

    least: int = 1
    most: int = 10
    per_worker: int = 16  # requests in flight
    step: int = 4
    rest_s: float = REST_S
    calm_s: float = CALM_S


class Autoscale:
    """Decides on the size of one fleet; time is passed in."""

    def __init__(self, bounds: Bounds) -> None:
        self._bounds = bounds
        self._wanted: deque[tuple[float, int]] = deque()
        self._changed_at: float | None = None

    def decide(self, now_s: float, current: int, work: int) -> int:
        """Return how many members there should be, given how many there are and how many links could be fetched."""
        bounds = self._bounds
        if not self._wanted:
            self._wanted.append((now_s, current))  # whoever chose that size may have had a reason
        wanted = min(max(ceil(work / bounds.per_worker), bounds.least), bounds.most)
        self._wanted.append((now_s, wanted))
        while self._wanted[0][0] < now_s - bounds.calm_s:
            self._wanted.popleft()
        if self._changed_at is not None and now_s - self._changed_at < bounds.rest_s:
            return current
        if wanted > current:
            decided = min(wanted, max(2 * current, 1), current + bounds.step)
        else:
            of_late = max(count for _, count in self._wanted)
            decided = max(min(of_late, current, bounds.most), current - bounds.step)
        if decided != current:
            self._changed_at = now_s
        return decided
