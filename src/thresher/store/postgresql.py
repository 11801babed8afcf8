"""The store in PostgreSQL, which workers on many machines share."""

from collections.abc import Sequence

from sqlalchemy import Connection, Engine, text

from thresher.database import server_engine
from thresher.store import migrations
from thresher.store.sql import SqlStore


def postgresql_engine(url: str) -> Engine:
    """Return an engine with the store's tables brought up to date; raise BackendError where that cannot be."""
    return server_engine(url, "store", migrations.POSTGRESQL)


def postgresql_store(engine: Engine) -> SqlStore:
    """Return a store behind an engine; a document is read with the posts of one moment."""
    reading = engine.execution_options(isolation_level="REPEATABLE READ")
    return SqlStore(engine, look=reading.begin, alone=_wait_for, lock=_lock)


def _wait_for(connection: Connection, thread: str) -> None:
    """Wait until nobody else writes the thread: rows of two pages in another order would block each other for good."""
    number = int(thread[:16], 16) - 2**63
    connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": number})


def _lock(connection: Connection, numbers: Sequence[int]) -> None:
    """Wait until nobody else holds one of these numbers, given in order."""
    query = text("SELECT pg_advisory_xact_lock(number) FROM unnest(CAST(:numbers AS bigint[])) AS number")
    connection.execute(query, {"numbers": list(numbers)}).all()
