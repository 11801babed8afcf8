"""What a page says of itself is read, made absolute, and survives broken data."""

import json

import pytest

from thresher.extract.extractor import extract
from thresher.extract.fields.clues import gather
from thresher.html import parse


def test_site_name_description_image_and_canonical_url_are_read() -> None:
    document = extract(
        """<head><meta property="og:site_name" content="Daily  Grain"><meta name="Description" content=" All
        about grain "><meta property="og:image" content="/ferry.jpg"><link rel="canonical" href="/ferry"></head>""",
        "http://e.com/a?b=1",
    )
    assert document.site_name == "Daily Grain"
    assert document.description == "All about grain"
    assert document.image == "http://e.com/ferry.jpg"
    assert document.canonical_url == "http://e.com/ferry"
    assert document.site == "e.com"
    assert {"site_name", "description", "image", "canonical_url"} <= set(document.evidence)


def test_addresses_that_are_none_are_left_out() -> None:
    document = extract(
        '<meta property="og:image" content="data:x"><link rel=canonical href="javascript:x">', "http://e.com/"
    )
    assert document.image is None
    assert document.canonical_url is None


@pytest.mark.parametrize(
    "script",
    [
        "",
        "{",
        "[" * 100_000,
        '{"a":' * 100_000,
        "null",
        '"text"',
        "[1, [2, null], {}]",
        '{"@type": ["X", 5], "author": 7, "datePublished": {"a": []}, "headline": [[]], "publisher": 5, "image": {}}',
        '{"@type": "Article", "datePublished": "never", "author": [null, 3, {"name": ["x"]}]}',
    ],
)
def test_broken_json_ld_does_no_harm(script: str) -> None:
    assert extract(f'<script type="application/ld+json">{script}</script><p>the text').published is None


def test_the_article_of_a_graph_comes_first() -> None:
    graph = {"@graph": [{"@type": "WebSite", "name": "s"}, {"@type": "NewsArticle", "headline": "h"}]}
    clues = gather(parse(f'<script type="application/ld+json">{json.dumps(graph)}</script>'))
    assert clues.article == {"@type": "NewsArticle", "headline": "h"}


def test_line_ends_inside_strings_are_read() -> None:
    clues = gather(parse('<script type="application/ld+json">{"@type": "Article", "headline": "a\nb"};</script>'))
    assert clues.article is not None
    assert clues.article["headline"] == "a\nb"
