"""The frontier in a Redis Cluster of three servers; the contract tests run there, too (see tests/contracts)."""

from collections.abc import Iterator
from time import monotonic, sleep

import pytest

from tests.contracts.frontier_words import QUICK, done, links
from tests.servers import HOST, Server, redis_cluster
from thresher.errors import Unreachable
from thresher.frontier.contract import Rules
from thresher.frontier.keys import JobKeys
from thresher.frontier.redis import RedisFrontier
from thresher.frontier.redis_overseer import RedisOverseer, redis_jobs
from thresher.frontier.server import Server as Client

JOBS = [f"run-{number}" for number in range(12)]


@pytest.fixture(scope="module")
def cluster() -> Iterator[list[Server]]:
    with redis_cluster("--appendfsync", "always") as nodes:
        yield nodes


@pytest.fixture
def client(cluster: list[Server]) -> Iterator[Client]:
    client = Client(cluster[0].url)
    yield client
    client.call("FLUSHALL")
    client.close()


def jobs_at(node: Server) -> list[str]:
    client = Client(node.url)
    found = [job for job in JOBS if client.call("KEYS", JobKeys(job).of("job"))]
    client.close()
    return found


def test_jobs_lie_together_and_any_server_finds_them(cluster: list[Server], client: Client) -> None:
    for job in JOBS:
        frontier = RedisFrontier(client, job, QUICK)
        frontier.offer(links(4))
        assert frontier.settle([done(lease) for lease in frontier.lease("w1", 2)]) == [True, True]
    assert sorted(len(jobs_at(node)) for node in cluster) == [0, 0, len(JOBS)]
    for node in cluster:
        other = Client(node.url)
        assert redis_jobs(other) == sorted(JOBS)
        assert [RedisOverseer(other, job, QUICK).census().done for job in JOBS] == [2] * len(JOBS)
        assert RedisOverseer(other, JOBS[0], QUICK).hosts()[0].pending == 2
        other.close()


def test_jobs_of_an_older_version_keep_their_slots(cluster: list[Server], client: Client) -> None:
    for job in JOBS:
        client.call("HSET", JobKeys(job, aged=True).of("job"), "kind", "exact 1000000 1e-05", "born", "0" * 32)
        frontier = RedisFrontier(client, job, Rules(delay_s=1.0))
        frontier.offer(links(4))
        assert len(frontier.lease("w1", 2)) == 1
    assert [jobs_at(node) for node in cluster] == [[], [], []]


def test_scripts_that_the_servers_forgot_are_sent_again(client: Client) -> None:
    frontiers = [RedisFrontier(client, job, QUICK) for job in JOBS]
    for frontier in frontiers:
        frontier.offer(links(3))
    client.call("SCRIPT", "FLUSH")
    assert [len(frontier.lease("w1", 5)) for frontier in frontiers] == [3] * len(JOBS)


def test_a_job_that_moves_to_another_server_is_found_there(cluster: list[Server], client: Client) -> None:
    frontier = RedisFrontier(client, "run-1", QUICK)
    frontier.offer(links(5))
    leases = frontier.lease("w1", 2)
    (old,) = [node for node in cluster if "run-1" in jobs_at(node)]
    new = next(node for node in cluster if node is not old)
    move(int(client.call("CLUSTER", "KEYSLOT", JobKeys("run-1").of("job"))), old, new, cluster)
    assert jobs_at(old) == []
    assert frontier.settle([done(lease) for lease in leases]) == [True, True]
    assert (frontier.census().done, len(frontier.lease("w1", 9))) == (2, 3)


def move(slot: int, old: Server, new: Server, nodes: list[Server]) -> None:
    """Move a slot, as an administrator does who adds a server."""
    clients = {node.port: Client(node.url) for node in nodes}
    source, target = clients[old.port], clients[new.port]
    ids = {port: client.call("CLUSTER", "MYID").decode() for port, client in clients.items()}
    target.call("CLUSTER", "SETSLOT", slot, "IMPORTING", ids[old.port])
    source.call("CLUSTER", "SETSLOT", slot, "MIGRATING", ids[new.port])
    names = source.call("CLUSTER", "GETKEYSINSLOT", slot, 1000)
    source.call("MIGRATE", HOST, new.port, "", 0, 5000, "KEYS", *names)
    for client in clients.values():
        client.call("CLUSTER", "SETSLOT", slot, "NODE", ids[new.port])
        client.close()


def test_a_server_that_is_away_is_waited_for(cluster: list[Server], client: Client) -> None:
    frontier = RedisFrontier(client, "run-1", QUICK)
    frontier.offer(links(3))
    (away,) = [node for node in cluster if jobs_at(node)]
    away.kill()
    with pytest.raises(Unreachable) as raised:
        frontier.lease("w1", 1)
    assert raised.value.retry
    away.start()
    deadline_s = monotonic() + 240
    while monotonic() < deadline_s:
        try:
            assert len(frontier.lease("w1", 5)) == 3
            break
        except Unreachable:
            sleep(0.2)
    else:
        pytest.fail("the cluster did not come back")
