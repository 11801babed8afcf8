"""SQLite as frontier, store and index share it."""

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from thresher.errors import BackendError, Unreachable
from thresher.sqlite import atomic, connect, migrate, snapshot

TABLE = "CREATE TABLE t (a TEXT DEFAULT ';'); -- a comment; with a semicolon\nCREATE INDEX i ON t (a);"
TRIGGER = "CREATE TRIGGER x AFTER INSERT ON t BEGIN DELETE FROM t WHERE a = 'x'; DELETE FROM t WHERE a = 'y'; END"


def rows(connection: sqlite3.Connection) -> list[str]:
    return [row[0] for row in connection.execute("SELECT a FROM t ORDER BY a")]


@pytest.fixture
def connection(tmp_path: Path) -> sqlite3.Connection:
    opened = connect(tmp_path / "t.db")
    migrate(opened, "part", [TABLE])
    return opened


def insert_and_fail(connection: sqlite3.Connection, value: str) -> None:
    with atomic(connection):
        connection.execute("INSERT INTO t VALUES (?)", (value,))
        raise KeyError


def test_a_transaction_holds_or_leaves_no_trace(connection: sqlite3.Connection) -> None:
    with atomic(connection):
        connection.execute("INSERT INTO t VALUES ('kept')")
    with pytest.raises(KeyError):
        insert_and_fail(connection, "undone")
    assert rows(connection) == ["kept"]
    assert not connection.in_transaction


def test_an_inner_transaction_is_part_of_the_outer_one(connection: sqlite3.Connection) -> None:
    with atomic(connection):
        with atomic(connection):
            connection.execute("INSERT INTO t VALUES ('inner')")
        assert connection.in_transaction
    assert rows(connection) == ["inner"]
    with pytest.raises(KeyError), atomic(connection):
        insert_and_fail(connection, "undone")
    assert rows(connection) == ["inner"]


def test_a_foreign_error_becomes_ours(connection: sqlite3.Connection) -> None:
    with pytest.raises(BackendError, match=r"t\.db failed: no such table: nowhere"), atomic(connection):
        connection.execute("SELECT * FROM nowhere")


def test_a_snapshot_sees_one_state_and_holds_up_no_writer(tmp_path: Path, connection: sqlite3.Connection) -> None:
    other = connect(tmp_path / "t.db")
    with snapshot(connection):
        assert rows(connection) == []
        with atomic(other):
            other.execute("INSERT INTO t VALUES ('new')")
        assert rows(connection) == []
    assert rows(connection) == ["new"]


def test_a_writer_that_waits_too_long_is_told_to_try_again(tmp_path: Path, connection: sqlite3.Connection) -> None:
    other = connect(tmp_path / "t.db")
    other.execute("PRAGMA busy_timeout = 1")
    with atomic(connection):
        with pytest.raises(Unreachable, match="try again") as caught, atomic(other):
            pass
        assert caught.value.retry


@pytest.mark.parametrize(
    ("content", "name", "advice"),
    [(b"no database" * 100, "t.db", "no SQLite database"), (None, "missing/t.db", "check that its folder exists")],
)
def test_what_cannot_be_opened_says_why(tmp_path: Path, content: bytes | None, name: str, advice: str) -> None:
    if content:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(BackendError, match=advice):
        connect(tmp_path / name)


def test_only_new_migrations_are_applied(connection: sqlite3.Connection) -> None:
    assert migrate(connection, "part", [TABLE]) == 0
    assert migrate(connection, "part", [TABLE, TRIGGER]) == 1
    connection.execute("INSERT INTO t VALUES ('x')")
    assert rows(connection) == []


def test_components_are_migrated_apart(connection: sqlite3.Connection) -> None:
    assert migrate(connection, "another", ["CREATE TABLE u (a)"]) == 1


def test_a_migration_that_fails_leaves_nothing_behind(connection: sqlite3.Connection) -> None:
    with pytest.raises(BackendError):
        migrate(connection, "part", [TABLE, "CREATE TABLE half (a); CREATE TABLE t (a);"])
    assert migrate(connection, "part", [TABLE, "CREATE TABLE half (a)"]) == 1


def test_a_database_of_a_newer_version_is_refused(connection: sqlite3.Connection) -> None:
    with pytest.raises(BackendError, match="newer version"):
        migrate(connection, "part", [])


def test_several_processes_may_start_at_once(tmp_path: Path) -> None:
    script = (
        "import sys; from thresher.sqlite import connect, migrate\n"
        "print(migrate(connect(sys.argv[1]), 'part', ['CREATE TABLE t (a)', 'CREATE TABLE u (a)']))"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "new.db")]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(6)]
    applied = [process.communicate(timeout=280)[0].strip() for process in processes]
    assert sorted(applied) == ["0", "0", "0", "0", "0", "2"]
