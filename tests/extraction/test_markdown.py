"""A parser of Markdown gives back the structure that the clean HTML has, whatever the text holds."""

from html import escape

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.extraction.structure import of_html, of_markdown
from thresher.extraction.blocks import cut
from thresher.html import parse
from thresher.model import Document, Kind
from thresher.model.rendering.render import to_html, to_markdown

WORDS = (
    *(
        "a",
        "bc",
        "中文",
        "1",
        "1.",
        "2)",
        "#",
        "##",
        "-",
        "+",
        "*",
        "**",
        "_",
        "__",
        "a_b",
        "~",
        "~~",
        "`",
        "``",
        "[x]",
    ),
    *(
        "(y)",
        "!",
        "<b>",
        "&amp;",
        "&",
        "\\",
        "|",
        ">",
        "=",
        "===",
        "---",
        "：",
        "「",
        "」",
        "→",
        "€",
        "http://e.com/_a_",
    ),
    *(":--", "|--|", "עברית", "\u200f", "[^1]", "[x]: y", "<!--", "a*b", "é"),
)
TEXT = st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(("", " "))), min_size=1, max_size=5).map(
    lambda pairs: escape("".join(word + gap for word, gap in pairs))
)


def _wrapped(tag: str) -> str:
    return "<a href='http://e.com/a_(b)|*c?d=1&amp;copy;=2'>" if tag == "a" else f"<{tag}>"


INLINE = st.recursive(
    TEXT,
    lambda inner: st.tuples(
        st.sampled_from(("b", "i", "code", "a", "span")), st.lists(inner, min_size=1, max_size=3)
    ).map(lambda pair: f"{_wrapped(pair[0])}{''.join(pair[1])}</{pair[0]}>"),
    max_leaves=6,
)
LINES = st.lists(INLINE, min_size=1, max_size=3)
PARAGRAPH = LINES.map(lambda lines: f"<p>{'<br>'.join(lines)}</p>")
HEADING = INLINE.map(lambda line: f"<h3>{line}</h3>")
CODE = st.lists(TEXT, min_size=1, max_size=4).map(
    lambda lines: "<pre><code class=language-x>" + "\n".join(lines) + "</code></pre>"
)
CELLS = st.lists(st.lists(INLINE, min_size=2, max_size=2), min_size=2, max_size=3)
TABLE = CELLS.map(
    lambda rows: (
        "<table>"
        + "".join(
            "<tr>" + "".join(f"<{name}>{cell}</{name}>" for cell in row) + "</tr>"
            for row, name in zip(rows, ("th", "td", "td"), strict=False)
        )
        + "</table>"
    )
)
LEAF = PARAGRAPH | PARAGRAPH | INLINE | CODE
OPENERS = ("<ul>", "<ol>", "<ol start=3>", "<ol reversed>", "<ol start=0>")
BLOCK = st.recursive(
    LEAF,
    lambda inner: (
        st.tuples(
            st.sampled_from(OPENERS),
            st.lists(st.lists(inner, min_size=1, max_size=3).map("".join), min_size=2, max_size=3),
        ).map(lambda pair: pair[0] + "".join(f"<li>{item}</li>" for item in pair[1]) + f"</{pair[0][1:3]}>")
        | st.lists(inner, min_size=1, max_size=3).map(lambda parts: f"<blockquote>{''.join(parts)}</blockquote>")
    ),
    max_leaves=8,
)
PAGE = st.lists(BLOCK | HEADING | TABLE, min_size=1, max_size=4).map("".join)


def document_of(html: str) -> Document:
    tree = parse(f"<p>Start.</p>{html}", url="http://e.com/")
    return Document(None, Kind.ARTICLE, 1.0, blocks=cut(tree.body, base_url="http://e.com/"))


def assert_same(html: str) -> None:
    document = document_of(html)
    markdown = to_markdown(document)
    expected, found = of_html(to_html(document)), of_markdown(markdown)
    for wanted, got in zip(expected, found, strict=False):
        assert got == wanted, markdown
    assert len(expected) == len(found), markdown


@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
@given(PAGE)
def test_markdown_has_the_structure_of_the_html(html: str) -> None:
    assert_same(html)


@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(INLINE, min_size=1, max_size=3).map("".join))
def test_formatting_in_a_line_comes_back(html: str) -> None:
    assert_same(f"<p>{html}</p>")


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<ol><li>a<li>b</ol>", "1. a\n2. b"),
        ("<ol start=9><li>a<li>b<ul><li>c</ul></ol>", "9. a\n10. b\n    - c"),
        ("<ol reversed><li>a<li>b</ol>", "2. a\n1) b"),
        ("<ul><li>a<ol start=4><li>b</ol><li>c</ul>", "- a\n\n  4. b\n- c"),
        ("<ul><li><p>a<p>b<li>c</ul>", "- a\n\n  b\n\n- c"),
        ("<ul><li>a</ul><ul><li>b</ul>", "- a\n\n* b"),
        ("<ul><li>a<ul><li>b</ul><li>c</ul>", "- a\n  - b\n- c"),
        ("<ul><li>a<li>b<ul></ul></ul><ul><p>c</p></ul>", "- a\n- b\n\nc"),
        ("<dl><dt>a<dd>b<dt>c</dt><dd>d</dl>", "- a\n\n  b\n\n- c\n\n  d"),
        ("<dl><dd>a</dd></dl>", "a"),
        ("<blockquote><p>a<p>b<ul><li>c</ul></blockquote>", "> a\n>\n> b\n>\n> - c"),
        ("<pre class='brush: js; x'>a\n\n b</pre>", "```js\na\n\n b\n```"),
        ("<div class='highlight-py notranslate'><div><pre>a</pre></div></div>", "```py\na\n```"),
        ("<div class='lang-en'><pre>a ```` b</pre></div>", "`````\na ```` b\n`````"),
        ("<div>a<br>b<br> <br><b>c</b> d<hr>e</div>", "a  \nb\n\n**c** d\n\ne"),
        ("<ol start=2><li>a<br>b<br>\xa0<br>c<li>d</ol>", "2. a  \n   b\n\n   c\n\n3. d"),
        ("<div><font>a<br><br>b</font></div>", "a\n\nb"),
        ("<h2>1. One #</h2>", "## 1. One \\#"),
        ("<p><b>标题：</b>正文</p>", "**标题**：正文"),
        ("<p><a href=/x><b>a</b></a>b!<a href=/y>c</a></p>", "[**a**](http://e.com/x)b\\![c](http://e.com/y)"),
        ("<p><i><b>a:</b> b <a href=/x>c</a></i></p>", "***a:** b [c](http://e.com/x)*"),
        ("<p><i><b> a</b>1.<b>#a</b></i></p>", "*<strong>a</strong>1.**#a***"),
        ("<p>10~20, a_b_c, AT&T &amp;lt; 3~4</p>", "10\\~20, a_b_c, AT&T \\&lt; 3\\~4"),
        ("<p>a<br>1. b<br>---<br># c<br>+ d</p>", "a  \n1\\. b  \n\\---  \n\\# c  \n\\+ d"),
    ],
)
def test_markdown_of(html: str, markdown: str) -> None:
    assert to_markdown(document_of(html)) == f"Start.\n\n{markdown}\n"
    if "<dl>" not in html:
        assert_same(html)


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<tr><th>a<th>b|c<tr><td>1<td><p>2<p>3", "| a | b\\|c |\n| --- | --- |\n| 1 | 2<br>3 |"),
        ("<tr><td>a<td>b<tr><td>1<td>2", "|  |  |\n| --- | --- |\n| a | b |\n| 1 | 2 |"),
        ("<tr><td><b>a</b><td><b>b</b><tr><td>1<td>2", "| **a** | **b** |\n| --- | --- |\n| 1 | 2 |"),
        (
            "<tr><th rowspan=2><th colspan=2>a<th>b<tr><th>c<th>d<th>e<tr><th>f<td>1<td><td>2",
            "|  | a |  | b |\n| --- | --- | --- | --- |\n|  | c | d | e |\n| f | 1 |  | 2 |",
        ),
        (
            "<caption>C</caption><tr><th>a<td><td>1<tr><th>b<td><td>2",
            "C\n\n|  |  |\n| --- | --- |\n| a | 1 |\n| b | 2 |",
        ),
    ],
)
def test_a_table_of_data_is_a_table(html: str, markdown: str) -> None:
    assert to_markdown(document_of(f"<table>{html}</table>")) == f"Start.\n\n{markdown}\n"


@pytest.mark.parametrize(
    "html",
    [
        "<tr><td>a<td>b",
        "<tr><td>a<tr><td>b",
        f"<tr><td>a<td>{'b' * 200}<tr><td>c<td>d",
        "<tr><td>a<td><h2>b</h2><p>c<tr><td>d<td>e",
        "<tr><td>a<td><table><tr><td>b</table><tr><td>c<td>d",
        "<tr><th>a<th>b<tr><td>c<td><pre>d\ne</pre>",
    ],
)
def test_a_table_for_the_looks_is_none(html: str) -> None:
    document = document_of(f"<table>{html}</table>")
    assert "|" not in to_markdown(document)
    assert "<td>" not in to_html(document)


def test_lines_of_a_heading_are_one_in_markdown() -> None:
    document = document_of("<h2>a<br><br>b</h2>")
    assert to_markdown(document) == "Start.\n\n## a b\n"
    assert "<h2>a<br>\nb</h2>" in to_html(document)


def test_what_holds_all_of_a_text_is_left_out() -> None:
    blocks = cut(parse("<table><tr><td><ul><li><blockquote><p>a<p>b<ol><li>c</ol>").body)
    assert to_markdown(Document(None, Kind.ARTICLE, 1.0, blocks=blocks)) == "a\n\nb\n\n1. c\n"


def test_an_only_item_with_a_part_of_the_page_in_it_is_no_list() -> None:
    assert to_markdown(document_of("<ul><li><h2>a</h2><p>b</ul>")) == "Start.\n\n## a\n\nb\n"
    assert to_markdown(document_of("<dl><dt>x<dd><h2>a</h2><p>b</dl>")) == "Start.\n\nx\n\n## a\n\nb\n"
