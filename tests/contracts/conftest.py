"""The backends that the contract tests run over."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from tests.contracts.frontier_words import Backend, Clock
from tests.contracts.index_words import NOW, document
from tests.frontier.redis_backend import RedisBackend
from tests.frontier.sqlite_backend import SqliteBackend
from tests.servers import Server, new_schema, oldest_redis_server, redis_cluster, redis_server, valkey_server
from thresher.catalog.contract import Catalog
from thresher.catalog.sql import server_catalog, sqlite_catalog
from thresher.frontier.redis import Seen
from thresher.index.contract import Index
from thresher.index.opensearch import OpenSearchIndex
from thresher.index.postgresql import postgresql_index
from thresher.index.search_server import SearchServer
from thresher.index.sqlite import SqliteIndex
from thresher.model import Kind
from thresher.sqlite import connect
from thresher.store.contract import Store
from thresher.store.postgresql import postgresql_engine, postgresql_store
from thresher.store.sql import sqlite_store

EXACT = ("sqlite", "redis", "valkey", "oldest")
BLOOM = Seen("bloom", capacity=50, error_rate=1e-6)  # small, so that it grows


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


@pytest.fixture(params=[*EXACT, "redis-bloom", pytest.param("cluster", marks=pytest.mark.slow)])
def frontiers(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Backend]:
    """An empty database of each frontier backend."""
    backend: SqliteBackend | RedisBackend
    if request.param == "sqlite":
        backend = SqliteBackend(tmp_path / "frontier.db")
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


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """An empty store of each backend."""
    if request.param == "sqlite":
        connection = connect(tmp_path / "corpus.db")
        yield sqlite_store(connection)
        connection.close()
    else:
        engine = postgresql_engine(request.getfixturevalue("postgresql_url"))
        yield postgresql_store(engine)
        engine.dispose()


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
def elasticsearch_index_process(elasticsearch_process: Server) -> Iterator[Index]:
    """An index in Elasticsearch 7, likewise."""
    yield from _server_index(elasticsearch_process)


def _server_index(process: Server) -> Iterator[Index]:
    index = OpenSearchIndex(SearchServer(process.url), "contract", visible=True)
    yield index
    index.close()


@pytest.fixture(params=["sqlite", "postgresql", "opensearch", pytest.param("elasticsearch", marks=pytest.mark.long)])
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
