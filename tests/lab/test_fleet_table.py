"""Figures of fleets, from passes made up."""

import pytest

from thresher.lab.fleet_bench import Pass
from thresher.lab.fleet_table import charts, efficiency, markdown, parsing_s
from thresher.lab.fleet_worker import Timed

ALONE = Pass("fleet of 1", 1, 800, 100.0, 10.0, 40.0, 0.2, frontier_wall_s=1.0, frontier_cpu_s=0.2, redis_cpu_s=0.3)
FOUR = Pass("fleet of 4", 4, 800, 26.0, 11.0, 44.0, 0.8, frontier_wall_s=1.5, frontier_cpu_s=0.2, redis_cpu_s=0.3)
SCRAPY = Pass("standalone Scrapy", 1, 800, 110.0, 14.0, 30.0, 0.2)


def test_efficiency_is_the_speed_of_a_worker_by_that_of_one_alone() -> None:
    passes = [SCRAPY, ALONE, FOUR]
    assert efficiency(ALONE, passes) == 1.0
    assert efficiency(FOUR, passes) == pytest.approx(100 / 26 / 4)
    assert efficiency(SCRAPY, passes) is None


def test_scheduling_is_the_frontier_s_share_of_all_cpu_time() -> None:
    assert ALONE.scheduling == pytest.approx(0.5 / 10.3)


def test_the_time_of_parsing_is_shared_by_the_workers() -> None:
    assert parsing_s(FOUR) == 11.0


def test_table_and_charts_have_every_pass() -> None:
    passes = [SCRAPY, ALONE, FOUR]
    rows = markdown(passes).splitlines()
    assert [row.split("|")[1].strip() for row in rows[2:]] == [each.name for each in passes]
    assert "| 0.96 |" in rows[-1]
    assert charts(passes).count("standalone Scrapy") == 2


def test_calls_are_timed_and_answered_as_ever() -> None:
    spent = {"wall_s": 0.0, "cpu_s": 0.0, "calls": 0.0}
    timed = Timed([3, 1, 2], spent)
    assert timed.index(1) == 1
    assert spent["calls"] == 1
    assert spent["wall_s"] > 0
