"""The order of tests, and servers that they share: each is started once in a test process, when a test first asks."""

import gc
import logging
import os
import signal
from collections.abc import Iterator
from itertools import count

import pytest
from hypothesis import HealthCheck, settings

from tests.servers import (
    Server,
    mariadb_server,
    new_mariadb_database,
    new_schema,
    opensearch_server,
    postgres_server,
    redis_server,
    valkey_server,
)
from thresher.logs import ONLY_FILE, EcsFormatter
from thresher.metrics import PageMetrics

_NUMBERS = count()
# How long an example takes says more of the machine than of the code.
settings.register_profile("any pace", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("few", settings.get_profile("any pace"), max_examples=10)  # on further Pythons
settings.load_profile("any pace")
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a job in the background hears no Ctrl-C, nor would its children
    signal.signal(signal.SIGINT, signal.default_int_handler)


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


@pytest.fixture(autouse=True)
def _no_log_of_other_tests() -> Iterator[None]:
    """Take back what a command that was called in this process has done to logging."""
    yield
    for handler in list(logging.root.handlers):
        if isinstance(handler.formatter, EcsFormatter):
            logging.root.removeHandler(handler)
            handler.close()
    logging.getLogger("thresher").setLevel(logging.NOTSET)
    counting = logging.getLogger(ONLY_FILE).handlers
    counting[:] = [handler for handler in counting if not isinstance(handler, PageMetrics)]


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


@pytest.fixture
def mariadb_url(mariadb_process: Server) -> str:
    """The URL of an empty database for one test."""
    return new_mariadb_database(mariadb_process, f"test_{next(_NUMBERS)}")


@pytest.fixture
def postgresql_url(postgres_process: Server) -> str:
    """The URL of what is an empty database to one test."""
    return new_schema(postgres_process, f"test_{next(_NUMBERS)}")
