"""Raw pages: each body once, compressed with what the pages of its host share, whatever is fetched again."""

import random

from tests.contracts.store_words import fate, page
from thresher.store.bodies import FIRST
from thresher.store.contract import Record, Store

FRAME = "".join(f"<div class='frame{number}'>{number * 7919 % 1000}</div>" for number in range(400))


def url(number: int, host: str = "frame.example") -> str:
    return f"https://{host}/{number}"


def body(number: int) -> bytes:
    words = random.Random(number).choices(("one", "two", "three", "four", "five"), k=80)
    return f"<html>{FRAME}<p>{number} {' '.join(words)}</p>{FRAME}</html>".encode()


def keep(store: Store, place: str, content: bytes, **values: int) -> None:
    store.save(Record(fate(place), page(place, body=content, **values)))


def content(store: Store, place: str) -> bytes:
    found = store.page(place)
    assert found
    return found.body


def test_pages_with_one_body_have_it_each_until_the_last_has_another(store: Store) -> None:
    places = [url(1), url(2), url(1, "other.example")]
    for place in places:
        keep(store, place, b"the same")
    keep(store, places[0], b"another one")
    assert [content(store, place) for place in places] == [b"another one", b"the same", b"the same"]
    keep(store, places[1], b"a third")
    keep(store, places[2], b"")
    assert [content(store, place) for place in places] == [b"another one", b"a third", b""]
    keep(store, places[2], b"the same")
    assert content(store, places[2]) == b"the same"
    assert list(store.damaged()) == []


def test_a_failure_brings_no_body_where_there_is_a_success(store: Store) -> None:
    keep(store, url(1), b"well")
    keep(store, url(1), b"not found", status=404)
    keep(store, url(2), b"not found", status=404)
    assert content(store, url(1)) == b"well"
    assert content(store, url(2)) == b"not found"


def test_bodies_of_a_host_can_be_read_whichever_dictionary_they_came_with(store: Store) -> None:
    run = store.start_run([url(1)], {}, fate().at)
    count = FIRST + 3
    for number in range(count):
        store.save(Record(fate(url(number), run=run.id), page(url(number), body=body(number))))
    assert [content(store, url(number)) for number in range(count)] == [body(number) for number in range(count)]
    read = {visit.fate.url: visit.page.body for visit in store.visits(run.id) if visit.page}
    assert read == {url(number): body(number) for number in range(count)}
    assert list(store.damaged()) == []


def test_bodies_that_have_nothing_in_common_need_no_dictionary(store: Store) -> None:
    bodies = [random.Random(number).randbytes(5) for number in range(FIRST + 2)]
    for number, data in enumerate(bodies):
        keep(store, url(number), data)
    assert [content(store, url(number)) for number in range(len(bodies))] == bodies
