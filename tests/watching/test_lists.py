"""Listings that are watched: their articles are taken, their menus are not, and further pages where they are needed."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from tests.watching.site import NewsSite, page, serving
from tests.watching.test_watch import wake, watch_once
from thresher.crawling.corpus import Corpus
from thresher.model import Link, Source, SourceKind
from thresher.watching.lists import leads_on, taken

SHOWN = 4  # articles on each page of the list
MENU = ("about", "contact", "jobs")
SITE = Source(name="news", kind=SourceKind.SITE, address="http://a.test/")


class ListingSite(NewsSite):
    """A front page that lists articles, the newest first, over several pages."""

    def answer(self, path: str) -> tuple[int, dict[str, str], str]:
        """Return status, headers and body."""
        html = {"Content-Type": "text/html"}
        texts = self.articles["news"]
        if path == "/" or path.startswith("/page/"):
            return 200, html, self._listing(texts, int(path.rpartition("/")[2] or 1))
        if path.startswith("/news/"):
            number = int(path.split("/")[2].partition("-")[0])
            return 200, html, page(texts[number], f"island {number}")
        return (200, html, page("We are here.", path)) if path.strip("/") in MENU else (404, {}, "gone")

    def _listing(self, texts: list[str], number: int) -> str:
        newest = sorted(range(len(texts)), reverse=True)[(number - 1) * SHOWN : number * SHOWN]
        menu = "".join(f'<li><a href="/{name}">{name.title()}</a></li>' for name in MENU)
        rows = "".join(
            f'<article><h2><a href="/news/{each}-the-{each}-boat-has-come-in">What happened to boat {each} today</a>'
            f"</h2><p>{texts[each]} Nobody had thought so, and everybody said so.</p></article>"
            for each in newest
        )
        onward = f'<a rel="next" href="/page/{number + 1}">Older posts</a>' if number * SHOWN < len(texts) else ""
        head = "<html><head><title>Island News</title></head>"
        return f"{head}<body><nav><ul>{menu}</ul></nav><main>{rows}</main>{onward}</body></html>"


@pytest.fixture
def site() -> Iterator[ListingSite]:
    with serving(ListingSite()) as running:
        running.publish("news", *(f"Boat number {number} came in." for number in range(6)))
        yield running


def fetched(site: NewsSite) -> set[int]:
    return {int(path.split("/")[2].partition("-")[0]) for path in site.asked if path.startswith("/news/")}


def test_the_articles_of_a_listing_are_taken_and_nothing_else(
    site: ListingSite, corpus: Corpus, tmp_path: Path
) -> None:
    corpus.catalog().add(Source(name="news", kind=SourceKind.SITE, address=f"{site.url}/"))
    watch_once(tmp_path)
    assert fetched(site) == {2, 3, 4, 5}
    assert not {f"/{name}" for name in MENU} & set(site.asked)
    assert "/page/2" not in site.asked
    site.publish("news", "The ferry sank.")
    wake(corpus, f"{site.url}/")
    watch_once(tmp_path)
    assert fetched(site) == {2, 3, 4, 5, 6}
    assert "/page/2" not in site.asked
    site.publish("news", *(f"Ship number {number} left." for number in range(7)))  # more than the first page shows
    wake(corpus, f"{site.url}/")
    watch_once(tmp_path)
    assert fetched(site) == set(range(2, 14))
    assert "/page/3" not in site.asked, "something on the second page was known"


def test_a_listing_is_followed_back_to_the_day_that_matters(site: ListingSite, corpus: Corpus, tmp_path: Path) -> None:
    since = date(2020, 1, 1)
    corpus.catalog().add(Source(name="news", kind=SourceKind.SITE, address=f"{site.url}/", since=since))
    watch_once(tmp_path)
    assert fetched(site) == set(range(6))
    wake(corpus, f"{site.url}/")
    watch_once(tmp_path)
    assert site.asked.count("/page/2") == 1, "nothing was new on the first page"


def links(*whys: str) -> list[Link]:
    return [Link(f"http://a.test/{number}", 1, why) for number, why in enumerate(whys)]


def whys(found: list[Link]) -> list[str]:
    return [link.why for link in found]


def test_every_link_is_taken_where_few_items_are_known_or_a_pattern_chooses() -> None:
    told = links("article", "page", "article", "thread", "next", "feed")
    assert whys(taken(told, SITE)) == ["article", "article", "thread", "feed"]
    assert whys(taken(told[:3], SITE)) == ["article", "page", "article"]
    chosen = Source(name="news", kind=SourceKind.SITE, address="http://a.test/", include=("/[0-9]",))
    assert whys(taken(told, chosen)) == ["article", "page", "article", "thread", "feed"]


def test_further_pages_are_looked_at_when_all_was_new_or_something_since_a_day() -> None:
    since = Source(name="news", kind=SourceKind.SITE, address="http://a.test/", since=date(2026, 1, 1))
    assert leads_on(["a", "b"], ["a", "b"], SITE, is_first_round=False)
    assert not leads_on(["a", "b"], ["a", "b"], SITE, is_first_round=True)
    assert not leads_on(["a", "b"], ["a"], SITE, is_first_round=False)
    assert not leads_on([], [], SITE, is_first_round=False)
    assert leads_on(["a", "b"], ["a"], since, is_first_round=True)
    assert not leads_on(["a", "b"], [], since, is_first_round=False)
