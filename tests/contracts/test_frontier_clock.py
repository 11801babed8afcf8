"""What every frontier promises: a clock that is set back or forward neither silences a crawl nor hurries it."""

from itertools import pairwise

import pytest

from tests.contracts.frontier_words import Backend, Clock, done, failed, links, take
from thresher.frontier.contract import Rules

RULES = Rules(delay_s=2.0, response_factor=0.0)
HOUR_S, DAY_S = 3600.0, 86_400.0


@pytest.mark.parametrize("jumps", [(-HOUR_S,), (-DAY_S, -DAY_S), (DAY_S, -DAY_S), (DAY_S, -2 * DAY_S)])
def test_hosts_are_due_no_later_than_after_their_delay(
    frontiers: Backend, frontier_clock: Clock, jumps: tuple[float, ...]
) -> None:
    frontier = frontiers.open(RULES)
    frontier.offer(links(9))
    for jump in jumps:
        frontier.settle([done(take(frontier))])
        frontier_clock.advance(jump)
        due_in_s = frontier.due_in_s()
        assert due_in_s is not None
        assert due_in_s <= RULES.delay_s
        frontier_clock.advance(RULES.delay_s)
    assert len(frontier.lease("w1", 1)) == 1


def test_a_process_that_begins_with_a_clock_set_back_goes_on(frontiers: Backend, frontier_clock: Clock) -> None:
    frontier = frontiers.open(RULES)
    frontier.offer(links(9))
    frontier_clock.advance(DAY_S)
    frontier.settle([failed(take(frontier))])
    frontier_clock.advance(-DAY_S)
    again = frontiers.open(RULES)
    assert again.due_in_s() == pytest.approx(RULES.delay_s, abs=1.0)
    frontier_clock.advance(RULES.backoff_s + 1.0)
    assert len(again.lease("w2", 10)) == 1


def test_two_processes_agree_on_the_time_after_a_jump(frontiers: Backend, frontier_clock: Clock) -> None:
    one, two = frontiers.open(RULES), frontiers.open(RULES)
    one.offer(links(9))
    leased_at, passed_s = [], 0.0
    for step in range(100):
        frontier = (one, two)[step % 2]
        for lease in frontier.lease("w1", 1):
            leased_at.append(passed_s)
            frontier.settle([done(lease)])
        frontier_clock.advance(0.5)
        passed_s += 0.5
        if step == 7:
            frontier_clock.advance(-HOUR_S)
    assert len(leased_at) == 9
    assert min(later - earlier for earlier, later in pairwise(leased_at)) >= RULES.delay_s


def test_a_lease_lasts_as_long_as_it_should_when_the_clock_is_set_back(
    frontiers: Backend, frontier_clock: Clock
) -> None:
    frontier = frontiers.open(RULES)
    frontier.offer(links(2))
    take(frontier)
    frontier_clock.advance(-HOUR_S)
    assert frontier.due_in_s() == RULES.lease_s
    frontier_clock.advance(RULES.lease_s - 1)
    assert frontier.reap() == 0
    frontier_clock.advance(2)
    assert frontier.reap() == 1
