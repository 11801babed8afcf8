"""The embedded index: transactions it shares, words it forgets, versions it outlives."""

import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher import sqlite, urls
from thresher.errors import BackendError
from thresher.index import matches, tokens
from thresher.index.query import parse
from thresher.index.sqlite import SqliteIndex
from thresher.model import Block, Document, Kind, Span

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
WORDS = ["apple", "Äpfel", "降准", "准备金", "金"]


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    connection = sqlite.connect(tmp_path / "corpus.db")
    yield connection
    connection.close()


def document(name: str, text: str) -> Document:
    return Document(f"https://example.com/{name}", Kind.ARTICLE, 1.0, title="Title", blocks=(Block((Span(text),)),))


def found(index: SqliteIndex, word: str) -> set[str]:
    hits = index.search(parse(word, NOW), limit=100).hits
    return {hit.url.rpartition("/")[2] for hit in hits}


def test_calls_join_an_open_transaction_and_vanish_with_it(connection: sqlite3.Connection) -> None:
    index = SqliteIndex(connection)
    index.add([document("a", "apple")], NOW)
    with suppress(ZeroDivisionError), sqlite.atomic(connection):
        index.add([document("b", "apple"), document("a", "banana")], NOW)
        assert found(index, "apple") == {"b"}
        assert connection.in_transaction
        raise ZeroDivisionError
    assert found(index, "apple") == {"a"}
    assert found(index, "banana") == set()


def test_a_search_waits_for_no_writer(connection: sqlite3.Connection, tmp_path: Path) -> None:
    index = SqliteIndex(connection)
    index.add([document("a", "apple")], NOW)
    writer = sqlite.connect(tmp_path / "corpus.db")
    with sqlite.atomic(writer):
        writer.execute("DELETE FROM entries")
        assert found(index, "apple") == {"a"}
    writer.close()


TEXTS = st.lists(st.sampled_from([*WORDS, " ", "，"]), max_size=5).map("".join)
CHANGES = st.lists(st.tuples(st.sampled_from("abc"), st.none() | TEXTS))


@given(CHANGES)
def test_after_any_changes_exactly_the_present_texts_are_found(changes: list[tuple[str, str | None]]) -> None:
    connection = sqlite.connect(":memory:")
    index = SqliteIndex(connection)
    present: dict[str, str] = {}
    for name, text in changes:
        if text is None:
            index.remove([urls.key_of(f"https://example.com/{name}")])
            present.pop(name, None)
        else:
            index.add([document(name, text)], NOW)
            present[name] = text
    for word in WORDS:
        pattern = tokens.pattern(word)
        assert pattern
        assert found(index, word) == {name for name, text in present.items() if pattern.search(tokens.fold(text).text)}
    connection.execute("INSERT INTO words (words) VALUES ('integrity-check')")
    assert index.count() == len(present)
    connection.close()


def test_an_index_with_words_of_another_version_is_rebuilt(
    connection: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as older:
        older.setattr(tokens, "VERSION", "0")
        older.setattr(tokens, "spaced", lambda text: "otherwise")
        SqliteIndex(connection).add([document("a", "apple")], NOW)
        assert found(SqliteIndex(connection), "otherwise") == {"a"}
    index = SqliteIndex(connection)
    assert found(index, "apple") == {"a"}
    assert found(index, "otherwise") == set()
    index.remove([urls.key_of("https://example.com/a")])
    assert found(index, "apple") == set()


def test_opening_again_finds_what_was_added(connection: sqlite3.Connection) -> None:
    SqliteIndex(connection).add([document("a", "apple")], NOW)
    assert found(SqliteIndex(connection), "apple") == {"a"}


def test_a_closed_database_is_a_backend_error(connection: sqlite3.Connection) -> None:
    index = SqliteIndex(connection)
    connection.close()
    with pytest.raises(BackendError):
        index.search(parse("apple", NOW))
    with pytest.raises(BackendError):
        index.count()


def test_of_very_many_matches_the_last_are_ranked_and_the_others_follow(
    connection: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matches, "RANKED", 3)
    index = SqliteIndex(connection)
    index.add([document(str(number), "apple " * (9 - number)) for number in range(8)], NOW)
    page = index.search(parse("apple", NOW), limit=100)
    assert page.total == 8
    assert [hit.url[-1] for hit in page][3:] == ["4", "3", "2", "1", "0"]
    assert {hit.url[-1] for hit in page.hits[:3]} == {"5", "6", "7"}
    assert [hit.score > 0 for hit in page] == [True] * 3 + [False] * 5


@pytest.mark.parametrize("sort", ["relevance", "date", "seen"])
@pytest.mark.parametrize("narrowed", ["", "run:2"])
def test_what_is_read_off_an_index_is_what_counting_all_finds(
    connection: sqlite3.Connection, sort: str, narrowed: str
) -> None:
    index, texts = SqliteIndex(connection), ["apple", "banana", "cherry and more", "damson"]
    for number in range(24):
        published = None if number % 5 == 0 else NOW - timedelta(days=number * 7 % 11)
        given = replace(document(str(number), texts[number * number % 4] * (1 + number % 3)), published=published)
        index.add([given], NOW + timedelta(minutes=number // 2), run=1 + number % 3)
    counted = [hit for hits in pages(index, f"{narrowed} len:>=0".strip(), sort, 100) for hit in hits]
    read = pages(index, narrowed, sort, 5)
    assert [hit for hits in read for hit in hits] == counted
    assert len(read) == -(-len(counted) // 5)
    assert index.total(parse(narrowed, NOW)) == len(counted) == index.total(parse(f"{narrowed} len:>=0".strip(), NOW))


def pages(index: SqliteIndex, query: str, sort: str, limit: int) -> list[list[tuple[str, int]]]:
    found: list[list[tuple[str, int]]] = []
    after = None
    while after or not found:
        page = index.search(parse(query, NOW), limit=limit, sort=sort, after=after)
        found.append([(hit.url, hit.copies) for hit in page.hits])
        after = page.next
    return found
