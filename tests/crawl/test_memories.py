"""What earlier runs showed of a site is known to the next one, but for the page itself."""

from datetime import UTC, datetime

import pytest

from thresher import sqlite
from thresher.crawling import harvest
from thresher.crawling.landing import harvest_from_bytes
from thresher.crawling.memories import NOTHING, Memories
from thresher.extraction.memory import SiteMemory
from thresher.extraction.memory_codec import memory_from_bytes, memory_to_bytes
from thresher.model import Fate, Link, Page
from thresher.store.contract import Record, Store
from thresher.store.sql import sqlite_store

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
REFRAIN = "The captain told the harbour office that he would sail again the next morning if the wind allowed it."


def url_of(number: int) -> str:
    return f"https://harbour.example/{number}"


def page_of(number: int) -> Page:
    own = "".join(
        f"<p>On day {number} the ferry left in weather {number * 7 + line}, and {line} crates stayed.</p>"
        for line in range(5)
    )
    html = f"<html><head><title>Day {number}</title></head><body><main>{own}<p>{REFRAIN}</p></main></body></html>"
    return Page(url_of(number), 200, html.encode(), NOW, {"content-type": "text/html"})


def save(store: Store, number: int, *, run: int) -> None:
    found = harvest_from_bytes(harvest.answer(harvest.request(page_of(number), Link("https://e.org/"), None, NOTHING)))
    assert found.document
    assert found.traces
    fate = Fate(url_of(number), run, "stored", "stored", NOW)
    store.save(Record(fate, page_of(number), found.document, traces=found.traces))


@pytest.fixture
def store() -> Store:
    """A store with four pages of one site, of the first run."""
    made = sqlite_store(sqlite.connect(":memory:"))
    for number in range(1, 5):
        save(made, number, run=1)
    return made


def test_a_page_is_read_in_the_light_of_earlier_runs(store: Store) -> None:
    alone = harvest_from_bytes(harvest.answer(harvest.request(page_of(9), Link("https://e.org/"), None, NOTHING)))
    assert alone.document
    assert REFRAIN in alone.document.text
    memory = Memories(store, 2).of(url_of(9))
    assert memory_from_bytes(memory).pages == 4
    found = harvest_from_bytes(harvest.answer(harvest.request(page_of(9), Link("https://e.org/"), None, memory)))
    assert found.document
    assert REFRAIN not in found.document.text


def test_the_run_itself_and_other_sites_are_not_counted(store: Store) -> None:
    assert Memories(store, 1).of(url_of(9)) == NOTHING
    assert Memories(store, 2).of("https://elsewhere.example/9") == NOTHING


def test_what_a_run_saves_changes_nothing_in_it(store: Store) -> None:
    before = Memories(store, 2).of(url_of(9))
    for number in range(5, 8):
        save(store, number, run=2)
    assert Memories(store, 2).of(url_of(9)) == before
    assert memory_from_bytes(Memories(store, 3).of(url_of(9))).pages == 7


def test_a_page_does_not_count_for_itself(store: Store) -> None:
    memories = Memories(store, 2)
    assert memory_from_bytes(memories.of(url_of(1))).pages == 3
    assert memory_from_bytes(memories.of(url_of(9))).pages == 4


def test_without_a_memory_a_page_leaves_no_traces() -> None:
    assert harvest_from_bytes(harvest.answer(harvest.request(page_of(9), Link("https://e.org/"), None))).traces is None
    assert harvest.harvest(page_of(9), 1, None, SiteMemory()).traces
    assert memory_from_bytes(NOTHING) == memory_from_bytes(memory_to_bytes(SiteMemory()))
