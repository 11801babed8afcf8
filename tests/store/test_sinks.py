"""Sinks: several destinations at once, each with its own place in the log; one that is away catches up."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import confluent_kafka
import pytest
from click.testing import CliRunner

from tests.contracts.store_words import document, fate, page
from tests.store.kafka import kafka
from thresher import sqlite, wiring
from thresher.cli.main import cli
from thresher.config import Settings
from thresher.errors import Unreachable, UsageError
from thresher.sinks import StoreDestination, open_destination
from thresher.store.contract import Change, Record, Store
from thresher.store.destination import Destination, RawPage
from thresher.store.kafka import KafkaDestination
from thresher.store.sinks import BATCH, Sink, replay, standing_of
from thresher.store.sql import sqlite_store

START = datetime(2026, 11, 19, tzinfo=UTC)


class Place:
    """A destination that can be away; a batch may be taken and the answer be lost."""

    def __init__(self) -> None:
        self.held: dict[str, str] = {}
        self.is_away = self.loses_answers = self.breaks_when_closed = False
        self.batches = self.closed = 0

    def deliver(self, changes: Sequence[Change], page: RawPage) -> None:
        if self.is_away:
            raise Unreachable("away for now")
        self.batches += 1
        for change in changes:
            assert change.stored
            self.held[change.key] = change.stored.document.title
            assert page(change.stored.document.url or "") is not None
        if self.loses_answers:
            raise Unreachable("the answer was lost")

    def close(self) -> None:
        self.closed += 1
        if self.breaks_when_closed:
            raise Unreachable("away, still")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return sqlite_store(sqlite.connect(tmp_path / "corpus.db"))


def fill(store: Store, count: int, title: str = "Hello") -> None:
    for number in range(count):
        url = f"https://example.com/{number}"
        store.save(Record(fate(url), page(url), document(url, title=title)))


def sink(name: str, store: Store, place: Destination, clock: Callable[[], datetime] = lambda: START) -> Sink:
    return Sink(name, store, lambda: place, clock)


def test_each_sink_has_its_own_place_and_one_that_is_away_holds_up_nobody(store: Store) -> None:
    fill(store, BATCH + 5)
    good, away = Place(), Place()
    away.is_away = True
    now = [START]
    sinks = [sink("good", store, good), sink("away", store, away, lambda: now[0])]
    assert [each.carry() for each in sinks] == [BATCH, 0]
    assert [each.carry() for each in sinks] == [5, 0]
    assert (standing_of(store, "good").lag, standing_of(store, "away").lag) == (0, BATCH + 5)
    failed = standing_of(store, "away")
    assert (failed.failures, failed.error, failed.cursor) == (1, "away for now", 0)
    away.is_away = False
    assert sinks[1].carry() == 0  # it waits
    now[0] += timedelta(seconds=2)
    assert [sinks[1].carry() for _ in range(3)] == [BATCH, 5, 0]
    assert away.held == good.held
    assert standing_of(store, "away").failures == 0


def test_the_time_between_attempts_grows(store: Store) -> None:
    fill(store, 1)
    place, now = Place(), START
    place.is_away = True
    waits = []
    for _ in range(12):
        sink("s", store, place, lambda now=now: now).carry()  # type: ignore[misc]
        retry_at = standing_of(store, "s").retry_at
        assert retry_at
        waits.append((datetime.fromisoformat(retry_at) - now).total_seconds())
        now = datetime.fromisoformat(retry_at)
    assert waits[:4] == [1, 2, 4, 8]
    assert waits[-1] == 300


@pytest.mark.parametrize("breaks", [False, True])
def test_a_destination_that_fails_is_closed_before_it_is_opened_again(store: Store, breaks: bool) -> None:
    fill(store, 1)
    places = [Place(), Place()]
    places[0].is_away, places[0].breaks_when_closed = True, breaks
    opened, now = iter(places), [START]
    carrier = Sink("s", store, lambda: next(opened), lambda: now[0])
    assert (carrier.carry(), places[0].closed) == (0, 1)
    assert standing_of(store, "s").error == "away for now"
    now[0] += timedelta(seconds=2)
    assert (carrier.carry(), places[1].closed) == (1, 0)
    carrier.close()
    carrier.close()
    assert [place.closed for place in places] == [1, 1]


def test_what_was_taken_and_not_confirmed_comes_again_and_is_there_once(store: Store) -> None:
    fill(store, 3)
    place, now = Place(), [START]
    place.loses_answers = True
    carrier = sink("s", store, place, lambda: now[0])
    assert carrier.carry() == 0
    place.loses_answers = False
    now[0] += timedelta(seconds=2)
    assert carrier.carry() == 3
    assert (len(place.held), place.batches) == (3, 2)


def test_a_document_that_changes_is_carried_again_and_a_replay_carries_all(store: Store) -> None:
    fill(store, 3)
    place = Place()
    carrier = sink("s", store, place)
    assert carrier.carry() == 3
    fill(store, 1, title="New")
    assert carrier.carry() == 1
    assert sorted(place.held.values()) == ["Hello", "Hello", "New"]
    assert replay(store, "s") == 3
    assert carrier.carry() == 3


def test_another_store_holds_the_same_documents_and_pages(store: Store, tmp_path: Path) -> None:
    fill(store, 3)
    other = sqlite_store(sqlite.connect(tmp_path / "other.db"))
    carrier = sink("s", store, StoreDestination(other, lambda: None))
    assert carrier.carry() == 3
    replay(store, "s")
    assert carrier.carry() == 3
    assert list(other.documents()) == list(store.documents())
    assert other.page("https://example.com/1") == store.page("https://example.com/1")


def test_a_topic_has_each_document_under_its_key(store: Store) -> None:
    fill(store, 3)
    broker = confluent_kafka.Producer({"test.mock.num.brokers": 1})  # speaks Kafka's protocol, inside this process
    (where,) = broker.list_topics(timeout=10).brokers.values()
    place = KafkaDestination(f"kafka://{where.host}:{where.port}/news")
    assert sink("s", store, place).carry() == 3
    reader = confluent_kafka.Consumer(
        {"bootstrap.servers": f"{where.host}:{where.port}", "group.id": "g", "auto.offset.reset": "earliest"}
    )
    reader.subscribe(["news"])
    found: dict[str, bytes] = {}
    while len(found) < 3:
        message = reader.poll(60)
        assert message is not None
        if message.error() is None:
            found[(message.key() or b"").decode()] = message.value() or b""
    reader.close()
    place.close()
    assert found.keys() == {change.key for change in store.changes(0)}
    assert all(b'"title":"Hello"' in value for value in found.values())


@pytest.mark.long
def test_a_topic_of_a_real_broker_has_everything_after_the_broker_was_killed(store: Store, tmp_path: Path) -> None:
    hours = count()
    with kafka(tmp_path) as broker:
        carrier = Sink(
            "s",
            store,
            lambda: KafkaDestination(f"kafka://{broker.address}/news"),
            lambda: START + timedelta(hours=next(hours)),
        )
        fill(store, 3)
        while not carrier.carry():  # the broker starts
            continue
        broker.kill()
        fill(store, 6, title="Hello again")
        assert carrier.carry() == 0
        assert standing_of(store, "s").lag == 6
        broker.start()
        while not carrier.carry():
            continue
        carrier.close()
        found = messages(broker.address, until=len(store.changes(0)))
    assert found.keys() == {change.key for change in store.changes(0)}
    assert all(b'"title":"Hello again"' in value for value in found.values())
    assert standing_of(store, "s").lag == 0


def messages(address: str, *, until: int) -> dict[str, bytes]:
    """Return the last message under each key, once as many keys as expected say what they said last."""
    reader = confluent_kafka.Consumer(
        {"bootstrap.servers": address, "group.id": f"g{address}", "auto.offset.reset": "earliest"}
    )
    reader.subscribe(["news"])
    found: dict[str, bytes] = {}
    while sum(b"again" in value for value in found.values()) < until:
        message = reader.poll(60)
        assert message is not None
        if message.error() is None:
            found[(message.key() or b"").decode()] = message.value() or b""
    reader.close()
    return found


def test_urls_that_cannot_be_a_sink_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="kafka://HOST:PORT/TOPIC"):
        open_destination("s", "kafka://127.0.0.1:1", Settings())


def test_the_command_carries_tells_and_replays(tmp_path: Path) -> None:
    settings = tmp_path / "thresher.toml"
    other = tmp_path / "other" / "corpus.db"
    settings.write_text(f'data = "{tmp_path / "data"}"\nsinks = ["other=sqlite:///{other}"]\n')
    corpus = wiring.open_corpus(Settings(data=str(tmp_path / "data")))
    fill(corpus.store, 2)
    corpus.close()

    def run(*words: str) -> str:
        return CliRunner().invoke(cli, ["--config", str(settings), "sinks", *words]).output

    assert '"lag": 2' in run("status", "-f", "jsonl")
    run("run", "--once")
    assert '"lag": 0' in run("status", "-f", "jsonl")
    assert len(list(sqlite_store(sqlite.connect(other)).documents())) == 2
    assert "starts again from the beginning: 2 documents" in run("replay", "other")
    assert "no sink 'x'" in str(CliRunner().invoke(cli, ["--config", str(settings), "sinks", "replay", "x"]).exception)


def test_a_crawl_carries_beside_its_work(tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    corpus = wiring.open_corpus(Settings(data=str(tmp_path / "data"), sinks=(f"other=sqlite:///{other}",)))
    fill(corpus.store, 3)
    corpus.close()  # carries what is left
    assert len(list(sqlite_store(sqlite.connect(other)).documents())) == 3
