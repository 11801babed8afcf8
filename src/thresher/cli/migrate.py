"""`thresher migrate`: a corpus is copied from one store to another."""

import time
from pathlib import Path

import click

from thresher.cli import exits
from thresher.cli.progress import LINE_EVERY_S
from thresher.cli.terminal import counted, say
from thresher.config import DOCUMENTS, MYSQL, POSTGRESQL, SQLITE
from thresher.errors import UsageError
from thresher.moving import move_corpus
from thresher.urls.secrets import masked


@click.command("migrate")
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
def command(source: str, target: str) -> int:
    """Copy a corpus from one store to another, of any kind, in any direction; among SQL databases with its sources.

    FROM and TO are URLs (postgresql://…, mysql://…, mongodb://…, opensearch://…, sqlite:///PATH) or data folders. TO
    must be empty, and nothing else may write to either store meanwhile. If this is interrupted, run it again to
    continue. At the end all rows of both are counted, hashed and compared. The queue of links is not moved; `thresher
    reindex` makes the documents searchable in the new place.
    """
    places = [_url(place) for place in (source, target)]
    say(f"copying {masked(places[0])} to {masked(places[1])}")
    total, said_at = 0, time.monotonic()
    for progress in move_corpus(*places):
        if progress.hash:
            say(f"{progress.table}: {counted(progress.rows, 'row')}, the same in both, sha256 {progress.hash[:16]}")
            total += progress.rows
        elif time.monotonic() - said_at > LINE_EVERY_S:
            said_at = time.monotonic()
            say(f"{progress.table}: {counted(progress.rows, 'row')} copied so far")
    say(f"done: {counted(total, 'row')}. Put `store` into the settings, then run `thresher reindex`")
    return exits.DONE


def _url(place: str) -> str:
    """Return the URL of a store, given as such or as a data folder."""
    if place.startswith((SQLITE, *POSTGRESQL, *MYSQL, *DOCUMENTS)):
        return place
    if "://" in place:
        raise UsageError(
            f"{place.partition('://')[0]}:// is not supported; give postgresql://, mysql://, mongodb://, opensearch:// "
            "or a data folder"
        )
    return f"{SQLITE}{Path(place) / 'corpus.db'}"
