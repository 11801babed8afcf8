"""What every frontier promises: jobs know nothing of each other's links, and leave a host in peace together."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest

from tests.contracts.frontier_words import QUICK, Backend, Clock, done, failed, link, links, take
from thresher.frontier.contract import Frontier, Rules

POLITE = Rules(delay_s=1.0, response_factor=0.0)


def crawl_together(clock: Clock, jobs: dict[str, Frontier], *, step_s: float, steps: int) -> list[tuple[float, str]]:
    """Let jobs lease one after the other; return when each got a link."""
    asked = []
    for _ in range(steps):
        for name, frontier in jobs.items():
            for lease in frontier.lease(name, 4):
                asked.append((clock(), name))
                frontier.settle([done(lease)])
        clock.advance(step_s)
    return asked


def test_jobs_that_ask_one_host_keep_its_delay_together(frontiers: Backend, frontier_clock: Clock) -> None:
    jobs = {name: frontiers.open(POLITE, name) for name in ("one", "two", "three")}
    for frontier in jobs.values():
        frontier.offer(links(40))
    asked = crawl_together(frontier_clock, jobs, step_s=0.13, steps=400)
    assert len(asked) >= 35
    assert min(later - earlier for (earlier, _), (later, _) in pairwise(asked)) >= 1.0


def test_jobs_that_ask_one_host_take_turns(frontiers: Backend, frontier_clock: Clock) -> None:
    jobs = {name: frontiers.open(POLITE, name) for name in ("greedy", "modest")}
    for frontier in jobs.values():
        frontier.offer(links(40))
    asked = crawl_together(frontier_clock, jobs, step_s=0.25, steps=200)
    shares = Counter(name for _, name in asked)
    assert shares.total() >= 35
    assert abs(shares["greedy"] - shares["modest"]) <= 2


def test_between_two_jobs_the_longer_delay_holds_and_none_starves(frontiers: Backend, frontier_clock: Clock) -> None:
    jobs = {
        "quick": frontiers.open(replace(POLITE, delay_s=0.5), "quick"),
        "slow": frontiers.open(replace(POLITE, delay_s=3.0), "slow"),
    }
    for frontier in jobs.values():
        frontier.offer(links(40))
    asked = crawl_together(frontier_clock, jobs, step_s=0.25, steps=400)
    slow = [at for at, name in asked if name == "slow"]
    assert len(slow) >= 10
    for (earlier, one), (later, other) in pairwise(asked):
        assert later - earlier >= (3.0 if "slow" in (one, other) else 0.5)


def test_a_job_that_stopped_does_not_hold_up_the_others(frontiers: Backend, frontier_clock: Clock) -> None:
    gone, going_on = frontiers.open(POLITE, "gone"), frontiers.open(POLITE, "going on")
    for frontier in (gone, going_on):
        frontier.offer(links(40))
    going_on.settle([done(take(going_on))])
    assert gone.lease("w1", 1) == []  # it queues up, and never comes again
    asked = crawl_together(frontier_clock, {"w2": going_on}, step_s=0.25, steps=100)
    assert len(asked) >= 20


def test_a_lease_of_another_job_keeps_a_host_busy_until_it_ends(frontiers: Backend, frontier_clock: Clock) -> None:
    one, two = frontiers.open(POLITE, "one"), frontiers.open(POLITE, "two")
    for frontier in (one, two):
        frontier.offer(links(3))
    lease = take(one)
    frontier_clock.advance(60)
    assert two.lease("w2", 1) == []
    one.renew([lease])
    frontier_clock.advance(100)
    assert two.lease("w2", 1) == []
    one.settle([done(lease)])
    frontier_clock.advance(2)
    assert len(two.lease("w2", 1)) == 1


def test_a_lease_of_a_job_that_nobody_works_on_expires_for_the_others(
    frontiers: Backend, frontier_clock: Clock
) -> None:
    one, two = frontiers.open(POLITE, "one"), frontiers.open(POLITE, "two")
    for frontier in (one, two):
        frontier.offer(links(3))
    take(one)
    frontier_clock.advance(POLITE.lease_s + 1)
    assert len(two.lease("w2", 1)) == 1


def test_a_host_that_is_too_busy_is_left_alone_by_all_jobs(frontiers: Backend, frontier_clock: Clock) -> None:
    one, two = frontiers.open(POLITE, "one"), frontiers.open(POLITE, "two")
    for frontier in (one, two):
        frontier.offer(links(3))
    one.settle([replace(failed(take(one)), retry_after_s=50.0)])
    frontier_clock.advance(49)
    assert two.lease("w2", 1) == []
    frontier_clock.advance(1)
    assert len(two.lease("w2", 1)) == 1


def test_an_address_rests_for_all_jobs(frontiers: Backend, frontier_clock: Clock) -> None:
    rules = replace(POLITE, address_delay_s=0.5)
    one, two = frontiers.open(rules, "one"), frontiers.open(rules, "two")
    for frontier, host in ((one, "a.example"), (two, "b.example")):
        frontier.offer(links(5, host))
        frontier.settle([replace(done(take(frontier)), address="192.0.2.1")])
    frontier_clock.advance(60)
    take(one)
    assert two.lease("w2", 1) == []
    frontier_clock.advance(0.5)
    assert len(two.lease("w2", 1)) == 1


@pytest.mark.parametrize("rules", [POLITE, QUICK])
def test_hosts_of_one_job_alone_are_not_slowed(frontiers: Backend, frontier_clock: Clock, rules: Rules) -> None:
    one, two = frontiers.open(rules, "one"), frontiers.open(rules, "two")
    one.offer([link("1"), link("2")])
    two.offer([link("1", "b.example"), link("2", "b.example")])
    assert len(one.lease("w1", 1)) == len(two.lease("w2", 1)) == 1


def test_leases_of_all_jobs_count_towards_what_a_host_takes_at_once(frontiers: Backend, frontier_clock: Clock) -> None:
    rules = replace(POLITE, host_concurrency=2)
    jobs = {name: frontiers.open(rules, name) for name in ("one", "two", "three")}
    for frontier in jobs.values():
        frontier.offer(links(9))
    leased = []
    for _ in range(8):
        leased += [name for name, frontier in jobs.items() for _ in frontier.lease(name, 1)]
        frontier_clock.advance(1.1)
    assert len(leased) == 2
