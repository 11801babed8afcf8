"""Copies: documents that say the same, word for word or nearly, and who published it first.

    document ──text_hash──▶ text ──bands──▶ texts worth comparing ──sketches──▶ those alike: one group
    copies                  texts            bands

Every different text is kept once, with its sketch (store/sketch.py). Texts that are alike are in one group, and so is
what is alike to any of them: groups only grow together, so it does not matter who comes first. A text stays when no
document has it any more: what was copied from an article before it was edited is still a copy of it.

The first of a group's documents is its original: the one that was published first (one without a date counts from when
it was seen), of several at one time the one that was seen first. When an earlier one arrives later it takes the others
over, and `changed` says when, so that an index can follow. Whoever adds to a group holds the row of its first text:
no two do so at once.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import (
    Connection,
    Engine,
    Row,
    Select,
    bindparam,
    delete,
    distinct,
    func,
    insert,
    select,
    update,
)

from thresher.database import insert_new, upsert
from thresher.errors import Damaged
from thresher.model import Document
from thresher.store import rows, threads
from thresher.store.contract import MAX_COPIES, CopyGroup
from thresher.store.packing import Packer
from thresher.store.prepared import Prepared, Question
from thresher.store.sketch import BANDS, Sketch, alike, sketch_of, unpacked
from thresher.store.sql_sources import SqlSources
from thresher.store.tables import bands, copies, documents, texts
from thresher.urls import key_of

CANDIDATES = 200  # texts that are compared with a new one: those that share the most bands
CROWD = 100  # a text that is like so many others is not looked for by its own bands: theirs lead to the group
MAX_MOVED = 1_000  # documents that are named when groups come together
PER_QUERY = 500  # rows that are read at a time

_KNOWN = Question(
    select(documents.c.key, documents.c.text_hash, documents.c.published, documents.c.first_seen)
    .add_columns(copies.c.text, copies.c.at)
    .outerjoin(copies, copies.c.key == documents.c.key)
    .where(documents.c.key == bindparam("sought"))
)
_SHARING = (
    select(bands.c.text)
    .where(bands.c.band.in_([bindparam(f"band{number}") for number in range(BANDS)]))
    .group_by(bands.c.text)
    .order_by(func.count().desc(), bands.c.text)
    .limit(CANDIDATES)
    .subquery()
)
_CANDIDATES = Question(select(texts.c.id, texts.c.sketch).join(_SHARING, _SHARING.c.text == texts.c.id))
_GROUPS = select(texts.c.copy_group).distinct().where(texts.c.id.in_(bindparam("ids", expanding=True)))
_GROUP = Question(select(texts.c.copy_group).where(texts.c.id == bindparam("text")))
_HOLD = select(texts.c.id).where(texts.c.id.in_(bindparam("ids", expanding=True))).order_by(texts.c.id)
_THEIRS = select(texts.c.id).where(texts.c.copy_group == bindparam("copy_group"))
_FIRST = Question(
    select(copies.c.at, copies.c.seen, copies.c.key)
    .where(copies.c.text.in_(_THEIRS))
    .order_by(copies.c.at, copies.c.seen, copies.c.key)
    .limit(1)
)


class _Noted(NamedTuple):
    """A document whose text is new or another one, with the sketch of it unless the text is known or too short."""

    row: Row[Any]
    text: int  # its number
    sketch: Sketch | None


class SqlCopies(SqlSources):
    """Keeps which documents are copies of each other."""

    def __init__(self, engine: Engine, **connections: Any) -> None:
        super().__init__(engine, **connections)
        dialect = self._engine.dialect
        self._packer = Packer()
        self._put_text = Prepared(insert_new(dialect.name, texts), dialect)
        self._put_copy = Prepared(upsert(dialect.name, copies), dialect)
        self._put_bands = Prepared(insert(bands), dialect)

    def copies(self, url: str) -> list[str]:
        """The URLs of all documents that say what the one under a URL says, that one among them, the original first."""
        with self._reading() as connection:
            key = threads.thread_of(connection, url)
            own = select(texts.c.copy_group).join(copies, copies.c.text == texts.c.id).where(copies.c.key == key)
            theirs = select(texts.c.id).where(texts.c.copy_group == own.scalar_subquery())
            query = select(documents.c.url).join(copies, copies.c.key == documents.c.key)
            query = query.where(copies.c.text.in_(theirs), documents.c.url.is_not(None))
            ordered = query.order_by(copies.c.at, copies.c.seen, copies.c.key).limit(MAX_COPIES)
            return [row.url for row in connection.execute(ordered)]

    def copy_groups(self, urls: Sequence[str]) -> Mapping[str, CopyGroup]:
        """Of which group some documents are, by their own URLs; one that has no copies is missing."""
        by_key = {key_of(url): url for url in urls}
        found: dict[str, CopyGroup] = {}
        with self._reading() as connection:
            for start in range(0, len(by_key), PER_QUERY):
                chunk = list(by_key)[start : start + PER_QUERY]
                groups = {row.key: row.original for row in connection.execute(_originals(chunk))}
                sizes = _sizes(connection, sorted(set(groups.values())))
                found.update({by_key[key]: sizes[first] for key, first in groups.items() if first in sizes})
        return found

    def copy_names(self, urls: Sequence[str]) -> Mapping[str, str]:
        """What the copies of each of some documents share, by their own URLs; missing if the text is too short."""
        by_key = {key_of(url): url for url in urls}
        with self._reading() as connection:
            found = _group_rows(connection, list(by_key))
        return {by_key[row.key]: f"{row.copy_group + 2**63:016x}" for row in found}

    def moved_copies(self, urls: Sequence[str], since: datetime) -> list[str]:
        """The URLs of other documents in the groups of some, that came into them from another group since a time."""
        keys = [key_of(url) for url in urls]
        with self._reading() as connection:
            groups = sorted({row.copy_group for row in _group_rows(connection, keys)})
            theirs = select(texts.c.id).where(texts.c.copy_group.in_(groups))
            query = select(documents.c.key, documents.c.url).join(copies, copies.c.key == documents.c.key)
            query = query.where(copies.c.text.in_(theirs), copies.c.changed >= rows.time_text(since))
            found = connection.execute(query.where(documents.c.url.is_not(None)).limit(MAX_MOVED)).all()
        return [row.url for row in found if row.key not in keys]

    def originals(self, keys: Sequence[str]) -> Mapping[str, str]:
        """The key of the original of each of some documents, by key: its own for an original or one without copies."""
        found = dict(zip(keys, keys, strict=True))
        with self._reading() as connection:
            for start in range(0, len(keys), PER_QUERY):
                held = connection.execute(_originals(keys[start : start + PER_QUERY]))
                found.update({row.key: row.original for row in held})
        return found

    def note_copies(self) -> int:
        """Look for the copies of documents that were saved before copies were kept; return how many there were."""
        missing = select(documents).outerjoin(copies, copies.c.key == documents.c.key)
        missing = missing.where(documents.c.text_hash.is_not(None), copies.c.key.is_(None)).order_by(documents.c.key)
        noted, after = 0, ""
        while batch := self._rows(missing.where(documents.c.key > after).limit(100)):
            with self._writing() as connection:
                for row in batch:
                    self._note_copies(connection, [row["key"]], row["last_seen"])
            noted, after = noted + len(batch), batch[-1]["key"]
        return noted

    def _note_copies(
        self, connection: Connection, keys: Sequence[str], at: str, document: Document | None = None
    ) -> None:
        """Put the documents under some keys into their groups; `document` is the only one, if it is at hand."""
        found = [row for key in keys for row in _KNOWN.ask(connection, {"sought": key})]
        gone = {*keys}.difference(row.key for row in found if row.text_hash)
        if gone:
            self._forget(connection, sorted(gone), at)
        noted = [
            _Noted(row, number, self._sketched(connection, row, number, document))
            for row, number in ((row, number_of(row.text_hash)) for row in found if row.text_hash)
            if (number, _time(row)) != (row.text, row.at)
        ]
        if noted:
            self._lock(connection, sorted({number for each in noted for number in _numbers(each)}))
        for each in noted:
            self._join(connection, each, at)

    def _sketched(self, connection: Connection, row: Row[Any], number: int, document: Document | None) -> Sketch | None:
        """Return the sketch of a document's text; None if the text is known, too short or cannot be read."""
        if row.text == number or _GROUP.ask(connection, {"text": number}).first() is not None:
            return None
        read = document or self._stored(connection, row.key)
        return sketch_of(read.text) if read else None

    def _stored(self, connection: Connection, key: str) -> Document | None:
        row = connection.execute(select(documents).where(documents.c.key == key)).mappings().one()
        try:
            return rows.stored_of(dict(row), threads.posts_in_order(connection, row["thread"]), self._packer).document
        except Damaged:  # `doctor --deep` tells
            return None

    def _join(self, connection: Connection, noted: _Noted, at: str) -> None:
        """Put one document into the group of its text, and see who is first in it."""
        row = noted.row
        near = _alike(connection, noted.sketch) if noted.sketch else []
        groups = _held(connection, near)
        is_new = self._add_text(connection, noted, near, groups[0] if groups else noted.text)
        if not is_new:
            groups = _held(connection, [noted.text])
        first = _FIRST.ask(connection, {"copy_group": groups[0]}).first() if groups else None
        place = (_time(row), row.first_seen, row.key)
        original = row.key if first is None else min(tuple(first), place)[2]
        values = {"key": row.key, "text": noted.text, "at": place[0], "seen": row.first_seen, "changed": at}
        self._put_copy.run(connection, [{**values, "original": original}])
        if len(groups) > 1:
            others = texts.c.copy_group.in_(groups[1:])
            moved = copies.c.text.in_(select(texts.c.id).where(others))
            connection.execute(update(copies).where(moved).values(changed=at))
            connection.execute(update(texts).where(others).values(copy_group=groups[0]))
        if first and (original == row.key or row.text == noted.text or len(groups) > 1):
            _settle(connection, groups[0], at)
        if row.text is not None and row.text != noted.text:
            _settle(connection, _held(connection, [row.text])[0], at)

    def _add_text(self, connection: Connection, noted: _Noted, near: Sequence[int], group: int) -> bool:
        """Keep a text, and what it can be found by; return False if it is known."""
        packed = noted.sketch.packed() if noted.sketch else None
        values = {"id": noted.text, "copy_group": group, "sketch": packed}
        if not self._put_text.put(connection, values):
            return False
        if noted.sketch and len(near) < CROWD:
            own = sorted(set(noted.sketch.bands))
            self._put_bands.run(connection, [{"band": band, "text": noted.text} for band in own])
        return True

    def _forget(self, connection: Connection, keys: Sequence[str], at: str) -> None:
        """Drop documents that are there no more, or too short to tell, from their groups."""
        held = connection.execute(select(copies.c.key, copies.c.text).where(copies.c.key.in_(keys))).all()
        for row in held:
            (group,) = _held(connection, [row.text])
            connection.execute(delete(copies).where(copies.c.key == row.key))
            _settle(connection, group, at)


def _time(row: Row[Any]) -> str:
    """Return when a document counts as published: not after it was seen, whatever it says."""
    if row.published is None:
        return str(row.first_seen)
    return min(rows.time_text(datetime.fromisoformat(row.published)), str(row.first_seen))


def number_of(text_hash: str) -> int:
    """Return the number of a text, one of 64 bits."""
    return int(text_hash[:16], 16) - 2**63


def _numbers(noted: _Noted) -> Sequence[int]:
    """Return what whoever may find this text, or is found by it, has in common with it."""
    return [noted.text, *(noted.sketch.bands if noted.sketch else ())]


def _alike(connection: Connection, sketch: Sketch) -> list[int]:
    """Return the texts that are copies of one with this sketch, perhaps shortened or with additions."""
    found = _CANDIDATES.ask(connection, {f"band{number}": band for number, band in enumerate(sketch.bands)})
    return [row.id for row in found if row.sketch and alike(sketch, unpacked(row.sketch))]


def _held(connection: Connection, ids: Sequence[int]) -> list[int]:
    """Return the groups of some texts, in order, which nobody else changes from now on; none of unknown texts."""
    if not ids:
        return []
    groups = _groups(connection, ids)
    while connection.dialect.name != "sqlite":  # which has one writer at a time
        connection.execute(_HOLD.with_for_update(), {"ids": groups}).all()
        before, groups = groups, _groups(connection, ids)
        if groups == before:
            break
    return groups


def _groups(connection: Connection, ids: Sequence[int]) -> list[int]:
    if len(ids) == 1:
        return [row.copy_group for row in _GROUP.ask(connection, {"text": ids[0]})]
    return sorted(connection.scalars(_GROUPS, {"ids": ids}))


def _settle(connection: Connection, group: int, at: str) -> None:
    """Tell the documents of a group who is first."""
    found = _FIRST.ask(connection, {"copy_group": group}).first()
    if found is None:
        return
    first = found.key
    theirs = copies.c.text.in_(select(texts.c.id).where(texts.c.copy_group == group))
    values = {"original": first, "changed": at}
    connection.execute(update(copies).where(theirs, copies.c.original != first).values(values))


def _group_rows(connection: Connection, keys: Sequence[str]) -> list[Any]:
    query = select(copies.c.key, texts.c.copy_group).join(texts, texts.c.id == copies.c.text)
    chunks = (keys[start : start + PER_QUERY] for start in range(0, len(keys), PER_QUERY))
    return [row for chunk in chunks for row in connection.execute(query.where(copies.c.key.in_(chunk)))]


def _originals(keys: Sequence[str]) -> Select[Any]:
    return select(copies.c.key, copies.c.original).where(copies.c.key.in_(keys))


def _sizes(connection: Connection, originals: Sequence[str]) -> dict[str, CopyGroup]:
    """Return the groups of some originals, by key, of those that have copies."""
    counts = (func.count().label("documents"), func.count(distinct(documents.c.site)).label("sites"))
    query = select(copies.c.original, *counts).join(documents, documents.c.key == copies.c.key)
    query = query.where(copies.c.original.in_(originals)).group_by(copies.c.original).having(func.count() > 1)
    found = {row.original: row for row in connection.execute(query)}
    named = select(documents.c.key, documents.c.url, documents.c.site).where(documents.c.key.in_(found))
    return {
        row.key: CopyGroup(row.key, row.url or "", row.site, found[row.key].documents, found[row.key].sites)
        for row in connection.execute(named)
    }
