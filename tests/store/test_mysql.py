"""The SQL store in MariaDB: workers that write at the same time, tables that many create at once, outages."""

import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, inspect

from tests.servers import Server, new_mariadb_database
from tests.store.test_postgresql import NOW, article_page, at_once, near_copy, record
from thresher import wiring
from thresher.config import Settings
from thresher.database import foreign_errors, server_engine
from thresher.errors import BackendError, MissingExtra, Unreachable
from thresher.index.query import parse
from thresher.store import tables
from thresher.store.contract import ARTICLE_PAGE, Store
from thresher.store.mysql import mysql_store
from thresher.store.sql import SqlStore


@pytest.fixture
def store(mariadb_url: str) -> Iterator[SqlStore]:
    opened, close = mysql_store(mariadb_url)
    yield opened
    close()


def test_many_workers_may_create_the_tables_at_once(mariadb_url: str) -> None:
    at_once(mariadb_url, lambda store, _: store.save(record()))
    opened, close = mysql_store(mariadb_url)
    assert len(list(opened.documents())) == 1
    close()


def test_the_migrations_make_the_tables_that_the_code_speaks_of(store: SqlStore, mariadb_url: str) -> None:
    engine = create_engine(mariadb_url.replace("mysql://", "mysql+pymysql://"))
    found = inspect(engine)
    for table in tables.metadata.sorted_tables:
        columns = {column["name"]: column["nullable"] for column in found.get_columns(table.name)}
        assert columns == {column.name: column.nullable for column in table.columns}
        assert found.get_pk_constraint(table.name)["constrained_columns"] == [c.name for c in table.primary_key]
    engine.dispose()


def test_pages_of_an_article_saved_by_many_workers_at_once_are_one_document(mariadb_url: str, store: SqlStore) -> None:
    def save_all(store: Store, number: int) -> None:
        for page in random.Random(number).sample(range(1, 5), 4):
            store.save(article_page(page))

    at_once(mariadb_url, save_all)
    (whole,) = store.documents()
    assert whole.text.split("\n") == [f"page {number} says so" for number in range(1, 5)]
    assert store.tally(1) == {("stored", "stored"): 1, ("stored", ARTICLE_PAGE): 3}


def test_copies_saved_by_many_workers_at_once_are_one_group(mariadb_url: str, store: SqlStore) -> None:
    def save_all(store: Store, number: int) -> None:
        for each in random.Random(number).sample(range(6), 6):
            store.save(near_copy(each))

    at_once(mariadb_url, save_all)
    assert len(store.copies("https://site3.example/")) == 6


def test_a_server_that_is_away_is_said_to_be_and_one_that_is_back_is_used_again(mariadb_process: Server) -> None:
    url = new_mariadb_database(mariadb_process, "outage")
    opened, close = mysql_store(url)
    opened.save(record())
    mariadb_process.kill()
    try:
        with pytest.raises(Unreachable, match="the store does not answer for now"):
            opened.save(record("https://example.com/b"))
    finally:
        mariadb_process.start()
    opened.save(record("https://example.com/b"))
    assert {found.url for found in opened.documents()} == {"https://example.com/a", "https://example.com/b"}
    close()


def test_what_the_driver_raises_as_a_connection_is_given_back_is_an_outage(mariadb_url: str) -> None:
    """SQLAlchemy wraps no error there: after a restart of the server one may come as the driver's own."""
    engine = server_engine(mariadb_url, "store", ())
    engine.dispose()
    driver: Any = engine.dialect.dbapi
    with pytest.raises(Unreachable, match=r"the store does not answer for now: .*Lost connection"), foreign_errors():
        raise driver.OperationalError(2013, "Lost connection to server during query")
    with pytest.raises(BackendError, match="the store failed"), foreign_errors():
        raise driver.InternalError(1, "something else")


def test_documents_are_found_in_an_index_of_this_machine(mariadb_url: str, tmp_path: Path) -> None:
    corpus = wiring.open_corpus(Settings(data=str(tmp_path), store=mariadb_url))
    article = near_copy(1)
    assert article.document
    corpus.store.save(article)
    corpus.index.add([article.document], article.fate.at)
    assert [hit.url for hit in corpus.index.search(parse("word5x1", NOW)).hits] == ["https://site1.example/"]
    corpus.close()


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pymysql", None)
    with pytest.raises(MissingExtra, match=r"pip install 'thresher\[mysql\]'"):
        mysql_store("mysql://me@127.0.0.1:1/x")
