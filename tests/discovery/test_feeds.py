"""RSS, Atom and JSON feeds, well-made, broken and hostile."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.costs import costing_at_most
from thresher.discovery.feeds import feed_hubs, feed_topic
from thresher.discovery.links import discover_feed, is_feed_or_sitemap
from thresher.discovery.references import time_of

URL = "https://example.com/feeds/all"
RDF = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"'
ATOM = 'xmlns="http://www.w3.org/2005/Atom"'


def entries(body: str | bytes, content_type: str = "") -> list[str]:
    data = body.encode() if isinstance(body, str) else body
    found = discover_feed(data, URL, content_type)
    return [link.url for link in found.links if link.why == "feed"]


@pytest.mark.parametrize(
    "body",
    [
        "<rss version='0.91'><channel><item><title>A</title><link>https://example.com/a</link></item></channel></rss>",
        "<rss><channel><link>https://example.com/</link><item><link>\n /a\n</link></item></channel></rss>",
        "<rss><channel><item><link><![CDATA[https://example.com/a]]></link></item></channel></rss>",
        "<rss><channel><item><guid>https://example.com/a</guid></item></channel></rss>",
        "<rss><channel><item><guid>https://example.com/a</guid><link>/a</link></item></channel></rss>",
        "<rss xmlns:f='http://rssnamespace.org/feedburner/ext/1.0'><item><link>http://proxy.example/1</link>"
        "<f:origLink>https://example.com/a</f:origLink></item></rss>",
        f"<rdf:RDF {RDF}><channel/><item rdf:about='x'><link>https://example.com/a</link></item></rdf:RDF>",
        f"<feed {ATOM}><entry><link href='/a'/></entry></feed>",
        f"<feed {ATOM}><entry><link rel='edit' href='/e'/><link rel='alternate' href='/a'/></entry></feed>",
        f"<feed {ATOM}><entry><link type='audio/ogg' href='/j'/><link type='text/html' href='/a'/></entry></feed>",
        f"<feed {ATOM}><entry><id>https://example.com/a</id></entry></feed>",
        f"<feed {ATOM} xml:base='https://example.com/x/'><entry xml:base='../'><link href='a'/></entry></feed>",
        json.dumps({"version": "https://jsonfeed.org/version/1.1", "items": [{"id": "1", "url": "/a"}]}),
        json.dumps({"items": [{"id": "https://example.com/a"}, {"id": 5}, "x", None]}),
    ],
)
def test_every_kind_of_feed_names_its_entries(body: str) -> None:
    assert entries(body) == ["https://example.com/a"]
    assert entries("\ufeff" + body) == ["https://example.com/a"]


def test_entries_keep_their_order_and_say_so() -> None:
    body = "<rss><channel>" + "".join(f"<item><link>/{n}</link></item>" for n in range(5)) + "</channel></rss>"
    found = discover_feed(body.encode(), URL, depth=3)
    assert [link.url for link in found.links] == [f"https://example.com/{n}" for n in range(5)]
    assert {(link.depth, link.why, link.found_on) for link in found.links} == {(4, "feed", URL)}


@pytest.mark.parametrize(
    "body",
    [
        f"<feed {ATOM}><link rel='self' href='/feeds/all'/><link rel='next' href='?page=2'/></feed>",
        f"<rss><channel><a:link xmlns:a='{ATOM[7:-1]}' rel='next' href='?page=2'/></channel></rss>",
        json.dumps({"next_url": "https://example.com/feeds/all?page=2", "items": "none"}),
    ],
)
def test_a_feed_in_pages_leads_to_the_next(body: str) -> None:
    (link,) = discover_feed(body.encode(), URL).links
    assert (link.url, link.why) == ("https://example.com/feeds/all?page=2", "next")


def test_a_chinese_feed_is_read_in_its_encoding() -> None:
    body = "<?xml version='1.0' encoding='gb2312'?><rss><title>新闻</title><item><link>/路</link></item></rss>"
    assert entries(body.encode("gbk")) == ["https://example.com/%E8%B7%AF"]
    undeclared = body.replace(" encoding='gb2312'", "").encode("gbk")
    assert entries(undeclared, "text/xml; charset=GBK") == ["https://example.com/%E8%B7%AF"]
    assert entries(body.replace("gb2312", "utf-16").encode("utf-16")) == ["https://example.com/%E8%B7%AF"]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<rss><channel><item><link>/a?x=1&y=2</link></item></channel></rss>", ["a?x=1&y=2"]),
        ("<rss><item><title>&nbsp;&copy</title><link>/a</link></item></rss>", ["a"]),
        ("<rss><item><link>/a</link></item><item><link>/b</link></item><item><li", ["a", "b"]),
        ("<rss><item><link>/a</link><title><b>x</title></item><item><link>/b</link></item></rss>", ["a", "b"]),
        ("<b>Warning</b>: oops\n<?xml version='1.0'?><rss><item><link>/a</link></item></rss>", ["a"]),
        ("\n\n<!-- x --><?php?><?xml version='1.0'?><rss><item><link>/a</link></item></rss>", ["a"]),
        ("<rss><item><title>\x01\x0b</title><link>/a</link></item></rss>", ["a"]),
        ("<rss><x:y><item><media:z/><link>/a</link></item></x:y></rss>", ["a"]),
        (
            "<!DOCTYPE rss PUBLIC '-//N//DTD RSS 0.91//EN' 'http://h/rss.dtd'><rss><item><link>/a</link></item></rss>",
            ["a"],
        ),
    ],
)
def test_of_a_broken_feed_what_is_there_is_read(body: str, expected: list[str]) -> None:
    assert entries(body) == [f"https://example.com/{name}" for name in expected]


def laughs(root: str) -> str:
    entities = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
    return f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY l0 "lol">{entities}]>{root}'


BEFORE, AFTER = "<item><link>/a</link></item>", "<item><link>/b</link></item>"


@pytest.mark.parametrize(
    "body",
    [
        laughs(f"<rss>{BEFORE}<item><link>&l11;</link></item>{AFTER}</rss>"),
        laughs(f"<rss>{BEFORE}<item><link href='&l11;'/></item>{AFTER}</rss>"),
        laughs(f"<rss>{BEFORE}{AFTER}</rss>").replace("lol", "]>"),
        f"<!DOCTYPE x [<!ENTITY f SYSTEM 'file:///etc/passwd'>]><rss>{BEFORE}<item><link>&f;</link></item>{AFTER}</rss>",
        f"<!DOCTYPE x [<!ENTITY % f SYSTEM 'http://127.0.0.1:9/x'> %f;]><rss>{BEFORE}{AFTER}</rss>",
        f"<rss>{BEFORE}{AFTER}{'<a>' * 100_000}</rss>",
        f"<rss>{BEFORE}{AFTER}{'<a/>' * 1_000_000}</rss>",
        f"<rss>{BEFORE}{AFTER}{'&' * 1_000_000}</rss>",
        f"{'<!DOCTYPE [' * 10}<rss>{BEFORE}{AFTER}</rss>",
        f"<rss>{BEFORE}{AFTER}{'<!DOCTYPE [' * 200_000}</rss>",
    ],
    ids=lambda body: ascii(body[-40:]),
)
def test_a_bomb_costs_little_and_reads_no_file(body: str) -> None:
    with costing_at_most(5):
        found = entries(body)
    assert found[0] == "https://example.com/a"
    assert not any("root" in url or "lol" in url for url in found)


@pytest.mark.parametrize(
    "body", ["", " ", "<", "<rss", "hello", "{", "{}", "[]", "[" * 100_000, '{"items":' * 100_000, "\x00"]
)
def test_what_is_no_feed_has_no_entries(body: str) -> None:
    assert entries(body) == []


@settings(max_examples=150)
@given(st.binary(max_size=200), st.sampled_from([b"", b"<rss><item><link>", b'{"items":[', b"<feed>", b"\x1f\x8b"]))
def test_any_bytes_are_read_without_complaint(body: bytes, start: bytes) -> None:
    discover_feed(start + body, URL)
    is_feed_or_sitemap("", start + body)


@pytest.mark.parametrize(
    ("content_type", "body", "kind"),
    [
        ("text/html", "<!DOCTYPE html><html><body><rss></body></html>", None),
        ("text/html", "<!-- <rss> --><p>about feeds", None),
        ("text/html", "", None),
        ("", "<?xml version='1.0'?>\n<!-- c -->\n<rss version='2.0'>", "feed"),
        ("text/html", "\ufeff  <feed xmlns='http://www.w3.org/2005/Atom'>", "feed"),
        ("", "<!DOCTYPE rss [<!ENTITY a '>'>]><rss>", "feed"),
        ("", f"<rdf:RDF {RDF}>", "feed"),
        ("", "<rdf:RDF xmlns:rdf='x' xmlns:foaf='y'>", None),
        ("application/xhtml+xml", "<?xml version='1.0'?><html>", None),
        ("application/rss+xml; charset=utf-8", "<br/>Warning<?xml?><rss>", "feed"),
        ("application/rss+xml", "<!doctype html><html>", None),
        ("application/json", '{"version": "https://jsonfeed.org/version/1"}', "feed"),
        ("application/json", '{"items": []}', None),
        ("text/xml", "<?xml version='1.0'?><urlset xmlns='x'>", "sitemap"),
        ("text/xml", "<s:sitemapindex xmlns:s='x'>", "sitemap"),
        ("text/plain", "https://h/a\nhttps://h/b\nhttps://h/unfin", "sitemap"),
        ("text/plain", "https://h/a\nand more\n", None),
        ("text/plain", "\n\n", None),
        ("text/html", "https://h/a\nhttps://h/b\n", None),
    ],
)
def test_feeds_and_sitemaps_are_told_from_pages(content_type: str, body: str, kind: str | None) -> None:
    assert is_feed_or_sitemap(content_type, body.encode()) == kind
    if content_type == "text/xml":
        assert is_feed_or_sitemap(content_type, body.encode("utf-16")) == kind


def test_the_hubs_of_a_feed_are_told_from_its_links_and_headers() -> None:
    feed = f"<feed {ATOM}><link rel='hub' href='https://hub.example/'/><link rel='self' href='/feed'/></feed>"
    header = '<https://other.example/hub>; rel="hub", <https://example.com/feed>; rel="self"'
    hubs = feed_hubs(feed.encode(), "https://example.com/feed", link_header=header)
    assert hubs == ["https://other.example/hub", "https://hub.example/"]
    assert feed_hubs(b"{}", "https://example.com/feed") == []


def test_a_feed_is_known_to_its_hubs_by_the_address_that_it_gives_itself() -> None:
    url = "https://example.com/feed"
    named = (
        f"<feed {ATOM}><link rel='alternate self' href='/Feed?a=1&amp;b'/><entry><link rel='self' href='/1'/></entry>"
    )
    assert feed_topic(named.encode(), url) == "https://example.com/Feed?a=1&b"
    assert feed_topic(named.encode(), url, '<https://other.example/>; rel="self"') == "https://other.example/"
    for body in (
        b"<rss/>",
        b"<feed><entry><link rel='self' href='/1'/></entry>",
        b"<link rel='self' href='mailto:x'/>",
    ):
        assert feed_topic(body, url) == url


@pytest.mark.parametrize(
    "told",
    ["Mon, 01 Jan 2024 00:00:00 +99999999999999", "Mon, 99 Jan 99999999999 00:00:00 GMT", "yesterday", "", "-1", None],
)
def test_a_time_that_makes_no_sense_is_none(told: str | None) -> None:
    assert time_of(told) is None


@pytest.mark.parametrize(
    "entry",
    [
        "<rss><channel><item><link>http://a.test/1</link><title>A</title>"
        "<description>&lt;p class='x9'&gt;{}&lt;/p&gt;</description></item></channel></rss>",
        "<feed xmlns='http://www.w3.org/2005/Atom'><entry><link href='http://a.test/1'/><title>A</title>"
        "<content type='xhtml'><div xmlns='http://www.w3.org/1999/xhtml'>{}</div></content></entry></feed>",
        '{{"items": [{{"url": "http://a.test/1", "title": "A", "content_html": "<p class=x9>{}</p>"}}]}}',
    ],
)
def test_a_feed_marks_what_it_says_of_an_entry(entry: str) -> None:
    def mark(said: str, body: str = entry) -> str:
        (link,) = discover_feed(body.format(said).encode(), "http://a.test/feed").links
        return link.mark

    assert mark("The ferry left.") == mark("The  ferry\\nleft.".replace("\\n", " "))
    assert mark("The ferry left.") == mark("The ferry left.", entry.replace("x9", "x10"))  # markup is nothing said
    assert mark("The ferry left.") != mark("The ferry stayed.")
    assert mark("The ferry left at 9.") != mark("The ferry left at 10.")
