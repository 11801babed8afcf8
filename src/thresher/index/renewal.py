"""Renewal of the embedded index's words: a second table grows beside the one in use, and takes its place when complete.

    words (in use) ──────────────────────────────────────▶ dropped
    words_next     ── batch ── batch ── batch ── the rest ─▶ words

How far the second table has come is kept beside it, so that a renewal that was interrupted goes on. Whoever writes
meanwhile writes to both.
"""

import logging
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from thresher.errors import BackendError
from thresher.index import tokens
from thresher.index.contract import Given, Index
from thresher.index.entry import Entry, entry_of
from thresher.index.posts import PostTexts, posts_of
from thresher.index.searching import read_text
from thresher.index.stems import Stems
from thresher.sqlite import atomic, snapshot

AT_ONCE = 2_000  # entries whose words are made anew as soon as the index is opened: a few seconds
BATCH = 500  # documents in one transaction: fewer would leave more parts to be merged
log = logging.getLogger("thresher.index")

_TABLE = "CREATE VIRTUAL TABLE {} USING fts5 (title, body, names, stems, content = '', tokenize = 'ascii')"
_POST_TABLE = "CREATE VIRTUAL TABLE {} USING fts5 (body, names, stems, content = '', tokenize = 'ascii')"
_PUT = "INSERT INTO {0} (rowid, title, body, names, stems) VALUES (?, ?, ?, ?, ?)"
_DROP = "INSERT INTO {0} ({0}, rowid, title, body, names, stems) VALUES ('delete', ?, ?, ?, ?, ?)"
_PUT_POST = "INSERT INTO post_{0} (rowid, body, names, stems) VALUES (?, ?, ?, ?)"
_DROP_POST = "INSERT INTO post_{0} (post_{0}, rowid, body, names, stems) VALUES ('delete', ?, ?, ?, ?)"
_STATE = "INSERT INTO index_state VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
_ROWS = """
    SELECT id, title, text, names, language FROM entries JOIN entry_texts USING (id)
    WHERE id > ? ORDER BY id LIMIT ?
"""


class Texts(NamedTuple):
    """What the words of an entry and its posts are made of."""

    id: int
    title: str
    text: str
    names: str
    language: str | None
    posts: tuple[PostTexts, ...] = ()


class Renewal:
    """The tables of words: the one in use and, while it is renewed, the next one."""

    def __init__(self, connection: sqlite3.Connection, stems: Stems) -> None:
        self._connection = connection
        self._stems = stems
        self._version = f"{tokens.VERSION}/{stems.version}".rstrip("/")

    def keep_up(self) -> None:
        """Make all words again when this version makes them differently from the one that wrote the index.

        A large index is left as it is, and `check` says what to do.
        """
        if not self._is_old():
            return
        with snapshot(self._connection):
            (entries,) = self._connection.execute("SELECT count(*) FROM entries").fetchone()
        if entries <= AT_ONCE:
            with atomic(self._connection):
                while self._batch():
                    pass
                self._switch()

    def check(self) -> None:
        """Raise BackendError when the words were made by another version: searches would miss documents."""
        if self._is_old():
            raise BackendError(
                "the search index was made by another version of thresher, or with another setting of `stemming`; run "
                "`thresher index rebuild` once (crawls can go on meanwhile)"
            )

    def replace(self, old: Sequence[Texts], new: Sequence[Texts]) -> None:
        """Forget the words of some entries and keep those of others, inside the transaction of the caller."""
        state = self._state()
        if state.get("tokens") == self._version:
            self._write("words", old, new)
        if "next" in state and state.get("next version") == self._version:
            done = int(state["next"])
            self._write("words_next", *([texts for texts in some if texts.id <= done] for some in (old, new)))

    def clear(self) -> None:
        """Forget all words."""
        for table in ("words", "post_words"):
            self._connection.execute(f"INSERT INTO {table} ({table}) VALUES ('delete-all')")
            self._connection.execute(f"DROP TABLE IF EXISTS {table}_next")
        self._connection.execute("DELETE FROM index_state WHERE name LIKE 'next%'")
        self._connection.execute(_STATE, ("tokens", self._version))

    def rebuild(
        self, index: Index, put: Callable[[Sequence[Entry]], None], documents: Iterable[Given]
    ) -> Iterator[int]:
        """Bring the entries up to date with the documents of the store, then make their words anew."""
        source, keys, before = iter(documents), set(), self._begin(index)
        while batch := list(islice(source, BATCH)):
            put([entry_of(given.document, given.seen_at, given.run) for given in batch])
            keys |= {given.key for given in batch}
            yield len(batch)
        index.remove([key for key in before if key not in keys])
        while before:  # else all words are new
            with atomic(self._connection):
                if not self._batch():
                    self._switch()
                    return

    def _begin(self, index: Index) -> list[str]:
        """Return the keys of all entries; where there are none, forget whatever else there may be."""
        with atomic(self._connection):
            keys = [key for (key,) in self._connection.execute("SELECT key FROM entries")]
            if not keys:
                index.clear()
            return keys

    def _batch(self) -> bool:
        """Put the words of the next entries into the next table; False when there are none left."""
        state = self._state()
        if state.get("next version") != self._version:
            for table, shape in (("words_next", _TABLE), ("post_words_next", _POST_TABLE)):
                self._connection.execute(f"DROP TABLE IF EXISTS {table}")
                self._connection.execute(shape.format(table))
            self._connection.execute(_STATE, ("next version", self._version))
            state["next"] = "0"
        rows = self._connection.execute(_ROWS, (int(state["next"]), BATCH)).fetchall()
        read = [(row, read_text(row[1], row[2])) for row in rows]
        texts = [
            Texts(row[0], row[1], text, row[3], row[4], posts_of(self._connection, row[0], text, row[4]))
            for row, text in read
            if text is not None
        ]
        self._write("words_next", [], texts)
        self._connection.execute(_STATE, ("next", str(rows[-1][0] if rows else state["next"])))
        return bool(rows)

    def _switch(self) -> None:
        for table in ("words", "post_words"):
            self._connection.execute(f"DROP TABLE {table}")
            self._connection.execute(f"ALTER TABLE {table}_next RENAME TO {table}")
        self._connection.execute("DELETE FROM index_state WHERE name LIKE 'next%'")
        self._connection.execute(_STATE, ("tokens", self._version))

    def _write(self, table: str, old: Sequence[Texts], new: Sequence[Texts]) -> None:
        self._connection.executemany(_DROP.format(table), map(self._words, old))
        self._connection.executemany(_PUT.format(table), map(self._words, new))
        self._connection.executemany(_DROP_POST.format(table), map(self._post_words, _posts(old)))
        self._connection.executemany(_PUT_POST.format(table), map(self._post_words, _posts(new)))

    def _words(self, texts: Texts) -> tuple[int, str, str, str, str]:
        title, body, names = map(tokens.spaced, texts[1:4])
        return texts.id, title, body, names, self._stems.spaced(f"{texts.title}\n{texts.text}", texts.language)

    def _post_words(self, post: PostTexts) -> tuple[int, str, str, str]:
        body, names = map(tokens.spaced, (post.text, post.author))
        return post.id, body, names, self._stems.spaced(post.text, post.language)

    def _is_old(self) -> bool:
        return self._state().get("tokens") != self._version

    def _state(self) -> dict[str, str]:
        with snapshot(self._connection):
            return dict(self._connection.execute("SELECT name, value FROM index_state").fetchall())


def _posts(some: Sequence[Texts]) -> Iterator[PostTexts]:
    return (post for texts in some for post in texts.posts)
