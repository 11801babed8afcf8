"""What every frontier with an exact seen-set promises: shorter paths are kept, and done links are followed again."""

from dataclasses import replace

import pytest

from tests.contracts.conftest import EXACT
from tests.contracts.frontier_words import QUICK, Backend, Clock, buried, done, drain, failed, link, paths, take
from thresher.frontier.contract import Census, Offered, Rules, State

pytestmark = pytest.mark.parametrize("frontiers", EXACT, indirect=True)


def test_a_longer_path_changes_nothing(frontiers: Backend) -> None:
    frontier = frontiers.open()
    frontier.offer([link(depth=2)])
    frontier.settle([done(take(frontier))])
    assert frontier.offer([link(depth=2), link(depth=5)]) == [Offered.SEEN, Offered.SEEN]
    assert frontier.lease("w1", 10) == []


def test_a_shorter_path_makes_a_waiting_link_shallower(frontiers: Backend, frontier_clock: Clock) -> None:
    frontier = frontiers.open()
    frontier.offer([link(depth=5)])
    assert frontier.offer([link(depth=3)]) == [Offered.SEEN]
    lease = take(frontier)
    assert (lease.link.depth, lease.link.replay) == (3, False)
    frontier.settle([failed(lease)])
    assert frontier.offer([link(depth=2)]) == [Offered.SEEN]
    standing = frontier.find(link().url)
    assert standing is not None
    assert (standing.state, standing.link.depth) == (State.DELAYED, 2)
    frontier_clock.advance(1000)
    assert take(frontier).link.depth == 2


def test_a_shorter_path_reopens_a_done_link_as_a_replay(frontiers: Backend) -> None:
    frontier = frontiers.open()
    frontier.offer([link(depth=5)])
    frontier.settle([done(take(frontier))])
    assert frontier.offer([link(depth=3)]) == [Offered.REOPENED]
    assert frontier.due_in_s() == 0
    lease = take(frontier)
    assert (lease.link.depth, lease.link.replay) == (3, True)
    frontier.settle([done(lease, fetched=False)])
    assert frontier.census() == Census(pending=0, delayed=0, leased=0, done=1, dead=0, reserved=1)


def test_a_link_made_shallower_while_leased_is_followed_again(frontiers: Backend) -> None:
    frontier = frontiers.open()
    frontier.offer([link(depth=5)])
    lease = take(frontier)
    assert frontier.offer([link(depth=3)]) == [Offered.SEEN]
    assert frontier.settle([done(lease)]) == [True]
    again = take(frontier)
    assert (again.link.depth, again.link.replay) == (3, True)
    frontier.settle([done(again, fetched=False)])
    assert frontier.due_in_s() is None


@pytest.mark.parametrize("way", ["retry", "release", "reap"])
def test_a_link_that_comes_back_with_its_new_depth_is_no_replay(
    frontiers: Backend, frontier_clock: Clock, way: str
) -> None:
    frontier = frontiers.open()
    frontier.offer([link(depth=5)])
    lease = take(frontier)
    frontier.offer([link(depth=3)])
    if way == "retry":
        frontier.settle([failed(lease)])
    elif way == "release":
        frontier.release("w1")
    else:
        frontier.reap(["w1"])
    frontier_clock.advance(1000)
    lease = take(frontier)
    assert (lease.link.depth, lease.link.replay) == (3, False)
    frontier.settle([done(lease)])
    assert frontier.due_in_s() is None


def test_a_dead_link_stays_dead_on_any_path(frontiers: Backend) -> None:
    frontier = frontiers.open()
    frontier.offer([link(depth=5)])
    frontier.settle([buried(take(frontier))])
    assert frontier.offer([link(depth=0)]) == [Offered.SEEN]
    assert frontier.due_in_s() is None


def test_a_reopened_link_does_not_keep_its_host_waiting(frontiers: Backend, frontier_clock: Clock) -> None:
    frontier = frontiers.open(Rules(delay_s=60.0))
    frontier.offer([link("a", depth=4), link("b")])
    frontier.settle([done(take(frontier))])
    frontier.offer([link("a", depth=1)])
    frontier.settle([done(take(frontier), fetched=False)])
    assert frontier.lease("w1", 10) == []
    frontier_clock.advance(60)
    assert paths([take(frontier)]) == ["b"]


def test_replays_go_on_when_the_limit_is_used_up(frontiers: Backend) -> None:
    frontier = frontiers.open(replace(QUICK, limit=1))
    frontier.offer([link("0", depth=5), link("1")])
    assert paths(drain(frontier)) == ["0"]
    assert frontier.due_in_s() is None
    assert frontier.offer([link("0", depth=2)]) == [Offered.REOPENED]
    assert frontier.due_in_s() == 0.0
    lease = take(frontier)
    assert lease.link.replay
    frontier.settle([done(lease, fetched=False)])
    assert (frontier.census().reserved, frontier.due_in_s()) == (1, None)


def test_a_lost_replay_does_not_give_back_the_place_of_its_page(frontiers: Backend) -> None:
    frontier = frontiers.open(replace(QUICK, limit=1, max_lost=0))
    frontier.offer([link("0", depth=5), link("1")])
    drain(frontier)
    frontier.offer([link("0", depth=2)])
    assert take(frontier).link.replay
    frontier.reap(["w1"])
    assert (frontier.census().dead, frontier.census().reserved) == (1, 1)
    assert frontier.lease("w1", 10) == []


def test_a_done_link_keeps_its_depth_and_its_reason(frontiers: Backend) -> None:
    frontier = frontiers.open()
    frontier.offer([link(depth=300)])
    frontier.settle([replace(done(take(frontier)), reason="because")])
    standing = frontier.find(link().url)
    assert standing is not None
    assert (standing.state, standing.reason, standing.link.depth) == (State.DONE, "because", 300)
