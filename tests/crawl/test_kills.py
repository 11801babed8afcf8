"""kill -9 at random moments, then resume: the corpus of an undisturbed crawl, nothing lost and nothing doubled."""

import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.crawl.harness import Crawl
from thresher.sample import RunningSample, SampleWeb, serve


@pytest.fixture(
    scope="module",
    params=[pytest.param((150, 6), id="6 kills"), pytest.param((500, 12), id="12 kills", marks=pytest.mark.long)],
)
def scale(request: pytest.FixtureRequest) -> tuple[int, int]:
    """Pages and kills."""
    pages, kills = request.param
    return pages, kills


@pytest.fixture(scope="module")
def big_site(scale: tuple[int, int]) -> Iterator[RunningSample]:
    with serve(SampleWeb(pages=scale[0], crawl_delay_s=None, slow_s=0.2)) as running:
        yield running


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_crawl_killed_again_and_again_brings_the_same_corpus(
    big_site: RunningSample, scale: tuple[int, int], tmp_path: Path
) -> None:
    calm = Crawl(tmp_path / "calm", big_site)
    assert calm.run().code == 0
    chance = random.Random(7)
    disturbed = Crawl(tmp_path / "disturbed", big_site)
    killed = 0
    while killed < scale[1]:
        process = disturbed.start_and_wait(chance.randint(1, scale[0] // scale[1]), *(["--resume"] * bool(killed)))
        time.sleep(chance.uniform(0.0, 0.2))
        if process.poll() is not None:
            break
        process.kill()
        process.communicate()
        killed += 1
    assert killed == scale[1], f"the crawl was over after {killed} kills, with {process.returncode}"
    assert disturbed.run("--resume").code == 0
    assert disturbed.corpus() == calm.corpus()
    report = disturbed.report()
    assert (report.census.pending, report.census.delayed, report.census.leased) == (0, 0, 0)
    stored = sum(count for (state, _), count in report.tally.items() if state in ("stored", "skipped"))
    assert report.census.done == stored
