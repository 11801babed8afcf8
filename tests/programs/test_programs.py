"""Two programs with a few items each, crawled as users do; `scripts/programs` has all of them, with many more items."""

import os
import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from tests.programs.compare import Result
from tests.programs.rounds import FIRST, REFRESHED, SECOND, lost_or_wrong, play, superfluous
from thresher import urls

FORMS = re.compile(r"/(?:login|register|publish|reply|post/create|quote|report|profile|user|member)\b")
MOST_OF_A_KIND = 5  # links to forms and members that lead to nothing


@pytest.mark.slow
@pytest.mark.parametrize("name", ["pelican", pytest.param("machina", marks=pytest.mark.long)])
def test_what_the_database_holds_is_stored_and_kept_up_to_date(name: str, tmp_path: Path) -> None:
    results: dict[str, Result] = {}
    try:
        for crawl, result in play(name, tmp_path, few=True):
            assert (lost_or_wrong(crawl, result), result.wrong) == ([], []), crawl
            results[crawl] = result
    except subprocess.CalledProcessError as error:  # it is installed from the package index
        if os.environ.get("CI"):
            raise
        pytest.skip(f"{name} cannot be installed here: {error}")
    assert list(results) == [FIRST, SECOND, REFRESHED]
    assert results[SECOND].documents == results[FIRST].documents
    assert results[SECOND].requests < results[FIRST].requests
    if name == "pelican":  # a forum of so few threads shows single posts as threads
        assert results[FIRST].documents == results[FIRST].items
        assert superfluous(SECOND, results[SECOND]) == []


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize("name", ["spirit", "machina"])
def test_a_forum_is_stored_once_with_few_requests(name: str, tmp_path: Path) -> None:
    for crawl, result in play(name, tmp_path):
        assert (lost_or_wrong(crawl, result), superfluous(crawl, result)) == ([], []), crawl
        forms = Counter(urls.kind_of(f"http://site.test{path}") for path in result.asked if FORMS.search(path))
        assert max(forms.values(), default=0) <= MOST_OF_A_KIND, forms
        if crawl == SECOND:
            break
