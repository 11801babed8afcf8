"""The sample web, served for the crawl tests, and fleets that crawl it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.crawl.fleet import Fleet, Found
from tests.crawl.harness import Crawl
from tests.servers import Server
from thresher.frontier.server import Server as Connection
from thresher.sample import RunningSample, SampleWeb, serve

DATABASE = 3  # of the Redis server that tests share


@pytest.fixture(scope="module")
def site() -> Iterator[RunningSample]:
    with serve(SampleWeb(pages=60, crawl_delay_s=None, slow_s=0.2)) as running:
        yield running


@pytest.fixture
def new_crawl(tmp_path: Path, site: RunningSample) -> Callable[..., Crawl]:
    """Make crawls with data folders of their own; the server's log starts empty."""
    site.server.forget()

    def make(name: str = "data", *flags: str) -> Crawl:
        return Crawl(tmp_path / name, site, *([flags] if flags else []))

    return make


@pytest.fixture(scope="session")
def small_site() -> Iterator[RunningSample]:
    with serve(SampleWeb(pages=10, crawl_delay_s=None, slow_s=0.2)) as running:
        yield running


@pytest.fixture
def fleet(tmp_path: Path, redis_process: Server, postgresql_url: str) -> Fleet:
    """A fleet whose database in Redis and store are empty."""
    frontier = f"{redis_process.url.rpartition('/')[0]}/{DATABASE}"
    connection = Connection(frontier)
    connection.call("FLUSHDB")
    connection.close()
    return Fleet(tmp_path, frontier, postgresql_url)


@pytest.fixture(scope="session")
def calm(small_site: RunningSample, tmp_path_factory: pytest.TempPathFactory) -> list[Found]:
    """What one crawl without servers collects."""
    alone = Fleet(tmp_path_factory.mktemp("calm"), "", "")
    assert alone.run("crawl", *small_site.starts, "-q").returncode == 0
    return alone.documents()
