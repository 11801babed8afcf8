"""What analyses of a store in SQL remember from one time to the next, and what has come since."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import delete, insert, select, tuple_

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
        try:
            with rows.reading("state of", name):
                return dict(Packer().unpack_json(found[0]["content"])) if found else None
        except Damaged:
            return None

    def keep_state(self, name: str, state: Mapping[str, Any]) -> None:
        """Keep what an analysis wants to know the next time, in place of what it kept before."""
        content = Packer().pack_json(state)
        with self._writing() as connection:
            connection.execute(delete(states).where(states.c.name == name))
            connection.execute(insert(states).values(name=name, content=content))

    def arrivals(self, since: datetime | None = None) -> Iterator[Arrival]:
        """The documents that were first seen since a time, in that order, without what they say."""
        columns = (documents.c[name] for name in ("key", "url", "kind", "published", "first_seen"))
        place = (rows.time_text(since) if since else "", "")
        order = tuple_(documents.c.first_seen, documents.c.key)
        query = select(*columns).order_by(documents.c.first_seen, documents.c.key).limit(PER_QUERY)
        while batch := self._rows(query.where(order > place)):
            yield from map(_arrival, batch)
            place = (batch[-1]["first_seen"], batch[-1]["key"])


def _arrival(row: Mapping[str, Any]) -> Arrival:
    published = datetime.fromisoformat(row["published"]) if row["published"] else None
    return Arrival(row["key"], row["url"] or "", row["kind"], published, datetime.fromisoformat(row["first_seen"]))
