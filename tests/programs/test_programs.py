"""Two programs with a few items each, crawled as users do; `scripts/programs` has all of them, with many more items."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.programs.compare import Result
from tests.programs.rounds import CHANGED, FIRST, REFRESHED, SECOND, lost_or_wrong, play, superfluous


@pytest.mark.slow
@pytest.mark.parametrize("name", ["pelican", "machina"])
def test_what_the_database_holds_is_stored_and_kept_up_to_date(name: str, tmp_path: Path) -> None:
    results: dict[str, Result] = {}
    try:
        for crawl, result in play(name, tmp_path, few=True):
            assert (lost_or_wrong(crawl, result), superfluous(crawl, result, few=True)) == ([], []), crawl
            assert result.documents == result.items + len(result.gone)
            if (name, crawl) != ("machina", CHANGED):  # it shows nowhere that a post was edited
                assert result.wrong == []
            results[crawl] = result
    except subprocess.CalledProcessError as error:  # it is installed from the package index
        if os.environ.get("CI"):
            raise
        pytest.skip(f"{name} cannot be installed here: {error}")
    assert list(results) == [FIRST, SECOND, CHANGED, REFRESHED]
    assert results[SECOND].documents == results[FIRST].documents
    assert results[SECOND].requests < results[FIRST].requests / 2
    assert results[CHANGED].requests < results[REFRESHED].requests


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize("name", ["spirit", "machina"])
def test_a_forum_is_stored_once_with_few_requests(name: str, tmp_path: Path) -> None:
    for crawl, result in play(name, tmp_path):
        assert (lost_or_wrong(crawl, result), superfluous(crawl, result)) == ([], []), crawl
        if crawl == SECOND:
            break
