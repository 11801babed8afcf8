"""Which links of earlier runs are asked for again; and what lists show of their threads."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from thresher import urls
from thresher.crawling.activity import with_activity
from thresher.crawling.revisit import Revisit
from thresher.html import parse
from thresher.model import Document, Fate, Kind, Link, Page, Post
from thresher.sqlite import connect
from thresher.store.contract import Record, Store
from thresher.store.sql import sqlite_store

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)
BOARD, THREAD, ARTICLE = "https://e.org/board", "https://e.org/t/1", "https://e.org/article"
SECOND = f"{THREAD}?page=2"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A store with an article and a thread of two pages and four posts, from a run that is over."""
    connection = connect(tmp_path / "corpus.db")
    store = sqlite_store(connection)
    for _ in range(2):
        store.start_run([BOARD], {}, NOW)
    for part, url in enumerate((THREAD, SECOND), start=1):
        posts = tuple(Post("a", NOW, f"{part} {n}", n, id=f"{part}{n}") for n in (1, 2))
        save(store, url, Document(url, Kind.THREAD, 0.9, posts=posts), thread=THREAD, part=part)
    save(store, ARTICLE, Document(ARTICLE, Kind.ARTICLE, 0.9))
    save(store, BOARD, None)
    yield store
    connection.close()


def save(store: Store, url: str, document: Document | None, *, thread: str | None = None, part: int = 1) -> None:
    page = Page(url, 200, b"", NOW, {"etag": f'"{url}"'})
    fate = Fate(url, 1, "stored", "stored", NOW, status=200)
    store.save(Record(fate, page, document, thread=thread, part=part))


def revised(store: Store, *links: Link, refresh: bool = False) -> list[tuple[str, bool, bool]]:
    """Return URL, whether it is only replayed, and whether it is asked for on condition."""
    found = Revisit(store, 2, refresh=refresh).revised(links)
    return [(link.url, link.replay, link.etag is not None) for link in found]


def test_a_stored_article_is_replayed_or_refreshed_on_condition(store: Store) -> None:
    link = Link(ARTICLE, 1, "page", BOARD)
    assert revised(store, link) == [(ARTICLE, True, False)]
    assert revised(store, link, refresh=True) == [(ARTICLE, False, True)]


def test_an_article_is_asked_for_when_a_list_of_threads_shows_that_somebody_wrote(store: Store) -> None:
    for days, replay in ((0, False), (10, True)):
        shown = (NOW - timedelta(days=days)).timestamp()
        assert revised(store, Link(ARTICLE, 1, "thread", BOARD, active_at=shown)) == [(ARTICLE, replay, not replay)]


def test_of_a_stored_thread_the_last_page_is_asked_for(store: Store) -> None:
    expected = [(SECOND, False, True), (THREAD, True, False)]
    for refresh in (False, True):
        assert revised(store, Link(THREAD, 1, "page", BOARD), refresh=refresh) == expected
    assert revised(store, Link(SECOND, 1, "page", BOARD)) == [(SECOND, False, True)]


def test_pages_of_a_thread_do_not_ask_for_each_other(store: Store) -> None:
    assert revised(store, Link(SECOND, 1, "part", THREAD)) == [(SECOND, True, False)]


def test_a_page_that_another_redirects_to_is_asked_for(store: Store) -> None:
    assert revised(store, Link(SECOND, 1, "redirect", THREAD)) == [(SECOND, False, True)]


@pytest.mark.parametrize("count", ["4", "3"])
def test_a_thread_that_is_quiet_by_time_and_number_is_left_alone(store: Store, count: str) -> None:
    old = (NOW - timedelta(days=10)).timestamp()
    link = Link(THREAD, 1, "page", BOARD, active_at=old, counts=f"{count} 700")
    assert revised(store, link) == [(THREAD, True, False)]
    assert len(revised(store, link, refresh=True)) == 2


@pytest.mark.parametrize(("days", "counts"), [(10, "5 700"), (1, "4 700"), (10, "")])
def test_a_thread_that_may_have_grown_is_asked_for(store: Store, days: int, counts: str) -> None:
    shown = (NOW - timedelta(days=days)).timestamp()
    found = revised(store, Link(THREAD, 1, "page", BOARD, active_at=shown, counts=counts))
    assert found[0] == (SECOND, False, True)


def test_a_thread_whose_last_post_the_list_shows_is_left_alone_however_late_that_is(store: Store) -> None:
    shown = Link(THREAD, 1, "thread", BOARD, active_at=NOW.timestamp() + 30, counts="3 700")
    assert revised(store, shown) == [(THREAD, True, False)]
    revisit = Revisit(store, 2, refresh=False)
    assert revisit.grown([shown, replace(shown, counts="4 700")]) == []  # four posts, or four answers to the first
    for newer in (replace(shown, active_at=NOW.timestamp() + 90), replace(shown, counts="5 700")):
        assert [link.url for link in revisit.grown([newer])] == [SECOND]


def test_a_single_post_that_was_taken_for_an_article_is_asked_for_when_it_may_have_answers(store: Store) -> None:
    revisit = Revisit(store, 2, refresh=False)
    days = {0: [ARTICLE], 10: []}
    for age, expected in days.items():
        link = Link(ARTICLE, 1, "thread", BOARD, active_at=(NOW - timedelta(days=age)).timestamp())
        assert [each.url for each in revisit.grown([link])] == expected
    assert revisit.grown([Link("https://e.org/t/unknown", 1, "thread", BOARD, active_at=NOW.timestamp())]) == []


def test_what_is_new_and_what_this_run_fetched_is_offered_as_it_is(store: Store) -> None:
    link = Link("https://e.org/new", 1, "page", BOARD)
    assert revised(store, link) == [("https://e.org/new", False, False)]
    assert Revisit(store, 1, refresh=False).revised([Link(THREAD, 1, "page", BOARD)])[0].url == THREAD


def test_a_list_shows_when_and_how_much_was_written() -> None:
    rows = "".join(
        f"<tr><td><a href='/t/{n}'>A title</a> <a href='/u/{n}'>me</a></td><td>{10 + n}</td><td>1,2{n}0 views</td>"
        f"<td>started 5 May 2024</td><td>{when}</td></tr>"
        for n, when in enumerate(("2 hours ago", "2026-11-03 10:00", "昨天 08:00", "13 Nov, 10:30"))
    )
    tree = parse(f"<table>{rows}</table>", url=BOARD)
    links = [Link(f"https://e.org/t/{n}") for n in range(4)] + [Link("https://e.org/elsewhere")]
    found = with_activity(links, tree, BOARD, NOW)
    times = [datetime.fromtimestamp(link.active_at, UTC) if link.active_at else None for link in found]
    assert times[0] == NOW - timedelta(hours=2)
    assert times[1] == datetime(2026, 11, 3, 10, tzinfo=UTC)
    assert [each.date().isoformat() if each else None for each in times[2:]] == ["2026-11-14", "2026-11-13", None]
    assert [link.counts for link in found][:2] == ["10 1200", "11 1210"]


def test_a_list_of_threads_with_chinese_titles_in_their_addresses_is_read_too() -> None:
    names = ("求助", "收音机发热", "电动车")
    rows = "".join(
        f"<tr><td><a href='/topic/{n}/{name}'>{name}</a></td><td>{10 + n}</td><td>2026-11-0{n} 10:00</td></tr>"
        for n, name in enumerate(names, start=1)
    )
    tree = parse(f"<table>{rows}</table>", url=BOARD)
    links = [Link(urls.canonical(f"https://e.org/topic/{n}/{name}")) for n, name in enumerate(names, start=1)]
    found = with_activity(links, tree, BOARD, NOW)
    assert [link.counts for link in found] == ["11", "12", "13"]
    assert all(link.active_at for link in found)
