"""The backends that the contract tests run over."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from tests.contracts.frontier_words import Backend, Clock
from tests.contracts.index_words import NOW, document
from tests.frontier.least_user import least_user
from tests.frontier.redis_backend import RedisBackend
from tests.frontier.sqlite_backend import SqliteBackend
from tests.servers import (
    Server,
    mongodb_server,
    new_schema,
    oldest_redis_server,
    other_search_server,
    redis_cluster,
    redis_server,
    valkey_server,
)
from thresher.catalog.alerts import Alerts
from thresher.catalog.contract import Catalog
from thresher.catalog.sql import server_catalog, sqlite_catalog
from thresher.catalog.sql_alerts import server_alerts, sqlite_alerts
from thresher.frontier.redis import Seen
from thresher.index.contract import Index
from thresher.index.opensearch import OpenSearchIndex
from thresher.index.postgresql import postgresql_index
from thresher.index.sqlite import SqliteIndex
from thresher.model import Kind
from thresher.search_server import SearchServer
from thresher.sqlite import connect
from thresher.store.contract import Store
from thresher.store.elastic import ElasticCollections
from thresher.store.keyed import KeyedStore
from thresher.store.mongo import MongoCollections
from thresher.store.mysql import mysql_store
from thresher.store.postgresql import postgresql_engine, postgresql_store
from thresher.store.sql import sqlite_store

EXACT = ("sqlite", "redis", "valkey", "oldest")
RIGHTLESS = pytest.param("rightless", marks=pytest.mark.long)  # a user who may do what a worker must, and no more
BRIEFLY = ("test_store_versions", "test_store_sources", "test_store_traces", "test_store_changes")
BLOOM = Seen("bloom", capacity=50, error_rate=1e-6)  # small, so that it grows


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave most of the contract of stores on OpenSearch, which takes minutes, to the longer run."""
    for item in items:
        if (
            "[opensearch" in item.name
            and "store" in getattr(item, "fixturenames", ())
            and item.path.stem not in BRIEFLY
        ):
            item.add_marker(pytest.mark.long)


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """A Redis server that all tests of this process share."""
    with redis_server() as server:
        yield server.url


@pytest.fixture(scope="session")
def valkey_url() -> Iterator[str]:
    """A Valkey server that all tests of this process share."""
    with valkey_server() as server:
        yield server.url


@pytest.fixture(scope="session")
def oldest_url() -> Iterator[str]:
    """A server of the oldest Redis that will do, likewise."""
    with oldest_redis_server() as server:
        yield server.url


@pytest.fixture(scope="session")
def cluster_urls() -> Iterator[list[str]]:
    """Three servers that are a cluster; jobs lie in any of them."""
    with redis_cluster() as servers:
        yield [server.url for server in servers]


@pytest.fixture(params=[*EXACT, "redis-bloom", RIGHTLESS, pytest.param("cluster", marks=pytest.mark.slow)])
def frontiers(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Backend]:
    """An empty database of each frontier backend."""
    backend: SqliteBackend | RedisBackend
    if request.param == "sqlite":
        backend = SqliteBackend(tmp_path / "frontier.db")
    elif request.param == "rightless":
        url = request.getfixturevalue("redis_url")
        backend = RedisBackend(url, user_url=least_user(url))
    elif request.param == "cluster":
        backend = RedisBackend(*request.getfixturevalue("cluster_urls"))
    else:
        name = request.param.partition("-")[0]
        backend = RedisBackend(
            request.getfixturevalue(f"{name}_url"), seen=BLOOM if "bloom" in request.param else Seen()
        )
    yield backend
    backend.audit()
    backend.close()


@pytest.fixture
def frontier_clock(frontiers: Backend) -> Clock:
    """The clock that the frontiers under test go by."""
    return frontiers.clock


_OTHER_SERVERS = [
    pytest.param(kind, marks=pytest.mark.long) for kind in ("elasticsearch", "elasticsearch8", "opensearch3")
]
_MONGODB_SET = pytest.param("mongodb_set", marks=pytest.mark.long)


@pytest.fixture(params=["sqlite", "postgresql", "mariadb", "mongodb", "opensearch", _MONGODB_SET, *_OTHER_SERVERS])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """An empty store of each backend."""
    if request.param == "sqlite":
        connection = connect(tmp_path / "corpus.db")
        yield sqlite_store(connection)
        connection.close()
    elif request.param == "postgresql":
        engine = postgresql_engine(request.getfixturevalue("postgresql_url"))
        yield postgresql_store(engine)
        engine.dispose()
    elif request.param == "mariadb":
        store, close = mysql_store(request.getfixturevalue("mariadb_url"))
        yield store
        close()
    else:
        collections = request.getfixturevalue(f"{request.param}_collections")
        collections.clear()
        yield KeyedStore(collections)


@pytest.fixture(scope="session")
def mongodb_collections() -> Iterator[MongoCollections]:
    """Collections in a MongoDB server of its own, which has no transactions; the tests of this process share them."""
    with mongodb_server() as server:
        collections = MongoCollections(f"{server.url}contract")
        yield collections
        collections.close()


@pytest.fixture(scope="session")
def opensearch_collections(opensearch_process: Server) -> Iterator[ElasticCollections]:
    """Collections in OpenSearch, which the tests of this process share."""
    yield from _server_collections(opensearch_process)


@pytest.fixture(scope="session")
def elasticsearch_collections() -> Iterator[ElasticCollections]:
    """Collections in Elasticsearch 7, likewise."""
    with other_search_server("elasticsearch") as server:
        yield from _server_collections(server)


@pytest.fixture(scope="session")
def elasticsearch8_collections() -> Iterator[ElasticCollections]:
    """Collections in Elasticsearch 8, likewise."""
    with other_search_server("elasticsearch8") as server:
        yield from _server_collections(server)


@pytest.fixture(scope="session")
def opensearch3_collections() -> Iterator[ElasticCollections]:
    """Collections in OpenSearch 3, likewise."""
    with other_search_server("opensearch3") as server:
        yield from _server_collections(server)


def _server_collections(server: Server) -> Iterator[ElasticCollections]:
    collections = ElasticCollections(f"{server.url}/contract-store")
    yield collections
    collections.close()


@pytest.fixture(scope="session")
def mongodb_set_collections() -> Iterator[MongoCollections]:
    """Collections in a replica set of MongoDB, likewise, which has transactions."""
    with mongodb_server(replicas="set") as server:
        collections = MongoCollections(f"{server.url}contract")
        yield collections
        collections.close()


@pytest.fixture(params=["sqlite", "postgresql", "mariadb"])
def catalog(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Catalog]:
    """An empty catalog of each backend."""
    if request.param == "sqlite":
        connection = connect(tmp_path / "corpus.db")
        opened = sqlite_catalog(connection, connection.close)
    else:
        opened = server_catalog(request.getfixturevalue(f"{request.param}_url"))
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def postgresql_index_process(postgres_process: Server) -> Iterator[Index]:
    """An index in PostgreSQL that the tests of this process share."""
    index = postgresql_index(new_schema(postgres_process, "search"))
    yield index
    index.close()


@pytest.fixture(scope="session")
def opensearch_index_process(opensearch_process: Server) -> Iterator[Index]:
    """An index in OpenSearch, likewise."""
    yield from _server_index(opensearch_process)


@pytest.fixture(scope="session")
def elasticsearch_index_process() -> Iterator[Index]:
    """An index in Elasticsearch 7, likewise."""
    with other_search_server("elasticsearch") as server:
        yield from _server_index(server)


@pytest.fixture(scope="session")
def elasticsearch8_index_process() -> Iterator[Index]:
    """An index in Elasticsearch 8, likewise."""
    with other_search_server("elasticsearch8") as server:
        yield from _server_index(server)


@pytest.fixture(scope="session")
def opensearch3_index_process() -> Iterator[Index]:
    """An index in OpenSearch 3, likewise."""
    with other_search_server("opensearch3") as server:
        yield from _server_index(server)


def _server_index(process: Server) -> Iterator[Index]:
    index = OpenSearchIndex(SearchServer(process.url), "contract", visible=True)
    yield index
    index.close()


@pytest.fixture(params=["sqlite", "postgresql", "opensearch", *_OTHER_SERVERS])
def index(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Index]:
    """An empty index of each backend."""
    if request.param != "sqlite":
        shared: Index = request.getfixturevalue(f"{request.param}_index_process")
        shared.clear()
        yield shared
        return
    connection = connect(tmp_path / "corpus.db")
    yield SqliteIndex(connection)
    connection.close()


@pytest.fixture
def three(index: Index) -> Index:
    """An index of three documents, of which c is newest and b has no date."""
    news = "https://news.example.com/b"
    index.add(
        [
            document("https://example.com/a", "apple banana", title="Fruit", published=NOW - timedelta(days=30)),
            document(news, "banana cherry", language="zh-CN", authors=("张三", "Jane Doe"), kind=Kind.OTHER),
            document("https://example.com/c", "cherry " * 200, language="en", published=NOW - timedelta(days=1)),
        ],
        NOW - timedelta(days=2),
        run=1,
    )
    return index


@pytest.fixture(params=["sqlite", "postgresql", "mariadb"])
def alerts(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Alerts]:
    """An empty book of alerts of each backend."""
    if request.param == "sqlite":
        connection = connect(tmp_path / "corpus.db")
        opened = sqlite_alerts(connection, connection.close)
    else:
        opened = server_alerts(request.getfixturevalue(f"{request.param}_url"))
    yield opened
    opened.close()
