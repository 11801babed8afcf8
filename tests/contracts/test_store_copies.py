"""What every store promises of copies, and of parameters that change nothing."""

from dataclasses import replace
from datetime import timedelta

import pytest

from tests.contracts.store_words import NOW, document, fate, page
from thresher.model import Block, Kind, Post, Span
from thresher.store.contract import MAX_COPIES, Record, Store
from thresher.store.variants import MAX_BASES, MAX_NAMES

HOST = "example.com"
LONG = (
    "The ferry was late again, and the pier was full of people who waited for it in the rain. Some of them had stood"
    " there since the morning with all that they owned, and nobody knew {}."
)


def save(store: Store, url: str, text: str, *, run: int = 1, minutes: int = 0) -> None:
    """Save a page under a path of the host."""
    blocks = tuple(Block((Span(line),)) for line in text.split("\n"))
    whole = f"https://{HOST}{url}"
    at = NOW + timedelta(minutes=minutes)
    store.save(Record(fate(whole, run=run, at=at), page(whole), document(whole, blocks=blocks)))


def save_alike(store: Store, paths: int, name: str = "theme") -> None:
    """Save some articles, each plain and with a parameter that changes nothing."""
    for number in range(paths):
        for query in ("", f"?{name}=light", f"?{name}=dark"):
            save(store, f"/{number}{query}", LONG.format(number))


def names(store: Store) -> frozenset[str]:
    return store.parameters([HOST, "other.example"]).get(HOST, frozenset())


def test_copies_are_named_in_the_order_they_were_seen(store: Store) -> None:
    save(store, "/b", LONG.format("why"), minutes=2)
    save(store, "/a", LONG.format("WHY").replace(" ", "\n"), minutes=1)
    save(store, "/c", LONG.format("when"))
    for url in ("/a", "/b"):
        assert store.copies(f"https://{HOST}{url}") == [f"https://{HOST}/a", f"https://{HOST}/b"]
    assert store.copies(f"https://{HOST}/c") == [f"https://{HOST}/c"]


def test_a_short_text_or_none_has_no_copies(store: Store) -> None:
    save(store, "/a", "Hello world")
    save(store, "/b", "Hello world")
    assert store.copies(f"https://{HOST}/a") == []
    assert store.copies(f"https://{HOST}/unknown") == []


def test_a_text_that_changes_is_no_copy_any_more(store: Store) -> None:
    save(store, "/a", LONG.format("why"))
    save(store, "/b", LONG.format("why"))
    save(store, "/b", LONG.format("when"))
    assert store.copies(f"https://{HOST}/a") == [f"https://{HOST}/a"]


def test_only_so_many_copies_are_named(store: Store) -> None:
    for number in range(MAX_COPIES + 2):
        save(store, f"/{number}", LONG.format("why"))
    assert len(store.copies(f"https://{HOST}/7")) == MAX_COPIES


def test_threads_with_the_same_posts_are_copies(store: Store) -> None:
    posts = (Post("Ann", None, LONG.format("why"), 1), Post("Bo", None, "Me neither.", 2))
    for url in (f"https://{HOST}/t/1", f"https://{HOST}/t/1/print"):
        store.save(Record(fate(url), page(url), replace(document(url), kind=Kind.THREAD, posts=posts)))
    assert len(store.copies(f"https://{HOST}/t/1")) == 2


def test_a_parameter_that_changes_nothing_on_three_pages_is_learnt(store: Store) -> None:
    save_alike(store, 2)
    assert names(store) == frozenset()
    save_alike(store, 3)
    assert names(store) == {"theme"}
    assert store.parameters(["other.example"]) == {}


def test_the_same_pages_saved_again_say_nothing_new(store: Store) -> None:
    save_alike(store, 2)
    save_alike(store, 2)
    assert names(store) == frozenset()


def test_values_are_compared_where_no_page_lacks_the_parameter(store: Store) -> None:
    for number in range(3):
        for value in ("light", "dark"):
            save(store, f"/{number}?theme={value}", LONG.format(number))
    assert names(store) == {"theme"}


def test_the_plain_page_may_come_last(store: Store) -> None:
    for number in range(3):
        save(store, f"/{number}?theme=dark", LONG.format(number))
    assert names(store) == frozenset()
    for number in range(3):
        save(store, f"/{number}", LONG.format(number))
    assert names(store) == {"theme"}


def test_a_parameter_beside_others_is_learnt_alone(store: Store) -> None:
    for number in range(3):
        for value in ("light", "dark"):
            save(store, f"/show?nr={number}&theme={value}", LONG.format(number))
    assert names(store) == {"theme"}


def test_one_page_that_differs_takes_a_parameter_back(store: Store) -> None:
    save_alike(store, 5)
    save(store, "/0?theme=wide", LONG.format("something else"))
    assert names(store) == frozenset()


def test_a_page_that_was_edited_between_two_runs_takes_nothing_back(store: Store) -> None:
    save_alike(store, 3)
    save(store, "/0", LONG.format("what was added"), run=2)
    assert names(store) == {"theme"}


def test_the_same_notice_everywhere_says_nothing_of_parameters(store: Store) -> None:
    for number in range(5):
        for query in ("", "?story=1", "?story=2"):
            save(store, f"/{number}{query}", LONG.format("as the site is being repaired"))
    assert names(store) == frozenset()


@pytest.mark.parametrize("name", ["id", "p", "page"])
def test_what_mostly_chooses_a_page_is_never_learnt(store: Store, name: str) -> None:
    save_alike(store, 4, name)
    assert names(store) == frozenset()


def test_what_is_noted_of_a_host_is_limited(store: Store) -> None:
    for number in range(MAX_NAMES + 5):
        save(store, f"/x?n{number}=1", LONG.format(number))
    for number in range(MAX_BASES + 20):
        save(store, f"/{number}?n0=1", LONG.format(number))
    for number in range(3):
        save(store, f"/{number}?n0=2", LONG.format(number))
    assert names(store) <= {"n0"}


def test_a_twin_is_what_is_stored_with_other_values_or_none(store: Store) -> None:
    save(store, "/a", LONG.format("why"))
    save(store, "/b?theme=dark", LONG.format("when"))
    asked = {
        f"https://{HOST}/a?theme=dark": f"https://{HOST}/a",
        f"https://{HOST}/b?theme=light": f"https://{HOST}/b",
        f"https://{HOST}/b?theme=dark": f"https://{HOST}/b",
        f"https://{HOST}/c?theme=dark": f"https://{HOST}/c",
    }
    assert store.twins(asked) == {
        f"https://{HOST}/a?theme=dark": f"https://{HOST}/a",
        f"https://{HOST}/b?theme=light": f"https://{HOST}/b?theme=dark",
    }
    assert store.twins({}) == {}
