"""What every store promises of other versions of an article's page: AMP, mobile, print."""

from datetime import timedelta
from itertools import permutations

import pytest

from tests.contracts.store_words import NOW, URL, document, fate, page
from tests.contracts.test_store_articles import blocks
from thresher.store.contract import EDITION, EDITION_PART, Record, Store

AMP = "https://example.com/a/amp"
PRINT = "https://example.com/a/print"
STORY = (
    "The old ferry left the harbour at six, and nobody was on deck but the cook and his two cats.",
    "By noon the wind had turned, and the islands lay behind a wall of rain that nobody had foreseen.",
    "深夜，渡轮回到了港口，船上只剩下厨师和一只猫，码头上没有人等他们，只有灯塔还亮着。",
)


def version(url: str, *said: str, run: int = 1) -> Record:
    found = document(url, title=f"The ferry at {url[-5:]}", blocks=blocks(*(said or STORY)))
    told = fate(url, run=run, status=200, at=NOW + timedelta(days=run))
    is_main = url == URL
    return Record(told, page(url), found, thread=None if is_main else URL, part=1 if is_main else EDITION_PART)


def stored(store: Store) -> dict[str | None, str]:
    return {found.url: found.text for found in store.documents()}


@pytest.mark.parametrize("order", list(permutations((URL, AMP, PRINT))))
def test_versions_of_a_page_are_one_document_whichever_comes_first(store: Store, order: tuple[str, ...]) -> None:
    for url in (*order, *order[:2]):
        store.save(version(url))
    assert stored(store) == {URL: "\n".join(STORY)}
    assert [store.fates(url)[0].reason for url in (URL, AMP, PRINT)] == ["stored", EDITION, EDITION]
    assert store.tally(1) == {("stored", "stored"): 1, ("skipped", EDITION): 2}
    for url in (AMP, PRINT):
        found = store.document(url)
        assert found
        assert (found.url, found.title) == (URL, "The ferry at com/a")
    assert {known.kind for known in store.known((URL, AMP, PRINT)).values()} == {"article"}
    assert store.article_pages([AMP]) == dict.fromkeys((URL, AMP, PRINT), URL)
    assert len(store.versions(URL)) == 1


def test_a_version_stays_a_document_until_the_main_page_is_there(store: Store) -> None:
    store.save(version(AMP))
    assert stored(store) == {AMP: "\n".join(STORY)}
    assert store.fates(AMP)[0].reason == "stored"


def test_a_page_with_another_text_is_no_version_whatever_it_says(store: Store) -> None:
    other = "Schools began an hour late on Monday, because half of the teachers live across the bay and rowed."
    store.save(version(URL))
    store.save(version(AMP, other))
    assert stored(store) == {URL: "\n".join(STORY), AMP: other}
    assert store.fates(AMP)[0].reason == "stored"


def test_the_text_of_a_version_that_has_much_more_is_kept_under_the_main_page(store: Store) -> None:
    store.save(version(URL, STORY[0]))
    store.save(version(PRINT))
    assert stored(store) == {URL: "\n".join(STORY)}
    store.save(version(URL, STORY[0], run=2))
    assert stored(store) == {URL: "\n".join(STORY)}
    store.save(version(AMP, STORY[0], run=2))
    assert stored(store) == {URL: "\n".join(STORY)}


def test_versions_are_on_their_own_again_when_the_main_page_says_something_else(store: Store) -> None:
    for url in (URL, AMP):
        store.save(version(url))
    store.save(version(URL, "The harbour is closed until further notice, and all ships stay where they are.", run=2))
    assert set(stored(store)) == {URL, AMP}


def test_very_many_versions_are_still_one_document(store: Store) -> None:
    for number in range(120):
        store.save(version(f"https://example.com/a?from={number}"))
        if number == 60:
            store.save(version(URL))
    assert set(stored(store)) == {URL}
