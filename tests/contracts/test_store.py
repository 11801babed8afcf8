"""What every store promises (store/contract.py)."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from thresher import urls
from thresher.model import Block, Document, Evidence, Fate, Kind, Link, Page, Post, Robots, RunState, Span, Verdict
from thresher.sqlite import connect
from thresher.store.contract import SITE_PAGES, Known, LastPage, Record, Store
from thresher.store.postgresql import postgresql_engine, postgresql_store
from thresher.store.sql import sqlite_store

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
URL = "https://example.com/a"


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """An empty store of each backend."""
    if request.param == "sqlite":
        connection = connect(tmp_path / "corpus.db")
        yield sqlite_store(connection)
        connection.close()
    else:
        engine = postgresql_engine(request.getfixturevalue("postgresql_url"))
        yield postgresql_store(engine)
        engine.dispose()


def fate(url: str = URL, *, run: int = 1, state: str = "stored", reason: str = "stored", **values: Any) -> Fate:
    return Fate(url, run, state, reason, **{"at": NOW, **values})


def page(url: str = URL, *, status: int = 200, body: bytes = b"<p>Hello</p>", **values: Any) -> Page:
    return Page(url, status, body, **{"fetched_at": NOW, "headers": {"content-type": "text/html"}, **values})


def document(url: str = URL, **values: Any) -> Document:
    blocks = (Block((Span("Hello "), Span("world", href="https://example.com/w", strong=True)), "p", "/p[1]"),)
    return Document(url, Kind.ARTICLE, 0.9, **{"title": "Hello", "blocks": blocks, **values})


def post(position: int, text: str = "text", **values: Any) -> Post:
    return Post(text=text, position=position, **{"author": f"author {position}", "published": None, **values})


def full_document() -> Document:
    return document(
        authors=("Ann", "李四"),
        published=datetime(2026, 11, 1, 8, tzinfo=timezone(timedelta(hours=8))),
        language="zh",
        description="d",
        image="https://example.com/i.png",
        links=("https://example.com/w",),
        posts=(post(1, id="p1", quotes=("q",), permalink="#1"), post(2, reply_to="p1", published=NOW)),
        canonical_url="https://example.com/other",
        site="example.com",
        site_name="Example",
        algorithm="cevc",
        verdict=Verdict(("no-date",)),
        evidence={"title": Evidence("h1", 0.5, "Hello")},
    )


def texts(store: Store, url: str) -> list[str]:
    found = store.document(url)
    assert found
    return [part.text for part in found.posts]


def test_what_is_saved_comes_back_whole(store: Store) -> None:
    headers = {"content-type": "text/html", "etag": '"1"', "last-modified": "yesterday", "x": "é"}
    raw = page(body="<p>中文</p>".encode("gbk"), headers=headers, elapsed_s=0.5, address="127.0.0.1", crawl_delay_s=2.0)
    links = (Link("https://example.com/b", 1, "page", URL, 5), Link("https://example.com/c", hops=2))
    store.save(Record(fate(detail="d", status=200, found_on="https://example.com/"), raw, full_document(), links))
    assert store.page(URL) == raw
    assert store.document(URL) == full_document()
    assert store.outlinks(URL) == links
    assert store.fates(URL) == [fate(detail="d", status=200, found_on="https://example.com/")]
    assert store.known([URL]) == {URL: Known("article", '"1"', "yesterday", 1)}


def test_a_zone_that_the_page_gave_is_kept(store: Store) -> None:
    store.save(Record(fate(), page(), full_document()))
    found = store.document(URL)
    assert found
    assert found.published
    assert found.published.utcoffset() == timedelta(hours=8)


def test_nothing_is_known_of_a_new_url(store: Store) -> None:
    assert store.page(URL) is None
    assert store.document(URL) is None
    assert store.outlinks(URL) == ()
    assert store.fates(URL) == []
    assert store.known([URL]) == {}
    assert store.known([]) == {}


def test_saving_twice_leaves_one(store: Store) -> None:
    for _ in range(2):
        store.save(Record(fate(), page(), full_document(), (Link("https://example.com/b"),)))
    assert list(store.documents()) == [full_document()]
    assert len(store.fates(URL)) == 1
    assert store.tally(1) == {("stored", "stored"): 1}


def test_a_later_version_replaces_an_earlier_one(store: Store) -> None:
    store.save(Record(fate(), page(), full_document(), (Link("https://example.com/b"),)))
    store.save(Record(fate(run=2), page(body=b"new"), document(title="New"), ()))
    assert store.document(URL) == document(title="New")
    newer = store.page(URL)
    assert newer
    assert newer.body == b"new"
    assert store.outlinks(URL) == ()
    assert store.known([URL])[URL].run == 2


def test_the_key_is_the_url_that_was_fetched_whatever_the_page_says(store: Store) -> None:
    store.save(Record(fate(), page(), document(title="Honest")))
    evil = "https://evil.example/x"
    store.save(Record(fate(evil), page(evil), document(evil, title="Evil", canonical_url=URL)))
    honest = store.document(URL)
    assert honest
    assert honest.title == "Honest"


def test_an_unchanged_page_leaves_everything_in_place(store: Store) -> None:
    links = (Link("https://example.com/b"),)
    store.save(Record(fate(), page(headers={"etag": "1"}), document(), links))
    unchanged = fate(run=2, state="skipped", reason="unchanged", status=304)
    for record in (Record(unchanged), Record(unchanged, page(status=304, body=b""))):
        store.save(record)
        assert store.page(URL) == page(headers={"etag": "1"})
        assert store.document(URL) == document()
        assert store.outlinks(URL) == links
        assert store.known([URL]) == {URL: Known("article", "1", None, 2)}


def test_a_page_that_gives_no_document_any_more_keeps_the_old_one(store: Store) -> None:
    store.save(Record(fate(), page(), document()))
    store.save(Record(fate(run=2, state="skipped", reason="listing", status=200), page(body=b"list")))
    assert store.document(URL) == document()
    newer = store.page(URL)
    assert newer
    assert newer.body == b"list"


def test_an_error_does_not_replace_a_success_but_says_where_it_leads(store: Store) -> None:
    store.save(Record(fate(), page(), document(), (Link("https://example.com/b"),)))
    onward = (Link("https://example.com/moved", why="redirect"),)
    moved = fate(run=2, state="skipped", reason="redirected", status=301)
    store.save(Record(moved, page(status=301, body=b""), outlinks=onward))
    assert store.page(URL) == page()
    assert store.outlinks(URL) == onward
    assert store.known([URL])[URL].run == 2


def test_a_success_replaces_an_error_and_an_error_an_error(store: Store) -> None:
    for status in (500, 404, 200):
        store.save(Record(fate(status=status), page(status=status)))
        assert store.page(URL) == page(status=status)


def test_a_page_without_a_document_is_known_without_a_kind(store: Store) -> None:
    store.save(Record(fate(state="skipped", reason="listing"), page()))
    assert store.known([URL, "https://example.com/b"]) == {URL: Known(None, None, None, 1)}


def test_many_urls_are_known_at_once(store: Store) -> None:
    wanted = [f"https://example.com/{n}" for n in range(1200)]
    for url in wanted[::100]:
        store.save(Record(fate(url), page(url), document(url)))
    assert set(store.known(wanted)) == set(wanted[::100])


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


def test_documents_come_oldest_first_by_run_and_site(store: Store) -> None:
    for n in range(250):
        url, site = f"https://example.com/{n}", "even.com" if n % 2 == 0 else "odd.com"
        at = NOW - timedelta(minutes=n // 2)
        record = Record(fate(url, run=1 + n // 200, at=at), page(url), document(url, site=site, posts=(post(n),)))
        store.save(record)
    everything = list(store.documents())
    assert len({found.url for found in everything}) == 250
    assert {found.url for found in everything[:2]} == {"https://example.com/248", "https://example.com/249"}
    assert all(str(found.url).endswith(f"/{found.posts[0].position}") for found in everything)
    assert len(list(store.documents(run=2))) == 50
    assert len(list(store.documents(site="odd.com"))) == 125
    assert len(list(store.documents(run=2, site="odd.com"))) == 25


def test_documents_can_be_saved_while_they_are_listed(store: Store) -> None:
    for n in range(120):
        store.save(Record(fate(f"https://example.com/{n}"), None, document(f"https://example.com/{n}")))
    listed = []
    for found in store.documents():
        listed.append(found.url)
        store.save(Record(fate(str(found.url), run=2), None, replace(found, title="Seen")))
    assert len(listed) == len(set(listed)) == 120


def test_what_is_stored_tells_when_and_by_whom(store: Store) -> None:
    later = NOW + timedelta(days=1)
    store.save(Record(fate(), page(), document()))
    store.save(Record(fate(run=2, at=later), page(), document()))
    (found,) = store.stored()
    assert (found.key, found.run, found.first_seen, found.last_seen) == (urls.key_of(URL), 2, NOW, later)
    assert found.document == document()


def test_fates_come_newest_first_one_per_run(store: Store) -> None:
    for run in (1, 3, 2):
        store.save(Record(fate(run=run, at=NOW + timedelta(days=run))))
    assert [found.run for found in store.fates(URL)] == [3, 2, 1]


def test_a_note_gives_way_to_a_fetch_and_never_hides_one(store: Store) -> None:
    refused = fate(state="refused", reason="too-deep")
    store.note([refused])
    assert store.fates(URL) == [refused]
    store.note([fate(state="refused", reason="off-host")])
    assert [found.reason for found in store.fates(URL)] == ["off-host"]
    store.save(Record(fate(), page()))
    store.note([refused])
    store.note([])
    assert [found.state for found in store.fates(URL)] == ["stored"]


def test_a_noted_skip_stays_too(store: Store) -> None:
    store.note([fate(state="skipped", reason="already-stored")])
    store.note([fate(state="refused", reason="too-deep")])
    assert [found.reason for found in store.fates(URL)] == ["already-stored"]


def test_a_tally_counts_one_runs_urls_by_state_and_reason(store: Store) -> None:
    store.note([fate(f"https://example.com/{n}", state="refused", reason="off-host") for n in range(3)])
    store.save(Record(fate(), page()))
    store.save(Record(fate(run=2), page()))
    assert store.tally(1) == {("refused", "off-host"): 3, ("stored", "stored"): 1}
    assert store.tally(3) == {}


def test_a_run_is_opened_ended_and_resumed(store: Store) -> None:
    options = {"limit": 5, "include": ["/é/"]}
    run = store.start_run(["https://example.com/"], options, NOW)
    assert run == store.run(run.id)
    assert (run.starts, run.options, run.state) == (("https://example.com/",), options, "running")
    store.end_run(run.id, RunState.INTERRUPTED, NOW)
    assert store.run(run.id) == replace(run, state=RunState.INTERRUPTED, finished_at=NOW)
    store.end_run(run.id, RunState.RUNNING, NOW)
    assert store.run(run.id) == run


def test_runs_are_listed_newest_first(store: Store) -> None:
    ids = [store.start_run([], {}, NOW).id for _ in range(3)]
    assert [run.id for run in store.runs(limit=2)] == ids[:0:-1]
    assert store.run(ids[-1] + 1) is None


def test_robots_are_kept_by_origin(store: Store) -> None:
    assert store.robots("https://example.com") is None
    for status, body in ((0, b""), (200, b"User-agent: *")):
        robots = Robots("https://example.com", status, body, NOW)
        store.save_robots(robots)
        assert store.robots("https://example.com") == robots


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


def test_posts_of_one_position_come_in_the_same_order_everywhere(store: Store) -> None:
    times = [NOW, None, NOW - timedelta(days=400), NOW.astimezone(timezone(timedelta(hours=-8)))]
    posts = tuple(post(1, f"{n}", id=f"{n}", published=moment) for n, moment in enumerate(times))
    store.save(Record(fate(), page(), document(posts=posts)))
    assert texts(store, URL) == ["1", "2", "3", "0"]


def test_a_body_of_any_bytes_comes_back(store: Store) -> None:
    body = bytes(range(256)) * 40_000
    store.save(Record(fate(), page(body=body)))
    found = store.page(URL)
    assert found
    assert found.body == body


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
        store.save(thread_page(url, part, post(1, f"{part}")))
    key = urls.key_of(URL)
    assert store.last_pages([key, "unknown"]) == {key: LastPage(THIRD, 3, NOW, 3, "3", None)}
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
