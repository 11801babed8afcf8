"""What the gate lets through when several workers stand at it."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from thresher.crawling.editions import CHECKED_EVERY
from thresher.crawling.intake import MAX_NOTED, RESTING, Finding, Intake
from thresher.discovery.scope import Scope
from thresher.discovery.traps import LIMITS
from thresher.frontier.contract import Rules, Settlement
from thresher.frontier.sqlite import SqliteFrontier
from thresher.model import Block, Document, Fate, Kind, Link, Outcome, Page, Span
from thresher.sqlite import connect
from thresher.store.contract import Record, Store
from thresher.store.sql import sqlite_store
from thresher.urls import key_of

NOW = datetime(2026, 11, 15, tzinfo=UTC)
START, ELSEWHERE = "http://old.test/", "http://new.test/story"
Gate = tuple[Intake, Store, SqliteFrontier]


@pytest.fixture
def gate(tmp_path: Path) -> Iterator[Gate]:
    connection = connect(tmp_path / "corpus.db")
    store, frontier = sqlite_store(connection), SqliteFrontier(connection, "run-1", Rules())
    run = store.start_run([START], {}, NOW)
    yield Intake(frontier, store, run, Scope.around([START]), refresh=False), store, frontier
    connection.close()


def test_a_leased_link_widens_the_scope_that_another_worker_widened_before(gate: Gate) -> None:
    intake, _, frontier = gate
    intake.take([Link(ELSEWHERE, 2, "page", START)], NOW)
    assert frontier.find(ELSEWHERE) is None
    intake.follow(Link("http://new.test/", 1, "page", START))
    intake.take([Link(ELSEWHERE, 1, "page", START)], NOW)
    assert frontier.find(ELSEWHERE) is not None


def test_a_followed_link_has_a_fate_even_if_nobody_noted_it_but_keeps_the_one_it_has(gate: Gate) -> None:
    intake, store, _ = gate
    store.note([Fate(ELSEWHERE, 1, "stored", "stored", NOW)])
    intake.note_replayed([Link(START), Link(ELSEWHERE)], NOW)
    assert [(fate.state, fate.reason) for fate in store.fates(START)] == [("skipped", "already-stored")]
    assert [(fate.state, fate.reason) for fate in store.fates(ELSEWHERE)] == [("stored", "stored")]


def test_subdomains_that_a_site_makes_up_are_refused_from_some_number_on(tmp_path: Path) -> None:
    connection = connect(tmp_path / "corpus.db")
    store, frontier = sqlite_store(connection), SqliteFrontier(connection, "run-1", Rules(site_hosts=5))
    start = "http://made-up.test/"
    run = store.start_run([start], {}, NOW)
    scope = Scope(hosts=frozenset({"made-up.test"}), mode="subdomains")
    intake = Intake(frontier, store, run, scope, refresh=False)
    intake.take([Link(start)], NOW)
    intake.take([Link(f"http://s{number}.made-up.test/", 1, "page", start) for number in range(20)], NOW)
    assert frontier.census().accepted == 5
    (fate,) = store.fates("http://s19.made-up.test/")
    assert (fate.state, fate.reason) == ("refused", "site-full")
    connection.close()


def archive(number: int) -> str:
    return f"{START}archive?page={number}"


def walk(intake: Intake, frontier: SqliteFrontier, pages: int, *, articles: int = 2, fruitful: bool = False) -> int:
    """Follow the next pages of an archive from its first one; answer how many of them were taken in."""
    depth = 1
    for number in range(1, pages):
        here = archive(number)
        links = [Link(f"{START}{number}-{n}", depth + 1, "page", here) for n in range(articles)]
        intake.take_all([Finding([*links, Link(archive(number + 1), depth + 1, "next", here)], (), fruitful)], NOW)
        taken = frontier.find(archive(number + 1))
        if taken is None:
            return number
        depth = taken.link.depth
    return pages


def test_an_archive_that_gives_new_pages_goes_on_and_so_do_its_articles(gate: Gate) -> None:
    intake, _, frontier = gate
    assert walk(intake, frontier, 400) == 400
    assert frontier.census().accepted == 399 * 3


def test_a_chain_of_documents_goes_on(gate: Gate) -> None:
    intake, _, frontier = gate
    assert walk(intake, frontier, 300, articles=0, fruitful=True) == 300


def test_next_pages_that_give_nothing_new_end(gate: Gate) -> None:
    intake, store, frontier = gate
    reached = walk(intake, frontier, 400, articles=0)
    assert reached == LIMITS.depth
    (fate,) = store.fates(archive(reached + 1))
    assert (fate.state, fate.reason) == ("refused", "trap-depth")


def test_an_archive_that_repeats_itself_ends(gate: Gate) -> None:
    intake, _, frontier = gate
    intake.take([Link(f"{START}{number}-0", 1, "page", START) for number in range(400)], NOW)
    assert walk(intake, frontier, 400, articles=1) == LIMITS.depth


def test_where_a_depth_is_set_each_next_page_is_a_step(tmp_path: Path) -> None:
    connection = connect(tmp_path / "corpus.db")
    store, frontier = sqlite_store(connection), SqliteFrontier(connection, "run-1", Rules())
    run = store.start_run([START], {}, NOW)
    intake = Intake(frontier, store, run, Scope.around([START], max_depth=5), refresh=False)
    assert walk(intake, frontier, 20) == 5
    connection.close()


def test_a_next_page_does_not_pass_what_is_excluded(tmp_path: Path) -> None:
    connection = connect(tmp_path / "corpus.db")
    store, frontier = sqlite_store(connection), SqliteFrontier(connection, "run-1", Rules())
    run = store.start_run([START], {}, NOW)
    intake = Intake(frontier, store, run, Scope.around([START], exclude=("page=",)), refresh=False)
    links = [Link(f"{START}1", 1, "page", START), Link(archive(2), 1, "next", START)]
    intake.take(links, NOW)
    assert frontier.find(links[0].url)
    assert frontier.find(archive(2)) is None
    connection.close()


TEXT = "Page {}: the ferry was late again, and the pier was full of people who had waited in the rain since noon. " * 2


def keep(store: Store, url: str, text: str) -> None:
    """Store an article under a URL."""
    article = Document(url, Kind.ARTICLE, 0.9, title="Ferry", blocks=(Block((Span(text),)),))
    store.save(Record(Fate(url, 1, "stored", "stored", NOW), Page(url, 200, b"", NOW), article))


def learn_theme(store: Store) -> None:
    for number in range(3):
        for query in ("", "?theme=dark"):
            keep(store, f"{START}{number}{query}", TEXT.replace("{}", str(number)))


def unchecked(path: str, values: int = 4) -> list[str]:
    """Return URLs that differ in the theme, without those that are followed to check that it changes nothing."""
    named = (f"{START}{path}?theme=t{value}" for value in range(20))
    return [url for url in named if int(key_of(url)[:8], 16) % CHECKED_EVERY][:values]


def test_another_url_of_a_stored_page_is_a_copy_once_its_parameter_is_known_to_change_nothing(gate: Gate) -> None:
    intake, store, frontier = gate
    (before,) = unchecked("9", 1)
    intake.take([Link(before, 1, "page", START)], NOW)
    assert frontier.find(before) is not None
    learn_theme(store)
    (url,) = unchecked("0", 1)
    intake.take([Link(url, 1, "page", START)], NOW)
    assert frontier.find(url) is None
    (fate,) = store.fates(url)
    assert (fate.state, fate.reason, fate.detail) == ("refused", "copy", f"{START}0")


def test_of_several_urls_of_a_page_that_nobody_fetched_one_is_taken(gate: Gate) -> None:
    intake, store, frontier = gate
    learn_theme(store)
    first, *others = unchecked("new")
    intake.take([Link(url, 1, "page", START) for url in (first, *others)], NOW)
    assert frontier.find(first) is not None
    assert [frontier.find(url) for url in others] == [None] * len(others)
    assert {store.fates(url)[0].detail for url in others} == {first}


def test_starts_redirects_and_now_and_then_a_link_are_followed_all_the_same(gate: Gate) -> None:
    intake, store, frontier = gate
    learn_theme(store)
    url, other = unchecked("0", 2)
    intake.take([Link(url, 0, "start"), Link(other, 1, "redirect", START)], NOW)
    assert frontier.find(url) is not None
    assert frontier.find(other) is not None
    named = [f"{START}0?theme=u{number}" for number in range(200)]
    intake.take([Link(each, 1, "page", START) for each in named], NOW)
    assert 2 <= sum(frontier.find(each) is not None for each in named) <= 25


def test_a_parameter_that_begins_to_matter_is_followed_again(gate: Gate) -> None:
    intake, store, frontier = gate
    learn_theme(store)
    keep(store, f"{START}1?theme=classic", TEXT.replace("{}", "something else"))
    (url,) = unchecked("0", 1)
    intake.take([Link(url, 1, "page", START)], NOW)
    assert frontier.find(url) is not None


def test_of_very_many_refused_links_of_a_page_the_first_are_noted_and_the_rest_counted(gate: Gate) -> None:
    intake, store, _ = gate
    elsewhere = [Link(f"http://h{number}.test/", 1, "page", START) for number in range(5_000)]
    intake.take(elsewhere, NOW)
    assert store.tally(1) == {("refused", "off-host"): 5_000}
    assert sum(bool(store.fates(link.url)) for link in elsewhere) == MAX_NOTED


def test_no_more_links_of_a_closed_host_are_taken_in(gate: Gate) -> None:
    intake, store, frontier = gate
    intake.close_host("old.test")
    intake.take([Link("http://old.test/more", 1, "page", START)], NOW)
    assert frontier.census().accepted == 0
    assert [fate.reason for fate in store.fates("http://old.test/more")] == ["host-bytes"]


def test_feeds_of_comments_are_left_unless_they_are_asked_for(gate: Gate) -> None:
    intake, store, frontier = gate
    feed = Link(f"{START}comments/feed", 1, "comments", START)
    intake.take([feed], NOW)
    assert frontier.find(feed.url) is None
    assert [fate.reason for fate in store.fates(feed.url)] == ["comment-feed"]
    intake.forget()
    intake.comment_feeds = True
    intake.take([feed], NOW)
    assert frontier.find(feed.url) is not None


def test_a_page_that_leads_to_its_own_feed_alone_gives_nothing_new(gate: Gate) -> None:
    intake, _, _ = gate
    tag = f"{START}tag/boats/"
    new = intake.take_all([Finding([Link(f"{tag}feed/", 2, "subfeed", tag)])], NOW)
    assert new[tag] == 0


def test_a_list_that_rests_is_followed_unasked_until_something_new_is_found_on_its_host(tmp_path: Path) -> None:
    connection = connect(tmp_path / "corpus.db")
    store, frontier = sqlite_store(connection), SqliteFrontier(connection, "run-2", Rules(delay_s=0))
    item = Link(f"{START}ferry", 2, "article", f"{START}page/5/", active_at=NOW.timestamp() - 300 * 86_400)
    store.start_run([START], {}, NOW)
    read = Fate(f"{START}page/5/", 1, "skipped", "listing", NOW, status=200)
    store.save(Record(read, Page(read.url, 200, b"", NOW), None, (item,)))
    run = store.start_run([START], {}, NOW)
    intake = Intake(frontier, store, run, Scope.around([START]), refresh=False)
    intake.take([Link(f"{START}page/{number}/", 1, "page", START) for number in (5, 3)], NOW)
    assert store.fates(read.url)[0].reason == RESTING
    leases = {lease.link.url: lease for lease in frontier.lease("w", 5)}
    assert [leases[read.url].link.replay, leases[f"{START}page/3/"].link.replay] == [True, False]
    assert intake.kinds.leaves(leases[f"{START}page/3/"].link)  # it lies between two that name known items
    frontier.settle([Settlement(lease, Outcome.DONE, "replayed") for lease in leases.values()])
    known = Settlement(leases[read.url], Outcome.DONE, "stored", fetched=True, fruitful=True)
    intake.learn([known], {}, {read.url}, NOW, {})
    assert frontier.lease("w", 5) == []
    intake.learn([known], {}, set(), NOW, {})
    (again,) = frontier.lease("w", 5)
    assert (again.link.url, again.link.replay) == (read.url, False)
    connection.close()
