"""Stores in servers, chosen by the URL's scheme."""

from collections.abc import Callable

from thresher.database import dialect_of
from thresher.store.contract import Store
from thresher.store.elastic import elastic_store
from thresher.store.mongo import mongo_store
from thresher.store.mysql import mysql_store
from thresher.store.postgresql import postgresql_engine, postgresql_store

_DOCUMENTS = {
    "mongodb": mongo_store,
    "mongodb+srv": mongo_store,
    **dict.fromkeys(("opensearch", "opensearchs", "elasticsearch", "elasticsearchs"), elastic_store),
}


def server_store(url: str) -> tuple[Store, Callable[[], None]]:
    """Return the store in the server of a URL, and what closes it; raise BackendError where it cannot be opened."""
    opened = _DOCUMENTS.get(url.partition("://")[0])
    if opened:
        return opened(url)
    if dialect_of(url) == "mysql":
        return mysql_store(url)
    engine = postgresql_engine(url)
    return postgresql_store(engine), engine.dispose
