"""The sample web, for what is fetched and crawled from Python."""

from collections.abc import Iterator

import pytest

from thresher.sample import RunningSample, SampleWeb, serve


@pytest.fixture(scope="session")
def site() -> Iterator[RunningSample]:
    with serve(SampleWeb(pages=12, crawl_delay_s=None, slow_s=0.1)) as running:
        yield running
