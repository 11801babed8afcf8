"""The store in SQL, through SQLAlchemy: SQLite inside the corpus's database, servers by their dialect."""

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from datetime import datetime
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection, Engine, Select, Table, func, literal_column, select, update

from thresher import sqlite
from thresher.database import again_after_deadlock, borrowing_engine
from thresher.errors import Damaged
from thresher.model import Document, Fate, Kind, Robots
from thresher.model.codec import storable
from thresher.store import articles, migrations, rows, tables, threads, variants
from thresher.store.changes import note_changes
from thresher.store.contract import Known, LastPage, Record
from thresher.store.sql_documents import DOCUMENTS_PER_QUERY
from thresher.store.sql_pages import RAW, SqlPages
from thresher.store.sql_states import SqlStates
from thresher.store.tables import documents, fates, pages, parts, posts, robots, runs, traces, unlisted, volumes
from thresher.store.traced import latest_traces, make_room
from thresher.store.versions import hand_over, note_change
from thresher.urls import host_of, key_of

__all__ = ["SqlStore", "sqlite_engine", "sqlite_store"]


def sqlite_engine(connection: sqlite3.Connection) -> Engine:
    """Return an engine over a connection that others use too, the store's tables brought up to date."""
    return borrowing_engine(connection, "store", migrations.SQLITE)


def sqlite_store(connection: sqlite3.Connection) -> "SqlStore":
    """Return a store in a database that frontier and index may share: calls inside one `atomic` are one transaction."""
    engine = sqlite_engine(connection)
    only = engine.connect()
    return SqlStore(
        engine,
        connect=lambda: nullcontext(only),
        atomic=lambda: sqlite.atomic(connection),
        snapshot=lambda: sqlite.snapshot(connection),
    )


class SqlStore(SqlPages, SqlStates):
    """Keeps everything in the tables of tables.py.

    Where others write at the same time, `alone` waits until nobody else writes a thread; the other terms are those of
    the connections (see SqlSources and SqlRuns).
    """

    def __init__(
        self,
        engine: Engine,
        *,
        alone: Callable[[Connection, str], None] = lambda _connection, _thread: None,
        **connections: Any,
    ) -> None:
        super().__init__(engine, **connections)
        self._alone = alone
        self._put_document = self._prepared(
            documents, keep=("first_seen",), where=lambda new: documents.c.part >= new["part"]
        )
        self._put_part = self._prepared(parts)
        self._articles = articles.Means(self._packer, self._put_document, self._prepared(tables.article_pages))
        self._put_post = self._prepared(posts)
        self._put_fate = self._prepared(fates)
        self._put_note = self._prepared(fates, where=lambda _new: fates.c.state == literal_column("'refused'"))
        self._put_robots = self._prepared(robots)
        self._put_traces = self._prepared(traces)
        self._add_volume = self._prepared(volumes, add=("bytes",))
        self._add_unlisted = self._prepared(unlisted, add=("links",))

    @again_after_deadlock
    def save(self, record: Record) -> None:
        """Insert or replace the page, document, posts, outlinks and fate of one URL."""
        key = key_of(record.fate.url)
        with self._writing() as connection:
            touched = articles.wait_for(connection, key, record, self._alone)
            self._put_fate.run(connection, [rows.fate_row(record.fate)])
            if record.page and record.page.status != 304:
                self._save_page(connection, key, record.page, record)
            elif record.fate.status is not None:
                connection.execute(update(pages).where(pages.c.key == key).values(run=record.fate.run))
            articles.note_asked(connection, self._articles, key, record.fate)
            if record.document:
                if articles.is_paged(connection, key, record):
                    self._save_posts(connection, key, key, record)
                    articles.save_page(connection, self._articles, record.document, record)
                else:
                    self._save_document(connection, key, record.document, record)
                    articles.let_go(connection, self._articles, touched, record)
                variants.note_variant(connection, record.fate.url, record.document, record.fate.run)
                if record.traces and record.document.site:
                    self._save_traces(connection, key, storable(record.document.site), record)
            if record.document or touched:
                theirs = articles.documents_of(connection, key, touched, record)
                at_hand = record.document if len(theirs) == record.part == 1 else None
                self._note_copies(connection, theirs, rows.time_text(record.fate.at), at_hand)
            if record.page and record.page.body:  # last: others who save pages of the host wait for this row
                sent = {
                    "run": record.fate.run,
                    "host": _host_name(host_of(record.fate.url)),
                    "bytes": len(record.page.body),
                }
                self._add_volume.run(connection, [sent])
            if record.document or touched:
                note_changes(connection, theirs, self._put_change, self._lock)

    @again_after_deadlock
    def move(self, old: str, new: str, fate: Fate) -> datetime | None:
        """Let the document under one URL be that under another, which its page has now; return when it came."""
        left, kept = key_of(old), key_of(new)
        with self._writing() as connection:
            for key in sorted((left, kept)):
                self._alone(connection, key)
            first_seen = hand_over(connection, left, kept)
            if first_seen is None:
                return None
            self._put_fate.run(connection, [rows.fate_row(fate)])
            self._note_copies(connection, sorted((left, kept)), rows.time_text(fate.at))
            note_changes(connection, (left, kept), self._put_change, self._lock)
        return datetime.fromisoformat(first_seen)

    def _save_document(self, connection: Connection, key: str, document: Document, record: Record) -> None:
        at = rows.time_text(record.fate.at)
        thread = key_of(record.thread) if record.thread else key
        if document.posts:
            self._alone(connection, thread)
        if document.kind is Kind.ARTICLE and not record.thread:
            note_change(connection, key, document, at, self._packer)
        latest = {"run": record.fate.run, "last_seen": at}
        facts = {"key": thread, "thread": thread, "part": record.part, "first_seen": at} | latest
        row = facts | rows.document_row(document, self._packer)
        self._put_document.run(connection, [row | ({"url": storable(record.thread)} if record.thread else {})])
        if record.part > 1:
            connection.execute(update(documents).where(documents.c.key == thread).values(latest))
        if document.kind is Kind.THREAD or record.thread:
            part = {"page": key, "thread": thread, "number": record.part, "asked_at": at}
            self._put_part.run(connection, [part | {"url": storable(record.fate.url)}])
        else:
            threads.leave(connection, key)
        self._save_posts(connection, key, thread, record)

    def _save_posts(self, connection: Connection, key: str, thread: str, record: Record) -> None:
        if record.document:
            threads.drop_posts(connection, key, named=record.document.kind is not Kind.THREAD)
            new = list(rows.post_rows(record.document.posts, key, thread, record.part))
            self._put_post.run(connection, threads.in_place(connection, new))

    def _save_traces(self, connection: Connection, key: str, site: str, record: Record) -> None:
        if make_room(connection, site, record.fate.run, key):
            row = {"site": site, "run": record.fate.run, "key": key}
            self._put_traces.run(connection, [row | {"content": self._packer.pack(record.traces or b"")}])

    def traces(self, site: str, *, before: int) -> Mapping[str, bytes]:
        """What runs before this one left to the memory of a site, by key; the latest runs first."""
        with self._reading() as connection:
            found = latest_traces(connection, storable(site), before)
        read = {key: self._if_readable(self._trace, key, content) for key, content in found.items()}
        return {key: trace for key, trace in read.items() if trace is not None}

    def _trace(self, key: str, content: bytes) -> bytes:
        with rows.reading("trace", key):
            return self._packer.unpack(content)

    def note(self, fates: Sequence[Fate]) -> None:
        """Record fates of URLs that were not fetched; a fate other than "refused" of the same run stays as it is."""
        if fates:
            in_order = sorted(map(rows.fate_row, fates), key=itemgetter("key"))  # as everybody who waits for a row
            with self._writing() as connection:
                self._put_note.run(connection, in_order)

    def count_unlisted(self, run: int, reasons: Mapping[str, int]) -> None:
        """Count links that were refused without noting each."""
        counts = [{"run": run, "reason": reason, "links": links} for reason, links in sorted(reasons.items())]
        if counts:
            with self._writing() as connection:
                self._add_unlisted.run(connection, counts)

    def volume(self, run: int, host: str | None = None) -> int:
        """How many bytes the pages had that a run was sent, by one host or by all."""
        query = select(func.coalesce(func.sum(volumes.c.bytes), 0).label("bytes")).where(volumes.c.run == run)
        wanted = query if host is None else query.where(volumes.c.host == _host_name(host))
        return int(self._rows(wanted)[0]["bytes"])

    def known(self, urls: Sequence[str]) -> Mapping[str, Known]:
        """Answer which of these canonical URLs have a stored page, and what it is."""
        by_key = {key_of(url): url for url in urls}
        with self._reading() as connection:
            found = threads.known_pages(connection, list(by_key))
        return {by_key[key]: known for key, known in found.items()}

    def last_pages(self, keys: Sequence[str]) -> Mapping[str, LastPage]:
        """The last page of each of these threads, by the thread's key; that of an unknown one is missing."""
        with self._reading() as connection:
            return threads.last_pages(connection, keys)

    def article_pages(self, urls: Sequence[str]) -> Mapping[str, str]:
        """All pages of the articles that some pages belong to, or may: their URLs, and those of their documents."""
        with self._reading() as connection:
            return articles.pages_of(connection, [key_of(url) for url in urls])

    def thread_pages(self, url: str) -> list[str]:
        """The URLs of the pages of the thread under a URL, by number; empty where there is none."""
        with self._reading() as connection:
            return threads.pages_of(connection, key_of(url))

    def long_threads(self, run: int, *, posts_over: int) -> list[str]:
        """The URLs of the threads that a run saved last and that have more posts than so many."""
        with self._reading() as connection:
            return threads.long_threads(connection, run, posts_over)

    def parameters(self, hosts: Sequence[str]) -> Mapping[str, frozenset[str]]:
        """The parameters of URLs that change nothing, by host; a host that has none is missing."""
        with self._reading() as connection:
            found = {host: variants.idle_parameters(connection, host) for host in dict.fromkeys(hosts)}
        return {host: names for host, names in found.items() if names}

    def twins(self, stems: Mapping[str, str]) -> Mapping[str, str]:
        """Documents that are stored under the same URL but for parameters that change nothing."""
        with self._reading() as connection:
            return variants.twins_of(connection, stems)

    def fates(self, url: str) -> list[Fate]:
        """Everything that became of a URL, newest first."""
        query = select(fates).where(fates.c.key == key_of(url)).order_by(fates.c.at.desc(), fates.c.run.desc())
        return [rows.fate_of(row) for row in self._rows(query)]

    def robots(self, origin: str) -> Robots | None:
        """A host's robots.txt; None if it was never asked for."""
        found = self._rows(select(robots).where(robots.c.origin == storable(origin)))
        return self._if_readable(rows.robots_of, found[0], self._packer) if found else None

    def save_robots(self, robots: Robots) -> None:
        """Keep a host's robots.txt."""
        with self._writing() as connection:
            self._put_robots.run(connection, [rows.robots_row(robots, self._packer)])

    def damaged(self) -> Iterator[str]:
        """Read everything that is stored; say of each thing that cannot be read what it is."""
        readers: list[tuple[Table, Callable[[Mapping[str, Any]], object]]] = [
            (runs, rows.run_of),
            (robots, lambda row: rows.robots_of(row, self._packer)),
            (pages, lambda row: rows.links_of(row["outlinks"], self._packer, row["url"])),
            (pages, self._raw),
            (documents, self._whole),
            (tables.article_pages, lambda row: articles.read_page(row, self._packer)),
        ]
        for table, read in readers:
            for row in self._all(table, RAW if read == self._raw else select(table)):
                try:
                    read(row)
                except Damaged as error:
                    yield str(error)

    def _all(self, table: Table, query: Select[Any]) -> Iterator[Mapping[str, Any]]:
        (key,) = table.primary_key.columns
        ordered = query.order_by(key).limit(DOCUMENTS_PER_QUERY)
        batch = self._rows(ordered)
        while batch:
            yield from batch
            batch = self._rows(ordered.where(key > batch[-1][key.name]))


def _host_name(host: str) -> str:
    """Return a host as the tables keep it; longer names than DNS allows are cut."""
    return storable(host)[:300]
