"""The documents of a store in SQL: read whole, one by one, in order, and as the log of changes has them."""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from sqlalchemy import func, select, tuple_

from thresher.errors import Damaged
from thresher.model import Document, Post
from thresher.model.codec import storable
from thresher.store import rows, tables, threads
from thresher.store.contract import Change, Stored, Version
from thresher.store.copies import SqlCopies
from thresher.store.sql_sources import sources_of, with_sources
from thresher.store.tables import documents
from thresher.store.versions import versions_of
from thresher.urls import key_of

DOCUMENTS_PER_QUERY = 100
T = TypeVar("T")
log = logging.getLogger("thresher.store")


class SqlDocuments(SqlCopies):
    """Reads documents."""

    def document(self, url: str, *, posts: bool = True) -> Document | None:
        """The document stored under a URL or that of one of its pages; None when there is none."""
        with self._reading() as connection:
            key = threads.thread_of(connection, url)
            names = sources_of(connection, [key])
        found = self._rows(select(documents).where(documents.c.key == key))
        if not found:
            return None
        return with_sources(self._whole(found[0]) if posts else self._without_posts(found[0]), names).document

    def versions(self, url: str) -> list[Version]:
        """The versions of the article stored under a URL, the oldest first and the present one last."""
        with self._reading() as connection:
            return versions_of(connection, threads.thread_of(connection, url), self._packer)

    def posts(self, url: str) -> Iterator[Post]:
        """The posts of the thread under a URL or that of one of its pages, in order, some at a time."""
        with self._reading() as connection:
            thread = threads.thread_of(connection, url)
        return map(rows.post_of, threads.numbered(self._posts(thread)))

    def with_posts(self, urls: Sequence[str]) -> set[str]:
        """Answer which of some documents, by their own URLs, have posts."""
        by_key = {key_of(url): url for url in urls}
        with self._reading() as connection:
            return {by_key[key] for key in threads.talked(connection, list(by_key))}

    def _posts(self, thread: str) -> Iterator[rows.Row]:
        last = None
        while True:
            with self._reading() as connection:
                batch = threads.posts_after(connection, thread, last)
            if not batch:
                return
            yield from batch
            last = batch[-1]

    def documents(self, *, run: int | None = None, site: str | None = None, posts: bool = True) -> Iterator[Document]:
        """All documents, oldest first, without loading them all at once; those that a run saved last, or of a site."""
        return (stored.document for stored in self.stored(run=run, site=site, posts=posts))

    def stored(self, *, run: int | None = None, site: str | None = None, posts: bool = True) -> Iterator[Stored]:
        """The same documents, each with when and by which run it was saved."""
        first_seen, key = documents.c.first_seen, documents.c.key
        query = select(documents).order_by(first_seen, key).limit(DOCUMENTS_PER_QUERY)
        if run is not None:
            query = query.where(documents.c.run == run)
        if site is not None:
            query = query.where(documents.c.site == storable(site))
        batch = self._rows(query)
        while batch:
            with self._reading() as connection:
                talked = threads.talked(connection, [row["thread"] for row in batch]) if posts else ()
                names = sources_of(connection, [row["key"] for row in batch])
            for row in batch:
                whole = self._if_readable(self._whole if row["thread"] in talked else self._without_posts, row)
                if whole:
                    yield with_sources(whole, names)
            batch = self._rows(query.where(tuple_(first_seen, key) > (batch[-1]["first_seen"], batch[-1]["key"])))

    def changes(self, after: int, *, limit: int = 100) -> list[Change]:
        """The entries of the log of changes whose numbers come after one, in order."""
        log = tables.changes
        found = self._rows(select(log).where(log.c.number > after).order_by(log.c.number).limit(limit))
        keys = [row["key"] for row in found]
        held = {row["key"]: row for row in self._rows(select(documents).where(documents.c.key.in_(keys)))}
        with self._reading() as connection:
            names = sources_of(connection, keys)
        return [self._change(row, held.get(row["key"]), names) for row in found]

    def _change(
        self, entry: Mapping[str, Any], row: Mapping[str, Any] | None, names: Mapping[str, tuple[str, ...]]
    ) -> Change:
        stored = self._if_readable(self._whole, row) if row else None
        whole = with_sources(stored, names) if stored else None
        return Change(entry["number"], entry["key"], whole, is_damaged=row is not None and whole is None)

    def count_changes(self, after: int) -> int:
        """How many entries of the log come after a number."""
        query = select(func.count().label("entries")).where(tables.changes.c.number > after)
        return int(self._rows(query)[0]["entries"])

    def _whole(self, row: Mapping[str, Any]) -> Stored:
        """Read a document with its posts as they are at one moment."""
        with self._reading() as connection:
            found = connection.execute(select(documents).where(documents.c.key == row["key"])).mappings()
            row = next(map(dict, found), row)
            theirs = threads.numbered(threads.posts_in_order(connection, row["thread"]))
            return rows.stored_of(row, theirs, self._packer)

    def _without_posts(self, row: Mapping[str, Any]) -> Stored:
        return rows.stored_of(row, [], self._packer)

    def _if_readable(self, read: Callable[..., T], *arguments: Any) -> T | None:
        """Return what is read; None, with a warning, when it is damaged: the rest is still good."""
        try:
            return read(*arguments)
        except Damaged as error:
            log.warning("skipped: %s; `thresher doctor --deep` lists what is damaged", error)
            return None
