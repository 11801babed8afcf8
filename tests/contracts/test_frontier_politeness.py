"""What every frontier promises: hosts are left in peace, and all get their turn."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest

from tests.contracts.frontier_words import Backend, Clock, done, failed, link, links, paths, take
from thresher.frontier.contract import Frontier, Rules, Settlement
from thresher.model import Lease


def hosts(leases: list[Lease]) -> list[str]:
    return [lease.link.host for lease in leases]


def rest_s(frontier: Frontier, path: str) -> float:
    """How long a waiting link's host rests."""
    standing = frontier.find(link(path).url)
    assert standing is not None
    assert standing.due_in_s is not None
    return standing.due_in_s


def test_a_host_rests_from_the_lease(frontiers: Backend, frontier_clock: Clock) -> None:
    frontier = frontiers.open(Rules(delay_s=2.0, host_concurrency=5))
    frontier.offer(links(3))
    assert len(frontier.lease("w1", 10)) == 1
    assert frontier.due_in_s() == 2.0
    frontier_clock.advance(1.9)
    assert frontiers.open(Rules(delay_s=2.0, host_concurrency=5)).lease("w2", 10) == []
    frontier_clock.advance(0.1)
    assert frontier.due_in_s() == 0.0
    assert len(frontier.lease("w1", 10)) == 1


def test_a_host_rests_again_from_the_settle(frontiers: Backend, frontier_clock: Clock) -> None:
    frontier = frontiers.open(Rules(delay_s=2.0))
    frontier.offer(links(2))
    lease = take(frontier)
    frontier_clock.advance(30)
    frontier.settle([done(lease)])
    assert frontier.lease("w1", 10) == []
    assert frontier.due_in_s() == 2.0
    frontier_clock.advance(2)
    assert len(frontier.lease("w1", 10)) == 1


@pytest.mark.parametrize("in_order", [True, False])
def test_a_host_rests_when_a_lease_comes_back(frontiers: Backend, frontier_clock: Clock, in_order: bool) -> None:
    frontier = frontiers.open(Rules(delay_s=2.0))
    frontier.offer(links(2))
    take(frontier)
    frontier_clock.advance(30)
    assert (frontier.release("w1") if in_order else frontier.reap(["w1"])) == 1
    assert frontier.lease("w1", 10) == []
    frontier_clock.advance(2)
    assert len(frontier.lease("w1", 10)) == 1


def test_requests_to_a_host_keep_their_distance(frontiers: Backend, frontier_clock: Clock) -> None:
    rules = Rules(delay_s=1.0, host_concurrency=3)
    workers = {name: frontiers.open(rules) for name in ("w1", "w2", "w3")}
    workers["w1"].offer([link(str(number), f"h{number % 4}.example") for number in range(60)])
    leased_at: dict[str, list[float]] = {}
    for step in range(400):
        name = f"w{step % 3 + 1}"
        for lease in workers[name].lease(name, 4):
            leased_at.setdefault(lease.link.host, []).append(frontier_clock())
            if step % 5:
                workers[name].settle([done(lease)])
        frontier_clock.advance(0.13)
    assert sorted(leased_at) == ["h0.example", "h1.example", "h2.example", "h3.example"]
    for times in leased_at.values():
        assert len(times) >= 5
        assert min(later - earlier for earlier, later in pairwise(times)) >= 1.0


def test_a_host_is_visited_by_only_so_many_at_once(frontiers: Backend, frontier_clock: Clock) -> None:
    frontier = frontiers.open(Rules(delay_s=0.0, host_concurrency=3))
    frontier.offer(links(10) + links(1, "b.example"))
    first = frontier.lease("w1", 10)
    assert Counter(hosts(first)) == {"a.example": 3, "b.example": 1}
    frontier_clock.advance(10)
    assert frontiers.open(Rules(delay_s=0.0, host_concurrency=3)).lease("w2", 10) == []
    frontier.settle([done(lease) for lease in first[:2]])
    assert len(frontier.lease("w2", 10)) <= 2


def test_a_slow_host_is_visited_by_only_so_many_at_once(frontiers: Backend, frontier_clock: Clock) -> None:
    frontier = frontiers.open(Rules(delay_s=1.0, host_concurrency=2))
    frontier.offer(links(5))
    leased = []
    for _ in range(4):
        leased.append(len(frontier.lease("w1", 10)))
        frontier_clock.advance(1.0)
    assert leased == [1, 1, 0, 0]


def test_a_full_host_is_due_when_its_lease_ends(frontiers: Backend) -> None:
    frontier = frontiers.open(Rules(delay_s=0.0, host_concurrency=1, lease_s=50.0))
    frontier.offer(links(2))
    take(frontier)
    assert frontier.due_in_s() == 50.0


def test_hosts_take_turns(frontiers: Backend, frontier_clock: Clock) -> None:
    frontier = frontiers.open(Rules(delay_s=0.0, host_concurrency=4))
    frontier.offer(links(9) + links(9, "b.example") + links(9, "c.example"))
    assert Counter(hosts(frontier.lease("w1", 6))) == {"a.example": 2, "b.example": 2, "c.example": 2}
    seen: list[str] = []
    for _ in range(6):
        frontier_clock.advance(0.01)
        lease = frontier.lease("w1", 1)
        frontier.settle([done(one) for one in lease])
        seen += hosts(lease)
    assert Counter(seen) == {"a.example": 2, "b.example": 2, "c.example": 2}


@pytest.mark.parametrize("delay_s", [0.0, 0.5])
def test_a_huge_host_does_not_starve_the_small_ones(frontiers: Backend, frontier_clock: Clock, delay_s: float) -> None:
    frontier = frontiers.open(Rules(delay_s=delay_s))
    frontier.offer([link(str(number), "huge.example", priority=5) for number in range(5000)])
    small = [f"h{number}.example" for number in range(200)]
    frontier.offer([link(str(page), host) for host in small for page in range(2)])
    counts: Counter[str] = Counter()
    for _ in range(60):
        leases = frontier.lease("w1", 8)
        frontier_clock.advance(0.05)
        frontier.settle([done(lease) for lease in leases])
        counts.update(hosts(leases))
    assert counts.keys() == {"huge.example", *small}
    assert all(counts[host] == 2 for host in small)
    assert counts["huge.example"] <= 60


def test_a_host_that_keeps_getting_links_gets_no_more_than_its_turn(frontiers: Backend, frontier_clock: Clock) -> None:
    frontier = frontiers.open(Rules(delay_s=0.0))
    frontier.offer(links(50, "old.example"))
    seen = []
    for number in range(40):
        frontier_clock.advance(0.01)
        frontier.offer([link("1", f"new{number}a.example"), link("1", f"new{number}b.example")])
        leases = frontier.lease("w1", 2)
        frontier.settle([done(lease) for lease in leases])
        seen += hosts(leases)
    assert seen.count("old.example") >= 2


def test_robots_may_slow_a_host_down_up_to_a_cap(frontiers: Backend, frontier_clock: Clock) -> None:
    frontier = frontiers.open(Rules(delay_s=1.0, crawl_delay_cap_s=60.0))
    frontier.offer(links(9))
    waits = []
    for asked_s in (10.0, None, 500.0, float("inf"), 0.2, None):
        frontier.settle([replace(done(take(frontier)), crawl_delay_s=asked_s)])
        waits.append(rest_s(frontier, "8"))
        frontier_clock.advance(waits[-1])
    assert waits == [10.0, 10.0, 60.0, 60.0, 60.0, 1.0]  # what robots.txt asks less holds from the next lease


@pytest.mark.parametrize("nonsense", [float("nan"), -5.0])
def test_a_delay_that_makes_no_sense_is_ignored(frontiers: Backend, nonsense: float) -> None:
    frontier = frontiers.open(Rules(delay_s=1.0, backoff_s=5.0))
    frontier.offer(links(2))
    ending = replace(failed(take(frontier)), crawl_delay_s=nonsense, retry_after_s=nonsense)
    assert frontier.settle([ending]) == [True]
    assert frontier.due_in_s() == 1.0


def test_a_slow_host_does_not_slow_another(frontiers: Backend) -> None:
    frontier = frontiers.open(Rules(delay_s=1.0))
    frontier.offer(links(2))
    frontier.settle([replace(done(take(frontier)), crawl_delay_s=30.0)])
    frontier.offer(links(1, "b.example"))
    assert hosts(frontier.lease("w1", 10)) == ["b.example"]


def test_retry_after_slows_the_host_for_everybody(frontiers: Backend, frontier_clock: Clock) -> None:
    frontier = frontiers.open(Rules(delay_s=1.0, backoff_s=5.0))
    frontier.offer(links(2))
    frontier.settle([replace(failed(take(frontier), "http-503"), retry_after_s=120.0)])
    assert (frontier.due_in_s(), rest_s(frontier, "1")) == (120.0, 120.0)
    frontier_clock.advance(119.9)
    assert frontiers.open(Rules(delay_s=1.0)).lease("w2", 10) == []
    frontier_clock.advance(0.1)
    assert len(frontiers.open(Rules(delay_s=1.0)).lease("w2", 10)) == 1


def test_retry_after_has_a_cap(frontiers: Backend) -> None:
    frontier = frontiers.open(Rules(retry_after_cap_s=600.0))
    frontier.offer(links(2))
    frontier.settle([replace(failed(take(frontier)), retry_after_s=1e12)])
    assert frontier.due_in_s() == 600.0


def test_a_failure_alone_does_not_slow_the_host(frontiers: Backend, frontier_clock: Clock) -> None:
    frontier = frontiers.open(Rules(delay_s=1.0, backoff_s=50.0))
    frontier.offer(links(2))
    frontier.settle([failed(take(frontier))])
    frontier_clock.advance(1.0)
    assert paths(frontier.lease("w1", 10)) == ["1"]


def test_a_host_that_is_too_busy_gets_longer_and_longer_rests(frontiers: Backend, frontier_clock: Clock) -> None:
    rules = Rules(delay_s=1.0, backoff_s=5.0, backoff_cap_s=30.0)
    frontier = frontiers.open(rules)
    frontier.offer(links(20))

    def rest_after(ending: Settlement) -> float:
        frontier.settle([ending])
        wait_s = rest_s(frontier, "19")
        frontier_clock.advance(wait_s)
        return wait_s

    def busy() -> Settlement:
        return replace(failed(take(frontier), "http-429"), slow_host=True)

    assert [rest_after(busy()) for _ in range(4)] == [5.0, 10.0, 20.0, 30.0]
    assert rest_after(done(take(frontier))) == 1.0
    assert rest_after(busy()) == 5.0
    unchanged = replace(done(take(frontier)), fetched=False, unchanged=True)
    assert rest_after(unchanged) == 1.0
    assert rest_after(busy()) == 5.0, "a host that says that nothing has changed is not too busy"


def test_a_host_does_not_rest_as_long_as_its_links_may_wait(frontiers: Backend, frontier_clock: Clock) -> None:
    frontier = frontiers.open(Rules(backoff_s=100.0, backoff_cap_s=10_000.0, rest_cap_s=300.0))
    frontier.offer(links(9))
    for expected in (100.0, 200.0, 300.0, 300.0):
        frontier.settle([replace(failed(take(frontier), "http-503"), slow_host=True)])
        wait_s = rest_s(frontier, "8")
        assert wait_s == expected
        frontier_clock.advance(wait_s)
