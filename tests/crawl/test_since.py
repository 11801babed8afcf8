"""With --since, what feeds, sitemaps, lists or documents date before the day is left, and `why` says so."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from tests.crawl.harness import Crawl
from tests.crawl.test_judge import URL, document, lease, page
from thresher.crawling.activity import with_activity
from thresher.crawling.judge import Judge
from thresher.crawling.landing import Harvest
from thresher.crawling.reasons import meaning_of
from thresher.discovery.links import discover, discover_feed, discover_sitemap
from thresher.discovery.scope import Scope
from thresher.errors import UsageError
from thresher.html import parse
from thresher.model import Kind, Link, Post, Source, SourceKind
from thresher.watching.sources import Watched

SINCE = Scope(hosts=frozenset({"a.test"}), since="2026-11-01")
NOW = datetime(2026, 11, 16, tzinfo=UTC)
OLD, NEW = "2026-09-01", "2026-11-10"


def reasons(links: tuple[Link, ...]) -> dict[str, str | None]:
    return {link.url.removeprefix("https://a.test/"): SINCE.refuse(link) for link in links}


def test_entries_of_feeds_are_left_by_their_dates_and_those_without_are_taken() -> None:
    feed = (
        "<rss><channel><item><link>https://a.test/old</link><pubDate>Tue, 01 Sep 2026 08:00:00 GMT</pubDate></item>"
        f"<item><link>https://a.test/new</link><pubDate>{NEW}</pubDate></item>"
        "<item><link>https://a.test/undated</link></item><item><link>https://a.test/odd</link><pubDate>soon</pubDate>"
        "</item></channel></rss>"
    )
    found = discover_feed(feed.encode(), "https://a.test/feed")
    assert reasons(found.links) == {"old": "before-since", "new": None, "undated": None, "odd": None}


@pytest.mark.parametrize(("newest", "reason"), [(OLD, "before-since"), (NEW, None)])
def test_the_archive_of_a_feed_is_followed_until_it_has_passed_the_day(newest: str, reason: str | None) -> None:
    dates = (newest, OLD, OLD)
    entries = "".join(f"<entry><link href='/{n}'/><updated>{day}</updated></entry>" for n, day in enumerate(dates))
    feed = f"<feed xmlns='http://www.w3.org/2005/Atom'><link rel='prev-archive' href='/archive/3'/>{entries}</feed>"
    links = discover_feed(feed.encode(), "https://a.test/feed").links
    assert [link.why for link in links if link.url.endswith("/archive/3")] == ["next"]
    assert reasons(links)["archive/3"] == reason


def test_sitemaps_are_left_by_lastmod_and_by_the_dates_of_news() -> None:
    body = (
        "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' "
        "xmlns:news='http://www.google.com/schemas/sitemap-news/0.9'>"
        f"<url><loc>https://a.test/old</loc><lastmod>{OLD}</lastmod></url>"
        f"<url><loc>https://a.test/new</loc><lastmod>{NEW}</lastmod></url>"
        f"<url><loc>https://a.test/news</loc><news:news><news:publication_date>{NEW}T08:00:00Z</news:publication_date>"
        "</news:news></url><url><loc>https://a.test/undated</loc></url></urlset>"
    )
    found = discover_sitemap(body.encode(), "https://a.test/sitemap.xml")
    assert reasons(found.links) == {"old": "before-since", "new": None, "news": None, "undated": None}


@pytest.mark.parametrize(("newest", "reason"), [(OLD, "before-since"), (NEW, None)])
def test_a_list_is_followed_until_it_has_passed_the_day(newest: str, reason: str | None) -> None:
    rows = "".join(
        f"<li><h3><a href='/2026/the-ferry-is-late-again-{n}'>The ferry to the islands is late again, part {n}</a></h3>"
        f"<time datetime='{day}'>{day}</time><p>It was late once more on that day.</p></li>"
        for n, day in enumerate((newest, OLD, OLD, OLD))
    )
    url = "https://a.test/news"
    html = f"<html><body><ul>{rows}</ul><a rel='next' href='/news?page=2'>Older posts</a></body></html>"
    tree = parse(html, url=url)
    links = with_activity(discover(tree, url).links, tree, url, NOW)
    judged = reasons(links)
    assert judged["news?page=2"] == reason
    assert judged["2026/the-ferry-is-late-again-1"] == "before-since"


def test_old_documents_are_refused_and_undated_ones_and_threads_with_new_posts_are_kept() -> None:
    judge = Judge(7, max_attempts=3, require_date=False, scope=SINCE)
    old = datetime(2026, 9, 1, tzinfo=UTC)
    article = replace(document(), published=old)
    thread = replace(document(Kind.THREAD), published=old, posts=(Post("Ann", NOW - timedelta(days=2), "Again.", 1),))
    landings = [judge.answer(lease(), page(), Harvest("page", each)) for each in (article, document(), thread)]
    assert [landing.fate.reason for landing in landings if landing.fate] == ["before-since", "stored", "stored"]
    assert landings[0].document is None
    assert "--since" in meaning_of("before-since")


def test_a_source_is_wanted_from_its_day_on() -> None:
    source = Source(name="a", kind=SourceKind.SITE, address="https://a.test/", since=date(2026, 11, 1))
    old, new = (datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp() for day in (OLD, NEW))
    link = Link("https://a.test/1", depth=1, why="feed", source="a")
    watched = Watched(source)
    assert watched.refuse(replace(link, active_at=old)) == "before-since"
    assert watched.refuse(replace(link, active_at=new)) is None
    assert watched.refuse(link) is None


def test_starts_and_menus_have_no_age() -> None:
    before = NOW.timestamp() - 90 * 86_400
    assert SINCE.refuse(Link(URL, depth=0, active_at=before)) is None
    assert SINCE.refuse(Link(URL, depth=1, why="page", active_at=before)) is None
    assert Scope.from_json(SINCE.as_json()) == SINCE


def test_what_is_no_day_is_told() -> None:
    with pytest.raises(UsageError, match="'last week' is not a day such as 2026-11-01"):
        Scope(hosts=frozenset(), since="last week")


def test_a_crawl_of_the_sample_web_since_a_day_stores_what_is_newer(new_crawl: Callable[..., Crawl]) -> None:
    crawl = new_crawl()
    truths = [truth for truth in crawl.site.web.truth() if truth.site == "news" and truth.kind is Kind.ARTICLE]
    days = sorted(truth.published for truth in truths)
    day = days[len(days) // 2].date()
    ended = crawl.run("--since", day.isoformat(), starts=crawl.site.starts[:1])
    assert ended.code == 0, ended.err
    stored = {url for url, *_ in crawl.corpus()}
    assert stored
    noindex = crawl.site.web.expected_urls().noindex
    slack = timedelta(days=1)
    newer = {truth.url for truth in truths if truth.published.date() > day + slack}
    older = {truth.url for truth in truths if truth.published.date() < day - slack}
    assert newer - noindex <= stored
    assert not older & stored
    assert any(reason == "before-since" for _, reason in crawl.report().tally)
