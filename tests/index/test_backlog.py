"""An index in a search server that goes away and comes back: the crawl goes on, and nothing is missing in the end."""

from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from thresher import sqlite
from thresher.database import borrowing_engine
from thresher.errors import Unreachable
from thresher.index import backlog
from thresher.index.backlog import Backlog, BackloggedIndex, Courier
from thresher.index.contract import Waiting
from thresher.index.query import parse
from thresher.index.sqlite import SqliteIndex
from thresher.model import Block, Document, Kind, Span
from thresher.urls import key_of

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


class Faraway(SqliteIndex):
    """An index that can be away."""

    away = False

    def add(self, documents: Sequence[Document], seen_at: datetime, *, run: int | None = None) -> None:
        """Fail while it is away."""
        if self.away:
            raise Unreachable("the index does not answer")
        super().add(documents, seen_at, run=run)


class Bench:
    """A store, its backlog, and an index elsewhere."""

    def __init__(self, folder: Path) -> None:
        self.stored: dict[str, Document] = {}
        self.connection = sqlite.connect(folder / "store.db")
        self.far = Faraway(sqlite.connect(folder / "index.db"))
        self.backlog = Backlog(borrowing_engine(self.connection, "backlog", backlog.SQLITE))
        self.folder = folder

    def opened(self) -> BackloggedIndex:
        return BackloggedIndex(self.far, self.backlog, self.courier)

    def courier(self) -> Courier:
        own = sqlite.connect(self.folder / "store.db")
        waiting = Backlog(borrowing_engine(own, "backlog", backlog.SQLITE))
        return Courier(waiting, self.stored.get, self.far, own.close)

    def save(self, index: BackloggedIndex, name: str, text: str, run: int = 1) -> None:
        url = f"https://example.com/{name}"
        self.stored[url] = Document(url, Kind.ARTICLE, 1.0, title=name, blocks=(Block((Span(text),)),))
        index.add([self.stored[url]], NOW, run=run)

    def found(self, words: str) -> set[str]:
        return {hit.title for hit in self.far.search(parse(words, NOW), limit=100)}


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path)
    with closing(made.connection):
        yield made


def test_what_is_added_and_removed_reaches_the_server(bench: Bench) -> None:
    index = bench.opened()
    bench.save(index, "a", "apple")
    bench.save(index, "b", "apple")
    index.remove([key_of("https://example.com/b")])
    index.close()
    assert bench.found("apple") == {"a"}
    assert bench.backlog.count() == 0


def test_while_the_server_is_away_changes_wait_and_the_next_process_carries_them_over(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    bench.far.away = True
    index = bench.opened()
    for number in range(250):
        bench.save(index, f"n{number}", "apple")
    index.close()
    assert bench.backlog.count() == 250
    assert "250 changes wait to be indexed" in caplog.text
    bench.far.away = False
    index = bench.opened()
    bench.save(index, "last", "apple")
    index.close()
    assert bench.far.count() == 251
    assert bench.backlog.count() == 0


def test_what_waits_is_told_and_when_it_can_be_found_the_time_since_publication(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "thresher.log")
    url, published = "https://example.com/a", datetime.now(UTC) - timedelta(hours=2)
    bench.stored[url] = Document(
        url, Kind.ARTICLE, 1.0, title="a", published=published, blocks=(Block((Span("apple"),)),)
    )
    bench.far.away = True
    index = bench.opened()
    index.add([bench.stored[url]], NOW, run=1)
    bench.save(index, "undated", "apple")
    waiting = index.waiting()
    index.close()
    assert waiting.changes == 2
    assert waiting.since
    assert 0 <= (datetime.now(UTC) - waiting.since).total_seconds() < 7_200
    bench.far.away = False
    bench.courier().carry()
    (told,) = [record for record in caplog.records if "can be found now: 2 documents" in record.getMessage()]
    (lag_s,) = told.__dict__["index_lags_s"]
    assert 7_200 <= lag_s < 14_400
    assert index.waiting() == Waiting()


def test_what_is_rolled_back_is_not_noted(bench: Bench) -> None:
    index = bench.opened()
    with suppress(ZeroDivisionError), sqlite.atomic(bench.connection):
        bench.save(index, "a", "apple")
        raise ZeroDivisionError
    index.close()
    assert bench.far.count() == 0


def test_the_document_is_indexed_as_it_is_stored_when_it_is_carried_over(bench: Bench) -> None:
    bench.far.away = True
    index = bench.opened()
    bench.save(index, "a", "apple")
    index.close()
    url = "https://example.com/a"
    bench.stored[url] = replace(bench.stored[url], blocks=(Block((Span("banana"),)),))
    bench.far.away = False
    bench.courier().carry()
    assert bench.found("banana") == {"a"}


def test_a_change_that_is_noted_again_meanwhile_is_not_struck_off(bench: Bench) -> None:
    bench.far.away = True
    index = bench.opened()
    bench.save(index, "a", "apple")
    taken = bench.backlog.oldest(10)
    bench.save(index, "a", "banana", run=2)
    bench.backlog.strike(taken)
    assert [change.run for change in bench.backlog.oldest(10)] == [2]
    index.close()
