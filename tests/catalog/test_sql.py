"""The catalog in its databases: transactions it shares, processes that write at once, outages, settings."""

import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import create_engine, inspect, text

from tests.contracts.catalog_words import FEED, NOW, endpoint, judged, source, visit
from tests.servers import Server
from thresher import sqlite, wiring
from thresher.catalog import tables
from thresher.catalog.contract import ASKED, STORED, Catalog
from thresher.catalog.sql import server_catalog, sqlite_catalog
from thresher.config import Settings
from thresher.database import dialect_of, server_engine
from thresher.errors import BackendError, MissingExtra, Unreachable, UsageError

WORKERS = 6
DRIVERS = {"postgresql": "postgresql+psycopg", "mysql": "mysql+pymysql"}


@pytest.fixture(params=["postgresql", "mariadb"])
def server_url(request: pytest.FixtureRequest) -> str:
    return str(request.getfixturevalue(f"{request.param}_url"))


def plain_url(url: str) -> str:
    scheme, _, rest = url.partition("://")
    return f"{DRIVERS[scheme]}://{rest}"


def at_once(url: str, work: Callable[[Catalog, int], None]) -> None:
    def worker(number: int) -> None:
        catalog = server_catalog(url)
        try:
            work(catalog, number)
        finally:
            catalog.close()

    with ThreadPoolExecutor(WORKERS) as pool:
        list(pool.map(worker, range(WORKERS)))


def test_a_catalog_can_be_opened_again_while_something_is_read_over_its_connection(tmp_path: Path) -> None:
    connection = sqlite.connect(tmp_path / "corpus.db")
    sqlite_catalog(connection).add(source("harbour"), [])
    reading = connection.execute("SELECT 1 UNION ALL SELECT 2")
    assert reading.fetchone() == (1,)
    assert [each.name for each in sqlite_catalog(connection).sources()] == ["harbour"]
    assert reading.fetchone() == (2,)


def test_calls_join_an_open_transaction_and_vanish_with_it(tmp_path: Path) -> None:
    connection = sqlite.connect(tmp_path / "corpus.db")
    catalog = sqlite_catalog(connection)
    with suppress(ZeroDivisionError), sqlite.atomic(connection):
        catalog.add(source(), [endpoint()])
        catalog.record(visit())
        catalog.note([judged()])
        assert catalog.source("example") is not None
        raise ZeroDivisionError
    assert catalog.sources() == []
    assert catalog.hours() == []
    connection.close()


def test_the_migrations_make_the_tables_that_the_code_speaks_of(server_url: str) -> None:
    server_catalog(server_url).close()
    engine = create_engine(plain_url(server_url))
    found = inspect(engine)
    for table in tables.metadata.sorted_tables:
        columns = {column["name"]: column["nullable"] for column in found.get_columns(table.name)}
        assert columns == {column.name: column.nullable for column in table.columns}
        assert found.get_pk_constraint(table.name)["constrained_columns"] == [c.name for c in table.primary_key]
    engine.dispose()


def test_many_processes_may_create_the_tables_and_count_at_once(server_url: str) -> None:
    def work(catalog: Catalog, number: int) -> None:
        with suppress(UsageError):
            catalog.add(source(), [endpoint(), endpoint(f"{FEED}?{number}")])
        catalog.save_endpoints([endpoint(f"{FEED}?{number}")])
        for turn in range(5):
            catalog.record(visit(NOW + timedelta(minutes=turn), f"{FEED}?{number}", found=1, new=1))
            catalog.note([judged(n) for n in range(10)])  # the same pages by everybody

    at_once(server_url, work)
    catalog = server_catalog(server_url)
    assert catalog.tally("example") == {(ASKED, ""): 5 * WORKERS, (STORED, "article"): 10}
    assert [e.asked for e in catalog.endpoints("example") if "?" in e.url] == [5] * WORKERS
    catalog.close()


@pytest.mark.parametrize("name", ["postgres", "mariadb"])
def test_an_outage_says_that_it_can_be_tried_again_and_ends_by_itself_without_a_line_in_the_log(
    name: str, request: pytest.FixtureRequest, caplog: pytest.LogCaptureFixture
) -> None:
    process: Server = request.getfixturevalue(f"{name}_process")
    server_url: str = request.getfixturevalue("postgresql_url" if name == "postgres" else "mariadb_url")
    catalog = server_catalog(server_url)
    catalog.add(source())
    engine = server_engine(server_url, "catalog", tables.migrations(dialect_of(server_url)))
    in_use = engine.raw_connection()
    in_use.cursor().execute("SELECT 1")
    process.kill()
    in_use.close()
    engine.dispose()
    try:
        with pytest.raises(Unreachable, match=r"the catalog does not answer .* trying again") as caught:
            catalog.sources()
        assert caught.value.retry
    finally:
        process.start()
    assert [s.name for s in catalog.sources()] == ["example"]
    catalog.close()
    assert not caplog.records  # SQLAlchemy would tell of every connection that broke, with a traceback


def test_a_database_of_a_newer_version_is_refused(server_url: str) -> None:
    server_catalog(server_url).close()
    engine = create_engine(plain_url(server_url))
    with engine.begin() as connection:
        connection.execute(text("INSERT INTO migrations (component, number) VALUES ('catalog', 99)"))
    with pytest.raises(BackendError, match=r"the catalog was written by a newer version.*step 99.*upgrade thresher"):
        server_catalog(server_url)
    engine.dispose()


@pytest.mark.parametrize(("right", "wrong"), [("/test_", "/nowhere_"), ("root@", "nobody:s3cret@")])
def test_a_database_or_a_login_that_is_not_there_is_nothing_to_wait_for(
    mariadb_url: str, right: str, wrong: str
) -> None:
    with pytest.raises(BackendError, match=r"Unknown database|Access denied") as raised:
        server_catalog(mariadb_url.replace(right, wrong))
    assert not raised.value.retry
    assert "s3cret" not in str(raised.value)


def test_a_missing_library_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pymysql", None)
    with pytest.raises(MissingExtra, match=r"a catalog in MySQL or MariaDB needs .*pip install 'thresher\[mysql\]'"):
        server_catalog("mysql://127.0.0.1/sources")


def test_store_and_catalog_live_in_one_database(postgresql_url: str, tmp_path: Path) -> None:
    corpus = wiring.open_corpus(Settings(data=str(tmp_path), store=postgresql_url))
    corpus.catalog().add(source())
    assert corpus.store.runs() == []
    corpus.close()
    catalog = wiring.open_catalog(Settings(data=str(tmp_path / "elsewhere"), store=postgresql_url))
    assert [s.name for s in catalog.sources()] == ["example"]
    catalog.close()


def test_the_embedded_corpus_notes_in_the_transaction_of_its_landing(tmp_path: Path) -> None:
    corpus = wiring.open_corpus(Settings(data=str(tmp_path)))
    with suppress(ZeroDivisionError), corpus.together():
        corpus.catalog().add(source())
        raise ZeroDivisionError
    assert corpus.catalog().sources() == []
    corpus.close()


def test_a_catalog_may_live_in_a_database_of_its_own(tmp_path: Path, mariadb_url: str) -> None:
    for url in (f"sqlite:///{tmp_path / 'sources.db'}", mariadb_url, mariadb_url.replace("mysql:", "mariadb:")):
        corpus = wiring.open_corpus(Settings(data=str(tmp_path / "corpus"), catalog=url))
        catalog = corpus.catalog()
        assert corpus.catalog() is catalog
        catalog.remove("example")
        catalog.add(source())
        corpus.close()
        alone = wiring.open_catalog(Settings(data=str(tmp_path / "corpus"), catalog=url))
        assert [s.name for s in alone.sources()] == ["example"]
        alone.close()


@pytest.mark.parametrize("url", ["oracle://host/x", "host", "mysql://ann:p@ss@host/x"])
def test_a_catalog_that_is_no_database_of_ours_is_refused(url: str) -> None:
    with pytest.raises(UsageError, match=r"catalog: .*mysql://USER@HOST/DATABASE"):
        Settings(catalog=url)
