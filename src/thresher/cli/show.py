"""`thresher show`: one document of the corpus."""

from pathlib import Path
from typing import Any

import click

from thresher import wiring
from thresher.api.corpus import Corpus
from thresher.cli import exits, output
from thresher.cli.options import csv_option, places_in, server_options, settings
from thresher.cli.terminal import say


@click.command("show")
@click.argument("url")
@click.option("-f", "--format", "format_", type=click.Choice(output.FORMATS), default="md", show_default=True)
@click.option("-o", "--output", "path", type=click.Path(path_type=Path), help="Write to a file.")
@csv_option
@server_options
@click.pass_context
def command(ctx: click.Context, /, url: str, format_: str, path: Path | None, **flags: Any) -> int:
    """Print one stored document; the URL of any page of a thread prints the thread with all its posts.

    Exits with 4 if no document is stored under the URL.
    """
    with Corpus(wiring.open_corpus(settings(ctx, **places_in(flags)), create=False)) as corpus:
        document = corpus.get(url)
    if document is None:
        say(f"thresher: no document is stored under {url}; `thresher why {url}` says what happened")
        return exits.EMPTY
    with output.opened(path) as stream:
        output.write([document], format_, stream, raw_csv=flags["raw_csv"])
    return exits.DONE
