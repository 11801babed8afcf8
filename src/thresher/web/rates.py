"""How often somebody may ask: a bucket of requests for each, which fills again as time passes."""

import math
import time
from collections import OrderedDict
from collections.abc import Callable

from thresher.web.problems import Refused

MAX_KNOWN = 20_000  # buckets; those that were used longest ago go first


class Rates:
    """Lets each of many ask `burst` times at once, and `per_min` times a minute in the long run; 0: no limit."""

    def __init__(self, per_min: int, burst: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_s = per_min / 60
        self._burst = burst
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()  # what is left, and when

    def spend(self, who: str) -> None:
        """Take one request from somebody's bucket; raise Refused (429) when it is empty."""
        if not self._per_s:
            return
        now = self._clock()
        left, at = self._buckets.pop(who, (float(self._burst), now))
        left = min(left + (now - at) * self._per_s, self._burst)
        self._buckets[who] = (max(left - 1, 0.0) if left >= 1 else left, now)
        if len(self._buckets) > MAX_KNOWN:
            self._buckets.popitem(last=False)
        if left < 1:
            wait_s = math.ceil((1 - left) / self._per_s)
            words = f"too many requests; ask again in {wait_s} s"
            raise Refused(429, words, headers={"retry-after": str(wait_s)})
