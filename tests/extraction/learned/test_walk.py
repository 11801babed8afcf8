"""The compiled walk and the one in Python give the same table, whatever the page."""

from collections.abc import Callable
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given, settings
from lxml import etree

from tests.extraction.learned.markup import MARKUP
from tests.extraction.learned.pages import some_pages
from thresher.extraction.learned.table import SWOLLEN, Table
from thresher.extraction.learned.walk import walk
from thresher.extraction.learned.walk_tree import walk_tree
from thresher.html import parse
from thresher.text import strip_unseen

Walk = Callable[[etree._Element], Table]
needs_compiled = pytest.mark.skipif(walk is walk_tree, reason="the walk is not compiled here")
both = pytest.mark.parametrize("walk", [walk_tree, pytest.param(walk, marks=needs_compiled)], ids=["python", "c"])


def columns(table: Table) -> dict[str, Any]:
    made = {field.name: getattr(table, field.name) for field in fields(table)}
    return {name: list(column) for name, column in made.items()}


def assert_same(html: str) -> None:
    body = parse(html).body
    assert columns(walk(body)) == columns(walk_tree(body))


@needs_compiled
@settings(max_examples=400)
@given(MARKUP)
def test_any_markup_gives_the_same_table(markup: str) -> None:
    assert_same(markup)


@needs_compiled
@settings(max_examples=200)
@given(MARKUP)
def test_any_preformatted_markup_gives_the_same_table(markup: str) -> None:
    assert_same(f"<pre>{markup}</pre>")


@needs_compiled
def test_every_character_means_the_same_to_both() -> None:
    odd = [code for code in range(33, 0x110000) if not 0xD800 <= code < 0xE000 and _is_odd(chr(code))]
    chars = [chr(code + step) for code in odd for step in (-1, 0, 1)]
    assert len(chars) > 60
    assert_same("".join(f"<p>a{char}b<p>{char}<p>a {char}<b>{char}c</b><pre>x{char}y{char}</pre>" for char in chars))


def _is_odd(char: str) -> bool:
    return char.isspace() or not strip_unseen(char) or len(f"a{char}b".splitlines()) > 1


@needs_compiled
@pytest.mark.corpus
def test_labelled_pages_give_the_same_table() -> None:
    for html in some_pages():
        assert_same(html)


@needs_compiled
@pytest.mark.parametrize(
    "html",
    [
        "",
        "<frameset><frame src=a></frameset>",
        "<div>" * 3000 + "deep" + "</div>" * 3000,
        "<p>x" * 5000,
        "<button>" + "<p>y</p>" * SWOLLEN + "z",
        "<button>" + "<p>y</p>" * (SWOLLEN + 1) + "z",
        "<video><object>" + "<b>y</b>" * 100 + "</object></video>z",
        "<p>" + "中" * 100_000,
    ],
)
def test_extremes_give_the_same_table(html: str) -> None:
    assert_same(html)


@needs_compiled
def test_text_after_a_comment_is_left_out_by_both() -> None:
    root = etree.fromstring("<body>a<!-- c -->b<p>c<?pi d?>e<![CDATA[f]]></p>g</body>")
    assert columns(walk(root)) == columns(walk_tree(root))


@both
def test_a_table_has_elements_and_blocks(walk: Walk) -> None:
    html = "<body class=story>a<div id=nav><p>one <a href=/x>two</a> <b>three</b></p><br>four</div><img></body>"
    table = walk(parse(html).body)
    assert table.texts == ["a", "one two three", "four"]
    assert [node.tag for node in table.nodes] == ["body", "div", "p"]
    assert list(table.parent) == [-1, 0, 1]
    assert list(zip(table.first, table.end, strict=True)) == [(0, 3), (1, 3), (1, 2)]
    assert list(table.owner) == [0, 2, 1]
    assert list(table.tags) == [7, 5, 3]
    assert (list(table.linked), list(table.strong)) == ([0, 4, 0], [0, 6, 0])
    assert list(table.broken) == [0, 0, 1]
    assert table.runs[1] == [("one", 0), (" two", 1), (" three", 2)]
    assert table.styles[1][:2] == (True, "/x")


@both
def test_a_button_that_swallowed_the_page_is_read(walk: Walk) -> None:
    assert walk(parse("<button>press</button>x").body).texts == ["x"]
    assert len(walk(parse("<button>" + "<p>text</p>" * (SWOLLEN + 1)).body).texts) == SWOLLEN + 1


@needs_compiled
def test_elements_and_runs_are_sequences() -> None:
    table = walk(parse("<p>one<p>two").body)
    assert len(table.nodes) == 3
    assert table.nodes[-1].text == "two"
    assert table.runs[-1] == [("two", 0)]
    for column in (table.nodes, table.runs):
        with pytest.raises(IndexError):
            column[len(column)]
        with pytest.raises(IndexError):
            column[-len(column) - 1]
    with pytest.raises(TypeError):
        walk(None)  # type: ignore[arg-type]
