"""What a document database must offer to be a store: rows of the tables in tables.py, each under its primary key.

    store/keyed.py ──▶ Work: reads, and what is to change ──commit──▶ Collections: MongoDB, OpenSearch, Elasticsearch

These databases have no joins, and not all have transactions. So whoever saves something first takes the locks of what
it may touch, reads what it needs, and writes all changes in the end, in one step: a transaction where there is one, and
else a journal. What is in the journal is done by whoever finds it, so a killed process leaves nothing half done:

    locks ─▶ read ─▶ journal ─▶ rows ─▶ strike the journal ─▶ locks off

Who is killed before the journal is written has done nothing; who is killed behind it has the rest done by whoever takes
the locks over.
"""

import os
import socket
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from operator import ge, gt, lt
from pathlib import Path
from typing import Any, Protocol
from uuid import uuid4

from sqlalchemy import Table

from thresher.errors import Unreachable
from thresher.store.tables import LARGE, metadata
from thresher.urls import key_of

Row = dict[str, Any]
Key = tuple[Any, ...]
Condition = tuple[str, str, Any]  # a column, one of = in < > >=, and a value
Changes = Mapping[str, Mapping[Key, Row | None]]  # by table and key: the new row, None for one that goes

BATCH = 500  # rows that are read at a time
PAGES = 20  # of tables whose rows may have megabytes
SHARED = "all documents"  # the lock of what they share; it is taken last
SLOTS = 512  # that names of other locks are hashed to
LEASE_S = 30.0  # a lock that one process is seen to hold for so long is taken from it
MAX_ID_BYTES = 400  # of a row's identifier; longer ones are hashed
PAUSE_S = 0.01

# What rows are looked up by, besides their primary keys.
INDEXES: Mapping[str, Sequence[Sequence[str]]] = {
    "documents": (("first_seen", "key"), ("run", "first_seen", "key"), ("site", "first_seen", "key"), ("text_hash",)),
    "posts": (("page",), ("thread", "place", "moment", "post"), ("thread", "published")),
    "parts": (("thread", "number"),),
    "article_pages": (("article", "number"),),
    "pages": (("body",),),
    "bodies": (("host", "hash"),),
    "fates": (("run", "state", "reason"), ("run", "at", "key")),
    "traces": (("site", "run"),),
    "variants": (("host", "name", "same", "differs"),),
    "texts": (("copy_group",),),
    "copies": (("text",), ("original",)),
    "changes": (("number",),),
    "runs": (("state",),),
}
DERIVED: Mapping[str, Mapping[str, Callable[[Row], Any]]] = {"posts": {"moment": lambda row: row["published"] or ""}}
_HOLDS: Mapping[str, Callable[[Any, Any], bool]] = {
    "=": lambda held, wanted: held == wanted,
    "in": lambda held, wanted: held in wanted,
    "<": lt,
    ">": gt,
    ">=": ge,
}


class Collections(Protocol):
    """Rows in a document database; calls come from one thread at a time. Errors are BackendErrors."""

    def get(self, table: Table, keys: Sequence[Key], columns: Sequence[str] = ()) -> list[Row]:
        """The rows under some primary keys, those that there are; with all columns, unless some are named."""

    def find(
        self,
        table: Table,
        *where: Condition,
        order: Sequence[str] = (),
        after: Sequence[Any] = (),
        limit: int | None = None,
        columns: Sequence[str] = (),
    ) -> list[Row]:
        """The rows for which all conditions hold, in the order of columns, behind the values of one row.

        A column with a minus before it is in descending order; nothing goes behind such a one.
        """

    def count(self, table: Table, *where: Condition, by: Sequence[str] = ()) -> Counter[Key]:
        """How many rows there are, by the values of some columns."""

    def write(self, changes: Changes) -> None:
        """Make all changes or none, in the end; the caller holds the locks."""

    def locked(self, names: Iterable[str]) -> Any:
        """Hold locks while a block runs; blocks may be nested, the inner names coming after the outer ones."""

    def close(self) -> None:
        """Close the connections."""


class Work:
    """What one call reads and changes: it sees its own changes, and nobody else does until they are written."""

    def __init__(self, collections: Collections) -> None:
        self._collections = collections
        self._read: dict[str, dict[Key, Row | None]] = {}  # whole rows, and those that are not there
        self.changes: dict[str, dict[Key, Row | None]] = {}

    def get(self, table: Table, *key: Any) -> Row | None:
        """Return the row under a primary key."""
        return next(iter(self.get_all(table, [key]).values()), None)

    def get_all(self, table: Table, keys: Iterable[Key], columns: Sequence[str] = ()) -> dict[Key, Row]:
        """Return the rows under primary keys, those that there are."""
        known = self._read.setdefault(table.name, {}) | self.changes.get(table.name, {})
        wanted = list(dict.fromkeys(keys))
        unread = [key for key in wanted if key not in known]
        named = (*primary_key(table), *columns) if columns else ()
        found = {key_in(table, row): row for row in self._collections.get(table, unread, named)} if unread else {}
        for key in unread:
            if key not in found or not columns:
                self._read[table.name][key] = found.get(key)
        return found | {key: row for key in wanted if (row := known.get(key)) is not None}

    def find(self, table: Table, *where: Condition, columns: Sequence[str] = ()) -> list[Row]:
        """Return the rows for which all conditions hold."""
        if any(operator == "in" and not wanted for _, operator, wanted in where):
            return []
        changed = self.changes.get(table.name, {})
        named = (*primary_key(table), *columns) if columns else ()
        found = [
            row
            for row in read_all(self._collections, table, *where, columns=named)
            if key_in(table, row) not in changed
        ]
        return found + [row for row in changed.values() if row is not None and meets(row, where)]

    def count(self, table: Table, *where: Condition, by: Sequence[str] = ()) -> Counter[Key]:
        """Count rows as they were before this work."""
        return self._collections.count(table, *where, by=by)

    def some(self, table: Table, *where: Condition, order: Sequence[str], limit: int) -> list[Row]:
        """Return the first rows in an order, as they were before this work."""
        return self._collections.find(table, *where, order=order, limit=limit)

    def put(self, table: Table, row: Row) -> None:
        """Insert a row, or put it in place of the one with its primary key."""
        self.changes.setdefault(table.name, {})[key_in(table, row)] = row

    def change(self, table: Table, row: Row, **values: Any) -> None:
        """Give columns of a row other values."""
        self.put(table, {**row, **values})

    def drop(self, table: Table, row: Mapping[str, Any]) -> None:
        """Delete a row."""
        self.changes.setdefault(table.name, {})[key_in(table, row)] = None


def read_all(
    collections: Collections,
    table: Table,
    *where: Condition,
    order: Sequence[str] = (),
    after: Sequence[Any] = (),
    columns: Sequence[str] = (),
) -> Iterator[Row]:
    """Yield all rows for which the conditions hold, in the order of columns that tell them apart, some at a time."""
    ordered = tuple(order) or primary_key(table)
    named = tuple(dict.fromkeys((*columns, *ordered))) if columns else ()
    limit = PAGES if table.name in LARGE and not columns else BATCH
    while True:
        batch = collections.find(table, *where, order=ordered, after=after, limit=limit, columns=named)
        yield from batch
        if len(batch) < limit:
            return
        after = [value_of(table, batch[-1], name) for name in ordered]


def meets(row: Mapping[str, Any], where: Iterable[Condition]) -> bool:
    """Say whether all conditions hold for a row; none holds for a value that is missing but to be equal to it."""
    for column, operator, wanted in where:
        held = row[column]
        if (held is None and operator not in ("=", "in")) or not _HOLDS[operator](held, wanted):
            return False
    return True


def primary_key(table: Table) -> tuple[str, ...]:
    """Return the columns of a table's primary key."""
    return tuple(column.name for column in table.primary_key)


def key_in(table: Table, row: Mapping[str, Any]) -> Key:
    """Return the primary key of a row."""
    return tuple(row[name] for name in primary_key(table))


def value_of(table: Table, row: Row, column: str) -> Any:
    """Return the value of a column, or of one that is derived from others."""
    derived = DERIVED.get(table.name, {})
    return derived[column](row) if column in derived else row[column]


def identifier(key: Key) -> str:
    """Return a primary key as one text, not too long for an identifier."""
    text = "\x1f".join(map(str, key))
    return text if len(text.encode("utf-8", "replace")) <= MAX_ID_BYTES else key_of(text)


def table_of(name: str) -> Table:
    """Return a table by its name."""
    return metadata.tables[name]


def _slots_of(names: Iterable[str]) -> list[int]:
    """Return the slots of locks that some names are hashed to, in the order in which everybody takes them."""
    return sorted({SLOTS if name == SHARED else int(key_of(name)[:8], 16) % SLOTS for name in names})


class Turns:
    """The locks of one connection, under a name of its own, and its journal.

    `quick` takes a slot that nobody holds, if that can be told at once, `held_by` tells who holds one, `swap` passes it
    from one to another if it is still the first one's, `give_back` lets slots go that are ours, `redo` does what
    somebody had written into the journal, and strikes it.
    """

    def __init__(
        self,
        *,
        quick: Callable[[int, str], bool],
        held_by: Callable[[int], str | None],
        swap: Callable[[int, str | None, str], bool],
        give_back: Callable[[Sequence[int]], None],
        redo: Callable[[str], None],
    ) -> None:
        self._quick, self._held_by, self._swap, self._give_back, self._redo = quick, held_by, swap, give_back, redo
        self._here = f"{socket.gethostname()} {_processes()}"
        self.name = f"{self._here} {os.getpid()} {uuid4().hex}"
        self.held: list[int] = []  # by the blocks that run now
        self._taken: set[int] = set()  # and by those that were broken off
        self._is_unfinished = False  # what is in our journal

    @contextmanager
    def locked(self, names: Iterable[str]) -> Iterator[None]:
        """Hold locks while a block runs."""
        before = self.held
        slots = [slot for slot in _slots_of(names) if slot not in before]
        for slot in slots:
            self._take(slot)
        self.held = [*before, *slots]
        try:
            yield
        except Unreachable:
            raise  # nothing can be given back now; whoever takes the locks looks into the journal first
        except BaseException:
            self._let_go(slots, before)
            raise
        finally:
            self.held = before
        self._let_go(slots, before)

    @contextmanager
    def journal(self) -> Iterator[None]:
        """Mark that a block writes the journal, does what it says, and strikes it."""
        if self._is_unfinished:
            self._redo(self.name)
        self._is_unfinished = True
        yield
        self._is_unfinished = False

    def is_gone(self, name: str) -> bool:
        """Say whether a holder cannot come back: a process of this machine that is no more, or this very one."""
        here, _, process = name.rpartition(" ")[0].rpartition(" ")
        return name == self.name or (here == self._here and not Path(f"/proc/{process}").exists())

    def _let_go(self, slots: Sequence[int], before: Sequence[int]) -> None:
        if not self._is_unfinished:
            given = slots if before else sorted(self._taken)
            self._give_back(given)
            self._taken.difference_update(given)

    def _take(self, slot: int) -> None:
        if self._quick(slot, self.name):
            self._taken.add(slot)
            return
        seen, since = "", time.monotonic()
        while True:
            held = self._held_by(slot)
            if held != seen:
                seen, since = held or "", time.monotonic()
            if held is None or self.is_gone(held) or time.monotonic() - since > LEASE_S:
                if held is not None:
                    self._redo(held)
                    self._is_unfinished &= held != self.name
                if self._swap(slot, held, self.name):
                    self._taken.add(slot)
                    return
            time.sleep(PAUSE_S)


def _processes() -> str:
    """Name the set of processes that this one sees: numbers of another container mean nothing here."""
    try:
        return str(Path("/proc/self/ns/pid").stat().st_ino)
    except OSError:  # no Linux: nobody is taken for dead before time
        return uuid4().hex
