"""Databases of every earlier version: their tables become those of a new one, and keep what they held."""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, MetaData, Table, create_engine, inspect, text

from tests.servers import Server, new_mariadb_database, new_schema
from thresher import sqlite
from thresher.catalog import alert_tables, sql_accounts
from thresher.catalog import tables as catalog_tables
from thresher.database import server_engine
from thresher.frontier.steps import schema as frontier
from thresher.index import backlog, postgresql, sqlite_tables
from thresher.index.sqlite import SqliteIndex
from thresher.store import migrations, mysql
from thresher.store.mysql import mysql_store
from thresher.store.packing import Packer
from thresher.store.sql import SqlStore
from thresher.urls import key_of

SQLITE: dict[str, Sequence[str]] = {
    "store": migrations.SQLITE,
    "catalog": catalog_tables.migrations("sqlite"),
    sql_accounts.COMPONENT: sql_accounts.migrations("sqlite"),
    alert_tables.COMPONENT: alert_tables.migrations("sqlite"),
    "frontier": frontier.MIGRATIONS,
    "index": sqlite_tables.MIGRATIONS,
    "backlog": backlog.SQLITE,
}
SERVERS: dict[tuple[str, str], Sequence[str]] = {
    ("postgresql", "store"): migrations.POSTGRESQL,
    ("postgresql", "index"): postgresql.MIGRATIONS,
    ("mysql", "store"): mysql.MIGRATIONS,
    **{
        (dialect, component): scripts
        for dialect in ("postgresql", "mysql")
        for component, scripts in (
            ("catalog", catalog_tables.migrations(dialect)),
            (sql_accounts.COMPONENT, sql_accounts.migrations(dialect)),
            (alert_tables.COMPONENT, alert_tables.migrations(dialect)),
            ("backlog", backlog.SERVERS[dialect]),
        )
    },
}
REBUILT = "index"  # its entries may go: it is rebuilt from the store
URL, BODY, TIME = "https://example.com/a", b"as it was", "2026-11-20T12:00:00.000000+00:00"
_NUMBERS = count(1)


@dataclass(frozen=True, slots=True)
class Place:
    """An empty database, and how it is brought to a version."""

    migrate: Callable[[Sequence[str]], Engine]


@pytest.fixture(params=["first and last", pytest.param("every", marks=pytest.mark.long)])
def some(request: pytest.FixtureRequest) -> Callable[[Sequence[str]], Sequence[int]]:
    """Which earlier versions are tried, given the scripts."""
    if request.param == "every":
        return lambda scripts: range(1, len(scripts))
    return lambda scripts: sorted({1, len(scripts) - 1} - {0, len(scripts)})


@pytest.fixture(params=sorted(SERVERS), ids="-".join)
def on_server(request: pytest.FixtureRequest) -> tuple[str, Sequence[str], Callable[[], Place]]:
    dialect, component = request.param
    process: Server = request.getfixturevalue("postgres_process" if dialect == "postgresql" else "mariadb_process")

    def new() -> Place:
        name = f"migrated_{next(_NUMBERS)}"
        url = new_schema(process, name) if dialect == "postgresql" else new_mariadb_database(process, name)
        return Place(lambda scripts: server_engine(url, component, scripts))

    return component, SERVERS[request.param], new


@pytest.mark.parametrize("component", SQLITE)
def test_a_file_of_any_earlier_version_is_brought_up_to_date(component: str, tmp_path: Path) -> None:
    scripts = SQLITE[component]
    check(component, scripts, lambda: file(tmp_path / f"{next(_NUMBERS)}.db", component), range(1, len(scripts)))


def file(path: Path, component: str) -> Place:
    def migrate(scripts: Sequence[str]) -> Engine:
        connection = sqlite.connect(path)
        sqlite.migrate(connection, component, scripts)
        connection.close()
        return create_engine("sqlite://", creator=lambda: sqlite3.connect(path))

    return Place(migrate)


def test_a_server_of_any_earlier_version_is_brought_up_to_date(
    on_server: tuple[str, Sequence[str], Callable[[], Place]], some: Callable[[Sequence[str]], Sequence[int]]
) -> None:
    check(*on_server, some(on_server[1]))


def check(component: str, scripts: Sequence[str], new: Callable[[], Place], versions: Sequence[int]) -> None:
    """Fill the tables of some versions with a row each, bring them up to date, and compare."""
    fresh = new().migrate(scripts)
    wanted = shape(fresh)
    fresh.dispose()
    for version in versions:
        place = new()
        old = place.migrate(scripts[:version])
        before = filled(old)
        old.dispose()
        now = place.migrate(scripts)
        assert shape(now) == wanted, f"{component}, version {version}"
        after = contents(now)
        for name, rows in before.items() if component != REBUILT else ():
            for row in rows:
                assert any(same(row, found, name) for found in after[name]), f"{component} {version} {name}: {row}"
        if component == "store":
            reads_its_page(SqlStore(now))
        now.dispose()


def same(row: dict[str, Any], found: dict[str, Any], table: str) -> bool:
    """Say whether a row has all values of an earlier one, where its columns still are."""
    moved = {"body"} if table == "pages" else set()
    return all(found[name] == value for name, value in row.items() if name in found and name not in moved)


def plain_tables(engine: Engine) -> Iterator[Table]:
    """Yield the tables of a component, those of full-text indexes aside."""
    metadata = MetaData()
    metadata.reflect(engine)
    virtual: list[str] = []
    if engine.dialect.name == "sqlite":
        with engine.connect() as connection:
            query = "SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL%'"
            virtual = list(connection.scalars(text(query)))
    for table in metadata.sorted_tables:
        if table.name != "migrations" and not any(table.name.startswith(name) for name in virtual):
            yield table


def filled(engine: Engine) -> dict[str, list[dict[str, Any]]]:
    """Put a row into each empty table, and return what all of them hold."""
    with engine.begin() as connection:
        for table in plain_tables(engine):
            if not connection.execute(table.select().limit(1)).first():
                values = {c.name: value_of(c.type, table.name, c.name) for c in table.columns if c.computed is None}
                connection.execute(table.insert(), values)
    return contents(engine)


def value_of(type_: Any, table: str, column: str) -> Any:
    """Return a value that a column takes; the body of a page is one that the store can read."""
    kind = type_.python_type
    if kind is bytes:
        return Packer().pack(BODY) if (table, column) == ("pages", "body") else Packer().pack_json({})
    if kind in (str, object):  # the latter: PostgreSQL's words
        return {"key": key_of(URL), "url": URL, "headers": "{}", "fetched_at": TIME}.get(column, "1")
    return None if kind in (date, datetime) else kind(200 if column == "status" else 1)


def contents(engine: Engine) -> dict[str, list[dict[str, Any]]]:
    with engine.connect() as connection:
        return {
            table.name: [dict(row) for row in connection.execute(table.select()).mappings()]
            for table in plain_tables(engine)
        }


def shape(engine: Engine) -> dict[str, Any]:
    """Return tables with their columns, keys and indexes; defaults aside, which only tell how a column came."""
    looked = inspect(engine)
    found: dict[str, Any] = {}
    for table in plain_tables(engine):
        columns = {each["name"]: (str(each["type"]), each["nullable"]) for each in looked.get_columns(table.name)}
        indexes = {each["name"]: each["column_names"] for each in looked.get_indexes(table.name)}
        found[table.name] = columns, looked.get_pk_constraint(table.name)["constrained_columns"], indexes
    return found


def test_a_migration_of_mysql_that_broke_off_can_be_run_again(mariadb_process: Server) -> None:
    url = new_mariadb_database(mariadb_process, f"migrated_{next(_NUMBERS)}")
    old = server_engine(url, "store", mysql.MIGRATIONS[:-1])
    filled(old)
    with old.begin() as connection:
        for statement in mysql.MIGRATIONS[-1].split(";")[:4]:  # to the one that changes the columns of pages
            connection.execute(text(statement))
    old.dispose()
    store, close = mysql_store(url)
    reads_its_page(store)
    close()


def reads_its_page(store: SqlStore) -> None:
    page = store.page(URL)
    assert page
    assert page.body == BODY
    assert store.known([URL])[URL].run == 1


def test_an_index_of_any_earlier_version_is_opened(tmp_path: Path) -> None:
    for version in range(1, len(sqlite_tables.MIGRATIONS)):
        path = tmp_path / f"{version}.db"
        file(path, "index").migrate(sqlite_tables.MIGRATIONS[:version]).dispose()
        connection = sqlite.connect(path)
        assert SqliteIndex(connection).count() == 0
        connection.close()
