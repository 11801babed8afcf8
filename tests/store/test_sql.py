"""The SQL store in SQLite: transactions it shares, tables it finds, errors it translates."""

import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import create_engine, inspect, make_url

from thresher import sqlite
from thresher.database import upsert
from thresher.errors import BackendError, UsageError
from thresher.model import Block, Document, Fate, Kind, Page, Post, Span
from thresher.store import migrations, tables
from thresher.store.contract import SITE_PAGES, Record
from thresher.store.sql import SqlStore, sqlite_engine, sqlite_store

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
URL = "https://example.com/a"


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    connection = sqlite.connect(tmp_path / "corpus.db")
    yield connection
    connection.close()


def record(url: str = URL) -> Record:
    document = Document(url, Kind.THREAD, 1.0, title="T", posts=(Post(None, None, "p", 1),))
    return Record(Fate(url, 1, "stored", "stored", NOW), Page(url, 200, b"x", NOW), document)


def test_calls_join_an_open_transaction_and_vanish_with_it(connection: sqlite3.Connection) -> None:
    store = sqlite_store(connection)
    with suppress(ZeroDivisionError), sqlite.atomic(connection):
        run = store.start_run([URL], {}, NOW)
        store.save(record())
        assert store.document(URL) is not None
        assert store.run(run.id) is not None
        assert connection.in_transaction
        raise ZeroDivisionError
    assert store.document(URL) is None
    assert store.page(URL) is None
    assert store.runs() == []


def test_calls_of_an_outer_transaction_are_committed_together(connection: sqlite3.Connection, tmp_path: Path) -> None:
    store = sqlite_store(connection)
    other = sqlite.connect(tmp_path / "corpus.db")
    with sqlite.atomic(connection):
        store.save(record())
        assert other.execute("SELECT count(*) FROM documents").fetchone() == (0,)
    assert other.execute("SELECT count(*) FROM documents").fetchone() == (1,)
    other.close()


def test_a_call_that_fails_half_way_leaves_nothing(connection: sqlite3.Connection) -> None:
    store = sqlite_store(connection)
    connection.execute("CREATE TRIGGER no BEFORE INSERT ON posts BEGIN SELECT raise(ABORT, 'no posts today'); END")
    with pytest.raises(BackendError, match="no posts today"):
        store.save(record())
    assert not connection.in_transaction
    assert store.fates(URL) == []
    assert store.page(URL) is None


def test_the_engine_leaves_the_connection_open_and_its_transaction_alone(connection: sqlite3.Connection) -> None:
    engine = sqlite_engine(connection)
    connection.execute("BEGIN")
    with engine.connect() as borrowed:
        borrowed.execute(tables.runs.select())
        borrowed.rollback()
    engine.dispose()
    assert connection.in_transaction
    connection.execute("ROLLBACK")


def test_a_closed_database_is_a_backend_error(connection: sqlite3.Connection) -> None:
    store = sqlite_store(connection)
    connection.close()
    with pytest.raises(BackendError):
        store.runs()
    with pytest.raises(BackendError):
        store.save(record())


def test_a_lost_table_is_a_backend_error(connection: sqlite3.Connection) -> None:
    store = SqlStore(sqlite_engine(connection), atomic=lambda: sqlite.atomic(connection))
    connection.execute("DROP TABLE runs")
    with pytest.raises(BackendError, match="no such table"):
        store.runs()


def test_opening_again_finds_what_was_saved(tmp_path: Path) -> None:
    for expected in (0, 1):
        connection = sqlite.connect(tmp_path / "corpus.db")
        store = sqlite_store(connection)
        assert len(list(store.documents())) == expected
        store.save(record())
        connection.close()


def test_the_migrations_make_the_tables_that_the_code_speaks_of(connection: sqlite3.Connection) -> None:
    found = inspect(sqlite_engine(connection))
    for table in tables.metadata.sorted_tables:
        columns = {column["name"]: column["nullable"] for column in found.get_columns(table.name)}
        # SQLite's own numbering leaves the primary key of runs without a NOT NULL
        expected = {c.name: c.nullable for c in table.columns if (table.name, c.name) != ("runs", "id")}
        assert {name: columns[name] for name in expected} == expected
        assert list(columns) == [column.name for column in table.columns]
        assert found.get_pk_constraint(table.name)["constrained_columns"] == [c.name for c in table.primary_key]


def test_a_database_of_an_earlier_version_is_brought_up_to_date(connection: sqlite3.Connection) -> None:
    added = next(number for number, script in enumerate(migrations.SQLITE) if "TABLE article_pages" in script)
    sqlite.migrate(connection, "store", migrations.SQLITE[:added])
    assert "article_pages" not in inspect(create_engine("sqlite://", creator=lambda: connection)).get_table_names()
    first, second = (article(URL, 1), article(f"{URL}/2", 2))
    store = sqlite_store(connection)
    for each in (first, second):  # as two documents, as it was stored then
        store.save(replace(each, thread=None, part=1))
    assert len(list(store.documents())) == 2
    store.save(second)
    (whole,) = store.documents()
    assert (whole.url, whole.text) == (URL, "page 1 of the story\npage 2 of the story")


def article(url: str, number: int) -> Record:
    blocks = (Block((Span(f"page {number} of the story"),)),)
    document = Document(url, Kind.ARTICLE, 1.0, title="The story", blocks=blocks)
    fate = Fate(url, 1, "stored", "stored", NOW, status=200)
    return Record(fate, Page(url, 200, b"x", NOW), document, thread=URL, part=number)


def test_an_upsert_speaks_the_dialects_it_knows() -> None:
    statement = upsert("postgresql", tables.fates, where=lambda _new: tables.fates.c.state == "refused")
    assert "ON CONFLICT (key, run) DO UPDATE SET" in str(
        statement.compile(dialect=make_url("postgresql://").get_dialect()())
    )
    with pytest.raises(UsageError, match="oracle is not supported"):
        upsert("oracle", tables.fates)


def test_an_engine_with_its_own_transactions_serves_as_well(tmp_path: Path) -> None:
    path = tmp_path / "own.db"
    connection = sqlite.connect(path)
    sqlite_store(connection)
    connection.close()
    store = SqlStore(create_engine(f"sqlite:///{path}"))
    store.save(record())
    assert store.document(URL) == record().document


def test_old_traces_do_not_pile_up(connection: sqlite3.Connection) -> None:
    store = sqlite_store(connection)
    for run in range(1, 8):
        for number in range(SITE_PAGES + 3):
            url = f"https://example.com/{number}"
            document = Document(url, Kind.ARTICLE, 1.0, site="example.com")
            store.save(Record(Fate(url, run, "stored", "stored", NOW), None, document, traces=b"x"))
    (count,) = connection.execute("SELECT count(*) FROM traces").fetchone()
    assert count <= 3 * SITE_PAGES
