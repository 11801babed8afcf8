"""`thresher bench memory`."""

from collections.abc import Sequence
from itertools import chain
from pathlib import Path

import click

from thresher.cli import exits
from thresher.errors import UsageError
from thresher.lab import corpora
from thresher.lab.memory import Remembered, f1_of, measure_site, sites_of
from thresher.lab.tables import table

EVEN = 0.0005  # a smaller difference of a page's F1 is none


@click.command("memory")
@click.argument("corpus", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--dataset", "datasets", multiple=True, help="Only pages of this dataset (repeatable).")
@click.option("--min-pages", type=click.IntRange(min=2), default=10, show_default=True, help="Pages a site needs.")
@click.option("--limit", type=click.IntRange(min=2), help="Maximum number of pages of each site.")
@click.option("--no-headline", is_flag=True, help="Drop the headline from both sides before comparing.")
def command(
    corpus: tuple[Path, ...], datasets: tuple[str, ...], min_pages: int, limit: int | None, no_headline: bool
) -> int:
    """Measure what is gained by knowing the other pages of a site: shingles F1 of each page with and without them."""
    pages = corpora.select(chain.from_iterable(corpora.load(path) for path in corpus), datasets)
    sites = sites_of(pages, min_pages)
    if not sites:
        raise UsageError(f"no site has {min_pages} pages; name another corpus or a lower --min-pages")
    results = [measure_site(site[:limit], no_headline=no_headline) for site in sites]
    lines = [_line(f"{site[0].dataset} {site[0].site}", site) for site in results]
    for dataset in dict.fromkeys(site[0].dataset for site in results):
        of = [result for site in results for result in site if result.dataset == dataset]
        lines.append(_line(f"**{dataset}**", of))
    lines.append(_line("**all**", [result for site in results for result in site]))
    click.echo(table(["site", "pages", "alone", "with memory", "gain", "better", "worse"], lines))
    return exits.DONE


def _line(name: str, results: Sequence[Remembered]) -> list[str]:
    alone = f1_of([result.alone for result in results])
    together = f1_of([result.together for result in results])
    gains = [f1_of([result.together]) - f1_of([result.alone]) for result in results]
    better = sum(gain > EVEN for gain in gains)
    worse = sum(gain < -EVEN for gain in gains)
    figures = [f"{alone:.4f}", f"{together:.4f}", f"{together - alone:+.4f}"]
    return [name, str(len(results)), *figures, str(better), str(worse)]
