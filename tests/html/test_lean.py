"""Leaving out what nothing reads changes neither the tree nor what is found in it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from thresher import extract
from thresher.extraction.forum.layout import KEPT, NAMING
from thresher.extraction.learned.table import NOTED
from thresher.html import parse, tree
from thresher.html.encode import encode
from thresher.html.lean import Lean, lean, lean_by_expressions
from thresher.html.lean_words import CUT, DATA, READ

PAGES = Path(__file__).parents[1] / "pages"
LONG = 30  # bytes of a tag
PIECES = [
    *("<", "</", ">", "/", "=", '"', "'", " ", "\n", "text", "é中", "&amp;", "x='", 'y="', "-", "--", "!"),
    *("<p>", "<p ", "</p>", "<div class=a>", "<b>", "</b>", "<br/>", "<table><tr><td>", "</td>", "<ul><li>", "<h1>"),
    *("<script>", "<script", "</script>", "</script ", "<SCRIPT x>", "<script/>", "<style>", "</style>", "<style/>"),
    *("<!--", "-->", "--!>", "<!-->", "<!--->", "<![CDATA[", "]]>", "<?php ", "?>", "<!doctype html>", "<!DOCTYPE "),
    *("<title>", "</title>", "<textarea>", "</textarea>", "<iframe>", "</iframe>", "<xmp>", "</xmp>", "<plaintext>"),
    *(
        "<base href=/x>",
        "<base ",
        "<a href='x' data-x=1>",
        'class="a"',
        "data-x='1'",
        "data-x=1",
        "data-x",
        "id=b",
        "<form>",
    ),
    *("style='display:none'", "style='x'", "STYLE=&#110;one", "<img alt=a src=b>", "<frame src=c>", "<noscript>"),
    *(
        "<option value=1 selected>",
        "<ol start=2>",
        "<LI value=3>",
        "<td colspan=2>",
        "<p value=1>",
        "<script type=application/LD+JSON>",
        "<script type='ld&#43;json'>",
        '{"a":1}',
    ),
    *(
        "<head>",
        "<body class=x data-y>",
        "<body id=2>",
        "<html lang=en xmlns=x>",
        "</body>",
        "<svg viewBox=1><path d=2 />",
    ),
]
Seen = list[tuple[object, ...]]


def whole_tree(markup: bytes) -> etree._Element | None:
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True)
    try:
        return etree.fromstring(markup, parser)
    except etree.XMLSyntaxError:
        return None


def is_read(tag: str, name: str, value: str) -> bool:
    return "none" in value.lower() if name == "style" else name in READ and (not READ[name] or tag in READ[name])


def what_is_read(root: etree._Element | None, most: int) -> Seen:
    """Return the tree as a list: tags, attributes and texts that are read, and where elements end."""
    seen: Seen = []
    for event, element in etree.iterwalk(root, events=("start", "end")) if root is not None else ():
        tag, text = str(element.tag), element.text or ""
        if tag in CUT and DATA not in (element.get("type") or "").lower():
            text = text.encode()[:most].decode(errors="ignore")
        told = sorted((name, value) for name, value in element.attrib.items() if is_read(tag, str(name), str(value)))
        seen.append((tag, told, text) if event == "start" else (tag, element.tail or ""))
    return seen


@pytest.fixture(params=[lean, lean_by_expressions], ids=["as installed", "by expressions"])
def leaned(request: pytest.FixtureRequest) -> Callable[..., Lean | None]:
    return request.param  # type: ignore[no-any-return]


@settings(max_examples=500)
@given(st.lists(st.sampled_from(PIECES), max_size=30), st.integers(0, 9))
def test_compiled_and_interpreted_ones_agree(pieces: list[str], most: int) -> None:
    markup = "".join(pieces).encode()
    assert lean(markup, LONG, most) == lean_by_expressions(markup, LONG, most)


@given(st.binary(max_size=60))
def test_they_agree_on_any_bytes(markup: bytes) -> None:
    assert lean(markup, LONG, 0) == lean_by_expressions(markup, LONG, 0)


@pytest.mark.skipif(not tree.IS_LEAN, reason="this libxml2 tells tags in its own way")
@settings(max_examples=1_000)
@given(st.lists(st.sampled_from(PIECES), max_size=30), st.integers(0, 9))
def test_the_tree_is_that_of_the_whole_page(pieces: list[str], most: int) -> None:
    markup = "".join(pieces).encode()
    made = lean(markup, LONG, most)
    if made is not None:
        assert what_is_read(whole_tree(made.markup), most) == what_is_read(whole_tree(markup), most)


@pytest.mark.parametrize(
    ("markup", "left"),
    [
        ("<p class=a data-x='>' id=b>t</p>", "<p class=a  id=b>t</p>"),
        ("<p data-x/>", "<p />"),
        ("<p/data-x>", "<p/ >"),
        ('<p class="a"data-x="b"id=c>', '<p class="a" id=c>'),
        ("<a href=x data-x=y/>", "<a href=x >"),
        ("<img src=a alt=b><frame src=c>", "<img  alt=b><frame src=c>"),
        ("<p style='color:red'><p style='display:none'>", "<p ><p style='display:none'>"),
        ("<p style=x style='display:none'>", "<p  >"),
        ("a<!-- <p> -- > -->b<!--->c<!----!>d", "a<!---->b<!--->c<!---->d"),
        ("<ol start=2 value=1><li start=2 VALUE=1>", "<ol start=2 ><li  VALUE=1>"),
        ("<script>a</scripts></script>b", "<script></script>b"),
        ("<script><!-- a </script>b", "<script></script>b"),
        ("<script/><p data-x>", "<script/><p >"),
        ("<style>a<p data-x></style>", "<style></style>"),
        ("<title><p data-x></title>", "<title><p data-x></title>"),
        ("<script type='application/LD+json' data-x>{}</script>", "<script type='application/LD+json' >{}</script>"),
        ("<p data-x", "<p data-x"),
        ("<script>a", "<script>a"),
        ("<!--a", "<!--a"),
        ("<plaintext><p data-x>", "<plaintext><p data-x>"),
        ("1 < 2 <p data-x></p data-x='>'>", "1 < 2 <p ></p data-x='>'>"),
    ],
)
def test_what_is_not_read_is_left_out(leaned: Callable[..., Lean | None], markup: str, left: str) -> None:
    made = leaned(markup.encode(), LONG, 0)
    assert made is not None
    assert made.markup.decode() == left


def test_a_script_is_cut_between_characters(leaned: Callable[..., Lean | None]) -> None:
    made = leaned("<script>a中</script>".encode(), LONG, 3)
    assert made is not None
    assert made.markup == b"<script>a</script>"


def test_a_script_in_the_comment_of_a_script_is_left_to_the_parser(leaned: Callable[..., Lean | None]) -> None:
    assert leaned(b"<script><!-- <script></script> --></script>", LONG, 0) is None


def test_tags_long_ones_and_a_base_are_seen(leaned: Callable[..., Lean | None]) -> None:
    assert leaned(b"<p a b c='" + b"x" * LONG + b"'>1 < 2</p><BASE>", LONG, 0)[1:] == (4, 3, True)  # type: ignore[index]
    assert leaned(b"<script>'<base>' < 1</script>", LONG, 0)[1:] == (2, 0, False)  # type: ignore[index]


def test_all_attributes_that_are_searched_for_are_kept() -> None:
    assert set(READ) | {"style"} >= {*KEPT, *NAMING, *NOTED}


def test_scripts_end_where_they_end_in_the_tree() -> None:
    assert [element.tag for element in parse("<body><script>'<p>'</script><b data-x>y</b>").body] == ["script", "b"]


@pytest.mark.parametrize("page", sorted(PAGES.glob("*/source.html")), ids=lambda page: page.parent.name)
def test_the_document_is_that_of_the_whole_page(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    html = page.read_bytes()
    document = extract(html, url="http://example.com/")
    monkeypatch.setattr(tree, "IS_LEAN", False)
    assert extract(html, url="http://example.com/") == document


@settings(max_examples=300)
@given(st.text(max_size=200) | st.text(st.sampled_from("abcé\xff中\ud800\U0001f600"), max_size=200))
def test_text_is_encoded_as_python_does(text: str) -> None:
    assert encode(text) == text.encode("utf-8", "replace")
    assert encode("<p>" * 50 + text + "<p>" * 50) == ("<p>" * 50 + text + "<p>" * 50).encode("utf-8", "replace")
