"""`thresher restore`: a backup becomes the corpus of a data folder."""

from pathlib import Path

import click

from thresher import sqlite, wiring
from thresher.cli import exits
from thresher.cli.backup import corpus_file
from thresher.cli.options import data_option, settings
from thresher.cli.terminal import counted, say
from thresher.config import Settings
from thresher.errors import UsageError

_BESIDE = ("-wal", "-shm")  # files of SQLite that belong to the database


@click.command("restore")
@click.argument("path", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--force", is_flag=True, help="Put it in the place of a corpus, which is kept aside under another name.")
@data_option
@click.pass_context
def command(ctx: click.Context, /, path: Path, force: bool, data: str | None) -> int:
    """Bring a backup back: its file becomes the corpus of the data folder.

    The file is checked and copied first. A corpus that is there already is replaced only with --force, and kept beside
    the new one as corpus.db.before; end all crawls, watches and servers on it first.
    """
    chosen = settings(ctx, data=data)
    target = corpus_file(chosen)
    if target.exists() and not force:
        raise UsageError(
            f"there is a corpus in {target.parent} already; replace it with --force, or name another --data"
        )
    if "store" not in sqlite.components(path):
        raise UsageError(f"{path} is no backup of a corpus")
    target.parent.mkdir(parents=True, exist_ok=True)
    fresh = target.with_name(f"{target.name}.new")
    sqlite.copy(path, fresh)
    try:
        documents = _count(fresh)
        _put_aside(target)
        fresh.replace(target)
    finally:
        for name in ("", *_BESIDE):
            fresh.with_name(fresh.name + name).unlink(missing_ok=True)
    say(f"{counted(documents, 'document')} in {target}")
    return exits.DONE


def _count(path: Path) -> int:
    """Open a copy as a corpus, which brings its tables up to date, and count its documents; raise BackendError."""
    corpus = wiring.open_corpus(Settings(data=str(path.parent), store=f"sqlite:///{path}"), create=False)
    try:
        return corpus.index.count()
    finally:
        corpus.close()


def _put_aside(target: Path) -> None:
    """Move a corpus with the files that belong to it out of the way."""
    if target.exists():
        before = target.with_name(f"{target.name}.before")
        sqlite.copy(target, before)
        for name in ("", *_BESIDE):
            target.with_name(target.name + name).unlink(missing_ok=True)
        say(f"the corpus that was there is now {before}")
