"""What the gate lets through when several workers stand at it."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from thresher.crawling.intake import Intake
from thresher.discovery.scope import Scope
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
