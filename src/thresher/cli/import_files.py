"""`thresher import`: documents and pages from files into the corpus."""

import gzip
import io
import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, BinaryIO

import click

from thresher import wiring
from thresher.archive.places import place_of
from thresher.archive.records import ENDINGS, read_records
from thresher.batch.inputs import parted
from thresher.cli import exits
from thresher.cli.options import STYLES, places_in, server_options, settings
from thresher.cli.progress import Display
from thresher.cli.terminal import counted, say
from thresher.config import Settings
from thresher.crawling import harvest
from thresher.crawling.corpus import Corpus
from thresher.crawling.importing import Imported, Importer
from thresher.crawling.pool import Pool, cores
from thresher.errors import UsageError
from thresher.model import Link, Page, RunState

LINES = (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz")


@click.command("import")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--jobs", type=click.IntRange(min=1), help="Processes that extract pages; default: one per core.")
@click.option("--progress", type=click.Choice(STYLES), default="auto", show_default=True)
@server_options
@click.pass_context
def command(ctx: click.Context, /, files: tuple[str, ...], jobs: int | None, progress: str, **flags: Any) -> int:
    """Bring documents and pages from files into the corpus, where they can be searched.

    FILE is JSON lines as `thresher export` writes them, or a WARC or ARC file whose pages are extracted as in a crawl;
    also compressed, and on s3:// or hdfs://. What is already stored under the same URL is replaced. Run an interrupted
    import again to continue it; importing a file twice adds nothing.
    """
    chosen = settings(ctx, **places_in(flags))
    for file in files:
        if not file.partition("?")[0].endswith((*LINES, *ENDINGS)):
            raise UsageError(f"{file}: give JSON lines ({', '.join(LINES)}) or an archive ({', '.join(ENDINGS)})")
        _stream(file).close()  # one that is not there is told before anything is written
    corpus = wiring.open_corpus(chosen)
    try:
        run = corpus.store.start_run(list(files), {"import": True}, datetime.now(UTC))
        state = RunState.INTERRUPTED
        try:
            results = [_import(corpus, file, run.id, chosen, jobs or cores(), progress) for file in files]
            state = RunState.FINISHED
        finally:
            corpus.index.flush()
            corpus.store.end_run(run.id, state, datetime.now(UTC))
    finally:
        corpus.close()
    return exits.DONE if any(each.documents or each.before for each in results) else exits.EMPTY


def _import(corpus: Corpus, file: str, run: int, chosen: Settings, jobs: int, progress: str) -> Imported:
    display = Display(progress, None)

    def tell(result: Imported) -> None:
        view = {"records": result.records, "documents": result.documents, "skipped": result.skipped.total()}
        display.show(view, _words, done=result.records, total=None)

    with _stream(file) as stream, display.open():
        importer = Importer(corpus, f"{file} {_size(stream)}", run, tell)
        if file.partition("?")[0].endswith(LINES):
            result = importer.lines(_lines(stream))
        else:
            result = _import_pages(importer, stream, file, chosen, jobs)
    before = f", {result.before} before" if result.before else ""
    say(f"{file}: {counted(result.documents, 'document')} of {counted(result.records, 'record')}{before}")
    if result.skipped:
        say("skipped: " + ", ".join(f"{count} {reason}" for reason, count in result.skipped.most_common(20)))
    return result


def _import_pages(importer: Importer, stream: BinaryIO, file: str, chosen: Settings, jobs: int) -> Imported:
    timeout_s, memory_bytes = chosen.extract_timeout_s, chosen.extract_memory_bytes
    probe = harvest.request(harvest.PROBE, Link(harvest.PROBE.url), None)
    pool = Pool(harvest.answer, jobs, timeout_s=timeout_s, memory_bytes=memory_bytes, probe=probe)
    try:
        return importer.pages(_pages(stream, file), pool, jobs, require_date=chosen.require_date)
    finally:
        pool.close()


def _pages(stream: BinaryIO, file: str) -> Iterator[Page | str]:
    for record in read_records(stream, file.partition("?")[0]):
        yield record.page or record.skipped or f"broken ({record.broken})"


def _lines(stream: BinaryIO) -> Iterator[Mapping[str, Any] | str]:
    plain: Any = gzip.GzipFile(fileobj=stream) if stream.read(2) == b"\x1f\x8b" else stream
    stream.seek(0)
    for number, line in enumerate(io.BufferedReader(plain) if plain is not stream else plain, start=1):
        try:
            data = json.loads(line) if line.strip() else "empty-line"
        except ValueError as error:
            data = f"line {number} is no JSON ({error})"
        yield data if isinstance(data, dict | str) else f"line {number} is no document"


def _stream(file: str) -> BinaryIO:
    folder, name = parted(file, (*LINES, *ENDINGS))
    place = place_of(folder)
    if place.size(name) is None:
        raise UsageError(f"{file} does not exist")
    return place.open(name)


def _size(stream: BinaryIO) -> int:
    size = stream.seek(0, 2)
    stream.seek(0)
    return size


def _words(view: dict[str, Any], between: str) -> str:
    documents = counted(view["documents"], "document")
    return f"{counted(view['records'], 'record')}{between}{documents}, {view['skipped']} skipped"
