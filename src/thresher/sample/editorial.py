"""The editions as sites: which path leads to which article, listing or plain page."""

import re

from thresher.sample.answer import Answer, redirect
from thresher.sample.editions import CHINESE, ENGLISH, Edition, article_path, listing_path, series_of
from thresher.sample.plan import Plan
from thresher.sample.press import article_page, listing_page, plain_page

_ARTICLE = {
    "english": re.compile(r"/[a-z]+/\d{4}/\d\d/\d\d/[a-z0-9-]*?-(\d+)\.html"),
    "chinese": re.compile(r"/cn/[a-z]+/\d{8}/(\d+)\.shtml"),
    "blog": re.compile(r"/\d{4}/\d\d/[a-z0-9-]*?-(\d+)/"),
}
_PAGE_SUFFIX = re.compile(r"(?:page/(\d{1,6})/|index_(\d{1,6})\.shtml)$")
_BYLINE = re.compile(r"/by/([a-z]+(?:-[a-z]+)*)/")

PLAIN = {
    "english": {
        "/about/": "About the Courier",
        "/about/contact": "Contact",
        "/about/terms": "Terms of use",
        "/about/privacy": "Privacy",
        "/about/subscribe": "Subscribe",
        "/account/login": "Sign in",
        "/partner/offers.html": "Reader offers",
    },
    "chinese": {"/cn/about.shtml": "关于我们", "/cn/contact.shtml": "联系我们", "/cn/copyright.shtml": "版权声明"},
    "blog": {"/about/": "About", "/privacy-policy/": "Privacy", "/out/seed-catalogue": "Seed catalogue"},
}
_SMALL_PRINT = {
    "en": ("This page is part of a sample site.", "Nothing on it is true, and nobody is behind it."),
    "zh": ("本页是示例网站的一部分。", "内容均为虚构，请勿当真。"),
}


def edition_answer(plan: Plan, edition: Edition, path: str) -> Answer | None:
    """Return the edition's page at a path, or None where it has none."""
    title = PLAIN[edition.name].get(path)
    if title is not None:
        return plain_page(plan, edition, title, _SMALL_PRINT[edition.language])
    byline = _BYLINE.fullmatch(path)
    if byline and edition is not CHINESE:
        return plain_page(plan, edition, byline[1].replace("-", " ").title(), _SMALL_PRINT["en"])
    return _article(plan, edition, path) or _listing(plan, edition, path)


def number_in(plan: Plan, edition: Edition, digits: str) -> int | None:
    """Return the article number that digits stand for, or None where there is no such article."""
    number = int(digits) if digits.isdecimal() and len(digits) < 9 else 0
    return number if 1 <= number <= series_of(plan, edition).count else None


def short_link(plan: Plan, code: str) -> Answer | None:
    """Return the redirect of a short link to a news article ("12", or "cn12"), or None where there is none."""
    edition = CHINESE if code.startswith("cn") else ENGLISH
    number = number_in(plan, edition, code.removeprefix("cn"))
    return redirect(article_path(plan, edition, number)) if number else None


def _article(plan: Plan, edition: Edition, path: str) -> Answer | None:
    match = _ARTICLE[edition.name].fullmatch(path)
    number = number_in(plan, edition, match[1]) if match else None
    if number is None or article_path(plan, edition, number) != path:
        return None
    return article_page(plan, edition, number)


def _listing(plan: Plan, edition: Edition, path: str) -> Answer | None:
    suffix = _PAGE_SUFFIX.search(path)
    page = int(suffix[1] or suffix[2]) if suffix else 1
    groups = (None, *range(len(edition.sections)))
    group = next((each for each in groups if listing_path(edition, each, page) == path), -1)
    return None if group == -1 else listing_page(plan, edition, group, page)
