"""A worker that dies between two backends: whoever gets its link next makes good all that it had not written."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.crawl.conftest import DATABASE
from tests.servers import Server
from thresher import wiring
from thresher.config import Settings
from thresher.crawling.books import Books
from thresher.crawling.corpus import Corpus
from thresher.crawling.intake import Intake
from thresher.crawling.landing import Landing
from thresher.crawling.ledger import Ledger
from thresher.discovery.scope import Scope
from thresher.frontier.contract import Rules, Settlement
from thresher.frontier.server import Server as Connection
from thresher.model import Fate, Lease, Link, Outcome, Page, Run
from thresher.store.contract import Record, Store

RULES = Rules(delay_s=0.0, host_pages=3)
START = "http://a.test/"
FOUND = (
    Link("http://a.test/1", 1, "page", START),
    Link("http://a.test/2", 1, "page", START),
    Link("http://a.test/3", 1, "page", START),  # one too many for its host
    Link("http://elsewhere.test/", 1, "page", START),  # out of scope
)
STEPS = ["save", "offer", "note", "exchange"]


class Crash(BaseException):
    """The end of a process."""


@pytest.fixture
def corpus(tmp_path: Path, redis_process: Server) -> Iterator[Corpus]:
    url = f"{redis_process.url.rpartition('/')[0]}/{DATABASE}"
    connection = Connection(url)
    connection.call("FLUSHDB")
    connection.close()
    corpus = wiring.open_corpus(Settings(data=str(tmp_path), frontier=url))
    yield corpus
    corpus.close()


def land(corpus: Corpus, run: Run, lease: Lease) -> None:
    """Write the start's page and links as one worker does."""
    frontier = corpus.frontier(run.job, RULES)
    scope = Scope.around([START], max_depth=1)
    intake = Intake(frontier, corpus.store, run, scope, refresh=False)
    fate = Fate(START, run.id, "skipped", "listing", datetime.now(UTC))
    page = Page(START, 200, b"<a href=1>", datetime.now(UTC))
    settlement = Settlement(lease, Outcome.DONE, "listing", fetched=True)
    landing = Landing(settlement, Record(fate, page, None, FOUND), FOUND, (("http://a.test/#", "fragment"),))
    Ledger(Books(frontier, corpus.store, corpus.index, corpus.together), intake).write([landing])


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("step", STEPS)
def test_nothing_is_lost_when_a_worker_dies(
    step: str, after: bool, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = corpus.store.start_run([START], {}, datetime.now(UTC))
    frontier = corpus.frontier(run.job, RULES)
    frontier.offer([Link(START)])
    (lease,) = frontier.lease("first", 1)
    place: type[Store] = type(corpus.store if step in ("save", "note") else frontier)  # type: ignore[assignment]
    work = getattr(place, step)

    def dying(*args: object) -> None:
        if after:
            work(*args)
        raise Crash

    with monkeypatch.context() as patch:
        patch.setattr(place, step, dying)
        with pytest.raises(Crash):
            land(corpus, run, lease)
    frontier.reap(["first"])
    for again in frontier.lease("second", 5):
        if again.link.url == START:
            land(corpus, run, again)
    reasons = {url: [fate.reason for fate in corpus.store.fates(url)] for url in (START, *(link.url for link in FOUND))}
    assert reasons == {START: ["listing"], FOUND[0].url: [], FOUND[1].url: [], FOUND[2].url: ["host-full"]} | {
        FOUND[3].url: ["off-host"]
    }
    assert [fate.reason for fate in corpus.store.fates("http://a.test/#")] == ["fragment"]
    census = frontier.census()
    assert (census.accepted, census.done) == (3, 1)
