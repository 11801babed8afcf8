"""What every frontier promises: a limit of pages that is exact, and a job that knows when it is over."""

from dataclasses import replace

import pytest

from tests.contracts.frontier_words import QUICK, Backend, Clock, buried, done, drain, failed, link, links, paths, take
from thresher.frontier.contract import Rules


def limited(limit: int) -> Rules:
    return replace(QUICK, limit=limit)


def test_no_more_pages_are_fetched_than_the_limit(frontiers: Backend) -> None:
    frontier = frontiers.open(limited(7))
    frontier.offer(links(20))
    assert len(drain(frontier, batch=4)) == 7
    assert frontier.census().reserved == 7
    assert frontier.due_in_s() is None


def test_workers_share_one_limit(frontiers: Backend) -> None:
    one, two = frontiers.open(limited(5)), frontiers.open(limited(5))
    one.offer(links(20))
    assert len(one.lease("w1", 3)) + len(two.lease("w2", 3)) == 5
    assert one.lease("w1", 3) == []
    assert one.due_in_s() == QUICK.lease_s


@pytest.mark.parametrize("ending", [buried, failed, lambda lease: done(lease, fetched=False)])
def test_an_outcome_without_a_page_gives_the_place_back(frontiers: Backend, ending: object) -> None:
    assert callable(ending)
    frontier = frontiers.open(limited(1))
    frontier.offer(links(3))
    lease = take(frontier)
    frontier.settle([ending(lease)])
    assert frontier.census().reserved == 0
    assert paths(drain(frontier)) == ["1"]
    assert frontier.census().reserved == 1


def test_a_fetched_page_keeps_its_place_whatever_became_of_it(frontiers: Backend) -> None:
    frontier = frontiers.open(limited(2))
    frontier.offer(links(5))
    first, second = frontier.lease("w1", 10)
    frontier.settle([replace(buried(first), fetched=True), replace(done(second), fruitful=False)])
    assert frontier.census().reserved == 2
    assert (frontier.lease("w1", 10), frontier.due_in_s()) == ([], None)


def test_places_of_links_that_wait_are_no_fetched_pages(frontiers: Backend) -> None:
    frontier = frontiers.open(limited(5))
    frontier.offer(links(5))
    first, *_ = frontier.lease("w1", 3)
    frontier.settle([done(first)])
    assert (frontier.census().reserved, frontier.census().fetched) == (3, 1)
    frontier.release("w1")
    assert (frontier.census().reserved, frontier.census().fetched) == (3, 1)
    drain(frontier)
    assert frontier.census().fetched == 5


def test_a_place_stays_with_its_link_when_the_worker_is_lost(frontiers: Backend) -> None:
    frontier = frontiers.open(limited(2))
    frontier.offer(links(5))
    assert paths(frontier.lease("w1", 10)) == ["0", "1"]
    frontier.reap(["w1"])
    frontier.offer([link("better", priority=9)])
    assert frontier.due_in_s() == 0.0
    assert paths(drain(frontier)) == ["0", "1"]
    assert frontier.due_in_s() is None


def test_a_link_with_a_place_is_found_behind_those_without(frontiers: Backend) -> None:
    frontier = frontiers.open(Rules(delay_s=0.0, host_concurrency=1, limit=1))
    frontier.offer([link("placed")])
    frontier.lease("w1", 1)
    frontier.release("w1")
    frontier.offer([link(str(number), priority=9) for number in range(20)])
    assert paths(frontier.lease("w1", 1)) == ["placed"]


def test_a_link_with_a_place_waits_for_room_at_its_host(frontiers: Backend) -> None:
    busy = frontiers.open(Rules(delay_s=0.0, host_concurrency=2, limit=2, lease_s=60.0))
    busy.offer(links(5))
    assert len(busy.lease("w1", 1) + busy.lease("w2", 1)) == 2
    busy.release("w1")
    frontier = frontiers.open(Rules(delay_s=0.0, host_concurrency=1, limit=2, lease_s=60.0))
    assert (frontier.lease("w1", 10), frontier.due_in_s()) == ([], 60.0)


def test_a_failed_link_without_a_place_does_not_keep_the_job_open(frontiers: Backend) -> None:
    frontier = frontiers.open(replace(QUICK, host_concurrency=1, limit=1))
    frontier.offer(links(2))
    frontier.settle([failed(take(frontier))])
    assert paths(drain(frontier)) == ["1"]
    assert (frontier.census().delayed, frontier.due_in_s()) == (1, None)


def test_a_place_stays_with_its_link_when_the_worker_stops(frontiers: Backend) -> None:
    frontier = frontiers.open(limited(2))
    frontier.offer(links(5))
    frontier.lease("w1", 10)
    frontier.release("w1")
    resumed = frontiers.open(limited(2))
    assert resumed.census().reserved == 2
    assert paths(drain(resumed)) == ["0", "1"]


def test_a_link_with_a_place_takes_no_second_one(frontiers: Backend) -> None:
    frontier = frontiers.open(limited(2))
    frontier.offer([link("0")])
    frontier.lease("w1", 1)
    frontier.reap(["w1"])
    frontier.offer([link("1"), link("2")])
    assert sorted(paths(frontier.lease("w1", 10))) == ["0", "1"]
    assert frontier.census().reserved == 2


def test_a_page_to_be_tried_again_keeps_its_place(frontiers: Backend, frontier_clock: Clock) -> None:
    frontier = frontiers.open(limited(1))
    frontier.offer(links(2))
    frontier.settle([replace(failed(take(frontier), "extractor-killed"), fetched=True)])
    assert frontier.lease("w1", 10) == []
    wait_s = frontier.due_in_s()
    assert wait_s is not None
    frontier_clock.advance(wait_s)
    assert paths(drain(frontier)) == ["0"]
    assert frontier.due_in_s() is None


def test_links_with_a_place_are_polite_too(frontiers: Backend, frontier_clock: Clock) -> None:
    frontier = frontiers.open(Rules(delay_s=5.0, limit=1))
    frontier.offer(links(2))
    take(frontier)
    frontier.reap(["w1"])
    assert (frontier.lease("w1", 10), frontier.due_in_s()) == ([], 5.0)
    frontier_clock.advance(5)
    assert paths([take(frontier)]) == ["0"]


def test_a_suspect_keeps_its_place_too(frontiers: Backend) -> None:
    frontier = frontiers.open(replace(QUICK, limit=1, suspect_after=1))
    frontier.offer(links(2))
    take(frontier)
    frontier.reap(["w1"])
    assert frontier.due_in_s() == 0.0
    assert paths(drain(frontier)) == ["0"]
    assert frontier.due_in_s() is None


def test_a_suspect_without_a_place_finds_none_when_the_limit_is_used_up(
    frontiers: Backend, frontier_clock: Clock
) -> None:
    frontier = frontiers.open(replace(QUICK, limit=1, suspect_after=1))
    frontier.offer([link("killer")])
    take(frontier)
    frontier.reap(["w1"])
    frontier.settle([failed(take(frontier))])
    frontier.offer([link("other")])
    assert paths(drain(frontier)) == ["other"]
    frontier_clock.advance(1000)
    assert (frontier.lease("w1", 10), frontier.due_in_s()) == ([], None)


def test_a_limit_raised_later_counts_what_was_fetched_before(frontiers: Backend) -> None:
    frontiers.open(limited(3)).offer(links(10))
    assert len(drain(frontiers.open(limited(3)))) == 3
    assert len(drain(frontiers.open(limited(5)))) == 2
    assert frontiers.open(limited(4)).lease("w1", 10) == []
    assert len(drain(frontiers.open(QUICK))) == 5


def test_a_job_with_nothing_in_it_is_over(frontiers: Backend) -> None:
    assert frontiers.open().due_in_s() is None


def test_a_job_is_not_over_while_something_is_leased_or_delayed(frontiers: Backend, frontier_clock: Clock) -> None:
    frontier = frontiers.open(replace(QUICK, lease_s=60.0, backoff_s=5.0))
    frontier.offer([link()])
    assert frontier.due_in_s() == 0.0
    lease = take(frontier)
    assert frontier.due_in_s() == 60.0
    frontier.settle([failed(lease)])
    assert frontier.due_in_s() == 5.0
    frontier_clock.advance(7)
    assert frontier.due_in_s() == 0.0
    drain(frontier)
    assert frontier.due_in_s() is None
