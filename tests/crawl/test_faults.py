"""A fleet through faults, in short; `thresher bench faults` is the long version. And: the audit sees what is wrong."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest

from tests.servers import Server as OwnRedis
from thresher import wiring
from thresher.config import Settings
from thresher.crawl.run import Corpus
from thresher.frontier.contract import Rules, Settlement
from thresher.frontier.keys import JobKeys
from thresher.frontier.redis import RedisFrontier
from thresher.frontier.server import Server
from thresher.lab.audit import Count, audit, count
from thresher.lab.faults import Scene, Terms, kills, prepared
from thresher.lab.faults_table import complaints, markdown
from thresher.lab.sites import Asked, least_gap_s
from thresher.model import Link, Outcome

TERMS = Terms(sites=4, pages=15, workers=2, delay_s=0.1, kills=5, within_s=120.0)


def kills_and_a_lost_redis(scene: Scene) -> int:
    """Kill workers, and Redis among them."""
    killed = kills(replace(scene, terms=replace(scene.terms, kills=3)))
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
    assert ordeal.faults >= 3
    assert "| kills | " in markdown([("kills", ordeal)])


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


def test_the_least_gap_is_that_of_one_site() -> None:
    asked = [(0.0, "a"), (0.3, "b"), (1.0, "a"), (1.2, "b")]
    log = [Asked(at, at, f"http://{host}/", 200) for at, host in asked]
    assert least_gap_s(log) == pytest.approx(0.9)
    assert least_gap_s(log[:2]) == float("inf")
