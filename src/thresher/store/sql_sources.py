"""Which sources led to the documents of a store in SQL.

It is noted of pages, before they are fetched: a document comes with the sources of all pages that are joined in it,
however these change.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Engine, select

from thresher.database import insert_new, upsert
from thresher.store import rows, threads
from thresher.store.changes import Lock, documents_with, note_changes
from thresher.store.contract import Stored
from thresher.store.prepared import Prepared
from thresher.store.sql_runs import SqlRuns
from thresher.store.tables import article_pages, changes, page_sources, parts
from thresher.urls import key_of


class SqlSources(SqlRuns):
    """Keeps the sources of pages and documents, and notes in the log of changes what they change.

    Where others write at the same time, `lock` waits until nobody else holds one of some numbers, to the end of the
    transaction.
    """

    def __init__(self, engine: Engine, *, lock: Lock = lambda _connection, _numbers: None, **connections: Any) -> None:
        super().__init__(engine, **connections)
        self._lock = lock
        self._put_change = Prepared(upsert(engine.dialect.name, changes), engine.dialect)

    def note_source(self, source: str, urls: Sequence[str], at: datetime) -> list[str]:
        """Note that a source led to pages; return those that it had not led to before."""
        by_key = {key_of(url): url for url in sorted(urls, key=key_of)}  # in one order: nobody blocks another
        if not by_key:
            return []
        noted = {"source": source, "at": rows.time_text(at)}
        with self._writing() as connection:
            known = _noted(connection, source, list(by_key))
            new = [key for key in by_key if key not in known]
            if new:
                put = insert_new(self._engine.dialect.name, page_sources)
                connection.execute(put, [{"page": key, **noted} for key in new])
                note_changes(connection, documents_with(connection, new), self._put_change, self._lock)
        return [by_key[key] for key in new]

    def sources(self, urls: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """The sources that led to pages or documents, the first one first; a URL that none led to is missing."""
        by_key = {key_of(url): url for url in urls}
        with self._reading() as connection:
            return {by_key[key]: names for key, names in sources_of(connection, list(by_key)).items()}


def with_sources(stored: Stored, names: Mapping[str, tuple[str, ...]]) -> Stored:
    """Return what is stored, the document with its sources; `names` has them by key."""
    theirs = names.get(stored.key)
    return replace(stored, document=replace(stored.document, sources=theirs)) if theirs else stored


def _noted(connection: Connection, source: str, keys: Sequence[str]) -> set[str]:
    found: set[str] = set()
    for start in range(0, len(keys), threads.KEYS_PER_QUERY):
        chunk = keys[start : start + threads.KEYS_PER_QUERY]
        query = select(page_sources.c.page).where(page_sources.c.source == source, page_sources.c.page.in_(chunk))
        found.update(connection.scalars(query))
    return found


def sources_of(connection: Connection, keys: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return by key the sources of pages, and of all pages of documents."""
    found: dict[str, dict[str, str]] = defaultdict(dict)  # when each source first led there
    noted = (page_sources.c.source, page_sources.c.at)
    of_parts = page_sources.join(parts, parts.c.page == page_sources.c.page)
    of_articles = page_sources.join(article_pages, article_pages.c.page == page_sources.c.page)
    for start in range(0, len(keys), threads.KEYS_PER_QUERY):
        chunk = keys[start : start + threads.KEYS_PER_QUERY]
        joined = (article_pages.c.article.in_(chunk), article_pages.c.joined == 1)
        for query in (
            select(page_sources.c.page.label("key"), *noted).where(page_sources.c.page.in_(chunk)),
            select(parts.c.thread.label("key"), *noted).select_from(of_parts).where(parts.c.thread.in_(chunk)),
            select(article_pages.c.article.label("key"), *noted).select_from(of_articles).where(*joined),
        ):
            for row in connection.execute(query):
                known = found[row.key].get(row.source)
                found[row.key][row.source] = min(known or row.at, row.at)
    return {key: tuple(sorted(names, key=lambda name: (names[name], name))) for key, names in found.items()}
