"""What every store promises of its log of changes: whoever reads it in order has every document as it is."""

from dataclasses import replace
from typing import Any

from tests.contracts.store_words import NOW, URL, document, fate, full_document, page, post
from tests.contracts.test_store_articles import PAGES, SAYING, article_page
from thresher.model import Kind
from thresher.store.contract import Change, Record, Store
from thresher.urls import key_of

OTHER = "https://example.com/b"
SECOND = "https://example.com/t?page=2"
THREAD = "https://example.com/t"


def save(store: Store, url: str = URL, **values: Any) -> None:
    store.save(Record(fate(url), page(url), document(url, **values)))


def keys(changes: list[Change]) -> list[str]:
    return [change.key for change in changes]


def test_a_new_store_has_no_changes(store: Store) -> None:
    assert store.changes(0) == []
    assert store.count_changes(0) == 0


def test_each_document_is_in_the_log_as_it_is_now(store: Store) -> None:
    store.save(Record(fate(), page(), full_document()))
    (change,) = store.changes(0)
    assert change.stored is not None
    assert change.stored.document == full_document()
    assert (change.key, change.stored.run, change.stored.first_seen) == (key_of(URL), 1, NOW)


def test_a_document_that_is_saved_again_moves_to_the_end(store: Store) -> None:
    save(store)
    save(store, OTHER)
    first, second = store.changes(0)
    assert keys([first, second]) == [key_of(URL), key_of(OTHER)]
    save(store, title="New")
    (again,) = store.changes(second.number)
    assert again.number > second.number > first.number
    assert again.stored
    assert again.stored.document.title == "New"
    assert keys(store.changes(0)) == [key_of(OTHER), key_of(URL)]
    assert (store.count_changes(0), store.count_changes(second.number), store.count_changes(again.number)) == (2, 1, 0)


def test_the_log_is_read_some_entries_at_a_time(store: Store) -> None:
    urls = [f"https://example.com/{number}" for number in range(5)]
    for url in urls:
        save(store, url)
    found, last = [], 0
    while batch := store.changes(last, limit=2):
        assert len(batch) <= 2
        found += keys(batch)
        last = batch[-1].number
    assert found == [key_of(url) for url in urls]


def test_pages_without_a_document_are_not_in_the_log(store: Store) -> None:
    store.save(Record(fate(state="skipped", reason="listing"), page()))
    store.note([fate(OTHER, state="refused", reason="robots")])
    assert store.changes(0) == []


def test_a_further_page_of_a_thread_changes_the_thread(store: Store) -> None:
    thread = replace(document(THREAD, posts=(post(1, id="p1"),)), kind=Kind.THREAD)
    store.save(Record(fate(THREAD), page(THREAD), thread, thread=THREAD))
    (first,) = store.changes(0)
    more = replace(document(SECOND, posts=(post(2, id="p2"),)), kind=Kind.THREAD)
    store.save(Record(fate(SECOND), page(SECOND), more, thread=THREAD, part=2))
    (change,) = store.changes(first.number)
    assert change.key == key_of(THREAD)
    assert change.stored
    assert [each.id for each in change.stored.document.posts] == ["p1", "p2"]


def test_a_page_that_joins_its_article_is_gone_as_a_document(store: Store) -> None:
    store.save(article_page(PAGES[1]))
    (alone,) = store.changes(0)
    assert alone.stored
    store.save(article_page(PAGES[0]))
    later = {change.key: change for change in store.changes(alone.number)}
    assert later.keys() == {key_of(PAGES[0]), key_of(PAGES[1])}
    assert later[key_of(PAGES[1])].stored is None
    assert not later[key_of(PAGES[1])].is_damaged
    whole = later[key_of(PAGES[0])].stored
    assert whole
    assert SAYING[PAGES[1]] in whole.document.text


def test_a_source_that_is_noted_later_changes_the_document(store: Store) -> None:
    save(store)
    (first,) = store.changes(0)
    store.note_source("news", [URL, OTHER], NOW)
    (change,) = store.changes(first.number)
    assert change.stored
    assert change.stored.document.sources == ("news",)
