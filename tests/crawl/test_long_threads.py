"""A thread of thousands of posts: kept and read in little memory, indexed now and then, one document all the time."""

import tracemalloc
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from thresher import sqlite
from thresher.crawling.threads import FEW_POSTS, index_long_threads, whole_thread
from thresher.index.query import parse
from thresher.index.sqlite import SqliteIndex
from thresher.model import Document, Fate, Kind, Page, Post
from thresher.store.contract import Record, Store
from thresher.store.sql import sqlite_store

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)
URL = "https://e.org/t"
PER_PAGE = 100


@pytest.fixture
def books(tmp_path: Path) -> Iterator[tuple[Store, SqliteIndex]]:
    connection = sqlite.connect(tmp_path / "corpus.db")
    yield sqlite_store(connection), SqliteIndex(connection)
    connection.close()


def page_of_thread(part: int) -> Record:
    url = URL if part == 1 else f"{URL}?page={part}"
    numbers = range((part - 1) * PER_PAGE + 1, part * PER_PAGE + 1)
    words = "what was said here before, at some length, about boats and their moorings " * 5
    posts = tuple(Post(f"a{n % 50}", NOW + timedelta(minutes=n), f"{words} word{n}", n, id=f"{n}") for n in numbers)
    document = Document(URL, Kind.THREAD, 0.9, title="A long thread", posts=posts)
    fate = Fate(url, 1, "stored", "stored", NOW, status=200)
    return Record(fate, Page(url, 200, b"<p>", NOW), document, thread=URL, part=part)


def peak_bytes(work: Callable[[], object]) -> int:
    tracemalloc.start()
    work()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def test_ten_thousand_posts_are_saved_and_read_in_the_memory_of_some_hundred(books: tuple[Store, SqliteIndex]) -> None:
    store, _ = books
    for part in range(1, 100):
        store.save(page_of_thread(part))
    assert peak_bytes(lambda: store.save(page_of_thread(100))) < 2_000_000
    numbers: list[int] = []
    reading = peak_bytes(lambda: numbers.extend(post.position for post in store.posts(URL)))
    assert numbers == list(range(1, 10_001))
    assert reading < 3_000_000
    assert peak_bytes(lambda: store.document(URL)) > 2 * reading


def test_a_long_thread_is_indexed_when_the_run_ends(books: tuple[Store, SqliteIndex]) -> None:
    store, index = books
    store.save(page_of_thread(1))
    early = whole_thread(store, URL, at_once=True)
    assert early
    assert len(early.posts) == PER_PAGE
    index.add([early], NOW, run=1)
    for part in range(2, FEW_POSTS // PER_PAGE + 2):
        store.save(page_of_thread(part))
    assert whole_thread(store, URL, at_once=True) is None
    assert index.search(parse("word250", NOW)).total == 0
    assert index_long_threads(store, index, 1, NOW) == 1
    (hit,) = index.search(parse("word250", NOW)).hits
    assert (hit.url, hit.title, hit.kind) == (URL, "A long thread", "thread")
    assert index.count() == 1
    assert index_long_threads(store, index, 2, NOW) == 0
