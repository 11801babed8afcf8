"""What every index promises (index/contract.py) of documents and hits."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from tests.contracts.index_words import NOW, document, found, marked, only_hit
from thresher import urls
from thresher.errors import UsageError
from thresher.index.contract import Index
from thresher.index.query import parse
from thresher.model import Kind, Post


def test_a_word_in_the_title_counts_more(index: Index) -> None:
    index.add([document("https://example.com/body", "market news " * 3)], NOW)
    index.add([document("https://example.com/title", "other news " * 3, title="Market")], NOW)
    assert found(index, "market") == ["title", "body"]


def test_newest_come_first_by_date_and_undated_last(three: Index) -> None:
    assert [path[-1] for path in found(three, "", sort="date")] == ["c", "a", "b"]
    assert [path[-1] for path in found(three, "banana", sort="date")] == ["a", "b"]


def test_an_unknown_order_is_refused(three: Index) -> None:
    with pytest.raises(UsageError, match="relevance, date"):
        three.search(parse("apple", NOW), sort="size")


def test_adding_again_replaces(index: Index) -> None:
    index.add([document(text="apple", authors=("Ann",))], NOW)
    index.add([document(text="banana")], NOW)
    index.add([document(text="banana")], NOW)
    assert index.count() == 1
    assert [found(index, word) for word in ("apple", "ann", "banana")] == [[], [], ["a"]]


def test_of_two_versions_in_one_call_the_last_stands(index: Index) -> None:
    index.add([document(text="apple"), document(text="banana"), document(text="cherry")], NOW)
    assert [found(index, word) for word in ("apple", "banana", "cherry")] == [[], [], ["a"]]
    index.add([document(text="damson")], NOW)
    assert [found(index, word) for word in ("cherry", "damson")] == [[], ["a"]]
    assert index.count() == 1


def test_the_first_sighting_and_the_last_run_stand(index: Index) -> None:
    index.add([document()], NOW - timedelta(days=10), run=1)
    index.add([document()], NOW, run=2)
    assert [found(index, query) for query in ("seen:7d", "run:1", "run:2")] == [[], [], ["a"]]


def test_all_urls_that_match_are_told_without_a_cap(index: Index) -> None:
    many = [document(f"https://example.com/{number}", "apple pie" if number % 2 else "pear") for number in range(1_203)]
    index.add(many, NOW)
    assert list(index.urls(parse("apple", NOW))) == [str(each.url) for each in many[1::2]]
    assert list(index.urls(parse("", NOW))) == [str(each.url) for each in many]
    assert list(index.urls(parse("-apple url:/120", NOW))) == [
        f"https://example.com/{end}" for end in (120, 1200, 1202)
    ]
    assert list(index.urls(parse("banana", NOW))) == []


def test_a_removed_document_is_not_found(three: Index) -> None:
    three.remove([urls.key_of("https://example.com/a"), "unknown"])
    assert found(three, "apple") == []
    assert found(three, "banana") != []
    assert three.count() == 2


def test_posts_are_found_as_part_of_their_thread(index: Index) -> None:
    posts = (Post("Bob", None, "first", 1), Post("Eve", None, "我也这么认为", 2))
    index.add([document(text="", kind=Kind.THREAD, posts=posts)], NOW)
    assert only_hit(index, "认为 author:eve is:thread").snippet == "first 我也这么认为"


def test_a_post_that_the_text_holds_already_is_not_counted_twice(index: Index) -> None:
    index.add([document(text="only once", posts=(Post(None, None, "only once", 1),))], NOW)
    assert only_hit(index, "once len:9").snippet == "only once"


def test_a_page_found_under_what_it_calls_its_url(index: Index) -> None:
    index.add([document("https://example.com/a?ref=x", canonical_url="https://example.com/real")], NOW)
    assert found(index, "https://example.com/real") == ["a?ref=x"]


def test_pages_of_hits_share_one_order_and_one_total(index: Index) -> None:
    index.add([document(f"https://example.com/{n}", "same words") for n in range(25)], NOW)
    pages = [index.search(parse("words", NOW), limit=10, offset=offset) for offset in (0, 10, 20, 30)]
    assert [len(page.hits) for page in pages] == [10, 10, 5, 0]
    assert {page.total for page in pages} == {25}
    assert len({hit.key for page in pages for hit in page.hits}) == 25


def test_a_hit_tells_what_is_known_of_its_document(index: Index) -> None:
    published = datetime(2026, 11, 1, 8, tzinfo=UTC)
    given = document(published=published, authors=("Ann", "Bo"), language="en", site="example.com", title="T")
    index.add([given], NOW)
    hit = only_hit(index, "nothing")
    assert (hit.key, hit.url, hit.title) == (urls.key_of("https://example.com/a"), "https://example.com/a", "T")
    assert (hit.published, hit.authors, hit.language) == (published, ("Ann", "Bo"), "en")
    assert (hit.site, hit.kind) == ("example.com", "article")
    assert hit.score > 0


def test_a_snippet_is_cut_around_the_matches(index: Index) -> None:
    index.add([document(text="filler " * 500 + "needle in a haystack " + "filler " * 500)], NOW)
    hit = only_hit(index, "needle haystack")
    assert marked(hit) == ["needle", "haystack"]
    assert hit.snippet.startswith("…")
    assert hit.snippet.endswith("…")
    assert len(hit.snippet) <= 220


def test_a_document_without_a_url_is_refused(index: Index) -> None:
    with pytest.raises(UsageError, match="without a URL"):
        index.add([replace(document(), url=None)], NOW)
    assert index.count() == 0


@pytest.mark.parametrize("text", ["a\0b", "half \ud800 pair", "e" + "\u0301" * 5000, "\u202e\u200d", "x" * 100_000])
def test_hostile_text_is_taken(index: Index, text: str) -> None:
    hostile = document(text=f"{text} needle", title=text, authors=(text,))
    index.add([hostile, hostile], NOW)
    assert found(index, "needle") == ["a"]
    index.remove([urls.key_of("https://example.com/a")])
    assert found(index, "needle") == []


def test_of_a_huge_text_the_beginning_is_found(index: Index) -> None:
    index.add([document(text="needle " + "word " * 2_000_000)], NOW)
    assert found(index, "needle") == ["a"]


@pytest.mark.parametrize("query", ['"a OR b" AND', "NEAR(a b)", "title:{x}", "a:b", 'x" * ', "^a", "{title body}: a"])
def test_the_backends_own_syntax_means_nothing(index: Index, query: str) -> None:
    index.add([document(text="a b near x title body")], NOW)
    with suppress(UsageError):  # any other error fails
        index.search(parse(query, NOW))


def test_many_terms_and_deep_parentheses_run(index: Index) -> None:
    queries: Sequence[str] = (
        " ".join(f"w{n}" for n in range(200)),
        " | ".join(f"w{n} site:s{n}.com" for n in range(100)),
        "-(a (site:b | " * 6 + "x" + "))" * 6,
        "(a | -(b site:c " * 6 + "x" + "))" * 6,
        "-(a | (b -" * 6 + "x" + "))" * 6,
    )
    for query in queries:
        assert index.search(parse(query, NOW)).total == 0


LONG = "The ferry was late again, and the pier was full of people who waited in the rain for it to come. " * 2


def test_copies_of_one_text_are_one_hit_and_the_first_seen_stands_for_all(index: Index) -> None:
    index.add([document("https://example.com/b", LONG + "Rain.")], NOW)
    index.add([document("https://example.com/a", (LONG + "Rain.").upper())], NOW + timedelta(days=1))
    index.add([document("https://example.com/c", LONG.replace(" ", "\n") + "Rain.")], NOW + timedelta(days=2))
    index.add([document("https://example.com/d", LONG + "Sun.")], NOW)
    page = index.search(parse("ferry", NOW), sort="date")
    assert {(hit.url[-1], hit.copies) for hit in page.hits} == {("b", 2), ("d", 0)}
    assert page.total == 2
    assert index.search(parse("ferry", NOW), limit=1, offset=5).total == 2
    assert index.count() == 4
    assert len(list(index.urls(parse("ferry", NOW)))) == 4


def test_of_copies_only_those_that_match_are_counted(index: Index) -> None:
    index.add([document("https://example.com/a", LONG)], NOW)
    index.add([document("https://other.example/a", LONG)], NOW + timedelta(days=1))
    assert only_hit(index, "ferry").copies == 1
    hit = only_hit(index, "ferry site:other.example")
    assert (hit.url, hit.copies) == ("https://other.example/a", 0)


def test_originals_and_copies_can_be_asked_for(index: Index) -> None:
    index.add([document("https://example.com/a", LONG), document("https://example.com/x", "short")], NOW)
    index.add([document("https://example.com/b", LONG)], NOW + timedelta(days=1))
    assert found(index, "is:duplicate") == ["b"]
    assert sorted(found(index, "is:original")) == ["a", "x"]
    assert found(index, "is:duplicate -ferry") == []


def test_copies_that_the_store_knows_are_one_hit_and_the_first_published_stands_for_all(index: Index) -> None:
    day = timedelta(days=1)
    texts = {"a": (f"{LONG} Late.", NOW - day), "b": (f"Early. {LONG}", NOW - 2 * day), "c": (f"{LONG} No date.", None)}
    for number, (name, (text, published)) in enumerate(texts.items()):
        url = f"https://example.com/{name}"
        seen = NOW + timedelta(minutes=number)
        index.add([document(url, text, published=published, copy_group="0123456789abcdef")], seen)
    hit = only_hit(index, "ferry")
    assert (hit.url, hit.copies) == ("https://example.com/b", 2)
    assert found(index, "is:original") == ["b"]
    assert sorted(found(index, "is:duplicate late OR is:duplicate date")) == ["a"]


def test_a_text_that_changed_is_a_copy_no_more(index: Index) -> None:
    index.add([document("https://example.com/a", LONG), document("https://example.com/b", LONG)], NOW)
    index.add([document("https://example.com/b", LONG + "Sun.")], NOW)
    assert sorted(found(index, "ferry")) == ["a", "b"]
