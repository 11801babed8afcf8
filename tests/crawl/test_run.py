"""How a run stands when somebody leaves it, and which runs a worker joins."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from thresher import wiring
from thresher.config import Settings
from thresher.crawling.corpus import Corpus
from thresher.crawling.identity import worker_name
from thresher.crawling.run import enqueue, leave
from thresher.crawling.waiting import WAITING_JOB, open_run, run_named, wait_for_run
from thresher.discovery.scope import Scope
from thresher.errors import UsageError
from thresher.frontier.contract import Rules, Settlement
from thresher.model import Outcome, Run, RunState

RULES = Rules(delay_s=0.0)
STARTS = ["http://a.test/"]


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    corpus = wiring.open_corpus(Settings(data=str(tmp_path)))
    yield corpus
    corpus.close()


def opened(corpus: Corpus) -> Run:
    options = {"scope": Scope.around(STARTS).as_json(), "limit": None, "refresh": False}
    run = corpus.store.start_run(STARTS, options, datetime.now(UTC))
    assert enqueue(corpus, run, wiring.means(Settings())).pending == 1
    return run


def left(corpus: Corpus, run: Run) -> RunState:
    leave(corpus, run, RULES)
    again = corpus.store.run(run.id)
    assert again
    return again.state


def test_a_run_that_nobody_works_on_is_interrupted(corpus: Corpus) -> None:
    run = opened(corpus)
    corpus.overseer(run.job, RULES).beat(worker_name(), "leaving")
    assert left(corpus, run) is RunState.INTERRUPTED


def test_a_run_that_others_work_on_goes_on(corpus: Corpus) -> None:
    run = opened(corpus)
    corpus.overseer(run.job, RULES).beat("another", "fetching")
    assert left(corpus, run) is RunState.RUNNING


def test_a_run_with_nothing_left_is_finished_whoever_leaves_it(corpus: Corpus) -> None:
    run = opened(corpus)
    frontier = corpus.frontier(run.job, RULES)
    frontier.settle([Settlement(lease, Outcome.DONE, "stored") for lease in frontier.lease("w", 1)])
    corpus.overseer(run.job, RULES).beat("another", "fetching")
    assert left(corpus, run) is RunState.FINISHED


def test_the_newest_open_run_is_joined_unless_its_links_are_elsewhere(corpus: Corpus) -> None:
    assert open_run(corpus) is None
    first, second = opened(corpus), opened(corpus)
    corpus.store.start_run(STARTS, {}, datetime.now(UTC))  # its frontier is that of another machine
    assert open_run(corpus) == second
    corpus.store.end_run(second.id, RunState.INTERRUPTED, datetime.now(UTC))
    assert open_run(corpus) == first


@pytest.mark.parametrize("name", ["1", "run-1"])
def test_a_run_is_named_by_its_number(corpus: Corpus, name: str) -> None:
    run = opened(corpus)
    assert run_named(corpus, name) == run


@pytest.mark.parametrize("name", ["2", "", "run-", "-1", "١", "9" * 40, "waiting"])
def test_a_name_that_is_none_is_refused(corpus: Corpus, name: str) -> None:
    opened(corpus)
    with pytest.raises(UsageError, match="there is no run"):
        run_named(corpus, name)


def test_a_worker_waits_until_there_is_a_run(corpus: Corpus) -> None:
    seen: list[int] = []

    def sleep(_seconds: float) -> None:
        seen.append(len(corpus.overseer(WAITING_JOB, RULES).beats()))
        if len(seen) == 3:
            opened(corpus)

    found = wait_for_run(corpus, RULES, sleep)
    assert found
    assert found.starts == tuple(STARTS)
    assert seen == [1, 1, 1]
    assert corpus.overseer(WAITING_JOB, RULES).beats() == []


def test_a_worker_without_a_job_can_be_sent_away(corpus: Corpus) -> None:
    def sleep(_seconds: float) -> None:
        assert corpus.overseer(WAITING_JOB, RULES).tell(worker_name(), "drain")

    assert wait_for_run(corpus, RULES, sleep) is None
