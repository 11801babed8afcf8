"""Moving: which tables of which databases a corpus consists of, when it is copied from one to another."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from thresher import sqlite
from thresher.catalog import tables as catalog_tables
from thresher.catalog.sql import server_catalog, sqlite_catalog
from thresher.config import DOCUMENTS, SQLITE
from thresher.errors import NothingCollected, UsageError
from thresher.store.moving import TABLES, Place, Progress, file_place, move, server_place


def move_corpus(source: str, target: str) -> Iterator[Progress]:
    """Copy a corpus with its catalog from the store of one URL to that of another, and compare them.

    A store that speaks no SQL holds no catalog, so none is copied from or to it.

    What an earlier call copied is not copied again. Raise NothingCollected when there is none, UsageError when the
    target holds another one.
    """
    if source == target:
        raise UsageError("source and target are the same")
    if source.startswith(SQLITE) and not Path(source.removeprefix(SQLITE)).exists():
        raise NothingCollected(f"there is no corpus in {source.removeprefix(SQLITE)}")
    speak_sql = not source.startswith(DOCUMENTS) and not target.startswith(DOCUMENTS)
    tables = (*TABLES, *catalog_tables.metadata.sorted_tables) if speak_sql else TABLES
    with _opened(source) as ours, _opened(target) as theirs:
        yield from move(ours, theirs, tables)


@contextmanager
def _opened(url: str) -> Iterator[Place]:
    """Open a database with the tables of store and catalog brought up to date."""
    if url.startswith(SQLITE):
        path = Path(url.removeprefix(SQLITE))
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite.connect(path)
        sqlite_catalog(connection)
        place: Place = file_place(connection, path)
        connection.close()
    else:
        if not url.startswith(DOCUMENTS):
            server_catalog(url).close()
        place = server_place(url)
    try:
        yield place
    finally:
        place.close()
