"""`thresher sources status` and the facts of `sources show`: what is due, late, silent, and why pages were refused."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import click

from thresher.catalog.contract import REFUSED, STORED, Catalog, HourCount
from thresher.catalog.health import HISTORY_WEEKS, Health, History, examine
from thresher.cli import columns, exits
from thresher.cli.options import catalog_options
from thresher.cli.sources_options import catalog_in, formatted
from thresher.cli.terminal import show
from thresher.crawling.reasons import meaning_of
from thresher.errors import NothingCollected
from thresher.model import Endpoint, Round, Source
from thresher.model.source import source_to_dict
from thresher.text import printable, squeeze

HISTORY = timedelta(weeks=3 * HISTORY_WEEKS)  # a source may be silent for long, and its history ends with that
JUDGED = 200  # pages whose verdicts tell whether extraction works


@click.command("status")
@click.option("--problems", is_flag=True, help="Only what needs care, one line for each problem.")
@formatted
@catalog_options
@click.pass_context
def status(ctx: click.Context, /, problems: bool, format_: str, **places: Any) -> int:
    """Show which sources are due, late or silent, and how many documents they bring against what is usual.

    A source is silent when at least 3 documents would have come since its last one at its usual rate for these hours
    of the week, and it has been quiet for more than twice its longest gap of the last 8 weeks.
    """
    now = datetime.now(UTC)
    try:
        with catalog_in(ctx, places) as catalog:
            found = healths(catalog, now)
    except NothingCollected:
        found = []
    if problems:
        rows = [
            {"source": health.source.name, "problem": problem.kind, "detail": problem.detail}
            for health in found
            for problem in health.problems
        ]
        columns.show(rows, format_, empty="no problems")
    else:
        rows = [_row(health, now) if format_ == "txt" else _data(health) for health in found]
        columns.show(rows, format_, empty="no source yet; `thresher sources add URL` adds one")
    return exits.DONE


def healths(catalog: Catalog, now: datetime) -> list[Health]:
    """Examine all sources, by name."""
    endpoints: dict[str, list[Endpoint]] = defaultdict(list)
    for endpoint in catalog.endpoints():
        endpoints[endpoint.source].append(endpoint)
    hours: dict[str, list[HourCount]] = defaultdict(list)
    for count in catalog.hours(since=now - HISTORY):
        hours[count.source].append(count)
    return [
        examine(
            source,
            History(endpoints[source.name], hours[source.name], catalog.judged(source.name, limit=JUDGED)),
            now,
        )
        for source in catalog.sources()
    ]


def _row(health: Health, now: datetime) -> dict[str, Any]:
    return {
        "source": health.source.name,
        "state": str(health.source.state),
        "due": _due(health, now),
        "late": health.late or None,
        "last_new": _ago(health.last_new, now),
        "last_week": health.last_week,
        "usual_week": health.per_week,
        "errors": ", ".join(f"{count} {reason}" for reason, count in health.errors.items()) or None,
        "problems": ", ".join(dict.fromkeys(problem.kind for problem in health.problems)) or None,
    }


def _data(health: Health) -> dict[str, Any]:
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


def _due(health: Health, now: datetime) -> str | None:
    if health.due:
        return "now"
    return _span((health.next_due - now).total_seconds()) if health.next_due else None


def facts_of(catalog: Catalog, source: Source, *, rounds: int, now: datetime) -> dict[str, Any]:
    """Return everything that is known of a source as plain data."""
    endpoints = catalog.endpoints(source.name)
    hours = catalog.hours(source.name, since=now - HISTORY)
    health = examine(source, History(endpoints, hours, catalog.judged(source.name, limit=JUDGED)), now)
    tally = catalog.tally(source.name)
    return {
        "definition": source_to_dict(source),
        "health": {name: value for name, value in _data(health).items() if name not in ("source", "state")},
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


def show_facts(facts: Mapping[str, Any]) -> None:
    """Print the facts of `facts_of` for people."""
    for name, value in facts["definition"].items():
        _line(name, ", ".join(map(str, value)) if isinstance(value, list) else value)
    health = facts["health"]
    _line("last new", health["last_new"] or "-")
    usual = "not known yet" if health["usual_week"] is None else f"{health['usual_week']:g}"
    _line("documents", f"{health['last_week']} in the last 7 days; usual: {usual}")
    _line("errors", ", ".join(f"{count} {reason}" for reason, count in health["errors"].items()) or "none")
    for problem in health["problems"]:
        _line("problem", f"{problem['kind']}: {problem['detail']}")
    _table("endpoints", [_short(endpoint) for endpoint in facts["endpoints"]])
    validation = facts["validation"]
    show(f"\nvalidation: {validation['stored']} of {validation['judged']} pages gave a document")
    for reason, count in validation["refused"].items():
        meaning = meaning_of(reason)
        show(f"{count:>8}  {reason}" + (f": {meaning}" if meaning else ""))
    _table("rounds", facts["rounds"])


def _short(endpoint: Mapping[str, Any]) -> dict[str, Any]:
    names = ("kind", "state", "last_asked", "asked", "found", "new", "failures", "moved_to", "hubs", "url")
    every = _span(endpoint["interval_s"]) if endpoint["interval_s"] is not None else None
    return {"every": every, **{name: endpoint[name] for name in names}}


def _line(name: str, value: object) -> None:
    show(f"{name.replace('_', ' ') + ':':<14}{squeeze(printable(str(value)))}")


def _table(title: str, rows: Sequence[Mapping[str, Any]]) -> None:
    show(f"\n{title}:" + ("" if rows else " none"))
    for line in columns.lines(rows):
        show(f"  {line}")


def _iso(moment: datetime | None) -> str | None:
    return moment.astimezone(UTC).isoformat(timespec="seconds") if moment else None


def _ago(moment: datetime | None, now: datetime) -> str | None:
    return f"{_span((now - moment).total_seconds())} ago" if moment else None


def _span(seconds: float) -> str:
    for unit, length_s in (("d", 86_400), ("h", 3_600), ("m", 60)):
        if seconds >= 2 * length_s:
            return f"{seconds / length_s:.0f}{unit}"
    return f"{max(seconds, 0):.0f}s"
