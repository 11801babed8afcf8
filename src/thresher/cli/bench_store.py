"""`thresher bench store`."""

from itertools import islice
from pathlib import Path

import click

from thresher.cli import exits
from thresher.errors import UsageError
from thresher.lab.corpora import load, sample
from thresher.lab.store_bench import STORES, measure, measure_raw, raw_table_of, records_of, table_of


@click.command("store")
@click.argument("corpus", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--documents", type=click.IntRange(min=1), default=20_000, show_default=True, help="Pages, at most.")
@click.option("--store", "stores", type=click.Choice(STORES), multiple=True, help="Repeatable; default: all.")
@click.option("--changed", is_flag=True, help="Where there are fewer, add some of them with other letters.")
def command(corpus: tuple[Path, ...], documents: int, stores: tuple[str, ...], changed: bool) -> int:
    """Measure writes and reads per second and bytes per document of each store, next to a plain item pipeline.

    The documents are extracted from the pages of CORPUS, folders of *.jsonl.gz files; of their labels nothing is used.
    Each is saved and read by itself, raw page included. Raw pages are compared with a WARC file. A server that is not
    installed is left out.
    """
    pages = sample((page for folder in corpus for page in load(folder)), documents)
    pages.sort(key=lambda page: page.id)
    every = max(1, len(pages) // documents)
    records = records_of(list(islice(pages[::every], documents)))
    if not records:
        raise UsageError("no page of this corpus gives a document")
    raw = sum(len(record.page.body) for record in records if record.page) / len(records)
    click.echo(f"{len(records):,} real documents, {raw:,.0f} bytes of HTML each", err=True)
    click.echo(f"{raw_table_of(list(measure_raw(records)))}")
    count = documents if changed else len(records)
    measured = list(measure(stores or STORES, records, count, lambda words: click.echo(words, err=True)))
    click.echo(f"{count:,} documents, {len(records):,} of them as they are\n\n{table_of(measured)}")
    return exits.DONE
