"""`thresher saved`: searches with names, which other queries may contain."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import click

from thresher import wiring
from thresher.api.queries import check_search
from thresher.cli import columns, exits
from thresher.cli.options import places_in, server_options, settings
from thresher.cli.terminal import say, show
from thresher.crawling.corpus import Corpus
from thresher.errors import UsageError
from thresher.model.alert import SavedSearch


@click.group("saved")
def command() -> None:
    """Keep searches under names: `saved:harbour -mooring` searches with what is saved as harbour."""


@command.command("list")
@click.option("-f", "--format", "format_", type=click.Choice(columns.FORMATS), default="txt", show_default=True)
@server_options
@click.pass_context
def list_command(ctx: click.Context, /, format_: str, **flags: Any) -> int:
    """List the saved searches."""
    with opened(ctx, flags) as corpus:
        rows = [saved_row(search) for search in corpus.alerts().saved_searches()]
    columns.show(rows, format_, empty="nothing is saved yet; `thresher saved add NAME QUERY` saves a search")
    return exits.DONE


@command.command("add")
@click.argument("name")
@click.argument("words", nargs=-1, required=True, metavar="QUERY...")
@click.option("--private", is_flag=True, help="Show it in the web pages only to its owner.")
@click.option("--replace", is_flag=True, help="Replace the saved search of this name.")
@server_options
@click.pass_context
def add_command(
    ctx: click.Context, /, name: str, words: tuple[str, ...], private: bool, replace: bool, **flags: Any
) -> int:
    """Save a search under a name."""
    search = SavedSearch(name=name, query=" ".join(words), shared=not private)
    with opened(ctx, flags) as corpus:
        check_search(corpus, search, datetime.now(UTC))
        corpus.alerts().save_search(search, replace=replace)
    say(f"saved {name}; `thresher search saved:{name}` searches with it")
    return exits.DONE


@command.command("show")
@click.argument("name")
@server_options
@click.pass_context
def show_command(ctx: click.Context, /, name: str, **flags: Any) -> int:
    """Print the query of a saved search."""
    with opened(ctx, flags) as corpus:
        show(_present(corpus, name).query)
    return exits.DONE


@command.command("rm")
@click.argument("name")
@server_options
@click.pass_context
def rm_command(ctx: click.Context, /, name: str, **flags: Any) -> int:
    """Remove a saved search. Queries that contain it no longer work."""
    with opened(ctx, flags) as corpus:
        _present(corpus, name)
        corpus.alerts().remove_search(name)
    say(f"removed {name}")
    return exits.DONE


def saved_row(search: SavedSearch) -> dict[str, Any]:
    """Return a saved search as a row of data."""
    created = search.created_at.isoformat() if search.created_at else None
    return {
        "name": search.name,
        "query": search.query,
        "owner": search.owner,
        "shared": search.shared,
        "created": created,
    }


def _present(corpus: Corpus, name: str) -> SavedSearch:
    found = corpus.alerts().saved_search(name)
    if found is None:
        raise UsageError(f"there is no saved search {name}; `thresher saved list` lists them")
    return found


@contextmanager
def opened(ctx: click.Context, flags: dict[str, Any]) -> Iterator[Corpus]:
    """Give the corpus that the flags of `server_options` name; make it where there is none yet."""
    corpus = wiring.open_corpus(settings(ctx, **places_in(flags)))
    try:
        yield corpus
    finally:
        corpus.close()
