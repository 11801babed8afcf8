"""What every store promises (store/contract.py) of the sources that led to documents."""

from dataclasses import replace
from datetime import timedelta

from tests.contracts.store_words import NOW, URL, document, fate, page, post
from thresher.model import Kind
from thresher.store.contract import Record, Store
from thresher.urls import key_of

OTHER = "https://example.com/b"


def test_a_document_comes_with_the_sources_that_led_to_it_the_first_one_first(store: Store) -> None:
    assert store.note_source("weekly", [URL, OTHER], NOW) == sorted([URL, OTHER], key=key_of)
    assert store.note_source("daily", [URL], NOW + timedelta(hours=1)) == [URL]
    store.save(Record(fate(), page(), document()))
    found = store.document(URL)
    assert found == replace(document(), sources=("weekly", "daily"))
    assert list(store.documents()) == [found]
    assert store.sources([URL, OTHER, "https://example.com/c"]) == {URL: ("weekly", "daily"), OTHER: ("weekly",)}


def test_a_source_is_noted_once_for_a_page_and_stays_when_it_is_saved_again(store: Store) -> None:
    assert store.note_source("daily", [URL, URL], NOW) == [URL]
    assert store.note_source("daily", [URL], NOW + timedelta(days=1)) == []
    assert store.note_source("daily", [], NOW) == []
    for run in (1, 2):
        store.save(Record(fate(run=run), page(), document()))
    assert store.sources([URL]) == {URL: ("daily",)}
    assert store.sources([]) == {}


def test_a_document_that_no_source_led_to_has_none(store: Store) -> None:
    store.save(Record(fate(), page(), document()))
    found = store.document(URL)
    assert found
    assert found.sources == ()
    assert store.sources([URL]) == {}


def test_a_thread_has_the_sources_of_all_its_pages(store: Store) -> None:
    second = f"{URL}?page=2"
    store.note_source("board", [URL], NOW)
    store.note_source("alerts", [second], NOW - timedelta(days=1))
    for number, url in enumerate((URL, second), start=1):
        thread = replace(document(URL), kind=Kind.THREAD, posts=(post(number, f"said {number}"),))
        store.save(Record(fate(url), page(url), thread, thread=URL, part=number))
    for url in (URL, second):
        found = store.document(url)
        assert found
        assert found.sources == ("alerts", "board")
