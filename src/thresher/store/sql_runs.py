"""The runs of a store in SQL, what they learned of links, and the connections to read and write all of it."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Engine, Select, func, insert, select, update

from thresher.database import foreign_errors, upsert
from thresher.model import Run, RunState
from thresher.model.codec import storable
from thresher.store import rows
from thresher.store.contract import KindCount
from thresher.store.packing import json_text
from thresher.store.tables import fates, kinds, runs, unlisted

MAX_CHARS = 300  # of a host or a kind that are kept; longer names than DNS allows are cut
Transaction = Callable[[], AbstractContextManager[Any]]
Connect = Callable[[], AbstractContextManager[Connection]]


class SqlRuns:
    """Keeps runs, counts what became of their URLs, and what kinds of links gave.

    Where connection and transactions are not the engine's business but somebody else's, `connect` gives the
    connection, and `atomic` and `snapshot` open a transaction to write and to read in, or join the open one. Where
    others write at the same time, `look` gives a connection on which several queries see one state.
    """

    def __init__(
        self,
        engine: Engine,
        *,
        connect: Connect | None = None,
        look: Connect | None = None,
        atomic: Transaction = nullcontext,
        snapshot: Transaction = nullcontext,
    ) -> None:
        self._engine = engine
        self._connect = connect or engine.begin
        self._look = look or self._connect
        self._atomic = atomic
        self._snapshot = snapshot

    def tally(self, run: int) -> Mapping[tuple[str, str], int]:
        """Count a run's URLs by (state, reason)."""
        count = func.count().label("count")
        query = select(fates.c.state, fates.c.reason, count).where(fates.c.run == run)
        found = self._rows(query.group_by(fates.c.state, fates.c.reason))
        more = self._rows(select(unlisted.c.reason, unlisted.c.links).where(unlisted.c.run == run))
        counts = Counter({(row["state"], row["reason"]): row["count"] for row in found})
        counts.update({("refused", row["reason"]): row["links"] for row in more})
        return counts

    def count_kinds(self, counts: Sequence[KindCount]) -> None:
        """Add to what is known of kinds of links."""
        if not counts:
            return
        told = sorted(map(_kind_row, counts), key=lambda row: (row["host"], row["kind"]))  # as everybody who waits
        statement = upsert(self._engine.dialect.name, kinds, add=("bore", "led", "skipped"))
        with self._writing() as connection:
            for row in told:  # two kinds may be cut to one
                connection.execute(statement, row)

    def kinds(self, host: str) -> list[KindCount]:
        """What is known of the kinds of links of a host, from all runs."""
        found = self._rows(select(kinds).where(kinds.c.host == storable(host)[:MAX_CHARS]))
        return [KindCount(**{**row, "at": datetime.fromisoformat(row["at"])}) for row in found]

    def start_run(self, starts: Sequence[str], options: Mapping[str, Any], at: datetime) -> Run:
        """Open a run."""
        row = {
            "starts": storable(json_text(list(starts))),
            "options": storable(json_text(dict(options))),
            "state": RunState.RUNNING.value,
            "started_at": rows.time_text(at),
            "finished_at": None,
        }
        with self._writing() as connection:
            inserted = connection.execute(insert(runs).values(row)).inserted_primary_key
        assert inserted is not None, "a single row was inserted"
        return rows.run_of({**row, "id": inserted[0]})

    def end_run(self, run: int, state: RunState, at: datetime) -> None:
        """Say where a run stands now; one that is running again has no end."""
        finished_at = None if state is RunState.RUNNING else rows.time_text(at)
        values = {"state": state.value, "finished_at": finished_at}
        with self._writing() as connection:
            connection.execute(update(runs).where(runs.c.id == run).values(values))

    def run(self, run: int) -> Run | None:
        """Look a run up; None when there is none of this number."""
        found = self._rows(select(runs).where(runs.c.id == run))
        return rows.run_of(found[0]) if found else None

    def runs(self, *, limit: int | None = None, state: RunState | None = None) -> list[Run]:
        """List runs, newest first: all of them, the first so many, those in one state."""
        query = select(runs).order_by(runs.c.id.desc()).limit(limit)
        wanted = query if state is None else query.where(runs.c.state == state.value)
        return [rows.run_of(row) for row in self._rows(wanted)]

    def _rows(self, query: Select[Any]) -> list[Mapping[str, Any]]:
        with self._reading() as connection:
            return [dict(row) for row in connection.execute(query).mappings()]

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with self._atomic(), foreign_errors(), self._connect() as connection:
            yield connection

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with self._snapshot(), foreign_errors(), self._look() as connection:
            yield connection


def _kind_row(count: KindCount) -> dict[str, Any]:
    names = {"host": storable(count.host)[:MAX_CHARS], "kind": storable(count.kind)[:MAX_CHARS]}
    return asdict(count) | names | {"at": rows.time_text(count.at)}
