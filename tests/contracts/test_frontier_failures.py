"""What every frontier promises: failures come again later, lost leases come back, and neither for ever."""

from dataclasses import replace

import pytest

from tests.contracts.frontier_words import QUICK, Backend, Clock, buried, done, drain, failed, link, links, paths, take
from thresher.frontier.contract import Frontier, Rules, Standing, State


def standing_of(frontier: Frontier, path: str = "1") -> Standing:
    standing = frontier.find(link(path).url)
    assert standing is not None
    return standing


def lose(frontier: Frontier, times: int) -> None:
    """Let the first worker that gets the link die, several times."""
    for _ in range(times):
        assert frontier.lease("doomed", 1)
        assert frontier.reap(["doomed"]) == 1


def test_a_failed_link_waits_longer_each_time_up_to_a_cap(frontiers: Backend, frontier_clock: Clock) -> None:
    rules = replace(QUICK, max_attempts=6, backoff_s=5.0, backoff_cap_s=30.0)
    frontier = frontiers.open(rules)
    frontier.offer([link()])
    waits = []
    for attempt in range(5):
        lease = take(frontier)
        assert lease.attempts == attempt
        frontier.settle([failed(lease)])
        wait_s = frontier.due_in_s()
        assert wait_s is not None
        assert standing_of(frontier).due_in_s == wait_s
        waits.append(wait_s)
        frontier_clock.advance(wait_s - 0.01)
        assert frontier.lease("w1", 1) == []
        frontier_clock.advance(0.01)
    assert waits == pytest.approx([5.0, 10.0, 20.0, 30.0, 30.0])


def test_the_last_attempt_buries_the_link_with_its_reason(frontiers: Backend, frontier_clock: Clock) -> None:
    frontier = frontiers.open(replace(QUICK, max_attempts=3))
    frontier.offer([link()])
    for reason in ("timeout", "http-500", "dns-failed"):
        frontier.settle([failed(take(frontier), reason)])
        frontier_clock.advance(1000)
    assert frontier.due_in_s() is None
    (letter,) = frontier.dead()
    assert (letter.state, letter.reason, letter.attempts) == (State.DEAD, "dns-failed", 3)
    assert (frontier.census().dead, frontier.census().reserved) == (1, 0)


def test_a_buried_link_is_a_dead_letter_with_its_reason(frontiers: Backend) -> None:
    frontier = frontiers.open()
    frontier.offer([link()])
    assert frontier.settle([buried(take(frontier), "robots-disallowed")]) == [True]
    assert [(letter.link.url, letter.reason) for letter in frontier.dead()] == [(link().url, "robots-disallowed")]


def test_dead_letters_are_listed_newest_first(frontiers: Backend, frontier_clock: Clock) -> None:
    frontier = frontiers.open(replace(QUICK, host_concurrency=1))
    frontier.offer(links(5))
    for _ in range(5):
        frontier.settle([buried(take(frontier))])
        frontier_clock.advance(1)
    assert [letter.link.url[-1] for letter in frontier.dead()] == ["4", "3", "2", "1", "0"]
    assert [letter.link.url[-1] for letter in frontier.dead(2)] == ["4", "3"]


def test_a_server_says_when_to_come_again(frontiers: Backend, frontier_clock: Clock) -> None:
    frontier = frontiers.open(replace(QUICK, backoff_s=5.0))
    frontier.offer([link()])
    frontier.settle([replace(failed(take(frontier)), retry_after_s=2.0)])
    assert standing_of(frontier).due_in_s == 2.0
    frontier_clock.advance(2.0)
    assert take(frontier).attempts == 1


def test_a_retry_that_is_no_fault_of_the_link_costs_no_attempt(frontiers: Backend, frontier_clock: Clock) -> None:
    frontier = frontiers.open(Rules(delay_s=3.0, max_attempts=2, backoff_s=50.0))
    frontier.offer([link()])
    for retry_after_s, wait_s in ((None, 3.0), (1.0, 3.0), (20.0, 20.0), (None, 3.0)):
        lease = take(frontier)
        assert lease.attempts == 0
        frontier.settle([replace(failed(lease, "robots-unreachable"), counted=False, retry_after_s=retry_after_s)])
        assert standing_of(frontier).due_in_s == wait_s
        frontier_clock.advance(wait_s)


def test_a_delayed_link_lets_others_pass(frontiers: Backend, frontier_clock: Clock) -> None:
    frontier = frontiers.open(Rules(delay_s=0.0))
    frontier.offer([link("1", priority=9), link("2")])
    frontier.settle([failed(take(frontier))])
    assert paths(drain(frontier)) == ["2"]
    assert frontier.census().delayed == 1
    frontier_clock.advance(1000)
    assert paths(drain(frontier)) == ["1"]


def test_an_expired_lease_goes_to_another_worker(frontiers: Backend, frontier_clock: Clock) -> None:
    frontier = frontiers.open(replace(QUICK, lease_s=60.0))
    frontier.offer([link()])
    late = take(frontier, "w1")
    assert frontier.due_in_s() == 60.0
    frontier_clock.advance(59.9)
    assert frontier.lease("w2", 1) == []
    frontier_clock.advance(0.1)
    lease = take(frontier, "w2")
    assert (lease.lost, lease.attempts) == (1, 0)
    assert lease.token > late.token


def test_a_late_worker_is_refused(frontiers: Backend, frontier_clock: Clock) -> None:
    frontier = frontiers.open(replace(QUICK, lease_s=60.0))
    frontier.offer([link()])
    late = take(frontier, "w1")
    frontier_clock.advance(60)
    lease = take(frontier, "w2")
    assert frontier.settle([buried(late)]) == [False]
    assert frontier.renew([late, lease]) == [False, True]
    assert standing_of(frontier).worker == "w2"
    assert frontier.settle([done(lease)]) == [True]
    assert frontier.settle([failed(late)]) == [False]
    assert standing_of(frontier).state is State.DONE


def test_a_worker_back_from_the_dead_is_refused_though_nobody_has_the_link(frontiers: Backend) -> None:
    frontier = frontiers.open()
    frontier.offer([link()])
    lease = take(frontier)
    frontier.reap(["w1"])
    assert frontier.renew([lease]) == [False]
    assert frontier.settle([done(lease)]) == [False]
    assert standing_of(frontier).state is State.PENDING


def test_a_renewed_lease_lasts_longer(frontiers: Backend, frontier_clock: Clock) -> None:
    frontier = frontiers.open(replace(QUICK, lease_s=60.0))
    frontier.offer([link()])
    lease = take(frontier)
    for _ in range(5):
        frontier_clock.advance(50)
        assert frontier.renew([lease]) == [True]
    assert frontier.due_in_s() == 60.0
    assert frontier.reap() == 0
    assert frontier.settle([done(lease)]) == [True]
    assert frontier.renew([lease]) == [False]


def test_a_worker_that_stops_in_good_order_loses_nothing(frontiers: Backend) -> None:
    frontier = frontiers.open()
    frontier.offer(links(5))
    stopping = frontier.lease("w1", 3)
    frontier.lease("w2", 1)
    assert frontier.release("w1") == 3
    assert frontier.release("w1") == 0
    assert frontier.workers() == ["w2"]
    assert frontier.settle([done(stopping[0])]) == [False]
    again = frontier.lease("w3", 10)
    assert sorted(paths(again)) == ["0", "1", "2", "4"]
    assert {lease.lost for lease in again} == {0}


def test_the_leases_of_dead_workers_are_taken_back_at_once(frontiers: Backend) -> None:
    frontier = frontiers.open()
    frontier.offer(links(6))
    for name in ("w1", "w2", "w3"):
        frontier.lease(name, 2)
    assert frontier.workers() == ["w1", "w2", "w3"]
    assert frontier.reap() == 0
    assert frontier.reap(["w1", "w3", "unknown"]) == 4
    assert frontier.workers() == ["w2"]
    assert [lease.lost for lease in frontier.lease("w4", 10)] == [1, 1, 1, 1]


def test_an_expired_lease_of_a_dead_worker_is_lost_once(frontiers: Backend, frontier_clock: Clock) -> None:
    frontier = frontiers.open()
    frontier.offer([link()])
    take(frontier)
    frontier_clock.advance(1000)
    assert frontier.reap(["w1"]) == 1
    assert standing_of(frontier).lost == 1


def test_lost_leases_are_no_attempts_but_have_an_end(frontiers: Backend) -> None:
    frontier = frontiers.open(replace(QUICK, max_lost=5, suspect_after=2))
    frontier.offer([link()])
    lose(frontier, 5)
    assert (standing_of(frontier).lost, standing_of(frontier).attempts) == (5, 0)
    assert standing_of(frontier).state is State.PENDING
    lose(frontier, 1)
    (letter,) = frontier.dead()
    assert (letter.reason, letter.lost) == ("lost-leases", 6)
    assert (frontier.due_in_s(), frontier.census().reserved) == (None, 0)


def test_a_suspect_is_leased_alone_and_last(frontiers: Backend) -> None:
    frontier = frontiers.open(replace(QUICK, suspect_after=3))
    frontier.offer([link("killer", priority=9)])
    lose(frontier, 3)
    frontier.offer(links(3))
    innocent = frontier.lease("w1", 10)
    assert sorted(paths(innocent)) == ["0", "1", "2"]
    assert frontier.lease("w1", 10) == []
    frontier.settle([done(lease) for lease in innocent])
    frontier.offer([link("late")])
    assert paths(drain(frontier)) == ["late", "killer"]


def test_a_suspect_that_its_worker_gives_back_unsettled_again_and_again_is_buried(frontiers: Backend) -> None:
    frontier = frontiers.open(replace(QUICK, max_lost=5, suspect_after=2))
    frontier.offer([link()])
    for _ in range(10):
        assert take(frontier).lost == 0
        assert frontier.release("w1") == 1
    lose(frontier, 2)
    for losses in range(2, 6):
        assert take(frontier).lost == losses
        assert frontier.release("w1") == 1
    (letter,) = frontier.dead()
    assert (letter.reason, letter.lost) == ("lost-leases", 6)
    assert frontier.due_in_s() is None


def test_a_suspect_waits_for_a_worker_with_no_lease(frontiers: Backend) -> None:
    frontier = frontiers.open(replace(QUICK, suspect_after=3))
    frontier.offer([link("killer")])
    lose(frontier, 3)
    frontier.offer([link("other")])
    assert paths(frontier.lease("w1", 10)) == ["other"]
    assert frontier.lease("w1", 10) == []
    assert frontier.due_in_s() == 0.0
    assert paths([take(frontier, "w2")]) == ["killer"]


def test_the_holder_of_a_suspect_is_given_nothing_else(frontiers: Backend) -> None:
    frontier = frontiers.open(replace(QUICK, suspect_after=3))
    frontier.offer([link("killer")])
    lose(frontier, 3)
    lease = take(frontier, "w1")
    frontier.offer(links(2))
    assert frontier.lease("w1", 10) == []
    assert frontier.lease("w2", 1) != []
    frontier.settle([done(lease)])
    assert len(frontier.lease("w1", 10)) == 1


def test_a_suspect_is_as_polite_as_any_other(frontiers: Backend, frontier_clock: Clock) -> None:
    frontier = frontiers.open(Rules(delay_s=10.0, suspect_after=1))
    frontier.offer([link("killer")])
    lose(frontier, 1)
    assert frontier.lease("w1", 10) == []
    assert frontier.due_in_s() == 10.0
    frontier_clock.advance(10)
    assert paths([take(frontier)]) == ["killer"]
