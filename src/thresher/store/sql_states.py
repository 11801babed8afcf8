"""What analyses of a store in SQL remember from one time to the next, and what has come since."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, insert, select, tuple_

from thresher.errors import Damaged
from thresher.store import rows
from thresher.store.contract import Arrival
from thresher.store.packing import Packer
from thresher.store.sql_runs import SqlRuns
from thresher.store.tables import documents, states

PER_QUERY = 1_000


class SqlStates(SqlRuns):
    """Keeps the states of analyses."""

    def state(self, name: str) -> Mapping[str, Any] | None:
        """What was kept under a name; None when there is nothing, or it cannot be read any more."""
        found = self._rows(select(states.c.content).where(states.c.name == name))
        return _read(name, found[0]["content"]) if found else None

    def keep_state(self, name: str, state: Mapping[str, Any]) -> None:
        """Keep what an analysis wants to know the next time, in place of what it kept before."""
        with self._writing() as connection:
            _put(connection, {name: state})

    def swap_state(
        self, name: str, before: Mapping[str, Any] | None, after: Mapping[str, Mapping[str, Any] | None]
    ) -> bool:
        """Keep several states at once, unless the one under a name is not what it was; return whether they are kept."""
        with self._writing() as connection:
            held = select(states.c.content).where(states.c.name == name)
            content = connection.scalar(held if connection.dialect.name == "sqlite" else held.with_for_update())
            if (_read(name, content) if content is not None else None) != before:
                return False
            _put(connection, after)
            return True

    def arrivals(self, since: datetime | None = None) -> Iterator[Arrival]:
        """The documents that were first seen since a time, in that order, without what they say."""
        columns = (documents.c[name] for name in ("key", "url", "kind", "published", "first_seen"))
        place = (rows.time_text(since) if since else "", "")
        order = tuple_(documents.c.first_seen, documents.c.key)
        query = select(*columns).order_by(documents.c.first_seen, documents.c.key).limit(PER_QUERY)
        while batch := self._rows(query.where(order > place)):
            yield from map(_arrival, batch)
            place = (batch[-1]["first_seen"], batch[-1]["key"])


def _read(name: str, content: bytes) -> Mapping[str, Any] | None:
    try:
        with rows.reading("state of", name):
            return dict(Packer().unpack_json(content))
    except Damaged:
        return None


def _put(connection: Connection, kept: Mapping[str, Mapping[str, Any] | None]) -> None:
    packer = Packer()
    rows = [{"name": name, "content": packer.pack_json(state)} for name, state in kept.items() if state is not None]
    connection.execute(delete(states).where(states.c.name.in_(list(kept))))
    if rows:
        connection.execute(insert(states), rows)


def _arrival(row: Mapping[str, Any]) -> Arrival:
    published = datetime.fromisoformat(row["published"]) if row["published"] else None
    return Arrival(row["key"], row["url"] or "", row["kind"], published, datetime.fromisoformat(row["first_seen"]))
