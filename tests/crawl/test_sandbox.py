"""What a page does to its process stays there: no connection, no file, no program, no root."""

import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.crawl import poison
from thresher.crawling.pool import Pool
from thresher.crawling.sandbox import NOBODY


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    made = Pool(poison.attempt, 1, timeout_s=60.0, memory_bytes=300_000_000)
    asyncio.run(made.ask(b"user"))
    yield made
    made.close()


def ask(pool: Pool, request: str) -> str:
    return asyncio.run(pool.ask(request.encode())).decode()


def need(pool: Pool, protection: str) -> None:
    if protection not in pool.given_up:
        pytest.skip(f"this system does not allow it: {protection}")


def test_no_connection_can_be_made(pool: Pool) -> None:
    need(pool, "no network")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        assert ask(pool, f"network {listener.getsockname()[1]}") == "PermissionError"
    assert ask(pool, "local-socket") == "PermissionError"


def test_no_program_can_be_started(pool: Pool) -> None:
    need(pool, "seccomp")
    assert ask(pool, "program") == "PermissionError"


def test_no_file_can_be_made_changed_or_removed(pool: Pool, tmp_path: Path) -> None:
    need(pool, "Landlock")
    tmp_path.chmod(0o777)
    kept = tmp_path / "kept"
    kept.write_text("as it was")
    kept.chmod(0o666)
    assert ask(pool, f"write {kept}") == "PermissionError"
    assert ask(pool, f"create {tmp_path / 'new'}") == "PermissionError"
    assert ask(pool, f"remove {kept}") == "PermissionError"
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("kept", "as it was")]


def test_nothing_is_written_even_where_a_file_can_be_opened(pool: Pool, tmp_path: Path) -> None:
    need(pool, "limit")
    tmp_path.chmod(0o777)
    assert ask(pool, f"write {tmp_path / 'new'}") in ("PermissionError", "OSError")
    assert [path.read_text() for path in tmp_path.iterdir()] in ([], [""])


def test_root_becomes_somebody_else(pool: Pool) -> None:
    if os.getuid() != 0:
        assert ask(pool, "user") == str(os.getuid())
    else:
        assert (ask(pool, "user") != "0") is ("user nobody" in pool.given_up)
        assert "user nobody" in pool.given_up or "no powers of root" in pool.given_up


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become somebody else")
def test_root_becomes_nobody_where_nobody_can_read_the_code() -> None:
    nobody = (NOBODY,) * 3
    assert entered("") == f"True {nobody} {nobody} []\n"


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become somebody else")
def test_root_stays_root_where_nobody_could_not_read_a_model(tmp_path: Path) -> None:
    model = tmp_path / "trained.model"
    model.write_text("{}")
    model.chmod(0o644)
    tmp_path.chmod(0o700)
    assert entered(f"[pathlib.Path({str(model)!r})]").startswith("False (0, 0, 0)")


def entered(reads: str) -> str:
    """Enter the sandbox in a process whose code everybody can read; tell whether and who it is then."""
    line = (
        "import os, pathlib; from thresher.crawling import sandbox; sandbox._is_readable = lambda place: True; "
        f"held = sandbox.enter({reads}); "
        "print('user nobody' in held, os.getresuid(), os.getresgid(), os.getgroups())"
    )
    return subprocess.run([sys.executable, "-c", line], capture_output=True, text=True, check=True).stdout


def test_the_process_still_reads_pages_and_ends_with_its_pool(pool: Pool) -> None:
    assert ask(pool, "nothing") == "done"
