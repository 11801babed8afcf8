"""The backends that the contract tests run over."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.contracts.frontier_words import Backend, Clock
from tests.frontier.redis_backend import RedisBackend
from tests.frontier.sqlite_backend import SqliteBackend
from tests.servers import oldest_redis_server, redis_cluster, redis_server, valkey_server
from thresher.frontier.redis import Seen

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
