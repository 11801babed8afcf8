"""Watches and plain workers that share Redis and PostgreSQL: any of them serves any source, and none does so twice."""

import signal
from collections.abc import Iterator

import pytest

from tests.crawl.fleet import Fleet, told, until
from tests.servers import Server
from tests.watching.site import NewsSite, serving
from thresher import wiring
from thresher.crawling.corpus import Corpus
from thresher.frontier.contract import Rules
from thresher.model import RunState, Source, SourceKind
from thresher.model.run import WATCH

pytestmark = pytest.mark.slow
QUIETLY = ("--progress", "none")


@pytest.fixture
def site() -> Iterator[NewsSite]:
    with serving(NewsSite()) as running:
        yield running


@pytest.fixture
def corpus(fleet: Fleet) -> Iterator[Corpus]:
    opened = wiring.open_corpus(fleet.settings())
    yield opened
    opened.close()


def follow(corpus: Corpus, site: NewsSite, name: str) -> None:
    """Add a source with two articles."""
    site.publish(name, f"The ferry to {name} was late.", f"The bridge to {name} was closed.")
    corpus.catalog().add(Source(name=name, kind=SourceKind.FEED, address=f"{site.url}/{name}/feed"))


def is_collected(corpus: Corpus, name: str) -> bool:
    """Say whether both articles of a source are stored and nobody works any more."""
    census = corpus.frontier(WATCH, Rules()).census()
    return corpus.catalog().tally(name).get(("stored", "article")) == 2 and not census.pending + census.leased


@pytest.mark.long
def test_watches_and_workers_serve_all_sources_through_a_kill_a_crawl_and_an_outage_and_ask_for_nothing_twice(
    fleet: Fleet, site: NewsSite, corpus: Corpus, redis_process: Server
) -> None:
    watch = fleet.start("watch", *QUIETLY)
    until(lambda: WATCH in corpus.jobs() and corpus.overseer(WATCH, Rules()).beats())
    follow(corpus, site, "north")  # on a port that the watch did not know when it began
    until(lambda: is_collected(corpus, "north"))
    watch.kill()
    watch.wait(60)
    worker = fleet.start("worker", "run", *QUIETLY)
    try:
        follow(corpus, site, "east")
        until(lambda: is_collected(corpus, "east"))  # a plain worker watches on
        assert fleet.run("crawl", f"{site.url}/north/0", "--limit", "1", "--enqueue").returncode == 0
        until(lambda: corpus.store.runs(limit=1)[0].state is RunState.FINISHED)  # it is called away, and comes back
        follow(corpus, site, "south")
        until(lambda: is_collected(corpus, "south"))
        watch = fleet.start("watch", *QUIETLY)
        until(lambda: len(corpus.overseer(WATCH, Rules()).beats()) > 1)
        redis_process.kill()
        until(lambda: all("the Redis at" in each.said() for each in (watch, worker)))
        redis_process.start()
        follow(corpus, site, "west")
        until(lambda: is_collected(corpus, "west"))
        watch.send_signal(signal.SIGINT)
        worker.send_signal(signal.SIGTERM)
        (watched, said), (worked, also) = told(watch), told(worker)
    finally:
        watch.kill()
        worker.kill()
    assert (watched, worked) == (130, 0)
    assert "Traceback" not in said + also
    assert said.count("waiting for it") == said.count("it answers again") == 1
    crawled = "/north/0"
    again = [path for path in set(site.asked) if site.asked.count(path) > 1 and path not in ("/robots.txt", crawled)]
    assert again == []


def test_a_watch_says_that_its_redis_is_away_and_can_be_ended_while_it_waits(
    fleet: Fleet, redis_process: Server
) -> None:
    redis_process.kill()
    try:
        once = fleet.run("watch", "--once", *QUIETLY)
        watch = fleet.start("watch", *QUIETLY)
        until(lambda: "waiting for it" in watch.said())
        watch.send_signal(signal.SIGINT)
        code, said = told(watch)
    finally:
        redis_process.start()
    assert (once.returncode, once.stderr.count("the Redis at")) == (5, 1)
    assert code == 130
    assert said.count("the Redis at") == 1
