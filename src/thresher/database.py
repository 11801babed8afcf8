"""SQL databases as store and catalog share them: engines, how their errors become ours, and where dialects differ."""

import logging
import re
import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from sqlalchemy import (
    URL,
    Column,
    ColumnElement,
    Connection,
    Engine,
    Table,
    case,
    create_engine,
    event,
    inspect,
    make_url,
    text,
)
from sqlalchemy.dialects import mysql, postgresql, sqlite
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError, SQLAlchemyError
from sqlalchemy.pool import StaticPool
from sqlalchemy.sql import ColumnCollection
from sqlalchemy.sql.dml import Insert
from sqlalchemy.sql.visitors import iterate

from thresher.errors import BackendError, MissingExtra, Unreachable, UsageError
from thresher.sqlite import migrate

LOCK_TIMEOUT_S = 30
DEADLOCKS = 10  # in a row, of one call
# What the pools of our engines say comes with a traceback, and tells of nothing but connections that a server broke:
# whoever used one hears of it by an error, and the next one is made anew.
_POOL = "thresher"
logging.getLogger(f"sqlalchemy.pool.impl.QueuePool.{_POOL}").setLevel(logging.CRITICAL + 1)
P = ParamSpec("P")
T = TypeVar("T")
Columns = ColumnCollection[str, Any]  # of the new row, by name
Condition = Callable[[Columns], ColumnElement[bool]]

# Servers give no code with these, or none that tells them from an outage; one that says them in another language is
# taken for one that is away.
_REFUSAL = re.compile(
    r'password authentication failed|(?:database|role) "[^"]*" does not exist|no pg_hba\.conf entry|'
    r"Access denied for user|Unknown database|is not allowed to connect"
)
_INSERTS: dict[str, Callable[[Table], sqlite.Insert | postgresql.Insert]] = {
    "sqlite": sqlite.insert,
    "postgresql": postgresql.insert,
}
_DRIVERS: list[Any] = []  # DB-API modules in use: what goes wrong when a connection is given back comes as their error
_DEADLOCK_CODES = ("40P01", 1213)  # of PostgreSQL, of MySQL
_DIALECTS = (*_INSERTS, "mysql")


@dataclass(frozen=True, slots=True)
class _Server:
    """How a kind of server is reached and its tables are made."""

    name: str  # as people call it
    driver: str
    connecting: Mapping[str, Any]  # arguments of the driver; those in the URL win
    session: Sequence[str]  # statements at the beginning of each connection
    lock: str  # waits until nobody else migrates
    ledger: str  # the table of migrations
    unlock: str = ""  # where the end of the transaction does not
    options: Mapping[str, Any] = field(default_factory=dict)  # of the engine


_POSTGRESQL = _Server(
    name="PostgreSQL",
    driver="postgresql+psycopg",
    connecting={
        "application_name": "thresher",
        "client_encoding": "utf8",
        "connect_timeout": 10,  # seconds
        "keepalives_idle": 30,  # seconds; with the next three, a machine that vanished is noticed within a minute
        "keepalives_interval": 10,
        "keepalives_count": 3,
        "tcp_user_timeout": 60_000,  # milliseconds
    },
    session=(
        # A worker that was stopped in the middle of a transaction would make all others wait for the rows it wrote.
        "SET idle_in_transaction_session_timeout = '60s'",
        f"SET lock_timeout = '{LOCK_TIMEOUT_S}s'",
    ),
    lock="SELECT pg_advisory_xact_lock(8388080086031033714)",
    ledger="""
    CREATE TABLE IF NOT EXISTS migrations (
        component TEXT NOT NULL, number INTEGER NOT NULL, applied_at TIMESTAMPTZ NOT NULL DEFAULT now(),
        PRIMARY KEY (component, number)
    )
    """,
)
_MYSQL = _Server(
    name="MySQL or MariaDB",
    driver="mysql+pymysql",
    connecting={"charset": "utf8mb4", "connect_timeout": 10, "read_timeout": 60, "write_timeout": 60},  # seconds
    session=(f"SET SESSION innodb_lock_wait_timeout = {LOCK_TIMEOUT_S}",),
    lock="SELECT GET_LOCK('thresher-migrations', 60)",
    unlock="SELECT RELEASE_LOCK('thresher-migrations')",
    ledger="""
    CREATE TABLE IF NOT EXISTS migrations (
        component VARCHAR(64) NOT NULL, number INTEGER NOT NULL,
        applied_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
        PRIMARY KEY (component, number)
    ) ENGINE InnoDB
    """,
    # The default would lock gaps between rows, and workers that insert there would block each other.
    options={"isolation_level": "READ COMMITTED"},
)
_SERVERS = {"postgresql": _POSTGRESQL, "mysql": _MYSQL}
_SCHEMES = {"postgresql": "postgresql", "postgres": "postgresql", "mysql": "mysql", "mariadb": "mysql"}


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


def dialect_of(url: str) -> str:
    """Return which dialect the server of a URL speaks: postgresql or mysql; raise UsageError for another."""
    scheme = url.partition("://")[0].partition("+")[0]
    if scheme not in _SCHEMES:
        raise UsageError(f"{scheme}:// is not supported; use one of {', '.join(_SCHEMES)}")
    return _SCHEMES[scheme]


def server_engine(url: str, component: str, migrations: Sequence[str], **options: Any) -> Engine:
    """Return an engine with the component's tables brought up to date; raise BackendError where that cannot be.

    Several processes may call this at once. Connections that were lost are made anew. `options` of the engine go
    before the usual ones.
    """
    dialect = dialect_of(url)
    server = _SERVERS[dialect]
    place = _place(url, component, server, form=f"{dialect}://USER:PASSWORD@HOST:PORT/DATABASE")
    arguments = {name: value for name, value in server.connecting.items() if name not in place.query}
    try:
        options = {"pool_pre_ping": True, "pool_logging_name": _POOL, **server.options, **options}
        engine = create_engine(place, connect_args=arguments, **options)
        _DRIVERS.append(engine.dialect.dbapi)
    except ImportError as error:
        message = f"a {component} in {server.name} needs a library ({error}): pip install 'thresher[{dialect}]'"
        raise MissingExtra(message) from error
    event.listen(engine, "connect", _set_postgresql if dialect == "postgresql" else _set_mysql)
    with foreign_errors(component), engine.connect() as connection:
        _migrate(connection, server, component, migrations)
    return engine


@contextmanager
def foreign_errors(component: str = "store") -> Iterator[None]:
    """Turn the errors of SQLAlchemy, and those of the drivers that it lets through, into ours."""
    try:
        yield
    except SQLAlchemyError as error:
        cause = error.orig if isinstance(error, DBAPIError) else error
        words = " ".join(str(cause).split())
        if _is_passing(error):
            raise Unreachable(f"the {component} does not answer for now: {words}; trying again may help") from error
        raise BackendError(f"the {component} failed: {words}") from error
    except _of_drivers("Error") as error:
        words = " ".join(str(error).split())
        if isinstance(error, _of_drivers("OperationalError")):
            raise Unreachable(f"the {component} does not answer for now: {words}; trying again may help") from error
        raise BackendError(f"the {component} failed: {words}") from error


def _of_drivers(name: str) -> tuple[type[Exception], ...]:
    return tuple({getattr(driver, name) for driver in _DRIVERS})


def again_after_deadlock(method: Callable[P, T]) -> Callable[P, T]:
    """Let a method whose transaction the server broke off for the sake of another one try again, a few times."""

    @wraps(method)
    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        for _ in range(DEADLOCKS):
            try:
                return method(*args, **kwargs)
            except Unreachable as error:
                if not _is_deadlock(error.__cause__):
                    raise
        return method(*args, **kwargs)

    return call


def _is_deadlock(error: BaseException | None) -> bool:
    cause = error.orig if isinstance(error, DBAPIError) else None
    code = getattr(cause, "sqlstate", None) or (getattr(cause, "args", None) or (None,))[0]
    return code in _DEADLOCK_CODES


def upsert(
    dialect: str,
    table: Table,
    *,
    keep: Collection[str] = (),
    add: Collection[str] = (),
    where: Condition | None = None,
) -> Insert:
    """Return what inserts a row or updates the one with its primary key.

    Columns in `keep` stay as they were first, those in `add` are added to what was there. A row stays as it is where
    `where`, which is given the columns of the new row, does not hold; it may ask for one column of the old row.
    """
    changed = [column.name for column in table.columns if not column.primary_key and column.name not in keep]

    def values(new: Columns) -> dict[str, ColumnElement[Any]]:
        return {name: table.columns[name] + new[name] if name in add else new[name] for name in changed}

    return upsert_with(dialect, table, values, where=where)


def upsert_with(
    dialect: str,
    table: Table,
    values: Callable[[Columns], Mapping[str, ColumnElement[Any]]],
    *,
    where: Condition | None = None,
) -> Insert:
    """Return what inserts a row or gives columns of the one with its primary key other values.

    `values` is given the columns of the row that is not inserted. MySQL sets one column after the other: a value there
    sees what those before it have become.
    """
    if dialect not in _DIALECTS:
        raise UsageError(f"{dialect} is not supported; use one of {', '.join(_DIALECTS)}")
    if dialect == "mysql":
        return _mysql_upsert(table, values, where)
    statement = _INSERTS[dialect](table)
    return statement.on_conflict_do_update(
        index_elements=list(table.primary_key),
        set_=dict(values(statement.excluded)),
        where=where(statement.excluded) if where else None,
    )


def insert_new(dialect: str, table: Table) -> Insert:
    """Return what inserts a row unless there is one with its primary key; the result's row count says which."""
    if dialect == "mysql":
        statement: Insert = mysql.insert(table).prefix_with("IGNORE")
    else:
        statement = _INSERTS[dialect](table).on_conflict_do_nothing()
    return statement.execution_options(preserve_rowcount=True)


def _mysql_upsert(
    table: Table, values: Callable[[Columns], Mapping[str, ColumnElement[Any]]], where: Condition | None
) -> Insert:
    """Return an upsert that sets the column on which its condition depends last: the others need to see the old one."""
    statement = mysql.insert(table)
    changed = dict(values(statement.inserted))
    if where is None:
        return statement.on_duplicate_key_update(list(changed.items()))
    holds = where(statement.inserted)
    asked = {column.name for column in iterate(holds) if isinstance(column, Column) and column.table is table}
    ordered = sorted(changed, key=asked.__contains__)
    return statement.on_duplicate_key_update(
        [(name, case((holds, changed[name]), else_=table.columns[name])) for name in ordered]
    )


def _place(url: str, component: str, server: _Server, *, form: str) -> URL:
    try:
        return make_url(url).set(drivername=server.driver)
    except (ArgumentError, ValueError) as error:  # says nothing of the URL, which may hold a password
        raise UsageError(f"{component}: not a URL of the form {form}") from error


def _set_postgresql(connection: Any, _record: object) -> None:
    connection.autocommit = True
    for statement in _POSTGRESQL.session:
        connection.execute(statement)
    connection.autocommit = False


def _set_mysql(connection: Any, _record: object) -> None:
    with connection.cursor() as cursor:
        for statement in _MYSQL.session:
            cursor.execute(statement)


def _migrate(connection: Connection, server: _Server, component: str, migrations: Sequence[str]) -> None:
    if server is _POSTGRESQL:
        encoding = connection.scalar(text("SHOW server_encoding"))
        if encoding != "UTF8":
            raise BackendError(f"the {component} keeps text as {encoding}; create its database with ENCODING 'UTF8'")
    if _applied(connection, component) == len(migrations):
        return
    connection.execute(text(server.lock))
    try:
        connection.execute(text(server.ledger))
        _apply(connection, component, migrations)
        connection.commit()  # before another process that waits for the lock looks what is missing
    finally:
        if server.unlock:
            connection.execute(text(server.unlock))


def _apply(connection: Connection, component: str, migrations: Sequence[str]) -> None:
    """Run the scripts that are missing; in MySQL each statement is final, so scripts can be run again."""
    applied, known = _applied(connection, component), len(migrations)
    if applied > known:
        raise BackendError(
            f"the {component} was written by a newer version: it is at step {applied}, this version knows {known}; "
            "upgrade thresher"
        )
    insert = text("INSERT INTO migrations (component, number) VALUES (:component, :number)")
    for number, script in enumerate(migrations[applied:], start=applied + 1):
        for statement in filter(str.strip, script.split(";")):
            connection.execute(text(statement))
        connection.execute(insert, {"component": component, "number": number})


def _applied(connection: Connection, component: str) -> int:
    if not inspect(connection).has_table("migrations"):
        return 0
    query = text("SELECT coalesce(max(number), 0) FROM migrations WHERE component = :component")
    return int(connection.scalar(query, {"component": component}) or 0)


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

    def create_function(self, *_: Any, **__: Any) -> None:
        """Leave out SQLAlchemy's REGEXP, which no query uses: it cannot be made again while anything is read."""
