"""The store in OpenSearch or Elasticsearch: rows as documents of one index, raw pages in another.

What these servers hold well are rows that are found by short values. What they hold less well stays out of the way of
their index: texts, links and compressed bytes (in Base64) are kept and given back, and never looked at; raw pages are
in an index of their own, so that nothing else is moved about with them. There are no transactions: changes go through
the journal, an entry that is written in one step and done by whoever finds it (collections.py). Rows are read by their
identifiers as they are now; before anything is looked for, the index is made to show what was written (`_refresh`).

One client serves OpenSearch 2 and 3 and Elasticsearch 7 and 8: it uses nothing but what all of them have, no scripts.
"""

import base64
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import BigInteger, Float, Integer, LargeBinary, Table

from thresher.errors import Unreachable
from thresher.search_server import SearchServer
from thresher.store.collections import (
    DERIVED,
    INDEXES,
    Changes,
    Condition,
    Key,
    Row,
    Turns,
    identifier,
    primary_key,
    table_of,
)
from thresher.store.keyed import KeyedStore
from thresher.store.tables import metadata

NAME = "thresher-store"
TIMEOUT_S = 60.0
MAX_FOUND = 10_000  # rows of one search
APART = ("pages", "bodies", "dictionaries")  # tables that have the other index
GROUPS = 1_000  # that are counted at a time
LONGEST = 8_000  # characters of a value that rows are looked up by
_RANGES = {"<": "lt", ">": "gt", ">=": "gte"}
_SETTINGS = {"number_of_shards": 1, "refresh_interval": "-1", "codec": "best_compression"}


def elastic_store(url: str) -> tuple[KeyedStore, Callable[[], None]]:
    """Return the store in an OpenSearch or Elasticsearch server, and what closes it; raise BackendError if it fails."""
    collections = ElasticCollections(url)
    return KeyedStore(collections), collections.close


class ElasticCollections:
    """Rows in a search server (see collections.py)."""

    def __init__(self, url: str) -> None:
        """Connect, and make the indexes that are missing; do what killed processes had begun."""
        self._server = SearchServer(url, what="store", name=NAME, timeout_s=TIMEOUT_S, compress=False)
        self._turns = Turns(
            quick=self._quick,
            held_by=self._held_by,
            swap=self._swap,
            give_back=self._give_back,
            redo=self._redo,
        )
        self._versions: dict[int, tuple[int, int]] = {}  # of the locks as they were seen last
        self._free: set[int] = set()  # locks that were ours, and that nobody has had since as far as we know
        self._is_fresh = False  # the server shows all that was written before our turn
        name = self._server.name
        self._rows, self._pages, self._locks = name, f"{name}-pages", f"{name}-locks"
        self._make()
        self._server.call("POST", f"/{self._rows}/_refresh")
        self._move_bodies()
        asked = {"query": {"exists": {"field": "journal_of"}}, "size": 100, "_source": ["journal_of"]}
        for hit in self._server.call("POST", f"/{self._rows}/_search", asked)["hits"]["hits"]:
            if self._turns.is_gone(hit["_source"]["journal_of"]):
                self._redo(hit["_source"]["journal_of"])

    def _make(self) -> None:
        word = {"type": "keyword"}
        found: dict[str, Any] = {"t": word, "journal_of": word}
        for table in metadata.sorted_tables:
            columns = {name: _mapping(table, name) for name in sorted(_searched(table))}
            found[table.name] = {"type": "object", "enabled": True, "properties": columns}  # whatever a template says
        for index, fields, settings in (
            (self._rows, found, {}),
            (self._pages, {"t": word} | {name: found[name] for name in APART}, {}),
            (self._locks, {}, {"translog.durability": "async"}),  # who writes looks whether the locks are still theirs
        ):
            body = {"settings": {"index": _SETTINGS | settings}, "mappings": {"dynamic": False, "properties": fields}}
            if self._server.call("PUT", f"/{index}", body, exists=None) is None and fields:
                self._server.call("PUT", f"/{index}/_mapping", {"properties": fields})  # of tables that are new since
        self._server.call("GET", f"/_cluster/health/{self._rows},{self._pages},{self._locks}?wait_for_status=yellow")

    def _move_bodies(self) -> None:
        """Put the bodies of pages that were stored before bodies were rows of their own where they belong."""
        self._server.call("POST", f"/{self._pages}/_refresh")
        old = {"bool": {"filter": {"term": {"t": "pages"}}, "must_not": {"exists": {"field": "pages.body"}}}}
        pages, bodies = table_of("pages"), table_of("bodies")
        while hits := self._server.call("POST", f"/{self._pages}/_search", {"query": old, "size": 20})["hits"]["hits"]:
            lines: list[str] = []
            for row in (hit["_source"]["pages"] for hit in hits):
                content = {"hash": row["key"], "host": "", "dictionary": None, "content": row["body"]}
                lines += self._lines(bodies, {(row["key"],): content})
                lines += self._lines(pages, {(row["key"],): row | {"body": row["key"]}})
            self._server.write(lines)
            self._server.call("POST", f"/{self._pages}/_refresh")

    def get(self, table: Table, keys: Sequence[Key], columns: Sequence[str] = ()) -> list[Row]:
        """The rows under some primary keys, those that there are."""
        if not keys:
            return []
        wanted = {"ids": [_identifier(table, key) for key in keys]}
        some = "?_source_includes=" + ",".join(f"{table.name}.{name}" for name in columns) if columns else ""
        answer = self._server.call("POST", f"/{self._index(table)}/_mget{some}", wanted)
        return [_row(table, found["_source"]) for found in answer["docs"] if found.get("found")]

    def find(
        self,
        table: Table,
        *where: Condition,
        order: Sequence[str] = (),
        after: Sequence[Any] = (),
        limit: int | None = None,
        columns: Sequence[str] = (),
    ) -> list[Row]:
        """The rows for which all conditions hold, in the order of columns, behind the values of one row."""
        self._refresh(table)
        asked: dict[str, Any] = {"query": _query(table, where), "size": min(limit or MAX_FOUND, MAX_FOUND)}
        asked["track_total_hits"] = False
        if order:
            asked["sort"] = [_sorting(table, name) for name in order]
        if after:
            asked["search_after"] = list(after)
        if columns:
            asked["_source"] = [f"{table.name}.{name}" for name in columns]
        hits = self._server.call("POST", f"/{self._index(table)}/_search", asked)["hits"]["hits"]
        return [_row(table, hit["_source"]) for hit in hits]

    def count(self, table: Table, *where: Condition, by: Sequence[str] = ()) -> Counter[Key]:
        """How many rows there are, by the values of some columns."""
        self._refresh(table)
        query = _query(table, where)
        if not by:
            found = self._server.call("POST", f"/{self._index(table)}/_count", {"query": query})["count"]
            return Counter({(): found} if found else {})
        counts: Counter[Key] = Counter()
        groups: dict[str, Any] = {"size": GROUPS}
        groups["sources"] = [{name: {"terms": {"field": f"{table.name}.{name}"}}} for name in by]
        while True:
            asked = {"query": query, "size": 0, "aggs": {"groups": {"composite": groups}}}
            answer = self._server.call("POST", f"/{self._index(table)}/_search", asked)["aggregations"]["groups"]
            for bucket in answer["buckets"]:
                counts[tuple(bucket["key"][name] for name in by)] = bucket["doc_count"]
            if "after_key" not in answer:
                return counts
            groups["after"] = answer["after_key"]

    def write(self, changes: Changes) -> None:
        """Make all changes or none, by way of the journal."""
        lines = [line for name, rows in changes.items() for line in self._lines(table_of(name), rows)]
        if not lines:
            return
        wanted = {"ids": list(map(str, self._turns.held))}
        held = self._server.call("POST", f"/{self._locks}/_mget", wanted)["docs"] if self._turns.held else []
        if any(found.get("_source", {}).get("holder") != self._turns.name for found in held):
            raise Unreachable("the store took this process for dead and passed its locks on; trying again may help")
        with self._turns.journal():
            self._is_fresh = False
            journal = {"journal_of": self._turns.name, "lines": lines}
            self._server.call("PUT", f"/{self._rows}/_doc/{_journal(self._turns.name)}", journal)
            self._do(lines, self._turns.name)

    def _do(self, lines: Sequence[str], holder: str) -> None:
        """Do what the journal says, and strike it: last, in the shard of the rows, which keeps the order."""
        strike = {"delete": {"_index": self._rows, "_id": _journal(holder)}}
        apart = f'"_index": "{self._pages}"'
        self._server.write([line for line in lines if apart in line.partition("\n")[0]])
        self._server.write(
            [*(line for line in lines if apart not in line.partition("\n")[0]), json.dumps(strike) + "\n"]
        )

    @contextmanager
    def locked(self, names: Iterable[str]) -> Iterator[None]:
        """Hold locks while a block runs."""
        with self._turns.locked(names):
            self._is_fresh = False
            try:
                yield
            finally:
                self._is_fresh = False

    def close(self) -> None:
        """Close the connections."""
        self._server.close()

    def clear(self) -> None:
        """Delete everything."""
        everything = {"query": {"match_all": {}}, "size": MAX_FOUND, "_source": False}
        for index in (self._rows, self._pages, self._locks):
            self._server.call("POST", f"/{index}/_refresh")
            while hits := self._server.call("POST", f"/{index}/_search", everything)["hits"]["hits"]:
                places = ({"_index": index, "_id": hit["_id"]} for hit in hits)
                self._server.write([json.dumps({"delete": place}) + "\n" for place in places])
                self._server.call("POST", f"/{index}/_refresh")

    def _index(self, table: Table) -> str:
        return self._pages if table.name in APART else self._rows

    def _refresh(self, table: Table) -> None:
        """Let the server show what was written; once is enough while nobody else may write what we look for."""
        if not self._is_fresh:
            both = f"{self._rows},{self._pages}"
            self._server.call("POST", f"/{both if self._turns.held else self._index(table)}/_refresh")
            self._is_fresh = bool(self._turns.held)

    def _lines(self, table: Table, rows: Mapping[Key, Row | None]) -> Iterator[str]:
        for key, row in rows.items():
            place = {"_index": self._index(table), "_id": _identifier(table, key)}
            if row is None:
                yield json.dumps({"delete": place}) + "\n"
            else:
                content = {"t": table.name, table.name: _content(table, row)}
                yield f"{json.dumps({'index': place})}\n{json.dumps(content, ensure_ascii=False)}\n"

    def _held_by(self, slot: int) -> str | None:
        found = self._server.call("GET", f"/{self._locks}/_doc/{slot}", missing={})
        if not found.get("found"):
            self._versions.pop(slot, None)
            return None
        self._versions[slot] = (found["_seq_no"], found["_primary_term"])
        return str(found["_source"]["holder"]) if found["_source"]["holder"] else None

    def _quick(self, slot: int, holder: str) -> bool:
        """Take a slot that nobody has had since it was ours."""
        if slot not in self._free:
            return False
        self._free.discard(slot)
        return self._swap(slot, None, holder)

    def _swap(self, slot: int, before: str | None, after: str | None) -> bool:
        """Write a lock, if it still is as it was when it was looked at."""
        how = "op_type=create"
        if slot in self._versions:
            how = "if_seq_no={}&if_primary_term={}".format(*self._versions[slot])
        told = self._server.call("PUT", f"/{self._locks}/_doc/{slot}?{how}", {"holder": after}, exists=None)
        self._versions.pop(slot, None)
        if told is not None:
            self._versions[slot] = (told["_seq_no"], told["_primary_term"])
        return told is not None

    def _give_back(self, slots: Sequence[int]) -> None:
        for slot in slots:
            if self._swap(slot, self._turns.name, None):
                self._free.add(slot)

    def _redo(self, holder: str) -> None:
        found = self._server.call("GET", f"/{self._rows}/_doc/{_journal(holder)}", missing={})
        if found.get("found"):
            self._do(found["_source"]["lines"], holder)


def _mapping(table: Table, name: str) -> dict[str, Any]:
    kind = table.c[name].type if name in table.c else None
    if isinstance(kind, BigInteger | Integer):
        return {"type": "long"}
    return {"type": "double"} if isinstance(kind, Float) else {"type": "keyword", "ignore_above": LONGEST}


def _searched(table: Table) -> set[str]:
    """Return the columns that rows can be looked up by; the server would find nothing by any other."""
    return {*primary_key(table), *(name for index in INDEXES.get(table.name, ()) for name in index)}


def _query(table: Table, where: Iterable[Condition]) -> dict[str, Any]:
    clauses: list[dict[str, Any]] = [{"term": {"t": table.name}}]
    for column, operator, wanted in where:
        assert column in _searched(table), f"{table.name}.{column} is not among INDEXES"
        field = f"{table.name}.{column}"
        if operator == "in":
            clauses.append({"terms": {field: list(wanted)}})
        elif operator == "=":
            clauses.append({"term": {field: wanted}})
        else:
            clauses.append({"range": {field: {_RANGES[operator]: wanted}}})
    return {"bool": {"filter": clauses}}


def _sorting(table: Table, name: str) -> dict[str, Any]:
    column = name.removeprefix("-")
    return {f"{table.name}.{column}": {"order": "desc" if name.startswith("-") else "asc"}}


def _content(table: Table, row: Row) -> Row:
    """Return a row as JSON data."""
    found = {
        name: base64.b64encode(value).decode("ascii") if isinstance(value, bytes | bytearray | memoryview) else value
        for name, value in row.items()
    }
    return found | {name: derive(row) for name, derive in DERIVED.get(table.name, {}).items()}


def _row(table: Table, source: Mapping[str, Any]) -> Row:
    found = source.get(table.name, {})
    return {
        column.name: base64.b64decode(found[column.name])
        if isinstance(column.type, LargeBinary) and found[column.name] is not None
        else found[column.name]
        for column in table.columns
        if column.name in found
    }


def _identifier(table: Table, key: Key) -> str:
    return f"{table.name}\x1f{identifier(key)}"


def _journal(holder: str) -> str:
    return "journal-" + base64.urlsafe_b64encode(holder.rpartition(" ")[2].encode()).decode().rstrip("=")
