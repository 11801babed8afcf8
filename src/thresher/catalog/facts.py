"""Facts of sources as plain data: how each fares, its endpoints and rounds, and what became of its pages."""

from collections import defaultdict
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from thresher.catalog.contract import REFUSED, STORED, Catalog, HourCount
from thresher.catalog.health import HISTORY_WEEKS, Health, History, examine
from thresher.model import Endpoint, Round, Source
from thresher.model.source import source_to_dict

HISTORY = timedelta(weeks=3 * HISTORY_WEEKS)  # a source may be silent for long, and its history ends with that
JUDGED = 200  # pages whose verdicts tell whether extraction works


def healths(catalog: Catalog, now: datetime) -> list[Health]:
    """Examine all sources, by name."""
    endpoints: dict[str, list[Endpoint]] = defaultdict(list)
    for endpoint in catalog.endpoints():
        endpoints[endpoint.source].append(endpoint)
    hours: dict[str, list[HourCount]] = defaultdict(list)
    for count in catalog.hours(since=now - HISTORY):
        hours[count.source].append(count)
    found = []
    for source in catalog.sources():
        counts = hours[source.name]
        has_verdicts = any(count.state in (STORED, REFUSED) for count in counts)  # each verdict is counted in its hour
        judged = catalog.judged(source.name, limit=JUDGED) if has_verdicts else []
        found.append(examine(source, History(endpoints[source.name], counts, judged), now))
    return found


def health_facts(health: Health) -> dict[str, Any]:
    """Return how a source fares as plain data."""
    return {
        "source": health.source.name,
        "state": str(health.source.state),
        "due": health.due,
        "late": health.late,
        "next_due": _iso(health.next_due),
        "last_new": _iso(health.last_new),
        "last_week": health.last_week,
        "usual_week": None if health.per_week is None else round(health.per_week, 1),
        "errors": dict(health.errors),
        "problems": [{"kind": problem.kind, "detail": problem.detail} for problem in health.problems],
    }


def facts_of(catalog: Catalog, source: Source, *, rounds: int, now: datetime) -> dict[str, Any]:
    """Return everything that is known of a source as plain data."""
    endpoints = catalog.endpoints(source.name)
    hours = catalog.hours(source.name, since=now - HISTORY)
    health = examine(source, History(endpoints, hours, catalog.judged(source.name, limit=JUDGED)), now)
    tally = catalog.tally(source.name)
    return {
        "definition": source_to_dict(source),
        "health": {name: value for name, value in health_facts(health).items() if name not in ("source", "state")},
        "endpoints": [_endpoint(endpoint) for endpoint in endpoints],
        "validation": _validation(tally),
        "rounds": [_round(visit) for visit in catalog.rounds(source.name, limit=rounds)] if rounds else [],
    }


def _validation(tally: Mapping[tuple[str, str], int]) -> dict[str, Any]:
    """Count the pages of a source that were stored, and those that were not, by reason."""
    stored = sum(count for (state, _), count in tally.items() if state == STORED)
    refused = {reason: count for (state, reason), count in tally.items() if state == REFUSED}
    return {
        "judged": stored + sum(refused.values()),
        "stored": stored,
        "refused": dict(sorted(refused.items(), key=lambda item: (-item[1], item[0]))),
    }


def _endpoint(endpoint: Endpoint) -> dict[str, Any]:
    return {
        "kind": str(endpoint.kind),
        "state": str(endpoint.state),
        "interval_s": endpoint.interval_s,
        "last_asked": _iso(endpoint.last_asked),
        "last_new": _iso(endpoint.last_new),
        "due": _iso(endpoint.due),
        "asked": endpoint.asked,
        "found": endpoint.found,
        "new": endpoint.new,
        "failures": endpoint.failures,
        "moved_to": endpoint.moved_to or None,
        "hubs": list(endpoint.hubs),
        "url": endpoint.url,
    }


def _round(visit: Round) -> dict[str, Any]:
    return {
        "at": _iso(visit.at),
        "status": visit.status,
        "found": visit.found,
        "new": visit.new,
        "reason": visit.reason or None,
        "next_in_s": visit.interval_s,
        "url": visit.url,
    }


def _iso(moment: datetime | None) -> str | None:
    return moment.astimezone(UTC).isoformat(timespec="seconds") if moment else None
