"""`thresher logs`: what all processes of a data folder have logged."""

import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from thresher import logs
from thresher.cli import columns, exits
from thresher.cli.options import data_option, settings
from thresher.cli.terminal import say, show, show_data
from thresher.logs import LEVELS, Folded, Wanted

LOOK_EVERY_S = 0.5


@click.command("logs")
@click.option("-n", "--limit", type=click.IntRange(min=1), default=50, show_default=True, help="Lines to show.")
@click.option("--follow", is_flag=True, help="Print new lines as they come, until Ctrl-C.")
@click.option("--level", type=click.Choice(LEVELS), help="Only this level and more serious ones.")
@click.option("--worker", default="", metavar="NAME", help="Only of this worker; the name can be shortened.")
@click.option("--source", default="", metavar="NAME", help="Only about this source.")
@click.option("--role", default="", help="Only of processes that do this: crawl, watch, worker, serve.")
@click.option("--run", type=click.IntRange(min=1), help="Only about this run.")
@click.option("--grep", "words", default="", metavar="TEXT", help="Only with this text in message, URL or reason.")
@click.option("--every", is_flag=True, help="Show every repeated line, instead of one line with a count.")
@click.option("-f", "--format", "format_", type=click.Choice(columns.FORMATS), default="txt", show_default=True)
@data_option
@click.pass_context
def command(ctx: click.Context, /, limit: int, follow: bool, format_: str, every: bool, **flags: Any) -> int:
    """Show what crawls, workers, the watch and the server have logged in this data folder, the newest last.

    The log is kept in logs/thresher.jsonl, one JSON object a line, and in up to four files before it, 40 MB together.
    """
    data = Path(settings(ctx, data=flags.pop("data")).data)
    wanted = Wanted(run=flags.pop("run"), **{name: value or "" for name, value in flags.items()})
    coming = logs.follow(data, wanted)
    waiting = next(coming) if follow else None  # what comes from here on is not missed
    found = logs.read(data, wanted, limit=limit)
    _show_all(found, format_, every=every or format_ != "txt")
    if not follow:
        return exits.DONE if found else exits.EMPTY
    while True:
        if waiting is None:
            time.sleep(LOOK_EVERY_S)
        else:
            _show_one(waiting, format_)
        waiting = next(coming)


def _show_all(found: list[dict[str, Any]], format_: str, *, every: bool) -> None:
    if format_ != "txt":
        rows = [{name: entry.get(name) for name in logs.FIELDS} for entry in reversed(found)]
        columns.show(rows, format_, empty="")
        return
    lines = [Folded(entry, 1, "") for entry in found] if every else logs.folded(found)
    for line in reversed(lines):
        show(_line(line.entry) + (f"  (×{line.count} since {_moment(line.first_at)})" if line.count > 1 else ""))
    if not lines:
        say("nothing is logged here; `thresher crawl`, `watch`, `worker run` and `serve` write the log")


def _show_one(entry: Mapping[str, Any], format_: str) -> None:
    if format_ == "txt":
        show(_line(entry))
    else:
        show_data(json.dumps(entry, ensure_ascii=False))


def _line(entry: Mapping[str, Any]) -> str:
    about = " ".join(str(entry[name]) for name in ("reason", "source", "url") if entry.get(name))
    run = f" run {entry['run']}" if entry.get("run") is not None else ""
    where = f"{entry.get('role', '')}{run}"
    return f"{_moment(entry.get('time', ''))} {entry.get('level', ''):<7} {where:<12} {entry.get('message', '')}" + (
        f"  {about}" if about else ""
    )


def _moment(time_: str) -> str:
    return time_[:19].replace("T", " ")
