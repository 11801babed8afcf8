"""Extraction puts kind, content, fields and verdict together, and changes nothing."""

from datetime import UTC, datetime
from typing import Any

import pytest
from lxml import etree

from tests.pages import FOLDER
from thresher.errors import UsageError
from thresher.extraction.extractor import extract, extract_tree
from thresher.extraction.fields.all_fields import find_fields
from thresher.extraction.fields.clues import gather
from thresher.extraction.fields.found import found
from thresher.extraction.validity import judge
from thresher.html import parse
from thresher.model import Block, Document, Kind, Span

NEWS = (FOLDER / "news-english" / "source.html").read_bytes()
NOW = datetime(2026, 3, 20, tzinfo=UTC)


def test_the_same_page_gives_the_same_document() -> None:
    tree = parse(NEWS, url="https://harbourpost.example/a")
    first = extract_tree(tree, fetched_at=NOW)
    assert extract_tree(tree, fetched_at=NOW) == first
    assert extract(NEWS, "https://harbourpost.example/a", fetched_at=NOW) == first


def test_the_tree_stays_as_it_was() -> None:
    tree = parse(NEWS)
    before = etree.tostring(tree.root)
    extract_tree(tree, fetched_at=NOW)
    assert etree.tostring(tree.root) == before


def test_every_field_has_its_evidence() -> None:
    document = extract(NEWS, "https://harbourpost.example/a", fetched_at=NOW)
    fields = ("title", "published", "authors", "language", "description", "image", "canonical_url", "site_name")
    assert set(document.evidence) == {*fields, "kind", "text"}
    for name in fields:
        assert getattr(document, name)
        assert document.evidence[name].source
        assert 0 < document.evidence[name].confidence <= 1


def test_a_field_that_is_known_is_not_looked_for() -> None:
    tree = parse(NEWS)
    known = {"authors": found(("Ann Miller",), "first post", 0.9)}
    fields = find_fields(tree, gather(tree), (), text="", fetched_at=NOW, known=known)
    assert fields["authors"] is known["authors"]
    assert fields["published"] == find_fields(tree, gather(tree), (), text="", fetched_at=NOW)["published"]


def test_links_of_the_main_text_are_absolute() -> None:
    document = extract(NEWS, "https://harbourpost.example/a")
    assert "https://harbourpost.example/travel/timetable" in document.links
    assert all(link.startswith("https://harbourpost.example/") for link in document.links)


def test_without_a_url_relative_links_are_left_out() -> None:
    document = extract(NEWS)
    assert document.links == ()
    assert (document.url, document.site) == (None, None)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"algorithm": "magic"}, "unknown algorithm 'magic'; choose one of: thresher, cevc"),
        ({"favour": "beauty"}, "cannot favour 'beauty'; choose one of: precision, balance, recall"),
    ],
)
def test_a_wrong_choice_names_the_right_ones(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        extract(NEWS, **options)


@pytest.mark.parametrize("favour", ["precision", "balance", "recall"])
def test_cevc_takes_every_favour(favour: Any) -> None:
    document = extract(NEWS, algorithm="cevc", favour=favour)
    assert document.algorithm == "cevc"
    assert "forty cabins" in document.text


def document_with(title: str, text: str, published: datetime | None) -> Document:
    blocks = (Block((Span(text),)),)
    return Document(url=None, kind=Kind.ARTICLE, confidence=1.0, title=title, blocks=blocks, published=published)


def test_a_document_needs_a_title_a_text_and_a_date() -> None:
    assert judge(document_with("Ferries", "x" * 101, NOW)).valid
    assert judge(document_with("Pier", "x" * 100, None)).faults == ("short-title", "short-text", "no-date")


@pytest.mark.parametrize(
    ("title", "is_enough"), [("About", True), ("关于我们", True), ("News", False), ("首页", False)]
)
def test_short_titles_without_the_name_of_the_site_are_enough(title: str, is_enough: bool) -> None:
    assert judge(document_with(title, "x" * 101, NOW)).valid is is_enough


def test_title_and_text_are_plain_and_squeezed() -> None:
    html = "<title> a\n b &lt;i&gt; </title><p> It \n is\t &lt;b&gt;the\xa0 day &amp; night. </p>"
    document = extract(html)
    assert document.title == "a b <i>"
    assert document.text == "It is <b>the day & night."


def test_who_wrote_comments_and_when_is_not_told_of_the_page() -> None:
    text = "".join(
        f"<p>{'The ferry did not come on Monday, and the people on the pier went home. ' * 3}</p>" for _ in "abc"
    )
    said = "".join(
        f"<li><p>By Ola Vik, March {day}, 2011</p><p>{'We waited for it. ' * 8}</p></li>" for day in range(1, 9)
    )
    page = (
        f"<html><title>Ferry</title><body><h1>Ferry is late</h1>{text}<ol class='commentlist'>{said}</ol></body></html>"
    )
    document = extract(page)
    assert document.authors == ()
    assert document.published is None
