"""Documents know the sources that brought them: in the store, in searches and exports, in what the catalog counts."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.watching.site import NewsSite, serving
from tests.watching.test_watch import add, thresher, wake, watch_once
from thresher.catalog.contract import STORED
from thresher.crawling.corpus import Corpus


@pytest.fixture
def site() -> Iterator[NewsSite]:
    with serving(NewsSite()) as running:
        running.publish("daily", "The ferry was late.", "The bridge was closed.")
        running.publish("weekly", "What the ferry was late for.", "A week in the harbour.")
        running.moved["/weekly/0"] = "/daily/0"
        yield running


def stored_by(corpus: Corpus, source: str) -> int:
    return sum(count for (state, _), count in corpus.catalog().tally(source).items() if state == STORED)


def paths(data: Path, site: NewsSite, *query: str) -> list[str]:
    lines = thresher(data, "search", "-f", "jsonl", *query).splitlines()
    return sorted(json.loads(line)["url"].removeprefix(site.url) for line in lines)


def test_a_document_has_every_source_that_led_to_it(site: NewsSite, corpus: Corpus, tmp_path: Path) -> None:
    add(corpus, site, "daily", tags=("sea",))
    watch_once(tmp_path)
    weekly = add(corpus, site, "weekly", channel="press", tags=("sea", "long read"))
    watch_once(tmp_path)
    shared = corpus.store.document(f"{site.url}/daily/0")
    assert shared
    assert shared.sources == ("daily", "weekly")
    assert site.asked.count("/daily/0") == 1
    by_daily, by_weekly = ["/daily/0", "/daily/1"], ["/daily/0", "/weekly/1"]
    assert paths(tmp_path, site, "source:daily") == by_daily
    assert paths(tmp_path, site, "--source", "weekly", "harbour") == by_weekly
    assert paths(tmp_path, site, "channel:press") == paths(tmp_path, site, "--tag", "long read") == by_weekly
    assert paths(tmp_path, site, "tag:sea -source:daily") == ["/weekly/1"]
    assert [stored_by(corpus, name) for name in ("daily", "weekly")] == [2, 2]
    wake(corpus, weekly)
    watch_once(tmp_path)
    assert [stored_by(corpus, name) for name in ("daily", "weekly")] == [2, 2]


def test_sources_are_exported_shown_and_indexed_again(site: NewsSite, corpus: Corpus, tmp_path: Path) -> None:
    for name in ("daily", "weekly"):
        add(corpus, site, name)
    watch_once(tmp_path)
    exported = [json.loads(line) for line in thresher(tmp_path, "export", "source:weekly").splitlines()]
    assert {row["url"].removeprefix(site.url): set(row["sources"]) for row in exported} == {
        "/daily/0": {"daily", "weekly"},
        "/weekly/1": {"weekly"},
    }
    shown = json.loads(thresher(tmp_path, "show", "-f", "json", f"{site.url}/weekly/1"))
    assert shown["sources"] == ["weekly"]
    thresher(tmp_path, "reindex", "--rebuild")
    assert paths(tmp_path, site, "source:weekly") == ["/daily/0", "/weekly/1"]
