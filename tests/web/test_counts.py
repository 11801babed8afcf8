"""The whole corpus in numbers: a large one is counted beside the server, and pages come back with what was counted."""

import re
import time
from typing import Any

import pytest

from tests.web.browsers import Browser, Served
from tests.web.corpus import fill
from thresher.catalog.accounts import Scope
from thresher.web import counts

PATIENCE_S = 120.0  # for a process to start on a busy machine
# What is counted over all documents, and what of it two answers have in common.
COUNTED = {
    "/corpus.json": ("total", "languages", "lengths"),
    "/corpus/lengths.json": ("lengths",),
    "/monitor.json": ("days", "sites", "total"),
    "/search.json": ("total", "facets", "dates"),
    "/search/dates.json": ("rows",),
    "/api/v1/facets": ("counts", "dates"),
    "/api/v1/volume": ("items",),
}


@pytest.fixture
def reader(served: Served) -> Browser:
    served.do(served.site.corpora.write(fill))
    return served.program("viewer", Scope.READ)


def refuse(*_: object, **__: object) -> None:
    raise AssertionError("a large corpus is not counted in the process of the server")


def test_a_large_corpus_is_counted_beside_the_server(reader: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    small = {path: reader.get(path).json() for path in COUNTED}
    monkeypatch.setattr(counts, "LARGE", 1)
    for name in ("facets", "count"):
        monkeypatch.setattr(f"thresher.api.corpus.Corpus.{name}", refuse)
    for path, names in COUNTED.items():
        large = once_there(reader, path)
        assert {name: large[name] for name in names} == {name: small[path][name] for name in names}, path


def test_a_page_says_that_it_is_being_counted_and_comes_back(
    served: Served, reader: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counts, "LARGE", 1)
    monkeypatch.setattr(served.site.counted, "_run", never)
    browser = served.browser("viewer")
    for path in ("/corpus", "/monitor", "/search"):
        page = browser.get(path)
        assert page.status_code in (200, 202)
        assert "<progress" in page.text, path
        assert "hx-trigger" in page.text, path
    assert browser.get("/corpus.csv").status_code == 503, "an unfinished count is no empty table"
    assert browser.get("/search").text.count('class="hit"'), "hits do not wait for counts"


def test_a_page_says_when_its_numbers_were_counted(served: Served, reader: Browser) -> None:
    once_there(reader, "/corpus.json")
    page = served.browser("viewer").get("/corpus").text
    assert re.search(r"Counted \d+ s ago\.", page)
    assert "&lt;" not in page


async def never(*_: object) -> None:
    """Work out nothing."""


def once_there(reader: Browser, path: str) -> dict[str, Any]:
    """Ask until a process has worked it out."""
    until_s = time.monotonic() + PATIENCE_S
    while True:
        answer = reader.get(path)
        found: dict[str, Any] = answer.json()
        if (answer.status_code == 200 and not found.get("counting")) or time.monotonic() > until_s:
            assert answer.status_code == 200, answer.text
            return found
        assert answer.status_code in (200, 202, 503), answer.text
        time.sleep(0.2)
