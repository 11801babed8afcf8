"""What every index promises of posts: hits of their own with `is:post`, and named in the hit of their thread."""

from dataclasses import replace
from datetime import timedelta

import pytest

from tests.contracts.index_words import NOW, document, found
from thresher import urls
from thresher.errors import QueryError
from thresher.index.advice import clause_counts
from thresher.index.contract import Given, Index
from thresher.index.query import parse
from thresher.model import Bucket, ClauseCount, Document, FoundPost, Hit, HitPage, Kind, Post

THREAD = "https://forum.example/t/1"


def post(number: int, author: str | None, text: str, *, days_ago: float | None = None) -> Post:
    published = None if days_ago is None else NOW - timedelta(days=days_ago)
    return Post(author, published, text, number, f"p{number}", f"{THREAD}#p{number}")


def thread(*posts: Post, url: str = THREAD, title: str = "Harbour tolls") -> Document:
    facts = {"kind": Kind.THREAD, "title": title, "posts": posts, "language": "en", "sources": ("board",)}
    return document(url, "", authors=("Ann",), published=NOW - timedelta(days=30), **facts)


@pytest.fixture
def talk(index: Index) -> Index:
    """An index of a thread of four posts, and an article that has a comment."""
    posts = [
        post(1, "Ann", "The toll went up again", days_ago=30),
        post(2, "Bob", "再涨就不去了 the ferry is cheaper", days_ago=3),
        post(3, "Ann", "Ferry tickets went up too, and " + "so on " * 20, days_ago=2),
        post(4, None, "Ferry? Never"),
    ]
    article = document(
        "https://news.example/a", "A ferry ran aground.", title="Ferry", posts=(post(1, "Cyd", "Poor ferry"),)
    )
    index.add([thread(*posts), article], NOW - timedelta(days=1), run=7)
    return index


def asked(index: Index, query: str, sort: str = "date") -> HitPage:
    return index.search(parse(query, NOW), limit=50, sort=sort)


def numbers(index: Index, query: str, sort: str = "date") -> list[int | None]:
    """The numbers of the posts of the thread that a query finds, in order."""
    page = asked(index, query, sort)
    assert page.total == len(page.hits) == index.total(parse(query, NOW))
    return [hit.position for hit in page.hits if hit.document_url == THREAD]


def test_a_post_is_a_hit_with_its_own_author_time_and_link(talk: Index) -> None:
    (hit,) = asked(talk, "cheaper is:post").hits
    assert (hit.kind, hit.title, hit.document_url) == ("post", "Harbour tolls", THREAD)
    assert (hit.url, hit.authors, hit.published) == (f"{THREAD}#p2", ("Bob",), NOW - timedelta(days=3))
    assert hit.snippet == "再涨就不去了 the ferry is cheaper"
    assert [hit.snippet[slice(*mark)] for mark in hit.marks] == ["cheaper"]
    assert (hit.position, hit.site, hit.language) == (2, "forum.example", "en")


@pytest.mark.parametrize(
    ("query", "posts"),
    [
        ("is:post", [3, 2, 1, 4]),
        ("is:post ferry", [3, 2, 4]),
        ("is:post went up", [3, 1]),
        ('is:post "went up" -too', [1]),
        ("is:post 不去", [2]),
        ("is:post 了", [2]),
        ("is:post tick*", [3]),
        ("is:post ferry NEAR/2 cheaper", [2]),
        ("is:post author:ann", [3, 1]),
        ("is:post ann", [3, 1]),
        ("is:post date:7d", [3, 2]),
        ("is:post -has:date", [4]),
        ("is:post has:author ferry", [3, 2]),
        ("is:post len:>60", [3]),
        ("is:post tolls", []),
        ("is:post title:tolls ferry", [3, 2, 4]),
        ("is:post (title:tolls | cheaper) toll", [1]),
        ("is:post -title:tolls", []),
        ("is:post is:thread toll", [1]),
        ("is:post is:article", []),
        ("is:post lang:en site:forum.example source:board run:7 seen:7d toll", [1]),
        ("is:post lang:zh", []),
        ("is:post is:original toll", [1]),
        ("is:post is:duplicate toll", []),
        ("is:post url:t/1 toll", [1]),
        (f"is:post toll {THREAD}", [1]),
        ("is:post (toll | cheaper)", [2, 1]),
        ("(is:post toll) up", [1]),
    ],
)
def test_words_and_facts_of_posts_are_their_own_and_all_else_of_their_document(
    talk: Index, query: str, posts: list[int]
) -> None:
    assert numbers(talk, query) == posts


def test_without_asking_for_posts_documents_are_found_that_name_them(talk: Index) -> None:
    (hit,) = [hit for hit in asked(talk, "ferry").hits if hit.kind == "thread"]
    assert hit.url == THREAD
    assert [found.position for found in hit.posts] == [2, 3, 4]
    assert hit.post_count == 3
    (only,) = asked(talk, "cheaper author:bob").hits
    assert only.posts == (FoundPost(2, "Bob", NOW - timedelta(days=3), f"{THREAD}#p2"),)


def test_comments_below_an_article_are_posts_too(talk: Index) -> None:
    (hit,) = asked(talk, "is:post poor").hits
    assert (hit.document_url, hit.authors) == ("https://news.example/a", ("Cyd",))
    (article,) = asked(talk, "poor ferry").hits
    assert (article.kind, article.post_count) == ("article", 1)


def test_posts_are_counted_apart_from_documents(talk: Index) -> None:
    assert talk.count() == 2
    assert talk.total(parse("", NOW)) == 2
    assert talk.total(parse("is:post", NOW)) == 5
    counts = talk.facets(parse("is:post ferry", NOW)).counts
    assert counts["author"] == (Bucket("Ann", 1), Bucket("Bob", 1), Bucket("Cyd", 1))
    assert counts["source"] == (Bucket("board", 3),)
    dates = talk.facets(parse("is:post", NOW), unit="day")
    assert [bucket.count for bucket in dates.dates.buckets] == [1, 1, 1]
    assert dates.undated == 2


def test_the_parts_of_a_query_for_posts_count_posts(talk: Index) -> None:
    told = clause_counts(talk, parse("is:post ferry -cheaper", NOW))
    assert told == (ClauseCount("is:post", 5), ClauseCount("ferry", 4), ClauseCount("-cheaper", 1, excludes=True))


def test_pages_of_posts_follow_each_other(talk: Index) -> None:
    for sort in ("relevance", "date", "seen"):
        paged: list[Hit] = []
        after = None
        while True:
            page = talk.search(parse("is:post", NOW), limit=2, sort=sort, after=after)
            paged += page.hits
            after = page.next
            if after is None:
                break
        assert [hit.key for hit in paged] == [hit.key for hit in asked(talk, "is:post", sort).hits]
        assert len({hit.key for hit in paged}) == 5


def test_the_documents_of_posts_that_match_are_told_once(talk: Index) -> None:
    assert list(talk.urls(parse("is:post ferry", NOW))) == [THREAD, "https://news.example/a"]


def test_a_post_that_changed_or_went_is_found_as_it_is_now(talk: Index) -> None:
    before = asked(talk, "is:post never").hits[0]
    changed = [post(2, "Bob", "a bridge is cheaper", days_ago=3), post(4, None, "Ferry? Never")]
    talk.add([thread(*changed, post(5, "Dee", "A new one", days_ago=0.5))], NOW, run=8)
    assert numbers(talk, "is:post") == [5, 2, 4]
    assert numbers(talk, "is:post ferry") == [4]
    assert numbers(talk, "is:post bridge run:8") == [2]
    assert numbers(talk, "is:post seen:12h") == [5]
    assert asked(talk, "is:post never").hits[0].key == before.key
    (hit,) = asked(talk, "bridge").hits
    assert [(found.position, hit.post_count) for found in hit.posts] == [(2, 1)]


def test_the_posts_of_a_removed_document_go_with_it(talk: Index) -> None:
    talk.remove([urls.key_of(THREAD)])
    assert numbers(talk, "is:post") == []
    assert talk.total(parse("is:post", NOW)) == 1


def test_a_rebuilt_index_has_the_posts_of_the_store(talk: Index) -> None:
    given = Given(urls.key_of(THREAD), thread(post(9, "Eve", "Sunk")), NOW, 9)
    assert sum(talk.rebuild([given])) == 1
    talk.flush()
    assert numbers(talk, "is:post") == [9]
    assert found(talk, "sunk") == [THREAD]


def test_posts_without_a_name_or_with_one_name_are_told_apart(index: Index) -> None:
    unnamed = [replace(post(1, "Ann", f"word{number}"), id=None, permalink=None) for number in range(2)]
    named = [post(3, "Bob", "word3"), post(3, "Bob", "word4")]
    index.add([thread(*unnamed, *named)], NOW)
    index.add([thread(*unnamed, *named)], NOW)
    assert len(numbers(index, "is:post word*")) == 4
    assert asked(index, "is:post word1").hits[0].url == THREAD


@pytest.mark.parametrize(("query", "place"), [("-is:post x", 4), ("x | is:post", 7), ("a (b | is:post)", 10)])
def test_posts_can_be_asked_for_only_in_the_place_of_documents(query: str, place: int) -> None:
    with pytest.raises(QueryError, match="is:post finds posts") as raised:
        parse(query, NOW)
    assert raised.value.place == place


def test_labels_of_sources_are_facets(talk: Index) -> None:
    labels = {"channel": {"forum": ["board", "other"], "news": ["wire"]}, "tag": {"sea": ["wire", "board"]}}
    told = talk.facets(parse("ferry", NOW), labels=labels).counts
    assert told["channel"] == (Bucket("forum", 1),)
    assert told["tag"] == (Bucket("sea", 1),)
    assert talk.facets(parse("is:post ferry", NOW), labels=labels).counts["channel"] == (Bucket("forum", 3),)
    assert "channel" not in talk.facets(parse("ferry", NOW)).counts
