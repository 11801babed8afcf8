"""What every store promises of posts, and of threads over several pages."""

from dataclasses import replace
from datetime import UTC, timedelta, timezone
from typing import Any

from tests.contracts.store_words import NOW, URL, document, fate, page, post, texts
from thresher import urls
from thresher.model import Kind, Post
from thresher.store.contract import LastPage, Record, Store


def test_posts_come_in_order_of_position(store: Store) -> None:
    store.save(Record(fate(), page(), document(posts=(post(2, "b"), post(10, "c"), post(1, "a")))))
    assert texts(store, URL) == ["a", "b", "c"]


def test_pages_of_a_thread_may_come_in_any_order_and_again(store: Store) -> None:
    second = "https://example.com/a?page=2"
    first_posts = (post(1, "one", id="1"), post(2, "two", id="2"))
    second_posts = (post(1, "one", id="1"), post(3, "three", id="3"), post(4, "no id"))
    records = [
        Record(fate(second), page(second), document(second, posts=second_posts), thread=URL),
        Record(fate(), page(), document(posts=first_posts), thread=URL),
    ]
    for record in (*records, *records, *reversed(records)):
        store.save(record)
    assert texts(store, URL) == ["one", "two", "three", "no id"]
    assert texts(store, second) == ["one", "two", "three", "no id"]


def test_documents_that_have_posts_are_told_from_those_that_have_none(store: Store) -> None:
    quiet, many = "https://example.com/quiet", [f"https://example.com/{number}" for number in range(1_000)]
    store.save(Record(fate(), page(), document(posts=(post(1, "one"),))))
    store.save(Record(fate(quiet), page(quiet), document(quiet)))
    assert store.with_posts([quiet, *many, URL]) == {URL}
    assert store.with_posts([]) == set()


def test_threads_with_the_same_post_ids_stay_apart(store: Store) -> None:
    other = "https://example.com/b"
    for url, text in ((URL, "mine"), (other, "theirs")):
        store.save(Record(fate(url), page(url), document(url, posts=(post(1, text, id="1"),))))
    assert texts(store, URL) == ["mine"]


def test_posts_that_a_page_gives_no_more_are_dropped(store: Store) -> None:
    store.save(Record(fate(), page(), document(posts=(post(1, "a", id="1"), post(2, "b"), post(3, "c")))))
    store.save(Record(fate(), page(), document(posts=(post(1, "a", id="1"), post(2, "new")))))
    assert texts(store, URL) == ["a", "new"]
    store.save(Record(fate(), page(), document()))
    assert texts(store, URL) == []


def test_a_page_that_gives_all_posts_one_id_loses_none(store: Store) -> None:
    store.save(Record(fate(), page(), document(posts=tuple(post(1, str(n), id="same") for n in range(3)))))
    assert sorted(texts(store, URL)) == ["0", "1", "2"]


def test_posts_of_one_position_come_in_the_same_order_everywhere(store: Store) -> None:
    times = [NOW, None, NOW - timedelta(days=400), NOW.astimezone(timezone(timedelta(hours=-8)))]
    posts = tuple(post(1, f"{n}", id=f"{n}", published=moment) for n, moment in enumerate(times))
    store.save(Record(fate(), page(), document(posts=posts)))
    assert texts(store, URL) == ["1", "2", "3", "0"]


SECOND = "https://example.com/a?page=2"
THIRD = "https://example.com/a?page=3"


def thread_page(url: str, part: int, *posts: Post, **values: Any) -> Record:
    found = replace(document(url, posts=posts, **values), kind=Kind.THREAD)
    return Record(fate(url, status=200), page(url, headers={"etag": f"{part}"}), found, thread=URL, part=part)


def test_the_pages_of_a_thread_are_one_document(store: Store) -> None:
    pages = [
        thread_page(THIRD, 3, post(5, "e", id="5"), title="Third"),
        thread_page(URL, 1, post(1, "a", id="1"), post(2, "b", id="2"), title="First"),
        thread_page(SECOND, 2, post(3, "c", id="3"), title="Second"),
    ]
    for number, record in enumerate(pages):
        store.save(record)
        (found,) = store.documents()
        assert (found.url, found.title) == (URL, "Third" if number == 0 else "First")
    for url in (URL, SECOND, THIRD):
        assert texts(store, url) == ["a", "b", "c", "e"]
        alone = store.document(url, posts=False)
        assert alone
        assert alone.posts == ()
        assert [part.text for part in store.posts(url)] == ["a", "b", "c", "e"]
    known = store.known([URL, SECOND])
    assert {each.kind for each in known.values()} == {"thread"}
    assert {each.thread for each in known.values()} == {urls.key_of(URL)}


def test_the_pages_of_a_thread_are_named_by_number(store: Store) -> None:
    for number, url in ((3, THIRD), (1, URL), (2, SECOND)):
        store.save(thread_page(url, number, post(number, str(number))))
    assert store.thread_pages(URL) == [URL, SECOND, THIRD]
    store.save(Record(fate(SECOND, state="skipped", reason="http-404", status=404)))
    assert store.thread_pages(URL) == [URL, THIRD]
    assert store.thread_pages("https://example.com/none") == []


def test_posts_that_show_no_number_are_numbered_through_the_thread(store: Store) -> None:
    store.save(thread_page(SECOND, 2, post(1, "c"), post(2, "d")))
    store.save(thread_page(URL, 1, post(1, "a"), post(2, "b")))
    assert [(part.position, part.text) for part in store.posts(URL)] == [(1, "a"), (2, "b"), (3, "c"), (4, "d")]


def test_a_post_that_several_pages_show_is_kept_once_where_it_stands_first(store: Store) -> None:
    opening = {"published": NOW}
    for _ in range(2):
        store.save(thread_page(URL, 1, post(1, "opening", **opening), post(2, "b"), post(3, "c", id="3")))
        store.save(thread_page(SECOND, 2, replace(post(1, "opening", **opening), position=1), post(2, "d")))
        store.save(thread_page(THIRD, 3, post(1, "c", id="3"), post(2, "e")))
        assert texts(store, URL) == ["opening", "b", "c", "d", "e"]


def test_the_same_words_at_another_time_are_another_post(store: Store) -> None:
    plus_one = [replace(post(n, "+1", published=NOW + timedelta(minutes=n)), author="a") for n in (1, 2)]
    store.save(thread_page(URL, 1, *plus_one))
    store.save(thread_page(SECOND, 2, replace(plus_one[1], position=1, published=NOW + timedelta(minutes=3))))
    assert texts(store, URL) == ["+1"] * 3


def test_a_time_counted_back_from_the_fetch_does_not_double_a_post(store: Store) -> None:
    for number, url in enumerate((URL, SECOND), start=1):
        moment = NOW - timedelta(hours=3) + timedelta(microseconds=7 * number)
        store.save(thread_page(url, number, post(1, "opening", published=moment), post(2, f"{number}")))
    assert texts(store, URL) == ["opening", "1", "2"]


def test_an_edited_post_is_updated_with_and_without_an_id(store: Store) -> None:
    store.save(thread_page(URL, 1, post(1, "a", id="1"), post(2, "b")))
    store.save(thread_page(URL, 1, post(1, "A", id="1"), post(2, "B")))
    assert texts(store, URL) == ["A", "B"]


def test_a_post_that_moved_to_an_earlier_page_is_not_lost(store: Store) -> None:
    later = {"published": NOW + timedelta(minutes=1)}
    store.save(thread_page(URL, 1, post(1, "a", id="1"), post(2, "b", id="2")))
    store.save(thread_page(SECOND, 2, post(3, "c", id="3", published=NOW), post(4, "d", id="4", **later)))
    store.save(thread_page(SECOND, 2, post(3, "d", id="4", **later)))  # "b" was deleted: "c" moved
    assert texts(store, URL) == ["a", "b", "c", "d"]


def test_the_last_page_of_a_thread_is_known_with_its_validators(store: Store) -> None:
    for part, url in enumerate((URL, SECOND, THIRD), start=1):
        moment = (NOW + timedelta(hours=part)).replace(tzinfo=UTC if part < 3 else None)  # some pages show no zone
        store.save(thread_page(url, part, post(1, f"{part}", published=moment)))
    key = urls.key_of(URL)
    posted_at = NOW + timedelta(hours=3)
    assert store.last_pages([key, "unknown"]) == {key: LastPage(THIRD, 3, NOW, 3, "3", None, posted_at)}
    later = NOW + timedelta(days=1)
    store.save(Record(fate(THIRD, run=2, state="skipped", reason="unchanged", status=304, at=later)))
    assert store.last_pages([key])[key].asked_at == later
    store.save(Record(fate(THIRD, run=3, state="skipped", reason="http-404", status=404, at=later)))
    assert store.last_pages([key])[key].url == SECOND
    assert texts(store, URL) == ["1", "2", "3"]


def test_long_threads_are_named_by_run(store: Store) -> None:
    store.save(thread_page(URL, 1, *(post(n, f"{n}") for n in range(1, 1203))))
    other = "https://example.com/b"
    store.save(Record(fate(other), page(other), document(other, posts=(post(1),))))
    assert store.long_threads(1, posts_over=1000) == [URL]
    assert store.long_threads(2, posts_over=1000) == []
    assert [part.position for part in store.posts(URL)] == list(range(1, 1203))


def test_a_page_that_is_no_part_of_a_thread_any_more_is_found_for_itself(store: Store) -> None:
    thread = replace(document("https://example.com/t", posts=(post(1, id="p1"),)), kind=Kind.THREAD)
    store.save(Record(fate(), page(), thread, thread="https://example.com/t", part=2))
    found = store.document(URL)
    assert found
    assert found.kind is Kind.THREAD
    store.save(Record(fate(run=2), page(), document(title="An article now")))
    found = store.document(URL)
    assert found
    assert found.title == "An article now"
