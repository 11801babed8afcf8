"""What each address of the sample web is, so that a crawl's every step can be judged."""

from collections.abc import Iterable
from dataclasses import dataclass

from thresher.sample import hazards
from thresher.sample.boards import BOARDS, board_path, thread_path, threads_of
from thresher.sample.editions import (
    BLOG,
    CHINESE,
    EDITIONS,
    ENGLISH,
    Edition,
    article_path,
    listing_pages,
    listing_path,
    series_of,
    url_of,
)
from thresher.sample.feeds import sitemap_paths
from thresher.sample.forum_site import FORUM_DISALLOWED
from thresher.sample.plan import Plan
from thresher.sample.press import SHORT_LINK_EVERY
from thresher.sample.sites import BLOG_DISALLOWED, BLOG_FEEDS, NEWS_DISALLOWED, NEWS_FEEDS
from thresher.sample.threads import page_count

Urls = frozenset[str]


@dataclass(frozen=True, slots=True)
class ExpectedUrls:
    """The addresses of the sample web by what they are."""

    starts: tuple[str, ...]  # everything that may be fetched can be reached from here
    articles: Urls
    threads: Urls  # first pages
    thread_pages: Urls  # further pages
    boards: Urls
    listings: Urls
    feeds: Urls
    sitemaps: Urls
    redirects: Urls  # that pages link to and that end at a page
    hazards: dict[str, str]  # slow, flaky (503 at first), broken (500), missing (404), binary, loop
    noindex: Urls  # by meta element or by header
    unfollowed: Urls  # only links with rel=nofollow lead there
    disallowed_prefixes: tuple[str, ...]  # robots.txt forbids all below: nothing there may be fetched
    trap_prefixes: tuple[str, ...]  # pages without end


def expected_urls(plan: Plan) -> ExpectedUrls:
    """Return the addresses of a sample web by what they are; takes some seconds for 100,000 pages."""
    news, blog, forum = plan.origins
    threads = range(1, threads_of(plan).count + 1)
    return ExpectedUrls(
        starts=(f"{news}/", f"{blog}/", f"{forum}/"),
        articles=frozenset(url for edition in EDITIONS for url in _articles(plan, edition)),
        threads=_on(forum, (thread_path(plan, number) for number in threads)),
        thread_pages=_on(forum, (path for number in threads for path in _later_pages(plan, number))),
        boards=_on(forum, _boards(plan)),
        listings=frozenset(url for edition in EDITIONS for url in _listings(plan, edition)),
        feeds=_on(news, NEWS_FEEDS) | _on(blog, BLOG_FEEDS),
        sitemaps=_on(news, sitemap_paths(plan, (ENGLISH, CHINESE))) | _on(blog, sitemap_paths(plan, (BLOG,))),
        redirects=_redirects(plan),
        hazards={name: news + path for name, path in hazards.PATHS.items()},
        noindex=_on(news, hazards.NOINDEX),
        unfollowed=_on(news, ["/partner/offers.html"]) | _on(blog, ["/out/seed-catalogue"]),
        disallowed_prefixes=_disallowed(plan),
        trap_prefixes=(news + hazards.TRAP,),
    )


def _on(origin: str, paths: Iterable[str]) -> Urls:
    return frozenset(origin + path for path in paths)


def _articles(plan: Plan, edition: Edition) -> Iterable[str]:
    numbers = range(1, series_of(plan, edition).count + 1)
    return (url_of(plan, edition, article_path(plan, edition, number)) for number in numbers)


def _listings(plan: Plan, edition: Edition) -> Iterable[str]:
    for group in (None, *range(len(edition.sections))):
        for page in range(1, listing_pages(plan, edition, group) + 1):
            yield url_of(plan, edition, listing_path(edition, group, page))


def _later_pages(plan: Plan, number: int) -> Iterable[str]:
    return (thread_path(plan, number, page) for page in range(2, page_count(plan, number) + 1))


def _boards(plan: Plan) -> Iterable[str]:
    for group, board in enumerate(BOARDS):
        for page in range(1, threads_of(plan).pages(group) + 1):
            yield board_path(board, page, plan.per_page)


def _redirects(plan: Plan) -> Urls:
    """Return the short links that articles show, the chain of two, and the ways to other sites."""
    news, blog, forum = plan.origins
    codes = {"english": f"{news}/a/", "chinese": f"{news}/a/cn", "blog": f"{blog}/?p="}
    short = {
        f"{codes[edition.name]}{number}"
        for edition in EDITIONS
        for number in range(1, series_of(plan, edition).count + 1, SHORT_LINK_EVERY)
    }
    return frozenset(short | {f"{news}/go/1", news + hazards.TO_BLOG, f"{forum}/t/1"})


def _disallowed(plan: Plan) -> tuple[str, ...]:
    rules = zip(plan.origins, (NEWS_DISALLOWED, BLOG_DISALLOWED, FORUM_DISALLOWED), strict=True)
    return tuple(origin + prefix for origin, prefixes in rules for prefix in prefixes)
