"""Engines: how the store reaches its database, and how the database's errors become ours."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Engine, create_engine
from sqlalchemy.exc import DBAPIError, OperationalError, SQLAlchemyError
from sqlalchemy.pool import StaticPool

from thresher.errors import BackendError, Unreachable
from thresher.sqlite import migrate
from thresher.store import migrations

# PostgreSQL gives no code with these; a server that says them in another language is taken for one that is away.
_REFUSAL = re.compile(r'password authentication failed|(?:database|role) "[^"]*" does not exist|no pg_hba\.conf entry')


def sqlite_engine(connection: sqlite3.Connection) -> Engine:
    """Return an engine over a connection that others use too, the store's tables brought up to date.

    It neither begins nor ends transactions: they belong to the connection's owner.
    """
    migrate(connection, "store", migrations.SQLITE)
    return create_engine(
        "sqlite://",
        creator=lambda: _Borrowed(connection),
        poolclass=StaticPool,
        pool_reset_on_return=None,
        isolation_level="AUTOCOMMIT",
    )


@contextmanager
def foreign_errors() -> Iterator[None]:
    """Turn the errors of SQLAlchemy and the drivers into ours."""
    try:
        yield
    except SQLAlchemyError as error:
        cause = error.orig if isinstance(error, DBAPIError) else error
        words = " ".join(str(cause).split())
        if _is_passing(error):
            raise Unreachable(f"the store does not answer for now: {words}; trying again may help") from error
        raise BackendError(f"the store failed: {words}") from error


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
