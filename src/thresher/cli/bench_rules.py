"""`thresher bench rules`."""

from typing import Any

import click

from thresher.cli import exits
from thresher.cli.bench_options import Pages, cache_folder, corpus_options
from thresher.lab.cache import Cache
from thresher.lab.folds import MIN_SITE_PAGES
from thresher.lab.protocols import rules_per_site
from thresher.lab.tables import table


@click.command("rules")
@corpus_options
@click.option("--algorithm", required=True, help="A trainable algorithm.")
@click.option(
    "--min-pages",
    type=click.IntRange(min=1),
    default=MIN_SITE_PAGES,
    show_default=True,
    help="Minimum number of pages of a site.",
)
@click.pass_context
def command(ctx: click.Context, /, **flags: Any) -> int:
    """Train an algorithm on each site alone and on all sites together, and print what it learned."""
    pages = list(Pages(flags["corpus"], flags["datasets"], flags["limit"]))
    cache = Cache(cache_folder(ctx, flags["cache"]))
    try:
        found = list(rules_per_site(pages, flags["algorithm"], cache, flags["min_pages"]))
    finally:
        cache.close()
    columns = list(dict.fromkeys(column for _, _, learned in found for column in learned))
    lines = [[site, str(count), *(learned.get(column, "") for column in columns)] for site, count, learned in found]
    click.echo(table(["site", "pages", *columns], lines))
    return exits.DONE
