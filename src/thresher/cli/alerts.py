"""`thresher alerts`: be told of new documents, of spikes and of silence, by e-mail, webhooks and feeds."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, TypeVar

import click

from thresher import services
from thresher.alerting.lookout import PREVIEW, check_alert, trial_delivery, would_have_found
from thresher.alerting.sending import Senders
from thresher.alerting.webhook import new_secret
from thresher.catalog.alerts import Alerts
from thresher.cli import columns, exits
from thresher.cli.options import server_options, settings
from thresher.cli.saved import opened
from thresher.cli.terminal import TIMED, counted, log_to_stderr, say, show
from thresher.crawling.corpus import Corpus
from thresher.errors import UsageError
from thresher.model.alert import DAYS, Alert, AlertKind, AlertState, Delivery, DeliveryState, alert_to_dict

F = TypeVar("F", bound=Callable[..., Any])
KINDS = tuple(map(str, AlertKind))
STATES = tuple(map(str, DeliveryState))
FIELDS = ("kind", "source", "to", "at", "day", "zone", "window", "after")
formatted = click.option(
    "-f", "--format", "format_", type=click.Choice(columns.FORMATS), default="txt", show_default=True
)


def what_and_where(function: F) -> F:
    """Add the options that say what an alert tells, when and to whom."""
    options = (
        click.option(
            "--kind",
            type=click.Choice(KINDS),
            help="When it reports (default every).",
        ),
        click.option("--source", metavar="NAME", help="For silence: this source in place of a query; *: all sources."),
        click.option("--to", multiple=True, metavar="TARGET", help="mailto:ADDRESS, or a webhook's URL; repeatable."),
        click.option("--at", metavar="HH:MM", help="For a digest: the time of day (default 07:00)."),
        click.option("--day", type=click.Choice(DAYS), help="For a weekly digest: the day of the week."),
        click.option("--zone", metavar="ZONE", help="For a digest: the time zone, e.g. Europe/Berlin (default UTC)."),
        click.option("--window", metavar="SPAN", help="For a spike: the span that is compared, e.g. 6h (default 1d)."),
        click.option("--after", metavar="SPAN", help="For silence: how long is too long, e.g. 2d (default: unusual)."),
    )
    for option in reversed(options):
        function = option(function)
    return function


@click.group("alerts")
def command() -> None:
    """Get alerts: each new document that a query finds, digests, spikes, and silence.

    `thresher watch` and `thresher serve` check alerts and send what is due; `thresher alerts run` does so once, for
    cron.
    """


@command.command("list")
@formatted
@server_options
@click.pass_context
def list_command(ctx: click.Context, /, format_: str, **flags: Any) -> int:
    """List the alerts."""
    with opened(ctx, flags) as corpus:
        book = corpus.alerts()
        rows = [alert_row(book, alert) for alert in book.alerts()]
    columns.show(rows, format_, empty="no alert yet; `thresher alerts add NAME QUERY --to mailto:ADDRESS` adds one")
    return exits.DONE


@command.command("add")
@click.argument("name")
@click.argument("words", nargs=-1, metavar="[QUERY]...")
@what_and_where
@server_options
@click.pass_context
def add_command(ctx: click.Context, /, name: str, words: tuple[str, ...], **flags: Any) -> int:
    """Add an alert. It reports what it finds from now on.

    Kinds: every (each document, soon), digest (daily, or weekly with --day), spike (much more than usual), silence
    (nothing any more). Without --to, nothing is sent: `thresher alerts show` and the web pages have what it finds.
    """
    given = {field: flags[field] for field in FIELDS if flags[field] not in (None, ())}
    kind = AlertKind(given.pop("kind", AlertKind.EVERY))
    alert = Alert(name=name, query=" ".join(words), kind=kind, **given)
    now = datetime.now(UTC)
    with opened(ctx, flags) as corpus:
        _check(ctx, corpus, alert, now)
        corpus.alerts().add(alert, now)
    say(f"added {name}; `thresher alerts test {name}` sends a test")
    return exits.DONE


@command.command("edit")
@click.argument("name")
@click.argument("words", nargs=-1, metavar="[QUERY]...")
@what_and_where
@click.option("--nowhere", is_flag=True, help="Send it to nobody from now on.")
@server_options
@click.pass_context
def edit_command(ctx: click.Context, /, name: str, words: tuple[str, ...], nowhere: bool, **flags: Any) -> int:
    """Change an alert. With another query, kind or time it starts afresh."""
    given = {field: flags[field] for field in FIELDS if flags[field] not in (None, ())}
    if words:
        given["query"] = " ".join(words)
    if "kind" in given:
        given["kind"] = AlertKind(given["kind"])
    if nowhere:
        given["to"] = ()
    now = datetime.now(UTC)
    with opened(ctx, flags) as corpus:
        alert = replace(_present(corpus, name), **given)
        _check(ctx, corpus, alert, now)
        corpus.alerts().change(alert, now)
    say(f"changed {name}")
    return exits.DONE


@command.command("show")
@click.argument("name")
@formatted
@server_options
@click.pass_context
def show_command(ctx: click.Context, /, name: str, format_: str, **flags: Any) -> int:
    """Show an alert and what it found last."""
    with opened(ctx, flags) as corpus:
        alert, book = _present(corpus, name), corpus.alerts()
        facts = alert_to_dict(alert) | {"found": book.count_hits(name)}
        hits = [{"seen": hit.seen_at.isoformat(), "title": hit.title, "url": hit.url} for hit in book.hits(name)]
    if format_ == "txt":
        for field, value in facts.items():
            show(f"{field}: {', '.join(value) if isinstance(value, list) else value}")
        show("")
    columns.show(hits, format_, empty="it has found nothing yet")
    return exits.DONE


@command.command("test")
@click.argument("name")
@server_options
@click.pass_context
def test_command(ctx: click.Context, /, name: str, **flags: Any) -> int:
    """Send a test message for an alert. What it would have found last week is shown, too."""
    now = datetime.now(UTC)
    with opened(ctx, flags) as corpus:
        alert, known = _present(corpus, name), settings(ctx, **_places(flags))
        hits = [] if alert.source else list(would_have_found(corpus, alert, now - PREVIEW, now))
        columns.show(
            [{"title": hit.title, "url": hit.url} for hit in hits], "txt", empty="nothing of last week matches"
        )
        failed = _send_trial(corpus, alert, services.senders(known), now)
    if not alert.to:
        say("it has no target; `thresher alerts edit NAME --to …` gives it one")
    return exits.SOME_FAILED if failed else exits.DONE


@command.command("pause")
@click.argument("name")
@server_options
@click.pass_context
def pause_command(ctx: click.Context, /, name: str, **flags: Any) -> int:
    """Pause an alert until it is resumed."""
    return _set_state(ctx, flags, name, AlertState.PAUSED)


@command.command("resume")
@click.argument("name")
@server_options
@click.pass_context
def resume_command(ctx: click.Context, /, name: str, **flags: Any) -> int:
    """Resume a paused alert, from now on."""
    return _set_state(ctx, flags, name, AlertState.ACTIVE)


@command.command("rm")
@click.argument("name")
@server_options
@click.pass_context
def rm_command(ctx: click.Context, /, name: str, **flags: Any) -> int:
    """Remove an alert, what it found, and what it has yet to send."""
    with opened(ctx, flags) as corpus:
        _present(corpus, name)
        corpus.alerts().remove(name)
    say(f"removed {name}")
    return exits.DONE


@command.command("log")
@click.argument("name", required=False)
@click.option("--state", type=click.Choice(STATES), help="Only what is waiting, sent or failed.")
@click.option("--limit", type=click.IntRange(min=1), default=50, show_default=True)
@click.option("--attempts", is_flag=True, help="One line for each attempt.")
@formatted
@server_options
@click.pass_context
def log_command(
    ctx: click.Context, /, name: str | None, state: str | None, limit: int, attempts: bool, format_: str, **flags: Any
) -> int:
    """List what was sent and what is waiting, the newest first."""
    with opened(ctx, flags) as corpus:
        book = corpus.alerts()
        found = book.deliveries(name, state=DeliveryState(state) if state else None, limit=limit)
        rows = _attempt_rows(book, found) if attempts else [delivery_row(delivery) for delivery in found]
    columns.show(rows, format_, empty="nothing was sent yet")
    return exits.DONE


@command.command("replay")
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@server_options
@click.pass_context
def replay_command(ctx: click.Context, /, ids: tuple[str, ...], **flags: Any) -> int:
    """Send deliveries again, by their ids in `thresher alerts log`."""
    now = datetime.now(UTC)
    with opened(ctx, flags) as corpus:
        for id in ids:
            corpus.alerts().replay(id, now)
    say(f"{counted(len(ids), 'delivery').replace('deliverys', 'deliveries')} will be sent again")
    return exits.DONE


@command.command("run")
@click.option("--once", is_flag=True, help="Do what is due now, then exit (the default; for cron).")
@server_options
@click.pass_context
def run_command(ctx: click.Context, /, once: bool, **flags: Any) -> int:
    """Check all alerts once, and send what is due. For cron, where neither `watch` nor `serve` runs."""
    log_to_stderr(TIMED)
    with opened(ctx, flags) as corpus:
        done = services.run_alerts(corpus, settings(ctx, **_places(flags)))
    say(f"{counted(done.notices, 'notice')}, {counted(done.attempts, 'attempt')} to send")
    return exits.DONE


@command.command("secret")
def secret_command() -> int:
    """Print a new secret to sign webhooks with. Put it into the file that `webhook_secret_file` names."""
    show(new_secret())
    return exits.DONE


def alert_row(book: Alerts, alert: Alert) -> dict[str, Any]:
    """Return an alert as a row of data."""
    last = next(iter(book.hits(alert.name, limit=1)), None)
    return {
        "name": alert.name,
        "kind": str(alert.kind),
        "state": str(alert.state),
        "query": alert.query or f"source {alert.source}",
        "to": ", ".join(alert.to),
        "found": book.count_hits(alert.name),
        "last": last.seen_at.isoformat(timespec="minutes") if last else None,
    }


def delivery_row(delivery: Delivery) -> dict[str, Any]:
    """Return a delivery as a row of data."""
    return {
        "id": delivery.id,
        "alert": delivery.alert,
        "created": delivery.created_at.isoformat(timespec="seconds"),
        "state": str(delivery.state),
        "attempts": delivery.attempts,
        "target": delivery.target,
        "message": delivery.notice.message,
        "detail": delivery.detail,
    }


def _attempt_rows(book: Alerts, found: list[Delivery]) -> list[dict[str, Any]]:
    return [
        {
            "id": delivery.id,
            "alert": delivery.alert,
            "at": attempt.at.isoformat(timespec="seconds"),
            "attempt": attempt.number,
            "ok": attempt.ok,
            "detail": attempt.detail,
        }
        for delivery in found
        for attempt in book.attempts(delivery.id)
    ]


def _send_trial(corpus: Corpus, alert: Alert, sending: Senders, now: datetime) -> int:
    """Send a test to each target; return how many refused it."""
    failed = 0
    for delivery in trial_delivery(corpus, alert, now):
        outcome = sending.send(delivery, now)
        say(f"{delivery.target}: {outcome.detail}")
        failed += not outcome.ok
    return failed


def _set_state(ctx: click.Context, flags: dict[str, Any], name: str, state: AlertState) -> int:
    with opened(ctx, flags) as corpus:
        corpus.alerts().set_state(name, state, datetime.now(UTC))
    say(f"{name} is {state}")
    return exits.DONE


def _check(ctx: click.Context, corpus: Corpus, alert: Alert, now: datetime) -> None:
    check_alert(corpus, alert, now)
    services.senders(settings(ctx)).check(alert.to)


def _present(corpus: Corpus, name: str) -> Alert:
    found = corpus.alerts().alert(name)
    if found is None:
        raise UsageError(f"there is no alert {name}; `thresher alerts list` lists them all")
    return found


def _places(flags: dict[str, Any]) -> dict[str, Any]:
    return {name: flags.get(name) for name in ("data", "frontier", "store", "index")}
