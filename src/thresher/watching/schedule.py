"""Schedule: when an endpoint is asked again, from what its earlier rounds brought. Pure: times are passed in.

Idea. New entries come as a Poisson process whose rate follows the hour of the day and the day of the week (a feed's
"posting pattern": K. C. Sia, J. Cho, H.-K. Cho, "Efficient monitoring algorithm for fast news alerts", IEEE TKDE 19(7),
2007). The rates are estimated as Bayes has it, with a Gamma prior: what few rounds have shown is drawn towards the
usual, and what many have shown stands. A second, quick estimate follows what happens right now: a burst is asked for
sooner, a pause later. An endpoint is asked again when the waiting of the entries that are expected to be there adds up
to PRICE_S: for a constant rate r that is after sqrt(2 PRICE_S / r), the allocation that makes the total delay of all
entries least for a number of requests.

Where it differs: old rounds fade, so that a source may change its habits; and an interval is never so long that a burst
such as were seen before would push entries out of a list that holds few of them.

Where it fails: entries of a source that never published at such a time wait for up to the longest interval.
"""

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from thresher.model.source import ADAPTIVE, every_s, next_by_cron

HOUR_S = 3_600.0
DAY_S = 86_400.0
# Set with `thresher bench revisit --seed 1`; docs/benchmarks.md has the figures for other seeds.
PRICE_S = 110.0  # of waiting, summed over entries, that is worth one request
FADING_S = 14 * DAY_S  # after which a round counts half
USUAL_PER_HOUR = 0.1  # entries, before anything is known
USUAL_HOURS = 6.0  # of experience that this guess is worth
PROFILE_ENTRIES = 2.0  # that the guess is worth that every hour, and every day, is like the others
RECENT_S = 1.0 * HOUR_S  # that what happens right now is remembered
RECENT_HOURS = 0.5  # of experience that the profile is worth against it
ROOM = 0.5  # share of a list that a burst may fill before it is asked for again
PEAK_S = HOUR_S  # over which bursts are measured
FIRST_S = HOUR_S  # until the second round
FIRST_LOOK_S = 14 * DAY_S  # that the dates of the first round are looked at
ALL_NEW = 0.9  # share of new entries in a list from which on others may have been missed
MIN_LISTED = 3  # entries of a list that can tell so


@dataclass(frozen=True, slots=True)
class Bounds:
    """How often an endpoint may be asked, whatever it brings."""

    shortest_s: float = 300.0
    longest_s: float = DAY_S
    told_cap_s: float = (
        HOUR_S  # up to which Cache-Control and ttl are heeded; feeds often say a day, and publish hourly
    )


@dataclass(frozen=True, slots=True)
class Habits:
    """How sources are followed."""

    bounds: Bounds = field(default_factory=Bounds)
    checks_s: tuple[float, ...] = (HOUR_S, DAY_S, 7 * DAY_S)  # after which an article is looked at for edits
    recent_s: float = 30 * DAY_S  # an article that was older when it was found is not looked at again
    once: bool = False  # end when nothing is due any more
    speed: float = 1.0  # of the clock that schedules go by (see clock.py)
    called_away: Callable[[], bool] = lambda: False  # say whether there is something to do that goes first


@dataclass(frozen=True, slots=True)
class Told:
    """What a server or feed says itself about when to come back."""

    max_age_s: float = 0.0  # of Cache-Control
    ttl_s: float = 0.0  # of RSS
    retry_after_s: float = 0.0
    skip_hours: frozenset[int] = frozenset()  # of the day, in UTC
    skip_days: frozenset[int] = frozenset()  # Monday is 0


@dataclass(frozen=True, slots=True)
class Visit:
    """One round, as the schedule sees it."""

    at: float  # seconds since 1970
    found: int = 0  # entries listed
    new: int = 0  # of them, unknown before
    times: tuple[float, ...] = ()  # when new ones were published, as far as they say
    failures: int = 0  # in a row, this one included; 0: it did not fail


@dataclass(frozen=True, slots=True)
class Rhythm:
    """What is remembered of an endpoint: entries and hours of experience, by hour of the day and day of the week."""

    at: float = 0.0  # of the last round that did not fail; 0: there was none
    hours: tuple[float, ...] = (0.0,) * 24
    hour_spans: tuple[float, ...] = (0.0,) * 24
    days: tuple[float, ...] = (0.0,) * 7
    day_spans: tuple[float, ...] = (0.0,) * 7
    recent: float = 0.0
    recent_span: float = 0.0
    peak: float = 0.0  # the most entries within PEAK_S
    listed: float = 0.0  # entries that the endpoint shows
    hurry_s: float = 0.0  # others may have been missed: come within so long; 0: no need

    def to_text(self) -> str:
        """Return it as short JSON; empty for nothing."""
        if not self.at:
            return ""
        rows = [self.hours, self.hour_spans, self.days, self.day_spans]
        short = [[round(value, 3) for value in row] for row in rows]
        return json.dumps([self.at, *short, self.recent, self.recent_span, self.peak, self.listed, self.hurry_s])

    @classmethod
    def from_text(cls, text: str) -> "Rhythm":
        """Return what `to_text` wrote; nothing is remembered of a text that it did not write."""
        try:
            at, *rows, recent, recent_span, peak, listed, hurry_s = json.loads(text)
            hours, hour_spans, days, day_spans = (tuple(map(float, row)) for row in rows)
            if [len(row) for row in (hours, hour_spans, days, day_spans)] != [24, 24, 7, 7]:
                return cls()
            return cls(at, hours, hour_spans, days, day_spans, recent, recent_span, peak, listed, hurry_s)
        except (ValueError, TypeError):
            return cls()


def learned(rhythm: Rhythm, visit: Visit) -> Rhythm:
    """Return the rhythm with what one round showed; one that failed shows nothing."""
    if visit.failures or visit.at < rhythm.at:
        return rhythm
    is_first = not rhythm.at
    times = sorted(min(time, visit.at) for time in visit.times)
    begin = _first_look(visit, times) if is_first else rhythm.at
    known = [time for time in times if time > begin]
    unknown = 0 if is_first else max(0, visit.new - len(known))
    faded = _faded(rhythm, visit.at)
    spread = _spread(begin, visit.at)
    grown = _with_experience(faded, spread, known, unknown)
    span_s = visit.at - begin
    all_new = not is_first and visit.found >= MIN_LISTED and visit.new >= ALL_NEW * visit.found
    return replace(
        _with_recent(grown, visit, span_s, known, unknown),
        at=visit.at,
        listed=float(visit.found or rhythm.listed),
        peak=max(faded.peak, _peak(known, unknown, span_s)),
        hurry_s=span_s / 4 if all_new else 0.0,
    )


def interval_s(frequency: str, rhythm: Rhythm, visit: Visit, told: Told, bounds: Bounds) -> float:
    """Return how long to wait after a round; `rhythm` knows of it already.

    A fixed interval or a cron line is kept to, unless the server asks for a pause.
    """
    if frequency == ADAPTIVE:
        wait_s = _adaptive_s(rhythm, visit, told, bounds)
    else:
        moment = datetime.fromtimestamp(visit.at, UTC)
        wait_s = every_s(frequency) or (next_by_cron(frequency, moment) - moment).total_seconds()
    return max(wait_s, told.retry_after_s)


def _adaptive_s(rhythm: Rhythm, visit: Visit, told: Told, bounds: Bounds) -> float:
    if visit.failures:
        wait_s = min(bounds.longest_s, FIRST_S * 2.0 ** (visit.failures - 1))
    else:
        wait_s = expected_s(rhythm, bounds.longest_s)
        if rhythm.hurry_s:
            wait_s = min(wait_s, rhythm.hurry_s)
    wait_s = max(wait_s, bounds.shortest_s, min(max(told.max_age_s, told.ttl_s), bounds.told_cap_s))
    return min(_outside(visit.at + wait_s, told) - visit.at, max(bounds.longest_s, wait_s))


def expected_s(rhythm: Rhythm, longest_s: float) -> float:
    """Return after how long the entries expected by then have waited for PRICE_S together, or fill their list."""
    profile = _Profile(rhythm)
    room = max(1.0, ROOM * rhythm.listed)
    most_s = longest_s
    if rhythm.peak > room:  # a burst as the largest one that was seen has to find room
        most_s = min(longest_s, PEAK_S * room / rhythm.peak)
    waited_s = entries = passed_s = 0.0
    while passed_s < most_s:
        step_s = min(HOUR_S - (rhythm.at + passed_s) % HOUR_S, most_s - passed_s)
        rate = profile.rate(rhythm.at + passed_s + step_s / 2) / HOUR_S
        missing_s = PRICE_S - waited_s
        until_s = (-entries + math.sqrt(entries * entries + 2 * rate * missing_s)) / rate
        filled_s = (room - entries) / rate
        if min(until_s, filled_s) <= step_s:
            return passed_s + max(0.0, min(until_s, filled_s))
        waited_s += entries * step_s + rate * step_s * step_s / 2
        entries += rate * step_s
        passed_s += step_s
    return most_s


class _Profile:
    """The rates that a rhythm promises, in entries an hour."""

    def __init__(self, rhythm: Rhythm) -> None:
        self._at = rhythm.at
        total, span = sum(rhythm.hours), sum(rhythm.hour_spans)
        self._mean = (USUAL_PER_HOUR * USUAL_HOURS + total) / (USUAL_HOURS + span)
        self._hours = self._factors(rhythm.hours, rhythm.hour_spans)
        self._days = self._factors(rhythm.days, rhythm.day_spans)
        usual = self._usual(rhythm.at)
        now = (usual * RECENT_HOURS + rhythm.recent) / (RECENT_HOURS + rhythm.recent_span)
        self._excess = now - usual

    def rate(self, time: float) -> float:
        """Return the rate to expect at a later time; never nothing at all."""
        usual = self._usual(time)
        fading = math.exp(-(time - self._at) / RECENT_S)
        return max(usual + self._excess * fading, usual / 4, 1e-6)

    def _usual(self, time: float) -> float:
        hour, day = int(time // HOUR_S) % 24, int(time // DAY_S + 3) % 7  # 1970 began on a Thursday
        return self._mean * self._hours[hour] * self._days[day]

    def _factors(self, entries: Sequence[float], spans: Sequence[float]) -> list[float]:
        return [
            (PROFILE_ENTRIES + count) / (PROFILE_ENTRIES + self._mean * span)
            for count, span in zip(entries, spans, strict=True)
        ]


def _first_look(visit: Visit, times: Sequence[float]) -> float:
    """Return from when on the first round tells of everything: since its oldest entry, if that is not long ago."""
    if not times or len(times) < visit.new:
        return visit.at
    return max(times[0], visit.at - FIRST_LOOK_S)


def _faded(rhythm: Rhythm, at: float) -> Rhythm:
    if not rhythm.at:
        return rhythm
    share = 0.5 ** ((at - rhythm.at) / FADING_S)
    hours, hour_spans, days, day_spans = (
        tuple(value * share for value in row)
        for row in (rhythm.hours, rhythm.hour_spans, rhythm.days, rhythm.day_spans)
    )
    return replace(rhythm, hours=hours, hour_spans=hour_spans, days=days, day_spans=day_spans, peak=rhythm.peak * share)


def _spread(begin: float, end: float) -> list[tuple[int, int, float]]:
    """Return the hours of the day, days of the week and lengths in hours that a time consists of."""
    parts, time = [], begin
    while time < end:
        step_s = min(HOUR_S - time % HOUR_S, end - time)
        parts.append((int(time // HOUR_S) % 24, int(time // DAY_S + 3) % 7, step_s / HOUR_S))
        time += step_s
    return parts


def _with_experience(
    rhythm: Rhythm, spread: Sequence[tuple[int, int, float]], times: Sequence[float], undated: int
) -> Rhythm:
    """Add what came in a time; entries that do not say when are spread evenly over it."""
    hours, hour_spans = list(rhythm.hours), list(rhythm.hour_spans)
    days, day_spans = list(rhythm.days), list(rhythm.day_spans)
    whole = sum(length for _, _, length in spread) or 1.0
    for hour, day, length in spread:
        hour_spans[hour] += length
        day_spans[day] += length
        hours[hour] += undated * length / whole
        days[day] += undated * length / whole
    for time in times:
        hours[int(time // HOUR_S) % 24] += 1
        days[int(time // DAY_S + 3) % 7] += 1
    rows = tuple(map(tuple, (hours, hour_spans, days, day_spans)))
    return replace(rhythm, hours=rows[0], hour_spans=rows[1], days=rows[2], day_spans=rows[3])


def _with_recent(rhythm: Rhythm, visit: Visit, span_s: float, times: Sequence[float], undated: int) -> Rhythm:
    fading = math.exp(-span_s / RECENT_S)
    mean_weight = RECENT_S * (1 - fading) / span_s if span_s else 1.0
    fresh = sum(math.exp(-(visit.at - time) / RECENT_S) for time in times) + undated * mean_weight
    return replace(
        rhythm,
        recent=rhythm.recent * fading + fresh,
        recent_span=rhythm.recent_span * fading + RECENT_S / HOUR_S * (1 - fading),
    )


def _peak(times: Sequence[float], undated: int, span_s: float) -> float:
    """Return the most entries that came within PEAK_S."""
    most = undated / max(1.0, span_s / PEAK_S)
    begin = 0
    for end, time in enumerate(times):
        while time - times[begin] > PEAK_S:
            begin += 1
        most = max(most, float(end - begin + 1))
    return most


def _outside(time: float, told: Told) -> float:
    """Return the first time from then on that is in no hour or day that the feed asks to skip."""
    for _ in range(24 * 7):
        hour, day = int(time // HOUR_S) % 24, int(time // DAY_S + 3) % 7
        if hour not in told.skip_hours and day not in told.skip_days:
            return time
        time = (time // HOUR_S + 1) * HOUR_S
    return time
