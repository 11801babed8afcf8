"""What the commands about sources share: their flags, the catalog they open, and how sources are looked up."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import click

from thresher import config, wiring
from thresher.catalog.contract import Catalog
from thresher.cli import columns
from thresher.cli.options import request_options, requests_in, settings
from thresher.errors import UsageError
from thresher.model import Source

F = TypeVar("F", bound=Callable[..., Any])


def formatted(function: F) -> F:
    """Add -f."""
    choice = click.Choice(columns.FORMATS)
    return click.option("-f", "--format", "format_", type=choice, default="txt", show_default=True)(function)


def object_formatted(function: F) -> F:
    choice = click.Choice(["txt", "json"])
    return click.option("-f", "--format", "format_", type=choice, default="txt", show_default=True)(function)


def definition_options(function: F) -> F:
    """Add the flags that define a source."""
    options = (
        click.option("--tag", multiple=True, help="A word to find it by (repeatable)."),
        click.option("--channel", help="news, blog, forum, or any word."),
        click.option("--include", multiple=True, metavar="REGEX", help="Follow only URLs that match (repeatable)."),
        click.option("--exclude", multiple=True, metavar="REGEX", help="Never follow URLs that match (repeatable)."),
        click.option("--every", metavar="TIME", help="adaptive (default), 15m, 2h, 1d, or a quoted cron line (UTC)."),
        click.option("--lang", help="Language, e.g. zh."),
        click.option("--limit", type=click.IntRange(min=0), help="New documents a day, at most."),
        click.option("--since", metavar="DATE", help="Nothing published before this date (2026-11-01)."),
    )
    for option in reversed(options):
        function = option(function)
    return function


def fetch_options(function: F) -> F:
    """Add what requests need."""
    address = click.option(
        "--allow-address", "allowed_addresses", multiple=True, help="Private address or network to allow (repeatable)."
    )
    return address(request_options(function))


@contextmanager
def catalog_in(ctx: click.Context, flags: Mapping[str, Any], *, create: bool = False) -> Iterator[Catalog]:
    """Open the catalog that the flags and settings name, and close it in the end."""
    catalog = wiring.open_catalog(settings(ctx, **catalog_places(flags)), create=create)
    try:
        yield catalog
    finally:
        catalog.close()


def catalog_places(flags: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the flags of `catalog_options` say."""
    return {name: flags[name] for name in ("data", "store", "catalog")}


def fetching_settings(ctx: click.Context, flags: dict[str, Any], wanted: Sequence[str]) -> config.Settings:
    """Return the settings to fetch some URLs with."""
    addresses = flags["allowed_addresses"] or None
    return settings(ctx, allowed_addresses=addresses, **catalog_places(flags), **requests_in(ctx, flags, wanted))


def known_source(catalog: Catalog, name: str) -> Source:
    """Look a source up; raise UsageError when there is none."""
    source = catalog.source(name)
    if source is None:
        raise UsageError(f"there is no source {name}; `thresher sources list` lists them all")
    return source
