"""The raw pages of a store in SQL; bodies.py says how their bodies are kept."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Select, bindparam, delete, exists, func, literal_column, select, tuple_, update

from thresher.database import insert_new, upsert
from thresher.model import Link, Page, Visit
from thresher.model.codec import storable
from thresher.store import rows
from thresher.store.bodies import Bodies, Row
from thresher.store.contract import Followed, Record
from thresher.store.prepared import Prepared, Question
from thresher.store.sql_documents import DOCUMENTS_PER_QUERY, SqlDocuments
from thresher.store.sql_runs import MAX_CHARS
from thresher.store.tables import bodies, dictionaries, fates, pages
from thresher.urls import host_of, key_of

VISITS_PER_QUERY = 20  # each may come with a page of some megabytes
RAW = select(pages, *rows.BODY).outerjoin(bodies, bodies.c.hash == pages.c.body)
_HELD = Question(select(pages.c.body).where(pages.c.key == bindparam("key")).with_for_update())
_SHARED = Question(select(bodies.c.hash).where(bodies.c.hash == bindparam("hash")).with_for_update(read=True))
_ALONE = select(bodies.c.hash).with_for_update()
_VERSIONS = Question(
    select(*(column for column in dictionaries.columns if column.name != "content"))
    .where(dictionaries.c.host == bindparam("host"))
    .order_by(dictionaries.c.number)
)


class SqlPages(SqlDocuments):
    """Writes and reads raw pages, and what they led to."""

    def __init__(self, engine: Any, **connections: Any) -> None:
        super().__init__(engine, **connections)
        self._bodies = Bodies()
        self._put_page = self._prepared(pages)
        no_success = ~pages.c.status.between(literal_column("200"), literal_column("299"))
        self._put_failed_page = self._prepared(pages, where=lambda _new: no_success)
        self._put_body = self._prepared(bodies)

    def _prepared(self, table: Any, **terms: Any) -> Prepared:
        return Prepared(upsert(self._engine.dialect.name, table, **terms), self._engine.dialect)

    def _save_page(self, connection: Connection, key: str, page: Page, record: Record) -> None:
        before = _HELD.ask(connection, {"key": key}).scalar()
        row = rows.page_row(page, key, record.fate.run, record.outlinks, self._packer)
        if 200 <= page.status < 300:
            self._put_page.run(connection, [row])
        else:
            self._put_failed_page.run(connection, [row])
            latest = {name: row[name] for name in ("run", "outlinks")}
            connection.execute(update(pages).where(pages.c.key == key).values(latest))
        if before is None or row["body"] != before:
            now = row["body"] if before is None else _HELD.ask(connection, {"key": key}).scalar()
            if now and now != before:
                self._keep_body(connection, now, page.body, host_of(record.fate.url)[:MAX_CHARS])
            if before and now != before:
                _drop_body(connection, before)

    def _keep_body(self, connection: Connection, hash_: str, body: bytes, host: str) -> None:
        """Keep a body; one that is there already stays: nobody removes it before this transaction is over."""
        if not _SHARED.ask(connection, {"hash": hash_}).first():
            self._put_body.run(connection, [self._bodies.row_of(body, storable(host), Shelf(connection))])

    def page(self, url: str) -> Page | None:
        """The raw page stored under a URL; None when there is none."""
        with self._reading() as connection:
            found = connection.execute(RAW.where(pages.c.key == key_of(url))).mappings().first()
            return self._page_of(connection, dict(found)) if found else None

    def _page_of(self, connection: Connection, row: Mapping[str, Any]) -> Page:
        return rows.page_of(row, lambda held: self._bodies.body_of(held, Shelf(connection)))

    def _raw(self, row: Mapping[str, Any]) -> Page:
        with self._reading() as connection:
            return self._page_of(connection, row)

    def outlinks(self, url: str) -> tuple[Link, ...]:
        """The links discovered on a stored page; empty when there are none or no page."""
        found = self._rows(select(pages.c.outlinks).where(pages.c.key == key_of(url)))
        return self._links({**found[0], "url": url}) if found else ()

    def _links(self, row: Mapping[str, Any]) -> tuple[Link, ...]:
        return self._if_readable(rows.links_of, row["outlinks"], self._packer, row["url"]) or ()

    def followed(self, run: int, *, after: str = "", limit: int = 100) -> list[Followed]:
        """The stored pages whose links a run has followed, by key; some at a time: those whose keys come after one."""
        columns = (fates.c.key, fates.c.url, fates.c.found_on, pages.c.outlinks)
        query = select(*columns).join(pages, pages.c.key == fates.c.key)
        query = query.where(fates.c.run == run, fates.c.key > after, fates.c.state.in_(("stored", "skipped")))
        return [
            Followed(row["key"], row["url"], self._links(row), row["found_on"])
            for row in self._rows(query.order_by(fates.c.key).limit(limit))
        ]

    def visits(self, run: int, *, pages: bool = True, state: str = "", reason: str = "") -> Iterator[Visit]:
        """A run's URLs that were not refused, in the order in which they were settled, a few in memory at a time."""
        query = rows.visits_query(run, with_bodies=pages).limit(VISITS_PER_QUERY if pages else DOCUMENTS_PER_QUERY)
        query = query.where(fates.c.state == state) if state else query
        query = query.where(fates.c.reason == reason) if reason else query
        batch = self._visits(query)
        while batch:
            yield from (visit for visit, _ in batch)
            last = batch[-1][1]
            batch = self._visits(query.where(tuple_(fates.c.at, fates.c.key) > (last["at"], last["key"])))

    def _visits(self, query: Select[Any]) -> list[tuple[Visit, Mapping[str, Any]]]:
        with self._reading() as connection:
            return [(self._visit(connection, row), row) for row in map(dict, connection.execute(query).mappings())]

    def _visit(self, connection: Connection, row: Mapping[str, Any]) -> Visit:
        page = rows.page_part(row)
        raw = self._if_readable(self._page_of, connection, page) if page else None
        return rows.visit_of(row, raw, len(self._links(page)) if page else 0)


class Shelf:
    """Bodies and dictionaries as one transaction sees them."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def versions(self, host: str) -> Sequence[Mapping[str, Any]]:
        """The dictionaries of a host by number, without their content."""
        return [dict(row) for row in _VERSIONS.ask(self._connection, {"host": host}).mappings()]

    def dictionary(self, host: str, number: int) -> bytes:
        """The content of a dictionary; raise KeyError when there is none."""
        wanted = select(dictionaries.c.content).where(dictionaries.c.host == host, dictionaries.c.number == number)
        content = self._connection.scalar(wanted)
        if content is None:
            raise KeyError(f"dictionary {number} of {host}")
        return bytes(content)

    def count(self, host: str) -> int:
        """How many bodies of a host there are."""
        return self._connection.scalar(select(func.count()).select_from(bodies).where(bodies.c.host == host)) or 0

    def sample(self, host: str, limit: int) -> Sequence[Mapping[str, Any]]:
        """Some bodies of a host: those with the lowest hashes."""
        some = select(bodies).where(bodies.c.host == host).order_by(bodies.c.hash).limit(limit)
        return [dict(row) for row in self._connection.execute(some).mappings()]

    def add(self, dictionary: Row) -> None:
        """Keep a dictionary, unless there is one of its number."""
        self._connection.execute(insert_new(self._connection.dialect.name, dictionaries), dictionary)


def _drop_body(connection: Connection, hash_: str) -> None:
    """Remove a body that no page has any more; who is about to keep it for a page waits, or is waited for."""
    connection.execute(_ALONE.where(bodies.c.hash == hash_)).all()
    is_used = exists().where(pages.c.body == hash_)
    connection.execute(delete(bodies).where(bodies.c.hash == hash_, ~is_used))
