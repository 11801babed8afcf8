"""Which index the settings mean: beside the store, or in a search server that is written to through a backlog."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

from thresher import sqlite
from thresher.config import SQLITE, Settings
from thresher.crawling.threads import with_posts
from thresher.database import borrowing_engine, server_engine
from thresher.index import backlog
from thresher.index.backlog import Backlog, BackloggedIndex, Courier
from thresher.index.contract import Index
from thresher.index.opensearch import OpenSearchIndex
from thresher.index.postgresql import postgresql_index
from thresher.index.search_server import SearchServer
from thresher.index.stems import Stems
from thresher.model import Document
from thresher.store.contract import Store
from thresher.store.postgresql import postgresql_engine, postgresql_store
from thresher.store.sql import sqlite_store


def backlogged_index(connection: sqlite3.Connection, settings: Settings) -> Index:
    """Return the index in a search server of a corpus in one database file; the backlog joins its transactions."""
    path = Path(settings.store_url.removeprefix(SQLITE))
    mine = borrowing_engine(connection, "backlog", backlog.SQLITE)
    return _search_server(settings, Backlog(mine), lambda: _sqlite_courier(settings, path))


def shared_index(settings: Settings) -> Index:
    """Return the index of a store in PostgreSQL."""
    if settings.index:
        engine = server_engine(settings.store_url, "backlog", backlog.POSTGRESQL)
        return _search_server(settings, Backlog(engine), lambda: _postgresql_courier(settings))
    stems = Stems(settings.stemming)
    return postgresql_index(settings.store_url, stems=stems, time_limit_s=settings.search_timeout_s)


def _search_server(settings: Settings, waiting: Backlog, courier: Callable[[], Courier]) -> Index:
    return BackloggedIndex(_opensearch(settings), waiting, courier)


def _opensearch(settings: Settings) -> OpenSearchIndex:
    server = SearchServer(settings.index)
    stems = Stems(settings.stemming)
    return OpenSearchIndex(server, server.name, stems=stems, time_limit_s=settings.search_timeout_s)


def _sqlite_courier(settings: Settings, path: Path) -> Courier:
    """Return a courier with a connection of its own: transactions of the other threads are none of its business."""
    connection = sqlite.connect(path)
    waiting = Backlog(borrowing_engine(connection, "backlog", backlog.SQLITE))
    return Courier(waiting, _loader(sqlite_store(connection)), _opensearch(settings), connection.close)


def _postgresql_courier(settings: Settings) -> Courier:
    engine = postgresql_engine(settings.store_url)
    return Courier(Backlog(engine), _loader(postgresql_store(engine)), _opensearch(settings), engine.dispose)


def _loader(store: Store) -> Callable[[str], Document | None]:
    def load(url: str) -> Document | None:
        document = store.document(url, posts=False)
        return with_posts(store, document) if document else None

    return load
