"""`thresher version`: which one this is."""

import platform

import click

from thresher import __version__
from thresher.cli.terminal import show
from thresher.extraction.compiled import compiled_line


@click.command("version")
def command() -> None:
    """Print the versions of Thresher and Python, and whether the compiled parts are in use."""
    show(f"thresher {__version__} (Python {platform.python_version()}); compiled parts: {compiled_line()}")
