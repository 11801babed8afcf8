"""Servers that tests share: each is started once in a test process, when the first test asks for it."""

from collections.abc import Iterator
from itertools import count

import pytest

from tests.servers import Server, new_schema, postgres_server, redis_server, valkey_server

_NUMBERS = count()


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


@pytest.fixture
def postgresql_url(postgres_process: Server) -> str:
    """The URL of what is an empty database to one test."""
    return new_schema(postgres_process, f"test_{next(_NUMBERS)}")
