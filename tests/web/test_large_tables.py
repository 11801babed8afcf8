"""Tables of 10,000 rows: in pages that are small and follow each other to the last row, whole as CSV."""

import logging
import re
from datetime import UTC, datetime, timedelta
from html import unescape
from pathlib import Path

import pytest

from tests.web.browsers import Browser, Served
from thresher import logs, wiring
from thresher.config import Settings
from thresher.model import Fate, Source, SourceKind

MANY = 10_000
MOST_BYTES = 600_000  # of a page, before it is compressed
NOW = datetime(2026, 11, 19, 8, tzinfo=UTC)


def pages_from(browser: Browser, path: str) -> tuple[int, int, int]:
    """Follow a table to its end; return how many rows and pages it has, and the size of the largest page."""
    rows = pages = largest = 0
    link: str | None = path
    while link:
        answer = browser.get(link)
        assert answer.status_code == 200, answer.text
        text = answer.text
        rows, pages, largest = rows + text.count("<tr data-row"), pages + 1, max(largest, len(text.encode()))
        found = re.search(r'href="([^"]+)" rel="next"', text)
        link = unescape(found[1]) if found else None
    return rows, pages, largest


@pytest.mark.long
def test_ten_thousand_sources_are_shown_in_pages_and_found(served: Served, settings: Settings) -> None:
    catalog = wiring.open_catalog(settings)
    for number in range(MANY):
        address = f"https://site-{number}.example/"
        catalog.add(Source(name=f"site-{number}", kind=SourceKind.SITE, address=address, created_at=NOW), [])
    catalog.close()
    viewer = served.browser("viewer")
    rows, pages, largest = pages_from(viewer, "/sources?sort=name")
    assert (rows, pages) == (MANY, MANY / 200)
    assert largest < MOST_BYTES
    assert viewer.get("/sources.csv").text.count("\n") == MANY + 1
    assert pages_from(viewer, "/sources?q=site-9999")[0] == 1


@pytest.mark.long
def test_the_pages_of_a_crawl_and_its_log_are_shown_in_pages(served: Served, settings: Settings) -> None:
    corpus = wiring.open_corpus(settings)
    run = corpus.store.start_run(["https://harbour.example/"], {"scope": {}, "limit": None, "refresh": False}, NOW)
    urls = [f"https://harbour.example/{number}" for number in range(MANY)]
    corpus.store.note([Fate(url, run.id, "skipped", "listing", NOW + timedelta(seconds=1)) for url in urls])
    corpus.close()
    viewer = served.browser("viewer")
    rows, pages, largest = pages_from(viewer, f"/crawls/{run.id}/pages")
    assert (rows, pages) == (MANY, MANY / 100)
    assert largest < MOST_BYTES
    assert viewer.get(f"/crawls/{run.id}/pages.csv").text.count("\n") == MANY + 1


def test_a_long_log_is_shown_in_pages(served: Served, settings: Settings) -> None:
    writer = logs.EcsFormatter("crawl")
    told = [{"msg": f"line {number}", "levelno": logging.INFO, "worker": f"w-{number}"} for number in range(MANY // 10)]
    folder = Path(settings.data) / logs.FOLDER
    lines = [writer.format(logging.makeLogRecord(each)) for each in told]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / logs.NAME).write_text("\n".join(lines) + "\n", "utf-8")
    rows, pages, largest = pages_from(served.browser("viewer"), "/logs?every=1")
    assert (rows, pages) == (MANY // 10, 4)
    assert largest < MOST_BYTES


def test_crawls_are_listed_in_pages(served: Served, settings: Settings) -> None:
    corpus = wiring.open_corpus(settings)
    for number in range(120):
        corpus.store.start_run([f"https://site-{number}.example/"], {"scope": {}, "limit": 1, "refresh": False}, NOW)
    corpus.close()
    assert pages_from(served.browser("viewer"), "/crawls")[:2] == (120, 3)
