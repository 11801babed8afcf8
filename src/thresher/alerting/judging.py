"""Judging: whether a search finds unusually much, or a search or source has fallen silent.

A spike is a window (a day, say) with more documents than the mean of the windows before it and three times their
spread, twice that mean, and five documents. The spread is at least that of chance: the root of the mean. A search is
silent by the rule of sources (catalog/health.py), or when nothing was found for the span that the alert names.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from thresher.api.queries import read_query
from thresher.catalog.contract import HOUR_S, Catalog
from thresher.catalog.health import HISTORY_WEEKS, Health, History, examine, silence_of
from thresher.crawling.corpus import Corpus
from thresher.errors import UsageError
from thresher.index.nodes import And, Dated, Query
from thresher.model import Source
from thresher.model.alert import ANY_SOURCE, Alert, AlertHit, AlertKind, Standing, span_h

WINDOWS = 28  # before the present one, that tell what is usual
MIN_WINDOWS = 7
MIN_SPIKE = 5  # documents
SPREADS = 3.0
TIMES = 2.0
MAX_SEEDED = 5_000  # documents whose times are read when a silence begins to be watched for
SEED_PAGE = 500
HISTORY = timedelta(weeks=HISTORY_WEEKS)
SOURCE_HISTORY = 3 * HISTORY  # a source may be silent for long
JUDGED = 200  # pages whose verdicts tell whether extraction works
MAX_PROBLEMS = 10  # told in one notice


@dataclass(frozen=True, slots=True)
class Verdict:
    """What there is to be told, if anything, and what is to be remembered."""

    message: str = ""
    total: int = 0
    memory: Mapping[str, Any] = field(default_factory=dict)


def judge(corpus: Corpus, alert: Alert, standing: Standing, now: datetime) -> Verdict:
    """Judge an alert of spikes or silence; raise UsageError for a query or source that is not there any more."""
    if alert.kind is AlertKind.SPIKE:
        return _spike(corpus, alert, standing, now)
    if alert.source:
        return _sources(corpus.catalog(), alert, standing, now)
    return _silence(corpus, alert, standing, now)


def is_spike(count: int, usual: Sequence[int]) -> bool:
    """Say whether a count is far beyond those of other windows."""
    if len(usual) < MIN_WINDOWS:
        return False
    mean = sum(usual) / len(usual)
    spread = math.sqrt(sum((each - mean) ** 2 for each in usual) / len(usual))
    return count >= MIN_SPIKE and count > max(mean + SPREADS * max(spread, math.sqrt(mean)), TIMES * mean)


def remembered(memory: Mapping[str, Any], hits: Sequence[AlertHit]) -> Mapping[str, Any]:
    """Add documents to the hours that a silence is judged by."""
    hours = Counter({int(hour): count for hour, count in memory.get("hours", {}).items()})
    hours.update(int(hit.seen_at.timestamp() // HOUR_S) for hit in hits)
    return {**memory, "hours": {str(hour): count for hour, count in sorted(hours.items())}}


def _spike(corpus: Corpus, alert: Alert, standing: Standing, now: datetime) -> Verdict:
    query, span = read_query(corpus, alert.query, now), timedelta(hours=span_h(alert.window))
    first = next(corpus.store.arrivals(), None)
    history = min(WINDOWS, int((now - first.first_seen) / span) - 1) if first else 0
    counts = [_count(corpus, query, now - (number + 1) * span, now - number * span) for number in range(history + 1)]
    count, usual = counts[0] if counts else 0, counts[1:]
    spike, was = is_spike(count, usual), bool(standing.memory.get("spike"))
    message = ""
    if spike and not was:
        mean = sum(usual) / len(usual)
        message = f"{count} documents in the last {_span(span)}, where {mean:.3g} are usual"
    return Verdict(message, count, {"spike": spike})


def _count(corpus: Corpus, query: Query, since: datetime, until: datetime) -> int:
    return corpus.index.total(Query(And((query.root, Dated("seen", since, until))), query.text))


def _silence(corpus: Corpus, alert: Alert, standing: Standing, now: datetime) -> Verdict:
    memory = dict(standing.memory)
    if "seeded" not in memory:
        memory = {**_seed(corpus, alert, standing, now), "seeded": True}
    oldest = int((now - HISTORY).timestamp() // HOUR_S)
    hours = {int(hour): count for hour, count in memory.get("hours", {}).items() if int(hour) >= oldest}
    reason = _too_long(hours, alert, standing, now) if alert.after else silence_of(hours, now)
    was = bool(memory.get("silent"))
    memory |= {"hours": {str(hour): count for hour, count in sorted(hours.items())}, "silent": bool(reason)}
    if reason and not was:
        return Verdict(reason, 0, memory)
    return Verdict("there are new documents again" if was and not reason else "", 0, memory)


def _too_long(hours: Mapping[int, int], alert: Alert, standing: Standing, now: datetime) -> str:
    last = datetime.fromtimestamp(max(hours) * HOUR_S, UTC) if hours else standing.started_at
    quiet = now - max(last, standing.started_at)
    return f"no new document for {_span(quiet)}" if quiet >= timedelta(hours=span_h(alert.after)) else ""


def _seed(corpus: Corpus, alert: Alert, standing: Standing, now: datetime) -> Mapping[str, Any]:
    """Read when documents were seen that were there before the alert."""
    query = read_query(corpus, alert.query, now)
    known = Query(And((query.root, Dated("seen", now - HISTORY, standing.started_at))), query.text)
    hours: Counter[int] = Counter()
    after: str | None = None
    for _ in range(MAX_SEEDED // SEED_PAGE):
        page = corpus.index.search(known, limit=SEED_PAGE, sort="seen", after=after)
        hours.update(int(hit.seen.timestamp() // HOUR_S) for hit in page if hit.seen)
        after = page.next
        if after is None:
            break
    mine = {int(hour): count for hour, count in standing.memory.get("hours", {}).items()}
    return {"hours": {str(hour): count for hour, count in sorted((hours + Counter(mine)).items())}}


def _sources(catalog: Catalog, alert: Alert, standing: Standing, now: datetime) -> Verdict:
    """Tell of problems of sources that were not there the last time, and of those that are over."""
    wanted = [source for source in catalog.sources() if alert.source in (ANY_SOURCE, source.name)]
    examined = [_examined(catalog, source, now) for source in wanted]
    if not examined and alert.source != ANY_SOURCE:
        raise UsageError(f"there is no source {alert.source} any more")
    present = _problems(examined)
    before: Mapping[str, str] = standing.memory.get("problems", {})
    new = [text for key, text in present.items() if key not in before]
    over = [text for key, text in before.items() if key not in present]
    told = [*new, *(f"over: {text}" for text in over)]
    more = f" · and {len(told) - MAX_PROBLEMS} more" if len(told) > MAX_PROBLEMS else ""
    return Verdict(" · ".join(told[:MAX_PROBLEMS]) + more, len(new), {"problems": present})


def _examined(catalog: Catalog, source: Source, now: datetime) -> Health:
    hours = catalog.hours(source.name, since=now - SOURCE_HISTORY)
    history = History(catalog.endpoints(source.name), hours, catalog.judged(source.name, limit=JUDGED))
    return examine(source, history, now)


def _problems(examined: Sequence[Health]) -> dict[str, str]:
    return {
        f"{one.source.name}\n{problem.kind}": f"source {one.source.name}: {problem.detail}"
        for one in examined
        for problem in one.problems
    }


def _span(span: timedelta) -> str:
    hours = span.total_seconds() / 3_600
    return f"{hours:.0f} hours" if hours < 48 else f"{hours / 24:.0f} days"
