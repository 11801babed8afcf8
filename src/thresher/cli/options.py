"""Options that several commands share, and the settings that they lead to."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from thresher import config

F = TypeVar("F", bound=Callable[..., Any])


def data_option(function: F) -> F:
    """Add --data; `thresher --data DIR COMMAND` and `thresher COMMAND --data DIR` are the same."""
    return click.option("--data", help="Folder of the embedded database.")(function)


def server_options(function: F) -> F:
    """Add --frontier and --store, for those who do not keep them in the settings."""
    frontier = click.option("--frontier", metavar="URL", help="Where links wait: redis://HOST:PORT/NUMBER.")
    store = click.option("--store", metavar="URL", help="Where documents are kept: postgresql://USER@HOST/DATABASE.")
    return frontier(store(data_option(function)))


def csv_option(function: F) -> F:
    """Add --raw-csv."""
    words = "Leave CSV cells that begin with = + - @ as they are, though a spreadsheet may run them."
    return click.option("--raw-csv", is_flag=True, help=words)(function)


def places_in(flags: dict[str, Any]) -> dict[str, Any]:
    """Return what the flags of `server_options` say."""
    return {name: flags[name] for name in ("data", "frontier", "store")}


def loaded(ctx: click.Context, **flags: Any) -> config.Loaded:
    """Merge flags (those that are not None) with the environment, the settings file and the defaults."""
    shared = ctx.find_root().obj or {}
    flags["data"] = flags.get("data") or shared.get("data")
    return config.load(flags, file=shared.get("config_file"))


def settings(ctx: click.Context, **flags: Any) -> config.Settings:
    """Return just the settings."""
    return loaded(ctx, **flags).settings
