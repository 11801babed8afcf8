"""`thresher config show`: the settings and where each comes from."""

import json
from dataclasses import asdict

import click

from thresher import config
from thresher.cli.options import data_option, loaded
from thresher.cli.terminal import show_data
from thresher.text import squeeze


@click.group("config")
def command() -> None:
    """Show the settings."""


@command.command("show")
@click.option("--origin", is_flag=True, help="Also print where each value comes from.")
@click.option("-f", "--format", "format_", type=click.Choice(["txt", "json"]), default="txt", show_default=True)
@data_option
@click.pass_context
def show(ctx: click.Context, origin: bool, format_: str, data: str | None) -> None:
    """Print every setting with its value. The output is TOML that can be used as a settings file; passwords are masked.

    A settings file with a masked password is refused: put the real one in, or name a file that contains it (store_file,
    frontier_file …).
    """
    found = loaded(ctx, data=data)
    values = {name: config.shown(name, value) for name, value in asdict(found.settings).items()}
    if format_ == "json":
        rows = {name: {"value": value, "origin": found.origin[name]} for name, value in values.items()}
        show_data(json.dumps(rows if origin else values, ensure_ascii=False, indent=2))
        return
    for name, value in sorted(values.items(), key=lambda item: isinstance(item[1], dict)):  # tables end a TOML file
        show_data(config.toml_line(name, value) + (f"  # {squeeze(found.origin[name])}" if origin else ""))
