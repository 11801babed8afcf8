"""The store in PostgreSQL, which workers on many machines share."""

from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError

from thresher.database import foreign_errors
from thresher.errors import BackendError, MissingExtra, UsageError
from thresher.store import migrations
from thresher.store.sql import SqlStore

_CONNECTING = {
    "application_name": "thresher",
    "client_encoding": "utf8",
    "connect_timeout": 10,  # seconds
    "keepalives_idle": 30,  # seconds; with the next three, a machine that vanished is noticed within a minute
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 60_000,  # milliseconds
}
_SESSION = (
    # A worker that was stopped in the middle of a transaction would make all others wait for the rows it wrote.
    "SET idle_in_transaction_session_timeout = '60s'",
    "SET lock_timeout = '30s'",
)
_ONE_AT_A_TIME = 0x7468726573686572  # whoever migrates holds this advisory lock
_LEDGER = """
CREATE TABLE IF NOT EXISTS migrations (
    component TEXT NOT NULL, number INTEGER NOT NULL, applied_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    PRIMARY KEY (component, number)
)
"""


def postgresql_engine(url: str) -> Engine:
    """Return an engine with the store's tables brought up to date; raise BackendError where that cannot be.

    Several workers may call this at once. Connections that were lost are made anew.
    """
    place = _place(url)
    arguments = {name: value for name, value in _CONNECTING.items() if name not in place.query}
    try:
        engine = create_engine(place, connect_args=arguments, pool_pre_ping=True)
    except ImportError as error:
        message = f"a store in PostgreSQL needs a library ({error}): pip install 'thresher[postgresql]'"
        raise MissingExtra(message) from error
    event.listen(engine, "connect", _set_session)
    with foreign_errors(), engine.begin() as connection:
        _migrate(connection)
    return engine


def postgresql_store(engine: Engine) -> SqlStore:
    """Return a store behind an engine; a document is read with the posts of one moment."""
    reading = engine.execution_options(isolation_level="REPEATABLE READ")
    return SqlStore(engine, look=reading.begin, alone=_wait_for)


def _place(url: str) -> URL:
    try:
        return make_url(url).set(drivername="postgresql+psycopg")
    except (ArgumentError, ValueError) as error:  # says nothing of the URL, which may hold a password
        raise UsageError("store: not a URL of the form postgresql://USER:PASSWORD@HOST:PORT/DATABASE") from error


def _set_session(connection: Any, _record: object) -> None:
    connection.autocommit = True
    for statement in _SESSION:
        connection.execute(statement)
    connection.autocommit = False


def _wait_for(connection: Connection, thread: str) -> None:
    """Wait until nobody else writes the thread: rows of two pages in another order would block each other for good."""
    number = int(thread[:16], 16) - 2**63
    connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": number})


def _migrate(connection: Connection) -> None:
    encoding = connection.scalar(text("SHOW server_encoding"))
    if encoding != "UTF8":
        raise BackendError(f"the store keeps text as {encoding}; create its database with ENCODING 'UTF8'")
    known = len(migrations.POSTGRESQL)
    if _applied(connection) == known:
        return
    connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": _ONE_AT_A_TIME})
    connection.execute(text(_LEDGER))
    applied = _applied(connection)
    if applied > known:
        raise BackendError(
            f"the store was written by a newer version: it is at step {applied}, this version knows {known}; "
            "upgrade thresher"
        )
    for number, script in enumerate(migrations.POSTGRESQL[applied:], start=applied + 1):
        for statement in filter(str.strip, script.split(";")):
            connection.execute(text(statement))
        row = {"number": number}
        connection.execute(text("INSERT INTO migrations (component, number) VALUES ('store', :number)"), row)


def _applied(connection: Connection) -> int:
    if connection.scalar(text("SELECT to_regclass('migrations')")) is None:
        return 0
    query = "SELECT coalesce(max(number), 0) FROM migrations WHERE component = 'store'"
    return int(connection.scalar(text(query)) or 0)
