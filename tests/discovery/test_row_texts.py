"""The texts of a record are the same compiled or not."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from thresher.discovery.boards import _NUMBERS
from thresher.discovery.row_texts import may_show_numbers, numbered, numbered_by_text, pieces, pieces_by_text
from thresher.html import parse

PIECES = [
    *(
        "<p>",
        "</p>",
        "<a href=x>",
        "</a>",
        "<b>",
        "</b>",
        "<br>",
        "<li>",
        "<script>",
        "</script>",
        "<td>",
        "<!-- c -->",
    ),
    *(
        "1",
        " 12 ",
        "-1.5",
        "1e5",
        "1e",
        "+3",
        "a",
        "replies: 3",
        "\u00a0",
        "\u3000",
        "٣",
        "é",
        "\n",
        " ",
        "&#31;",
        "&#1;",
    ),
]


@settings(max_examples=500)
@given(st.lists(st.sampled_from(PIECES), max_size=30), st.integers(0, 12))
def test_compiled_and_interpreted_ones_agree(parts: list[str], limit: int) -> None:
    for element in parse("<body>" + "".join(parts)).root.iter():
        assert pieces(element, limit) == pieces_by_text(element, limit)
        assert sorted(numbered(element, limit)) == sorted(numbered_by_text(element, limit))


@given(st.lists(st.sampled_from(PIECES), max_size=30), st.integers(0, 4))
def test_a_page_that_shows_numbers_is_not_ruled_out(parts: list[str], least: int) -> None:
    root = parse("<body>" + "".join(parts)).root
    assert may_show_numbers(root, least) or _NUMBERS(root) < least


@pytest.mark.parametrize("read", [pieces, pieces_by_text])
def test_pieces_are_texts_that_show_something(read: object) -> None:
    assert callable(read)
    record = etree.fromstring("<li> <b>1</b>\u00a0<i>two</i> </li>")
    assert read(record, 4) == ["1", "two"]
    assert read(record, 3) is None


@pytest.mark.parametrize("read", [numbered, numbered_by_text])
def test_numbered_texts_are_short_and_may_have_a_digit(read: object) -> None:
    assert callable(read)
    record = etree.fromstring("<li><a>1<b>2</b></a>3<i>four</i>12345</li>")
    assert sorted(read(record, 4)) == [("1", True), ("2", True), ("3", False)]
