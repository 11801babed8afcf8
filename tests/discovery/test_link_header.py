"""Feeds, further pages and hubs that the Link header of an answer names."""

from datetime import UTC, datetime

import pytest

from thresher.discovery.link_header import header_links, header_references
from thresher.discovery.links import discover_any
from thresher.model import Page


@pytest.mark.parametrize(
    ("header", "references"),
    [
        ('</feed>; rel="alternate"; type="application/rss+xml"', [("/feed", "feed")]),
        ("</atom>; type=application/atom+xml; rel=alternate; title=News", [("/atom", "feed")]),
        ('</de>; rel="alternate"; hreflang="de", </a>; rel=alternate; type="text/html"', []),
        ('<?page=2>; rel="next", </>; rel="prev start"', [("?page=2", "next"), ("/", "next")]),
        ('</x>; rel="preload"; rel="next"', []),
        ("<; rel=next, nonsense, >< ;;; rel", []),
        ("", []),
    ],
)
def test_feeds_and_further_pages_are_read(header: str, references: list[tuple[str, str]]) -> None:
    assert [(each.href, each.why) for each in header_references(header)] == references


def test_relations_are_read_in_any_case_and_only_the_beginning_of_a_huge_header_is() -> None:
    (link,) = header_links('<https://hub.example/>; REL="Hub SELF"')
    assert link.rels == {"hub", "self"}
    assert len(header_links('<https://a.example/>; rel="hub", ' * 100_000)) < 1_000


def test_a_feed_that_only_the_header_names_is_followed() -> None:
    headers = {"content-type": "text/html", "link": '</news.xml>; rel="alternate"; type="application/rss+xml"'}
    page = Page("https://example.com/", 200, b"<p>Welcome to the harbour.", datetime(2026, 11, 1, tzinfo=UTC), headers)
    assert [(link.url, link.why) for link in discover_any(page).links] == [("https://example.com/news.xml", "feed")]
