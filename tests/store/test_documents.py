"""Stores without SQL: crawls that are killed in the middle of writing, servers that restart, what they need."""

import random
import sys
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, cast

import pytest

from tests.contracts.store_words import fate, full_document, page
from tests.servers import Server, mongodb_server
from tests.store.test_moving import fill
from tests.store.test_postgresql import article_page, at_once, near_copy
from thresher import wiring
from thresher.config import Settings
from thresher.errors import MissingExtra, Unreachable, UsageError
from thresher.moving import move_corpus
from thresher.store.contract import Record, Store
from thresher.store.keyed import KeyedStore
from thresher.store.mongo import MongoCollections, mongo_store
from thresher.store.moving import Progress
from thresher.store.tables import states

URL = "https://example.com/a"


@pytest.fixture(scope="module")
def mongodb() -> Iterator[Server]:
    with mongodb_server() as server:
        yield server


class PowerCut(BaseException):
    """What ends a process in the middle of something."""


class BrokenOff(MongoCollections):
    """Writes the journal and the first of the tables, and no more."""

    def _apply(self, packed: Mapping[str, Sequence[dict[str, Any]]], session: Any) -> None:
        first = next(iter(packed))
        super()._apply({first: packed[first]}, session)
        raise PowerCut


def test_what_a_killed_process_had_begun_is_finished_by_the_next_one(
    mongodb: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"{mongodb.url}killed"
    with pytest.raises(PowerCut):
        KeyedStore(BrokenOff(url)).save(Record(fate(), page(), full_document()))
    collections = MongoCollections(url)
    store = KeyedStore(collections)
    assert store.fates(URL)
    assert store.page(URL) is None  # torn, until somebody takes the locks over
    monkeypatch.setattr(collections._turns, "is_gone", lambda _name: True)
    store.note([fate("https://example.com/b", state="refused")])  # of the same host
    assert store.document(URL) == full_document()
    assert store.page(URL) == page()
    assert len(store.changes(0)) == 1
    collections.close()


def test_a_process_that_lost_its_locks_does_not_write(mongodb: Server) -> None:
    collections = MongoCollections(f"{mongodb.url}lost")
    with suppress(Unreachable), collections.locked(["a host"]):
        (slot,) = collections._turns.held
        assert collections._swap(slot, collections._turns.name, "another")
        with pytest.raises(Unreachable, match="took this process for dead"):
            collections.write({"states": {("x",): {"name": "x", "content": b""}}})
    assert KeyedStore(collections).state("x") is None
    collections.close()


def test_a_server_that_restarts_is_away_and_used_again(mongodb: Server) -> None:
    store, close = mongo_store(f"{mongodb.url}restart?serverSelectionTimeoutMS=300")
    store.save(Record(fate(), page(), full_document()))
    mongodb.kill()
    try:
        with pytest.raises(Unreachable, match="the store does not answer for now"):
            store.save(Record(fate("https://example.com/b"), page("https://example.com/b")))
    finally:
        mongodb.start()
    store.save(Record(fate("https://example.com/b"), page("https://example.com/b")))
    assert store.document(URL) == full_document()
    assert store.page("https://example.com/b") is not None
    assert store.tally(1) == {("stored", "stored"): 2}
    close()


def test_values_that_are_too_large_for_one_document_are_kept_in_pieces(mongodb: Server) -> None:
    collections = MongoCollections(f"{mongodb.url}pieces")
    large = bytes(range(256)) * 80_000  # 20 MB
    with collections.locked(["x"]):
        collections.write({"states": {("x",): {"name": "x", "content": large}}})
    assert collections.get(states, [("x",)]) == [{"name": "x", "content": large}]
    collections.close()


def test_pages_and_copies_saved_by_many_workers_at_once_are_one(mongodb: Server) -> None:
    url = f"{mongodb.url}at_once"

    def save_all(store: Store, number: int) -> None:
        for each in random.Random(number).sample(range(4), 4):
            store.save(article_page(each + 1))
            store.save(near_copy(each))

    at_once(url, save_all)
    store, close = mongo_store(url)
    found = {document.url: document.text for document in store.documents()}
    whole = found["https://example.com/a"]
    assert whole.split("\n") == [f"page {number} says so" for number in range(1, 5)]
    assert len(store.copies("https://site3.example/")) == 4
    numbers = [change.number for change in store.changes(0)]
    assert len({*numbers}) == len(numbers) >= len(found)
    close()


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pymongo", None)
    with pytest.raises(MissingExtra, match=r"pip install 'thresher\[mongodb\]'"):
        mongo_store("mongodb://127.0.0.1:1/x")


def test_a_url_that_cannot_be_read_is_told() -> None:
    with pytest.raises(UsageError, match="mongodb://USER:PASSWORD@HOST:PORT/DATABASE"):
        mongo_store("mongodb://[")


def test_a_corpus_beside_mongodb_is_searched_and_has_sources(mongodb: Server, tmp_path: object) -> None:
    settings = Settings(data=str(tmp_path), store=f"{mongodb.url}corpus")
    corpus = wiring.open_corpus(settings)
    document = full_document()
    corpus.store.save(Record(fate(), page(), document))
    corpus.index.add([document], fate().at)
    assert corpus.index.count() == 1
    assert corpus.catalog().sources() == []
    corpus.close()
    assert settings.catalog_url.endswith("catalog.db")


def test_a_corpus_is_moved_to_mongodb_and_back(mongodb: Server, tmp_path: Path) -> None:
    first = wiring.open_corpus(Settings(data=str(tmp_path / "first")))
    fill(first)
    first.close()
    source, between, back = (
        f"sqlite:///{tmp_path / 'first' / 'corpus.db'}",
        f"{mongodb.url}moved",
        f"sqlite:///{tmp_path / 'back' / 'corpus.db'}",
    )
    with closing(cast(Generator[Progress, None, None], move_corpus(source, between))) as going:
        next(progress for progress in going if progress.table == "pages")  # interrupted in the middle
    there = [progress for progress in move_corpus(source, between) if progress.hash]
    again = [progress for progress in move_corpus(between, back) if progress.hash]
    assert there == again
    assert sum(progress.rows for progress in there) > 20
    held, close = mongo_store(between)
    found = wiring.open_corpus(Settings(data=str(tmp_path / "back")))
    assert list(held.stored()) == list(found.store.stored())
    assert held.start_run([], {}, fate().at).id == len(found.store.runs()) + 1
    found.close()
    close()
    with pytest.raises(UsageError, match="another corpus"):
        list(move_corpus(source, between))
