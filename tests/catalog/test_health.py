"""The health of sources, on made-up histories."""

import random
from bisect import bisect
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.contracts.catalog_words import FEED, endpoint, judged, source
from thresher.catalog.contract import FAILED, REFUSED, STORED, HourCount
from thresher.catalog.health import History, examine, silence_of, usual_of
from thresher.model import EndpointKind, SourceState
from thresher.model.source import EndpointState

MONDAY = datetime(2026, 9, 7, tzinfo=UTC)
START = int(MONDAY.timestamp() // 3600)
WEEK = 168


def moment(hour: float) -> datetime:
    """So many hours after the first Monday."""
    return MONDAY + timedelta(hours=hour)


def stored(hours: Iterable[int]) -> dict[int, int]:
    counts: dict[int, int] = {}
    for hour in hours:
        counts[START + hour] = counts.get(START + hour, 0) + 1
    return counts


def working_days(weeks: int) -> list[int]:
    """Ten documents a day, from eight to five, from Monday to Friday."""
    return [week * WEEK + day * 24 + hour for week in range(weeks) for day in range(5) for hour in range(8, 18)]


def kinds(history: History, now: datetime, **about: Any) -> list[str]:
    return [problem.kind for problem in examine(source(created_at=MONDAY, **about), history, now).problems]


def test_the_usual_rate_is_by_the_hour_of_the_week() -> None:
    usual = usual_of(stored(working_days(8)))
    assert usual is not None
    assert usual.per_week == pytest.approx(50, rel=0.05)
    friday_night, monday_noon = 4 * 24 + 23, 12
    assert usual.rates[(START + friday_night) % WEEK] == 0
    assert usual.rates[(START + monday_noon) % WEEK] == pytest.approx(1, rel=0.1)
    last = START + 7 * WEEK + 4 * 24 + 17
    assert usual.expected(last, last + 60) == pytest.approx(0, abs=0.5)  # the weekend
    assert usual.expected(last, last + 63 + 12) == pytest.approx(10, rel=0.1)  # and the Monday after it


def test_a_weekend_is_no_silence_and_a_silent_monday_is_none_yet_but_a_week_is() -> None:
    history = stored(working_days(8))
    assert silence_of(history, moment(8 * WEEK)) == ""
    assert silence_of(history, moment(8 * WEEK + 12)) == ""
    said = silence_of(history, moment(8 * WEEK + 4 * 24))
    assert said.startswith("no new document for 6 days, where")
    assert "longest gap so far 3 days" in said


def test_a_source_that_comes_daily_is_silent_after_three_days() -> None:
    daily = stored(day * 24 + 9 for day in range(40))
    last = 39 * 24 + 9
    assert silence_of(daily, moment(last + 60)) == ""
    assert "no new document for 3 days, where 3 would be usual" in silence_of(daily, moment(last + 75))


def test_a_source_that_comes_in_bursts_may_pause_as_it_did_before() -> None:
    bursts = stored(week * 2 * WEEK + hour for week in range(4) for hour in range(40))
    last = 6 * WEEK + 39
    assert silence_of(bursts, moment(last + 2 * WEEK)) == ""
    assert silence_of(bursts, moment(last + 4 * WEEK)) != ""


def test_nothing_is_usual_before_two_weeks_and_five_documents() -> None:
    assert usual_of({}) is None
    assert usual_of(stored(range(100))) is None
    assert usual_of(stored([0, 100, 200, 2000])) is None
    assert silence_of(stored(range(100)), moment(10 * WEEK)) == ""


@pytest.mark.parametrize("per_day", [0.2, 5])
def test_sources_that_publish_at_random_are_seldom_called_silent(per_day: float) -> None:
    """Looked at every six hours over 40 weeks, after ten of history: false alarms are counted, one per silence."""
    dice = random.Random(f"{per_day}")
    alarms = 0
    for _ in range(10):
        hours = [hour for hour in range(50 * WEEK) if dice.random() < 1 - 2.718281828 ** (-per_day / 24)]
        flagged_since = -1
        for hour in range(10 * WEEK, 50 * WEEK, 6):
            known = hours[bisect(hours, hour - 12 * WEEK) : bisect(hours, hour)]
            last = known[-1] if known else -1
            if last != flagged_since and silence_of(stored(known), moment(hour)):
                alarms, flagged_since = alarms + 1, last
    assert alarms <= 5  # in ten sources of 40 weeks


def test_only_hours_in_which_the_source_was_asked_count() -> None:
    counts = [HourCount("example", START + day * 24 + 9, STORED, "article", 1) for day in range(40)]
    asked = endpoint(last_asked=moment(39 * 24 + 10), interval_s=3600.0, asked=900)
    later = moment(60 * 24)
    assert kinds(History([asked], counts), later) == ["late"]
    assert kinds(History([endpoint(last_asked=later, interval_s=3600.0)], counts), later) == ["silent"]
    away = endpoint(last_asked=later, interval_s=3600.0, failures=3)
    assert kinds(History([away], counts), later) == ["failing"]


def test_due_and_late_endpoints_are_counted() -> None:
    now = moment(200)
    history = History(
        [
            endpoint("https://example.com/1", last_asked=now - timedelta(minutes=50), interval_s=3600.0),
            endpoint("https://example.com/2", last_asked=now - timedelta(minutes=70), interval_s=3600.0),
            endpoint("https://example.com/3", last_asked=now - timedelta(hours=3), interval_s=3600.0),
            endpoint("https://example.com/4", last_asked=now - timedelta(hours=30), state=EndpointState.GONE),
        ]
    )
    health = examine(source(created_at=MONDAY), history, now)
    assert (health.due, health.late) == (2, 1)
    assert health.next_due == now - timedelta(hours=2)
    assert [(p.kind, p.detail) for p in health.problems] == [
        ("gone", "https://example.com/4 is gone"),
        ("late", "https://example.com/3 was due 2 hours ago"),
    ]
    paused = examine(source(created_at=MONDAY, state=SourceState.PAUSED), history, now)
    assert (paused.due, paused.late, paused.next_due) == (0, 0, None)
    assert [problem.kind for problem in paused.problems] == ["gone"]


def test_a_source_that_nobody_asks_is_told_after_a_day() -> None:
    assert kinds(History([endpoint()]), moment(23)) == []
    assert kinds(History([endpoint()]), moment(25)) == ["unasked"]


def test_a_source_that_never_gave_a_document_is_told_after_two_weeks() -> None:
    for days, expected in ((10, []), (20, ["barren"])):
        asked = endpoint(last_asked=moment(days * 24), interval_s=86_400.0, asked=days)
        assert kinds(History([asked]), moment(days * 24 + 1)) == expected


def test_a_feed_that_moved_is_told() -> None:
    there = "https://example.org/feed"
    history = History([endpoint(state=EndpointState.MOVED, moved_to=there), endpoint(there, last_asked=moment(1))])
    (problem,) = examine(source(created_at=MONDAY), history, moment(1)).problems
    assert (problem.kind, problem.detail) == ("moved", f"{FEED} moved to {there}")


def test_errors_of_the_last_week_are_counted_by_reason() -> None:
    now = START + 2 * WEEK
    hours = [
        HourCount("example", now - 1, FAILED, "timeout", 2),
        HourCount("example", now - 30, FAILED, "timeout", 1),
        HourCount("example", now - 30, FAILED, "http-500", 1),
        HourCount("example", now - 2 * WEEK, FAILED, "dns", 9),
    ]
    assert examine(source(), History(hours=hours), moment(2 * WEEK)).errors == {"timeout": 3, "http-500": 1}


def test_a_source_whose_pages_turn_empty_is_told() -> None:
    good = [judged(n) for n in range(100, 130)]
    empty = [judged(n, stored=False, reason="short-text") for n in range(20)]
    assert kinds(History(judged=[*empty, *good]), moment(1)) == ["empty"]
    assert kinds(History(judged=[*empty[:10], *good]), moment(1)) == []
    assert kinds(History(judged=[*empty, *empty]), moment(1)) == []  # it was never otherwise
    assert kinds(History(judged=empty[:10]), moment(1)) == ["empty"]
    lists = [judged(n, stored=False, reason="listing") for n in range(20)]
    assert kinds(History(judged=[*lists, *good]), moment(1)) == []


def test_a_source_whose_texts_are_all_alike_is_told() -> None:
    walls = [judged(n, text_hash="a" * 32) for n in range(6)]
    own = [judged(n, text_hash=f"{n:032}") for n in range(100, 120)]
    assert kinds(History(judged=[*walls, *own]), moment(1)) == []
    assert kinds(History(judged=[*walls, *own[:5]]), moment(1)) == ["alike"]
    assert kinds(History(judged=walls[:4]), moment(1)) == []
    assert kinds(History(judged=[judged(n, text_hash=None) for n in range(20)]), moment(1)) == []


def test_a_healthy_source_has_its_figures_and_no_problem() -> None:
    now = moment(40 * 24 - 10)
    counts = [HourCount("example", START + day * 24 + 9, STORED, "article", 2) for day in range(40)]
    asked = endpoint(last_asked=now - timedelta(minutes=5), interval_s=3600.0, kind=EndpointKind.FEED)
    health = examine(source(created_at=MONDAY), History([asked], counts), now)
    assert health.problems == ()
    assert health.last_new == moment(39 * 24 + 9)  # no verdict tells the minute
    assert health.last_week == 14
    assert health.per_week == pytest.approx(14, rel=0.05)


def test_the_last_new_document_is_told_to_the_minute() -> None:
    counts = [
        HourCount("example", START + 9, STORED, "article", 2),
        HourCount("example", START + 9, REFUSED, "other", 1),
    ]
    verdicts = [
        replace(judged(3, stored=False, reason="other"), at=moment(9.9)),
        replace(judged(2), at=moment(9.8)),
        replace(judged(1), at=moment(9.2)),
    ]
    health = examine(source(created_at=MONDAY), History((), counts, verdicts), moment(10))
    assert health.last_new == moment(9.8)
