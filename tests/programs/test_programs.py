"""Two programs with a few items each, crawled as users do; `scripts/programs` has all of them, with many more items."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.programs.rounds import broken, play


@pytest.mark.slow
@pytest.mark.parametrize("name", ["pelican", "machina"])
def test_what_the_database_holds_is_stored_once_and_nothing_else(name: str, tmp_path: Path) -> None:
    crawls = []
    try:
        for crawl, result in play(name, tmp_path, few=True):
            crawls.append(crawl)
            assert (broken(crawl, result), result.wrong) == ([], []), crawl
    except subprocess.CalledProcessError as error:  # the package index cannot be reached
        if os.environ.get("CI"):
            raise
        pytest.skip(f"{name} cannot be installed: {error}")
    assert crawls == ["first", "unchanged", "refreshed"]
