"""Health: how a source fares against what is usual for it. Pure: histories and the time are passed in.

A source is silent when both hold: since its last new document, at least SILENT_DOCUMENTS would have come at its usual
rate for these hours of the week, and it has been quiet for longer than SILENT_GAPS times the longest gap of the last
HISTORY_WEEKS. The first spares sources that are quiet at night or at weekends, the second those that publish in bursts.
Only hours in which the source was asked with success count: what nobody asks cannot answer.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from thresher.catalog.contract import FAILED, HOUR_S, STORED, HourCount
from thresher.model import Endpoint, Judged, Source
from thresher.model.source import EndpointState

WEEK_H = 168
HISTORY_WEEKS = 8  # that tell what is usual
MIN_HISTORY_H = 14 * 24  # before that, nothing is usual yet
MIN_DOCUMENTS = 5
SILENT_DOCUMENTS = 3.0
SILENT_GAPS = 2.0
BARREN_DAYS = 14  # that a source is asked without one document
FAILING = 3  # rounds in a row
LATE_SHARE = 0.5  # of its interval that an endpoint may be late
LATE_S = 900.0  # and that it may be late anyhow
UNASKED_S = 86_400.0
RECENT = 20  # pages that tell whether extraction works
MIN_RECENT = 10
EMPTY_SHARE = 0.8  # of recent pages
EMPTY_BEFORE = 0.5  # at most, of those before
ALIKE_SHARE = 0.5  # of recent documents
MIN_ALIKE = 5
EMPTY_REASONS = frozenset({"other", "short-text", "unreadable", "not-html", "extract-timeout", "extract-crash"})


@dataclass(frozen=True, slots=True)
class Usual:
    """What is usual for a source: documents of each hour of the week, and the longest time without one."""

    rates: tuple[float, ...]  # WEEK_H of them; the first is that of Thursday, 00:00 UTC, as in 1970
    longest_gap_h: int
    documents: int  # in the history
    history_h: int

    @property
    def per_week(self) -> float:
        """Documents a week."""
        return sum(self.rates)

    def expected(self, start_h: int, end_h: int) -> float:
        """How many documents come between two hours, the first one excluded."""
        weeks, rest = divmod(max(end_h - start_h, 0), WEEK_H)
        return weeks * self.per_week + sum(self.rates[hour % WEEK_H] for hour in range(end_h - rest + 1, end_h + 1))


@dataclass(frozen=True, slots=True)
class Problem:
    """Something about a source that a person should look into."""

    kind: str  # silent, barren, late, unasked, failing, moved, gone, empty, alike
    detail: str


@dataclass(frozen=True, slots=True)
class Health:
    """How one source fares."""

    source: Source
    due: int  # endpoints that are to be asked now
    late: int  # of them, those that should have been asked long ago
    next_due: datetime | None  # of all endpoints; None: at once, or never (paused, no endpoint)
    last_new: datetime | None  # when the last new document came; its hour where no more is known
    last_week: int  # documents of the last seven days
    per_week: float | None  # usual; None while there is too little history
    errors: Mapping[str, int]  # failed rounds of the last seven days, by reason
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class History:
    """What the catalog knows of a source."""

    endpoints: Sequence[Endpoint] = ()
    hours: Sequence[HourCount] = ()
    judged: Sequence[Judged] = ()  # newest first


def examine(source: Source, history: History, now: datetime) -> Health:
    """Say how a source fares at a time."""
    active = [endpoint for endpoint in history.endpoints if endpoint.state is EndpointState.ACTIVE]
    asked = active if source.is_active else []
    late = [endpoint for endpoint in asked if _late_s(endpoint, now) > 0]
    week_ago = int((now - timedelta(days=7)).timestamp() // HOUR_S)
    stored = _by_hour(history.hours)
    usual = usual_of(stored)
    errors = Counter[str]()
    for count in history.hours:
        if count.state == FAILED and count.hour >= week_ago:
            errors[count.reason] += count.count
    dues = [endpoint.due for endpoint in asked]
    return Health(
        source=source,
        due=sum(due is None or due <= now for due in dues),
        late=len(late),
        next_due=min((due for due in dues if due), default=None) if None not in dues else None,
        last_new=_last_new(stored, history.judged),
        last_week=sum(count for hour, count in stored.items() if hour >= week_ago),
        per_week=usual.per_week if usual else None,
        errors=dict(errors.most_common()),
        problems=tuple(_problems(source, history, stored, now)),
    )


def usual_of(stored: Mapping[int, int]) -> Usual | None:
    """Return what is usual by documents per hour since 1970; None while there is too little history."""
    if not stored:
        return None
    last = max(stored)
    first = max(min(stored), last - HISTORY_WEEKS * WEEK_H + 1)
    hours = sorted(hour for hour in stored if hour >= first)
    documents = sum(stored[hour] for hour in hours)
    length = last - min(stored) + 1
    if length < MIN_HISTORY_H or documents < MIN_DOCUMENTS:
        return None
    weeks = (last - first + 1) / WEEK_H
    sums = [0.0] * WEEK_H
    for hour in hours:
        for near in (-1, 0, 1):  # a source that comes at nine comes at five to nine as well
            sums[(hour + near) % WEEK_H] += stored[hour] / 3
    gap = max((later - earlier for earlier, later in pairwise(hours)), default=WEEK_H)
    return Usual(tuple(total / weeks for total in sums), gap, documents, length)


def silence_of(stored: Mapping[int, int], asked_until: datetime) -> str:
    """Say why a source counts as silent, given when it was last asked with success; empty when it does not."""
    usual = usual_of(stored)
    if usual is None:
        return ""
    last, until = max(stored), int(asked_until.timestamp() // HOUR_S)
    quiet_h, expected = until - last, usual.expected(last, until)
    if expected < SILENT_DOCUMENTS or quiet_h <= SILENT_GAPS * usual.longest_gap_h:
        return ""
    return (
        f"no new document for {_span(quiet_h)}, where {expected:.0f} would be usual "
        f"({usual.per_week:.0f} a week; longest gap so far {_span(usual.longest_gap_h)})"
    )


def _problems(source: Source, history: History, stored: Mapping[int, int], now: datetime) -> list[Problem]:
    found = [Problem("moved", f"{e.url} moved to {e.moved_to}") for e in history.endpoints if e.moved_to]
    found += [Problem("gone", f"{e.url} is gone") for e in history.endpoints if e.state is EndpointState.GONE]
    if not source.is_active:
        return found
    active = [endpoint for endpoint in history.endpoints if endpoint.state is EndpointState.ACTIVE]
    failing = [endpoint for endpoint in active if endpoint.failures >= FAILING]
    found += [Problem("failing", f"{e.url} failed {e.failures} times in a row") for e in failing]
    late = [endpoint for endpoint in active if _late_s(endpoint, now) > 0]
    found += [Problem("late", f"{e.url} was due {_span(_late_h(e, now))} ago") for e in late]
    since = source.created_at or now
    if active and all(endpoint.last_asked is None for endpoint in active) and _age_s(since, now) > UNASKED_S:
        found.append(Problem("unasked", f"never asked since {since:%Y-%m-%d}; is `thresher watch` running?"))
    asked = max((e.last_asked for e in active if e.last_asked and not e.failures), default=None)
    if asked and (silence := silence_of(stored, asked)):
        found.append(Problem("silent", silence))
    if asked and not stored and asked - since > timedelta(days=BARREN_DAYS):
        found.append(Problem("barren", f"asked since {since:%Y-%m-%d} without one document"))
    return found + _extraction_problems(history.judged)


def _extraction_problems(judged: Sequence[Judged]) -> list[Problem]:
    recent, before = judged[:RECENT], judged[RECENT:]
    found = []
    if len(recent) >= MIN_RECENT:
        share, earlier = _empty_share(recent), _empty_share(before)
        turned = earlier <= EMPTY_BEFORE if len(before) >= MIN_RECENT else share == 1.0
        if share >= EMPTY_SHARE and turned:
            found.append(Problem("empty", f"{share:.0%} of the last {len(recent)} pages gave no text"))
    documents = [verdict for verdict in judged if verdict.stored][:RECENT]
    same = Counter(verdict.text_hash for verdict in documents if verdict.text_hash).most_common(1)
    if same and same[0][1] >= max(MIN_ALIKE, ALIKE_SHARE * len(documents)):
        found.append(Problem("alike", f"{same[0][1]} of the last {len(documents)} documents have the same text"))
    return found


def _empty_share(judged: Sequence[Judged]) -> float:
    empty = sum(not verdict.stored and verdict.reason in EMPTY_REASONS for verdict in judged)
    return empty / len(judged) if judged else 0.0


def _by_hour(hours: Sequence[HourCount]) -> dict[int, int]:
    stored = Counter[int]()
    for count in hours:
        if count.state == STORED:
            stored[count.hour] += count.count
    return dict(stored)


def _last_new(stored: Mapping[int, int], judged: Sequence[Judged]) -> datetime | None:
    """Return when the last new document came; the beginning of its hour where its verdict is not kept."""
    if not stored:
        return None
    hour = _moment(max(stored))
    return max((verdict.at for verdict in judged if verdict.stored and verdict.at >= hour), default=hour)


def _late_s(endpoint: Endpoint, now: datetime) -> float:
    """How much later than it may be an endpoint is; nothing or less when it is in time."""
    if endpoint.due is None or endpoint.interval_s is None:
        return 0.0
    return _age_s(endpoint.due, now) - max(LATE_SHARE * endpoint.interval_s, LATE_S)


def _late_h(endpoint: Endpoint, now: datetime) -> float:
    return _age_s(endpoint.due or now, now) / HOUR_S


def _age_s(then: datetime, now: datetime) -> float:
    return (now - then).total_seconds()


def _moment(hour: int) -> datetime:
    return datetime.fromtimestamp(hour * HOUR_S, UTC)


def _span(hours: float) -> str:
    if hours < 1:
        return f"{hours * 60:.0f} minutes"
    return f"{hours:.0f} hours" if hours < 48 else f"{hours / 24:.0f} days"
