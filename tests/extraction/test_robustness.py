"""No input hangs extraction or raises anything but our own errors."""

import gzip
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.costs import costing_at_most
from thresher import Document, ThresherError, extract
from thresher.errors import PageTooLarge

NOW = datetime(2026, 3, 20, tzinfo=UTC)
NEWS = (Path(__file__).parents[1] / "pages" / "news-english" / "source.html").read_bytes()
CORPORA = Path(__file__).parents[3] / "shared" / "corpora"


def outcome(html: str | bytes, limit_s: float = 20.0) -> Document | ThresherError:
    with costing_at_most(limit_s):
        try:
            return extract(html, "http://e.com/a", fetched_at=NOW)
        except ThresherError as error:
            return error


def document(html: str | bytes) -> Document:
    result = outcome(html)
    assert isinstance(result, Document)
    return result


@pytest.mark.parametrize("html", ["", b"", " ", "\x00", "x", "<", "<html>", "<body>", "</", "&", "<!---->", "\ud800"])
def test_next_to_nothing_is_a_document_of_no_kind(html: str | bytes) -> None:
    result = outcome(html)
    assert isinstance(result, ThresherError) or (result.kind == "other" and not result.verdict.valid)


def test_a_page_cut_off_anywhere_is_a_document() -> None:
    for end in range(0, len(NEWS), 97):
        document(NEWS[:end])


@pytest.mark.parametrize(
    ("html", "words"),
    [
        ("<div>" * 100_000 + "the end of the deep page" + "</div>" * 100_000, "the end of the deep page"),
        ("<p><b>" * 100_000 + "the end of the deep page", "the end of the deep page"),
        ("<p>the</p>" * 300_000, "the"),
        ("<p>" + "the line of one paragraph " * 400_000, "the line of one paragraph"),
        ("<p>" + "这是一行很长的文字" * 1_000_000, "这是一行很长的文字"),
        ("<h1>" + "the heading " * 500_000, "the heading"),
        ("<title>" + "the title " * 500_000 + "</title><p>the end", "the end"),
        ("<p>the </p>" + "<a href=x>the</a> " * 200_000, "the"),
        ("<p>2016-06-08 the</p>" * 100_000, "2016-06-08 the"),
        ("<time datetime=2016-06-08>the</time>" * 200_000, "the"),
        ("<h1>the</h1>" * 200_000, "the"),
        ("<title>the ferry</title>" + "<div><h1>the ferry</h1><p>the</p></div>" * 50_000, "the"),
        ("<span class=author>the</span>" * 200_000, "the"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_large_and_deep_pages_are_read_in_seconds(html: str, words: str) -> None:
    text = document(html).text
    assert words in text or not text  # a page of nothing but links or dates has no main text


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece", [b"<p>The text of the page is long, and it goes on. ", b"The text of the page. ", b"<i>", b"x"]
)
def test_twenty_megabytes_are_read_or_refused(piece: bytes) -> None:
    result = outcome(piece * (20_000_000 // len(piece)), limit_s=60)
    assert isinstance(result, Document | PageTooLarge)


@given(st.binary(max_size=300))
def test_random_bytes(data: bytes) -> None:
    outcome(data)


@given(st.text(max_size=300))
def test_random_text(text: str) -> None:
    outcome(f"<p>{text}</p>")


PIECES = st.sampled_from(
    [
        *(
            "<div>",
            "</div>",
            "<a href='http://[x'>",
            "</a>",
            "<h1>",
            "<title>",
            "</title>",
            "<pre>",
            "<br>",
            "<td>",
            "<svg>",
        ),
        *("<script type='application/ld+json'>", '{"@type":', '"Article"', "}", "</script>", "<time datetime='", "'>"),
        *("<base href='//[", "<meta name=author content=", "<link rel=canonical href='", "2016-06-08", "昨天"),
        *("\n", " the ", "的", "&#0;", "\x0b", "\u202e"),
    ]
)


@given(st.lists(PIECES, max_size=40))
def test_random_markup(pieces: list[str]) -> None:
    result = document("<p>text" * 30 + "".join(pieces))
    assert all("\n" not in block.text for block in result.blocks)


def corpus_pages() -> Iterator[str]:
    for path in sorted(CORPORA.rglob("*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines):
                if number == 25:
                    break
                yield json.loads(line)["html"]


@pytest.mark.corpus
@pytest.mark.skipif(not CORPORA.is_dir(), reason="no corpora beside the repository")
def test_real_pages_never_raise() -> None:
    kinds = [document(html).kind for html in corpus_pages()]
    assert len(kinds) > 100
