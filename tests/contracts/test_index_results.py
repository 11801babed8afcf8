"""What every index tells of the documents it finds: pages, passages, counts, facets (index/contract.py)."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.contracts.index_words import NOW, document, found
from thresher.errors import UsageError
from thresher.index.advice import clause_counts, suggestion
from thresher.index.contract import Given, Index
from thresher.index.query import parse
from thresher.model import Block, Bucket, ClauseCount, Document, Kind, Span
from thresher.urls import key_of


def many(index: Index, count: int) -> None:
    """Add documents of which every third has no date; some share a date, some a score."""
    for number in range(count):
        published = NOW - timedelta(days=number // 2) if number % 3 else None
        text = "apple " * (number % 4 + 1) + f"number{number}"
        given = document(f"https://example.com/{number:02}", text, published=published)
        index.add([given], NOW + timedelta(hours=number // 2))


@pytest.mark.parametrize("sort", ["relevance", "date", "seen"])
def test_pages_after_each_other_hold_every_hit_once_in_order(index: Index, sort: str) -> None:
    many(index, 25)
    whole = found(index, "apple", sort)
    query, paged, after = parse("apple", NOW), [], None
    while True:
        page = index.search(query, limit=4, sort=sort, after=after)
        assert page.total == 25
        paged += [hit.url.removeprefix("https://example.com/") for hit in page.hits]
        after = page.next
        if after is None:
            break
    assert paged == whole
    assert len(set(paged)) == 25


def test_a_hit_that_comes_meanwhile_shifts_no_page(index: Index) -> None:
    many(index, 6)
    first = index.search(parse("apple", NOW), limit=3, sort="seen")
    index.add([document("https://example.com/new", "apple")], NOW + timedelta(days=9))
    second = index.search(parse("apple", NOW), limit=3, sort="seen", after=first.next)
    assert {hit.url[-2:] for hit in (*first, *second)} == {f"{number:02}" for number in range(6)}


@pytest.mark.parametrize("after", ["x", "", "bm9uZQ", "WyJkYXRlIiwxLDIsM10"])
def test_a_token_of_another_order_or_none_of_ours_is_refused(index: Index, after: str) -> None:
    many(index, 2)
    if after:
        with pytest.raises(UsageError, match="after:"):
            index.search(parse("apple", NOW), after=after)


def test_the_last_seen_come_first(index: Index) -> None:
    many(index, 5)
    assert found(index, "apple", "seen")[0] == "04"


def test_a_hit_says_when_it_was_first_seen_and_where_its_title_matches(index: Index) -> None:
    index.add([document(title="Ｈarbour news", text="harbour")], NOW)
    (hit,) = index.search(parse("harbour", NOW)).hits
    assert hit.seen == NOW
    assert [hit.title[start:end] for start, end in hit.title_marks] == ["Ｈarbour"]


def test_the_best_passages_come_in_the_order_of_the_text(index: Index) -> None:
    gap = "filler " * 200
    index.add([document(text=f"apple {gap} apple banana {gap} banana apple banana {gap} cherry")], NOW)
    (hit,) = index.search(parse("apple banana", NOW), passages=2).hits
    assert ["banana" in passage.text for passage in hit.passages] == [True, True]
    assert "apple banana" in hit.passages[0].text
    assert "banana apple banana" in hit.passages[1].text
    assert [hit.passages[1].text[slice(*mark)] for mark in hit.passages[1].marks] == ["banana", "apple", "banana"]


def test_hits_are_counted_as_searches_count_them(three: Index) -> None:
    for query in ("", "banana", "banana -apple", "cherry (date:7d | lang:zh)", "nothing"):
        assert three.total(parse(query, NOW)) == three.search(parse(query, NOW)).total


def test_documents_are_counted_by_their_values(three: Index) -> None:
    counts = three.facets(parse("", NOW)).counts
    assert counts["language"] == (Bucket("en", 1), Bucket("zh-cn", 1))
    assert {bucket.value for bucket in counts["author"]} == {"Jane Doe", "张三"}
    assert sum(bucket.count for bucket in counts["site"]) == 3
    assert three.facets(parse("apple", NOW)).counts["author"] == ()


def test_documents_are_counted_by_their_sources(index: Index) -> None:
    index.add([document(sources=("wire", "desk")), document("https://example.com/b", sources=("wire",))], NOW)
    assert index.facets(parse("", NOW)).counts["source"] == (Bucket("wire", 2), Bucket("desk", 1))


@pytest.mark.parametrize(
    ("days", "unit", "buckets"),
    [
        ([0.1, 0.12, 1.3], "hour", {"2026-11-19T04:00": 1, "2026-11-20T09:00": 2}),
        ([1, 1.1, 30], "day", {"2026-10-21": 1, "2026-11-19": 2}),
        ([1, 2, 90], "week", {"2026-08-17": 1, "2026-11-16": 2}),
        ([1, 40, 600], "month", {"2025-03": 1, "2026-10": 1, "2026-11": 1}),
        ([1, 40, 36_000], "year", {"1928": 1, "2026": 2}),
    ],
)
def test_the_unit_of_time_suits_the_period(index: Index, days: list[float], unit: str, buckets: dict[str, int]) -> None:
    for number, ago in enumerate(days):
        when = NOW - timedelta(days=ago)
        index.add([document(f"https://example.com/{number}", published=when)], NOW)
    index.add([document("https://example.com/undated")], NOW)
    facets = index.facets(parse("", NOW))
    assert facets.dates.unit == unit
    assert {bucket.value: bucket.count for bucket in facets.dates.buckets} == buckets
    assert facets.undated == 1


def test_days_begin_where_the_asker_says_and_the_unit_can_be_chosen(index: Index) -> None:
    index.add([document(published=datetime(2026, 11, 19, 20, tzinfo=UTC))], NOW)
    shifted = index.facets(parse("", NOW), shift_s=8 * 3600, unit="day")
    assert shifted.dates.buckets == (Bucket("2026-11-20", 1),)


def test_the_parts_of_a_query_are_counted(three: Index) -> None:
    counts = clause_counts(three, parse("banana -apple", NOW))
    assert counts == (ClauseCount("banana", 2), ClauseCount("-apple", 1, excludes=True))
    assert clause_counts(three, parse("apple | cherry", NOW)) == (ClauseCount("apple", 1), ClauseCount("cherry", 2))


@pytest.mark.parametrize(
    ("query", "meant"),
    [("banna", "banana"), ("title:bananna -x", None), ("bananna lang:en", "banana lang:en"), ("banana", None)],
)
def test_a_misspelt_latin_word_is_put_right(three: Index, query: str, meant: str | None) -> None:
    assert suggestion(three, parse(query, NOW)) == (meant or ("title:banana -x" if "title" in query else None))


def test_words_that_are_known_are_counted(three: Index) -> None:
    assert three.known(["banana", "apple", "nothing"]) == {"banana": 2, "apple": 1}


def given(name: str, text: str) -> Given:
    url = f"https://example.com/{name}"
    made = Document(url, Kind.ARTICLE, 1.0, title="Title", blocks=(Block((Span(text),)),))
    return Given(key_of(url), made, NOW, 3)


def test_a_rebuilt_index_holds_what_the_store_holds(index: Index) -> None:
    index.add([given("old", "apple").document, given("changed", "apple").document], NOW)
    batches = index.rebuild([given("changed", "banana"), given("new", "apple")])
    assert sum(batches) == 2
    assert found(index, "apple") == ["new"]
    assert found(index, "banana run:3") == ["changed"]
    assert index.count() == 2
