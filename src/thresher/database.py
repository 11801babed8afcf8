"""SQL databases as store and catalog share them: engines, how their errors become ours, and where dialects differ."""

import re
import sqlite3
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import ColumnElement, Engine, Table, create_engine
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, OperationalError, SQLAlchemyError
from sqlalchemy.pool import StaticPool
from sqlalchemy.sql.dml import Insert

from thresher.errors import BackendError, Unreachable, UsageError
from thresher.sqlite import migrate

# PostgreSQL gives no code with these; a server that says them in another language is taken for one that is away.
_REFUSAL = re.compile(r'password authentication failed|(?:database|role) "[^"]*" does not exist|no pg_hba\.conf entry')
_INSERTS: dict[str, Callable[[Table], sqlite.Insert | postgresql.Insert]] = {
    "sqlite": sqlite.insert,
    "postgresql": postgresql.insert,
}


def borrowing_engine(connection: sqlite3.Connection, component: str, migrations: Sequence[str]) -> Engine:
    """Return an engine over a connection that others use too, the component's tables brought up to date.

    It neither begins nor ends transactions: they belong to the connection's owner.
    """
    migrate(connection, component, migrations)
    return create_engine(
        "sqlite://",
        creator=lambda: _Borrowed(connection),
        poolclass=StaticPool,
        pool_reset_on_return=None,
        isolation_level="AUTOCOMMIT",
    )


@contextmanager
def foreign_errors(component: str = "store") -> Iterator[None]:
    """Turn the errors of SQLAlchemy and the drivers into ours."""
    try:
        yield
    except SQLAlchemyError as error:
        cause = error.orig if isinstance(error, DBAPIError) else error
        words = " ".join(str(cause).split())
        if _is_passing(error):
            raise Unreachable(f"the {component} does not answer for now: {words}; trying again may help") from error
        raise BackendError(f"the {component} failed: {words}") from error


def upsert(
    dialect: str,
    table: Table,
    *,
    keep: Collection[str] = (),
    add: Collection[str] = (),
    where: ColumnElement[bool] | None = None,
) -> Insert:
    """Return what inserts a row or updates the one with its primary key.

    Columns in `keep` stay as they were first, those in `add` are added to what was there; with `where`, a row that does
    not satisfy it stays as it is.
    """
    if dialect not in _INSERTS:
        raise UsageError(f"store: {dialect} is not supported; use one of {', '.join(_INSERTS)}")
    statement = _INSERTS[dialect](table)
    changed = [column.name for column in table.columns if not column.primary_key and column.name not in keep]
    return statement.on_conflict_do_update(
        index_elements=list(table.primary_key),
        set_={
            name: table.columns[name] + statement.excluded[name] if name in add else statement.excluded[name]
            for name in changed
        },
        where=where,
    )


def insert_new(dialect: str, table: Table) -> Insert:
    """Return what inserts a row unless there is one with its primary key; the result's row count says which."""
    return _INSERTS[dialect](table).on_conflict_do_nothing()


def _is_passing(error: SQLAlchemyError) -> bool:
    """Say whether it is a server's outage or congestion: no connection, a lost one, no room, a lock not granted."""
    if not isinstance(error, DBAPIError) or isinstance(error.orig, sqlite3.Error):
        return False
    if _REFUSAL.search(str(error.orig)):
        return False
    return isinstance(error, OperationalError) or error.connection_invalidated


class _Borrowed:
    """A connection that cannot be committed, rolled back or closed: SQLAlchemy does so even in its autocommit mode."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)

    def commit(self) -> None:
        """Leave it to the owner."""

    rollback = close = commit
