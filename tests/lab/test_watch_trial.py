"""`thresher bench watch`: a watch that is killed loses nothing, and what is lost, late or repeated is counted."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from thresher import wiring
from thresher.config import Settings
from thresher.lab.watch_trial import Terms, compare, watch_trial, worst_s
from thresher.lab.watch_web import Asked, Item, Outlet, outlets
from thresher.model import Round
from thresher.watching.clock import Clock

BEGIN = datetime(2026, 11, 16, 12, tzinfo=UTC)
CLOCK = Clock(60.0, BEGIN)
HOUR_S = 3_600.0


def at(hours: float) -> float:
    return BEGIN.timestamp() + hours * HOUR_S


@pytest.mark.slow
def test_a_watch_that_is_killed_loses_nothing_and_stores_nothing_twice() -> None:
    found = watch_trial(Terms(sources=6, hours=1.0, speed=600.0, kills=1, per_hour=3.0, longest_h=0.5, late_s=200.0))
    assert found.published > 40
    assert (found.lost, found.doubled, found.miscounted, found.edits_missed) == ((), (), (), 0)
    assert (found.unexplained, found.kills) == (0, 1)


def test_what_was_not_collected_is_lost_and_a_source_that_was_not_asked_has_starved(tmp_path: Path) -> None:
    corpus = wiring.open_corpus(Settings(data=str(tmp_path)))
    one = Outlet("feed", "one", "http://127.7.0.1:1", (Item(at(0.5), 1), Item(at(0.7), 2)))
    found = compare(corpus, CLOCK, [one], [], [], at(2))
    assert found.lost == ("http://127.7.0.1:1/news/1.html", "http://127.7.0.1:1/news/2.html")
    assert worst_s(corpus, CLOCK, [one], at(2)) == {"one": 120.0}
    corpus.close()


def test_a_request_that_was_repeated_is_explained_by_a_kill_or_by_nothing(tmp_path: Path) -> None:
    corpus = wiring.open_corpus(Settings(data=str(tmp_path)))
    one = Outlet("feed", "one", "http://127.7.0.1:1", (Item(at(0.1), 1),))
    source, endpoint = one.followed()
    corpus.catalog().add(source, [endpoint])
    for hours in (0.2, 1.2):
        moment = BEGIN + timedelta(hours=hours)
        corpus.catalog().record(Round(source="one", url=one.endpoint, at=moment, interval_s=HOUR_S))
    feed = [Asked(at(hours), one.endpoint, 200) for hours in (0.19, 1.1, 1.19)]
    article = [Asked(at(hours), one.url_of(one.items[0]), 200) for hours in (0.3, 0.5, 1.5)]
    counted = [
        (found.repeated, found.unexplained)
        for killed_at in ([], [at(1.15)], [at(0.4), at(1.15)])
        for found in [compare(corpus, CLOCK, [one], [*feed, *article], killed_at, at(2))]
    ]
    assert counted == [(2, 2), (2, 1), (2, 0)]
    assert worst_s(corpus, CLOCK, [one], at(2)) == {"one": pytest.approx(12.0)}
    corpus.close()


def test_sources_of_all_kinds_publish_the_same_for_the_same_seed() -> None:
    first, second, other = (
        outlets(20, seed=seed, begin=0.0, lasts_s=HOUR_S, per_hour=1.0, port=1) for seed in (1, 1, 2)
    )
    assert first == second != other
    assert {outlet.kind for outlet in first} == {"feed", "site", "forum", "sitemap"}
    assert all(outlet.items == tuple(sorted(outlet.items, key=lambda item: item.at)) for outlet in first)
