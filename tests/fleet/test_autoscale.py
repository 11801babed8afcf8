"""How many workers there should be: by hosts that are due, with bounded steps, rests and calm."""

from contextlib import closing
from pathlib import Path

import pytest

from tests.contracts.frontier_words import links
from thresher import wiring
from thresher.config import Settings
from thresher.crawling.workers import work_of
from thresher.fleet.autoscale import Autoscale, Bounds

BOUNDS = Bounds(least=1, most=10, per_worker=16, step=4, rest_s=30.0, calm_s=300.0)


def sizes(autoscale: Autoscale, work: int, *, current: int, start_s: float, looks: int) -> list[int]:
    """The sizes that a fleet has when it is looked at every 30 seconds and does at once what is decided."""
    found = []
    for number in range(looks):
        current = autoscale.decide(start_s + 30.0 * number, current, work)
        found.append(current)
    return found


def test_a_thousand_links_of_one_host_are_work_for_one_worker() -> None:
    assert sizes(Autoscale(BOUNDS), 1, current=1, start_s=0.0, looks=20) == [1] * 20


def test_it_grows_at_most_twofold_and_by_its_step() -> None:
    assert sizes(Autoscale(BOUNDS), 1_000, current=1, start_s=0.0, looks=6) == [2, 4, 8, 10, 10, 10]


def test_it_rests_between_changes() -> None:
    autoscale = Autoscale(BOUNDS)
    assert autoscale.decide(0.0, 1, 1_000) == 2
    assert autoscale.decide(29.0, 2, 1_000) == 2
    assert autoscale.decide(30.0, 2, 1_000) == 4


def test_a_lull_ends_no_worker_and_a_long_one_ends_them_in_steps() -> None:
    autoscale = Autoscale(BOUNDS)
    assert autoscale.decide(0.0, 10, 160) == 10
    assert sizes(autoscale, 0, current=10, start_s=30.0, looks=9) == [10] * 9
    assert autoscale.decide(299.0, 10, 0) == 10
    assert sizes(autoscale, 0, current=10, start_s=330.0, looks=4) == [6, 2, 1, 1]


def test_less_work_of_late_shrinks_no_further_than_the_most_that_was_wanted() -> None:
    autoscale = Autoscale(BOUNDS)
    for number in range(12):
        autoscale.decide(30.0 * number, 9, 80 if number == 6 else 16)
    assert autoscale.decide(360.0, 9, 16) == 5


@pytest.mark.parametrize(("current", "decided"), [(0, 1), (30, 26)])
def test_a_fleet_outside_of_its_limits_is_brought_back(current: int, decided: int) -> None:
    assert Autoscale(BOUNDS).decide(0.0, current, 0) == decided


def test_work_is_what_is_due_now_and_what_workers_hold(tmp_path: Path) -> None:
    chosen = Settings(data=str(tmp_path), delay_s=30.0)
    with closing(wiring.open_corpus(chosen)) as corpus:
        frontier = corpus.frontier("run-1", wiring.rules(chosen))
        frontier.offer(links(1_000) + links(1, "b.example") + links(1, "c.example"))
        assert work_of(corpus, wiring.rules(chosen)) == (3, 0)
        frontier.lease("here/1/2.a", 2)
        corpus.overseer("run-1", wiring.rules(chosen)).beat("here/1/2.a", "{}")
        assert work_of(corpus, wiring.rules(chosen)) == (1, 2)
