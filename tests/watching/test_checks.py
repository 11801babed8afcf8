"""When an article that was stored is looked at for edits, by a clock that is passed in."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from thresher import wiring
from thresher.config import Settings
from thresher.crawling.books import Books
from thresher.crawling.corpus import Corpus
from thresher.crawling.landing import Landing
from thresher.frontier.contract import Rules, Settlement
from thresher.model import Document, Fate, Kind, Lease, Link, Outcome, Page, Source, SourceKind
from thresher.model.run import WATCH
from thresher.store.contract import Record
from thresher.watching.clock import Clock
from thresher.watching.follower import SourceFollower
from thresher.watching.schedule import Habits
from thresher.watching.watch import run_of

HOUR_S = 3_600.0
DAY_S = 24 * HOUR_S
STORED_AT = datetime(2026, 11, 16, 12, tzinfo=UTC)
FEED, ARTICLE = "https://e.org/feed", "https://e.org/ferry"


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    opened = wiring.open_corpus(Settings(data=str(tmp_path)))
    opened.catalog().add(Source(name="daily", kind=SourceKind.FEED, address=FEED))
    yield opened
    opened.close()


class Machine:
    """A machine's clock that is set by hand."""

    def __init__(self) -> None:
        self.now = STORED_AT

    def __call__(self) -> datetime:
        return self.now


def checks_s(corpus: Corpus, clock: Clock, machine: Machine, published: datetime) -> list[float]:
    """Store an article and look at it whenever that is due; return how long the waits were."""
    run = run_of(corpus)
    books = Books(corpus.frontier(WATCH, Rules()), corpus.store, corpus.index, corpus.together)
    follower = SourceFollower(books, corpus.catalog(), run, Habits(), clock)
    lease = Lease(Link(ARTICLE, 1, "feed", FEED, source="daily"), token=1, worker="w", expires_at=0.0)
    article = Document(ARTICLE, Kind.ARTICLE, 0.9, title="The ferry", published=published)
    waits: list[float] = []
    while len(waits) < 10:
        fate = Fate(ARTICLE, run.id, "stored", "stored", machine.now, status=200)
        record = Record(fate, Page(ARTICLE, 200, b"", machine.now), article)
        corpus.store.save(record)
        ending = Settlement(lease, Outcome.DONE, "stored", fetched=True, fruitful=True)
        (settled,) = follower.settled([Landing(ending, record)], [ending], {})
        if settled.again_in_s is None:
            break
        waits.append(settled.again_in_s)
        machine.now += timedelta(seconds=settled.again_in_s)
    books.close()
    return waits


def test_a_new_article_is_looked_at_for_edits_after_an_hour_a_day_and_a_week(corpus: Corpus) -> None:
    machine = Machine()
    assert checks_s(corpus, Clock(machine=machine), machine, STORED_AT) == [HOUR_S, DAY_S - HOUR_S, 6 * DAY_S]


def test_an_article_that_was_old_when_it_was_found_is_not_looked_at_again(corpus: Corpus) -> None:
    machine = Machine()
    assert checks_s(corpus, Clock(machine=machine), machine, STORED_AT - timedelta(days=40)) == []


def test_schedules_may_go_by_a_faster_clock(corpus: Corpus) -> None:
    machine = Machine()
    clock = Clock(60.0, STORED_AT - timedelta(hours=1), machine)
    assert clock.now() == STORED_AT - timedelta(hours=1) + timedelta(hours=60)
    waits = checks_s(corpus, clock, machine, STORED_AT + timedelta(days=2))
    assert waits == pytest.approx([HOUR_S / 60, (DAY_S - HOUR_S) / 60, 6 * DAY_S / 60])


def test_what_pages_tell_is_read_by_the_clock_of_the_schedules(corpus: Corpus) -> None:
    books = Books(corpus.frontier(WATCH, Rules()), corpus.store, corpus.index, corpus.together)
    clock = Clock(60.0, STORED_AT - timedelta(hours=1))
    follower = SourceFollower(books, corpus.catalog(), run_of(corpus), Habits(), clock)
    read = follower.dated(Page(ARTICLE, 200, b"body", STORED_AT))
    assert (read.fetched_at, read.body) == (STORED_AT + timedelta(hours=59), b"body")
