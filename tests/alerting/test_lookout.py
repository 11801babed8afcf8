"""Alerts find what is new: all of it, once, in whatever order it was stored and whoever was killed meanwhile."""

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.alerting.words import NOW, document, store
from thresher import wiring
from thresher.alerting.judging import is_spike
from thresher.alerting.lookout import LATE_S, LEASE_S, SWEEP_S, Lookout, Means
from thresher.catalog.alerts import Alerts, Step
from thresher.config import Settings
from thresher.crawling.corpus import Corpus
from thresher.errors import UsageError
from thresher.model import Endpoint, EndpointKind, Source, SourceKind
from thresher.model.alert import Alert, AlertKind, AlertState

HOOK = "https://hooks.test/x"


def minutes(number: float) -> datetime:
    return NOW + timedelta(minutes=number)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data=str(tmp_path))


@pytest.fixture
def corpus(settings: Settings) -> Iterator[Corpus]:
    """An empty corpus."""
    with closing(wiring.open_corpus(settings)) as opened:
        yield opened


@pytest.fixture
def book(corpus: Corpus) -> Alerts:
    return corpus.alerts()


@pytest.fixture
def lookout(corpus: Corpus, settings: Settings) -> Callable[..., Lookout]:
    """Make somebody who looks after the alerts, as a process does that has just been started."""

    def make(worker: str = "one") -> Lookout:
        return Lookout(corpus, Means(worker, lambda: wiring.scratch_index(settings), lambda query: f"/?q={query}"))

    return make


def add(book: Alerts, name: str = "harbour", **values: Any) -> Alert:
    alert = Alert(name=name, **{"query": "harbour", "to": (HOOK,), "created_at": NOW, **values})
    book.add(alert, NOW)
    return alert


def sent(book: Alerts, name: str = "harbour") -> list[str]:
    """The URLs that were told, in the order of the notices."""
    deliveries = sorted(book.deliveries(name, limit=1_000), key=lambda one: one.created_at)
    return [hit.url for delivery in deliveries for hit in delivery.notice.hits]


def url(number: int) -> str:
    return f"https://news.test/{number}"


def test_each_new_document_that_matches_is_told_once(
    corpus: Corpus, book: Alerts, lookout: Callable[..., Lookout]
) -> None:
    store(corpus, [document(0, "an old harbour")], minutes(-5))
    add(book)
    watching = lookout()
    store(corpus, [document(1, "the harbour"), document(2, "the mountain")], minutes(1))
    assert watching.look(minutes(2)) == 1
    store(corpus, [document(3, "another harbour")], minutes(3))
    assert [watching.look(minutes(4)), watching.look(minutes(5))] == [1, 0]
    assert sent(book) == [url(1), url(3)]
    (first, _) = sorted(book.deliveries(), key=lambda one: one.created_at)
    assert first.notice.message == "harbour: 1 new document: the harbour"
    assert "harbour" in first.notice.hits[0].snippet
    assert first.notice.link == "/?q=harbour"


def test_a_document_that_is_stored_late_is_told_too(
    corpus: Corpus, book: Alerts, lookout: Callable[..., Lookout]
) -> None:
    add(book)
    watching = lookout()
    store(corpus, [document(1, "harbour")], minutes(30))
    watching.look(minutes(31))
    store(corpus, [document(2, "harbour")], minutes(30 - LATE_S / 60 + 1))
    watching.look(minutes(32))
    store(corpus, [document(3, "harbour")], minutes(2))  # far too late for the last minutes
    watching.look(minutes(33))
    assert sent(book) == [url(1), url(2)]
    watching.look(NOW + timedelta(seconds=SWEEP_S))
    assert sent(book) == [url(1), url(2), url(3)]
    watching.look(NOW + timedelta(seconds=2 * SWEEP_S))
    assert len(sent(book)) == 3


def test_nothing_is_told_twice_or_missed_after_a_kill(
    corpus: Corpus, book: Alerts, lookout: Callable[..., Lookout], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever is killed before or after a step of it, the next one goes on where it was."""
    add(book)
    numbers = range(1, 81)
    for number in numbers:
        store(corpus, [document(number, "harbour")], minutes(number / 10), indexed=False)
    advance, dice = type(book).advance, Random(5)

    def dying(self: Alerts, name: str, worker: str, step: Step) -> bool:
        chance = dice.random()
        if chance < 0.2:
            raise KeyboardInterrupt
        done = advance(self, name, worker, step)
        if chance > 0.8:
            raise KeyboardInterrupt
        return done

    monkeypatch.setattr("thresher.alerting.lookout.BATCH", 10)
    for life in range(26):
        monkeypatch.setattr(type(book), "advance", dying if life < 25 else advance)
        try:
            lookout(f"worker {life}").look(minutes(10) + timedelta(seconds=life * (LEASE_S + 1)))
        except KeyboardInterrupt:
            continue
    told = sent(book)
    assert sorted(told) == sorted(url(number) for number in numbers)


def test_two_processes_never_send_the_same(corpus: Corpus, book: Alerts, lookout: Callable[..., Lookout]) -> None:
    add(book)
    one, two = lookout("one"), lookout("two")
    for number in range(1, 21):
        store(corpus, [document(number, "harbour")], minutes(number))
        for watching in (one, two) if number % 2 else (two, one):
            watching.look(minutes(number) + timedelta(seconds=1))
    late = minutes(20) + timedelta(seconds=LEASE_S)
    one.look(late)
    two.look(late)
    assert sorted(sent(book)) == sorted(url(number) for number in range(1, 21))


def test_a_paused_alert_begins_anew_when_it_is_resumed(
    corpus: Corpus, book: Alerts, lookout: Callable[..., Lookout]
) -> None:
    add(book)
    watching = lookout()
    book.set_state("harbour", AlertState.PAUSED, minutes(1))
    store(corpus, [document(1, "harbour")], minutes(2))
    watching.look(minutes(3))
    book.set_state("harbour", AlertState.ACTIVE, minutes(4))
    store(corpus, [document(2, "harbour")], minutes(5))
    watching.look(minutes(6))
    assert sent(book) == [url(2)]


def test_a_query_sees_what_the_corpus_knows_of_a_document(
    corpus: Corpus, book: Alerts, lookout: Callable[..., Lookout]
) -> None:
    """Its source, its run, and whether it is a copy of something older."""
    text = "a long report of the harbour that somebody copies word for word " * 5
    corpus.catalog().add(Source(name="press", kind=SourceKind.SITE, address="https://news.test/", tags=("sea",)))
    store(corpus, [document(0, "x")], minutes(-10))
    original = replace(document(1, "t"), url="https://first.test/", blocks=document(1, text).blocks)
    store(corpus, [original], minutes(-5))
    add(book, "originals", query="harbour is:original")
    add(book, "copies", query="harbour is:duplicate run:1")
    add(book, "tagged", query="harbour tag:sea")
    corpus.store.note_source("press", [url(3)], NOW)
    copy = replace(document(2, "t"), blocks=original.blocks)
    store(corpus, [copy, document(3, "another harbour")], minutes(1))
    lookout().look(minutes(2))
    assert sent(book, "originals") == [url(3)]
    assert sent(book, "copies") == [url(2)]
    assert sent(book, "tagged") == [url(3)]


def test_an_alert_whose_saved_search_is_gone_harms_no_other(
    corpus: Corpus, book: Alerts, lookout: Callable[..., Lookout], caplog: pytest.LogCaptureFixture
) -> None:
    add(book, "a", query="saved:gone")
    add(book, "b")
    store(corpus, [document(1, "harbour")], minutes(1))
    lookout().look(minutes(2))
    assert sent(book, "b") == [url(1)]
    assert "alert a cannot be looked after" in caplog.text


def test_a_digest_gathers_what_is_new_until_its_hour(
    corpus: Corpus, book: Alerts, lookout: Callable[..., Lookout]
) -> None:
    add(book, kind=AlertKind.DIGEST, at="08:00", zone="Asia/Shanghai")  # midnight UTC
    midnight = datetime.fromisoformat("2026-11-17T00:00:00+00:00")
    watching = lookout()
    store(corpus, [document(1, "harbour"), document(2, "harbour")], minutes(1))
    watching.look(minutes(2))
    assert book.deliveries() == []
    watching.look(midnight)
    (digest,) = book.deliveries()
    assert (digest.notice.total, digest.notice.message) == (2, "harbour: 2 new documents")
    watching.look(midnight + timedelta(days=1))  # nothing new: nothing is sent
    store(corpus, [document(3, "harbour")], midnight + timedelta(days=1, hours=1))
    lookout("two").look(midnight + timedelta(days=3))
    assert sorted(sent(book)) == [url(1), url(2), url(3)]
    assert len(book.deliveries()) == 2


def test_a_digest_keeps_to_the_clock_on_the_wall() -> None:
    alert = Alert(name="a", kind=AlertKind.DIGEST, query="x", at="07:30", zone="Europe/Berlin")
    before, after = alert.next_digest(datetime.fromisoformat("2026-10-24T00:00:00Z")), NOW
    assert before.isoformat() == "2026-10-24T05:30:00+00:00"
    assert alert.next_digest(before).isoformat() == "2026-10-25T06:30:00+00:00"
    weekly = replace(alert, day="sun")
    assert weekly.next_digest(after).isoformat() == "2026-11-22T06:30:00+00:00"


def test_a_spike_is_told_when_it_begins(corpus: Corpus, book: Alerts, lookout: Callable[..., Lookout]) -> None:
    number = 0
    for day in range(15, 0, -1):
        for _ in range(2 + day % 2):
            number += 1
            store(corpus, [document(number, "harbour")], NOW - timedelta(days=day, hours=1))
    add(book, kind=AlertKind.SPIKE)
    watching = lookout()
    assert watching.look(NOW) == 0
    store(corpus, [document(100 + more, "harbour") for more in range(12)], minutes(5))
    assert watching.look(minutes(30)) == 1
    assert watching.look(minutes(60)) == 0
    (told,) = book.deliveries()
    assert told.notice.message == "harbour: 12 documents in the last 24 hours, where 2.5 are usual"


@pytest.mark.parametrize(
    ("count", "usual", "spike"),
    [(5, [0] * 7, True), (4, [0] * 7, False), (50, [0] * 6, False), (12, [5] * 10, True), (11, [5] * 10, False)],
)
def test_chance_is_no_spike(count: int, usual: list[int], spike: bool) -> None:
    assert is_spike(count, usual) is spike


def test_silence_is_told_when_it_begins_and_when_it_ends(
    corpus: Corpus, book: Alerts, lookout: Callable[..., Lookout]
) -> None:
    for hour in range(24 * 20, 0, -6):
        store(corpus, [document(hour, "harbour")], NOW - timedelta(hours=hour))
    add(book, kind=AlertKind.SILENCE)
    add(book, "soon", kind=AlertKind.SILENCE, after="6h")
    watching = lookout()
    assert watching.look(NOW) == 0
    assert watching.look(NOW + timedelta(hours=7)) == 1
    assert watching.look(NOW + timedelta(hours=48)) == 1
    assert watching.look(NOW + timedelta(hours=49)) == 0
    store(corpus, [document(1_000, "harbour")], NOW + timedelta(hours=50))
    watching.look(NOW + timedelta(hours=50, minutes=1))
    watching.look(NOW + timedelta(hours=51))
    messages = [one.notice.message for one in sorted(book.deliveries("harbour"), key=lambda one: one.created_at)]
    assert len(messages) == 2
    assert messages[0].startswith("harbour: no new document for 2 days, where 8 would be usual")
    assert messages[1] == "harbour: there are new documents again"
    assert book.deliveries("soon")[-1].notice.message == "soon: no new document for 7 hours"


def test_problems_of_sources_are_told_once_and_when_they_are_over(
    corpus: Corpus, book: Alerts, lookout: Callable[..., Lookout]
) -> None:
    catalog = corpus.catalog()
    site = Source(name="press", kind=SourceKind.SITE, address="https://news.test/", created_at=NOW - timedelta(days=9))
    catalog.add(site)
    feed = Endpoint(source="press", url="https://news.test/feed", kind=EndpointKind.FEED)
    catalog.save_endpoints([feed])
    add(book, "sources", kind=AlertKind.SILENCE, query="", source="*")
    watching = lookout()
    assert [watching.look(minutes(1)), watching.look(minutes(30))] == [1, 0]
    catalog.save_endpoints([replace(feed, last_asked=minutes(31), interval_s=86_400.0)])
    assert watching.look(minutes(60)) == 1
    messages = [one.notice.message for one in sorted(book.deliveries(), key=lambda one: one.created_at)]
    assert messages[0].startswith("sources: source press: never asked since 2026-11-07")
    assert messages[1].startswith("sources: over: source press: never asked")


def test_an_alert_that_makes_no_sense_is_refused() -> None:
    with pytest.raises(UsageError, match="alert a: give it a query"):
        Alert(name="a")
    with pytest.raises(UsageError, match="only an alert of silence takes a source"):
        Alert(name="a", source="x")
    for target in (
        "ann@example.org",
        "mailto:a b@c",
        "ftp://x/",
        "https:///x",
        "https://u:p@x/",
        "mailto:a@b\nBcc: c@d",
    ):
        with pytest.raises(UsageError, match="alert a: "):
            Alert(name="a", query="x", to=(target,))
    for wrong in ({"at": "25:00"}, {"zone": "Mars/Olympus"}, {"window": "0d"}, {"day": "monday"}):
        with pytest.raises(UsageError, match="alert a: "):
            Alert(name="a", query="x", kind=AlertKind.DIGEST, **wrong)  # type: ignore[arg-type]
