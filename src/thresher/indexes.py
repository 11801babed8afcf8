"""Which index the settings mean: beside the store, or in a search server that is written to through a backlog."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

from thresher import sqlite
from thresher.config import SQLITE, Settings
from thresher.crawling.threads import with_posts
from thresher.database import borrowing_engine, dialect_of, server_engine
from thresher.index import backlog
from thresher.index.backlog import Backlog, BackloggedIndex, Courier
from thresher.index.contract import Index
from thresher.index.opensearch import OpenSearchIndex
from thresher.index.postgresql import postgresql_index
from thresher.index.stems import Stems
from thresher.model import Document
from thresher.search_server import SearchServer
from thresher.store.contract import Store
from thresher.store.servers import server_store
from thresher.store.sql import sqlite_store


def backlogged_index(connection: sqlite3.Connection, settings: Settings) -> Index:
    """Return the index in a search server of a corpus in one database file; the backlog joins its transactions."""
    path = Path(settings.store_url.removeprefix(SQLITE))
    mine = borrowing_engine(connection, "backlog", backlog.SQLITE)
    return _search_server(settings, Backlog(mine), lambda: _sqlite_courier(settings, path))


def index_beside_documents(connection: sqlite3.Connection, local: Path, settings: Settings) -> Index:
    """Return the index in a search server of a store that speaks no SQL; the backlog is a file of this machine."""
    mine = borrowing_engine(connection, "backlog", backlog.SQLITE)
    return _search_server(settings, Backlog(mine), lambda: _documents_courier(settings, local))


def shared_index(settings: Settings) -> Index | None:
    """Return the index that machines share: a search server, or PostgreSQL beside the store; None if there is none."""
    dialect = dialect_of(settings.store_url)
    if settings.index:
        engine = server_engine(settings.store_url, "backlog", backlog.SERVERS[dialect])
        return _search_server(settings, Backlog(engine), lambda: _server_courier(settings, dialect))
    if dialect == "postgresql":
        stems = Stems(settings.stemming)
        return postgresql_index(settings.store_url, stems=stems, time_limit_s=settings.search_timeout_s)
    return None


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


def _documents_courier(settings: Settings, local: Path) -> Courier:
    store, close_store = server_store(settings.store_url)
    connection = sqlite.connect(local)

    def close() -> None:
        connection.close()
        close_store()

    waiting = Backlog(borrowing_engine(connection, "backlog", backlog.SQLITE))
    return Courier(waiting, _loader(store), _opensearch(settings), close)


def _server_courier(settings: Settings, dialect: str) -> Courier:
    store, close_store = server_store(settings.store_url)
    engine = server_engine(settings.store_url, "backlog", backlog.SERVERS[dialect])

    def close() -> None:
        engine.dispose()
        close_store()

    return Courier(Backlog(engine), _loader(store), _opensearch(settings), close)


def _loader(store: Store) -> Callable[[str], Document | None]:
    def load(url: str) -> Document | None:
        document = store.document(url, posts=False)
        return with_posts(store, document) if document else None

    return load
