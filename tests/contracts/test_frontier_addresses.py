"""What every frontier promises: hosts that share an address wait for each other, and a slow host gets more rest."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest

from tests.contracts.frontier_words import QUICK, Backend, Clock, done, failed, link, links, take
from thresher.frontier.contract import Frontier, Rules
from thresher.model import Lease

SHARED = Rules(delay_s=1.0, address_delay_s=0.5)
HOSTS = [f"h{number}.example" for number in range(6)]


def settle_at(frontier: Frontier, leases: Sequence[Lease], address: str = "192.0.2.1") -> None:
    assert all(frontier.settle([replace(done(lease), address=address) for lease in leases]))


def crowd(frontier: Frontier, clock: Clock, hosts: Sequence[str] = HOSTS, pages: int = 5) -> None:
    """Let the frontier learn that all hosts are at one address; then all have rested."""
    frontier.offer([link(str(page), host) for host in hosts for page in range(pages)])
    settle_at(frontier, frontier.lease("w1", len(hosts)))
    clock.advance(60)


def test_hosts_at_one_address_are_asked_one_at_a_time(frontiers: Backend, frontier_clock: Clock) -> None:
    frontier = frontiers.open(SHARED)
    crowd(frontier, frontier_clock)
    assert len(frontier.lease("w1", 10)) == 1
    assert frontiers.open(SHARED).lease("w2", 10) == []
    assert frontier.due_in_s() == 0.5
    frontier_clock.advance(0.5)
    assert len(frontier.lease("w1", 10)) == 1


def test_requests_to_an_address_keep_their_distance(frontiers: Backend, frontier_clock: Clock) -> None:
    rules = replace(SHARED, host_concurrency=3)
    workers = {name: frontiers.open(rules) for name in ("w1", "w2")}
    crowd(workers["w1"], frontier_clock, pages=20)
    asked_at: list[float] = []
    by_host: dict[str, int] = {}
    for step in range(300):
        name = f"w{step % 2 + 1}"
        for lease in workers[name].lease(name, 4):
            asked_at.append(frontier_clock())
            by_host[lease.link.host] = by_host.get(lease.link.host, 0) + 1
            settle_at(workers[name], [lease])
        frontier_clock.advance(0.07)
    assert min(later - earlier for earlier, later in pairwise(asked_at)) >= 0.5
    assert len(asked_at) >= 35  # of 42 that would be possible
    assert by_host.keys() == set(HOSTS)
    assert max(by_host.values()) <= 2 * min(by_host.values())


def test_an_address_rests_again_from_the_settle(frontiers: Backend, frontier_clock: Clock) -> None:
    frontier = frontiers.open(SHARED)
    crowd(frontier, frontier_clock)
    lease = take(frontier)
    frontier_clock.advance(20)
    settle_at(frontier, [lease])
    assert frontier.lease("w1", 10) == []
    frontier_clock.advance(0.5)
    assert len(frontier.lease("w1", 10)) == 1


def test_hosts_at_other_addresses_go_on(frontiers: Backend, frontier_clock: Clock) -> None:
    frontier = frontiers.open(SHARED)
    crowd(frontier, frontier_clock)
    frontier.offer(links(1, "unknown.example") + links(2, "other.example"))
    settle_at(frontier, [one for one in frontier.lease("w1", 10) if one.link.host == "other.example"], "192.0.2.2")
    frontier_clock.advance(0.1)
    frontier.offer(links(1, "third.example"))
    assert [lease.link.host for lease in frontier.lease("w1", 10)] == ["third.example"]


def test_a_host_that_moved_waits_for_its_new_address(frontiers: Backend, frontier_clock: Clock) -> None:
    frontier = frontiers.open(SHARED)
    crowd(frontier, frontier_clock, HOSTS[:2])
    settle_at(frontier, [take(frontier)], "192.0.2.9")
    frontier_clock.advance(0.5)
    settle_at(frontier, [take(frontier)])
    frontier_clock.advance(10)
    assert len(frontier.lease("w1", 10)) == 2


def test_many_hosts_at_one_address_do_not_hide_the_others(frontiers: Backend, frontier_clock: Clock) -> None:
    frontier = frontiers.open(SHARED)
    crowd(frontier, frontier_clock, [f"h{number}.example" for number in range(100)], pages=2)
    frontier.offer(links(1, "alone.example"))
    found: set[str] = set()
    for _ in range(10):
        found |= {lease.link.host for lease in frontier.lease("w1", 4)}
        frontier_clock.advance(0.01)
    assert "alone.example" in found


def test_without_a_delay_addresses_do_not_matter(frontiers: Backend, frontier_clock: Clock) -> None:
    frontier = frontiers.open(replace(QUICK, address_delay_s=5.0))
    crowd(frontier, frontier_clock, pages=3)
    assert len(frontier.lease("w1", 100)) == 12


def test_a_suspect_waits_for_its_address(frontiers: Backend, frontier_clock: Clock) -> None:
    frontier = frontiers.open(replace(SHARED, suspect_after=1))
    crowd(frontier, frontier_clock, HOSTS[:2], pages=2)
    take(frontier, "doomed")
    frontier.reap(["doomed"])
    frontier_clock.advance(60)
    take(frontier, "w1")
    assert frontier.lease("w2", 10) == []
    frontier_clock.advance(0.5)
    assert len(frontier.lease("w2", 10)) == 1


def rest_s(frontier: Frontier) -> float:
    standing = frontier.find(link("8").url)
    assert standing is not None
    assert standing.due_in_s is not None
    return standing.due_in_s


def test_a_host_that_answers_slowly_gets_more_rest_up_to_a_cap(frontiers: Backend, frontier_clock: Clock) -> None:
    frontier = frontiers.open(Rules(delay_s=1.0, response_factor=2.0, response_delay_cap_s=20.0))
    frontier.offer(links(9))
    rests = []
    for response_s in (0.1, 4.1, None, 4.1, 100.0, float("nan")):
        frontier.settle([replace(done(take(frontier)), response_s=response_s)])
        rests.append(rest_s(frontier))
        frontier_clock.advance(rests[-1])
    assert rests == pytest.approx([1.0, 4.2, 4.2, 6.2, 20.0, 20.0])  # twice the mean of the last and those before


def test_a_failure_that_took_long_slows_the_host_too(frontiers: Backend) -> None:
    frontier = frontiers.open(Rules(delay_s=1.0, response_factor=1.0))
    frontier.offer(links(9))
    frontier.settle([replace(failed(take(frontier)), response_s=12.0)])
    assert rest_s(frontier) == 12.0


def test_without_a_delay_a_slow_host_need_not_rest(frontiers: Backend) -> None:
    frontier = frontiers.open(QUICK)
    frontier.offer(links(2))
    first, _ = frontier.lease("w1", 2)
    frontier.settle([replace(done(first), response_s=12.0)])
    frontier.offer(links(3))
    assert len(frontier.lease("w1", 2)) == 1
