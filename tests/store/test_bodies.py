"""How bodies are kept: their hash, when a dictionary is trained, and what becomes of what no page has."""

import random
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest

from thresher import sqlite
from thresher.errors import Damaged
from thresher.model import Fate, Page
from thresher.store.bodies import FIRST, GROWTH
from thresher.store.contract import Record
from thresher.store.sql import SqlStore, sqlite_store

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
FRAME = "".join(f"<div class='frame{number}'>{number * 7919 % 1000}</div>" for number in range(200))


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    connection = sqlite.connect(tmp_path / "corpus.db")
    yield connection
    connection.close()


def url(number: int, host: str = "example.com") -> str:
    return f"https://{host}/{number}"


def body(number: int) -> bytes:
    words = random.Random(number).choices(("one", "two", "three", "four", "five"), k=60)
    return f"<html>{FRAME}<p>{number} {' '.join(words)}</p></html>".encode()


def save(store: SqlStore, numbers: range) -> None:
    for number in numbers:
        store.save(Record(Fate(url(number), 1, "stored", "stored", NOW), Page(url(number), 200, body(number), NOW)))


def dictionaries(connection: sqlite3.Connection) -> list[tuple[str, int, int]]:
    return connection.execute("SELECT host, number, bodies FROM dictionaries ORDER BY number").fetchall()


def test_a_host_gets_a_dictionary_and_a_new_one_as_it_grows_and_the_old_one_stays(
    connection: sqlite3.Connection,
) -> None:
    store = sqlite_store(connection)
    save(store, range(FIRST))
    assert dictionaries(connection) == []
    save(store, range(FIRST, FIRST + 1))
    assert dictionaries(connection) == [("example.com", 1, FIRST)]
    save(store, range(FIRST + 1, FIRST * GROWTH + 1))
    assert dictionaries(connection) == [("example.com", 1, FIRST), ("example.com", 2, FIRST * GROWTH)]
    used = connection.execute("SELECT DISTINCT dictionary FROM bodies ORDER BY dictionary").fetchall()
    assert used == [(None,), (1,), (2,)]
    again = sqlite_store(connection)  # which has no dictionary in memory
    for number in (0, FIRST, FIRST * GROWTH):
        page = again.page(url(number))
        assert page
        assert page.body == body(number)


def test_bodies_are_smaller_with_a_dictionary(connection: sqlite3.Connection) -> None:
    save(sqlite_store(connection), range(2 * FIRST))
    query = "SELECT avg(length(content)) FROM bodies GROUP BY dictionary IS NULL ORDER BY dictionary IS NULL"
    (with_one,), (without,) = connection.execute(query).fetchall()
    assert with_one < without / 2


def test_a_dictionary_that_was_rolled_back_is_not_used(connection: sqlite3.Connection) -> None:
    store = sqlite_store(connection)
    save(store, range(FIRST))
    with suppress(ZeroDivisionError), sqlite.atomic(connection):
        save(store, range(FIRST, FIRST + 2))
        assert dictionaries(connection)
        raise ZeroDivisionError
    save(store, range(FIRST, FIRST + 4))
    again = sqlite_store(connection)
    assert list(again.damaged()) == []


def test_a_body_that_no_page_has_any_more_is_removed(connection: sqlite3.Connection) -> None:
    store = sqlite_store(connection)
    for place, data in ((url(1), b"a"), (url(2), b"a"), (url(1), b"b"), (url(2), b"")):
        store.save(Record(Fate(place, 1, "stored", "stored", NOW), Page(place, 200, data, NOW)))
    assert connection.execute("SELECT count(*) FROM bodies").fetchone() == (1,)


def test_a_body_or_dictionary_that_is_lost_is_damage(connection: sqlite3.Connection) -> None:
    store = sqlite_store(connection)
    save(store, range(FIRST + 1))
    connection.execute("DELETE FROM dictionaries")
    connection.execute("DELETE FROM bodies WHERE hash = (SELECT body FROM pages WHERE url = ?)", [url(0)])
    again = sqlite_store(connection)
    for number in (0, FIRST):
        with pytest.raises(Damaged, match=url(number)):
            again.page(url(number))
    assert len(list(again.damaged())) == 2
