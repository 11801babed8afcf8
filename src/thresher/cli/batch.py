"""`thresher batch`: work on whole archives."""

import click

from thresher.cli import batch_extract


@click.group("batch")
def command() -> None:
    """Work on archives of the web: WARC and ARC files, and folders of saved pages."""


command.add_command(batch_extract.command)
