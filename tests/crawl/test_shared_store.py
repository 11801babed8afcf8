"""A crawl whose store is PostgreSQL and whose frontier may be Redis: the same corpus, found from every machine."""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.commands import run as thresher
from tests.crawl.harness import Crawl
from tests.servers import Server
from thresher import wiring
from thresher.cli import exits
from thresher.config import Settings
from thresher.errors import MissingExtra, UsageError
from thresher.frontier.contract import Rules, State
from thresher.model import Link
from thresher.sample import RunningSample


def titles(url: str, data: Path) -> list[tuple[str, str]]:
    corpus = wiring.open_corpus(Settings(data=str(data), store=url))
    try:
        return sorted((found.url or "", found.title) for found in corpus.store.documents())
    finally:
        corpus.close()


@pytest.fixture(scope="module")
def plain(site: RunningSample, tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, str]]:
    """What a crawl without any server collects."""
    crawl = Crawl(tmp_path_factory.mktemp("plain"), site)
    crawl.run()
    return sorted((url, title) for url, title, *_ in crawl.corpus())


@pytest.mark.slow
@pytest.mark.parametrize("frontier", ["embedded", pytest.param("redis", marks=pytest.mark.long)])
def test_a_killed_crawl_into_servers_is_resumed_and_found_from_other_machines(
    new_crawl: Callable[..., Crawl],
    plain: list[tuple[str, str]],
    postgresql_url: str,
    redis_process: Server,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    frontier: str,
) -> None:
    monkeypatch.setenv("THRESHER_STORE", postgresql_url.replace("postgresql", "postgres", 1))
    monkeypatch.setenv("THRESHER_FRONTIER", redis_process.url if frontier == "redis" else "")
    crawl = new_crawl("here")
    process = crawl.start_and_wait(30)
    process.kill()
    process.communicate()
    ended = crawl.run("--resume", starts=())
    assert "run 1 finished" in ended.err
    stored = titles(postgresql_url, crawl.data)
    assert stored == plain
    found = thresher("--data", "here", "search", "--count", cwd=tmp_path)
    assert found.stdout == f"{len(stored)}\n"
    assert thresher("--data", "there", "search", "--count", cwd=tmp_path).stdout == found.stdout
    reindexed = thresher("--data", "there", "reindex", cwd=tmp_path)
    assert f"{len(stored)} documents indexed, 0 of them new" in reindexed.stderr
    rebuilt = thresher("--data", "there", "index", "rebuild", cwd=tmp_path)
    assert f"rebuilt the index: {len(stored)} documents" in rebuilt.stderr
    assert thresher("--data", "here", "search", "--count", cwd=tmp_path).stdout == found.stdout
    assert "in the corpus" in thresher("--data", "there", "why", stored[0][0], cwd=tmp_path).stdout


@pytest.mark.slow
def test_a_crawl_waits_for_a_store_that_is_away(
    new_crawl: Callable[..., Crawl],
    plain: list[tuple[str, str]],
    postgresql_url: str,
    postgres_process: Server,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("THRESHER_STORE", postgresql_url)
    crawl = new_crawl("waiting")
    process = crawl.start_and_wait(30)
    postgres_process.kill()
    time.sleep(3)
    postgres_process.start()
    _, told = process.communicate(timeout=280)
    assert "run 1 finished" in told
    assert "Traceback" not in told
    assert titles(postgresql_url, crawl.data) == plain


def test_an_unknown_kind_of_store_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(UsageError, match="oracle:// is not supported; use sqlite:///PATH, postgresql://"):
        wiring.open_corpus(Settings(store="oracle://db"))


def test_an_absent_server_is_one_clear_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THRESHER_STORE", "postgresql://ann:s3cret@127.0.0.1:1/corpus")
    ended = thresher("search", "harbour", cwd=tmp_path)
    assert ended.returncode == exits.UNREACHABLE
    assert len(ended.stderr.splitlines()) == 1
    assert "the store does not answer" in ended.stderr
    assert "s3cret" not in ended.stderr


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"frontier": "amqp://queue"}, "amqp:// is not supported; use redis://"),
        ({"frontier": "redis://127.0.0.1:1/0", "seen": "cuckoo"}, "neither exact nor bloom"),
        ({"frontier": "redis://127.0.0.1:1/0", "bloom_error_rate": 0.9}, "bloom_error_rate"),
    ],
)
def test_a_frontier_that_makes_no_sense_is_refused(wrong: dict[str, Any], said: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=said):
        wiring.open_corpus(Settings(data=str(tmp_path), **wrong))


def test_a_missing_redis_library_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "redis", None)
    with pytest.raises(MissingExtra, match=r"pip install 'thresher\[redis\]'"):
        wiring.open_corpus(Settings(data=str(tmp_path), frontier="valkey://127.0.0.1/0"))


def test_a_url_that_waits_in_redis_is_found(redis_process: Server, tmp_path: Path) -> None:
    corpus = wiring.open_corpus(Settings(data=str(tmp_path), frontier=redis_process.url))
    corpus.frontier("why-job", Rules()).offer([Link("https://example.com/waiting")])
    assert corpus.standings("https://example.com/waiting")["why-job"].state is State.PENDING
    assert corpus.standings("https://example.com/never") == {}
    corpus.close()


def test_two_stores_do_not_share_the_jobs_of_one_frontier(
    redis_process: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THRESHER_FRONTIER", redis_process.url.replace("/0", "/7"))
    monkeypatch.setenv("THRESHER_ALLOWED_ADDRESSES", "127.0.0.1")
    monkeypatch.setenv("THRESHER_MAX_ATTEMPTS", "1")
    first = thresher("--data", "a", "crawl", "http://127.0.0.1:1/", cwd=tmp_path)
    assert "given up: 1" in first.stderr
    second = thresher("--data", "b", "crawl", "http://127.0.0.1:1/", cwd=tmp_path)
    assert second.returncode == exits.USAGE
    assert "links of a run-1 that is not in this store" in second.stderr
