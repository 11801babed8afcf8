"""SQLite as frontier, store and index share it: one way to open, to write in a transaction, and to migrate."""

import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from thresher.errors import BackendError, Unreachable, UsageError

BUSY_TIMEOUT_S = 30.0  # how long a writer waits for another process's transaction
STEPS_BETWEEN_LOOKS = 20_000  # of SQLite's machine, at the clock: about a millisecond

_DECODED = partial(str, encoding="utf-8", errors="replace")  # a damaged byte costs its letter, not the whole row
_PRAGMAS = (
    "PRAGMA synchronous = NORMAL",  # a killed process loses nothing; a power cut may cost the last transactions
    "PRAGMA cache_size = -32768",  # KiB
    "PRAGMA mmap_size = 134217728",  # bytes
    "PRAGMA temp_store = MEMORY",
    "PRAGMA wal_autocheckpoint = 4000",  # pages; the default of 1000 copies hot pages too often
    "PRAGMA journal_size_limit = 67108864",  # bytes
)
_LEAN = (
    "PRAGMA cache_size = -8192",  # KiB
    "PRAGMA mmap_size = 0",  # what is mapped counts for each connection again
)
_LEDGER = """
CREATE TABLE IF NOT EXISTS migrations (
    component TEXT NOT NULL, number INTEGER NOT NULL, applied_at REAL NOT NULL,
    PRIMARY KEY (component, number)
) WITHOUT ROWID
"""
_ADVICE = {
    sqlite3.SQLITE_FULL: "the disk is full; free some space, then go on",
    sqlite3.SQLITE_READONLY: "the file or its folder is read-only; make both writable",
    sqlite3.SQLITE_CANTOPEN: "the file cannot be opened; check that its folder exists and is writable",
    sqlite3.SQLITE_CORRUPT: "the file is damaged; restore it from a backup",
    sqlite3.SQLITE_NOTADB: "the file is no SQLite database; choose another path",
}


def connect(path: str | Path, *, lean: bool = False, parents: bool = False) -> sqlite3.Connection:
    """Open a database for several processes at once, creating the file; raise BackendError when that fails.

    A file that this process may only read is opened for reading: to write to it fails then. `lean` takes less memory;
    with `parents` the folder is made where there is none.
    """
    if parents:
        _make_folder(Path(path).parent)
    with _foreign_errors(str(path)):
        if _is_read_only(Path(path)):
            return _open_to_read(Path(path))
        connection = _open(str(path))
        _switch_to_wal(connection)
        for pragma in (*_PRAGMAS, *(_LEAN if lean else ())):
            connection.execute(pragma)
        return connection


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BackendError(f"cannot create the data folder {folder}: {error.strerror}") from error


def _open(path: str, *, uri: bool = False) -> sqlite3.Connection:
    connection = sqlite3.connect(
        path, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False, cached_statements=512, uri=uri
    )
    connection.text_factory = _DECODED
    return connection


def _is_read_only(path: Path) -> bool:
    """Say whether a file is there that may be read, and it or its folder, where SQLite adds files, not written."""
    if not path.is_file() or not os.access(path, os.R_OK):
        return False
    return not (os.access(path, os.W_OK) and os.access(path.absolute().parent, os.W_OK))


def _open_to_read(path: Path) -> sqlite3.Connection:
    """Open a database beside a writer, whose log is read as well, or one that nobody writes to."""
    place = path.absolute().as_uri()
    connection = _open(f"{place}?mode=ro", uri=True)
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        return connection
    except sqlite3.OperationalError as error:
        connection.close()
        if _code_of(error) not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
            raise
    log = path.with_name(path.name + "-wal")
    if log.exists() and log.stat().st_size:  # a crash left it: without it the file alone may be inconsistent
        raise BackendError(
            f"the database {path} was not closed properly and cannot be repaired by who may only read it; let somebody "
            "who may write there run `thresher doctor` once"
        )
    return _open(f"{place}?mode=ro&immutable=1", uri=True)


@contextmanager
def atomic(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """Run the body as one write transaction, or as part of the one that is open already; raise only BackendErrors.

    Let an error pass through every enclosing `atomic`: the outermost one undoes the whole transaction.
    """
    # IMMEDIATE: a transaction that reads first and then wants to write cannot wait for another writer, it fails.
    with _transaction(connection, "BEGIN IMMEDIATE"):
        yield connection


@contextmanager
def snapshot(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """Run queries that all see one state of the database and hold up no writer; raise only BackendErrors."""
    with _transaction(connection, "BEGIN DEFERRED"):
        yield connection


@contextmanager
def limited(connection: sqlite3.Connection, limit_s: float) -> Iterator[sqlite3.Connection]:
    """Run queries that all see one state, like `snapshot`; raise UsageError when they take longer than a limit."""
    deadline_s = time.monotonic() + limit_s
    connection.set_progress_handler(lambda: time.monotonic() > deadline_s, STEPS_BETWEEN_LOOKS)
    try:
        with snapshot(connection):
            yield connection
    except BackendError as error:
        if isinstance(error.__cause__, sqlite3.Error) and _code_of(error.__cause__) == sqlite3.SQLITE_INTERRUPT:
            raise UsageError(
                f"the query took longer than {limit_s:g} s; add words or a field such as site: or date: to narrow it"
            ) from error
        raise
    finally:
        connection.set_progress_handler(None, 0)


def faults(connection: sqlite3.Connection) -> list[str]:
    """Read the whole database file and say what is wrong with its structure; empty when nothing is."""
    with snapshot(connection):
        found = [line for (line,) in connection.execute("PRAGMA integrity_check(20)")]
    return [] if found == ["ok"] else found


def copy(source: Path, target: Path) -> int:
    """Copy a database as it is at one moment, while others write to it; return how many bytes the copy has.

    The target appears under its name when it is whole and checked. Raise BackendError when there is no database, or
    when it or the copy is damaged.
    """
    if not source.is_file():
        raise BackendError(f"there is no database {source}")
    partly = target.with_name(f"{target.name}.part")
    with _foreign_errors(str(target)):
        try:
            partly.unlink(missing_ok=True)
            _copy(source, partly)
            with partly.open("rb+") as written:
                os.fsync(written.fileno())
            partly.replace(target)
        except OSError as error:
            raise BackendError(f"cannot write {target}: {error.strerror}") from error
        finally:
            for name in (partly.name, f"{partly.name}-journal"):
                partly.with_name(name).unlink(missing_ok=True)
    return target.stat().st_size


def _copy(source: Path, target: Path) -> None:
    reading = connect(source)
    try:
        writing = sqlite3.connect(target, isolation_level=None)
        try:
            reading.backup(writing)  # in one step: one state, and in WAL mode nobody has to wait
            writing.execute("PRAGMA journal_mode = DELETE")  # one file, that can be moved as it is
            wrong = [line for (line,) in writing.execute("PRAGMA quick_check(3)") if line != "ok"]
        finally:
            writing.close()
    finally:
        reading.close()
    if wrong:
        raise BackendError(f"the database {source} is damaged ({wrong[0]}); `thresher doctor --deep` says more")


def migrate(connection: sqlite3.Connection, component: str, migrations: Sequence[str]) -> int:
    """Apply the migrations of a component that this database has not seen; answer how many.

    Each is a script of statements and is never edited once released. Several processes may call this at once.
    """
    with snapshot(connection):  # who only reads does not wait for a writer
        ledger = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'migrations'").fetchone()
        if ledger and _applied(connection, component) == len(migrations):
            return 0
    with atomic(connection):
        connection.execute(_LEDGER)
        applied = _applied(connection, component)
        if applied > len(migrations):
            raise BackendError(
                f"the database {_path_of(connection)} was written by a newer version: its {component} is at step "
                f"{applied}, this version knows {len(migrations)}; upgrade thresher"
            )
        for number, script in enumerate(migrations[applied:], start=applied + 1):
            for statement in _statements(script):
                connection.execute(statement)
            connection.execute("INSERT INTO migrations VALUES (?, ?, ?)", (component, number, time.time()))
        return len(migrations) - applied


def components(path: Path) -> set[str]:
    """Return the components whose tables a database has; none of a database that somebody else made."""
    with _foreign_errors(str(path)):
        connection = _open(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        try:
            ledger = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'migrations'").fetchone()
            found = connection.execute("SELECT DISTINCT component FROM migrations") if ledger else ()
            return {str(name) for (name,) in found}
        finally:
            connection.close()


def _applied(connection: sqlite3.Connection, component: str) -> int:
    query = "SELECT coalesce(max(number), 0) FROM migrations WHERE component = ?"
    return int(connection.execute(query, (component,)).fetchone()[0])


@contextmanager
def _transaction(connection: sqlite3.Connection, begin: str) -> Iterator[None]:
    with _foreign_errors(connection):
        if connection.in_transaction:
            yield
            return
        connection.execute(begin)
        try:
            yield
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:  # SQLite itself rolls back on a full disk
                connection.execute("ROLLBACK")
            raise


def _switch_to_wal(connection: sqlite3.Connection) -> None:
    """Turn on the write-ahead log, which does not honour the busy timeout while another process does the same."""
    deadline_s = time.monotonic() + BUSY_TIMEOUT_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if not _is_busy(error) or time.monotonic() > deadline_s:
                raise
            time.sleep(0.01)


def _statements(script: str) -> Iterator[str]:
    """Split a script; `executescript` would commit the open transaction."""
    pending = ""
    for piece in script.split(";"):
        pending += piece + ";"
        if sqlite3.complete_statement(pending):
            if pending.strip(" \n;"):
                yield pending
            pending = ""


@contextmanager
def _foreign_errors(place: sqlite3.Connection | str) -> Iterator[None]:
    try:
        yield
    except UnicodeDecodeError as error:  # of the words in which SQLite tells of a damaged table
        raise BackendError(f"the database failed: {_ADVICE[sqlite3.SQLITE_CORRUPT]}") from error
    except sqlite3.Error as error:
        path = place if isinstance(place, str) else _path_of(place)
        if _is_busy(error):
            raise Unreachable(
                f"the database {path} is locked: another process has been writing to it for more than "
                f"{BUSY_TIMEOUT_S:.0f} s; try again when it is done"
            ) from error
        advice = _ADVICE.get(_code_of(error), str(error))
        raise BackendError(f"the database {path} failed: {advice}") from error


def _is_busy(error: sqlite3.Error) -> bool:
    return _code_of(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _code_of(error: sqlite3.Error) -> int:
    """The primary result code: extended ones carry it in their low byte."""
    return int(getattr(error, "sqlite_errorcode", None) or 0) & 0xFF


def _path_of(connection: sqlite3.Connection) -> str:
    try:
        return connection.execute("PRAGMA database_list").fetchone()[2] or ":memory:"
    except sqlite3.Error:
        return "(closed)"
