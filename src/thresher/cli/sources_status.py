"""`thresher sources status` and the facts of `sources show`: what is due, late, silent, and why pages were refused."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import click

from thresher.catalog.facts import health_facts, healths
from thresher.catalog.health import Health
from thresher.cli import columns, exits
from thresher.cli.options import catalog_options
from thresher.cli.sources_options import catalog_in, formatted
from thresher.cli.terminal import show
from thresher.crawling.reasons import meaning_of
from thresher.errors import NothingCollected
from thresher.text import printable, squeeze


@click.command("status")
@click.option("--problems", is_flag=True, help="Only what needs care, one line for each problem.")
@formatted
@catalog_options
@click.pass_context
def status(ctx: click.Context, /, problems: bool, format_: str, **places: Any) -> int:
    """Show which sources are due, late or silent. Recent documents are compared with what is usual.

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
        rows = [_row(health, now) if format_ == "txt" else health_facts(health) for health in found]
        columns.show(rows, format_, empty="no source yet; `thresher sources add URL` adds one")
    return exits.DONE


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


def _due(health: Health, now: datetime) -> str | None:
    if health.due:
        return "now"
    return _span((health.next_due - now).total_seconds()) if health.next_due else None


def show_facts(facts: Mapping[str, Any]) -> None:
    """Print the facts of `facts_of` for people."""
    for name, value in facts["definition"].items():
        shown = _moment(value) if name == "created_at" else value
        _line(name, ", ".join(map(str, shown)) if isinstance(shown, list) else shown)
    health = facts["health"]
    _line("last new", _moment(health["last_new"]) if health["last_new"] else "-")
    usual = "not known yet" if health["usual_week"] is None else f"{health['usual_week']:g}"
    _line("documents", f"{health['last_week']} in the last 7 days; usual: {usual}")
    _line("errors", ", ".join(f"{count} {reason}" for reason, count in health["errors"].items()) or "none")
    for problem in health["problems"]:
        _line("problem", f"{problem['kind']}: {problem['detail']}")
    _table("endpoints", [_short(endpoint) for endpoint in facts["endpoints"]])
    if facts["subscriptions"]:
        _table("subscriptions", facts["subscriptions"])
    validation = facts["validation"]
    show(f"\nvalidation: {validation['stored']} of {validation['judged']} pages gave a document")
    for reason, count in validation["refused"].items():
        meaning = meaning_of(reason)
        show(f"{count:>8}  {reason}" + (f": {meaning}" if meaning else ""))
    _table("rounds", [_brief(round_) for round_ in facts["rounds"]])


def _short(endpoint: Mapping[str, Any]) -> dict[str, Any]:
    names = ("kind", "state", "last_asked", "asked", "found", "new", "failures", "moved_to", "hubs", "url")
    every = _span(endpoint["interval_s"]) if endpoint["interval_s"] is not None else None
    asked = {"last_asked": _moment(endpoint["last_asked"]) if endpoint["last_asked"] else None}
    return {"every": every, **{name: endpoint[name] for name in names}, **asked}


def _brief(round_: Mapping[str, Any]) -> dict[str, Any]:
    facts = {name: value for name, value in round_.items() if name not in ("at", "next_in_s", "url")}
    next_in = _span(round_["next_in_s"]) if round_["next_in_s"] is not None else None
    return {"at": _moment(round_["at"]), **facts, "next_in": next_in, "url": round_["url"]}


def _line(name: str, value: object) -> None:
    show(f"{name.replace('_', ' ') + ':':<14}{squeeze(printable(str(value)))}")


def _table(title: str, rows: Sequence[Mapping[str, Any]]) -> None:
    show(f"\n{title}:" + ("" if rows else " none"))
    for line in columns.lines(rows):
        show(f"  {line}")


def _moment(text: str) -> str:
    return f"{datetime.fromisoformat(text).astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def _ago(moment: datetime | None, now: datetime) -> str | None:
    return f"{_span((now - moment).total_seconds())} ago" if moment else None


def _span(seconds: float) -> str:
    for unit, length_s in (("d", 86_400), ("h", 3_600), ("m", 60)):
        if seconds >= 2 * length_s:
            return f"{seconds / length_s:.0f}{unit}"
    return f"{max(seconds, 0):.0f}s"
