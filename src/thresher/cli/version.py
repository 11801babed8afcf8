"""`thresher version`: which one this is."""

import platform

import click

from thresher import __version__


@click.command("version")
def command() -> None:
    """Print the version of thresher and of Python."""
    click.echo(f"thresher {__version__} (Python {platform.python_version()})")
