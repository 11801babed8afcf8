"""A crawl is killed, and then its store's server, while it writes: nothing is torn, lost or doubled in any of them."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from tests.crawl.harness import Crawl
from tests.servers import (
    Server,
    mariadb_server,
    mongodb_server,
    new_database,
    new_mariadb_database,
    opensearch_server,
    other_search_server,
    postgres_server,
)
from thresher import wiring
from thresher.config import Settings
from thresher.crawling.corpus import Corpus
from thresher.sample import RunningSample, SampleWeb, serve

SERVERS: dict[str, Callable[[], AbstractContextManager[Server]]] = {
    "postgresql": postgres_server,
    "mariadb": mariadb_server,
    "mongodb": mongodb_server,
    "mongodb_set": partial(mongodb_server, replicas="set"),
    "opensearch": opensearch_server,
    "elasticsearch": partial(other_search_server, "elasticsearch"),
}


@dataclass(frozen=True)
class StoredCrawl(Crawl):
    """A crawl into the store of a URL."""

    store: str = ""

    def open(self) -> Corpus:
        """Open what was stored."""
        return wiring.open_corpus(Settings(data=str(self.data), store=self.store), create=False)


@pytest.fixture(
    params=["postgresql", *(pytest.param(name, marks=pytest.mark.long) for name in SERVERS if name != "postgresql")]
)
def server(request: pytest.FixtureRequest) -> Iterator[tuple[str, Server]]:
    with SERVERS[request.param]() as running:
        yield request.param, running


def url_of(name: str, server: Server) -> str:
    if name == "postgresql":
        return new_database(server, "killed")
    if name == "mariadb":
        return new_mariadb_database(server, "killed")
    return f"{server.url}killed" if name.startswith("mongodb") else f"{server.url}/killed"


@pytest.fixture
def site() -> Iterator[RunningSample]:
    with serve(SampleWeb(pages=40, crawl_delay_s=None, slow_s=0.2)) as running:
        yield running


@pytest.mark.slow
def test_a_crawl_whose_process_and_server_are_killed_brings_the_same_corpus(
    server: tuple[str, Server], site: RunningSample, tmp_path: Path
) -> None:
    name, running = server
    calm = Crawl(tmp_path / "calm", site)
    assert calm.run().code == 0
    store = url_of(name, running)
    flags = ("--store", store, *calm.flags)
    disturbed = StoredCrawl(tmp_path / "disturbed", site, flags, store=store)
    for number in range(2):
        process = disturbed.start_and_wait(12, *(["--resume"] * bool(number)))
        assert process.poll() is None, process.said()
        process.kill()
        process.communicate()
    process = disturbed.start_and_wait(12, "--resume")
    assert process.poll() is None, process.said()
    running.kill()
    running.start()
    said, told = process.communicate(timeout=600)
    assert process.returncode == 0, (said, told)
    assert "Traceback" not in told
    assert disturbed.corpus() == calm.corpus()
    opened = disturbed.open()
    try:
        assert list(opened.store.damaged()) == []
        documents = [stored.key for stored in opened.store.stored(posts=False)]
        assert len(documents) == len(set(documents)) == len(calm.corpus())
        assert opened.store.count_changes(0) >= len(documents)
    finally:
        opened.close()
