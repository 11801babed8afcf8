"""Which answers are worth their download."""

import pytest

from thresher.fetch.media import is_wanted

PAGE = "http://a.test/page"


@pytest.mark.parametrize(
    "content_type",
    [
        "text/html",
        "TEXT/HTML; charset=GBK",
        " text/html ;x",
        "application/xhtml+xml",
        "text/plain",
        "text/xml",
        "application/xml",
        "application/rss+xml; charset=utf-8",
        "application/atom+xml",
        "application/rdf+xml",
        "application/json",
        "application/feed+json",
        "application/ld+json",
        "",
        "html",
        ";",
    ],
)
def test_pages_feeds_and_what_does_not_say_are_wanted(content_type: str) -> None:
    assert is_wanted(content_type, PAGE)


@pytest.mark.parametrize(
    "content_type",
    [
        "image/png",
        "image/svg+xml",
        "video/mp4",
        "audio/mpeg",
        "font/woff2",
        "application/pdf",
        "application/zip",
        "application/javascript",
        "application/octet-stream",
        "application/gzip",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "text/css",
        "text/javascript",
        "text/csv",
    ],
)
def test_all_else_is_not(content_type: str) -> None:
    assert not is_wanted(content_type, PAGE)


@pytest.mark.parametrize("content_type", ["application/gzip", "application/x-gzip", "application/octet-stream"])
def test_packed_link_lists_are_wanted(content_type: str) -> None:
    assert is_wanted(content_type, "http://a.test/sitemap-1.XML.gz?x=1")
    assert is_wanted(content_type, "http://a.test/map", why="sitemap")
    assert not is_wanted(content_type, "http://a.test/release.tar.gz")
    assert not is_wanted("image/png", "http://a.test/sitemap.xml", why="sitemap")
