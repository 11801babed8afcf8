"""A frontier that has lost its last seconds is made good from the store: nothing is lost, nothing is fetched twice."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.servers import Server as Process
from tests.servers import redis_server
from thresher import wiring
from thresher.config import Settings
from thresher.crawling.books import Books
from thresher.crawling.corpus import Corpus
from thresher.crawling.holding import Holding
from thresher.crawling.intake import Intake
from thresher.crawling.landing import Landing
from thresher.crawling.ledger import Ledger
from thresher.crawling.recovery import Recovery
from thresher.crawling.run import close_if_over
from thresher.discovery.scope import Scope
from thresher.errors import RolledBack
from thresher.frontier.contract import Rules, Settlement
from thresher.frontier.server import Server
from thresher.lab.rewind import cut, length
from thresher.model import Fate, Lease, Link, Outcome, Page, Robots, Run
from thresher.store.contract import Record

START = "http://a.test/"
RULES = Rules(delay_s=0.0, host_concurrency=100)
WEB = {  # what each page leads to
    START: ("1", "2"),
    f"{START}1": ("11", "12"),
    f"{START}2": ("21", "22"),
    f"{START}11": ("111",),
}


@pytest.fixture(scope="module")
def redis() -> Iterator[Process]:
    with redis_server("--appendfsync", "always") as running:  # else it may write a moment after it has answered
        yield running


@dataclass
class Work:
    """One worker's books, and a Redis that can lose what it was told."""

    redis: Process
    corpus: Corpus
    run: Run

    def __post_init__(self) -> None:
        self.fetched: list[str] = []
        self.frontier = self.corpus.frontier(self.run.job, RULES)
        self.books = Books(self.frontier, self.corpus.store, self.corpus.index, self.corpus.together, apart=True)
        scope = Scope.around([START], max_depth=3)
        self.intake = Intake(self.frontier, self.corpus.store, self.run, scope, refresh=False)
        self.recovery = Recovery(self.books, self.intake)
        self.books.on_loss.append(self.intake.forget)
        self.ledger = Ledger(self.books, self.intake)

    def start(self) -> None:
        self.intake.take([Link(START)], datetime.now(UTC))

    def landing(self, lease: Lease) -> Landing:
        """Return what a lease leaves behind: as it was stored where the frontier has lost that, else fetched."""
        stored = self.recovery.landing_of(lease) if self.frontier.has_lost() else None
        if stored:
            return stored
        link = lease.link
        self.fetched.append(link.url)
        found = tuple(Link(START + name, link.depth + 1, "page", link.url) for name in WEB.get(link.url, ()))
        fate = Fate(link.url, self.run.id, "skipped", "listing", datetime.now(UTC), status=200, found_on=link.found_on)
        page = Page(link.url, 200, b"<p>", datetime.now(UTC))
        return Landing(Settlement(lease, Outcome.DONE, "listing", fetched=True), Record(fate, page, None, found), found)

    async def fetch(self, count: int = 100) -> list[Lease]:
        """Lease up to so many links, one after the other, and write what came of each; return the leases."""
        done: list[Lease] = []
        while len(done) < count and (leases := await self.books.ask(self.frontier.lease, "w1", 1)):
            await self.books.call(self.ledger.write, [self.landing(lease) for lease in leases])
            done += leases
        return done

    async def finish(self) -> None:
        """Fetch all that there is, as a worker does."""
        await self.fetch()
        while await self.recovery.is_needed():
            await self.fetch()

    def lose_since(self, moment: int) -> None:
        self.redis.kill()
        cut(self.redis.folder, moment)
        self.redis.start()

    def moment(self) -> int:
        return length(self.redis.folder)


@pytest.fixture
def work(tmp_path: Path, redis: Process) -> Iterator[Work]:
    connection = Server(redis.url)
    connection.call("FLUSHALL")
    connection.close()
    corpus = wiring.open_corpus(Settings(data=str(tmp_path), frontier=redis.url))
    opened = Work(redis, corpus, corpus.store.start_run([START], {}, datetime.now(UTC)))
    yield opened
    opened.books.close()
    corpus.close()


ALL = sorted({START, *(START + name for names in WEB.values() for name in names)})


@pytest.mark.parametrize("kept", range(6))
@pytest.mark.parametrize("lost", [1, 3])
def test_whatever_is_lost_all_is_fetched_once(work: Work, kept: int, lost: int) -> None:
    async def main() -> None:
        work.start()
        await work.fetch(kept)
        moment = work.moment()
        await work.fetch(lost)
        work.lose_since(moment)
        await work.finish()

    asyncio.run(main())
    assert sorted(work.fetched) == ALL
    assert work.frontier.census().done == len(ALL)
    assert work.frontier.census().fetched == len(ALL)
    assert close_if_over(work.corpus.store, work.frontier, work.run)


def test_starts_that_are_lost_are_offered_again(work: Work) -> None:
    async def main() -> None:
        moment = work.moment()
        work.start()
        await work.fetch(2)
        work.lose_since(moment)
        await work.finish()

    asyncio.run(main())
    assert sorted(work.fetched) == ALL


def test_losses_that_follow_each_other_are_all_made_good(work: Work) -> None:
    async def main() -> None:
        work.start()
        for _ in range(4):
            moment = work.moment()
            await work.fetch(3)
            work.lose_since(moment)
        await work.finish()

    asyncio.run(main())
    assert sorted(work.fetched) == ALL
    assert work.frontier.census().done == len(ALL)


def test_a_run_is_not_over_before_a_loss_is_made_good(work: Work) -> None:
    async def main() -> None:
        work.start()
        await work.fetch(2)
        moment = work.moment()
        await work.fetch()
        work.lose_since(moment)
        await work.fetch()

    asyncio.run(main())
    assert work.frontier.due_in_s() is None
    assert not close_if_over(work.corpus.store, work.frontier, work.run)
    asyncio.run(work.finish())
    assert close_if_over(work.corpus.store, work.frontier, work.run)


def test_links_that_nobody_offers_again_are_found_in_the_store(work: Work) -> None:
    """As when a worker that remembers what it offered does not hear of the loss."""

    async def main() -> None:
        work.start()
        await work.fetch(1)
        moment = work.moment()
        await work.fetch(3)
        work.lose_since(moment)
        work.frontier.recover()
        for lease in work.frontier.lease("w1", 100):  # settled without a word of what they lead to
            work.frontier.settle([Settlement(lease, Outcome.DONE, "listing", fetched=True)])
        assert work.frontier.due_in_s() is None
        await work.finish()

    asyncio.run(main())
    assert sorted(work.fetched) == ALL


def test_sitemaps_that_a_robots_txt_names_are_offered_again(work: Work) -> None:
    robots = Robots(START[:-1], 200, b"Sitemap: http://a.test/map.xml", datetime.now(UTC))

    async def main() -> None:
        work.start()
        moment = work.moment()
        work.corpus.store.save_robots(robots)
        work.intake.take_sitemaps(robots)
        work.lose_since(moment)
        await work.finish()

    asyncio.run(main())
    assert f"{START}map.xml" in work.fetched


def test_two_workers_may_make_good_the_same_loss(work: Work) -> None:
    async def main() -> None:
        other = Work(work.redis, work.corpus, work.run)
        work.start()
        moment = work.moment()
        await work.fetch(4)
        await other.fetch(2)
        work.lose_since(moment)
        await asyncio.gather(work.finish(), other.finish())
        assert sorted(work.fetched + other.fetched) == ALL
        other.books.close()

    asyncio.run(main())
    assert work.frontier.census().done == len(ALL)


def test_leases_that_the_frontier_no_longer_knows_are_not_fetched(work: Work) -> None:
    async def main() -> None:
        held = Holding(work.books, "w1", lambda: 12, lease_s=120.0)
        work.books.on_loss.append(held.doubt)
        work.intake.take([Link(START), Link(f"{START}1"), Link(f"{START}2")], datetime.now(UTC))
        moment = work.moment()
        first = await held.next()
        assert first
        assert len(held) == 3
        work.lose_since(moment)
        with pytest.raises(RolledBack):
            work.frontier.due_in_s()
        await held.renew()
        again = [await held.next() for _ in range(3)]
        assert {lease.token for lease in again if lease}.isdisjoint({first.token})
        assert work.frontier.census().leased == 3

    asyncio.run(main())
