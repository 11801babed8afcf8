"""Several sources may be asked at one address: one request serves all of them."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.watching.site import NewsSite, serving
from tests.watching.test_sources_of_documents import paths, stored_by
from tests.watching.test_watch import wake, watch_once
from thresher.catalog.contract import Catalog
from thresher.crawling.corpus import Corpus
from thresher.model import Endpoint, EndpointKind, Round, Source, SourceKind, SourceState
from thresher.watching.sources import READ_EVERY_S, Sources


@pytest.fixture
def site() -> Iterator[NewsSite]:
    with serving(NewsSite()) as running:
        running.publish("daily", "The ferry was late.", "The bridge was closed.")
        yield running


def add(catalog: Catalog, name: str, address: str, **terms: object) -> None:
    catalog.add(Source(name=name, kind=SourceKind.FEED, address=address, **terms))  # type: ignore[arg-type]


def test_sources_with_one_feed_address_all_get_their_documents(site: NewsSite, corpus: Corpus, tmp_path: Path) -> None:
    feed, catalog = f"{site.url}/daily/feed", corpus.catalog()
    add(catalog, "ferries", feed, include=("/daily/0",))
    add(catalog, "bridges", feed, exclude=("/daily/0",))
    watch_once(tmp_path)
    assert site.asked.count("/daily/feed") == 1
    assert paths(tmp_path, site, "source:ferries") == ["/daily/0"]
    assert paths(tmp_path, site, "source:bridges") == ["/daily/1"]
    assert [len(catalog.rounds(name)) for name in ("ferries", "bridges")] == [1, 1]
    assert [stored_by(corpus, name) for name in ("ferries", "bridges")] == [1, 1]

    catalog.set_state("bridges", SourceState.PAUSED)
    catalog.remove("ferries")
    add(catalog, "later", feed)
    site.publish("daily", "A new pier.")
    watch_once(tmp_path)
    assert paths(tmp_path, site, "source:later") == ["/daily/0", "/daily/1", "/daily/2"]
    assert paths(tmp_path, site, "source:bridges") == ["/daily/1"]

    catalog.set_state("bridges", SourceState.ACTIVE)
    wake(corpus, feed)
    watch_once(tmp_path)
    assert "/daily/2" in paths(tmp_path, site, "source:bridges")
    assert len(catalog.rounds("bridges")) > 1


def test_the_catalog_is_read_again_only_when_it_has_changed(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    catalog, now_s, read = corpus.catalog(), [0.0], [0]
    real = catalog.sources

    def counted() -> list[Source]:
        read[0] += 1
        return real()

    monkeypatch.setattr(catalog, "sources", counted)
    monkeypatch.setattr("thresher.watching.sources.time.monotonic", lambda: now_s[0])
    add(catalog, "daily", "https://daily.test/feed")
    sources = Sources(catalog)
    assert [endpoint.source for endpoint in sources.refreshed()[0]] == ["daily"]
    sources.refreshed()  # it has an endpoint since
    read[0] = 0
    for _ in range(3):
        assert sources.refreshed() == ([], [])
    assert read == [0]
    add(catalog, "weekly", "https://weekly.test/feed")
    assert [endpoint.source for endpoint in sources.refreshed()[0]] == ["weekly"]
    sources.refreshed()
    read[0], now_s[0] = 0, READ_EVERY_S
    sources.refreshed()
    assert read == [1]


def test_rounds_do_not_count_as_changes_of_the_catalog_and_definitions_do(corpus: Corpus) -> None:
    catalog = corpus.catalog()
    versions = [catalog.version()]

    def changed() -> bool:
        versions.append(catalog.version())
        return versions[-1] > versions[-2]

    add(catalog, "daily", "https://daily.test/feed")
    assert changed()
    endpoint = Endpoint(source="daily", url="https://daily.test/feed", kind=EndpointKind.FEED)
    catalog.save_endpoints([endpoint])
    assert changed()
    catalog.record(Round(source="daily", url=endpoint.url, at=datetime.now(UTC), status=200, found=0, new=0))
    assert not changed()
    catalog.set_state("daily", SourceState.PAUSED)
    assert changed()
    catalog.remove_endpoint("daily", endpoint.url)
    assert changed()
    catalog.remove("daily")
    assert changed()
