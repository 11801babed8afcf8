"""The embedded index: words in an FTS5 table, what is filtered by in a plain one, all inside the corpus's database.

The FTS5 table keeps no text of its own. To forget a document it must be told the very words it was given; they are
made again from the copy of the text that passages are cut from. When words are made differently (tokens.VERSION), the
table has to be made anew from these copies: see index/renewal.py.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any

from thresher.errors import UsageError
from thresher.index import fts5
from thresher.index.columns import Columns
from thresher.index.compiler import Statement
from thresher.index.contract import TIME_LIMIT_S, Given, Labels
from thresher.index.entry import Entry, entry_of, packed
from thresher.index.matches import Listing, Matches
from thresher.index.nodes import Query
from thresher.index.posts import posts_of, put_posts
from thresher.index.renewal import Renewal, Texts
from thresher.index.searching import Means, SqlSearch, read_text
from thresher.index.sqlite_tables import MIGRATIONS, has_posts, keep_up, note_posts
from thresher.index.stems import Stems
from thresher.model import Document, Facets
from thresher.sqlite import atomic, limited, migrate, snapshot

_PUT_SOURCE = "INSERT OR IGNORE INTO entry_sources (id, source) VALUES (?, ?)"
_OLD = "SELECT id, title, text, names, language FROM entries JOIN entry_texts USING (id) WHERE key = ?"
_KNOWN = "SELECT count(*) FROM words WHERE words MATCH ?"
_TWINS = "SELECT id FROM entries WHERE text_hash = ? AND id <> ? LIMIT 1"
_MARK_TWINS = "UPDATE entries SET twinned = 1 WHERE text_hash = ? AND twinned = 0 RETURNING id"
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
        self._stems = stems
        self._columns = Columns(connection)
        self._renewal = Renewal(connection, stems)
        keep_up(connection, self._columns)
        self._renewal.keep_up()
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
        self._add([entry_of(document, seen_at, run) for document in documents])

    def _add(self, found: Sequence[Entry]) -> None:
        entries = {entry.key: entry for entry in found}
        with atomic(self._connection):
            changes = [self._put(entry) for entry in entries.values()]
            self._columns.write({id for _, _, ids in changes for id in ids})
            # Words in one go: FTS5 writes down what it has gathered whenever another table is written in between.
            self._renewal.replace([old for old, _, _ in changes if old], [new for _, new, _ in changes if new])

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
                    self._connection.execute("DELETE FROM entry_posts WHERE entry = ?", old[:1])

    def clear(self) -> None:
        """Forget everything, to be made anew from the store."""
        with atomic(self._connection):
            self._renewal.clear()
            self._columns.clear()
            for table in ("entries", "entry_texts", "entry_sources", "entry_posts"):
                self._connection.execute(f"DELETE FROM {table}")
            note_posts(self._connection)

    def rebuild(self, documents: Iterable[Given]) -> Iterator[int]:
        """Make everything anew from the documents of the store, a batch at a time; yield how many were done."""
        yield from self._renewal.rebuild(self, self._add, documents)
        with atomic(self._connection):
            note_posts(self._connection)

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

    def _put(self, entry: Entry) -> tuple[Texts | None, Texts | None, set[int]]:
        """Write all but the words and columns.

        Return the texts whose words are to be forgotten, those to be kept, and the entries whose columns have changed.
        """
        old = self._old(entry.key)
        columns = list(entry.facts)
        updates = ", ".join(f"{name} = excluded.{name}" for name in columns if name != "seen_at")
        names, marks = ", ".join(["key", *columns]), ", ".join("?" * (len(columns) + 1))
        sql = f"INSERT INTO entries ({names}) VALUES ({marks}) ON CONFLICT (key) DO UPDATE SET {updates} RETURNING id"
        (id,) = self._connection.execute(sql, (entry.key, *entry.facts.values())).fetchone()
        self._connection.executemany(_PUT_SOURCE, [(id, source) for source in entry.sources])
        changed = {int(id), *self._note_twins(int(id), entry.facts["text_hash"])}
        posts = put_posts(self._connection, int(id), entry)
        new = Texts(int(id), entry.title, entry.text, entry.names, entry.language, posts)
        if old == new:
            return None, None, changed
        sql = """
            INSERT INTO entry_texts (id, text, names) VALUES (?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET text = excluded.text, names = excluded.names
        """
        self._connection.execute(sql, (id, packed(entry.text), entry.names))
        if not old:
            return None, new, changed
        stay = {*old.posts}.intersection(new.posts)
        old, new = (each._replace(posts=tuple(p for p in each.posts if p not in stay)) for each in (old, new))
        return old, new, changed

    def _note_twins(self, id: int, text_hash: Any) -> list[int]:
        """Mark entries that have the same text, so that a search need not look for twins of all the others."""
        if not text_hash or not self._connection.execute(_TWINS, (text_hash, id)).fetchone():
            return []
        return [marked for (marked,) in self._connection.execute(_MARK_TWINS, (text_hash,)).fetchall()]

    def _old(self, key: str) -> Texts | None:
        """Return what is to be forgotten before a document is added again; of a damaged text nobody knows the words."""
        row = self._connection.execute(_OLD, (key,)).fetchone()
        text = read_text(key, row[2]) if row else None
        if not row or text is None:
            return None
        return Texts(row[0], row[1], text, row[3], row[4], posts_of(self._connection, row[0], text, row[4]))

    def _rows(
        self, query: Query, sort: str, place: Sequence[Any] | None, *, limit: int, offset: int
    ) -> tuple[Sequence[Sequence[Any]], int]:
        if query.of_posts:
            self._check_posts()
            return super()._rows(query, sort, place, limit=limit, offset=offset)
        listing = Listing.of(query)
        if listing and (sort == "seen" or listing.run is None):
            return self._run(listing.page(sort, place, limit=limit, offset=offset)), self._total(query)
        matches = self._matches(query)
        after = tuple(place) if place else None
        total = matches.total()
        rows = matches.page(sort, after, min(offset + limit, total), lambda among: self._scores(query, among))
        return rows[offset:], total

    def _total(self, query: Query) -> int:
        listing = Listing.of(query)
        if listing:
            return int(self._run(listing.total())[0][0])
        return super()._total(query) if query.of_posts else self._matches(query).total()

    def _facets(self, query: Query, labels: Labels, *, limit: int, shift_s: int, unit: str | None) -> Facets:
        if query.of_posts:
            return super()._facets(query, labels, limit=limit, shift_s=shift_s, unit=unit)
        matches = self._matches(query)
        return matches.facets(self._columns.values, labels, limit=limit, shift_s=shift_s, unit=unit)

    def _matches(self, query: Query) -> Matches:
        (found,) = self._run(fts5.ids(query, self._stems))
        return Matches(sorted(json.loads(found[0])), self._columns.read)

    def _scores(self, query: Query, among: Sequence[int]) -> Sequence[Any]:
        statement = fts5.ranks(query, self._stems, among)
        return self._run(statement) if statement else []

    def _check_posts(self) -> None:
        """Raise UsageError where there may be posts that were indexed before posts could be found."""
        if has_posts(self._connection):
            return
        raise UsageError(
            "this index was made before posts could be found by themselves; run `thresher index rebuild` once"
        )

    def _reading(self) -> AbstractContextManager[object]:
        self._renewal.check()
        return limited(self._connection, self._time_limit_s)

    def _run(self, statement: Statement) -> Sequence[Any]:
        return self._connection.execute(statement.sql, statement.values).fetchall()
