"""The embedded index: words in an FTS5 table, what is filtered by in a plain one, all inside the corpus's database.

The FTS5 table keeps no text of its own. To forget a document it must be told the very words it was given; they are
made again from the copy of the text that snippets are cut from. When words are made differently (tokens.VERSION),
the table is rebuilt from these copies.
"""

import json
import logging
import sqlite3
import zlib
from array import array
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import TypeVar

from thresher.errors import UsageError
from thresher.index import tokens
from thresher.index.compiler import Statement, compile_query
from thresher.index.entry import Entry, entry_of, packed, unpacked
from thresher.index.query import Query
from thresher.index.snippet import snippet
from thresher.model import Document, Hit, HitPage
from thresher.sqlite import atomic, migrate, snapshot
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
)

URLS_PER_QUERY = 500
T = TypeVar("T")
log = logging.getLogger("thresher.index")

_PUT_WORDS = "INSERT INTO words (rowid, title, body, names) VALUES (?, ?, ?, ?)"
_DROP_WORDS = "INSERT INTO words (words, rowid, title, body, names) VALUES ('delete', ?, ?, ?, ?)"
_PUT_SOURCE = "INSERT OR IGNORE INTO entry_sources (id, source) VALUES (?, ?)"
_OLD = "SELECT id, title, text, names FROM entries JOIN entry_texts USING (id) WHERE key = ?"
_KEEP_STATE = "INSERT INTO index_state VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
_COPIES = ("copies", "1")  # the state of an index in which every entry has the hash of its text
_HIT = """
    SELECT key, url, title, text, site, kind, language, published, authors
    FROM entries JOIN entry_texts USING (id) WHERE id = ?
"""
_Texts = tuple[int, str, str, str]  # an entry's id, title, text and names


class SqliteIndex:
    """Finds documents in a database that the store and the frontier may share."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        migrate(connection, "index", MIGRATIONS)
        self._keep_up()

    def add(self, documents: Sequence[Document], seen_at: datetime, *, run: int | None = None) -> None:
        """Make documents findable under the key of their URL, replacing earlier versions."""
        entries = {entry.key: entry for entry in (entry_of(document, seen_at, run) for document in documents)}
        with atomic(self._connection):
            changes = [self._put(entry) for entry in entries.values()]
            # Words in one go: FTS5 writes down what it has gathered whenever another table is written in between.
            self._connection.executemany(_DROP_WORDS, [_words(*old) for old, _ in changes if old])
            self._connection.executemany(_PUT_WORDS, [_words(*new) for _, new in changes if new])

    def remove(self, keys: Sequence[str]) -> None:
        """Forget documents; unknown keys are ignored."""
        with atomic(self._connection):
            for key in keys:
                old = self._old(key)
                if old:
                    self._connection.execute(_DROP_WORDS, _words(*old))
                    self._connection.execute("DELETE FROM entries WHERE id = ?", old[:1])
                    self._connection.execute("DELETE FROM entry_texts WHERE id = ?", old[:1])
                    self._connection.execute("DELETE FROM entry_sources WHERE id = ?", old[:1])

    def clear(self) -> None:
        """Forget everything, to be made anew from the store."""
        with atomic(self._connection):
            self._connection.execute("INSERT INTO words (words) VALUES ('delete-all')")
            self._connection.execute("DELETE FROM entries")
            self._connection.execute("DELETE FROM entry_texts")
            self._connection.execute("DELETE FROM entry_sources")

    def damaged(self) -> list[str]:
        """Read every entry; return the URLs of those that cannot be read any more."""
        query = "SELECT entries.id, url, text FROM entries LEFT JOIN entry_texts USING (id)"
        with snapshot(self._connection):
            found = ((url, _read(url, text)) for _, url, text in self._connection.execute(query))
            return [url for url, text in found if text is None]

    def search(self, query: Query, *, limit: int = 20, offset: int = 0, sort: str = "relevance") -> HitPage:
        """Find documents, best first ("relevance") or newest first ("date"), with highlighted snippets."""
        if limit < 0 or offset < 0:
            raise UsageError("limit and offset are numbers from 0 up")
        selection = compile_query(query)
        with snapshot(self._connection):
            rows = self._run(selection.page(limit=min(limit, 2**31), offset=min(offset, 2**62), sort=sort))
            total = rows[0][2] if rows else self._run(selection.total())[0][0]
            hits = (self._hit(query, id, score, alike - 1) for id, score, _, alike in rows)
            return HitPage(tuple(hit for hit in hits if hit), total)

    def urls(self, query: Query) -> Iterator[str]:
        """The URLs of all documents that match, in the order in which they were first added, however many they are."""
        statement = compile_query(query).ids()
        with snapshot(self._connection):  # eight bytes a document: the text is what would not fit
            ids = array("q", (id for (id,) in self._connection.execute(statement.sql, statement.values)))
        for start in range(0, len(ids), URLS_PER_QUERY):
            chunk = ids[start : start + URLS_PER_QUERY]
            sql = f"SELECT url FROM entries WHERE id IN ({', '.join('?' * len(chunk))}) ORDER BY id"
            with snapshot(self._connection):
                found = self._connection.execute(sql, chunk).fetchall()
            yield from (url for (url,) in found)

    def count(self) -> int:
        """How many documents can be found."""
        with snapshot(self._connection):
            return int(self._connection.execute("SELECT count(*) FROM entries").fetchone()[0])

    def _put(self, entry: Entry) -> tuple[_Texts | None, _Texts | None]:
        """Write all but the words; return the texts whose words are to be forgotten, and those to be kept."""
        old = self._old(entry.key)
        columns = list(entry.facts)
        updates = ", ".join(f"{name} = excluded.{name}" for name in columns if name != "seen_at")
        names, marks = ", ".join(["key", *columns]), ", ".join("?" * (len(columns) + 1))
        sql = f"INSERT INTO entries ({names}) VALUES ({marks}) ON CONFLICT (key) DO UPDATE SET {updates} RETURNING id"
        (id,) = self._connection.execute(sql, (entry.key, *entry.facts.values())).fetchone()
        self._connection.executemany(_PUT_SOURCE, [(id, source) for source in entry.sources])
        new = (int(id), entry.title, entry.text, entry.names)
        if old == new:
            return None, None
        sql = """
            INSERT INTO entry_texts (id, text, names) VALUES (?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET text = excluded.text, names = excluded.names
        """
        self._connection.execute(sql, (id, packed(entry.text), entry.names))
        return old, new

    def _old(self, key: str) -> _Texts | None:
        """Return what is to be forgotten before a document is added again; of a damaged text nobody knows the words."""
        row = self._connection.execute(_OLD, (key,)).fetchone()
        text = _read(key, row[2]) if row else None
        return (row[0], row[1], text, row[3]) if row and text is not None else None

    def _hit(self, query: Query, id: int, score: float | None, copies: int) -> Hit | None:
        """Return what was found; None, with a warning, when it cannot be read any more."""
        row = self._connection.execute(_HIT, (id,)).fetchone()
        whole = _read(row[1], row[3]) if row else None
        if whole is None:
            return None
        key, url, title, _, site, kind, language, published, authors = row
        passage, marks = snippet(whole, query)
        return Hit(
            key=key,
            url=url,
            title=title,
            snippet=passage,
            marks=marks,
            score=-score if score else 0.0,
            site=site,
            kind=kind,
            language=language,
            published=_lenient(datetime.fromisoformat, published, None),
            authors=tuple(_lenient(json.loads, authors, ())),
            copies=copies,
        )

    def _run(self, statement: Statement) -> list[tuple[int, float, int, int]]:
        return self._connection.execute(statement.sql, statement.values).fetchall()

    def _keep_up(self) -> None:
        """Make all words again when this version makes them differently from the one that wrote the index."""
        with snapshot(self._connection):  # whoever only searches waits for no writer
            state = set(self._connection.execute("SELECT name, value FROM index_state"))
        if _COPIES not in state:
            with atomic(self._connection):
                self._connection.executemany("UPDATE entries SET text_hash = ? WHERE id = ?", self._all_hashes())
                self._connection.execute(_KEEP_STATE, _COPIES)
        if ("tokens", tokens.VERSION) not in state:
            with atomic(self._connection):
                self._connection.execute("INSERT INTO words (words) VALUES ('delete-all')")
                self._connection.executemany(_PUT_WORDS, self._all_words())
                self._connection.execute(_KEEP_STATE, ("tokens", tokens.VERSION))

    def _all_hashes(self) -> Iterator[tuple[str | None, int]]:
        rows = self._connection.execute("SELECT id, text FROM entry_texts")
        return ((fingerprint(unpacked(text)), id) for id, text in rows)

    def _all_words(self) -> Iterator[_Texts]:
        rows = self._connection.execute("SELECT id, title, text, names FROM entries JOIN entry_texts USING (id)")
        read = ((id, title, _read(title, text), names) for id, title, text, names in rows)
        return (_words(id, title, text, names) for id, title, text, names in read if text is not None)


def _words(id: int, title: str, text: str, names: str) -> _Texts:
    return id, tokens.spaced(title), tokens.spaced(text), tokens.spaced(names)


def _read(what: str | None, text: bytes | None) -> str | None:
    """Return a text that was packed; None, with a warning, when a damaged disk has changed it."""
    try:
        return unpacked(text or b"")
    except (zlib.error, ValueError, TypeError):
        log.warning("skipped the index entry of %s: it is damaged; `thresher reindex --rebuild` repairs it", what)
        return None


def _lenient(read: Callable[[str], T], text: str | None, otherwise: T) -> T:
    try:
        return read(text) if text else otherwise
    except ValueError:
        return otherwise
