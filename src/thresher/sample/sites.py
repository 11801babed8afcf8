"""The news site and the blog: their editions, feeds, hazards and closed areas under one address each."""

from dataclasses import replace
from urllib.parse import parse_qs

from thresher.sample.answer import Answer, redirect
from thresher.sample.editions import BLOG, CHINESE, ENGLISH, Edition, article_path
from thresher.sample.editorial import edition_answer, number_in
from thresher.sample.feeds import atom, robots, rss, sitemap
from thresher.sample.hazards import hazard
from thresher.sample.plan import Plan
from thresher.sample.press import plain_page

NEWS_DISALLOWED = ("/private/",)
BLOG_DISALLOWED = ("/private/", "/wp-admin/")
NEWS_FEEDS = ("/feed.xml", "/cn/rss.xml")
BLOG_FEEDS = ("/feed/atom/",)

_GIF = bytes.fromhex("47494638396101000100800000000000ffffff21f90401000000002c00000000010001000002024401003b")
_SECRET = [
    "This page is for the staff alone, and robots.txt says so. A crawler that has read this line was impolite.",
    "It looks like an article on purpose, so that a corpus in which it turns up cannot be overlooked.",
]


def news_answer(plan: Plan, path: str) -> Answer | None:
    """Return what the news site has at a path, or None."""
    if path == "/robots.txt":
        return robots(plan, disallow=NEWS_DISALLOWED, sitemap_of=plan.origins.news)
    if path in NEWS_FEEDS:
        english = path == NEWS_FEEDS[0]
        return rss(plan, ENGLISH, "The Harbour Courier") if english else rss(plan, CHINESE, "港城新闻网")
    if path.startswith(NEWS_DISALLOWED):
        return closed(plan, ENGLISH)
    return (
        still(path)
        or hazard(plan, path)
        or edition_answer(plan, CHINESE if path.startswith("/cn/") else ENGLISH, path)
        or sitemap(plan, (ENGLISH, CHINESE), path)
    )


def blog_answer(plan: Plan, path: str, query: str) -> Answer | None:
    """Return what the blog has at a path, or None; ?p=12 leads to the twelfth article."""
    if path == "/" and "p" in parse_qs(query):
        number = number_in(plan, BLOG, parse_qs(query)["p"][0])
        return redirect(article_path(plan, BLOG, number)) if number else None
    if path == "/robots.txt":
        return robots(plan, disallow=BLOG_DISALLOWED, delayed=True, sitemap_of=plan.origins.blog)
    if path in BLOG_FEEDS:
        return atom(plan, BLOG, "Notes from the Quay")
    if path.startswith(BLOG_DISALLOWED):
        return closed(plan, BLOG)
    return still(path) or edition_answer(plan, BLOG, path) or sitemap(plan, (BLOG,), path)


def closed(plan: Plan, edition: Edition) -> Answer:
    """Return a page that robots.txt forbids to fetch."""
    return replace(
        plain_page(plan, edition, "Drafts, for the staff alone", _SECRET), headers={"Cache-Control": "private"}
    )


def still(path: str) -> Answer | None:
    """Return the images, styles and scripts that pages name, or None for any other path."""
    if path.startswith("/img/"):
        return Answer(body=_GIF, content_type="image/gif")
    if path.startswith("/static/"):
        kind = "text/css" if path.endswith(".css") else "application/octet-stream"
        return Answer(body=b"/* sample */\n", content_type=kind)
    return None
