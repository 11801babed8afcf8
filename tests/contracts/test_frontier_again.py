"""What every frontier promises: links that are asked for again and again, and sooner when somebody wakes them."""

from dataclasses import replace

import pytest

from tests.contracts.frontier_words import QUICK, Backend, Clock, buried, done, drain, failed, link, links, paths, take
from thresher.frontier.contract import Frontier, Rules, Settlement, State
from thresher.frontier.redis import RedisFrontier
from thresher.model import Lease, Link

FEED = Link("https://a.example/feed", 0, "start", priority=10, source="daily")
HOUR_S = 3600.0


def again(lease: Lease, in_s: float = HOUR_S) -> Settlement:
    return replace(done(lease, fruitful=False), again_in_s=in_s, reason="feed")


def is_sure(frontier: Frontier) -> bool:
    """Whether the frontier can tell a done link from one that waits: a Bloom filter cannot."""
    return not isinstance(frontier, RedisFrontier) or frontier._kind == "exact"


def test_a_link_keeps_the_source_that_it_is_followed_for(frontiers: Backend) -> None:
    frontier = frontiers.open()
    frontier.offer([FEED, replace(link(), etag='"1"', source="weekly"), link("2")])
    leases = frontier.lease("w1", 10)
    assert {lease.link.url[-4:]: lease.link.source for lease in leases} == {
        "feed": "daily",
        "le/1": "weekly",
        "le/2": "",
    }
    standing = frontier.find(FEED.url)
    assert standing is not None
    assert standing.link == FEED


def test_a_link_that_comes_again_is_delayed_and_leased_when_it_is_due(
    frontiers: Backend, frontier_clock: Clock
) -> None:
    frontier = frontiers.open()
    frontier.offer([FEED])
    for _ in range(3):
        lease = take(frontier)
        assert (lease.link, lease.attempts, lease.lost) == (FEED, 0, 0)
        assert frontier.settle([again(lease)]) == [True]
        standing = frontier.find(FEED.url)
        assert standing is not None
        assert (standing.state, standing.reason, standing.due_in_s) == (State.DELAYED, "feed", HOUR_S)
        assert frontier.due_in_s() == HOUR_S
        frontier_clock.advance(HOUR_S - 1)
        assert frontier.lease("w1", 10) == []
        frontier_clock.advance(1)


def test_a_schedule_that_was_missed_is_caught_up_once(frontiers: Backend, frontier_clock: Clock) -> None:
    frontier = frontiers.open()
    frontier.offer([FEED])
    frontier.settle([again(take(frontier))])
    frontier_clock.advance(1000 * HOUR_S)
    late = frontiers.open()
    late.settle([again(take(late))])
    assert late.lease("w1", 10) == []
    assert late.due_in_s() == HOUR_S


def test_a_worker_that_dies_leaves_the_link_to_others(frontiers: Backend, frontier_clock: Clock) -> None:
    frontier = frontiers.open()
    frontier.offer([FEED])
    frontier.settle([again(take(frontier))])
    frontier_clock.advance(HOUR_S)
    take(frontier, "doomed")
    assert frontier.lease("w2", 10) == []
    frontier.reap(["doomed"])
    lease = take(frontier, "w2")
    assert lease.lost == 1
    frontier.settle([again(lease)])
    frontier_clock.advance(HOUR_S)
    assert take(frontier).lost == 0


def test_a_link_that_comes_again_has_not_failed_before(frontiers: Backend, frontier_clock: Clock) -> None:
    frontier = frontiers.open(replace(QUICK, max_attempts=3))
    frontier.offer([FEED])
    for _ in range(5):
        frontier.settle([failed(take(frontier))])
        frontier_clock.advance(1000)
        frontier.settle([again(take(frontier))])
        frontier_clock.advance(HOUR_S)
    assert take(frontier).attempts == 0


def test_a_link_comes_again_after_days_however_often_the_job_is_opened(
    frontiers: Backend, frontier_clock: Clock
) -> None:
    frontier = frontiers.open()
    frontier.offer([FEED])
    frontier.settle([again(take(frontier), 20 * 86_400.0)])
    for _ in range(3):
        frontier_clock.advance(86_400.0)
        frontiers.open()
    assert frontiers.open().due_in_s() == pytest.approx(17 * 86_400.0)


def test_no_link_stays_away_for_longer_than_the_rule_allows(frontiers: Backend) -> None:
    frontier = frontiers.open(replace(QUICK, again_cap_s=500.0))
    frontier.offer([FEED, link()])
    one, two = frontier.lease("w1", 2)
    frontier.settle([again(one, 1e9), again(two, float("nan"))])
    assert frontier.due_in_s() == 0.0
    standing = frontier.find(one.link.url)
    assert standing is not None
    assert standing.due_in_s == 500.0


def test_its_host_rests_though_a_link_is_to_come_again_at_once(frontiers: Backend, frontier_clock: Clock) -> None:
    frontier = frontiers.open(Rules(delay_s=3.0))
    frontier.offer([FEED])
    frontier.settle([again(take(frontier), 0.0)])
    assert frontier.due_in_s() == 3.0
    frontier_clock.advance(3.0)
    assert take(frontier).link == FEED


def test_a_link_that_comes_again_gives_its_place_of_the_limit_back(frontiers: Backend, frontier_clock: Clock) -> None:
    frontier = frontiers.open(replace(QUICK, limit=1))
    frontier.offer([FEED, link()])
    frontier.settle([again(take(frontier))])
    assert frontier.census().reserved == 0
    assert paths(drain(frontier)) == ["1"]
    frontier_clock.advance(HOUR_S)
    assert frontier.lease("w1", 10) == []


def test_lists_that_are_asked_for_again_and_again_make_no_trap(frontiers: Backend, frontier_clock: Clock) -> None:
    frontier = frontiers.open(replace(QUICK, barren_pages=3))
    board = Link("https://a.example/board/1", 0, "start")
    frontier.offer([board])
    for _ in range(5):
        frontier.settle([again(take(frontier))])
        frontier_clock.advance(HOUR_S)
    frontier.offer([link("board/2")])
    assert {lease.link.url[-7:] for lease in frontier.lease("w1", 10)} == {"board/1", "board/2"}


def test_a_new_link_that_is_woken_is_accepted(frontiers: Backend) -> None:
    frontier = frontiers.open()
    assert frontier.wake([FEED]) == [True]
    assert frontier.census().accepted == 1
    assert take(frontier).link == FEED


def test_a_delayed_link_that_is_woken_is_leased_at_once_and_under_its_new_source(
    frontiers: Backend, frontier_clock: Clock
) -> None:
    frontier = frontiers.open()
    frontier.offer([FEED])
    frontier.settle([again(take(frontier))])
    renamed = replace(FEED, source="evening", priority=3)
    assert frontier.wake([renamed]) == [True]
    assert frontier.census().delayed == 0
    lease = take(frontier)
    assert lease.link == renamed
    frontier.settle([again(lease)])
    frontier_clock.advance(HOUR_S)
    assert take(frontier).link == renamed


def test_a_dead_link_that_is_woken_has_all_its_attempts_again(frontiers: Backend) -> None:
    frontier = frontiers.open()
    frontier.offer([FEED])
    frontier.settle([buried(take(frontier))])
    assert frontier.wake([FEED]) == [True]
    assert (frontier.census().dead, frontier.dead()) == (0, [])
    assert take(frontier).attempts == 0


def test_a_done_link_that_is_woken_is_asked_for_again(frontiers: Backend) -> None:
    frontier = frontiers.open()
    frontier.offer([FEED])
    frontier.settle([done(take(frontier))])
    assert frontier.wake([FEED]) == [is_sure(frontier)]
    if is_sure(frontier):
        assert take(frontier).link == FEED
        assert frontier.census().accepted == 1


def test_a_link_that_waits_or_is_under_way_is_not_woken(frontiers: Backend) -> None:
    frontier = frontiers.open()
    frontier.offer([FEED])
    assert frontier.wake([FEED]) == [False]
    lease = take(frontier)
    assert frontier.wake([FEED, link()]) == [False, True]
    assert frontier.settle([again(lease)]) == [True]
    assert frontier.census().accepted == 2


def test_a_link_of_a_full_host_is_not_woken(frontiers: Backend) -> None:
    frontier = frontiers.open(replace(QUICK, host_pages=2))
    frontier.offer(links(2))
    assert frontier.wake([FEED]) == [False]
    assert frontier.wake([]) == []
