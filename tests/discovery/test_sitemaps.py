"""Sitemaps, their indexes, text lists, and what robots.txt says of them."""

import gzip
import resource
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.costs import costing_at_most
from thresher.discovery.links import discover_sitemap, is_feed_or_sitemap, sitemaps_from_robots
from thresher.discovery.sitemaps import MAX_SITEMAP_BYTES, unpacked

URL = "https://example.com/sitemap.xml"
SPACE = (
    'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
)


def pages(body: str | bytes) -> list[str]:
    data = body.encode() if isinstance(body, str) else body
    return [link.url for link in discover_sitemap(data, URL).links]


def urlset(*names: str) -> str:
    return f"<urlset {SPACE}>" + "".join(f"<url><loc>https://example.com/{n}</loc></url>" for n in names) + "</urlset>"


def test_a_urlset_names_pages_and_not_their_images() -> None:
    body = f"""<?xml version="1.0" encoding="UTF-8"?><urlset {SPACE}>
    <url><loc> https://example.com/a?x=1&amp;y=2 </loc><lastmod>2026-11-15</lastmod>
    <image:image><image:loc>https://example.com/i</image:loc></image:image><image:loc>https://example.com/j</image:loc></url>
    <url><loc>https://example.com/b</loc></url><url/><url><loc/></url></urlset>"""
    found = discover_sitemap(body.encode(), URL, depth=1)
    assert [link.url for link in found.links] == ["https://example.com/a?x=1&y=2", "https://example.com/b"]
    assert {(link.depth, link.why, link.found_on) for link in found.links} == {(2, "sitemap", URL)}


def test_an_index_names_sitemaps_compressed_ones_too() -> None:
    body = f"<sitemapindex {SPACE}><sitemap><loc>https://example.com/s1.xml.gz</loc></sitemap></sitemapindex>"
    assert pages(body) == ["https://example.com/s1.xml.gz"]


@pytest.mark.parametrize(
    ("names", "followed"),
    [
        (["tags-1", "posts-post-1", "posts-page-1", "users-1"], ["posts-post-1", "posts-page-1"]),
        (["post-sitemap", "post_tag-sitemap", "category-sitemap", "news"], ["post-sitemap", "news"]),
        (["author-sitemap", "page-sitemap"], ["page-sitemap", "author-sitemap"]),  # nothing names the articles
        (["news", "tax-category"], ["news", "tax-category"]),  # that is those of two days alone
    ],
)
def test_sitemaps_of_lists_are_left_beside_those_of_articles(names: list[str], followed: list[str]) -> None:
    entries = "".join(f"<sitemap><loc>https://example.com/{name}.xml</loc></sitemap>" for name in names)
    found = discover_sitemap(f"<sitemapindex {SPACE}>{entries}</sitemapindex>".encode(), URL)
    assert [link.url for link in found.links] == [f"https://example.com/{name}.xml" for name in followed]
    left = {(f"https://example.com/{name}.xml", "sitemap-of-lists") for name in names if name not in followed}
    assert set(found.skipped) == left
    assert pages(urlset("tag/posts", "category/article")) == [
        "https://example.com/tag/posts",
        "https://example.com/category/article",
    ]


@pytest.mark.parametrize(
    "body",
    [
        urlset("a", "b").encode(),
        gzip.compress(urlset("a", "b").encode()),
        gzip.compress(b"https://example.com/a\r\n\r\nhttps://example.com/b"),
        "\ufeff".encode() + urlset("a", "b").encode(),
        ("<?xml version='1.0' encoding='utf-16'?>" + urlset("a", "b")).encode("utf-16"),
        ("<?xml version='1.0' encoding='utf-16'?>" + urlset("a", "b")).encode(),
        b"\xef\xbb\xbfhttps://example.com/a\nnot a url\nhttps://example.com/b\n",
        urlset("a", "b").replace(SPACE, "").encode(),
    ],
    ids=["plain", "gzip", "gzip text", "bom", "utf-16", "utf-16 by its own account", "text", "no namespace"],
)
def test_sitemaps_come_in_many_wrappings(body: bytes) -> None:
    assert pages(body) == ["https://example.com/a", "https://example.com/b"]


def test_a_compressed_sitemap_is_told_by_its_content() -> None:
    assert is_feed_or_sitemap("application/gzip", gzip.compress(urlset("a").encode())) == "sitemap"
    assert is_feed_or_sitemap("application/gzip", gzip.compress(b"<html>")) is None
    assert is_feed_or_sitemap("application/gzip", b"\x1f\x8bbroken") is None


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (urlset("a", "b?x=1&y=2", "c"), ["a", "b?x=1&y=2", "c"]),
        (urlset("a", "b", "c")[:-30], ["a", "b"]),
        (gzip.compress(urlset("a", "b").encode())[:-4], ["a", "b"]),
        (urlset("a", "b").replace("<url>", "<url><x:y z=1>"), ["a", "b"]),
        (urlset("a", "\x01b"), ["a", "b"]),
        (urlset("a", "b").replace("http:", "htt}p:", 1), ["a", "b"]),
    ],
)
def test_of_a_broken_sitemap_what_is_there_is_read(body: str | bytes, expected: list[str]) -> None:
    assert pages(body) == [f"https://example.com/{name}" for name in expected]


def test_a_large_sitemap_is_read_up_to_the_protocols_limit() -> None:
    found = discover_sitemap(gzip.compress(urlset(*(f"page-{n}" for n in range(50_010))).encode()), URL)
    assert len(found.links) == 50_000
    assert found.links[-1].url == "https://example.com/page-49999"
    assert found.skipped == (("https://example.com/page-50000", "too-many-links"),)


def test_decompression_is_bounded() -> None:
    bomb = zlib.compressobj(9, wbits=31)
    packed = b"".join([*(bomb.compress(b" " * 1_000_000) for _ in range(200)), bomb.flush()])
    assert sum(map(len, unpacked(packed))) == MAX_SITEMAP_BYTES
    assert pages(packed) == []


@pytest.mark.parametrize(
    "filler", ["<a/>", "<a>", "<url/>", "&amp;", "x", "<url><loc>https://example.com/a</loc><b/><b/><b/><b/></url>"]
)
def test_a_bomb_costs_little_time_and_memory(filler: str) -> None:
    body = gzip.compress((f"<urlset>{filler * (20_000_000 // len(filler))}").encode(), compresslevel=1)
    before_kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with costing_at_most(20):
        assert len(pages(body)) <= 1
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before_kib < 250_000


def test_entities_are_not_expanded() -> None:
    entities = '<!ENTITY a "https://example.com/a"><!ENTITY f SYSTEM "file:///etc/passwd">'
    body = f"<!DOCTYPE x [{entities}]><urlset><url><loc>/&f;</loc></url><url><loc>/b</loc></url></urlset>"
    assert pages(body) == ["https://example.com/&f;", "https://example.com/b"]


def test_robots_txt_names_sitemaps() -> None:
    body = b"""\xef\xbb\xbfSitemap: https://example.com/a.xml
    User-agent: *\r\nDisallow: /x\r\nSITEMAP :  https://Example.com/b.xml # main\r\nsitemap:/relative.xml
    sitemap: https://example.com/a.xml
    Sitemap: ftp://example.com/c.xml
    # Sitemap: https://example.com/no.xml
    Sitemap:"""
    assert sitemaps_from_robots(body) == ["https://example.com/a.xml", "https://example.com/b.xml"]


@given(st.binary(max_size=300))
def test_any_bytes_are_a_robots_txt_and_a_sitemap(body: bytes) -> None:
    assert isinstance(sitemaps_from_robots(body), list)
    discover_sitemap(body, URL)
    discover_sitemap(b"<urlset>" + body, URL)
    discover_sitemap(b"\x1f\x8b" + body, URL)


def test_a_robots_txt_without_end_is_read_in_part() -> None:
    body = b"".join(b"Sitemap: https://example.com/%d.xml\n" % n for n in range(100_000))
    assert len(sitemaps_from_robots(body)) == 1_000
