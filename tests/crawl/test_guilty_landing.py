"""A landing that cannot be written costs its own link an attempt, not those that are written together with it."""

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from thresher import wiring
from thresher.config import Settings
from thresher.crawl.books import Books
from thresher.crawl.heartbeat import Heart, Limits
from thresher.crawl.intake import Intake
from thresher.crawl.judge import Judge
from thresher.crawl.run import Corpus
from thresher.crawl.worker import Task, Worker
from thresher.discovery.scope import Scope
from thresher.frontier.contract import Rules, State
from thresher.model import Link, Page, Run
from thresher.store.contract import Record, Store

RULES = Rules(delay_s=0.0, host_concurrency=10)
LINKS = [Link(f"http://a.test/{number}") for number in range(8)]
GUILTY = LINKS[3].url


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    corpus = wiring.open_corpus(Settings(data=str(tmp_path)))
    yield corpus
    corpus.close()


def worker_of(corpus: Corpus, run: Run) -> Worker:
    frontier = corpus.frontier(run.job, RULES)
    books = Books(frontier, corpus.store, corpus.index, corpus.together)
    intake = Intake(frontier, corpus.store, run, Scope.around(["http://a.test/"]), refresh=False)
    judge = Judge(run.id, max_attempts=4, require_date=False)
    heart = Heart(corpus.overseer(run.job, RULES), "w1", Limits())
    pool = None  # what is answered here is no page to extract
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
        await asyncio.gather(*[worker.deliver(lease, page) for lease, page in answers])

    asyncio.run(main())
    assert (frontier.census().done, frontier.census().delayed) == (len(LINKS) - 1, 1)
    guilty = frontier.find(GUILTY)
    assert guilty
    assert (guilty.state, guilty.reason, guilty.attempts) == (State.DELAYED, "worker-error", 1)
    assert [record.getMessage() for record in caplog.records] == [f"cannot land {GUILTY}"]
