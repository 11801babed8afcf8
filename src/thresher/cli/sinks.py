"""`thresher sinks`: how far the other places are that documents are carried to."""

import threading
from datetime import UTC, datetime
from typing import Any

import click

from thresher import sinks as carrying
from thresher.cli import columns, exits
from thresher.cli.options import corpus_in, places_in, server_options, settings
from thresher.cli.terminal import counted, say
from thresher.errors import UsageError
from thresher.store.sinks import Standing, replay, standing_of
from thresher.urls.secrets import masked


@click.group("sinks")
def command() -> None:
    """Copy what is stored to other places as well: stores, search indexes, Kafka topics, files.

    The setting `sinks` names them: sinks = ["archive=s3://bucket/documents", "search=index:opensearch://host/news"].
    Crawls deliver by themselves. A place that is unreachable catches up when it is back; nothing waits for it.
    """


@command.command("status")
@click.option("-f", "--format", "format_", type=click.Choice(columns.FORMATS), default="txt", show_default=True)
@server_options
@click.pass_context
def status_command(ctx: click.Context, /, format_: str, **flags: Any) -> int:
    """Show how far each sink is, and what went wrong last."""
    known = carrying.sinks_in(settings(ctx, **places_in(flags)))
    with corpus_in(ctx, flags) as corpus:
        rows = [_row(standing_of(corpus.store, name), url) for name, url in known.items()]
    columns.show(rows, format_, empty="there are no sinks; the setting `sinks` names them")
    return exits.SOME_FAILED if any(row["error"] for row in rows) else exits.DONE


@command.command("replay")
@click.argument("name")
@server_options
@click.pass_context
def replay_command(ctx: click.Context, /, name: str, **flags: Any) -> int:
    """Deliver everything to a sink once more, from the beginning."""
    if name not in carrying.sinks_in(settings(ctx, **places_in(flags))):
        raise UsageError(f"no sink {name!r} in the setting `sinks`")
    with corpus_in(ctx, flags) as corpus:
        documents = replay(corpus.store, name)
    waiting = counted(documents, "document")
    say(f"{name} starts again from the beginning: {waiting}; crawls deliver them, or `thresher sinks run`")
    return exits.DONE


@command.command("run")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--once", is_flag=True, help="Exit when everything that can be delivered is.")
@server_options
@click.pass_context
def run_command(ctx: click.Context, /, names: tuple[str, ...], once: bool, **flags: Any) -> int:
    """Deliver what has changed, until Ctrl-C. Crawls do so by themselves."""
    chosen = settings(ctx, **places_in(flags))
    with corpus_in(ctx, flags) as corpus:
        opened = carrying.open_sinks(chosen, corpus.store, names)
        if not opened:
            raise UsageError("there are no sinks; the setting `sinks` names them")
        try:
            if once:
                while sum(sink.carry() for sink in opened):
                    pass
            else:
                carrying.carry(opened, threading.Event())
        finally:
            for sink in opened:
                sink.close()
        behind = [standing for sink in opened if (standing := standing_of(corpus.store, sink.name)).lag]
    for standing in behind:
        say(f"{standing.name}: {counted(standing.lag, 'document')} not delivered: {standing.error or 'new ones'}")
    return exits.SOME_FAILED if behind else exits.DONE


def _row(standing: Standing, url: str) -> dict[str, Any]:
    at = standing.delivered_at
    age_s = (datetime.now(UTC) - datetime.fromisoformat(at)).total_seconds() if at else None
    return {
        "name": standing.name,
        "to": masked(url),
        "lag": standing.lag,
        "delivered": standing.delivered,
        "age_s": None if age_s is None else round(age_s),
        "failures": standing.failures,
        "error": standing.error,
        "retry_at": standing.retry_at,
    }
