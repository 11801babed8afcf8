"""A page of any quality becomes one tree, or a documented error, in good time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.errors import NotHtml, PageTooLarge, ThresherError
from thresher.html import Tree, parse
from thresher.html.bombs import MAX_DEPTH, flatten


def texts(tree: Tree) -> str:
    return "".join(tree.root.itertext())


def depth_of(tree: Tree) -> int:
    depths = {tree.root: 1}
    for element in tree.root.iterdescendants():
        parent = element.getparent()
        assert parent is not None
        depths[element] = depths[parent] + 1
    return max(depths.values())


def test_a_page_is_parsed() -> None:
    tree = parse("<title>t</title><p>one<p>two", url="http://e.com/a")
    assert tree.root.tag == "html"
    assert [element.text for element in tree.body] == ["one", "two"]
    assert (tree.url, tree.base_url, tree.encoding, tree.size) == ("http://e.com/a", "http://e.com/a", None, 28)


def test_bytes_are_decoded() -> None:
    tree = parse("<p>中文的网页，没有说明编码。".encode("gbk"), content_type="text/html; charset=gb2312")
    assert tree.encoding == "gb18030"
    assert "中文的网页" in texts(tree)


@pytest.mark.parametrize(
    "nothing", ["", b"", "  \n ", "<!-- only a comment -->", "<!doctype html>", "</p>", b"\xef\xbb\xbf"]
)
def test_an_empty_page_is_an_empty_tree(nothing: str | bytes) -> None:
    tree = parse(nothing)
    assert tree.root.tag == "html"
    assert not texts(tree).strip()


def test_a_frameset_has_the_root_as_body() -> None:
    assert parse("<frameset><frame src=a></frameset>").body.tag == "html"


def test_comments_and_instructions_are_left_out() -> None:
    tree = parse("<?php x ?><p>a<!-- no -->b</p>")
    assert [element.tag for element in tree.root.iter()] == ["html", "body", "p"]
    assert tree.body[0].text == "ab"


@pytest.mark.parametrize(
    ("href", "base"),
    [
        ("http://other.com/x/", "http://other.com/x/"),
        ("/sub/", "http://e.com/sub/"),
        ("", "http://e.com/a/b"),
        ("javascript:1", "http://e.com/a/b"),
        ("http://[bad", "http://e.com/a/b"),
    ],
)
def test_base_href_is_what_links_are_relative_to(href: str, base: str) -> None:
    assert parse(f"<base href='{href}'><base href='/second/'><p>x", url="http://e.com/a/b").base_url == base


def test_control_characters_and_surrogates_do_no_harm() -> None:
    tree = parse("<p>a\x00b\x01c\x1fd\x0be\ud800f&#0;&#1;&#xd800;g</p>" + "<p>text" * 20)
    text = tree.body[0].text or ""
    assert text.startswith("abcd e?f")
    assert text.endswith("g")


@pytest.mark.parametrize(
    "data",
    [
        b"%PDF-1.7\n%\xe2\xe3",
        b"\x89PNG\r\n\x1a\n\x00\x00",
        b"GIF89a\x01\x00",
        b"\xff\xd8\xff\xe0\x00\x10JFIF",
        b"PK\x03\x04\x14\x00",
        b"\x1f\x8b\x08\x00",
        b"\x00" * 1000,
        bytes(range(256)) * 10,
    ],
)
def test_binary_content_is_refused(data: bytes) -> None:
    with pytest.raises(NotHtml):
        parse(data)
    with pytest.raises(NotHtml):
        parse(data.decode("latin-1"))


def test_a_page_over_the_limit_is_refused() -> None:
    with pytest.raises(PageTooLarge):
        parse("x" * 1001, max_size=1000)
    with pytest.raises(PageTooLarge):
        parse(b"x" * (64 * 2**20 + 1))


@pytest.mark.parametrize(
    "markup",
    [
        "<div>" * 100_000 + "the middle" + "</div>" * 100_000 + "<p>the end</p>",
        "<b>" * 100_000 + "the middle<p>the end",
        "<table><tr><td>" * 50_000 + "the middle" + "</td></tr></table>" * 50_000 + "<p>the end",
        "<ul><li>" * 60_000 + "the middle" + "</ul>" * 60_000 + "the end",
        "</span>" * 150 + "<p><i>" * 100_000 + "the middle</i><p>the end",
    ],
)
def test_deep_nesting_is_cut_and_no_text_is_lost(markup: str) -> None:
    tree = parse(markup)
    assert "the middle" in texts(tree)
    assert "the end" in texts(tree)
    assert depth_of(tree) <= MAX_DEPTH + 5


def test_unclosed_paragraphs_are_not_taken_for_depth() -> None:
    tree = parse("<p>a" * 250_000)
    assert len(tree.body) == 250_000


def test_flattening_leaves_scripts_and_shallow_markup_alone() -> None:
    markup = b"<div class='a'><p>x<br>y</p><script>if (a</b>) '<div>'</script><!-- <div> --></div>"
    assert flatten(markup) == markup


@pytest.mark.parametrize(
    "markup",
    [
        "<div>" * 2_000 + "</span>" * 500_000,
        "<p>the" * 1_000_000,
        "<br>" * 1_000_000,
        "<" * 1_000_000,
        "&" * 5_000_000,
        "<!--" * 1_000_000,
        "<a href='" + "x" * 10_000_000 + "'>x</a>",
        "x " * 5_000_000,
        "<script>" * 500_000,
    ],
)
def test_hostile_markup_is_parsed(markup: str) -> None:
    """In seconds; where it is not, the limit of the whole test run ends it."""
    assert parse(markup).root.tag == "html"


@pytest.mark.parametrize(
    "markup",
    [
        "<div " + " ".join(f"a{n}=1" for n in range(200_000)) + ">x",
        "<div " + "/".join(f"a{n}='>'" for n in range(200_000)).replace(">", "") + ">x",
        "<div " + " ".join(f'a{n}=">"' for n in range(200_000)) + ">x",
        '<div x=y=" ' + " ".join(f"a{n}" for n in range(200_000)) + ">x",
        "<div " * 1_000_000,
        "<p>" * 2_000_001,
    ],
)
def test_what_would_take_minutes_is_refused(markup: str) -> None:
    with pytest.raises(PageTooLarge):
        parse(markup)


def test_words_of_a_long_quoted_value_are_no_attributes() -> None:
    value = 'it -> is "a" long value, and ' * 4000
    assert "after" in texts(parse(f"<body><div data-state='{value}'>inside</div>after"))


def test_a_long_script_is_no_long_tag() -> None:
    script = "<script>for (i=0;i<a.length;i++) {" + " x = 'y' ;" * 20_000 + "}</script>"
    assert "the text" in texts(parse(f"<body>{script}<p>the text</p>"))


@given(st.binary(max_size=200) | st.text(max_size=200))
def test_any_input_gives_a_tree_or_our_error(data: bytes | str) -> None:
    try:
        tree = parse(data, url="http://e.com/")
    except ThresherError:
        return
    assert tree.root.tag == "html"


@given(
    st.lists(
        st.sampled_from(["<div>", "</div>", "<p>", "</p>", "<b>", "</i>", "<script>", "</script>", "x", "<!--", "-->"])
    )
)
def test_flattening_shallow_markup_keeps_all_start_tags_and_text(pieces: list[str]) -> None:
    markup = "".join(pieces).encode()
    flat = flatten(markup)
    assert flat.count(b"x") == markup.count(b"x")
    assert flat.count(b"<div>") == markup.count(b"<div>")
