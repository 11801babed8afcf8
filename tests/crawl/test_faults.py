"""A fleet through faults, in short; `thresher bench faults` is the long version. And: the audit sees what is wrong."""

from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from click.testing import CliRunner

from tests.servers import Server as OwnRedis
from thresher import wiring
from thresher.cli import exits
from thresher.cli.bench_faults import command
from thresher.config import Settings
from thresher.crawling.corpus import Corpus
from thresher.frontier.contract import Rules, Settlement
from thresher.frontier.keys import JobKeys
from thresher.frontier.redis import RedisFrontier
from thresher.frontier.server import Server
from thresher.lab.audit import Count, Verdict, audit, count
from thresher.lab.faults import (
    Fault,
    Ground,
    Ordeal,
    Scene,
    Terms,
    clock_set,
    failed_over,
    kills,
    missing_for,
    prepared,
    two_jobs,
)
from thresher.lab.faults_table import complaints, markdown
from thresher.lab.rewind import cut, length
from thresher.lab.sites import Asked, least_gap_s
from thresher.model import Link, Outcome

TERMS = Terms(sites=4, pages=15, workers=2, delay_s=0.1, kills=4, within_s=120.0)


def kills_and_a_lost_redis(scene: Scene) -> int:
    """Kill workers, and Redis among them."""
    killed = kills(scene)
    scene.redis.kill()
    scene.redis.start()
    scene.wait_for_share(0.8)
    killed += scene.crew.kill(scene.crew.working[0])
    scene.crew.hire()
    return killed


@pytest.mark.slow
def test_kills_of_workers_and_of_redis_lose_and_double_nothing(redis_process: OwnRedis) -> None:
    with prepared(TERMS, store="sqlite") as ground:
        ordeal = ground.crawl("kills", kills_and_a_lost_redis)
    assert list(complaints([("kills", ordeal)])) == []
    assert ordeal.verdict.stored == TERMS.sites * TERMS.pages
    assert ordeal.faults >= TERMS.kills
    assert "| kills | " in markdown([("kills", ordeal)])


def loses_steps_twice(scene: Scene) -> int:
    """Let Redis lose what it was told while some links were done, twice, and nobody says so."""
    scene.crew.hire(scene.terms.workers)
    for kept in (5, 25):
        scene.wait_for_done(kept)
        before = length(scene.redis.folder)
        scene.wait_for_done(kept + 15)
        scene.redis.kill()
        cut(scene.redis.folder, before)
        scene.redis.start()
    return 2


@pytest.mark.slow
@pytest.mark.parametrize(
    "fault", [loses_steps_twice, pytest.param(failed_over, marks=pytest.mark.long)], ids=["rolled back", "failed over"]
)
def test_a_redis_that_lost_its_last_steps_loses_and_doubles_nothing(fault: Fault, redis_process: OwnRedis) -> None:
    with prepared(TERMS, store="sqlite") as ground:
        ordeal = ground.crawl("lost", fault)
    assert list(complaints([("lost", ordeal)])) == []
    assert ordeal.verdict.stored == TERMS.sites * TERMS.pages


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.skipif(bool(missing_for("clock", store="sqlite")), reason="libfaketime is not installed")
def test_a_clock_that_is_set_while_workers_crawl_changes_nothing() -> None:
    with prepared(TERMS, store="sqlite") as ground:
        ordeal = ground.crawl("clock", clock_set, embedded=True)
    assert list(complaints([("clock", ordeal)])) == []
    assert ordeal.verdict.stored == TERMS.sites * TERMS.pages
    assert ordeal.least_gap_s >= TERMS.delay_s


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize("embedded", [pytest.param(True, marks=pytest.mark.long), False], ids=["embedded", "redis"])
def test_two_runs_that_crawl_the_same_sites_keep_their_delay_together(embedded: bool, redis_process: OwnRedis) -> None:
    with prepared(TERMS, store="sqlite") as ground:
        ordeal = ground.crawl("jobs", two_jobs, embedded=embedded)
    assert list(complaints([("jobs", ordeal)])) == []
    assert ordeal.verdict.accepted == 2 * TERMS.sites * (TERMS.pages + 1)
    assert ordeal.least_gap_s >= TERMS.delay_s


@pytest.fixture
def frontier(redis_process: OwnRedis) -> Iterator[RedisFrontier]:
    """A job with a link in every state but one."""
    server = Server(redis_process.url)
    frontier = RedisFrontier(server, f"audit-{uuid4().hex}", Rules(delay_s=0, host_concurrency=8))
    frontier.offer([Link(f"https://example.com/{number}") for number in range(6)])
    leases = frontier.lease("somebody", 4)
    frontier.settle([Settlement(leases[0], Outcome.DONE, "stored", fetched=True)])
    frontier.settle([Settlement(leases[1], Outcome.RETRY, "timeout")])
    frontier.settle([Settlement(leases[2], Outcome.BURY, "extract-crash")])
    yield frontier
    server.close()


def counted(frontier: RedisFrontier, redis: OwnRedis) -> Count:
    server = Server(redis.url)
    try:
        return count(server, frontier.names.job)
    finally:
        server.close()


def test_links_are_counted_where_they_lie(frontier: RedisFrontier, redis_process: OwnRedis) -> None:
    found = counted(frontier, redis_process)
    assert found == Count(accepted=6, pending=2, delayed=1, leased=1, done=1, dead=1, agrees=True)
    assert (found.missing, found.open) == (0, 4)


def test_a_link_that_vanishes_is_missed(frontier: RedisFrontier, redis_process: OwnRedis) -> None:
    server = Server(redis_process.url)
    server.call("ZPOPMIN", JobKeys(frontier.names.job).of("expiry"))
    server.close()
    found = counted(frontier, redis_process)
    assert found.missing == 1
    assert not found.agrees


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    corpus = wiring.open_corpus(Settings(data=str(tmp_path)))
    yield corpus
    corpus.close()


def test_an_audit_names_what_is_lost_and_which_sums_differ(corpus: Corpus) -> None:
    nothing = Count(accepted=1, pending=0, delayed=0, leased=0, done=1, dead=0, agrees=True)
    verdict = audit(corpus, 1, nothing, {"https://example.com/1": "its text", "https://example.com/2": ""}, 0)
    assert set(verdict.lost) == {"https://example.com/1", "https://example.com/2"}
    assert len(verdict.unbalanced) == 2
    assert not verdict.is_sound


def test_a_fault_that_cannot_be_made_is_left_out_and_said(redis_process: OwnRedis) -> None:
    flags = ["--store", "sqlite", "--fault", "store", "--sites", "1", "--pages", "1"]
    ended = CliRunner().invoke(command, flags, standalone_mode=False, catch_exceptions=False)
    assert ended.return_value == exits.DONE
    assert "left out: PostgreSQL stopped, started again (the store is no server)" in ended.stderr


def test_a_crawl_that_lost_something_ends_with_an_error(
    monkeypatch: pytest.MonkeyPatch, redis_process: OwnRedis
) -> None:
    verdict = Verdict(2, 1, 0, 0, lost=("http://127.0.0.2/1",), doubled=0, unbalanced=("1 link is still open",))
    ordeal = Ordeal("calm", 0, 4, verdict, repeated=0, least_gap_s=0.2, seconds=1.0)
    monkeypatch.setattr(Ground, "crawl", lambda *args, **terms: ordeal)
    flags = ["--store", "sqlite", "--fault", "calm", "--sites", "1", "--pages", "1"]
    ended = CliRunner().invoke(command, flags, standalone_mode=False, catch_exceptions=False)
    assert ended.return_value == exits.FAILED
    assert "1 lost, such as http://127.0.0.2/1" in ended.stderr
    assert "1 link is still open" in ended.stderr


def test_the_table_tells_what_workers_did_while_a_server_was_away() -> None:
    verdict = Verdict(2, 2, 0, 0, lost=(), doubled=0, unbalanced=())
    away = Ordeal("redis", 2, 4, verdict, repeated=0, least_gap_s=0.2, seconds=9.0, log_lines=6, idling=0.0014)
    header, _, line = markdown([("Redis killed", away)]).splitlines()
    assert header.endswith("| log lines | CPU while away |")
    assert line.endswith("| 6 | 0.1% |")


def test_the_least_gap_is_that_of_one_site() -> None:
    asked = [(0.0, "a"), (0.3, "b"), (1.0, "a"), (1.2, "b")]
    log = [Asked(at, at, f"http://{host}/", 200) for at, host in asked]
    assert least_gap_s(log) == pytest.approx(0.9)
    assert least_gap_s(log[:2]) == float("inf")
