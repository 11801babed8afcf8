"""Feeds: RSS, Atom, sitemaps and robots.txt of the sample sites."""

from collections.abc import Iterable, Sequence
from html import escape
from math import ceil

from thresher.sample.answer import Answer, http_date, xml
from thresher.sample.articles import Card, card
from thresher.sample.editions import Edition, series_of, url_of
from thresher.sample.plan import Plan

_ITEMS = 20
SITEMAP_SIZE = 1000  # URLs; larger sites have an index of sitemaps
_SITEMAP_NS = "http://www.sitemaps.org/schemas/sitemap/0.9"


def rss(plan: Plan, edition: Edition, title: str) -> Answer:
    """Return the newest articles of an edition as RSS 2.0."""
    items = "".join(
        f"<item><title>{escape(item.title)}</title><link>{url}</link><guid isPermaLink='true'>{url}</guid>"
        f"<pubDate>{http_date(item.published.astimezone(plan.reference.tzinfo))}</pubDate>"
        f"<description>{escape(item.teaser)}</description></item>\n"
        for item, url in _newest(plan, edition)
    )
    return xml(
        '<?xml version="1.0" encoding="utf-8"?>\n<rss version="2.0"><channel>'
        f"<title>{title}</title><link>{url_of(plan, edition, '/')}</link><description>{title}</description>"
        f"<language>{edition.language}</language>\n{items}</channel></rss>\n",
        "application/rss+xml",
    )


def atom(plan: Plan, edition: Edition, title: str) -> Answer:
    """Return the newest articles of an edition as Atom."""
    entries = "".join(
        f"<entry><title>{escape(item.title)}</title><id>{url}</id><link rel='alternate' href='{url}'/>"
        f"<published>{item.published.isoformat()}</published><updated>{item.published.isoformat()}</updated>"
        f"<summary>{escape(item.teaser)}</summary></entry>\n"
        for item, url in _newest(plan, edition)
    )
    return xml(
        '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">'
        f"<title>{title}</title><id>{url_of(plan, edition, '/')}</id><updated>{plan.reference.isoformat()}</updated>\n"
        f"{entries}</feed>\n",
        "application/atom+xml",
    )


def sitemap_paths(plan: Plan, editions: Sequence[Edition]) -> list[str]:
    """Return the paths of a site's sitemaps: one, or an index and its parts."""
    total = sum(series_of(plan, edition).count for edition in editions)
    parts = ceil(total / SITEMAP_SIZE)
    return ["/sitemap.xml"] + ([f"/sitemap-{part}.xml" for part in range(1, parts + 1)] if parts > 1 else [])


def sitemap(plan: Plan, editions: Sequence[Edition], path: str) -> Answer | None:
    """Return a sitemap of a site, or None where the path is none of its sitemaps."""
    paths = sitemap_paths(plan, editions)
    if path not in paths:
        return None
    if path == "/sitemap.xml" and len(paths) > 1:
        entries = (f"<sitemap><loc>{url_of(plan, editions[0], part)}</loc></sitemap>\n" for part in paths[1:])
        return xml(_document("sitemapindex", entries))
    first = max(0, paths.index(path) - 1) * SITEMAP_SIZE
    numbered = [(edition, n + 1) for edition in editions for n in range(series_of(plan, edition).count)]
    return xml(_document("urlset", (_sitemap_entry(plan, *each) for each in numbered[first : first + SITEMAP_SIZE])))


def robots(plan: Plan, *, disallow: Sequence[str], delayed: bool = False, sitemap_of: str | None = None) -> Answer:
    """Return a robots.txt; `delayed` adds the plan's Crawl-delay where it has one."""
    lines = [
        "# The sample web asks its crawlers to behave.",
        "User-agent: *",
        *(f"Disallow: {each}" for each in disallow),
    ]
    if delayed and plan.crawl_delay_s:
        lines.append(f"Crawl-delay: {plan.crawl_delay_s:g}")
    if sitemap_of:
        lines += ["", f"Sitemap: {sitemap_of}/sitemap.xml"]
    return Answer(body="\n".join([*lines, ""]).encode(), content_type="text/plain; charset=utf-8")


def _newest(plan: Plan, edition: Edition) -> list[tuple[Card, str]]:
    count = series_of(plan, edition).count
    cards = [card(plan, edition, number) for number in range(count, max(0, count - _ITEMS), -1)]
    return [(each, url_of(plan, edition, each.path)) for each in cards]


def _sitemap_entry(plan: Plan, edition: Edition, number: int) -> str:
    item = card(plan, edition, number)
    return f"<url><loc>{url_of(plan, edition, item.path)}</loc><lastmod>{item.published:%Y-%m-%d}</lastmod></url>\n"


def _document(root: str, entries: Iterable[str]) -> str:
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<{root} xmlns="{_SITEMAP_NS}">\n{"".join(entries)}</{root}>\n'
