"""The store in MongoDB: a collection for each table; transactions where the server is of a replica set or sharded.

A MongoDB document has at most 16 MB: what is larger is kept in pieces of its own, named by what they say.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import Table

from thresher.errors import BackendError, MissingExtra, Unreachable, UsageError
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

NAME = "thresher"  # of the database, where the URL names none
TIMEOUT_MS = 10_000  # for a server to be found
EXISTS = 48  # what the server answers when another process was first
PIECE_BYTES = 8_000_000  # of a value that is kept apart
_OPERATORS = {"=": "$eq", "in": "$in", "<": "$lt", ">": "$gt", ">=": "$gte"}
_PIECES = "$pieces"  # the mark of a value that is kept apart


def mongo_store(url: str) -> tuple[KeyedStore, Callable[[], None]]:
    """Return the store in a MongoDB server, and what closes it; raise BackendError where that fails."""
    collections = MongoCollections(url)
    return KeyedStore(collections), collections.close


class MongoCollections:
    """Rows in MongoDB (see collections.py)."""

    def __init__(self, url: str) -> None:
        """Connect, and make collections and indexes that are missing; do what killed processes had begun."""
        try:
            import bson
            import pymongo
            import pymongo.errors
        except ImportError as error:
            raise MissingExtra(
                f"a store in MongoDB needs a library ({error}): pip install 'thresher[mongodb]'"
            ) from error
        self._driver: Any = pymongo
        self._bson: Any = bson
        self._turns = Turns(
            quick=self._quick,
            held_by=self._held_by,
            swap=self._swap,
            give_back=self._give_back,
            redo=self._redo,
        )
        try:
            self._where = urlsplit(url).hostname or "?"
            wait: dict[str, Any] = {} if "serverSelectionTimeoutMS" in url else {"serverSelectionTimeoutMS": TIMEOUT_MS}
            self._client: Any = pymongo.MongoClient(url, journal=True, w="majority", appname="thresher", **wait)
            self._database = self._client.get_default_database(NAME)
        except (pymongo.errors.InvalidURI, pymongo.errors.ConfigurationError, ValueError) as error:
            raise UsageError("store: not a URL of the form mongodb://USER:PASSWORD@HOST:PORT/DATABASE") from error
        with self._errors():
            told = self._client.admin.command("hello")
            self._has_transactions = bool(told.get("setName") or told.get("msg") == "isdbgrid")
            self._make()
            for journal in self._database["journal"].find({}, {"_id": 1}):
                if self._turns.is_gone(journal["_id"]):
                    self._redo(journal["_id"])

    def _make(self) -> None:
        existing = set(self._database.list_collection_names())
        for name in {*metadata.tables, "locks", "journal", "pieces"} - existing:
            try:
                self._database.create_collection(name)
            except self._driver.errors.CollectionInvalid:
                continue  # another process was first
            except self._driver.errors.OperationFailure as error:
                if error.code != EXISTS:
                    raise
        for name, indexes in INDEXES.items():
            for columns in indexes:
                self._database[name].create_index([(column, 1) for column in columns])
        for table in metadata.sorted_tables:
            if len(primary_key(table)) > 1:
                self._database[table.name].create_index([(column, 1) for column in primary_key(table)])
        self._move_bodies()

    def _move_bodies(self) -> None:
        """Put the bodies of pages that were stored before bodies had a collection of their own where they belong."""
        with_body = {"$match": {"body": {"$type": ["binData", "object"]}}}  # which the index tells at once
        fields = {"hash": "$_id", "host": {"$literal": ""}, "dictionary": {"$literal": None}, "content": "$body"}
        self._database["pages"].aggregate([with_body, {"$project": fields}, {"$merge": {"into": "bodies"}}])
        self._database["pages"].update_many(with_body["$match"], [{"$set": {"body": "$_id"}}])

    def get(self, table: Table, keys: Sequence[Key], columns: Sequence[str] = ()) -> list[Row]:
        """The rows under some primary keys, those that there are."""
        with self._errors():
            wanted = {"_id": {"$in": [identifier(key) for key in keys]}}
            return [self._row(table, found) for found in self._database[table.name].find(wanted, _projection(columns))]

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
        asked = _filter(where)
        if after:
            asked = {"$and": [asked, _behind(order, after)]}
        with self._errors():
            cursor = self._database[table.name].find(asked, _projection(columns))
            if order:
                cursor = cursor.sort([(name.removeprefix("-"), -1 if name.startswith("-") else 1) for name in order])
            return [self._row(table, found) for found in cursor.limit(limit or 0)]

    def count(self, table: Table, *where: Condition, by: Sequence[str] = ()) -> Counter[Key]:
        """How many rows there are, by the values of some columns."""
        groups = {"_id": {name: f"${name}" for name in by}, "rows": {"$sum": 1}}
        with self._errors():
            found = self._database[table.name].aggregate([{"$match": _filter(where)}, {"$group": groups}])
            return Counter({tuple(group["_id"].get(name) for name in by): group["rows"] for group in found})

    def write(self, changes: Changes) -> None:
        """Make all changes or none: in a transaction, or by way of the journal."""
        packed = {name: self._packed(table_of(name), rows) for name, rows in changes.items() if rows}
        if not packed:
            return
        with self._errors():
            if self._has_transactions:
                with self._client.start_session() as session:
                    session.with_transaction(lambda mine: self._apply_held(packed, mine))
                return
            self._check_held(None)
            mine = {"_id": self._turns.name}
            with self._turns.journal():
                content = self._apart(self._bson.encode({"changes": packed}))
                self._database["journal"].replace_one(mine, {"content": content}, upsert=True)
                self._apply(packed, None)
                self._database["journal"].delete_one(mine)

    @contextmanager
    def locked(self, names: Iterable[str]) -> Iterator[None]:
        """Hold locks while a block runs."""
        with self._errors(), self._turns.locked(names):
            yield

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def clear(self) -> None:
        """Delete everything."""
        with self._errors():
            for name in self._database.list_collection_names():
                self._database[name].delete_many({})

    def _packed(self, table: Table, rows: Mapping[Key, Row | None]) -> list[dict[str, Any]]:
        """Return changes of a table as documents; of a row that goes, its identifier alone."""
        found = []
        for key, row in rows.items():
            document: dict[str, Any] = {"_id": identifier(key)}
            if row is not None:
                document |= {name: self._apart(value) for name, value in row.items()}
                document |= {name: derive(row) for name, derive in DERIVED.get(table.name, {}).items()}
            found.append(document)
        return found

    def _apply_held(self, packed: Mapping[str, Sequence[dict[str, Any]]], session: Any) -> None:
        self._check_held(session)
        self._apply(packed, session)

    def _apply(self, packed: Mapping[str, Sequence[dict[str, Any]]], session: Any) -> None:
        for name, documents in packed.items():
            writes = [
                self._driver.ReplaceOne({"_id": document["_id"]}, document, upsert=True)
                if len(document) > 1
                else self._driver.DeleteOne(document)
                for document in documents
            ]
            self._database[name].bulk_write(writes, ordered=False, session=session)

    def _check_held(self, session: Any) -> None:
        """Make sure that the locks are still ours: in a transaction, so that nobody can take them before its end."""
        held = self._turns.held
        mine = {"_id": {"$in": held}, "holder": self._turns.name}
        found = self._database["locks"].update_many(mine, {"$inc": {"uses": 1}}, session=session).matched_count
        if found != len(held):
            raise Unreachable("the store took this process for dead and passed its locks on; trying again may help")

    def _held_by(self, slot: int) -> str | None:
        found = self._database["locks"].find_one({"_id": slot})
        return found["holder"] if found else None

    def _quick(self, slot: int, holder: str) -> bool:
        return self._swap(slot, None, holder)

    def _swap(self, slot: int, before: str | None, after: str) -> bool:
        mine = {"_id": slot, "holder": before}
        try:
            told = self._database["locks"].update_one(mine, {"$set": {"holder": after}}, upsert=before is None)
        except self._driver.errors.DuplicateKeyError:
            return False
        return bool(told.matched_count or told.upserted_id is not None)

    def _give_back(self, slots: Sequence[int]) -> None:
        mine = {"_id": {"$in": list(slots)}, "holder": self._turns.name}
        self._database["locks"].update_many(mine, {"$set": {"holder": None}})

    def _redo(self, holder: str) -> None:
        found = self._database["journal"].find_one({"_id": holder})
        if found:
            self._apply(self._bson.decode(self._whole(found["content"]))["changes"], None)
            self._database["journal"].delete_one({"_id": holder})

    def _apart(self, value: Any) -> Any:
        """Return a value as it is, or the names of its pieces, kept by now, if it is large."""
        data = value.encode("utf-8", "replace") if isinstance(value, str) and len(value) > PIECE_BYTES // 4 else value
        if not isinstance(data, bytes) or len(data) <= PIECE_BYTES:
            return value
        names = []
        for start in range(0, len(data), PIECE_BYTES):
            piece = data[start : start + PIECE_BYTES]
            names.append(hashlib.sha256(piece).hexdigest())
            self._database["pieces"].replace_one({"_id": names[-1]}, {"content": piece}, upsert=True)
        return {_PIECES: names, "is_text": isinstance(value, str)}

    def _whole(self, value: Any) -> Any:
        if not isinstance(value, dict) or _PIECES not in value:
            return value
        names = value[_PIECES]
        found = {each["_id"]: each["content"] for each in self._database["pieces"].find({"_id": {"$in": names}})}
        data = b"".join(found.get(name, b"") for name in names)
        return data.decode("utf-8", "replace") if value["is_text"] else data

    def _row(self, table: Table, found: Mapping[str, Any]) -> Row:
        return {column.name: self._whole(found[column.name]) for column in table.columns if column.name in found}

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Turn the errors of the driver into ours."""
        errors = self._driver.errors
        try:
            yield
        except (errors.AutoReconnect, errors.ServerSelectionTimeoutError, errors.WaitQueueTimeoutError) as error:
            told = " ".join(str(error).split())[:200]
            raise Unreachable(f"the store does not answer for now: {told}; trying again may help") from error
        except errors.PyMongoError as error:
            told = " ".join(str(error).split())[:300]
            if error.has_error_label("TransientTransactionError") or error.has_error_label("RetryableWriteError"):
                raise Unreachable(f"the store does not answer for now: {told}; trying again may help") from error
            raise BackendError(f"the store at {self._where} failed: {told}") from error


def _projection(columns: Sequence[str]) -> dict[str, int] | None:
    return dict.fromkeys(columns, 1) if columns else None


def _filter(where: Iterable[Condition]) -> dict[str, Any]:
    asked: dict[str, dict[str, Any]] = {}
    for column, operator, wanted in where:
        asked.setdefault(column, {})[_OPERATORS[operator]] = wanted
    return asked


def _behind(order: Sequence[str], after: Sequence[Any]) -> dict[str, Any]:
    """Return what holds for rows behind some values of the columns that they are ordered by."""
    cases = []
    for place, (name, value) in enumerate(zip(order, after, strict=True)):
        equal = dict(zip(order[:place], after[:place], strict=True))
        cases.append({**equal, name: {"$gt": value}})
    return {"$or": cases}
