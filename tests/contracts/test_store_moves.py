"""What every store promises of documents whose page has another address now."""

from dataclasses import replace
from datetime import timedelta

from tests.contracts.store_words import NOW, URL, document, fate, page, post, texts
from thresher.model import Document, Fate, Kind
from thresher.store.contract import Record, Store

NEW = "https://example.com/moved/a"
MOVE = Fate(URL, 2, "skipped", "moved", NOW + timedelta(days=2), NEW, 301)


def test_a_moved_document_is_one_under_its_new_address(store: Store) -> None:
    old, new = document(posts=(post(1, "one", id="1"), post(2, "two", id="2"))), (post(2, "two", id="2"),)
    store.save(Record(fate(status=200), page(), old))
    store.note_source("press", [URL], NOW)
    later = fate(NEW, run=2, at=NOW + timedelta(days=2), status=200)
    store.save(Record(later, page(NEW), document(NEW, posts=(*new, post(3, "three", id="3")))))
    assert store.move(URL, NEW, MOVE) == NOW
    (kept,) = store.stored()
    assert (kept.document.url, kept.first_seen, kept.document.sources) == (NEW, NOW, ("press",))
    assert sorted(texts(store, NEW)) == ["one", "three", "two"]
    assert store.document(URL) is None
    assert store.fates(URL)[0] == MOVE
    assert store.known([URL])[URL].kind is None


def test_nothing_moves_that_is_not_there(store: Store) -> None:
    store.save(Record(fate(status=200), page(), document()))
    assert store.move(URL, NEW, MOVE) is None
    assert store.move(NEW, URL, MOVE) is None
    assert [found.url for found in store.documents()] == [URL]
    assert store.fates(URL)[0].reason == "stored"


def thread(url: str, *said: str) -> Document:
    posts = tuple(post(number, text) for number, text in enumerate(said, start=1))
    return replace(document(url, title="Nets", posts=posts), kind=Kind.THREAD)


def test_the_pages_of_a_moved_thread_are_none_of_its_any_more(store: Store) -> None:
    second = f"{URL}?page=2"
    store.save(Record(fate(status=200), page(), thread(URL, "one"), thread=URL))
    store.save(Record(fate(second, status=200), page(second), thread(second, "two"), thread=URL, part=2))
    store.save(Record(fate(NEW, run=2, status=200), page(NEW), thread(NEW, "one"), thread=NEW))
    store.move(URL, NEW, MOVE)
    assert texts(store, NEW) == ["one", "two"]
    assert store.document(second) is None
    assert [found.url for found in store.documents()] == [NEW]
    assert store.known([second])[second].thread is None
