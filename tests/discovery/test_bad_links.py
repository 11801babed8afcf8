"""One bad link never costs its page: wherever it stands, the links around it are found."""

import pytest

from thresher.discovery.links import Found, discover, discover_feed, discover_sitemap, sitemaps_from_robots
from thresher.html import parse

BAD = [
    *("http://-1.1.1.1/", "http://1_27.0.0.1/", "http://256.1.1.1/", "http://0x7fg.1/", "http://1.2.3.4.5/"),
    *("http://[", "http://]", "//[x", "http://[::1%25eth0]/", "http://[fe80::1%eth0]/", "http://[::ffff:1.2.3.999]/"),
    *("http://a:99999999999/", "http://a:-1/", "http://a:" + "9" * 5_000, "http://" + "9" * 5_000, "http://xn--/"),
    *("http://user:word@h/", "http://%00/", "http://a\u2100b/", "http://" + "a" * 5_000, "http:", "http://", "//"),
    *("?page=" + "9" * 5_000, "/page/" + "9" * 3_000, "javascript:void(0)", "ftp://h.example/"),
]
URL = "http://h.example/list?page=2"


def targets(found: Found) -> set[str]:
    return {link.url for link in found.links}


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: ascii(bad)[:30])
def test_a_page_keeps_its_other_links(bad: str) -> None:
    page = f"""<link rel=canonical href="{bad}"><link rel=next href="{bad}">
    <meta http-equiv=refresh content="0;url={bad}">
    <link rel=alternate type=application/rss+xml href="{bad}"><a href="{bad}">Story</a> <a href="/good">Good</a>
    <div class=pagination><a href="{bad}">1</a> <b>2</b> <a href="{bad}">3</a> <a href="list?page=3">3</a>
    <a href="{bad}">next</a></div><map><area href="{bad}"></map>"""
    for base in ("", f'<base href="{bad}">'):
        found = discover(parse(base + page, url=URL), URL)
        assert {"http://h.example/good", "http://h.example/list?page=3"} <= targets(found)
        assert found.pagination
        assert found.pagination.next == "http://h.example/list?page=3"


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: ascii(bad)[:30])
def test_a_feed_keeps_its_other_entries(bad: str) -> None:
    feeds = (
        f"<rss><channel><link rel='next' href='{bad}'/><item><link>{bad}</link><guid>{bad}</guid></item>"
        "<item><link>/good</link></item></channel></rss>",
        f"<feed><link rel='next' href='{bad}'/><entry xml:base='{bad}'><link href='x'/><id>{bad}</id></entry>"
        "<entry><link href='/good'/></entry></feed>",
        f'{{"next_url": "{bad}", "items": [{{"url": "{bad}"}}, {{"id": {"9" * 5_000}}}, {{"url": "/good"}}]}}',
        '{"items": [{"url": "a\x00\x01"}, {"url": "/good"}]}',
    )
    for feed in feeds:
        assert "http://h.example/good" in targets(discover_feed(feed.encode(), "http://h.example/feed"))


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: ascii(bad)[:30])
def test_sitemaps_and_robots_files_keep_their_other_lines(bad: str) -> None:
    good = "http://h.example/good"
    for sitemap in (
        f"<urlset><url><loc>{bad}</loc></url><url><loc>{good}</loc></url></urlset>",
        f"{good}\n{bad}\n{good}",
    ):
        assert good in targets(discover_sitemap(sitemap.encode(), "http://h.example/sitemap.xml"))
    assert sitemaps_from_robots(f"Sitemap: {bad}\nSitemap: {good}\n".encode())[-1] == good
