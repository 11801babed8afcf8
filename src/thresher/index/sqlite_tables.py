"""The tables of the embedded index, step by step as versions brought them."""

import sqlite3
from collections.abc import Iterator

from thresher.index import columns
from thresher.index.columns import Columns
from thresher.index.entry import unpacked
from thresher.sqlite import atomic, snapshot
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
    f"""
    CREATE TABLE entry_posts (
        id INTEGER PRIMARY KEY,
        entry INTEGER NOT NULL,
        name TEXT NOT NULL,
        position INTEGER NOT NULL,
        start INTEGER NOT NULL,
        stop INTEGER NOT NULL,
        length INTEGER NOT NULL,
        author TEXT NOT NULL,
        published TEXT,
        published_at REAL,
        seen_at REAL NOT NULL,
        permalink TEXT
    );
    CREATE UNIQUE INDEX entry_posts_by_name ON entry_posts (entry, name);
    CREATE INDEX entry_posts_by_published_at ON entry_posts (published_at);
    CREATE VIRTUAL TABLE post_words USING fts5 (body, names, stems, content = '', tokenize = 'ascii');
    DROP TABLE IF EXISTS words_next;
    DELETE FROM index_state WHERE name LIKE 'next%';
    {columns.MIGRATION}
    """,
    """
    CREATE INDEX entries_by_run ON entries (run, seen_at) WHERE run IS NOT NULL;
    CREATE INDEX entries_by_twin ON entries (run, text_hash) WHERE twinned = 1 AND text_hash IS NOT NULL;
    """,
)

_KEEP_STATE = "INSERT INTO index_state VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
_COPIES = ("copies", "1")  # the state of an index in which every entry has the hash of its text
_POSTS = ("posts", "1")  # of one in which every entry has its posts
_IN_COLUMNS = ("columns", columns.VERSION)


def keep_up(connection: sqlite3.Connection, its_columns: Columns) -> None:
    """Bring up to date what another version wrote, but for the words."""
    with snapshot(connection):  # whoever only searches waits for no writer
        state = set(connection.execute("SELECT name, value FROM index_state"))
    if _COPIES not in state:
        with atomic(connection):
            connection.executemany("UPDATE entries SET text_hash = ? WHERE id = ?", _all_hashes(connection))
            connection.execute(_KEEP_STATE, _COPIES)
    if _IN_COLUMNS not in state:
        with atomic(connection):
            its_columns.write_all()
            connection.execute(_KEEP_STATE, _IN_COLUMNS)
            if not connection.execute("SELECT 1 FROM entries LIMIT 1").fetchone():
                note_posts(connection)


def note_posts(connection: sqlite3.Connection) -> None:
    """Note that every entry has its posts."""
    connection.execute(_KEEP_STATE, _POSTS)


def has_posts(connection: sqlite3.Connection) -> bool:
    """Say whether every entry has its posts; an earlier version kept none."""
    return bool(connection.execute("SELECT 1 FROM index_state WHERE (name, value) = (?, ?)", _POSTS).fetchone())


def _all_hashes(connection: sqlite3.Connection) -> Iterator[tuple[str | None, int]]:
    rows = connection.execute("SELECT id, text FROM entry_texts")
    return ((fingerprint(unpacked(text)), id) for id, text in rows)
