"""The sample web hangs together: every link leads somewhere, and everything can be reached."""

import pytest

from tests.sample.walk import Walk, links, walk
from thresher import urls
from thresher.sample import SampleWeb

DEEPEST = 6  # links from a front page, redirects not counted


@pytest.fixture(scope="module")
def web() -> SampleWeb:
    return SampleWeb(60)


@pytest.fixture(scope="module")
def found(web: SampleWeb) -> Walk:
    return walk(web)


def test_every_article_thread_and_listing_is_reached_from_the_front_pages(web: SampleWeb, found: Walk) -> None:
    expected = web.expected_urls()
    wanted = expected.articles | expected.threads | expected.thread_pages | expected.boards | expected.listings
    assert not {url for url in wanted if urls.canonical(url) not in found.depths}


def test_nothing_that_is_wanted_lies_deep(web: SampleWeb, found: Walk) -> None:
    expected = web.expected_urls()
    wanted = expected.articles | expected.threads | expected.thread_pages
    assert max(found.depths[urls.canonical(url)] for url in wanted) <= DEEPEST


def test_a_large_listing_keeps_every_page_near() -> None:
    web = SampleWeb(5000)
    starts = [f"{web.origins.news}/world/", f"{web.origins.forum}/viewforum.php?f=1"]
    pages = {url for url in web.expected_urls().listings if url.startswith(starts[0] + "page/")}
    depths = {urls.canonical(start): 0 for start in starts}
    wave = list(depths)
    while wave:
        new = {
            target
            for url in wave
            for target, _ in links(web.answer(url), url)
            if target not in depths and ("/world/page/" in target or "viewforum.php?f=1&start" in target)
        }
        depths |= dict.fromkeys(new, 1 + max(depths[url] for url in wave))
        wave = list(new)
    assert pages
    assert pages <= depths.keys()
    assert max(depths.values()) <= 8


def test_every_link_resolves_but_the_broken_ones(web: SampleWeb, found: Walk) -> None:
    hazards = web.expected_urls().hazards
    failed = {url for url, status in found.status.items() if status >= 400}
    assert failed == {hazards["broken"], hazards["missing"]}


def test_links_that_must_not_be_followed_resolve_too(web: SampleWeb, found: Walk) -> None:
    assert not {url for url in found.unfollowed if web.answer(url).status >= 400}
    prefixes = web.expected_urls().disallowed_prefixes
    assert all(web.answer(prefix).status == 200 for prefix in prefixes)


def test_nofollow_alone_leads_to_some_pages(web: SampleWeb, found: Walk) -> None:
    unfollowed = web.expected_urls().unfollowed
    assert unfollowed <= found.unfollowed
    assert not unfollowed & found.depths.keys()


def test_redirects_are_linked_and_end_at_a_page(web: SampleWeb, found: Walk) -> None:
    for url in web.expected_urls().redirects:
        assert urls.canonical(url) in found.depths, url
        hops, answer = 0, web.answer(url)
        while answer.status in (301, 302):
            url, hops = urls.canonical(answer.headers["Location"], url), hops + 1
            answer = web.answer(url)
        assert answer.status == 200
        assert hops <= 2


def test_the_hazards_are_linked(web: SampleWeb, found: Walk) -> None:
    expected = web.expected_urls()
    assert {*expected.hazards.values(), *expected.noindex} <= found.depths.keys()


def test_the_closed_area_is_linked_from_every_site(web: SampleWeb) -> None:
    for start in web.starts:
        targets = {target for target, followed in links(web.answer(start), start) if followed}
        assert any("/private/" in target for target in targets)


def test_the_calendar_has_no_end(web: SampleWeb) -> None:
    url = web.expected_urls().trap_prefixes[0]
    seen: set[str] = set()
    for _ in range(50):
        seen.add(url)
        url = [target for target, _ in links(web.answer(url), url) if target.count("/") == 6 and target not in seen][-1]
    assert len(seen) == 50
    day = web.origins.news + "/events/1999/12/31/"
    assert web.origins.news + "/events/2000/01/01/" in {target for target, _ in links(web.answer(day), day)}


def test_the_calendar_knows_no_thirteenth_month(web: SampleWeb) -> None:
    for path in ("/events/2025/13/", "/events/2025/02/30/", "/events/0000/01/", "/events/9999/12/"):
        assert web.answer(web.origins.news + path).status == 404


def test_links_come_with_tracking_and_session_parameters_too(web: SampleWeb) -> None:
    article = next(url for url in sorted(web.expected_urls().articles) if "/world/" in url)
    board = f"{web.origins.forum}/viewforum.php?f=1"
    assert b"utm_source=" in web.answer(article).body
    assert b"&amp;sid=" in web.answer(board).body
    assert web.answer(f"{article}?utm_source=x").body == web.answer(article).body
