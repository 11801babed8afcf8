"""Columns: facts of the embedded index's entries, side by side, so that those of many thousands are read at once.

    entries ──write──▶ blocks: for each column the numbers of 256 entries, one behind the other ──read──▶ columns

Whoever counts sites or days of a hundred thousand matches reads some hundreds of blocks in the place of as many rows.
What is no number (a list of authors) has one, kept in a table of its own. An entry that is gone leaves its
numbers behind; nothing finds it any more.
"""

import json
import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence
from hashlib import blake2b
from itertools import groupby
from sys import byteorder
from typing import Any, Literal, cast

from thresher.index.compiler import NEVER

VERSION = f"1/{byteorder}"  # numbers are kept as the machine has them
BLOCK = 256  # entries
PER_QUERY = 5_000

PROFILE = ("site", "language", "kind", "sources")  # have one number together: few differ in more than one of them
_COLUMNS = {"profile": (0, "I"), "authors": (1, "I"), "published": (2, "d"), "seen": (3, "d"), "twin": (4, "q")}
_SLOTS = 8  # of a block: its columns
_BYTES = {"I": 4, "d": 8, "q": 8}
NO_TWIN = 0

MIGRATION = """
    CREATE TABLE entry_columns (id INTEGER PRIMARY KEY, numbers BLOB NOT NULL);
    CREATE TABLE entry_values (number INTEGER PRIMARY KEY, facet INTEGER NOT NULL, value TEXT NOT NULL);
    CREATE UNIQUE INDEX entry_values_by_value ON entry_values (facet, value);
"""
_FACTS = f"""
    SELECT id,
        json_array(
            site, language, kind,
            json((SELECT json_group_array(source) FROM entry_sources AS s WHERE s.id = entries.id))
        ),
        authors, coalesce(published_at, {NEVER}), seen_at, CASE WHEN twinned = 1 THEN text_hash END
    FROM entries WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id
"""
_NUMBER = "SELECT number FROM entry_values WHERE facet = ? AND value = ?"
_NEW_NUMBER = "INSERT INTO entry_values (facet, value) VALUES (?, ?) RETURNING number"
_READ = "SELECT id, numbers FROM entry_columns WHERE id IN (SELECT value FROM json_each(?))"
_WRITE = "INSERT INTO entry_columns VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET numbers = excluded.numbers"
_VALUES = "SELECT number, value FROM entry_values WHERE number IN (SELECT value FROM json_each(?))"

Column = Sequence[Any]  # of numbers, by the id of the entry


class Columns:
    """The columns of the entries in one database."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def write(self, ids: Collection[int]) -> None:
        """Bring the numbers of some entries up to date, inside the transaction of the caller."""
        numbers: dict[tuple[int, str], int] = {}
        rows = self._connection.execute(_FACTS, (json.dumps(sorted(ids)),)).fetchall()
        for block, some in groupby(rows, lambda row: row[0] // BLOCK):
            self._write_block(int(block), [self._numbers(row, numbers) for row in some])

    def write_all(self) -> None:
        """Make all columns anew, inside the transaction of the caller."""
        self.clear()
        (last,) = self._connection.execute("SELECT coalesce(max(id), 0) FROM entries").fetchone()
        for start in range(0, last + 1, PER_QUERY):
            self.write(range(start, start + PER_QUERY))

    def clear(self) -> None:
        """Forget all numbers."""
        self._connection.execute("DELETE FROM entry_columns")
        self._connection.execute("DELETE FROM entry_values")

    def read(self, names: Iterable[str], ids: Sequence[int]) -> Mapping[str, Column]:
        """Return columns that hold at least the numbers of some entries, which are in order."""
        blocks = _blocks(ids)
        end = (blocks[-1] + 1) * BLOCK if blocks else 0
        return {name: self._column(name, blocks, end) for name in names}

    def values(self, numbers: Collection[int]) -> dict[int, str]:
        """Return what some numbers stand for."""
        return dict(self._connection.execute(_VALUES, (json.dumps(list(numbers)),)).fetchall())

    def _column(self, name: str, blocks: Sequence[int], end: int) -> Column:
        slot, kind = _COLUMNS[name]
        size = _BYTES[kind] * BLOCK
        whole = bytearray(_BYTES[kind] * end)
        wanted = json.dumps([block * _SLOTS + slot for block in blocks])
        for id, numbers in self._connection.execute(_READ, (wanted,)):
            start = id // _SLOTS * size
            whole[start : start + size] = numbers
        return _numbers_in(whole, kind)

    def _write_block(self, block: int, rows: Sequence[Sequence[float]]) -> None:
        """Write the numbers of entries of one block; each row begins with the entry's id."""
        keys = [block * _SLOTS + slot for slot, _ in _COLUMNS.values()]
        held = dict(self._connection.execute(_READ, (json.dumps(keys),)).fetchall())
        for column, (slot, kind) in enumerate(_COLUMNS.values(), start=1):
            key = block * _SLOTS + slot
            data = bytearray(held.get(key) or bytes(_BYTES[kind] * BLOCK))
            numbers = _numbers_in(data, kind)
            for row in rows:
                numbers[int(row[0]) % BLOCK] = row[column]
            self._connection.execute(_WRITE, (key, bytes(data)))

    def _numbers(self, row: Sequence[Any], known: dict[tuple[int, str], int]) -> list[float]:
        id, *values, published, seen, twin = row
        numbers = [self._number(facet, value, known) for facet, value in enumerate(values)]
        return [id, *numbers, published, seen, _twin_number(twin)]

    def _number(self, facet: int, value: str, known: dict[tuple[int, str], int]) -> int:
        key = (facet, value)
        if key not in known:
            found = self._connection.execute(_NUMBER, key).fetchone()
            known[key] = (found or self._connection.execute(_NEW_NUMBER, key).fetchone())[0]
        return known[key]


def _blocks(ids: Sequence[int]) -> Sequence[int]:
    """Return the blocks in which entries stand, and perhaps others between these where there are many entries."""
    if not ids:
        return ()
    between = range(ids[0] // BLOCK, ids[-1] // BLOCK + 1)
    return between if len(ids) > len(between) else sorted({id // BLOCK for id in ids})


def _numbers_in(data: bytearray, kind: str) -> "memoryview[Any]":
    return memoryview(data).cast(cast(Literal["I"], kind))


def _twin_number(text_hash: str | None) -> int:
    """Return a number of 64 bits for what copies share."""
    if not text_hash:
        return NO_TWIN
    return int.from_bytes(blake2b(text_hash.encode(), digest_size=8).digest(), "little", signed=True) or 1
