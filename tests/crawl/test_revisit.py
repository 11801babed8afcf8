"""Which links of earlier runs are asked for again; and what lists show of their threads."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from thresher import urls
from thresher.crawling.activity import with_activity
from thresher.crawling.landing import Landing
from thresher.crawling.revisit import Revisit
from thresher.frontier.contract import Settlement
from thresher.html import parse
from thresher.model import Document, Fate, Kind, Lease, Link, Outcome, Page, Post
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


def rows_without_times(store: Store, *counts: str, timed: int = 0) -> list[str]:
    """Return which threads of three posts each are asked for when their rows show these numbers and no time.

    So many of the last ones show the time of the last post that is stored.
    """
    rows = []
    for number, shown in enumerate(counts, start=11):
        url = f"https://e.org/t/{number}"
        posts = tuple(Post("a", NOW, f"{number} {n}", n, id=f"{number}-{n}") for n in (1, 2, 3))
        save(store, url, Document(url, Kind.THREAD, 0.9, posts=posts), thread=url)
        shows_time = number > 10 + len(counts) - timed
        rows.append(Link(url, 1, "thread", BOARD, counts=shown, active_at=NOW.timestamp() if shows_time else None))
    return [link.url.rpartition("/")[2] for link in Revisit(store, 2, refresh=False).grown(rows)]


def test_threads_whose_rows_tell_no_time_are_asked_for_when_they_show_another_number_of_answers(store: Store) -> None:
    assert rows_without_times(store, "2 90", "3 80", "2 70", "12 60") == ["12", "14"]


def test_threads_whose_rows_tell_no_time_are_asked_for_when_they_show_another_number_of_posts(store: Store) -> None:
    assert rows_without_times(store, "3", "3 80", "4", "3 60") == ["13"]


def test_rows_with_times_tell_as_well_whether_a_list_counts_posts_or_answers(store: Store) -> None:
    assert rows_without_times(store, "3", "3", "3", "2", "2", "2", "2", timed=4) == ["11", "12", "13"]


def test_threads_are_left_alone_whose_rows_show_neither_times_nor_numbers_of_posts(store: Store) -> None:
    assert rows_without_times(store, "90", "80", "70", "60") == []
    assert rows_without_times(store, "", "", "", "") == []


def test_the_threads_of_a_short_list_are_asked_for_when_no_number_agrees(store: Store) -> None:
    assert rows_without_times(store, "5", "1") == ["11"]


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


FEED = "https://e.org/feed"
TOLD = NOW.timestamp() - 30 * 86_400


def read(store: Store, run: int, *links: Link, url: str = FEED, at: datetime = NOW) -> Landing:
    """Return how a page with these links landed; what a run before has read is saved."""
    found = tuple(replace(link, found_on=url) for link in links)
    fate = Fate(url, run, "skipped", "feed", at, status=200)
    record = Record(fate, Page(url, 200, b"", at), None, found)
    if run == 1:
        store.save(record)
    return Landing(Settlement(Lease(Link(url), 1, "w", 0.0), Outcome.DONE, "feed"), record, found)


def edited(store: Store, *links: Link, refresh: bool = False) -> list[tuple[str, str | None]]:
    revisit = Revisit(store, 2, refresh=refresh)
    landing = read(store, 2, *links)
    found = [(link.url, link.etag) for link in revisit.edited([landing])]
    assert revisit.edited([landing]) == []  # each is asked for once
    return found


def test_what_a_feed_says_otherwise_than_before_is_asked_for_on_condition(store: Store) -> None:
    link = Link(ARTICLE, 1, "feed", active_at=TOLD, mark="a1")
    read(store, 1, link)
    assert edited(store, link) == []
    assert edited(store, replace(link, mark="b2")) == [(ARTICLE, f'"{ARTICLE}"')]
    assert edited(store, replace(link, mark="b2"), refresh=True) == []  # it is asked for anyhow
    assert edited(store, Link("https://e.org/new", 1, "feed", mark="b2")) == []


@pytest.mark.parametrize(
    ("days", "is_edited"),
    [(1, True), (-1, False), (1 / 3, True), (-29, False)],
    ids=["later", "before", "hours", "old"],
)
def test_an_item_with_a_later_time_than_before_is_asked_for(store: Store, days: float, is_edited: bool) -> None:
    link = Link(ARTICLE, 1, "sitemap", active_at=TOLD)
    read(store, 1, link)
    later = replace(link, active_at=NOW.timestamp() + days * 86_400)
    assert edited(store, later) == ([(ARTICLE, f'"{ARTICLE}"')] if is_edited else [])


def test_a_day_alone_counts_when_it_was_another_before(store: Store) -> None:
    today = NOW.replace(hour=0).timestamp()
    read(store, 1, Link(ARTICLE, 1, "sitemap", active_at=TOLD))
    assert edited(store, Link(ARTICLE, 1, "sitemap", active_at=today)) == [(ARTICLE, f'"{ARTICLE}"')]
    read(store, 1, Link(ARTICLE, 1, "sitemap", active_at=today))
    assert edited(store, Link(ARTICLE, 1, "sitemap", active_at=today)) == []


def test_a_later_time_of_a_thread_is_an_answer_and_another_text_an_edit(store: Store) -> None:
    link = Link(THREAD, 1, "feed", active_at=TOLD, mark="a1")
    read(store, 1, link)
    assert edited(store, replace(link, active_at=NOW.timestamp() + 60)) == []
    assert edited(store, replace(link, mark="b2")) == [(THREAD, f'"{THREAD}"')]


def test_a_wikis_feed_names_the_latest_change_of_a_page_in_its_place(store: Store) -> None:
    page, thread = "https://e.org/doku.php?id=ferry", "https://e.org/view.php?t=7"
    save(store, page, Document(page, Kind.ARTICLE, 0.9))
    save(store, thread, Document(thread, Kind.THREAD, 0.9))

    def change(of: str, at: float) -> Link:
        return Link(f"{of}&rev={at:.0f}&do=diff", 1, "feed", active_at=at, mark=f"at {at}")

    read(store, 1, change(page, TOLD), change(thread, TOLD))
    assert edited(store, change(page, TOLD), change(thread, TOLD)) == []
    later = NOW.timestamp() + 60
    assert edited(store, change(page, TOLD), change(page, later)) == [(page, f'"{page}"')]
    assert edited(store, change(thread, later)) == []  # each of its posts may have an address like that


def test_a_list_that_shows_everything_as_new_at_once_says_when_it_was_made(store: Store) -> None:
    pages = [f"https://e.org/a/{number}" for number in range(9)]
    for url in pages:
        save(store, url, Document(url, Kind.ARTICLE, 0.9))
    read(store, 1, *(Link(url, 1, "sitemap", active_at=TOLD) for url in pages))
    now = [Link(url, 1, "sitemap", active_at=NOW.timestamp() + 60) for url in pages]
    assert edited(store, *now) == []
    assert len(edited(store, *now[:8])) == 8


def resting(store: Store, link: Link, *items: Link, hours: float = 1, **values: Any) -> Revisit:
    """Return who decides so many hours after a list was read, asked about a link to it."""
    read(store, 1, *items, url=BOARD)
    revisit = Revisit(store, 2, now=NOW + timedelta(hours=hours), **{"refresh": False, **values})
    (found,) = revisit.revised([link])
    assert found.replay is revisit.rests(link)
    return revisit


LIST = Link(BOARD, 1, "page", "https://e.org/")


@pytest.mark.parametrize(("hours", "days", "rests"), [(1, 30, True), (71, 30, True), (73, 30, False), (1, 0.3, False)])
def test_a_list_rests_for_a_tenth_of_the_age_that_its_newest_item_had(
    store: Store, hours: float, days: float, rests: bool
) -> None:
    old = Link(ARTICLE, 1, "article", active_at=NOW.timestamp() - 300 * 86_400)
    items = [old, replace(old, url="https://e.org/b", active_at=NOW.timestamp() - days * 86_400)]
    assert resting(store, LIST, *items, hours=hours).rests(LIST) is rests
    assert not resting(store, LIST, *items, refresh=True).rests(LIST)
    assert not resting(store, replace(LIST, why="start"), *items).rests(LIST)
    assert not resting(store, replace(LIST, source="gull"), *items).rests(LIST)


def test_no_list_rests_for_longer_than_a_week(store: Store) -> None:
    item = Link(ARTICLE, 1, "article", active_at=NOW.timestamp() - 3_000 * 86_400)
    assert [resting(store, LIST, item, hours=hours).rests(LIST) for hours in (167, 169)] == [True, False]


def test_a_list_whose_items_nobody_can_date_is_asked_for(store: Store) -> None:
    assert not resting(store, LIST, Link(ARTICLE, 1, "article")).rests(LIST)
    save(store, ARTICLE, Document(ARTICLE, Kind.ARTICLE, 0.9, published=NOW - timedelta(days=300)))
    assert resting(store, LIST, Link(ARTICLE, 1, "article")).rests(LIST)


def test_a_board_rests_when_the_list_that_leads_to_it_shows_nothing_later(store: Store) -> None:
    item = Link(THREAD, 1, "thread", active_at=TOLD)
    shown = [(None, False), (TOLD, True), (TOLD + 3_600, False)]
    for at, rests in shown:
        link = replace(LIST, why="board", active_at=at)
        assert resting(store, link, item).rests(link) is rests


def test_something_new_on_a_host_ends_the_rest_of_its_lists(store: Store) -> None:
    item = Link(ARTICLE, 1, "article", active_at=TOLD)
    revisit = resting(store, LIST, item)
    assert revisit.stir({"elsewhere.org"}) == []
    assert [(link.url, link.replay, link.etag) for link in revisit.stir({"e.org"})] == [(BOARD, False, None)]
    assert revisit.stir({"e.org"}) == []
    assert not revisit.revised([LIST])[0].replay
