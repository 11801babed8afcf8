"""The embedded index: words in an FTS5 table, what is filtered by in a plain one, all inside the corpus's database.

The FTS5 table keeps no text of its own. To forget a document it must be told the very words it was given; they are
made again from the copy of the text that passages are cut from. When words are made differently (tokens.VERSION), the
table has to be made anew from these copies: see index/renewal.py.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any

from thresher.index import fts5
from thresher.index.compiler import Statement
from thresher.index.contract import TIME_LIMIT_S, Given
from thresher.index.entry import Entry, entry_of, packed, unpacked
from thresher.index.renewal import Renewal, Texts
from thresher.index.searching import Means, SqlSearch, read_text
from thresher.index.stems import Stems
from thresher.model import Document
from thresher.sqlite import atomic, limited, migrate, snapshot
from thresher.text import fingerprint

MIGRATIONS = (
    """
    CREATE TABLE entries (
        id INTEGER PRIMARY KEY,
        key TEXT NOT NULL UNIQUE,
        canonical_key TEXT,
        url TEXT NOT NULL,
        host TEXT NOT NULL,
        domain TEXT NOT NULL,
        site TEXT NOT NULL,
        kind TEXT NOT NULL,
        language TEXT,
        title TEXT NOT NULL,
        authors TEXT NOT NULL,
        published TEXT,
        published_at REAL,
        seen_at REAL NOT NULL,
        run INTEGER,
        length INTEGER NOT NULL
    );
    CREATE INDEX entries_by_canonical_key ON entries (canonical_key) WHERE canonical_key IS NOT NULL;
    CREATE INDEX entries_by_domain ON entries (domain);
    CREATE INDEX entries_by_published_at ON entries (published_at);
    CREATE INDEX entries_by_seen_at ON entries (seen_at);
    CREATE TABLE entry_texts (id INTEGER PRIMARY KEY, text BLOB NOT NULL, names TEXT NOT NULL);
    CREATE VIRTUAL TABLE words USING fts5 (title, body, names, content = '', tokenize = 'ascii');
    CREATE TABLE index_state (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    """,
    """
    ALTER TABLE entries ADD COLUMN text_hash TEXT;
    CREATE INDEX entries_by_text_hash ON entries (text_hash, seen_at, id) WHERE text_hash IS NOT NULL;
    """,
    """
    CREATE TABLE entry_sources (id INTEGER NOT NULL, source TEXT NOT NULL, PRIMARY KEY (id, source)) WITHOUT ROWID;
    CREATE INDEX entries_by_source ON entry_sources (source, id);
    """,
    """
    ALTER TABLE entries ADD COLUMN url_folded TEXT NOT NULL DEFAULT '';
    ALTER TABLE entries ADD COLUMN twinned INTEGER NOT NULL DEFAULT 0;
    UPDATE entries SET url_folded = lower(url);
    UPDATE entries SET twinned = 1
    WHERE text_hash IN (SELECT text_hash FROM entries GROUP BY text_hash HAVING count(*) > 1);
    DROP TABLE words;
    CREATE VIRTUAL TABLE words USING fts5 (title, body, names, stems, content = '', tokenize = 'ascii');
    DELETE FROM index_state WHERE name = 'tokens';
    """,
)

_PUT_SOURCE = "INSERT OR IGNORE INTO entry_sources (id, source) VALUES (?, ?)"
_OLD = "SELECT id, title, text, names, language FROM entries JOIN entry_texts USING (id) WHERE key = ?"
_KEEP_STATE = "INSERT INTO index_state VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
_COPIES = ("copies", "1")  # the state of an index in which every entry has the hash of its text
_KNOWN = "SELECT count(*) FROM words WHERE words MATCH ?"
_TWINS = "SELECT id FROM entries WHERE text_hash = ? AND id <> ? LIMIT 1"
_AUTHORS = "(SELECT value AS author FROM found, json_each(found.authors) WHERE found.authors <> '[]') AS named"


class SqliteIndex(SqlSearch):
    """Finds documents in a database that the store and the frontier may share."""

    def __init__(
        self, connection: sqlite3.Connection, *, stems: Stems | None = None, time_limit_s: float = TIME_LIMIT_S
    ) -> None:
        self._connection = connection
        self._time_limit_s = time_limit_s
        stems = stems or Stems()
        migrate(connection, "index", MIGRATIONS)
        self._renewal = Renewal(connection, stems)
        self._keep_up()
        means = Means(
            run=self._run,
            select=lambda query: fts5.select(query, stems),
            reading=self._reading,
            stems=stems,
            whole="CAST({0} AS INTEGER)",
            authors=_AUTHORS,
        )
        super().__init__(means)

    def add(self, documents: Sequence[Document], seen_at: datetime, *, run: int | None = None) -> None:
        """Make documents findable under the key of their URL, replacing earlier versions."""
        entries = {entry.key: entry for entry in (entry_of(document, seen_at, run) for document in documents)}
        with atomic(self._connection):
            changes = [self._put(entry) for entry in entries.values()]
            # Words in one go: FTS5 writes down what it has gathered whenever another table is written in between.
            self._renewal.replace([old for old, _ in changes if old], [new for _, new in changes if new])

    def remove(self, keys: Sequence[str]) -> None:
        """Forget documents; unknown keys are ignored."""
        with atomic(self._connection):
            for key in keys:
                old = self._old(key)
                if old:
                    self._renewal.replace([old], [])
                    self._connection.execute("DELETE FROM entries WHERE id = ?", old[:1])
                    self._connection.execute("DELETE FROM entry_texts WHERE id = ?", old[:1])
                    self._connection.execute("DELETE FROM entry_sources WHERE id = ?", old[:1])

    def clear(self) -> None:
        """Forget everything, to be made anew from the store."""
        with atomic(self._connection):
            self._renewal.clear()
            self._connection.execute("DELETE FROM entries")
            self._connection.execute("DELETE FROM entry_texts")
            self._connection.execute("DELETE FROM entry_sources")

    def rebuild(self, documents: Iterable[Given]) -> Iterator[int]:
        """Make everything anew from the documents of the store, a batch at a time; yield how many were done."""
        return self._renewal.rebuild(self, documents)

    def damaged(self) -> list[str]:
        """Read every entry; return the URLs of those that cannot be read any more."""
        query = "SELECT entries.id, url, text FROM entries LEFT JOIN entry_texts USING (id)"
        with snapshot(self._connection):
            found = ((url, read_text(url, text)) for _, url, text in self._connection.execute(query))
            return [url for url, text in found if text is None]

    def known(self, words: Sequence[str]) -> dict[str, int]:
        """Count the documents that hold each of some words; those that none holds are missing."""
        with self._reading():
            counts = ((word, self._run(Statement(_KNOWN, (f'"{word}"',)))[0][0]) for word in words)
            return {word: count for word, count in counts if count}

    def count(self) -> int:
        """How many documents can be found."""
        with snapshot(self._connection):
            return int(self._connection.execute("SELECT count(*) FROM entries").fetchone()[0])

    def flush(self) -> None:
        """Do nothing: what was added can be found at once."""

    def close(self) -> None:
        """Do nothing: the connection belongs to whoever opened it."""

    def _put(self, entry: Entry) -> tuple[Texts | None, Texts | None]:
        """Write all but the words; return the texts whose words are to be forgotten, and those to be kept."""
        old = self._old(entry.key)
        columns = list(entry.facts)
        updates = ", ".join(f"{name} = excluded.{name}" for name in columns if name != "seen_at")
        names, marks = ", ".join(["key", *columns]), ", ".join("?" * (len(columns) + 1))
        sql = f"INSERT INTO entries ({names}) VALUES ({marks}) ON CONFLICT (key) DO UPDATE SET {updates} RETURNING id"
        (id,) = self._connection.execute(sql, (entry.key, *entry.facts.values())).fetchone()
        self._connection.executemany(_PUT_SOURCE, [(id, source) for source in entry.sources])
        self._note_twins(int(id), entry.facts["text_hash"])
        new = Texts(int(id), entry.title, entry.text, entry.names, entry.language)
        if old == new:
            return None, None
        sql = """
            INSERT INTO entry_texts (id, text, names) VALUES (?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET text = excluded.text, names = excluded.names
        """
        self._connection.execute(sql, (id, packed(entry.text), entry.names))
        return old, new

    def _note_twins(self, id: int, text_hash: Any) -> None:
        """Mark entries that have the same text, so that a search need not look for twins of all the others."""
        if text_hash and self._connection.execute(_TWINS, (text_hash, id)).fetchone():
            self._connection.execute("UPDATE entries SET twinned = 1 WHERE text_hash = ?", (text_hash,))

    def _old(self, key: str) -> Texts | None:
        """Return what is to be forgotten before a document is added again; of a damaged text nobody knows the words."""
        row = self._connection.execute(_OLD, (key,)).fetchone()
        text = read_text(key, row[2]) if row else None
        return Texts(row[0], row[1], text, row[3], row[4]) if row and text is not None else None

    def _reading(self) -> AbstractContextManager[object]:
        self._renewal.check()
        return limited(self._connection, self._time_limit_s)

    def _run(self, statement: Statement) -> Sequence[Any]:
        return self._connection.execute(statement.sql, statement.values).fetchall()

    def _keep_up(self) -> None:
        """Bring up to date what another version wrote."""
        with snapshot(self._connection):  # whoever only searches waits for no writer
            state = set(self._connection.execute("SELECT name, value FROM index_state"))
        if _COPIES not in state:
            with atomic(self._connection):
                self._connection.executemany("UPDATE entries SET text_hash = ? WHERE id = ?", self._all_hashes())
                self._connection.execute(_KEEP_STATE, _COPIES)
        self._renewal.keep_up()

    def _all_hashes(self) -> Iterator[tuple[str | None, int]]:
        rows = self._connection.execute("SELECT id, text FROM entry_texts")
        return ((fingerprint(unpacked(text)), id) for id, text in rows)
