"""An embedded index that another version wrote: what is done at once, what is said, and how it is renewed."""

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from thresher import sqlite
from thresher.errors import BackendError, UsageError
from thresher.index import renewal, tokens
from thresher.index.contract import Given
from thresher.index.query import parse
from thresher.index.sqlite import SqliteIndex
from thresher.index.stems import Stems
from thresher.model import Block, Document, Kind, Span
from thresher.urls import key_of

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


def given(name: str, text: str, language: str = "en") -> Given:
    url = f"https://example.com/{name}"
    made = Document(url, Kind.ARTICLE, 1.0, title="Title", blocks=(Block((Span(text),)),), language=language)
    return Given(key_of(url), made, NOW)


def found(index: SqliteIndex, words: str) -> set[str]:
    return {hit.url.rpartition("/")[2] for hit in index.search(parse(words, NOW), limit=100)}


@pytest.fixture
def large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SqliteIndex]:
    """An index of three documents, too many to be renewed at once, made by another version."""
    monkeypatch.setattr(renewal, "AT_ONCE", 2)
    monkeypatch.setattr(renewal, "BATCH", 1)
    with closing(sqlite.connect(tmp_path / "corpus.db")) as connection:
        with monkeypatch.context() as older:
            older.setattr(tokens, "VERSION", "0")
            older.setattr(tokens, "spaced", lambda text: "otherwise")
            for name in "abc":
                SqliteIndex(connection).add([given(name, f"apple {name}{name}").document], NOW)
        yield SqliteIndex(connection)


def test_a_search_says_that_a_large_index_of_another_version_has_to_be_rebuilt(large: SqliteIndex) -> None:
    with pytest.raises(BackendError, match="thresher index rebuild"):
        found(large, "apple")


def test_what_is_collected_before_the_rebuild_is_found_after_it(large: SqliteIndex) -> None:
    large.add([given("d", "apple").document, given("a", "pear").document], NOW)
    documents = [given("a", "pear"), given("b", "apple"), given("c", "apple"), given("d", "apple")]
    assert sum(large.rebuild(documents)) == 4
    assert found(large, "apple") == {"b", "c", "d"}
    assert found(large, "pear") == {"a"}


def test_an_interrupted_rebuild_goes_on_and_takes_in_what_changed_meanwhile(large: SqliteIndex) -> None:
    documents = [given(name, f"apple {name}{name}") for name in "abc"]
    with closing(large._connection.cursor()):
        work = large._renewal
        with sqlite.atomic(large._connection):
            assert work._batch()  # as far as the first entry; then the process ends
    large.add([given("a", "pear").document, given("c", "pear").document], NOW)
    large.remove([key_of("https://example.com/b")])
    assert sum(large.rebuild([given("a", "pear"), *documents[2:]])) == 2
    assert found(large, "pear") == {"a"}
    assert found(large, "apple") == {"c"}
    large._connection.execute("INSERT INTO words (words) VALUES ('integrity-check')")


def test_a_search_is_answered_while_the_index_is_rebuilt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(renewal, "BATCH", 1)
    with closing(sqlite.connect(tmp_path / "corpus.db")) as connection:
        index = SqliteIndex(connection)
        documents = [given(name, "apple") for name in "abc"]
        index.add([each.document for each in documents], NOW)
        for _ in index.rebuild(documents):
            assert found(index, "apple") == set("abc")
        assert found(index, "apple") == set("abc")


def test_stems_find_other_forms_and_hide_no_exact_match() -> None:
    with closing(sqlite.connect(":memory:")) as connection:
        index = SqliteIndex(connection, stems=Stems(["en", "de"]))
        texts = {"a": "investing", "b": "investment", "c": "invests", "d": "Häuser", "e": "invest"}
        for name, text in texts.items():
            index.add([given(name, text, "de" if name == "d" else "en").document], NOW)
        assert found(index, "invests") == {"a", "b", "c", "e"}
        assert found(index, "Haus häuser") == {"d"}
        assert found(index, '"investing investing"') == set()
        assert found(index, "title:invests") == set()
        (hit,) = [hit for hit in index.search(parse("invests", NOW)) if hit.url.endswith("a")]
        assert hit.snippet[slice(*hit.marks[0])] == "investing"
        index.add([given("a", "nothing").document], NOW)
        assert found(index, "invests") == {"b", "c", "e"}


def test_another_choice_of_stems_is_another_version(tmp_path: Path) -> None:
    with closing(sqlite.connect(tmp_path / "corpus.db")) as connection:
        SqliteIndex(connection).add([given("a", "investing").document], NOW)
        assert found(SqliteIndex(connection, stems=Stems(["en"])), "invests") == {"a"}
        assert found(SqliteIndex(connection), "invests") == set()


def test_a_query_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "STEPS_BETWEEN_LOOKS", 100)
    with closing(sqlite.connect(":memory:")) as connection:
        index = SqliteIndex(connection, time_limit_s=0)
        index.add([given(str(number), "apple " * 200).document for number in range(300)], NOW)
        with pytest.raises(UsageError, match="took longer than 0 s"):
            index.search(parse(" | ".join(f"a* -x{number}" for number in range(60)), NOW))
        assert index.count() == 300
