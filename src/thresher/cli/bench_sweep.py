"""`thresher bench sweep`."""

from pathlib import Path
from typing import Any

import click

from thresher.cli import exits, output
from thresher.cli.bench_options import Meter, Pages, corpus_options, read_options, run_options
from thresher.errors import UsageError
from thresher.lab import tables
from thresher.lab.evaluate import evaluate
from thresher.lab.summary import GROUPINGS, MACRO, summarise
from thresher.lab.sweeps import curves, extractors_for, read_range


@click.command("sweep")
@corpus_options
@run_options
@click.option("--algorithm", required=True, help="The algorithm, with other parameters if needed.")
@click.option("--parameter", "range_", required=True, help="alpha=0.1:1:0.1 (from, to, step) or window=0,1,5.")
@click.option(
    "--by", type=click.Choice(list(GROUPINGS)), default="all", show_default=True, help="Draw one curve for each."
)
@click.option("--figure", help="One of the algorithm's own figures to draw as well, such as blocks.")
@click.option("--plot", type=click.Path(path_type=Path), help="Write the curves as SVG.")
@click.pass_context
def command(ctx: click.Context, /, **flags: Any) -> int:
    """Run one algorithm with every value of one parameter, print the scores, and draw them."""
    options = read_options(ctx, flags["cache"], flags)
    parameter, values = read_range(flags["range_"])
    extractors = extractors_for(flags["algorithm"], parameter, values)
    pages = Pages(flags["corpus"], flags["datasets"], flags["limit"])
    meter = Meter(pages, len(extractors))
    with meter.open():
        results = evaluate(pages, extractors, options, meter.heard)
    rows = [row for row in summarise(results, flags["by"], set()) if row.group != MACRO]
    if flags["figure"] and not any(flags["figure"] in row.counts for row in rows):
        known = sorted({name for row in rows for name in row.counts})
        raise UsageError(f"no figure {flags['figure']!r}; {flags['algorithm']} gives {', '.join(known) or 'none'}")
    for group in dict.fromkeys(row.group for row in rows):
        click.echo(f"## {flags['algorithm']}, {parameter}: {group}\n")
        click.echo(tables.overview([row for row in rows if row.group == group], flags["figure"]))
    if flags["plot"]:
        with output.opened(flags["plot"]) as stream:
            stream.write(curves(rows, parameter, options.metrics[0], flags["figure"]))
    return exits.DONE
