"""The throw-away servers that other tests rely on."""

import os
import socket
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import psycopg
import pytest

from tests.servers import HOST, Server, new_database, oldest_redis_server, postgres_server, redis_server, valkey_server
from thresher.lab.servers import system_path


def say(server: Server, *words: str, timeout_s: float = 10) -> str:
    """Send a command to a Redis server and return what it says."""
    with socket.create_connection((HOST, server.port), timeout=timeout_s) as wire:
        wire.sendall((" ".join(words) + "\r\n").encode())
        return wire.recv(10_000).decode()


def is_gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


@pytest.mark.parametrize("launch", [redis_server, valkey_server, oldest_redis_server])
def test_a_redis_comes_back_with_what_it_kept(launch: Callable[..., AbstractContextManager[Server]]) -> None:
    with launch("--appendfsync", "always") as server:
        assert "+OK" in say(server, "SET", "a", "1")
        first = server.pid
        server.kill()
        assert is_gone(first)
        server.start()
        assert server.pid != first
        assert "1" in say(server, "GET", "a")
        last, folder = server.pid, server.folder
    assert is_gone(last)
    assert not folder.exists()


def test_a_paused_server_is_silent_until_it_goes_on(redis_process: Server) -> None:
    redis_process.pause()
    with pytest.raises(TimeoutError):
        say(redis_process, "PING", timeout_s=0.2)
    redis_process.go_on()
    assert "+PONG" in say(redis_process, "PING")


def test_a_postgresql_comes_back_with_what_it_kept() -> None:
    with postgres_server() as server:
        url = new_database(server, "kept")
        with psycopg.connect(url) as connection:
            connection.execute("CREATE TABLE t AS SELECT 7 AS n")
        for end in (server.kill, server.stop):
            end()
            with pytest.raises(psycopg.OperationalError):
                psycopg.connect(url)
            server.start()
            with psycopg.connect(url) as connection:
                assert connection.execute("SELECT n FROM t").fetchone() == (7,)
        folder = server.folder
    assert not folder.exists()


def test_a_missing_server_fails_in_ci_and_is_skipped_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    for value, outcome in (("true", pytest.fail.Exception), ("", pytest.skip.Exception)):
        monkeypatch.setenv("CI", value)
        with pytest.raises(outcome, match="redis-server is not installed"), redis_server():
            pass


def test_servers_that_packages_bring_are_not_taken_for_those_of_the_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, theirs = tmp_path / "environment", tmp_path / "system"
    for folder in (ours, theirs):
        folder.mkdir()
        (folder / "redis-server").touch(mode=0o755)
    monkeypatch.setattr("sys.executable", str(ours / "python"))
    monkeypatch.setenv("PATH", f"{ours}{os.pathsep}{theirs}")
    assert system_path("redis-server") == str(theirs / "redis-server")
    monkeypatch.setenv("PATH", str(ours))
    assert system_path("redis-server") is None
