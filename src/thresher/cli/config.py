"""`thresher config show`: the settings and where each comes from."""

import json
from dataclasses import asdict

import click

from thresher import config
from thresher.cli.options import data_option, loaded


@click.group("config")
def command() -> None:
    """Show the settings."""


@command.command("show")
@click.option("--origin", is_flag=True, help="Also say where each value comes from.")
@click.option("-f", "--format", "format_", type=click.Choice(["txt", "json"]), default="txt", show_default=True)
@data_option
@click.pass_context
def show(ctx: click.Context, origin: bool, format_: str, data: str | None) -> None:
    """Print every setting with its value; passwords are masked."""
    found = loaded(ctx, data=data)
    values = {name: config.shown(name, value) for name, value in asdict(found.settings).items()}
    if format_ == "json":
        rows = {name: {"value": text, "origin": found.origin[name]} for name, text in values.items()}
        click.echo(json.dumps(rows if origin else values, ensure_ascii=False, indent=2))
        return
    for name, text in values.items():
        click.echo(f"{name} = {text}" + (f"  # {found.origin[name]}" if origin else ""))
