"""The order of tests, and servers that they share: each is started once in a test process, when a test first asks."""

import gc
import os
from collections.abc import Iterator
from itertools import count

import pytest
from hypothesis import HealthCheck, settings

from tests.servers import (
    Server,
    elasticsearch_server,
    mariadb_server,
    new_mariadb_database,
    new_schema,
    opensearch_server,
    postgres_server,
    redis_server,
    valkey_server,
)

_NUMBERS = count()
# How long an example takes says more of the machine than of the code.
settings.register_profile("any pace", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("few", settings.get_profile("any pace"), max_examples=20)  # on further Pythons
settings.load_profile("any pace")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin the part of every test process with modules that hold slow tests, lest one of them be left for the end.

    `--dist worksteal` gives equal parts of the list; whoever has done its own takes from the end of another's.
    """
    parts = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    if parts == 1:
        return
    slow = dict.fromkeys(item.path for item in items if item.get_closest_marker("slow"))
    part_of = {path: number % parts for number, path in enumerate(slow)}
    rest = [item for item in items if item.path not in part_of]
    ordered: list[pytest.Item] = []
    for part in range(parts):
        first = [item for item in items if part_of.get(item.path) == part]
        fill = max(0, len(items) // parts - len(first))
        ordered += first + rest[:fill]
        del rest[:fill]
    items[:] = ordered + rest


def pytest_collection_finish() -> None:
    """Set the tests themselves aside, lest the collector of garbage look at all of them while one is timed."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def redis_process() -> Iterator[Server]:
    """A Redis server; whoever kills it starts it again."""
    with redis_server() as server:
        yield server


@pytest.fixture(scope="session")
def valkey_process() -> Iterator[Server]:
    """A Valkey server, likewise."""
    with valkey_server() as server:
        yield server


@pytest.fixture(scope="session")
def postgres_process() -> Iterator[Server]:
    """A PostgreSQL server, likewise."""
    with postgres_server() as server:
        yield server


@pytest.fixture(scope="session")
def mariadb_process() -> Iterator[Server]:
    """A MariaDB server, likewise."""
    with mariadb_server() as server:
        yield server


@pytest.fixture(scope="session")
def opensearch_process() -> Iterator[Server]:
    """An OpenSearch server, likewise."""
    with opensearch_server() as server:
        yield server


@pytest.fixture(scope="session")
def elasticsearch_process() -> Iterator[Server]:
    """An Elasticsearch 7 server, likewise."""
    with elasticsearch_server() as server:
        yield server


@pytest.fixture
def mariadb_url(mariadb_process: Server) -> str:
    """The URL of an empty database for one test."""
    return new_mariadb_database(mariadb_process, f"test_{next(_NUMBERS)}")


@pytest.fixture
def postgresql_url(postgres_process: Server) -> str:
    """The URL of what is an empty database to one test."""
    return new_schema(postgres_process, f"test_{next(_NUMBERS)}")
