"""`thresher init`: a settings file to start from."""

from pathlib import Path

import click

from thresher import config
from thresher.cli.terminal import say
from thresher.errors import UsageError


@click.command("init")
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
@click.argument("path", type=click.Path(path_type=Path), default=Path(config.FILE_NAME))
def command(path: Path, force: bool) -> None:
    """Write a settings file that explains every setting (default: thresher.toml)."""
    if path.exists() and not force:
        raise UsageError(f"{path} already exists; --force overwrites it")
    try:
        path.write_text(config.template(), "utf-8")
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from error
    say(f"wrote {path}; uncomment what you want to change")
