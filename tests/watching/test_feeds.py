"""Feeds that are watched: their hubs are noted, and one that is gone is found again on its site."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.watching.site import NewsSite, serving
from tests.watching.test_watch import add, stored, thresher, wake, watch_once
from thresher.crawling.corpus import Corpus
from thresher.model import Endpoint, EndpointKind, Link
from thresher.model.source import EndpointState
from thresher.watching.lost import is_lost, replacement

RSS = '<link rel="alternate" type="application/rss+xml" href="{}">'


class Renovated(NewsSite):
    """A site that names a hub for its feeds, and whose front page announces feeds."""

    def __init__(self) -> None:
        super().__init__()
        self.announced: list[str] = []
        self.gone: set[str] = set()

    def answer(self, path: str) -> tuple[int, dict[str, str], str]:
        """Return status, headers and body."""
        if path in self.gone:
            return 410, {}, "gone"
        if path == "/":
            head = "".join(map(RSS.format, self.announced))
            return 200, {"Content-Type": "text/html"}, f"<html><head>{head}</head><body><p>Welcome.</p></body></html>"
        status, headers, body = super().answer("/daily/feed" if path == "/rss.xml" else path)
        return status, headers | {"Link": f'<{self.url}/hub>; rel="hub"'}, body


@pytest.fixture
def site() -> Iterator[Renovated]:
    with serving(Renovated()) as running:
        running.publish("daily", "The ferry was late.", "The bridge was closed.")
        yield running


def test_a_feed_that_is_gone_is_found_again_and_its_hubs_are_shown(
    site: Renovated, corpus: Corpus, tmp_path: Path
) -> None:
    feed = add(corpus, site)
    watch_once(tmp_path)
    known = corpus.catalog().endpoint("daily", feed)
    assert known is not None
    assert known.hubs == (f"{site.url}/hub",)
    site.gone.add("/daily/feed")
    site.publish("fresh", "The river rose.")
    site.announced = ["/comments/feed", "/daily/feed", "/fresh/feed"]
    wake(corpus, feed)
    watch_once(tmp_path)
    old, new = corpus.catalog().endpoint("daily", feed), corpus.catalog().endpoint("daily", f"{site.url}/fresh/feed")
    assert old is not None
    assert (old.state, old.moved_to) == (EndpointState.MOVED, f"{site.url}/fresh/feed")
    assert new is not None
    assert (new.state, new.asked, new.failures) == (EndpointState.ACTIVE, 1, 0)
    assert stored(corpus) == {"daily/0", "daily/1", "fresh/0"}
    assert corpus.catalog().tally("daily")[("stored", "article")] == 3
    assert not any(state == "refused" for state, _ in corpus.catalog().tally("daily"))
    shown = thresher(tmp_path, "sources", "show", "daily")
    assert f"{site.url}/hub" in shown
    assert "moved to" in thresher(tmp_path, "sources", "status", "--problems")


def test_a_feed_that_no_page_names_is_found_where_feeds_mostly_are(site: Renovated, tmp_path: Path) -> None:
    told = json.loads(thresher(tmp_path, "sources", "add", site.url, "-f", "json"))
    assert [(spot["kind"], spot["url"], spot["found"]) for spot in told["endpoints"]] == [
        ("feed", f"{site.url}/rss.xml", "well-known place")
    ]


def test_a_feed_is_lost_after_some_answers_or_when_it_says_so() -> None:
    feed = Endpoint(source="daily", url="https://a.example/feed", kind=EndpointKind.FEED)
    assert [is_lost(Endpoint(source="s", url="u", kind=EndpointKind.FEED, failures=times)) for times in (2, 3)] == [
        False,
        True,
    ]
    assert is_lost(Endpoint(source="s", url="u", kind=EndpointKind.FEED, state=EndpointState.GONE))
    assert not is_lost(Endpoint(source="s", url="u", kind=EndpointKind.LISTING, failures=9))
    links = [Link(f"https://a.example/{path}", 1, why) for path, why in (("x", "page"), ("tag/a/feed", "feed"))]
    assert replacement(links, [feed.url]) is None
    links += [Link(feed.url, 1, "feed"), Link("https://a.example/new", 1, "feed")]
    assert replacement(links, [feed.url]) == "https://a.example/new"
