"""`thresher bench listings`."""

from pathlib import Path

import click

from thresher.cli import exits
from thresher.lab.listings import fitted, listings_table, load_listings, pages_table, sample_listings


@click.command("listings")
@click.argument("corpus", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--pages", "by_page", is_flag=True, help="Also show the scores of each page.")
@click.option("--fit", is_flag=True, help="Fit the weights to the first half of the pages and print the module.")
def command(corpus: tuple[Path, ...], by_page: bool, fit: bool) -> int:
    """Measure how well the links to the items of listing pages are found, without any pattern.

    Precision and recall are averaged over pages: those of the half that the weights were fitted to ("develop"), those
    of other sites ("report"), and the listings of the sample web. CORPUS is a folder of *.jsonl.gz files.
    """
    pages = load_listings(corpus)
    if fit:
        click.echo(fitted(pages), nl=False)
        return exits.DONE
    click.echo(listings_table([*pages, *sample_listings()]), nl=False)
    if by_page:
        click.echo("\n" + pages_table(pages), nl=False)
    return exits.DONE
