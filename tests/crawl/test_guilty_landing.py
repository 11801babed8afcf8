"""What goes wrong with one lease costs its own link an attempt, not the crawl nor those that are written with it."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.crawl import poison
from thresher import wiring
from thresher.config import Settings
from thresher.crawling.books import Books
from thresher.crawling.corpus import Corpus
from thresher.crawling.heartbeat import Heart, Limits
from thresher.crawling.intake import Intake
from thresher.crawling.judge import Judge
from thresher.crawling.landing import Harvest, Landing
from thresher.crawling.pool import Pool, PoolBroken
from thresher.crawling.worker import Task, Worker
from thresher.discovery.scope import Scope
from thresher.frontier.contract import Census, Rules, State
from thresher.logs import ONLY_FILE
from thresher.model import Failure, Link, Page, Run
from thresher.store.contract import Record, Store

RULES = Rules(delay_s=0.0, host_concurrency=10, max_attempts=3)
AT_ONCE = replace(RULES, backoff_s=0.0)  # what failed is due again
LINKS = [Link(f"http://a.test/{number}") for number in range(8)]
GUILTY = LINKS[3].url


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    corpus = wiring.open_corpus(Settings(data=str(tmp_path)))
    yield corpus
    corpus.close()


async def now(answer: Page | Failure) -> Page | Failure:
    return answer


async def overflow() -> Page | Failure:
    raise OverflowError("date value out of range")


def worker_of(corpus: Corpus, run: Run, pool: Pool | None = None, rules: Rules = RULES) -> Worker:
    frontier = corpus.frontier(run.job, rules)
    books = Books(frontier, corpus.store, corpus.index, corpus.together)
    intake = Intake(frontier, corpus.store, run, Scope.around(["http://a.test/"]), refresh=False)
    judge = Judge(run.id, max_attempts=RULES.max_attempts, require_date=False)
    heart = Heart(corpus.overseer(run.job, RULES), "w1", Limits())
    return Worker(Task("w1", 10, 10.0), books, pool, intake=intake, judge=judge, heart=heart)  # type: ignore[arg-type]


def test_others_of_its_batch_are_written(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    run = corpus.store.start_run(["http://a.test/"], {}, datetime.now(UTC))
    frontier = corpus.frontier(run.job, RULES)
    frontier.offer(LINKS)
    save = corpus.store.save

    def picky(self: Store, record: Record) -> None:
        if record.fate.url == GUILTY:
            raise ValueError("this page is not liked")
        save(record)

    monkeypatch.setattr(type(corpus.store), "save", picky)

    async def main() -> None:
        worker = worker_of(corpus, run)
        answers = [(lease, Page(lease.link.url, 404, b"", datetime.now(UTC))) for lease in frontier.lease("w1", 10)]
        await asyncio.gather(*[worker.deliver(lease, now(page)) for lease, page in answers])

    asyncio.run(main())
    assert (frontier.census().done, frontier.census().delayed) == (len(LINKS) - 1, 1)
    guilty = frontier.find(GUILTY)
    assert guilty
    assert (guilty.state, guilty.reason, guilty.attempts) == (State.DELAYED, "worker-error", 1)
    shown = [record.getMessage() for record in caplog.records if record.name != ONLY_FILE]
    assert shown == [f"cannot land {GUILTY}"]


def deliver(worker: Worker, corpus: Corpus, run: Run, asking: Awaitable[Page | Failure]) -> None:
    """Let the worker do the work of the one link that is due."""
    (lease,) = corpus.frontier(run.job, RULES).lease("w1", 1)
    asyncio.run(worker.deliver(lease, asking))


def test_what_is_raised_while_a_host_is_asked_costs_its_link_one_attempt_and_leaves_its_reason(corpus: Corpus) -> None:
    run = corpus.store.start_run(["http://a.test/"], {}, datetime.now(UTC))
    frontier = corpus.frontier(run.job, RULES)
    frontier.offer(LINKS[:1])
    for attempt in range(1, 3):
        deliver(worker_of(corpus, run, rules=AT_ONCE), corpus, run, overflow())
        standing = frontier.find(LINKS[0].url)
        assert standing
        assert (standing.reason, standing.attempts) == ("worker-error", attempt)
    deliver(worker_of(corpus, run, rules=AT_ONCE), corpus, run, overflow())
    (fate,) = corpus.store.fates(LINKS[0].url)
    assert (fate.state, fate.reason) == ("buried", "worker-error")
    assert fate.detail == "OverflowError: date value out of range"
    assert frontier.due_in_s() is None


def test_a_link_whose_fate_cannot_be_stored_is_settled_all_the_same(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = corpus.store.start_run(["http://a.test/"], {}, datetime.now(UTC))
    frontier = corpus.frontier(run.job, RULES)
    frontier.offer(LINKS[:1])

    def refuse(self: Store, record: Record) -> None:
        raise ValueError("this page is not liked")

    monkeypatch.setattr(type(corpus.store), "save", refuse)
    for _ in range(RULES.max_attempts):
        deliver(worker_of(corpus, run, rules=AT_ONCE), corpus, run, overflow())
    assert (frontier.census().dead, frontier.due_in_s()) == (1, None)
    assert corpus.standings(LINKS[0].url)[run.job].reason == "worker-error"


@pytest.mark.parametrize("job", [poison.damaged, poison.missing], ids=lambda job: job.__name__)
def test_a_pool_that_fails_at_every_page_stops_the_worker_and_costs_no_link_anything(
    corpus: Corpus, job: Callable[[bytes], bytes]
) -> None:
    run = corpus.store.start_run(["http://a.test/"], {}, datetime.now(UTC))
    frontier = corpus.frontier(run.job, RULES)
    frontier.offer(LINKS[:2])
    pool = Pool(job, 1, timeout_s=10.0, memory_bytes=300_000_000, probe=b"probe")
    worker = worker_of(corpus, run, pool)
    page = Page(LINKS[0].url, 200, b"<p>a page", datetime.now(UTC), {"content-type": "text/html"})
    try:
        deliver(worker, corpus, run, now(page))
    finally:
        pool.close()
    assert isinstance(worker.error, PoolBroken)
    assert "extract" in str(worker.error)
    assert "thresher doctor" in str(worker.error)
    assert frontier.release("w1") == 1
    assert [(lease.attempts, lease.lost) for lease in frontier.lease("w2", 5)] == [(0, 0)] * 2
    assert corpus.store.fates(LINKS[0].url) == []


def test_links_that_wait_when_their_shape_is_found_to_be_a_trap_are_told_so(corpus: Corpus) -> None:
    run = corpus.store.start_run(["http://a.test/"], {}, datetime.now(UTC))
    rules = replace(RULES, barren_pages=1)
    frontier = corpus.frontier(run.job, rules)
    worker = worker_of(corpus, run, rules=rules)
    frontier.offer(LINKS)
    (lease,) = frontier.lease("w1", 1)
    page = Page(lease.link.url, 200, b"", datetime.now(UTC))
    harvest = Harvest("page", fault="other")
    landing = Judge(run.id, max_attempts=3, require_date=False).answer(lease, page, harvest)
    worker._ledger.write([landing])
    waited = [link.url for link in LINKS if link.url != lease.link.url]
    assert {(fate.state, fate.reason) for url in waited for fate in corpus.store.fates(url)} == {("skipped", "trap")}
    assert (frontier.census().done, frontier.due_in_s()) == (len(LINKS), None)


class ReadyPool:
    """A pool that nobody has to wait for."""

    async def ready(self) -> None:
        return


class BlindWatcher:
    """A watcher that fails in a way nobody foresaw."""

    def landed(self, landing: Landing) -> None:
        return

    def counted(self, census: Census) -> None:
        raise RuntimeError("cannot look")

    def draining(self) -> None:
        return


def test_a_worker_that_can_keep_its_leases_no_longer_stops_and_says_why(corpus: Corpus) -> None:
    run = corpus.store.start_run(["http://a.test/"], {}, datetime.now(UTC))
    frontier = corpus.frontier(run.job, RULES)
    frontier.offer(LINKS[:1])
    assert frontier.lease("another", 1)  # so that the job is not over
    worker = worker_of(corpus, run, ReadyPool())  # type: ignore[arg-type]
    worker.watcher = BlindWatcher()

    async def main() -> None:
        async for lease in worker.leases():
            raise AssertionError(f"{lease.link.url} is another's")

    asyncio.run(main())
    assert str(worker.error) == "the worker cannot keep its links: RuntimeError: cannot look"
