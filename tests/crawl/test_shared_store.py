"""A crawl whose store is a PostgreSQL server: the same corpus, found from every machine that has indexed it."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.crawl.harness import Crawl
from thresher import wiring
from thresher.cli import exits
from thresher.config import Settings
from thresher.errors import UsageError


def thresher(*args: str, cwd: Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "thresher", *args]
    return subprocess.run(command, cwd=cwd, env=os.environ, capture_output=True, text=True, timeout=120, check=False)


def titles(url: str, data: Path) -> list[tuple[str, str, str]]:
    corpus = wiring.open_corpus(Settings(data=str(data), store=url))
    try:
        return sorted((found.url or "", found.title, found.text) for found in corpus.store.documents())
    finally:
        corpus.close()


@pytest.mark.slow
def test_a_crawl_into_a_server_is_found_from_other_machines(
    new_crawl: Callable[..., Crawl], postgresql_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = new_crawl("plain")
    plain.run()
    monkeypatch.setenv("THRESHER_STORE", postgresql_url.replace("postgresql", "postgres", 1))
    crawl = new_crawl("here")
    process = crawl.start_and_wait(30)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    ended = crawl.run("--resume", starts=())
    assert "run 1 finished" in ended.err
    stored = titles(postgresql_url, crawl.data)
    assert stored == sorted((url, title, text) for url, title, text, _, _ in plain.corpus())
    found = thresher("--data", "here", "search", "--count", cwd=tmp_path)
    assert found.stdout == f"{len(stored)}\n"
    elsewhere = thresher("--data", "there", "search", "--count", cwd=tmp_path)
    assert elsewhere.stdout == "0\n"
    assert "thresher reindex" in elsewhere.stderr
    for new in (len(stored), 0):
        assert (
            f"{len(stored)} documents indexed, {new} of them new"
            in thresher("--data", "there", "reindex", cwd=tmp_path).stderr
        )
    assert thresher("--data", "there", "search", "--count", cwd=tmp_path).stdout == found.stdout
    assert "in the corpus" in thresher("--data", "there", "why", stored[0][0], cwd=tmp_path).stdout


def test_an_unknown_kind_of_store_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(UsageError, match="oracle:// is not supported; use sqlite:///PATH or postgresql://"):
        wiring.open_corpus(Settings(store="oracle://db"))


def test_an_absent_server_is_one_clear_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THRESHER_STORE", "postgresql://ann:s3cret@127.0.0.1:1/corpus")
    ended = thresher("search", "harbour", cwd=tmp_path)
    assert ended.returncode == exits.UNREACHABLE
    assert len(ended.stderr.splitlines()) == 1
    assert "the store does not answer" in ended.stderr
    assert "s3cret" not in ended.stderr
