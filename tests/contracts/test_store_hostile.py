"""What every store takes: text, names, numbers and bodies of any kind."""

import pytest

from tests.contracts.store_words import NOW, URL, document, fate, page, post
from thresher.model import Block, Evidence, Link, Robots, Span
from thresher.store.contract import Record, Store


@pytest.mark.parametrize("text", ["a\0b", "half \ud800 pair", "\u202e", "x" * 100_000])
def test_hostile_text_is_taken(store: Store, text: str) -> None:
    hostile = document(
        title=text,
        authors=(text,),
        blocks=(Block((Span(text),)),),
        posts=(post(1, text, id=text),),
        evidence={text: Evidence(text)},
        language=text[:30],
    )
    raw = page(headers={"etag": text, "x": text})
    store.save(Record(fate(detail=text), raw, hostile, (Link("https://example.com/b", found_on=text),)))
    found = store.document(URL)
    assert found
    assert len(found.text) == len(text)
    assert len(found.posts[0].text) == len(text)
    assert store.page(URL) is not None
    assert len(store.outlinks(URL)) == 1


@pytest.mark.parametrize("text", ["a\0b", "half \ud800 pair"])
def test_hostile_names_are_taken_and_asked_for(store: Store, text: str) -> None:
    run = store.start_run([text], {"include": [text], text: 1}, NOW)
    assert store.run(run.id) is not None
    store.save_robots(Robots(text, 200, b"", NOW))
    assert store.robots(text) is not None
    store.save(Record(fate(found_on=text), page(text), document(site=text), traces=b"t"))
    assert len(list(store.documents(site=text))) == 1
    assert len(store.traces(text, before=2)) == 1
    store.note([fate(f"https://example.com/{text}", state=text[:1], reason=text[:1], found_on=text)])
    assert len(store.fates(f"https://example.com/{text}")) == 1
    assert store.known([text]) == {}


def test_numbers_of_any_size_are_taken(store: Store) -> None:
    large = 2**40
    store.save(Record(fate(status=large), page(status=large), document(posts=(post(large),))))
    found = store.document(URL)
    assert found
    assert found.posts[0].position == large
    assert store.fates(URL)[0].status == large


def test_a_body_of_any_bytes_comes_back(store: Store) -> None:
    body = bytes(range(256)) * 40_000
    store.save(Record(fate(), page(body=body)))
    found = store.page(URL)
    assert found
    assert found.body == body
