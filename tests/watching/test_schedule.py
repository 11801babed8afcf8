"""When an endpoint is asked again, given what its rounds have brought."""

from datetime import UTC, datetime

import pytest

from thresher.watching.schedule import (
    DAY_S,
    HOUR_S,
    Bounds,
    Rhythm,
    Told,
    Visit,
    expected_s,
    interval_s,
    learned,
)

MONDAY = datetime(2026, 11, 16, tzinfo=UTC).timestamp()
NOTHING_TOLD = Told()
BOUNDS = Bounds()


def wait_s(rhythm: Rhythm, visit: Visit, told: Told = NOTHING_TOLD, frequency: str = "adaptive") -> float:
    return interval_s(frequency, rhythm, visit, told, BOUNDS)


def office(days: int = 14, per_hour: int = 2) -> Rhythm:
    """What is known of a source that publishes from 9 to 17 on working days, asked every hour."""
    rhythm = learned(Rhythm(), Visit(MONDAY, 10))
    for hour in range(1, days * 24):
        at = MONDAY + hour * HOUR_S
        moment = datetime.fromtimestamp(at - 1, UTC)
        new = per_hour if 9 <= moment.hour < 17 and moment.weekday() < 5 else 0
        rhythm = learned(rhythm, Visit(at, 10, new))
    return rhythm


def at_hour(rhythm: Rhythm, hour: int, day: int = 14) -> Rhythm:
    """The same after rounds that brought nothing, up to an hour of a day."""
    while rhythm.at < MONDAY + day * DAY_S + hour * HOUR_S:
        rhythm = learned(rhythm, Visit(rhythm.at + HOUR_S, 10))
    return rhythm


def test_an_endpoint_that_brings_new_links_is_asked_sooner_and_one_that_does_not_later() -> None:
    quiet = busy = learned(Rhythm(), Visit(MONDAY, 10, 10))
    for hour in range(1, 48):
        quiet = learned(quiet, Visit(MONDAY + hour * HOUR_S, 10))
        busy = learned(busy, Visit(MONDAY + hour * HOUR_S, 10, 3))
    visit = Visit(MONDAY + 47 * HOUR_S, 10)
    assert wait_s(busy, visit) < HOUR_S / 2
    assert wait_s(quiet, visit) > 2 * HOUR_S


def test_a_silent_endpoint_is_asked_seldom_but_no_less_often_than_the_longest_interval_allows() -> None:
    rhythm = learned(Rhythm(), Visit(MONDAY, 10, 10))
    for day in range(1, 200):
        rhythm = learned(rhythm, Visit(MONDAY + day * DAY_S, 10))
    visit = Visit(rhythm.at, 10)
    assert interval_s("adaptive", rhythm, visit, NOTHING_TOLD, Bounds(longest_s=3 * HOUR_S)) == 3 * HOUR_S
    assert 6 * HOUR_S < wait_s(rhythm, visit) < BOUNDS.longest_s


def test_no_endpoint_is_asked_more_often_than_the_shortest_interval_allows() -> None:
    rhythm = learned(learned(Rhythm(), Visit(MONDAY, 50)), Visit(MONDAY + 600, 50, 40))
    assert wait_s(rhythm, Visit(rhythm.at, 50, 40)) == BOUNDS.shortest_s


def test_the_hours_and_days_at_which_a_source_publishes_are_learned() -> None:
    rhythm = office()
    morning, evening = at_hour(rhythm, 9), at_hour(rhythm, 18)
    saturday = at_hour(rhythm, 12, day=19)
    assert expected_s(morning, DAY_S) < expected_s(evening, DAY_S) / 3
    assert expected_s(morning, DAY_S) < expected_s(saturday, DAY_S) / 3


def test_a_burst_is_followed_while_it_lasts() -> None:
    rhythm = learned(Rhythm(), Visit(MONDAY, 20, 20))
    for hour in range(1, 24 * 10):
        rhythm = learned(rhythm, Visit(MONDAY + hour * HOUR_S, 20))
    before = expected_s(rhythm, DAY_S)
    burst = learned(rhythm, Visit(rhythm.at + HOUR_S, 20, 4))
    assert expected_s(burst, DAY_S) < before / 3


def test_a_list_that_shows_nothing_but_new_entries_is_asked_sooner() -> None:
    rhythm = learned(Rhythm(), Visit(MONDAY, 10, 10))
    full = learned(rhythm, Visit(MONDAY + 4 * HOUR_S, 10, 10))
    assert full.hurry_s == HOUR_S
    assert wait_s(full, Visit(full.at, 10, 10)) <= HOUR_S
    assert learned(rhythm, Visit(MONDAY + 4 * HOUR_S, 10, 5)).hurry_s == 0


def test_a_burst_as_was_seen_before_finds_room_in_the_list() -> None:
    dates = tuple(MONDAY - 8 * DAY_S + minute * 60.0 for minute in range(0, 60, 6))
    rhythm = learned(Rhythm(), Visit(MONDAY, 10, 10, dates))
    assert rhythm.peak >= 9
    assert expected_s(rhythm, DAY_S) <= 0.6 * HOUR_S


def test_dates_of_the_first_round_tell_how_much_a_source_publishes() -> None:
    often = tuple(MONDAY - hour * HOUR_S for hour in range(6, 26))
    seldom = tuple(MONDAY - day * DAY_S for day in range(1, 21))
    frequent, rare = (learned(Rhythm(), Visit(MONDAY, 20, 20, dates)) for dates in (often, seldom))
    assert expected_s(frequent, DAY_S) < expected_s(rare, DAY_S) / 2


def test_failures_make_the_interval_longer_each_time_and_teach_nothing() -> None:
    rhythm = office()
    waits = [wait_s(rhythm, Visit(rhythm.at + 60, failures=failures)) for failures in (1, 2, 3, 10)]
    assert waits == [HOUR_S, 2 * HOUR_S, 4 * HOUR_S, DAY_S]
    assert learned(rhythm, Visit(rhythm.at + 60, failures=1)) == rhythm


@pytest.mark.parametrize("told", [Told(max_age_s=1800), Told(ttl_s=1800)])
def test_cache_control_and_ttl_are_heeded_up_to_a_cap(told: Told) -> None:
    busy = at_hour(office(per_hour=30), 12)
    visit = Visit(busy.at, 10, 5)
    assert wait_s(busy, visit) < 1800
    assert wait_s(busy, visit, told) == 1800
    assert wait_s(busy, visit, Told(max_age_s=DAY_S)) == BOUNDS.told_cap_s


def test_a_server_that_asks_for_a_pause_gets_it_whatever_the_frequency() -> None:
    rhythm = office()
    for frequency in ("adaptive", "15m", "*/5 * * * *"):
        assert wait_s(rhythm, Visit(rhythm.at, 10), Told(retry_after_s=30 * HOUR_S), frequency) == 30 * HOUR_S


def test_hours_and_days_that_a_feed_asks_to_skip_are_skipped() -> None:
    rhythm = learned(Rhythm(), Visit(MONDAY + 20 * HOUR_S, 10, 10))
    visit = Visit(rhythm.at, 10, 10)
    due = rhythm.at + wait_s(rhythm, visit, Told(skip_hours=frozenset({20, 21, 22, 23, 0, 1})))
    assert due == MONDAY + 26 * HOUR_S
    assert wait_s(rhythm, visit, Told(skip_hours=frozenset(range(24)))) <= DAY_S
    due = rhythm.at + wait_s(rhythm, visit, Told(skip_days=frozenset({0})))
    assert due == MONDAY + DAY_S


def test_a_fixed_interval_and_a_cron_line_are_kept_to() -> None:
    rhythm = office()
    visit = Visit(MONDAY + 10 * HOUR_S + 120, 10, 10)
    assert wait_s(rhythm, visit, frequency="15m") == 900
    assert wait_s(rhythm, visit, frequency="30 11 * * *") == 1.5 * HOUR_S - 120


def test_a_rhythm_is_kept_as_text() -> None:
    rhythm = office()
    again = Rhythm.from_text(rhythm.to_text())
    assert expected_s(again, DAY_S) == pytest.approx(expected_s(rhythm, DAY_S), rel=0.01)
    assert Rhythm.from_text("") == Rhythm.from_text("[1, 2]") == Rhythm.from_text('{"a": 1}') == Rhythm()
    assert len(rhythm.to_text()) < 1_000
