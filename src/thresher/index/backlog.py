"""An index in a search server that may be away: what changes is noted with the store, and carried over from there.

    add, remove ──▶ backlog (a table in the store's database) ──courier──▶ search server
                    in the transaction of the store, if it can

A crawl never waits for the search server. The courier is a thread with connections of its own: it takes the oldest
changes, reads the documents from the store as they are now, writes them and only then strikes them off. When the server
is away it tries again later, and so does the next process that writes; nothing is missing in the end.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import (
    BigInteger,
    Column,
    Engine,
    Float,
    MetaData,
    String,
    Table,
    Text,
    bindparam,
    delete,
    func,
    select,
)

from thresher import logs
from thresher.database import foreign_errors, upsert
from thresher.errors import BackendError, Unreachable
from thresher.index.contract import NO_LABELS, Given, Index, Labels, Waiting
from thresher.index.entry import epoch_s
from thresher.index.nodes import Query
from thresher.model import Document, Facets, HitPage
from thresher.urls import key_of

BATCH = 100  # changes that are carried over together
PAUSE_S = 0.3  # between looks at a backlog that is empty
MAX_WAIT_S = 30.0  # between attempts while the server is away
log = logging.getLogger("thresher.index")

SQLITE = (
    """
    CREATE TABLE backlog (
        key TEXT NOT NULL PRIMARY KEY, url TEXT, seen_at REAL NOT NULL, run INTEGER, noted_ns INTEGER NOT NULL
    );
    CREATE INDEX backlog_by_time ON backlog (noted_ns);
    """,
)
POSTGRESQL = (
    """
    CREATE TABLE backlog (
        key TEXT COLLATE "C" NOT NULL PRIMARY KEY, url TEXT, seen_at DOUBLE PRECISION NOT NULL, run BIGINT,
        noted_ns BIGINT NOT NULL
    );
    CREATE INDEX backlog_by_time ON backlog (noted_ns);
    """,
)
MYSQL = (
    """
    CREATE TABLE IF NOT EXISTS backlog (
        `key` CHAR(32) NOT NULL PRIMARY KEY, url LONGTEXT, seen_at DOUBLE NOT NULL, run BIGINT,
        noted_ns BIGINT NOT NULL, INDEX backlog_by_time (noted_ns)
    ) ENGINE InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
    """,
)
SERVERS = {"postgresql": POSTGRESQL, "mysql": MYSQL}
_TABLE = Table(
    "backlog",
    MetaData(),
    Column("key", String(32), primary_key=True),
    Column("url", Text),
    Column("seen_at", Float(53), nullable=False),
    Column("run", BigInteger),
    Column("noted_ns", BigInteger, nullable=False),
)
_DONE = delete(_TABLE).where(_TABLE.c.key == bindparam("done"), _TABLE.c.noted_ns == bindparam("noted"))


@dataclass(frozen=True, slots=True)
class Change:
    """A document that was saved, or (no URL) one that is to be forgotten."""

    key: str
    url: str | None
    seen_at: float
    run: int | None
    noted_ns: int


class Backlog:
    """Changes that the search server does not have yet."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def note(self, changes: Sequence[Change]) -> None:
        """Keep changes; a later one of the same document takes the place of an earlier one."""
        if changes:
            rows = [{name: getattr(change, name) for name in Change.__slots__} for change in changes]
            with foreign_errors("index"), self._engine.begin() as connection:
                connection.execute(upsert(self._engine.dialect.name, _TABLE, keep=("seen_at",)), rows)

    def oldest(self, most: int) -> list[Change]:
        """Return the oldest changes."""
        query = select(_TABLE).order_by(_TABLE.c.noted_ns).limit(most)
        with foreign_errors("index"), self._engine.begin() as connection:
            return [Change(*row) for row in connection.execute(query)]

    def strike(self, changes: Sequence[Change]) -> None:
        """Forget changes, unless they were noted again meanwhile."""
        rows = [{"done": change.key, "noted": change.noted_ns} for change in changes]
        with foreign_errors("index"), self._engine.begin() as connection:
            connection.execute(_DONE, rows)

    def count(self) -> int:
        """How many changes there are."""
        return self.waiting().changes

    def waiting(self) -> Waiting:
        """How many changes there are, and since when the oldest has waited."""
        with foreign_errors("index"), self._engine.begin() as connection:
            count, oldest_ns = connection.execute(select(func.count(), func.min(_TABLE.c.noted_ns))).one()
        return Waiting(int(count), datetime.fromtimestamp(oldest_ns / 1e9, UTC) if count else None)


@dataclass(frozen=True, slots=True)
class Courier:
    """Carries changes over; it has connections of its own, for a thread of its own."""

    backlog: Backlog
    load: Callable[[str], Document | None]  # the document of a URL as it is stored now
    index: Index
    close: Callable[[], None]

    def carry(self) -> int:
        """Carry the oldest changes over; return how many. Raise Unreachable, BackendError."""
        changes = self.backlog.oldest(BATCH)
        if not changes:
            return 0
        loaded = {change.key: self.load(change.url) if change.url else None for change in changes}
        self.index.remove([key for key, document in loaded.items() if document is None])
        for (seen_at, run), some in _together(changes).items():
            documents = [found for change in some if (found := loaded[change.key])]
            self._add(documents, datetime.fromtimestamp(seen_at, UTC), run)
        self.backlog.strike(changes)
        _tell([document for document in loaded.values() if document])
        return len(changes)

    def _add(self, documents: Sequence[Document], seen_at: datetime, run: int | None) -> None:
        """Write documents; one that the server refuses is left out, lest the others wait behind it for ever."""
        try:
            if documents:
                self.index.add(documents, seen_at, run=run)
        except Unreachable:
            raise
        except BackendError as error:
            if len(documents) == 1:
                log.warning("not indexed: %s: %s", documents[0].url, error)
                return
            for document in documents:
                self._add([document], seen_at, run)


def _tell(documents: Sequence[Document]) -> None:
    """Note that documents can be found now, and how long after their publication."""
    now = datetime.now(UTC)
    lags_s = [lag_s for document in documents if (lag_s := document.lag_s(now)) is not None]
    if documents:
        logs.note("info", f"can be found now: {len(documents)} documents", index_lags_s=lags_s)


def _together(changes: Iterable[Change]) -> Mapping[tuple[float, int | None], list[Change]]:
    groups: dict[tuple[float, int | None], list[Change]] = {}
    for change in changes:
        groups.setdefault((change.seen_at, change.run), []).append(change)
    return groups


class BackloggedIndex:
    """Searches a search server, and writes to it through the backlog."""

    is_deferred = True

    def __init__(self, index: Index, backlog: Backlog, courier: Callable[[], Courier]) -> None:
        self._index, self._backlog, self._new_courier = index, backlog, courier
        self._thread: threading.Thread | None = None
        self._ending = threading.Event()

    def add(self, documents: Sequence[Document], seen_at: datetime, *, run: int | None = None) -> None:
        """Note that documents are to be made findable."""
        urls = [document.url or "" for document in documents]
        self._note([(key_of(url), url) for url in urls], epoch_s(seen_at), run)

    def remove(self, keys: Sequence[str]) -> None:
        """Note that documents are to be forgotten."""
        self._note([(key, None) for key in keys], 0.0, None)

    def clear(self) -> None:
        """Forget everything, to be made anew from the store."""
        self._index.clear()

    def rebuild(self, documents: Iterable[Given]) -> Iterator[int]:
        """Make everything anew from the documents of the store, a batch at a time; yield how many were done."""
        return self._index.rebuild(documents)

    def damaged(self) -> list[str]:
        """Read every entry; return the URLs of those that cannot be read any more."""
        return self._index.damaged()

    def search(
        self,
        query: Query,
        *,
        limit: int = 20,
        offset: int = 0,
        sort: str = "relevance",
        after: str | None = None,
        passages: int = 1,
    ) -> HitPage:
        """Find documents in order, with highlighted passages."""
        return self._index.search(query, limit=limit, offset=offset, sort=sort, after=after, passages=passages)

    def total(self, query: Query) -> int:
        """Count the documents that match, those of one text once."""
        return self._index.total(query)

    def facets(
        self,
        query: Query,
        *,
        limit: int = 10,
        shift_s: int = 0,
        unit: str | None = None,
        labels: Labels = NO_LABELS,
    ) -> Facets:
        """Count the documents that match by their values, and by when they were published."""
        return self._index.facets(query, limit=limit, shift_s=shift_s, unit=unit, labels=labels)

    def known(self, words: Sequence[str]) -> Mapping[str, int]:
        """Count the documents that hold each of some words; those that none holds are missing."""
        return self._index.known(words)

    def urls(self, query: Query) -> Iterator[str]:
        """The URLs of all documents that match, in the order in which they were first added, however many they are."""
        return self._index.urls(query)

    def count(self) -> int:
        """How many documents can be found."""
        return self._index.count()

    def waiting(self) -> Waiting:
        """Say what the search server does not have yet."""
        return self._backlog.waiting()

    def flush(self) -> None:
        """Carry over what is left, unless the server is away; say how much has to wait."""
        if self._thread is None:
            return
        self._ending.set()
        self._thread.join()
        self._thread = None
        self._ending.clear()
        left = self._backlog.count()
        if left:
            log.warning("%d changes wait to be indexed; the next crawl or `thresher reindex` carries them over", left)
        else:
            self._index.flush()

    def close(self) -> None:
        """Carry over what is left, unless the server is away."""
        self.flush()
        self._index.close()

    def _note(self, named: Sequence[tuple[str, str | None]], seen_at: float, run: int | None) -> None:
        now_ns = time.time_ns()
        self._backlog.note([Change(key, url, seen_at, run, now_ns + number) for number, (key, url) in enumerate(named)])
        if named and self._thread is None:
            self._thread = threading.Thread(target=self._work, name="index courier")
            self._thread.start()

    def _work(self) -> None:
        """Carry changes over until the end, and then what is left; stop there when the server is away."""
        courier, wait_s = self._new_courier(), PAUSE_S
        try:
            while True:
                ending = self._ending.is_set()
                try:
                    carried, wait_s = courier.carry(), PAUSE_S
                except BackendError as error:
                    if wait_s == PAUSE_S:
                        log.warning("%s; what is collected is indexed later", error)
                    carried, wait_s = 0, min(2 * wait_s, MAX_WAIT_S)
                if ending and not carried:
                    return
                if not carried:
                    self._ending.wait(wait_s)
        finally:
            courier.close()
