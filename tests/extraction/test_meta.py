"""What a page says of itself is read, made absolute, and survives broken data."""

import json
from importlib.util import find_spec

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.extraction.learned.pages import some_pages
from thresher.extraction.extractor import extract
from thresher.extraction.fields import clues as told_clues
from thresher.extraction.fields.clues import gather
from thresher.html import parse

needs_compiled = pytest.mark.skipif(find_spec("thresher.extraction.fields._signed") is None, reason="not compiled here")
ELEMENT = st.tuples(
    st.sampled_from(
        ["meta", "script", "link", "title", "h1", "time", "abbr", "span", "main", "p", "svg", "metas", "sc:ript"]
    ),
    st.sampled_from(["type", "rel", "content", "name", "datetime", "TYPE", "itemprop", "property", "class"]),
    st.sampled_from(
        [
            *("application/LD+json", "x ld+JSON", "ld", "Canonical", "x canonical", "a\u0131", "", "{}"),
            *("datePublished", "dc:date dc:created", "published", "startDate"),
        ]
    ),
    st.booleans(),
)


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


def assert_agree(monkeypatch: pytest.MonkeyPatch, html: str) -> None:
    told = gather(parse(html))
    with monkeypatch.context() as patch:
        patch.setattr(told_clues, "Telling", None)
        assert gather(parse(html)) == told


@needs_compiled
@settings(max_examples=300)
@given(st.lists(ELEMENT, max_size=12))
def test_the_compiled_search_overlooks_nothing_that_is_read(elements: list[tuple[str, str, str, bool]]) -> None:
    parts = [
        f"<{tag} property=a content=b {name}='{value}'>" + '{"a": 1}' + f"</{tag}>" * closed
        for tag, name, value, closed in elements
    ]
    with pytest.MonkeyPatch.context() as patch:
        assert_agree(patch, "".join(parts))


@needs_compiled
@pytest.mark.corpus
def test_the_compiled_search_overlooks_nothing_of_labelled_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    for html in some_pages():
        assert_agree(monkeypatch, html)
