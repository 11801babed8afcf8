"""JSON-LD is read in the shapes and with the mistakes that pages have."""

import pytest

from thresher.extraction.fields.clues import gather
from thresher.extraction.fields.json_ld import by_id, read_items, texts_of
from thresher.html import parse


@pytest.mark.parametrize(
    "script",
    [
        '{"headline": "Ferry"}',
        ' [{"headline": "Ferry"}] ;',
        '{"@graph": [{"headline": "Ferry"}]}',
        '{"mainEntity": {"headline": "Ferry"}}',
        '<!-- {"headline": "Ferry"} -->',
        '//<![CDATA[\n{"headline": "Ferry"}\n//]]>',
        '{"headline": "Ferry",}',
        '{"headline": "Ferry", "about": "a\nb"}',
        '{"headline": "Ferry", "about": "a\\:b"}',
        '{"headline": "Ferry"}\n{"name": "Grain"}',
        "{&quot;headline&quot;: &quot;Ferry&quot;}",
        '{"headline": "Ferry", "about": "an "unescaped" quote"}',
    ],
)
def test_the_headline_is_read(script: str) -> None:
    assert [text for item in read_items([script]) for text in texts_of(item.get("headline"))] == ["Ferry"]


def test_a_broken_script_still_tells_date_and_author() -> None:
    broken = (
        '{"about": "an "open" quote", "author": {"@type": "Person", "name": "Ann Miller"}, "datePublished": "2016"}'
    )
    (item,) = read_items([broken])
    assert (item["author"], item["datePublished"]) == (["Ann Miller"], "2016")


@pytest.mark.parametrize("script", ["", "{", "[" * 100_000, '{"a":' * 100_000, "null", '"text"', "x" * 2_000_000])
def test_what_is_no_json_gives_nothing(script: str) -> None:
    assert read_items([script]) == []


def test_references_are_followed() -> None:
    items = read_items(['{"@graph": [{"author": {"@id": "#ann"}}, {"@id": "#ann", "name": "Ann Miller"}]}'])
    assert texts_of(items[1]["author"], by_id(items)) == ["Ann Miller"]


@pytest.mark.parametrize(
    ("value", "texts"),
    [
        ("a &amp;amp; b", ["a & b"]),
        ([{"name": "a"}, "b", {"url": "c"}, None, 5], ["a", "b", "c"]),
        ({"name": ["a", "b"]}, ["a", "b"]),
        ({"name": {"x": 1}}, []),
        (None, []),
    ],
)
def test_a_value_stands_for_its_strings(value: object, texts: list[str]) -> None:
    assert texts_of(value) == texts


def test_the_article_that_the_page_is_about_comes_first() -> None:
    articles = '{"@type": "Article", "headline": "Other"}, {"@type": ["NewsArticle"], "headline": "Ferry"}'
    script = f'[{{"@type": "WebPage"}}, {articles}]'
    clues = gather(parse(f'<title>Ferry | Grain</title><script type="application/ld+json">{script}</script>'))
    assert clues.article is not None
    assert clues.article["headline"] == "Ferry"
    assert [item["@type"] for item in clues.items][-1] == "WebPage"
