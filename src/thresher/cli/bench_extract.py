"""`thresher bench extract`."""

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import click

from thresher.cli import exits, output
from thresher.cli.bench_options import Meter, Pages, corpus_options, read_options, run_options
from thresher.lab import tables
from thresher.lab.evaluate import Options, Result
from thresher.lab.extractors import Extractor, choose, peer_names
from thresher.lab.folds import FOLDS, MIN_SITE_PAGES, PROTOCOLS
from thresher.lab.protocols import run_protocol
from thresher.lab.summary import GROUPINGS, Row, summarise


@click.command("extract")
@corpus_options
@run_options
@click.option("--algorithms", default="all", show_default=True, help="all, none, or names separated by commas.")
@click.option("--peers", is_flag=True, help="Run the peers too.")
@click.option("--protocol", type=click.Choice(PROTOCOLS), default="plain", show_default=True, help="How to train.")
@click.option(
    "--folds", type=click.IntRange(min=2), default=FOLDS, show_default=True, help="Folds of a cross-validation."
)
@click.option("--by", multiple=True, type=click.Choice(list(GROUPINGS)), help="Tables to print (repeatable).")
@click.option("--csv", "csv_file", type=click.Path(path_type=Path), help="Write every table as CSV.")
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write tables and every page's result.")
@click.pass_context
def command(ctx: click.Context, /, **flags: Any) -> int:
    """Run algorithms and peers over labelled pages, and print the quality and speed of each.

    A CORPUS is a folder of *.jsonl.gz files, or of name.html next to name.txt. Results are cached, so a second run
    computes only what is new. An extractor that raises or takes too long counts as empty output.
    """
    options = replace(read_options(ctx, flags["cache"], flags), folds=flags["folds"])
    extractors = choose(flags["algorithms"], flags["peers"])
    pages = Pages(flags["corpus"], flags["datasets"], flags["limit"])
    meter = Meter(pages, len(extractors))
    with meter.open():
        results = run_protocol(pages, extractors, flags["protocol"], options, meter.heard)
    rows = {by: summarise(results, by, peer_names(extractors)) for by in GROUPINGS}
    click.echo(_markdown(rows, flags["by"] or ("corpus", "language", "site", "engine"), options))
    every = [row for group in rows.values() for row in group]
    if flags["csv_file"]:
        with output.opened(flags["csv_file"]) as stream:
            stream.write(tables.to_csv(every))
    if flags["json_file"]:
        with output.opened(flags["json_file"]) as stream:
            json.dump(_document(every, results, extractors, options), stream, ensure_ascii=False, default=str)
    return exits.DONE


def _markdown(rows: dict[str, list[Row]], by: tuple[str, ...], options: Options) -> str:
    parts = [f"## All pages{', headline removed' if options.no_headline else ''}\n", tables.overview(rows["all"])]
    for grouping in by:
        group = rows[grouping]
        if grouping == "all" or not group:
            continue
        min_pages = MIN_SITE_PAGES if grouping == "site" else 1
        measured = [name for name in options.metrics if any(name in row.values for row in group)]
        for name in measured:
            parts += [f"## {name} by {grouping}\n", tables.matrix(group, name, min_pages)]
        parts += [f"## ms per page by {grouping} (times the fastest peer)\n", tables.times(group, min_pages)]
    return "\n".join(parts)


def _document(
    rows: list[Row], results: list[Result], extractors: list[Extractor], options: Options
) -> dict[str, object]:
    return {
        "options": asdict(options),
        "extractors": [asdict(extractor) for extractor in extractors],
        "rows": [asdict(row) for row in rows],
        "pages": [asdict(result) for result in results],
    }
