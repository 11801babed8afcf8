"""Chosen blocks of a table become the Blocks that cutting the page would give."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.extraction.learned.markup import MARKUP
from tests.extraction.learned.pages import some_pages
from thresher.extraction.blocks import absolute, cut
from thresher.extraction.learned import kept as kept_module
from thresher.extraction.learned.kept import drafts, kept
from thresher.extraction.learned.table import SOFT
from thresher.extraction.learned.walk import is_swollen, walk
from thresher.extraction.learned.walk_tree import walk_tree
from thresher.extraction.paths import Paths
from thresher.html import Tree, parse

URL = "http://e.com/dir/page"


def has_swollen(tree: Tree) -> bool:
    return any(is_swollen(node) for node in tree.body.iter(*SOFT))


def assert_cut(html: str) -> None:
    tree = parse(html, url=URL)
    expected = cut(tree.body, base_url=tree.base_url)
    for table in (walk(tree.body), walk_tree(tree.body)):
        assert kept(table, range(len(table.texts)), base_url=tree.base_url) == expected


@settings(max_examples=300)
@given(MARKUP)
def test_all_blocks_chosen_is_the_page_cut(markup: str) -> None:
    assume(not has_swollen(parse(markup)))
    assert_cut(markup)


@pytest.mark.corpus
def test_labelled_pages_come_out_as_cut() -> None:
    for html in some_pages():
        if not has_swollen(parse(html)):
            assert_cut(html)


def test_only_the_chosen_blocks_come_back_in_order() -> None:
    table = walk(parse("<h1>one</h1><p>two <a href=x>three</a><p>four").body)
    blocks = kept(table, [0, 1], base_url=URL)
    assert [block.text for block in blocks] == ["one", "two three"]
    assert blocks[1].spans[1].href == "http://e.com/dir/x"
    assert blocks[1].xpath.endswith("/p[1]")


def test_marks_tell_what_attributes_say() -> None:
    html = (
        "<ol start=3><li>a<li><p>b</ol><table><tr><th rowspan=2>c<th>d<tr><td>e</table><pre class=lang-x>f\n\ng</pre>"
    )
    tree = parse(html)
    for table in (walk(tree.body), walk_tree(tree.body)):
        assert [block.mark for block in kept(table, range(7))] == ["3", "4", "", "", "2", "x", "x\n"]


def test_the_blocks_of_a_cell_have_its_mark_and_the_next_cell_its_own() -> None:
    html = "<table><tr><th rowspan=2>c<th>d<th>e<tr><td><p>f<p>g<dl><dt>h<dd>i</dl>j<td>k<td><p>l</table>"
    tree = parse(html)
    for table in (walk(tree.body), walk_tree(tree.body)):
        blocks = kept(table, range(len(table.texts)))
        assert [block.mark for block in blocks] == ["", "", "", "2", "2", "", "", "2", "3", "4"]


def test_what_a_table_is_of_has_no_mark_of_its_own() -> None:
    cell = parse("<table><tr><th>a<td>b<table><tr><th>c<td>d").body.find(".//td")
    assert cell is not None
    table = walk(cell)
    assert [block.mark for block in kept(table, range(3))] == ["", "", "2"]
    assert kept(table, range(3)) == cut(cell)


@settings(max_examples=300)
@given(MARKUP)
def test_interpreted_the_blocks_are_the_same(markup: str) -> None:
    table = walk(parse(markup, url=URL).body)
    blocks = kept(table, range(len(table.texts)), base_url=URL)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kept_module, "_kept", None)
        assert kept(table, range(len(table.texts)), base_url=URL) == blocks


@settings(max_examples=300)
@given(MARKUP)
def test_drafts_have_the_texts_and_places_of_the_blocks(markup: str) -> None:
    table = walk(parse(markup, url=URL).body)
    chosen = range(len(table.texts))
    told = [(block.text, block.xpath) for block in kept(table, chosen)]
    assert [(block.text, block.xpath) for block in drafts(table, chosen, Paths())] == told
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kept_module, "_kept", None)
        assert [(block.text, block.xpath) for block in drafts(table, chosen, Paths())] == told


ADDRESSES = st.lists(
    st.sampled_from(
        (
            *(
                "http://",
                "https://",
                "a.com",
                "b-c.org",
                "/",
                "//",
                "..",
                ".",
                "%20",
                "~",
                "?",
                "#",
                "&",
                "=",
                "+",
                "-",
                "a",
            ),
            *(
                "B",
                "9",
                "_",
                ":",
                ";",
                ".html",
                "é",
                " ",
                "[",
                "]",
                "@",
                "\t",
                "./",
                ":80",
                ",",
                "'",
                "(",
                ")",
                "*",
                "|",
            ),
        )
    ),
    max_size=8,
).map("".join)
BASES = (
    *("http://e.com/", "http://e.com", "https://a.b/c/d?x=1#y", "http://a/[", "HTTP://a.b/", "http://a.b:80/", None),
    *(
        "http://e.com/board/view.php?t=1/2",
        "http://e.com/a/../b/c",
        "http://e.com/a/b/",
        "http://e.com/a//b",
        "http://e.com?q",
        "http://e.com:80/a/b?c;d#e",
        "http://e.com/a?",
        "http://e.com/a#",
    ),
)


@settings(max_examples=1_000)
@given(ADDRESSES, st.sampled_from(BASES))
def test_a_link_is_made_absolute_as_anywhere(address: str, base: str | None) -> None:
    table = walk_tree(parse("<p><a href=x>one</a>").body)
    table.styles = [(each[0], address if each[1] else None, *each[2:]) for each in table.styles]
    assert kept(table, [0], base_url=base)[0].spans[0].href == absolute(address, base)


def test_pieces_parted_by_an_unseen_one_stay_two_spans() -> None:
    table = walk(parse("<p>one<b>\u200b</b>two").body)
    assert [span.text for span in kept(table, [0])[0].spans] == ["one", "two"]
