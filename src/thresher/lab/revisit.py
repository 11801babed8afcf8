"""A simulated month of sources whose times of publication are known, asked by several rules: what each rule costs.

Time is passed in, and nobody sleeps. Each source publishes at times drawn from a seeded generator, and its feed holds
the last so many entries: what is pushed out before somebody asks is missed. A rule only sees what a feed reader would
see: the entries, and the dates they carry.
"""

import random
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import median, quantiles
from typing import Protocol

from thresher.model.source import ADAPTIVE
from thresher.watching.schedule import DAY_S, HOUR_S, Bounds, Rhythm, Told, Visit, interval_s, learned

START = 1_790_000_000.0 // (7 * DAY_S) * (7 * DAY_S)  # a Thursday at midnight, as 1970 began
MONTH_S = 30 * DAY_S
BEFORE_S = 60 * DAY_S  # of publishing before anybody asks
AFTER_S = 2 * DAY_S  # for the last entries of the month to be found
CAPACITIES = (10, 10, 15, 20, 25, 30, 50)  # entries that feeds hold
SHARES = {"daily": 0.35, "bursty": 0.25, "weekly": 0.2, "dead": 0.1, "moved": 0.1}


@dataclass(frozen=True, slots=True)
class Published:
    """One source: when it publishes, how much its feed holds, and when that moves to another address, if it does."""

    kind: str
    times: tuple[float, ...]
    capacity: int
    moves_at: float | None = None


class Rule(Protocol):
    """Says how long to wait after a round; one object for each source."""

    def __call__(self, at: float, entries: Sequence[float], new: Sequence[float]) -> float:
        """Return the seconds until the next round, from the times of the entries listed, and of the new ones."""


@dataclass(slots=True)
class Outcome:
    """What one rule made of a month."""

    requests: int = 0
    published: int = 0
    delays: list[float] = field(default_factory=list)  # of the entries that were caught

    @property
    def caught(self) -> float:
        """The share of entries that were caught."""
        return len(self.delays) / self.published if self.published else 1.0

    @property
    def median_s(self) -> float:
        """The median delay from publication to the round that brought it."""
        return median(self.delays) if self.delays else 0.0

    @property
    def p95_s(self) -> float:
        """The delay that 95 of 100 entries do not exceed."""
        return quantiles(self.delays, n=20)[-1] if len(self.delays) > 1 else self.median_s


class _Lately:
    """Counts the entries of the last days that were ever listed."""

    def __init__(self, days_s: float) -> None:
        self._days_s, self._times = days_s, list[float]()

    def count(self, at: float, entries: Sequence[float]) -> int:
        """Add what a list shows now; return how many entries are no older."""
        last = self._times[-1] if self._times else 0.0
        self._times += entries[bisect_right(entries, last) :]
        return len(self._times) - bisect_right(self._times, at - self._days_s)


def adaptive(bounds: Bounds | None = None, *, dated: bool = True) -> Rule:
    """The product's own rule; without `dated`, entries do not say when they were published (a listing page)."""
    limits, rhythm, begun = bounds or Bounds(), Rhythm(), False

    def rule(at: float, entries: Sequence[float], new: Sequence[float]) -> float:
        nonlocal rhythm, begun
        seen = tuple(new if begun else entries) if dated else ()
        visit = Visit(at, len(entries), len(new) if begun else len(entries), seen)
        rhythm, begun = learned(rhythm, visit), True
        return interval_s(ADAPTIVE, rhythm, visit, Told(), limits)

    return rule


def fixed(every_s: float) -> Rule:
    """Ask at equal distances."""
    return lambda at, entries, new: every_s


def halving() -> Rule:
    """Half the interval after a round that brought something, twice after one that did not; 5 min to 24 h."""
    every_s = HOUR_S

    def rule(at: float, entries: Sequence[float], new: Sequence[float]) -> float:
        nonlocal every_s
        every_s = max(every_s / 2, 300.0) if new else min(every_s * 2, DAY_S)
        return every_s

    return rule


def miniflux() -> Rule:
    """Miniflux's `entry_frequency` scheduler at its defaults: a week over the entries of the last week, 5 min to 24 h.

    https://github.com/miniflux/v2, internal/model/feed.go, ScheduleNextCheck. Its poll loop, which by default looks
    only once an hour which feeds are due, is left out.
    """
    known = _Lately(7 * DAY_S)

    def rule(at: float, entries: Sequence[float], new: Sequence[float]) -> float:
        count = known.count(at, entries)
        return min(max(7 * DAY_S / count, 300.0), DAY_S) if count else DAY_S

    return rule


def newsblur(seed: int) -> Rule:
    """NewsBlur's rule for a feed with some subscribers: by stories in the last month, with a random quarter on top.

    https://github.com/samuelclay/NewsBlur, apps/rss_feeds/models.py, get_next_scheduled_update and
    set_next_scheduled_update: 15 min from one story a day on, else up to an hour; none in a month: 6 h.
    """
    known, dice = _Lately(30 * DAY_S), random.Random(seed)

    def rule(at: float, entries: Sequence[float], new: Sequence[float]) -> float:
        per_day = known.count(at, entries) / 30
        minutes = 15.0 if per_day >= 1 else max(1.0, 60 - 60 * per_day) if per_day else 360.0
        return 60 * (minutes + dice.uniform(0, minutes) / 4)

    return rule


RULES: dict[str, Callable[[int], Rule]] = {
    "every 15 minutes": lambda seed: fixed(900.0),
    "every hour": lambda seed: fixed(HOUR_S),
    "halve and double": lambda seed: halving(),
    "Miniflux (entry frequency)": lambda seed: miniflux(),
    "NewsBlur (several subscribers)": newsblur,
    "adaptive": lambda seed: adaptive(),
    "adaptive, entries without dates": lambda seed: adaptive(dated=False),
}


def sources(count: int, seed: int) -> list[Published]:
    """Draw sources: as many of each kind as SHARES says."""
    dice = random.Random(seed)
    kinds = [kind for kind, share in SHARES.items() for _ in range(round(share * count))]
    return [_source(kind, dice) for kind in kinds]


def follow(source: Published, rule: Rule, dice: random.Random) -> Outcome:
    """Ask one source for a month by a rule, beginning at a random time of its first quarter of an hour."""
    outcome, times = Outcome(), source.times
    month_end, end = START + MONTH_S, START + MONTH_S + AFTER_S
    outcome.published = bisect_right(times, month_end) - bisect_right(times, START)
    at, seen, moved = START + dice.uniform(0, 900), bisect_right(times, START), False
    while at <= end:
        outcome.requests += at <= month_end
        if source.moves_at and at >= source.moves_at and not moved:  # a permanent redirect, which everybody remembers
            outcome.requests += at <= month_end
            moved = True
        out = bisect_right(times, at)
        begin = max(0, out - source.capacity)
        new = times[max(begin, seen) : out]
        outcome.delays += [at - time for time in new if START < time <= month_end]
        seen = out
        at += rule(at, times[begin:out], new)
    return outcome


def month(rule: Callable[[int], Rule], published: Sequence[Published], seed: int) -> dict[str, Outcome]:
    """Follow all sources by a rule; return what came of it by kind of source, and of "all"."""
    total: dict[str, Outcome] = {"all": Outcome()}
    for number, source in enumerate(published):
        one = follow(source, rule(number), random.Random(seed * 1_000_003 + number))
        for name in ("all", source.kind):
            into = total.setdefault(name, Outcome())
            into.requests += one.requests
            into.published += one.published
            into.delays += one.delays
    return total


def _source(kind: str, dice: random.Random) -> Published:
    make = {"daily": _daily, "moved": _daily, "bursty": _bursty, "weekly": _weekly, "dead": _dead}[kind]
    times = tuple(sorted(make(dice)))
    moves_at = START + dice.uniform(0.2, 0.8) * MONTH_S if kind == "moved" else None
    return Published(kind, times, dice.choice(CAPACITIES), moves_at)


def _daily(dice: random.Random) -> list[float]:
    """Office hours in some time zone, few entries at night and at weekends; from less than one a day to about 100."""
    per_day = min(100.0, dice.lognormvariate(2.0, 1.0))
    zone_s = dice.randint(-8, 9) * HOUR_S
    opens, closes = dice.uniform(6, 10), dice.uniform(16, 22)
    weekend, night = dice.uniform(0.1, 0.6), dice.uniform(0.0, 0.15)
    times = []
    for time in _poisson(dice, per_day / (closes - opens) / HOUR_S):
        local = time + zone_s
        share = 1.0 if opens <= local % DAY_S / HOUR_S < closes else night
        if (local // DAY_S + 3) % 7 >= 5:
            share *= weekend
        if dice.random() < share:
            times.append(time)
    return times


def _bursty(dice: random.Random) -> list[float]:
    """Hardly anything for days, then several entries within hours."""
    times = list(_poisson(dice, dice.uniform(0.05, 0.5) / DAY_S))
    for begin in _poisson(dice, dice.uniform(1, 5) / (7 * DAY_S)):
        length_s = dice.uniform(0.5, 4) * HOUR_S
        size = min(40, 2 + int(dice.expovariate(1 / 8)))
        times += [begin + dice.uniform(0, length_s) for _ in range(size)]
    return times


def _weekly(dice: random.Random) -> list[float]:
    """One to three entries a week, on the same days at about the same time; now and then one is left out."""
    slots = [dice.uniform(0, 7 * DAY_S) for _ in range(dice.randint(1, 3))]
    first = START - BEFORE_S // (7 * DAY_S) * (7 * DAY_S)
    weeks = int((BEFORE_S + MONTH_S + AFTER_S) // (7 * DAY_S)) + 1
    return [
        first + week * 7 * DAY_S + slot + dice.gauss(0, 0.5 * HOUR_S)
        for week in range(weeks)
        for slot in slots
        if dice.random() < 0.9
    ]


def _dead(dice: random.Random) -> list[float]:
    return [START - dice.uniform(40, 60) * DAY_S for _ in range(30)]


def _poisson(dice: random.Random, per_s: float) -> list[float]:
    times: list[float] = []
    time = START - BEFORE_S
    while True:
        time += dice.expovariate(per_s)
        if time > START + MONTH_S + AFTER_S:
            return times
        times.append(time)
