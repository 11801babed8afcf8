"""What the gate lets through when several workers stand at it."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from thresher.crawling.intake import Finding, Intake
from thresher.discovery.scope import Scope
from thresher.discovery.traps import LIMITS
from thresher.frontier.contract import Rules
from thresher.frontier.sqlite import SqliteFrontier
from thresher.model import Fate, Link
from thresher.sqlite import connect
from thresher.store.contract import Store
from thresher.store.sql import sqlite_store

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
