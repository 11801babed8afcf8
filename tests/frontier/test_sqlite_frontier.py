"""What is particular to the SQLite frontier: shared transactions, plans without scans, errors at the border."""

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.contracts.frontier_words import QUICK, done, failed, link, links
from thresher.errors import BackendError, Unreachable
from thresher.frontier.contract import Rules
from thresher.frontier.sqlite import MIGRATIONS, SqliteFrontier
from thresher.sqlite import atomic, connect, migrate

POLITE = Rules(delay_s=2.0, response_factor=0.0)


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


class Clocks:
    """A machine's clock that somebody sets, and the time that passes."""

    def __init__(self) -> None:
        self.wall_s, self.passed_s = 1_000_000.0, 0.0

    def open(self, connection: sqlite3.Connection) -> SqliteFrontier:
        return SqliteFrontier(connection, "job", POLITE, lambda: self.wall_s, lambda: self.passed_s)

    def pass_s(self, seconds: float, *, set_by_s: float = 0.0) -> None:
        self.wall_s += seconds + set_by_s
        self.passed_s += seconds


@pytest.mark.parametrize("set_by_s", [-3600.0, 3600.0, 86_400.0])
def test_while_a_process_runs_a_clock_that_is_set_changes_nothing(
    connection: sqlite3.Connection, set_by_s: float
) -> None:
    clocks = Clocks()
    frontier = clocks.open(connection)
    frontier.offer(links(3))
    (lease,) = frontier.lease("w1", 5)
    clocks.pass_s(0.5, set_by_s=set_by_s)
    assert frontier.settle([done(lease)]) == [True]
    assert frontier.due_in_s() == pytest.approx(POLITE.delay_s)
    assert frontier.reap() == 0
    clocks.pass_s(POLITE.delay_s - 0.1)
    assert frontier.lease("w1", 5) == []
    clocks.pass_s(0.2)
    assert len(frontier.lease("w1", 5)) == 1


def test_a_clock_that_was_wrong_for_one_process_is_right_for_the_next(connection: sqlite3.Connection) -> None:
    clocks = Clocks()
    clocks.open(connection).offer(links(3))
    clocks.pass_s(5, set_by_s=86_400.0)
    wrong = clocks.open(connection)
    wrong.settle([failed(lease) for lease in wrong.lease("w1", 5)])
    clocks.pass_s(5, set_by_s=-86_400.0)
    again = clocks.open(connection)
    due_in_s = again.due_in_s()
    assert due_in_s is not None
    assert due_in_s <= POLITE.delay_s
    clocks.pass_s(POLITE.backoff_s)
    assert len(again.lease("w1", 5)) == 1


def test_times_that_a_wrong_clock_left_are_bounded(connection: sqlite3.Connection) -> None:
    clocks = Clocks()
    frontier = clocks.open(connection)
    frontier.offer(links(3))
    frontier.settle([replace(failed(lease), address="192.0.2.1") for lease in frontier.lease("w1", 5)])
    for statement in (
        "UPDATE frontier_hosts SET next_at = next_at + 86400",
        "UPDATE frontier_links SET at = at + 86400",
        "UPDATE frontier_rests SET next_at = next_at + 86400, asked_at = asked_at + 86400",
        "UPDATE frontier_address_rests SET next_at = next_at + 86400",
    ):
        connection.execute(statement)
    again = clocks.open(connection)
    assert again.due_in_s() == POLITE.longest_s
    clocks.pass_s(POLITE.longest_s)
    assert len(again.lease("w1", 5)) == 1


def test_a_database_of_an_older_version_keeps_its_rests(tmp_path: Path) -> None:
    connection = connect(tmp_path / "old.db")
    migrate(connection, "frontier", MIGRATIONS[:4])
    connection.execute("INSERT INTO frontier_jobs (id, name, pending) VALUES (1, 'job', 1)")
    host = "INSERT INTO frontier_hosts (id, job, name, next_at, accepted, waiting) VALUES (?, 1, ?, ?, ?, ?)"
    connection.execute(host, (1, "", 0.0, 0, 0))
    connection.execute(host, (2, "a.example", 1_000_010.0, 0, 0))
    connection.execute("INSERT INTO frontier_addresses (job, address, next_at) VALUES (1, '192.0.2.1', 1000020.0)")
    clocks = Clocks()
    frontier = SqliteFrontier(connection, "another", POLITE, lambda: clocks.wall_s, lambda: clocks.passed_s)
    frontier.offer(links(2))
    assert frontier.lease("w1", 1) == []
    clocks.pass_s(10)
    (lease,) = frontier.lease("w1", 1)
    frontier.settle([replace(done(lease), address="192.0.2.1")])
    clocks.pass_s(5)
    assert frontier.lease("w1", 1) == []
    clocks.pass_s(5)
    assert len(frontier.lease("w1", 1)) == 1
    connection.close()
