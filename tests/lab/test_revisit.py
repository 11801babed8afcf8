"""The simulated month: what the rules catch, and that the figures are those of the simulation."""

import random

from thresher.lab.revisit import MONTH_S, START, Published, adaptive, fixed, follow, month, sources
from thresher.watching.schedule import DAY_S, HOUR_S


def test_a_fixed_interval_finds_each_article_within_it() -> None:
    times = tuple(START + hour * HOUR_S for hour in range(1, 100))
    outcome = follow(Published("daily", times, 10), fixed(900.0), random.Random(0))
    assert (outcome.published, outcome.caught) == (99, 1.0)
    assert 0 <= min(outcome.delays) <= max(outcome.delays) <= 900
    assert abs(outcome.requests - MONTH_S / 900) <= 1


def test_what_is_pushed_out_of_a_feed_is_missed() -> None:
    times = tuple(START + 2 * HOUR_S + second for second in range(30))
    outcome = follow(Published("bursty", times, 10), fixed(DAY_S), random.Random(0))
    assert len(outcome.delays) == 10
    assert outcome.caught == 1 / 3


def test_a_feed_that_moves_costs_one_request_more() -> None:
    here = Published("daily", (), 10)
    moved = Published("moved", (), 10, moves_at=START + DAY_S)
    counts = [follow(source, fixed(HOUR_S), random.Random(0)).requests for source in (here, moved)]
    assert counts[1] == counts[0] + 1


def test_adaptive_needs_at_most_two_fifths_of_the_requests_at_no_longer_a_median_delay() -> None:
    published = sources(40, seed=5)
    often = month(lambda _: fixed(900.0), published, 5)["all"]
    ours = month(lambda _: adaptive(), published, 5)["all"]
    assert ours.requests <= 0.4 * often.requests
    assert ours.median_s <= often.median_s
    assert ours.caught >= 0.995


def test_sources_are_the_same_for_the_same_seed() -> None:
    assert sources(20, 3) == sources(20, 3)
    assert sources(20, 3) != sources(20, 4)
