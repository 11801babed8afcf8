"""Moving: a corpus is copied, table by table, from one store to another.

    source ──rows in the order of their keys──▶ target        resumed behind the last key that the target has
    source, target ──count and hash of all rows──▶ compared   nothing is called moved that was not read back

All stores have the same rows, and text sorts by its code points in each, so the order of keys is one order.
The target must be empty, or hold what an earlier attempt copied of the same source; whoever writes to either meanwhile
makes the comparison fail, which says so.
"""

import hashlib
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

from sqlalchemy import Engine, Table, create_engine, func, insert, select, text, tuple_

from thresher import sqlite
from thresher.database import foreign_errors, server_engine
from thresher.errors import BackendError, UsageError
from thresher.store.collections import SHARED, Collections, Row, key_in, primary_key, read_all
from thresher.store.keyed import KeyedStore
from thresher.store.servers import server_store
from thresher.store.sql import sqlite_engine
from thresher.store.tables import LARGE, metadata

ROWS = 500  # that are copied in one transaction
PAGES = 20  # of tables whose rows may have megabytes
TABLES: Sequence[Table] = tuple(metadata.sorted_tables)
Key = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the copy of one table is."""

    table: str
    rows: int  # that the target has of it
    hash: str = ""  # of all rows, once source and target were found to agree


class Place(Protocol):
    """Where the rows of a corpus are, or are to be."""

    @property
    def close(self) -> Callable[[], None]:
        """What closes it."""

    def batches(self, table: Table, last: Key | None = None) -> Iterator[list[Row]]:
        """Yield the rows of a table in the order of their keys, some at a time; those behind one key."""

    def put(self, table: Table, rows: list[Row]) -> None:
        """Keep new rows, all or none."""

    def last_key(self, table: Table) -> Key | None:
        """Return the highest key of a table."""

    def count(self, table: Table) -> int:
        """Count the rows of a table."""

    def go_on_counting(self) -> None:
        """Let the numbers of new runs go on behind those that were copied."""


@dataclass(frozen=True, slots=True)
class SqlPlace:
    """An SQL database with the tables of a corpus."""

    engine: Engine
    close: Callable[[], None]

    def batches(self, table: Table, last: Key | None = None) -> Iterator[list[Row]]:
        """Yield the rows of a table in the order of their keys, some at a time; those behind one key."""
        keys = list(table.primary_key)
        query = select(table).order_by(*keys).limit(_size(table))
        while True:
            # The first column alone lets every server use its index.
            rest = query if last is None else query.where(keys[0] >= last[0], tuple_(*keys) > last)
            with foreign_errors(), self.engine.connect() as connection:
                batch = [dict(row) for row in connection.execute(rest).mappings()]
            if not batch:
                return
            yield batch
            last = tuple(batch[-1][key.name] for key in keys)

    def put(self, table: Table, rows: list[Row]) -> None:
        """Keep new rows, all or none."""
        with foreign_errors(), self.engine.begin() as writing:
            writing.execute(insert(table), rows)

    def last_key(self, table: Table) -> Key | None:
        """Return the highest key of a table."""
        keys = list(table.primary_key)
        with foreign_errors(), self.engine.connect() as connection:
            found = connection.execute(select(*keys).order_by(*(key.desc() for key in keys)).limit(1)).first()
        return tuple(found) if found else None

    def count(self, table: Table) -> int:
        """Count the rows of a table."""
        with foreign_errors(), self.engine.connect() as connection:
            return connection.scalar(select(func.count()).select_from(table)) or 0

    def go_on_counting(self) -> None:
        """Let the numbers of new runs go on behind those that were copied; other databases do so by themselves."""
        if self.engine.dialect.name == "postgresql":
            numbers = (
                "SELECT setval(pg_get_serial_sequence('runs', 'id'), max(id)) FROM runs HAVING max(id) IS NOT NULL"
            )
            with foreign_errors(), self.engine.begin() as connection:
                connection.execute(text(numbers))


@dataclass(frozen=True, slots=True)
class KeyedPlace:
    """A store in a document database."""

    collections: Collections
    close: Callable[[], None]

    def batches(self, table: Table, last: Key | None = None) -> Iterator[list[Row]]:
        """Yield the rows of a table in the order of their keys, some at a time; those behind one key."""
        rows = read_all(self.collections, table, after=last or ())
        while batch := list(islice(rows, _size(table))):
            yield batch

    def put(self, table: Table, rows: list[Row]) -> None:
        """Keep new rows, all or none."""
        with self.collections.locked([SHARED]):
            self.collections.write({table.name: {key_in(table, row): row for row in rows}})

    def last_key(self, table: Table) -> Key | None:
        """Return the highest key of a table."""
        names = primary_key(table)
        order = [f"-{name}" for name in names]
        found = self.collections.find(table, order=order, limit=1, columns=names)
        return key_in(table, found[0]) if found else None

    def count(self, table: Table) -> int:
        """Count the rows of a table."""
        return self.collections.count(table).total()

    def go_on_counting(self) -> None:
        """Nothing is to be done: a new run has the number behind the highest."""


def file_place(connection: sqlite3.Connection, path: Path) -> SqlPlace:
    """Return a database file, its tables brought up to date over a connection, with connections of its own."""
    sqlite_engine(connection)
    engine = create_engine("sqlite://", creator=lambda: sqlite3.connect(path, timeout=sqlite.BUSY_TIMEOUT_S))
    return SqlPlace(engine, engine.dispose)


def server_place(url: str) -> Place:
    """Return the store of a URL, its tables brought up to date; raise BackendError where that cannot be."""
    store, close = server_store(url)
    if isinstance(store, KeyedStore):
        return KeyedPlace(store.collections, close)
    close()
    engine = server_engine(url, "moving", ())
    return SqlPlace(engine, engine.dispose)


def move(source: Place, target: Place, tables: Sequence[Table] = TABLES) -> Iterator[Progress]:
    """Copy all rows, and compare them; yield after every batch, and once more for each table when it agrees.

    Raise UsageError when the target holds something else, BackendError when the two differ in the end.
    """
    _refuse_others(source, target)
    for table in tables:
        yield from _copied(source, target, table)
    target.go_on_counting()
    for table in tables:
        ours, theirs = (_summary(place, table) for place in (source, target))
        if ours != theirs:
            raise BackendError(
                f"table {table.name} differs: {ours[0]} rows in the source, {theirs[0]} in the target; if something "
                "writes to one of them, stop it, empty the target and begin again"
            )
        yield Progress(table.name, *theirs)


def _refuse_others(source: Place, target: Place) -> None:
    """Raise UsageError when the target has a run that the source has not: it is a corpus of its own."""
    runs = metadata.tables["runs"]
    ours, theirs = (
        {(row["id"], row["started_at"]) for rows in place.batches(runs) for row in rows} for place in (source, target)
    )
    if theirs - ours:
        raise UsageError("the target holds another corpus; give an empty database")


def _copied(source: Place, target: Place, table: Table) -> Iterator[Progress]:
    rows = target.count(table)
    for batch in source.batches(table, target.last_key(table)):
        target.put(table, batch)
        rows += len(batch)
        yield Progress(table.name, rows)


def _size(table: Table) -> int:
    return PAGES if table.name in LARGE else ROWS


def _summary(place: Place, table: Table) -> tuple[int, str]:
    """Count the rows of a table and hash them, in the order of their keys."""
    digest, count = hashlib.sha256(), 0
    for batch in place.batches(table):
        count += len(batch)
        for row in batch:
            digest.update(_plain(row, table))
    return count, digest.hexdigest()


def _plain(row: Mapping[str, Any], table: Table) -> bytes:
    """Return a row as bytes, the same whichever driver read it."""
    values = []
    for column in table.columns:
        value = row[column.name]
        values.append(bytes(value).hex() if isinstance(value, bytes | bytearray | memoryview) else value)
    return repr(values).encode("utf-8", "surrogatepass")
