"""The sample web, served for the crawl tests."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.crawl.harness import Crawl
from thresher.sample import RunningSample, SampleWeb, serve


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
