"""`thresher bench copies`."""

from pathlib import Path

import click

from thresher.cli import exits
from thresher.lab.copies import TIMED_PAGES, articles_of, grouping, pairs_of, pairs_table
from thresher.lab.corpora import load, sample


@click.command("copies")
@click.argument("corpus", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--pairs/--no-pairs", default=True, help="Without: only what a store groups, and what that costs.")
def command(corpus: tuple[Path, ...], pairs: bool) -> int:
    """Measure how well copies of an article are told from other articles, and what that costs.

    Pairs are made from labelled pages by known edits; CORPUS is a folder of *.jsonl.gz files. Thresholds were chosen on
    the sites of "develop"; the result is that on those of "report". Then a store groups all articles of "report" with a
    copy of each.
    """
    pages = [page for folder in corpus for page in load(folder)]
    articles = articles_of(pages)
    click.echo(f"{len(articles):,} articles of {len({each.site for each in articles}):,} sites\n")
    if pairs:
        made_pairs, left_out = pairs_of(articles)
        click.echo(pairs_table(made_pairs))
        click.echo(f"{left_out} pairs were left out: copies that nobody labelled\n")
    made = grouping(articles, sample(pages, max(1, TIMED_PAGES // len({page.dataset for page in pages}))))
    click.echo(
        f"{made.documents:,} documents grouped by a store: precision {made.precision:.4f}, recall {made.recall:.4f}"
    )
    click.echo(
        f"CPU for a document: {made.group_ms:.2f} ms, {made.sketch_ms:.2f} ms of it for the sketch; "
        f"extraction {made.extract_ms:.2f} ms ({made.group_ms / made.extract_ms:.0%})"
    )
    return exits.DONE
