"""`thresher export`: the corpus, or what a query finds in it, as files."""

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import click

from thresher import wiring
from thresher.api.corpus import Corpus
from thresher.cli import exits
from thresher.cli.options import csv_option, filter_options, places_in, query_of, server_options, settings
from thresher.cli.terminal import counted, say
from thresher.errors import UsageError
from thresher.export.contract import Posts
from thresher.export.formats import FORMATS, writer_of
from thresher.model import Document
from thresher.store.contract import Store

BATCH = 100  # documents in memory, without their posts
SUFFIXES = {".jsonl": "jsonl", ".ndjson": "jsonl", ".csv": "csv"}


@click.command("export")
@click.argument("words", nargs=-1, metavar="[QUERY]...")
@filter_options
@click.option("--fail-empty", is_flag=True, help="Exit with 4 when nothing matches.")
@click.option(
    "-f", "--format", "format_", type=click.Choice(FORMATS), help="Default: from the name of -o, otherwise jsonl."
)
@click.option(
    "-o", "--output", "path", type=click.Path(path_type=Path), help="Write to a file, or for md to a new folder."
)
@csv_option
@server_options
@click.pass_context
def command(ctx: click.Context, /, words: tuple[str, ...], path: Path | None, **flags: Any) -> int:
    """Write documents with their full text and all fields: the whole corpus, or what a query finds.

    The number of documents is not limited, and memory does not grow with it. jsonl (JSON lines) contains everything,
    including posts; csv has one row per document; md is a folder of Markdown files with front matter. A file appears
    under its name when it is complete. The number of documents and the SHA-256 are printed at the end.
    """
    chosen = settings(ctx, **places_in(flags))
    writer = writer_of(_format(flags["format_"], path), path, raw_csv=flags["raw_csv"])
    parts = wiring.open_corpus(chosen, create=False)
    with Corpus(parts) as corpus:
        query = query_of(words, flags)
        note = wiring.search_note(chosen, parts.index.count()) if query else None
        with writer:
            for document, posts in with_posts(corpus.documents(query, posts=False), parts.store):
                writer.add(document, posts)
    receipt = writer.receipt
    say(f"{counted(receipt.documents, 'document')}, sha256 {receipt.sha256}" + (f"  {path}" if path else ""))
    if note:
        say(note)
    return exits.EMPTY if flags["fail_empty"] and not receipt.documents else exits.DONE


def with_posts(documents: Iterable[Document], store: Store) -> Iterator[tuple[Document, Posts]]:
    """Give each document with what reads its posts; most have none, which is asked for many at a time."""
    coming = iter(documents)
    while batch := list(islice(coming, BATCH)):
        talked = store.with_posts([document.url for document in batch if document.url])
        for document in batch:
            yield document, partial(store.posts, document.url) if document.url in talked else tuple


def _format(given: str | None, path: Path | None) -> str:
    if given:
        return given
    if path is None or str(path) == "-":
        return "jsonl"
    if path.suffix.lower() not in SUFFIXES:
        raise UsageError(f"give -f ({', '.join(FORMATS)}): the format is not clear from the name {path.name}")
    return SUFFIXES[path.suffix.lower()]
