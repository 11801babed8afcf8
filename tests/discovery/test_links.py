"""From an HTML page, or a document of any kind, to its links."""

from datetime import UTC, datetime

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from lxml import etree

from tests.costs import costing_at_most
from thresher import urls
from thresher.discovery.links import MAX_LINKS, Found, discover, discover_any, discover_sitemap, priority_of
from thresher.discovery.not_pages import is_page
from thresher.errors import NotHtml
from thresher.html import parse
from thresher.model import Page

URL = "https://example.com/news/index.html"


def found_in(body: str, *, url: str = URL, depth: int = 0, robots_tag: str = "") -> Found:
    return discover(parse(body, url=url), url, depth=depth, robots_tag=robots_tag)


def targets(found: Found) -> list[str]:
    return [link.url for link in found.links]


def test_links_come_canonical_once_and_in_document_order() -> None:
    found = found_in(
        """<a href="b.html#top">B</a> <map><area href="/c?utm_source=x&amp;id=1"></map>
        <a href="HTTPS://EXAMPLE.com:443/news/b.html">B again</a> <a href=" ../d ">D</a> <a href="//other.example">O"""
    )
    assert targets(found) == [
        "https://example.com/news/b.html",
        "https://example.com/c?id=1",
        "https://example.com/d",
        "https://other.example/",
    ]
    assert not found.skipped


def test_a_link_says_where_why_and_how_deep_it_was_found() -> None:
    (link,) = found_in("<a href=x>x</a>", depth=2).links
    assert (link.depth, link.why, link.found_on) == (3, "page", URL)
    assert link.priority == priority_of("page", 3)


def test_what_leads_to_no_other_page_is_passed_over() -> None:
    found = found_in(
        """<a>none</a><a href="">here</a><a href="#a">here</a><a href="index.html#b">here</a>
        <a href="mailto:a@b.c">m</a><a href="javascript:void(0)">j</a><a href="tel:1">t</a>
        <link rel=canonical href="/c"><link rel=stylesheet href="/s">
        <link rel=alternate hreflang=de href="/de"><iframe src="/ad"></iframe><img src="/i.png">"""
    )
    assert (found.links, found.skipped) == ((), ())


def test_feeds_and_next_pages_are_known_and_come_first() -> None:
    found = found_in(
        """<head><link rel="alternate" type="application/rss+xml; charset=utf-8" href="/rss">
        <link rel="alternate" type="application/feed+json" href="/feed.json"><link rel="next" href="?page=2"></head>
        <body><a href="/story">S</a><a href="?page=3"> 下一页 </a><a rel="prev" href="?page=0">0</a>"""
    )
    assert [(link.url, link.why) for link in found.links] == [
        ("https://example.com/rss", "feed"),
        ("https://example.com/feed.json", "feed"),
        ("https://example.com/news/index.html?page=2", "next"),
        ("https://example.com/story", "page"),
        ("https://example.com/news/index.html?page=3", "next"),
        ("https://example.com/news/index.html?page=0", "next"),
    ]
    order = [priority_of(why, 1) for why in ("start", "feed", "next", "page", "sitemap")]
    assert order == sorted(order, reverse=True)
    assert priority_of("page", 1) > priority_of("page", 2) > priority_of("page", 9) > priority_of("sitemap", 1)


def test_a_target_named_twice_keeps_the_better_reason_and_the_first_place() -> None:
    found = found_in('<a href="/2">2</a><a href="/3">3</a><a href="/2" rel=next>on</a>')
    assert [(link.url, link.why) for link in found.links] == [
        ("https://example.com/2", "next"),
        ("https://example.com/3", "page"),
    ]


def test_frames_and_refreshes_are_followed() -> None:
    assert targets(found_in('<frameset><frame src="menu.html"><frame src="main.html"></frameset>')) == [
        "https://example.com/news/menu.html",
        "https://example.com/news/main.html",
    ]
    for content in ("0;url=/new", "0; URL='/new'", " 5 , /new", ";url = /new"):
        found = found_in(f'<meta http-equiv="Refresh" content="{content}">')
        assert targets(found) == ["https://example.com/new"], content
    assert not found_in('<meta http-equiv=refresh content="30"><meta name=refresh content="0;url=/x">').links


def test_base_href_moves_relative_links() -> None:
    assert targets(found_in('<base href="/other/"><a href="x">x</a>')) == ["https://example.com/other/x"]
    for bad in ("javascript:0", "http://", "http://exa mple/", "http://me:pass@h/", "http://[", "http://h:99999/"):
        assert targets(found_in(f'<base href="{bad}"><a href="x">x</a>')) == ["https://example.com/news/x"], bad


def test_the_query_is_spelled_in_the_encoding_of_the_page() -> None:
    body = '<meta charset=gbk><p>新闻中文网页内容在此</p><a href="/s?q=中文">s</a>'.encode("gbk")
    assert targets(discover(parse(body, url=URL), URL)) == ["https://example.com/s?q=%D6%D0%CE%C4"]


def test_a_form_that_comes_back_to_the_page_is_left() -> None:
    url = "https://example.com/topic/5/a-skiff/"
    found = found_in('<a href="/login/?next=/topic/5/a-skiff/">Log in</a><a href="/topic/?id=5">on</a>', url=url)
    assert targets(found) == ["https://example.com/topic/?id=5"]
    assert found.skipped == (("https://example.com/login/?next=/topic/5/a-skiff/", "sign-in"),)


def test_nofollow_on_a_link_is_honoured_and_reported() -> None:
    found = found_in(
        """<a rel="nofollow" href="/a">a</a><a rel="ugc NoFollow" href="/b">b</a><a rel=sponsored href="/c">c</a>
        <a rel="ugc noopener" href="/d">d</a><a href="/a2">a</a><a rel=nofollow href="/a2">again</a>"""
    )
    assert targets(found) == ["https://example.com/d", "https://example.com/a2"]
    assert found.skipped == tuple((f"https://example.com/{name}", "nofollow") for name in "abc")
    assert not found.nofollow


@pytest.mark.parametrize(
    ("head", "robots_tag", "noindex", "nofollow"),
    [
        ("", "", False, False),
        ('<meta name="robots" content="noindex">', "", True, False),
        ('<meta name="ROBOTS" content="NoIndex,NoFollow">', "", True, True),
        ('<meta name="robots" content="none">', "", True, True),
        ('<meta name="robots" content="index, follow">', "", False, False),
        ('<meta name="robots" content="noindex follow">', "", True, False),
        ('<meta name="thresher" content="nofollow"><meta name=robots content="all">', "", False, True),
        ('<meta name="googlebot" content="none">', "", False, False),
        ("<meta name=robots><meta content=none>", "", False, False),
        ("", "noindex", True, False),
        ("", "NOINDEX, nofollow", True, True),
        ("", "googlebot: noindex, nofollow", False, False),
        ("", "googlebot: noindex, thresher: nofollow", False, True),
        ("", "Thresher: none", True, True),
        ("", "noindex, googlebot: nofollow", True, False),
        ("", "otherbot: none, *: nofollow", False, True),
        ("", "unavailable_after: 25 Jun 2030 15:00:00 PST, noindex", True, False),
        ("", "max-snippet: 20, max-image-preview:large, nofollow", False, True),
        ("", "unavailable_after: Wed, 03 Dec 2030 13:09:53 GMT", False, False),
        ("", ":::,,, :", False, False),
        ('<meta name="robots" content="noindex">', "nofollow", True, True),
    ],
)
def test_what_a_page_asks_of_robots_is_read(head: str, robots_tag: str, noindex: bool, nofollow: bool) -> None:
    found = found_in(f'<head>{head}</head><a href="/a">a</a>', robots_tag=robots_tag)
    assert (found.noindex, found.nofollow) == (noindex, nofollow)
    assert bool(found.links) is not nofollow
    assert found.skipped == ((("https://example.com/a", "nofollow"),) if nofollow else ())


@pytest.mark.parametrize(
    ("url", "why", "expected"),
    [
        ("http://h/a.JPG", "page", False),
        ("http://h/a.pdf?x=1.html", "page", False),
        ("http://h/a.tar.gz", "page", False),
        ("http://h/a.html?file=x.zip", "page", True),
        ("http://h/a.php", "page", True),
        ("http://h/example.com", "page", True),
        ("http://h/v1.2/", "page", True),
        ("http://h/pdf", "page", True),
        ("http://h/sitemap.xml.gz", "sitemap", True),
        ("http://h/feed.json", "feed", True),
        ("http://h/feed.json", "page", False),
        ("http://h/episode.mp3", "feed", False),
    ],
)
def test_files_that_are_no_pages_are_known_by_their_names(url: str, why: str, expected: bool) -> None:
    assert is_page(url, why) is expected


def test_no_pages_and_bad_urls_are_reported_without_secrets() -> None:
    found = found_in(
        """<a href="/a.pdf">pdf</a><a href="/b" download>b</a><a href="http://h:99999/">port</a>
        <a href="http://me:secret@h/">me</a><a href="https://exa mple/">blank</a>"""
    )
    assert not found.links
    assert found.skipped == (
        ("https://example.com/a.pdf", "not-a-page"),
        ("https://example.com/b", "not-a-page"),
        ("http://h:99999/", "bad-url"),
        ("http://***@h/", "bad-url"),
        ("https://exa mple/", "bad-url"),
    )


def test_a_page_of_countless_links_stays_bounded_and_says_so_once() -> None:
    with costing_at_most(10):
        found = found_in("".join(f"<a href=/{n}>x</a>" for n in range(200_000)))
    assert len(found.links) == MAX_LINKS
    assert found.skipped == ((f"https://example.com/{MAX_LINKS}", "too-many-links"),)


def test_countless_bad_links_stay_bounded_too() -> None:
    found = found_in(
        "".join(f"<a href=http://[{n}>x</a><a href=javascript:{n}>" for n in range(30_000)) + "<a href=/x>"
    )
    assert not found.links
    assert len(found.skipped) == MAX_LINKS + 1
    assert found.skipped[-1][1] == "too-many-links"


def test_the_same_link_countless_times_is_one() -> None:
    found = found_in("<a href=/x>x</a>" * 50_000 + "<a href=/y>y</a>")
    assert targets(found) == ["https://example.com/x", "https://example.com/y"]
    assert not found.skipped


def test_the_tree_is_left_as_it_was() -> None:
    tree = parse('<base href="/b/"><p>a <a href=" x ">b</a> c</p>', url=URL)
    before = etree.tostring(tree.root)
    discover(tree, URL)
    assert etree.tostring(tree.root) == before


MARKUP = """<a href= | " | ' | > | </a> | <meta name=robots content= | <base href= | http:// | // | ? | # | % | [ | é
    | <link rel=next href= | <meta http-equiv=refresh content=0;url= | <frame src= | : | @ | \\ | . | h"""
PIECES = st.one_of(st.text(max_size=20), st.sampled_from([piece.strip() for piece in MARKUP.split("|")]))


@settings(max_examples=200)
@given(st.lists(PIECES, max_size=20), st.text(max_size=30))
def test_any_markup_gives_canonical_links_only(pieces: list[str], robots_tag: str) -> None:
    try:
        found = found_in("<p>" + "".join(pieces), robots_tag=robots_tag)
    except NotHtml:
        reject()
    for link in found.links:
        assert urls.canonical(link.url) == link.url
    assert len({link.url for link in found.links}) == len(found.links)
    assert not {link.url for link in found.links} & {url for url, _ in found.skipped}


def page(body: bytes, **headers: str) -> Page:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Page(URL, 200, body, datetime(2026, 11, 15, tzinfo=UTC), named)


def test_a_document_of_any_kind_is_read_for_what_it_is() -> None:
    html = page(b"<a href=/a>a</a>", content_type="text/html", x_robots_tag="noindex")
    rss = page(b"<rss><channel><item><link>/b</link></item></channel></rss>", content_type="text/xml")
    sitemap = page(b"<urlset><url><loc>https://example.com/c</loc></url></urlset>", content_type="text/html")
    assert [(link.url, link.why, link.depth) for link in discover_any(html, depth=1).links] == [
        ("https://example.com/a", "page", 2)
    ]
    assert discover_any(html).noindex
    assert [(link.url, link.why) for link in discover_any(rss).links] == [("https://example.com/b", "feed")]
    assert [(link.url, link.why) for link in discover_any(sitemap).links] == [("https://example.com/c", "sitemap")]


def test_a_tree_at_hand_is_not_parsed_again() -> None:
    tree = parse("<a href=/from-the-tree>x</a>", url=URL)
    found = discover_any(page(b"<a href=/from-the-body>x</a>", content_type="text/html"), tree=tree)
    assert targets(found) == ["https://example.com/from-the-tree"]


def test_nofollow_in_the_header_holds_for_feeds_and_sitemaps_too() -> None:
    body = b"<rss><channel><item><link>/b</link></item></channel></rss>"
    found = discover_any(page(body, content_type="text/xml", x_robots_tag="nofollow"))
    assert not found.links
    assert found.skipped == (("https://example.com/b", "nofollow"),)


def test_feeds_of_comments_are_told_by_their_names() -> None:
    feed = '<link rel="alternate" type="application/rss+xml" title="{}" href="{}">'
    found = found_in(feed.format("The Gull » Comments Feed", "/c") + feed.format("The Gull", "/comments/feed/"))
    assert [link.why for link in found.links] == ["comments", "comments"]
    found = found_in(
        feed.format("小报 » 评论", "/a") + feed.format("Comments on trade, from The Commentator weekly", "/b")
    )
    assert [link.why for link in found.links] == ["comments", "feed"]


def test_the_feed_of_a_page_below_the_start_waits_longer() -> None:
    body = '<link rel="alternate" type="application/rss+xml" href="/tag/feed">'
    assert [link.why for link in found_in(body, depth=1).links] == ["subfeed"]
    assert priority_of("subfeed", 2) < priority_of("page", 2) < priority_of("feed", 2)


def test_the_first_of_several_pages_is_called_by_its_address_without_a_number() -> None:
    body = '<a href="/t/9">T</a> <a href="/t/9?page=1"> 1 </a> <a href="/t/9?page=2">2</a>'
    assert targets(found_in(body)) == ["https://example.com/t/9", "https://example.com/t/9?page=2"]
    counted_from_nought = '<a href="/t/9">1</a> <a href="/t/9?page=1">2</a>'
    assert targets(found_in(counted_from_nought)) == ["https://example.com/t/9", "https://example.com/t/9?page=1"]


def test_the_files_of_a_sitemap_come_before_its_pages() -> None:
    entries = "<sitemap><loc>https://example.com/map-2.xml.gz</loc></sitemap>"
    index = f'<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</sitemapindex>'.encode()
    (file,) = discover_sitemap(index, "https://example.com/map.xml").links
    body = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/a</loc></url></urlset>'
    (page,) = discover_sitemap(body.encode(), "https://example.com/map-2.xml.gz").links
    assert priority_of("article", 1) >= file.priority > priority_of("page", 1) > page.priority
