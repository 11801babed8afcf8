"""What every store promises of articles over several pages."""

from dataclasses import replace
from datetime import timedelta
from itertools import permutations
from typing import Any

import pytest

from tests.contracts.store_words import NOW, URL, document, fate, page, post, texts
from thresher.model import Block, Kind, Link, Span
from thresher.model.joining import MAX_PAGES
from thresher.store.contract import ARTICLE_PAGE, Record, Store

SECOND = "https://example.com/a/2"
THIRD = "https://example.com/a/3"
PAGES = (URL, SECOND, THIRD)
SAYING = {
    URL: "The old ferry left the harbour at six, and nobody was on deck but the cook.",
    SECOND: "By noon the wind had turned, and the islands lay behind a wall of rain.",
    THIRD: "深夜，渡轮回到了港口，船上只剩下厨师和一只猫。",
}


def blocks(*texts: str) -> tuple[Block, ...]:
    return tuple(Block((Span(text),), "p", f"/html/body/p[{n}]") for n, text in enumerate(texts, start=1))


def article_page(url: str, *said: str, run: int = 1, thread: str | None = URL, **values: Any) -> Record:
    """One page of an article, which links to the two others."""
    number = PAGES.index(url) + 1
    found = document(url, **{"title": "The ferry", "blocks": blocks(*(said or (SAYING[url],))), **values})
    links = tuple(Link(other, 1, "continued", url) for other in PAGES if other != url)
    told = fate(url, run=run, status=200, at=NOW + timedelta(days=run))
    return Record(told, page(url), found, links, thread=thread, part=number)


def stored(store: Store) -> dict[str | None, str]:
    return {found.url: found.text for found in store.documents()}


def reasons(store: Store) -> list[str]:
    return [store.fates(url)[0].reason for url in PAGES]


WHOLE = {URL: "\n".join(SAYING.values())}


@pytest.mark.parametrize("order", list(permutations(PAGES)))
def test_the_pages_of_an_article_are_one_document_in_whatever_order_they_come(
    store: Store, order: tuple[str, ...]
) -> None:
    for url in (*order, *order[:2]):
        store.save(article_page(url))
    assert stored(store) == WHOLE
    assert reasons(store) == ["stored", ARTICLE_PAGE, ARTICLE_PAGE]
    for url in PAGES:
        found = store.document(url)
        assert found
        assert (found.url, found.text) == (URL, WHOLE[URL])
    assert store.article_pages([THIRD]) == dict.fromkeys(PAGES, URL)
    assert {known.kind for known in store.known(PAGES).values()} == {"article"}
    assert {known.thread for known in store.known(PAGES).values()} == {None}
    assert store.tally(1) == {("stored", "stored"): 1, ("stored", ARTICLE_PAGE): 2}
    assert list(store.damaged()) == []
    assert len(store.versions(URL)) == 1, "pages that come one by one are no edits"


def test_title_author_and_time_are_those_of_the_first_page(store: Store) -> None:
    store.save(article_page(SECOND, title="The ferry – Page 2", authors=("Ann Lee",), published=NOW))
    store.save(article_page(URL, authors=("Ann Lee", "Bo Li"), published=NOW - timedelta(hours=5)))
    (found,) = store.documents()
    assert (found.title, found.authors) == ("The ferry", ("Ann Lee", "Bo Li"))
    assert found.published == NOW - timedelta(hours=5)


def test_a_page_is_a_document_of_its_own_until_the_first_one_is_there(store: Store) -> None:
    store.save(article_page(SECOND))
    assert stored(store) == {SECOND: SAYING[SECOND]}
    assert store.fates(SECOND)[0].reason == "stored"
    assert store.article_pages([SECOND]) == {SECOND: SECOND}


def test_a_first_page_without_a_pager_is_joined_by_those_that_name_it(store: Store) -> None:
    for records in (
        (article_page(URL, thread=None), article_page(SECOND)),
        (article_page(SECOND, run=2), article_page(URL, thread=None, run=2)),
    ):
        for record in records:
            store.save(record)
        assert stored(store) == {URL: f"{SAYING[URL]}\n{SAYING[SECOND]}"}


@pytest.mark.parametrize(
    "other",
    [
        {"title": "The lighthouse"},
        {"authors": ("Bo Li",)},
        {"published": NOW - timedelta(days=9)},
        {"title": "The ferry – Page 7"},
    ],
)
@pytest.mark.parametrize("order", list(permutations(PAGES[:2])))
def test_articles_that_only_follow_each_other_stay_apart(
    store: Store, order: tuple[str, ...], other: dict[str, Any]
) -> None:
    values: dict[str, dict[str, Any]] = {URL: {"authors": ("Ann Lee",), "published": NOW}, SECOND: other}
    for url in order:
        store.save(article_page(url, **values[url]))
    assert stored(store) == {URL: SAYING[URL], SECOND: SAYING[SECOND]}
    assert [store.fates(url)[0].reason for url in PAGES[:2]] == ["stored", "stored"]


def test_a_page_that_is_fetched_again_changes_its_part_alone(store: Store) -> None:
    for url in PAGES:
        store.save(article_page(url))
    before = store.document(URL)
    store.save(article_page(SECOND, "The wind had not turned at all, we were told later.", run=2))
    after = store.document(URL)
    assert before
    assert after
    assert after.text.split("\n") == [SAYING[URL], "The wind had not turned at all, we were told later.", SAYING[THIRD]]
    assert before.text_hash != after.text_hash
    assert [version.text for version in store.versions(THIRD)] == [before.text, after.text]
    (whole,) = store.stored(run=2)
    assert (whole.run, whole.first_seen) == (2, NOW + timedelta(days=1))


@pytest.mark.parametrize("status", [301, 404, 410])
def test_a_page_that_is_gone_leaves_its_article(store: Store, status: int) -> None:
    for url in PAGES:
        store.save(article_page(url))
    store.save(Record(fate(SECOND, run=2, state="skipped", reason=f"http-{status}", status=status)))
    assert stored(store) == {URL: f"{SAYING[URL]}\n{SAYING[THIRD]}"}
    store.save(Record(fate(URL, run=2, state="skipped", reason=f"http-{status}", status=status)))
    assert stored(store) == {URL: f"{SAYING[URL]}\n{SAYING[THIRD]}"}, "nothing is lost with the first page"


def test_an_article_that_has_become_shorter_loses_the_pages_that_nothing_leads_to(store: Store) -> None:
    for url in PAGES:
        store.save(article_page(url))
    shorter = article_page(SECOND, run=2)
    store.save(replace(shorter, outlinks=shorter.outlinks[:1]))
    assert stored(store) == {URL: f"{SAYING[URL]}\n{SAYING[SECOND]}"}


def test_a_first_page_with_another_title_lets_the_others_go(store: Store) -> None:
    for url in PAGES:
        store.save(article_page(url))
    store.save(article_page(URL, run=2, title="Something else"))
    assert stored(store) == SAYING
    assert reasons(store) == ["stored"] * 3
    store.save(article_page(URL, run=3))
    assert stored(store) == WHOLE


def test_a_first_page_that_turns_into_a_thread_lets_the_others_go(store: Store) -> None:
    for url in PAGES[:2]:
        store.save(article_page(url))
    thread = article_page(URL, run=2, posts=(post(1, "one", id="1"),))
    assert thread.document
    store.save(replace(thread, document=replace(thread.document, kind=Kind.THREAD)))
    assert [(found.url, found.kind) for found in store.documents()] == [(URL, "thread"), (SECOND, "article")]


@pytest.mark.parametrize("order", list(permutations(PAGES[:2])))
def test_a_page_too_short_for_an_article_is_part_of_one_or_nothing(store: Store, order: tuple[str, ...]) -> None:
    short = article_page(SECOND, "The end.")
    records = {
        URL: article_page(URL),
        SECOND: replace(short, fate=replace(short.fate, state="skipped", reason="short-text")),
    }
    for url in order:
        store.save(records[url])
    assert stored(store) == {URL: f"{SAYING[URL]}\nThe end."}
    assert (store.fates(SECOND)[0].state, store.fates(SECOND)[0].reason) == ("stored", ARTICLE_PAGE)
    store.save(article_page(URL, title="Something else", run=2))
    assert stored(store) == {URL: SAYING[URL]}
    assert (store.fates(SECOND)[0].state, store.fates(SECOND)[0].reason) == ("skipped", "short-text")


def test_pages_with_the_text_of_the_first_add_their_comments_alone(store: Store) -> None:
    store.save(article_page(SECOND, SAYING[URL], posts=(post(1, "c", id="3"), post(2, "a", id="1"))))
    store.save(article_page(URL, posts=(post(1, "a", id="1"), post(2, "b", id="2"))))
    assert stored(store) == {URL: SAYING[URL]}
    assert texts(store, URL) == texts(store, SECOND) == ["a", "b", "c"]


def test_an_article_with_more_pages_than_any_has_is_an_archive(store: Store) -> None:
    store.save(article_page(URL))
    for number in range(2, MAX_PAGES + 2):
        url = f"{URL}/{number}"
        found = document(url, title="The ferry", blocks=blocks(f"{number} times the ferry left the harbour."))
        store.save(Record(fate(url), page(url), found, thread=URL, part=number))
        if number == MAX_PAGES:
            assert len(stored(store)) == 1
    assert len(stored(store)) == MAX_PAGES + 1
    assert stored(store)[URL] == SAYING[URL]


def test_a_parameter_that_changes_nothing_is_told_by_each_page_alone(store: Store) -> None:
    for number in range(4):
        first = f"https://example.com/{number}"
        long = blocks(*(f"Sentence {n} of story {number} is about the ferry and its cook." for n in range(9)))
        more = blocks(*(f"Later, in sentence {n}, story {number} goes on with the cat." for n in range(9)))
        store.save(Record(fate(first), page(first), document(first, blocks=long), thread=first))
        second = f"{first}?page=2"
        store.save(Record(fate(second), page(second), document(second, blocks=more), thread=first, part=2))
        dark = f"{first}?theme=dark"
        store.save(Record(fate(dark), page(dark), document(dark, blocks=long)))
    assert store.parameters(["example.com"]) == {"example.com": {"theme"}}
