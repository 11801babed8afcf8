"""`thresher export`: the corpus, or what a query finds in it, as files."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import click

from thresher import wiring
from thresher.api.corpus import Corpus
from thresher.archive.destination import ArchiveDestination
from thresher.archive.documents import FORMATS as ARCHIVES
from thresher.archive.places import is_url
from thresher.cli import exits
from thresher.cli.options import csv_option, filter_options, places_in, query_of, server_options, settings
from thresher.cli.terminal import counted, say
from thresher.errors import UsageError
from thresher.export.card import Card
from thresher.export.contract import Posts, Receipt, Writer
from thresher.export.formats import FORMATS, kept_for, writer_of
from thresher.export.partial import Partial
from thresher.export.warc import WarcFile
from thresher.model import Document, Page
from thresher.store.contract import Store
from thresher.urls.secrets import masked

BATCH = 100  # documents in memory, without their posts
SEGMENT = 2_000  # changes that are committed to an archive together
SUFFIXES = {".jsonl": "jsonl", ".ndjson": "jsonl", ".csv": "csv", ".parquet": "parquet", ".warc.gz": "warc"}
ALL = (*FORMATS, "warc")
T = TypeVar("T", Document, Page)


@click.command("export")
@click.argument("words", nargs=-1, metavar="[QUERY]...")
@filter_options
@click.option("--fail-empty", is_flag=True, help="Exit with 4 when nothing matches.")
@click.option(
    "-f", "--format", "format_", type=click.Choice(ALL), help="Default: from the name of -o, otherwise jsonl."
)
@click.option("-o", "--output", "path", metavar="PLACE", help="Write to a file; for md to a new folder.")
@click.option("--archive", is_flag=True, help="Append what is new to an archive: a folder, s3:// or hdfs:// in -o.")
@click.option("--resume", is_flag=True, help="Continue an interrupted export.")
@click.option(
    "--min-confidence",
    type=click.FloatRange(0, 1),
    default=0.0,
    help="Only documents whose text is right with this probability.",
)
@click.option("--no-card", is_flag=True, help="Write no data card beside the file.")
@csv_option
@server_options
@click.pass_context
def command(ctx: click.Context, /, words: tuple[str, ...], path: str | None, **flags: Any) -> int:
    """Write documents with their full text and all fields: the whole corpus, or what a query finds.

    The number of documents is not limited, and memory does not grow with it. jsonl (JSON lines) contains everything,
    including posts, and so does parquet (with the extra `parquet`); csv has one row per document; md is a folder of
    Markdown files with front matter; warc has the raw pages. A file appears under its name when it is complete. The
    number of documents and the SHA-256 are printed at the end, and a data card is written beside the file: query,
    dates, sites, sources, version, notes on licences.

    With --archive, documents (parquet, jsonl) or pages (warc) are appended to an archive that other programs read;
    running it again appends what has changed since.
    """
    chosen = settings(ctx, **places_in(flags))
    parts = wiring.open_corpus(chosen, create=False)
    with Corpus(parts) as corpus:
        query = query_of(words, flags)
        if flags["archive"] or (path and is_url(path)):
            return _append(parts.store, query, path, flags)
        target = None if path in (None, "-") else Path(str(path))
        format_ = _format(flags["format_"], target)
        card = Card(query, format_)
        least = flags["min_confidence"]
        if least and format_ == "warc":
            raise UsageError("--min-confidence is for documents, and warc has pages")
        if flags["resume"] and not target:
            raise UsageError("--resume goes with -o PLACE")
        kept = kept_for(target, f"{query or '*'} as {format_}, {flags['raw_csv']}, {least}", resume=flags["resume"])
        if format_ == "warc":
            receipt = _write_pages(corpus, parts.store, query, card, kept, WarcFile(target, kept))
        else:
            writer = writer_of(format_, target, raw_csv=flags["raw_csv"], kept=kept)
            receipt = _write_documents(corpus, parts.store, query, card, kept, writer, least)
        note = wiring.search_note(chosen, parts.index.count()) if query else None
    what = counted(receipt.documents, "page" if format_ == "warc" else "document")
    say(f"{what}, sha256 {receipt.sha256}" + (f"  {target}" if target else ""))
    if target and not flags["no_card"] and (target.is_file() or target.is_dir()):
        say(f"data card  {card.write(target, receipt.sha256)}")
    if note:
        say(note)
    return exits.EMPTY if flags["fail_empty"] and not receipt.documents else exits.DONE


def _write_documents(
    corpus: Corpus, store: Store, query: str, card: Card, kept: Partial | None, writer: Writer, least: float
) -> Receipt:
    def coming() -> Iterator[Document]:
        for document in corpus.documents(query, posts=False):
            if document.chance_of("text") >= least:
                card.count(document)
                yield document

    rest = _rest(kept, coming, card)
    with _writing(kept), writer:
        for document, posts in with_posts(rest, store):
            writer.add(document, posts)
    return writer.receipt


def _write_pages(
    corpus: Corpus, store: Store, query: str, card: Card, kept: Partial | None, writer: WarcFile
) -> Receipt:
    rest = _rest(kept, lambda: _pages(corpus, store, query, card), card)
    with _writing(kept), writer:
        for page in rest:
            writer.add(page)
    return writer.receipt


@contextmanager
def _writing(kept: Partial | None) -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        if kept:
            say("interrupted; the same command with --resume continues")
        raise


def _rest(kept: Partial | None, coming: Callable[[], Iterator[T]], card: Card) -> Iterator[T]:
    """Return what an earlier attempt has not written; everything, if what it has written is not the beginning now."""
    everything = coming()
    if kept is None or not kept.begin.documents:
        return everything
    last = deque(islice(everything, kept.begin.documents), maxlen=1)
    if last and last[0].url == kept.begin.last:
        say(f"going on after {kept.begin.documents:,}")
        return everything
    say("the corpus has changed since this export was interrupted: it starts over")
    kept.restart()
    card.clear()
    return coming()


def _pages(corpus: Corpus, store: Store, query: str, card: Card) -> Iterator[Page]:
    """Yield the raw pages of the corpus, each as it was fetched last; with a query, those of the documents found."""
    if not query:
        for run in reversed(store.runs()):
            for visit in store.visits(run.id):
                if visit.page and visit.page_run == run.id and visit.page.body:
                    yield visit.page
        for document in corpus.documents(posts=False):
            card.count(document)
        return
    for document in corpus.documents(query, posts=False):
        card.count(document)
        if document.url:
            urls = dict.fromkeys([document.url, *store.article_pages([document.url])])
            yield from (page for page in map(store.page, urls) if page)


def _append(store: Store, query: str, place: str | None, flags: dict[str, Any]) -> int:
    """Append what has changed since the last time to an archive."""
    if query or flags["resume"] or flags["min_confidence"] or not place:
        raise UsageError("an archive takes the whole corpus: give --archive and -o PLACE, without a query or --resume")
    format_ = flags["format_"] or "parquet"
    if format_ not in ARCHIVES:
        raise UsageError(f"an archive is one of {', '.join(ARCHIVES)}, not {format_}")
    mark = "&" if "?" in place else "?"
    destination = ArchiveDestination(f"{place}{mark}format={format_}", "export")
    after, total = destination.cursor, 0
    while changes := store.changes(after, limit=SEGMENT):
        destination.deliver([change for change in changes if not change.is_damaged], store.page)
        after = changes[-1].number
        total += len(changes)
    say(f"{counted(total, 'document')} appended  {masked(place)}" if total else f"nothing is new  {masked(place)}")
    return exits.DONE


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
    if path is None:
        return "jsonl"
    for suffix, format_ in SUFFIXES.items():
        if path.name.lower().endswith(suffix):
            return format_
    raise UsageError(f"give -f ({', '.join(ALL)}): the format is not clear from the name {path.name}")
