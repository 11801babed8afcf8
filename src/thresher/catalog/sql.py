"""The catalog in SQL, through SQLAlchemy: SQLite inside the corpus's database, servers by their dialect."""

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Engine, Select, Table, and_, delete, func, select

from thresher import sqlite
from thresher.catalog import tables
from thresher.catalog.contract import (
    ASKED,
    FAILED,
    HOUR_S,
    KEEP_JUDGED_DAYS,
    KEEP_ROUNDS_DAYS,
    REFUSED,
    STORED,
    HourCount,
)
from thresher.catalog.tables import changes, endpoints, hours, hubs, judged, keywords, rounds, sources
from thresher.database import (
    again_after_deadlock,
    borrowing_engine,
    dialect_of,
    foreign_errors,
    insert_new,
    server_engine,
    upsert,
)
from thresher.errors import Damaged, UsageError
from thresher.model import Endpoint, EndpointKind, Judged, Keyword, Round, Source, SourceState
from thresher.model.codec import storable
from thresher.model.source import EndpointState, source_from_dict, source_to_dict
from thresher.urls import key_of

Row = dict[str, Any]
Transaction = Callable[[], AbstractContextManager[Any]]
Connect = Callable[[], AbstractContextManager[Connection]]
_DEFINITIONS = "definitions"  # of sources and endpoints: what is counted in `changes`
_NAMED_BY = and_(hubs.c.source == endpoints.c.source, hubs.c.url_key == endpoints.c.url_key)
_ENDPOINTS = select(endpoints, hubs.c.hubs).select_from(endpoints.outerjoin(hubs, _NAMED_BY))


def sqlite_catalog(connection: sqlite3.Connection, close: Callable[[], None] = lambda: None) -> "SqlCatalog":
    """Return a catalog in a database that the store may share: calls inside one `atomic` are one transaction."""
    engine = borrowing_engine(connection, "catalog", tables.migrations("sqlite"))
    only = engine.connect()
    return SqlCatalog(
        engine,
        connect=lambda: nullcontext(only),
        atomic=lambda: sqlite.atomic(connection),
        snapshot=lambda: sqlite.snapshot(connection),
        close=close,
    )


def server_catalog(url: str) -> "SqlCatalog":
    """Return a catalog in PostgreSQL, MySQL or MariaDB; raise BackendError where that cannot be."""
    return SqlCatalog(server_engine(url, "catalog", tables.migrations(dialect_of(url))))


class SqlCatalog:
    """Keeps everything in the tables of tables.py.

    Where connection and transactions are not the engine's business but somebody else's, `connect` gives the
    connection, and `atomic` and `snapshot` open a transaction to write and to read in, or join the open one.
    """

    def __init__(
        self,
        engine: Engine,
        *,
        connect: Connect | None = None,
        atomic: Transaction = nullcontext,
        snapshot: Transaction = nullcontext,
        close: Callable[[], None] | None = None,
    ) -> None:
        self._dialect = engine.dialect.name
        self._connect = connect or engine.begin
        self._atomic = atomic
        self._snapshot = snapshot
        self.close = close or engine.dispose

    @again_after_deadlock
    def add(self, source: Source, endpoints: Sequence[Endpoint] = ()) -> None:
        """Keep a new source; raise UsageError when there is one of its name."""
        with self._writing() as connection:
            if not self._insert(connection, sources, _source_row(source)):
                raise UsageError(f"there is a source {source.name} already; choose another --name")
            self._put_endpoints(connection, endpoints)
            self._note_change(connection)

    @again_after_deadlock
    def change(self, source: Source) -> None:
        """Replace the definition of a source; raise UsageError when there is none of its name."""
        with self._writing() as connection:
            old = self._source(connection, source.name)
            row = _source_row(replace(source, created_at=source.created_at or old.created_at))
            connection.execute(upsert(self._dialect, sources), [row])
            self._note_change(connection)

    @again_after_deadlock
    def set_state(self, name: str, state: SourceState) -> None:
        """Pause or resume a source; raise UsageError when there is none of its name."""
        with self._writing() as connection:
            source = self._source(connection, name)
            connection.execute(upsert(self._dialect, sources), [_source_row(replace(source, state=state))])
            self._note_change(connection)

    @again_after_deadlock
    def remove(self, name: str) -> bool:
        """Forget a source with all that belongs to it (not its documents); False when there is none."""
        with self._writing() as connection:
            for table in (endpoints, hubs, rounds, judged, hours):
                connection.execute(delete(table).where(table.c.source == name))
            removed = connection.execute(delete(sources).where(sources.c.name == name)).rowcount > 0
            self._note_change(connection)
            return removed

    def source(self, name: str) -> Source | None:
        """Look a source up."""
        rows = self._rows(select(sources).where(sources.c.name == name))
        return _source(rows[0]) if rows else None

    def sources(self) -> list[Source]:
        """All sources, by name."""
        return [_source(row) for row in self._rows(select(sources).order_by(sources.c.name))]

    def version(self) -> int:
        """A number that grows when a source or an endpoint is added, changed or removed."""
        rows = self._rows(select(changes.c.number).where(changes.c.name == _DEFINITIONS))
        return int(rows[0]["number"]) if rows else 0

    @again_after_deadlock
    def save_endpoints(self, endpoints: Sequence[Endpoint]) -> None:
        """Insert or replace endpoints, each identified by source and URL."""
        with self._writing() as connection:
            self._put_endpoints(connection, endpoints)
            self._note_change(connection)

    @again_after_deadlock
    def remove_endpoint(self, source: str, url: str) -> None:
        """Forget an endpoint."""
        with self._writing() as connection:
            for table in (endpoints, hubs):
                connection.execute(delete(table).where(*_of(table, source, url)))
            self._note_change(connection)

    def endpoint(self, source: str, url: str) -> Endpoint | None:
        """Look an endpoint up."""
        rows = self._rows(_ENDPOINTS.where(*_of(endpoints, source, url)))
        return _endpoint(rows[0]) if rows else None

    def endpoints(self, source: str | None = None) -> list[Endpoint]:
        """The endpoints of a source, or all, by source and URL."""
        query = _ENDPOINTS if source is None else _ENDPOINTS.where(endpoints.c.source == source)
        found = [_endpoint(row) for row in self._rows(query)]
        return sorted(found, key=lambda endpoint: (endpoint.source, endpoint.url))

    @again_after_deadlock
    def record(self, visit: Round) -> Endpoint | None:
        """Keep a round, count it, and bring its endpoint up to date; the same round again does nothing."""
        with self._writing() as connection:
            self._wait_for(connection, visit.source)
            query = _ENDPOINTS.where(*_of(endpoints, visit.source, visit.url))
            found = connection.execute(query).mappings().first()
            if found is None:
                return None
            endpoint = _endpoint(dict(found))
            if not self._insert(connection, rounds, _round_row(visit)):
                return endpoint
            endpoint = endpoint.after(visit)
            self._put_endpoints(connection, [endpoint])
            self._count(connection, visit.source, visit.at, FAILED if visit.reason else ASKED, visit.reason)
            self._prune(connection, rounds, visit.source, visit.at - timedelta(days=KEEP_ROUNDS_DAYS))
            return endpoint

    def rounds(self, source: str, *, url: str | None = None, limit: int = 20) -> list[Round]:
        """The latest rounds of a source, or of one of its endpoints, newest first."""
        query = select(rounds).where(rounds.c.source == source)
        if url is not None:
            query = query.where(rounds.c.url_key == key_of(url))
        return [_round(row) for row in self._rows(query.order_by(rounds.c.at.desc()).limit(limit))]

    @again_after_deadlock
    def note(self, verdicts: Sequence[Judged]) -> None:
        """Keep what became of pages, and count it in the hour of its time."""
        with self._writing() as connection:
            for source in sorted({verdict.source for verdict in verdicts}):  # in one order: nobody blocks another
                if self._wait_for(connection, source):
                    own = [verdict for verdict in verdicts if verdict.source == source]
                    for verdict in own:
                        self._note_one(connection, verdict)
                    oldest = max(verdict.at for verdict in own) - timedelta(days=KEEP_JUDGED_DAYS)
                    self._prune(connection, judged, source, oldest)

    def _note_one(self, connection: Connection, verdict: Judged) -> None:
        row = _judged_row(verdict)
        query = select(judged.c.valid, judged.c.reason).where(*_of(judged, verdict.source, verdict.url))
        before = connection.execute(query).first()
        if before and (before.valid or (before.valid, before.reason) == (row["valid"], row["reason"])):
            return
        connection.execute(upsert(self._dialect, judged), [row])
        self._count(connection, verdict.source, verdict.at, STORED if verdict.stored else REFUSED, verdict.reason)

    def _wait_for(self, connection: Connection, source: str) -> bool:
        """Wait until nobody else writes what belongs to a source; False when there is no such source."""
        query = select(sources.c.name).where(sources.c.name == source).with_for_update()
        return connection.execute(query).first() is not None

    def judged(self, source: str, *, limit: int = 50) -> list[Judged]:
        """The latest verdicts of a source, newest first."""
        query = select(judged).where(judged.c.source == source).order_by(judged.c.at.desc(), judged.c.url_key)
        return [_judged(row) for row in self._rows(query.limit(limit))]

    def hours(self, source: str | None = None, *, since: datetime | None = None) -> list[HourCount]:
        """What happened in each hour, the earliest first; from a time on, or ever."""
        query = select(hours).order_by(hours.c.hour, hours.c.source, hours.c.state, hours.c.reason)
        if source is not None:
            query = query.where(hours.c.source == source)
        if since is not None:
            query = query.where(hours.c.hour >= _hour(since))
        return [HourCount(**row) for row in self._rows(query)]

    def tally(self, source: str) -> Mapping[tuple[str, str], int]:
        """Count what ever happened to a source, by (state, reason)."""
        total = func.sum(hours.c.count).label("total")
        query = select(hours.c.state, hours.c.reason, total).where(hours.c.source == source)
        rows = self._rows(query.group_by(hours.c.state, hours.c.reason))
        return {(row["state"], row["reason"]): int(row["total"]) for row in rows}

    def keywords(self) -> list[Keyword]:
        """All hot keywords, the heaviest first, then by word."""
        rows = self._rows(select(keywords).order_by(keywords.c.weight.desc(), keywords.c.word))
        return [Keyword(**{**row, "added_at": datetime.fromisoformat(row["added_at"])}) for row in rows]

    @again_after_deadlock
    def save_keywords(self, words: Sequence[Keyword]) -> None:
        """Insert or replace keywords."""
        rows: list[Row] = [
            {
                "word": storable(keyword.word),
                "origin": keyword.origin,
                "added_at": _time(keyword.added_at),
                "weight": keyword.weight,
            }
            for keyword in words
        ]
        for row in rows:
            if not 0 < len(row["word"]) <= tables.MAX_WORD:
                raise UsageError(f"{row['word']!r} is not a keyword: it has 1 to {tables.MAX_WORD} characters")
        with self._writing() as connection:
            if rows:
                connection.execute(upsert(self._dialect, keywords), rows)

    @again_after_deadlock
    def remove_keywords(self, words: Sequence[str]) -> int:
        """Forget keywords; answer how many there were."""
        with self._writing() as connection:
            return connection.execute(delete(keywords).where(keywords.c.word.in_(list(words)))).rowcount

    def _source(self, connection: Connection, name: str) -> Source:
        query = select(sources).where(sources.c.name == name)
        found = connection.execute(query.with_for_update()).mappings().first()
        if found is None:
            raise UsageError(f"there is no source {name}; `thresher sources list` lists them all")
        return _source(dict(found))

    def _put_endpoints(self, connection: Connection, some: Sequence[Endpoint]) -> None:
        if some:
            connection.execute(upsert(self._dialect, endpoints), [_endpoint_row(endpoint) for endpoint in some])
        told = [_hubs_row(endpoint) for endpoint in some if endpoint.kind is EndpointKind.FEED]
        if told:
            connection.execute(upsert(self._dialect, hubs), told)

    def _note_change(self, connection: Connection) -> None:
        """Count a change; last in its transaction, for others wait for it."""
        row = {"name": _DEFINITIONS, "number": 1}
        connection.execute(upsert(self._dialect, changes, add=("number",)), [row])

    def _insert(self, connection: Connection, table: Table, row: Row) -> bool:
        """Insert a row; False when there is one with its primary key."""
        return connection.execute(insert_new(self._dialect, table), row).rowcount > 0

    def _count(self, connection: Connection, source: str, at: datetime, state: str, reason: str) -> None:
        row = {"source": source, "hour": _hour(at), "state": state, "reason": _word(reason), "count": 1}
        connection.execute(upsert(self._dialect, hours, add=("count",)), [row])

    def _prune(self, connection: Connection, table: Table, source: str, before: datetime) -> None:
        connection.execute(delete(table).where(table.c.source == source, table.c.at < _time(before)))

    def _rows(self, query: Select[Any]) -> list[Row]:
        with self._snapshot(), foreign_errors("catalog"), self._connect() as connection:
            found = connection.execute(query)
            names = list(found.keys())  # asked for once: as mappings, 60,000 rows take much longer
            return [dict(zip(names, row, strict=True)) for row in found.all()]

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with self._atomic(), foreign_errors("catalog"), self._connect() as connection:
            yield connection


def _of(table: Table, source: str, url: str) -> tuple[Any, Any]:
    return table.c.source == source, table.c.url_key == key_of(url)


def _time(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def _moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def _word(text: str) -> str:
    return storable(text)[: tables.MAX_WORD]


def _hour(moment: datetime) -> int:
    return int(moment.timestamp() // HOUR_S)


def _source_row(source: Source) -> Row:
    created = source.created_at or datetime.now(UTC)
    definition = json.dumps(source_to_dict(replace(source, created_at=created)), ensure_ascii=False)
    return {
        "name": source.name,
        "kind": str(source.kind),
        "state": str(source.state),
        "created_at": _time(created),
        "address": storable(source.address),
        "definition": storable(definition),
    }


def _source(row: Mapping[str, Any]) -> Source:
    try:
        return source_from_dict(json.loads(row["definition"]))
    except (ValueError, UsageError) as error:
        raise Damaged(
            f"the source {row['name']} in the catalog is damaged ({error}); remove it and add it again"
        ) from error


def _endpoint_row(endpoint: Endpoint) -> Row:
    row = {column.name: getattr(endpoint, column.name) for column in endpoints.columns if column.name != "url_key"}
    times = {name: _time(row[name]) if row[name] else None for name in ("last_asked", "last_new")}
    return row | times | {"url_key": key_of(endpoint.url), "kind": str(endpoint.kind), "state": str(endpoint.state)}


def _hubs_row(endpoint: Endpoint) -> Row:
    named = {"source": endpoint.source, "url_key": key_of(endpoint.url)}
    return named | {"hubs": storable(" ".join(endpoint.hubs))}


def _endpoint(row: Mapping[str, Any]) -> Endpoint:
    values = {name: value for name, value in row.items() if name != "url_key"}
    times = {name: _moment(row[name]) for name in ("last_asked", "last_new")}
    kinds = {"kind": EndpointKind(row["kind"]), "state": EndpointState(row["state"])}
    return Endpoint(**{**values, **times, **kinds, "hubs": tuple((row["hubs"] or "").split())})


def _round_row(visit: Round) -> Row:
    row = {column.name: getattr(visit, column.name) for column in rounds.columns if column.name != "url_key"}
    return row | {"url_key": key_of(visit.url), "at": _time(visit.at), "reason": _word(visit.reason)}


def _round(row: Mapping[str, Any]) -> Round:
    values = {name: value for name, value in row.items() if name != "url_key"}
    return Round(**{**values, "at": datetime.fromisoformat(row["at"])})


def _judged_row(verdict: Judged) -> Row:
    return {
        "source": verdict.source,
        "url_key": key_of(verdict.url),
        "at": _time(verdict.at),
        "valid": int(verdict.stored),
        "reason": _word(verdict.reason),
        "length": verdict.length,
        "text_hash": verdict.text_hash,
        "url": storable(verdict.url),
    }


def _judged(row: Mapping[str, Any]) -> Judged:
    return Judged(
        source=row["source"],
        url=row["url"],
        at=datetime.fromisoformat(row["at"]),
        stored=bool(row["valid"]),
        reason=row["reason"],
        length=row["length"],
        text_hash=row["text_hash"],
    )
