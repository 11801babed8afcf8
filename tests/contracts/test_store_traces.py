"""What every store remembers of the pages of a site for later runs."""

from tests.contracts.store_words import document, fate, page
from thresher import urls
from thresher.store.contract import SITE_PAGES, Record, Store


def with_traces(number: int, *, run: int = 1, site: str = "example.com", content: bytes = b"") -> Record:
    url = f"https://example.com/{number}"
    left = content or f"{number} in {run}".encode()
    return Record(fate(url, run=run), page(url), document(url, site=site), traces=left)


def test_traces_are_there_for_later_runs_alone(store: Store) -> None:
    store.save(with_traces(1, run=2))
    store.save(with_traces(2, run=2, site="other.com"))
    assert store.traces("example.com", before=2) == {}
    assert store.traces("example.com", before=3) == {urls.key_of("https://example.com/1"): b"1 in 2"}


def test_what_a_run_may_use_stays_the_same_whatever_it_saves(store: Store) -> None:
    for number in range(SITE_PAGES + 10):
        store.save(with_traces(number, run=1))
    usable = store.traces("example.com", before=2)
    assert len(usable) == SITE_PAGES
    for number in range(2 * SITE_PAGES):
        store.save(with_traces(number, run=2))
    assert store.traces("example.com", before=2) == usable


def test_the_same_pages_are_remembered_in_whatever_order_they_come(store: Store) -> None:
    numbers = list(range(2 * SITE_PAGES))
    for run, order in ((1, numbers), (2, numbers[::-1]), (2, numbers)):
        for number in order:
            store.save(with_traces(number, run=run))
    first, second = store.traces("example.com", before=2), store.traces("example.com", before=3)
    assert set(first) == set(second)
    assert all(content.endswith(b" in 2") for content in second.values())


def test_later_runs_come_first_and_older_ones_fill_up(store: Store) -> None:
    for number in range(SITE_PAGES):
        store.save(with_traces(number, run=1))
    for number in range(5):
        store.save(with_traces(number, run=2))
    found = sorted(store.traces("example.com", before=3).values())
    assert [content for content in found if content.endswith(b" in 2")] == [b"%d in 2" % number for number in range(5)]
    assert len(found) == SITE_PAGES


def test_traces_need_a_document_with_a_site(store: Store) -> None:
    store.save(Record(fate(), page(), None, traces=b"x"))
    store.save(Record(fate(), page(), document(site=None), traces=b"x"))
    assert store.traces("example.com", before=9) == {}
