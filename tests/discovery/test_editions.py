"""Editions of a page: AMP, mobile and print versions, by their URLs and by what pages say."""

import pytest

from thresher.discovery.editions import is_marked, is_reduced, main_of, named_editions, stem_of
from thresher.html import parse

MAIN = "https://example.com/news/5"


@pytest.mark.parametrize(
    "url",
    [
        f"{MAIN}/amp",
        f"{MAIN}?amp=1",
        f"{MAIN}?outputType=amp",
        "https://amp.example.com/news/5",
        "https://m.example.com/news/5",
        "https://www.example.com/amp/news/5/",
        f"{MAIN}?m=1",
        f"{MAIN}/print/",
        "https://example.com/print/news/5",
        f"{MAIN}?view=print",
    ],
)
def test_the_url_of_an_edition_has_the_stem_of_the_main_page(url: str) -> None:
    assert stem_of(url) == stem_of(MAIN) == "example.com/news/5"
    assert is_marked(url)


@pytest.mark.parametrize(
    "url",
    [
        MAIN,
        "https://example.com/",
        "https://example.com/print",
        "https://example.com/blueprint",
        "https://example.com/mobile-phones/5",
        "https://m.com/news",
        "https://example.com/news?amp=220V",
        "https://example.com/news?view=list",
        "https://www.example.com/news/5/",
    ],
)
def test_what_only_looks_like_an_edition_is_none(url: str) -> None:
    assert not is_marked(url)


def test_files_keep_their_suffix_and_parameters_that_matter_stay() -> None:
    assert (
        stem_of("https://example.com/5.amp.html") == stem_of("https://example.com/5-print.html") == "example.com/5.html"
    )
    assert stem_of("https://example.com/a?id=5&print=1") == "example.com/a?id=5"
    assert stem_of("https://en.m.example.org/wiki/Ferry") == "en.example.org/wiki/Ferry"


def test_a_page_names_its_editions_and_others_are_not_believed() -> None:
    html = """
    <link rel="amphtml" href="/news/5/amp"><link rel="amphtml" href="/amp"><link rel="amphtml" href="/news/6/amp">
    <link rel="alternate" media="only screen and (max-width: 640px)" href="https://m.example.com/news/5">
    <link rel="alternate" media="print" href="?print=1">
    <link rel="alternate" type="application/rss+xml" media="handheld" href="/news/5/mobile">
    <a href="/news/5/print">Print this page</a><a href="/news/5/printable">How the harbour was printed</a>
    <a href="/news/6/print">Print</a><a href="/news/5">Print</a><a href="http://[bad/print">Print</a>
    """
    expected = [f"{MAIN}/amp", "https://m.example.com/news/5", f"{MAIN}?print=1", f"{MAIN}/print"]
    assert named_editions(parse(html, url=MAIN), MAIN) == expected


@pytest.mark.parametrize(
    ("canonical", "main"),
    [
        (MAIN, MAIN),
        ("https://www.example.com/news/5", "https://www.example.com/news/5"),
        ("https://example.com/", None),
        ("/", None),
        ("https://elsewhere.test/news/5", None),
        ("https://m.example.com/news/5", None),
        ("mailto:x", None),
        (None, None),
    ],
)
def test_the_main_page_is_another_one_of_the_site_and_not_its_front(canonical: str | None, main: str | None) -> None:
    assert main_of(canonical, "https://m.example.com/news/5") == main


def test_amp_and_marked_urls_are_reduced_editions() -> None:
    assert is_reduced(parse('<!doctype html><html amp lang="en"><p>x', url=MAIN), MAIN)
    assert is_reduced(parse("<html ⚡><p>x", url=MAIN), MAIN)
    assert is_reduced(parse("<html><p>x", url=f"{MAIN}/print"), f"{MAIN}/print")
    assert not is_reduced(parse('<html class="amp"><p>x', url=MAIN), MAIN)
