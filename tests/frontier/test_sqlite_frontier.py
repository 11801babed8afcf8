"""What is particular to the SQLite frontier: shared transactions, plans without scans, errors at the border."""

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.contracts.frontier_words import QUICK, done, failed, link, links
from thresher.errors import BackendError, Unreachable
from thresher.frontier.sqlite import SqliteFrontier
from thresher.sqlite import atomic, connect


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    opened = connect(tmp_path / "f.db")
    yield opened
    opened.close()


def test_offer_and_settle_join_the_open_transaction(connection: sqlite3.Connection) -> None:
    frontier = SqliteFrontier(connection, "job", QUICK)
    frontier.offer([link("start")])
    (lease,) = frontier.lease("w1", 1)

    def fail_halfway() -> None:
        with atomic(connection):
            frontier.offer(links(3))
            frontier.settle([done(lease)])
            raise KeyError

    with pytest.raises(KeyError):
        fail_halfway()
    assert (frontier.census().accepted, frontier.census().leased) == (1, 1)
    with atomic(connection):
        frontier.offer(links(3))
        assert frontier.settle([done(lease)]) == [True]
    assert (frontier.census().accepted, frontier.census().done) == (4, 1)


def test_no_step_scans_a_table(connection: sqlite3.Connection) -> None:
    frontier = SqliteFrontier(connection, "job", replace(QUICK, suspect_after=1))
    spent = SqliteFrontier(connection, "job", replace(QUICK, limit=0))
    statements: list[str] = []
    connection.set_trace_callback(statements.append)
    frontier.offer([*links(40), link("deep", depth=9)])
    first, second, third, *_ = frontier.lease("w1", 12)
    frontier.renew([first])
    frontier.settle([done(first), failed(second), replace(done(third), fruitful=False)])
    frontier.offer([replace(first.link, depth=0)])
    frontier.reap(["w1"])
    for one in (frontier, spent):
        one.lease("w2", 5)
        one.due_in_s()
    frontier.lease("w3", 99)
    frontier.lease("w4", 1)
    frontier.release("w3")
    frontier.find(first.link.url)
    frontier.dead()
    frontier.census()
    connection.set_trace_callback(None)
    plans = {plan for statement in statements for plan in plans_of(connection, statement)}
    assert any("frontier_links_waiting" in plan for plan in plans)
    assert any("frontier_links_placed" in plan for plan in plans)
    assert any("frontier_links_suspect" in plan for plan in plans)
    assert [
        plan for plan in plans if plan.startswith("SCAN") and plan not in ("SCAN placed", "SCAN CONSTANT ROW")
    ] == []


def plans_of(connection: sqlite3.Connection, statement: str) -> list[str]:
    if not statement.lstrip().startswith(("SELECT", "UPDATE", "INSERT", "WITH")):
        return []  # transactions, and comments that name the statements of triggers
    return [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}")]


def test_a_locked_database_is_unreachable_for_now(tmp_path: Path, connection: sqlite3.Connection) -> None:
    frontier = SqliteFrontier(connection, "job", QUICK)
    other = connect(tmp_path / "f.db")
    other.execute("BEGIN IMMEDIATE")
    connection.execute("PRAGMA busy_timeout = 10")
    with pytest.raises(Unreachable, match=r"f\.db is locked"):
        frontier.offer([link()])
    assert frontier.census().accepted == 0  # reading goes on
    other.execute("ROLLBACK")
    other.close()
    frontier.offer([link()])


def test_a_full_disk_undoes_the_step_and_says_so(connection: sqlite3.Connection) -> None:
    frontier = SqliteFrontier(connection, "job", QUICK)
    frontier.offer(links(10))
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(BackendError, match="the disk is full"):
        frontier.offer(links(5000, "b.example"))
    connection.execute("PRAGMA max_page_count = 1000000")
    assert frontier.census().accepted == 10
    assert len(frontier.lease("w1", 100)) == 10


def test_a_closed_database_is_a_backend_error(connection: sqlite3.Connection) -> None:
    frontier = SqliteFrontier(connection, "job", QUICK)
    connection.close()
    with pytest.raises(BackendError):
        frontier.lease("w1", 1)
    with pytest.raises(BackendError):
        frontier.census()
