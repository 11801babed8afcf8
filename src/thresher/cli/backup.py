"""`thresher backup`: a copy of the embedded corpus in one file, taken while crawls go on."""

from datetime import UTC, datetime
from pathlib import Path

import click

from thresher import sqlite
from thresher.cli import exits
from thresher.cli.options import data_option, settings
from thresher.cli.terminal import say, show
from thresher.config import SQLITE, Settings
from thresher.errors import NothingCollected, UsageError


@click.command("backup")
@click.argument("path", type=click.Path(path_type=Path), required=False)
@click.option("--force", is_flag=True, help="Replace a file that is there already.")
@data_option
@click.pass_context
def command(ctx: click.Context, /, path: Path | None, force: bool, data: str | None) -> int:
    """Copy the corpus into one file: documents, pages, sources, accounts, the queue of links and the index.

    Crawls and watches can continue meanwhile; the copy is of one moment. It is checked, and appears under its name when
    it is complete. PATH is a file, or a folder for a file that is named after the time; the default is the current
    folder. `thresher restore PATH` brings it back. A store in a server is backed up with the server's own tools.
    """
    source = corpus_file(settings(ctx, data=data))
    if not source.exists():
        raise NothingCollected(f"nothing was collected in {source.parent} yet; there is nothing to back up")
    target = _target(path)
    if target.exists() and not force:
        raise UsageError(f"{target} is there already; choose another name, or replace it with --force")
    say(f"copying {source} …")
    copied = sqlite.copy(source, target)
    say(f"{copied / 1e6:,.1f} MB, checked")
    show(str(target))
    return exits.DONE


def corpus_file(chosen: Settings) -> Path:
    """Return the file of the embedded corpus; raise UsageError where the store is a server."""
    if not chosen.store_url.startswith(SQLITE):
        raise UsageError(
            "the store is a server: back it up and restore it with its own tools (pg_dump, mysqldump), or copy it with "
            "`thresher migrate`"
        )
    return Path(chosen.store_url.removeprefix(SQLITE))


def _target(path: Path | None) -> Path:
    named = f"thresher-{datetime.now(UTC):%Y%m%d-%H%M%S}.db"
    if path is None:
        return Path(named)
    return path / named if path.is_dir() else path
