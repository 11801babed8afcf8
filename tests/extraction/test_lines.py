"""Lines of a page's source."""

import pytest

from tests.costs import costing_at_most
from thresher.errors import UsageError
from thresher.extraction.lines import LAYOUTS, MAX_LINES, Layout, Line, block_of, lines_of
from thresher.extraction.markup import tags_of
from thresher.html import parse

WRAPPED = """<html><head><title>Not here</title></head>
<body class="x">
<div>
  <p>One <a
     href="/a">two</a>
     three</p>

<script>if (a < b) { "<p>no</p>" }
</script>
<!-- <p>no</p>
--><p>four &amp; <b>f</b>ive<br>six</p></div></body></html>
"""


def markups(lines: list[Line]) -> list[str]:
    return [line.markup for line in lines]


def texts(source: str, **options: object) -> list[str]:
    return [line.text for line in lines_of(source, **options)]  # type: ignore[arg-type]


def test_a_source_line_ends_where_the_source_ends_it_but_not_inside_a_tag() -> None:
    assert markups(lines_of(WRAPPED)) == [
        "<div>",
        '<p>One <a href="/a">two</a>',
        "three</p>",
        "<p>four &amp; <b>f</b>ive<br>six</p></div>",
    ]


def test_flowed_lines_end_at_block_level_tags_alone() -> None:
    assert markups(lines_of(WRAPPED, layout="flowed")) == [
        "<div>",
        '<p>One <a href="/a">two</a> three</p>',
        "<p>four &amp; <b>f</b>ive<br>",
        "six</p>",
        "</div>",
    ]


def test_flowed_lines_of_minified_and_of_wrapped_markup_are_the_same() -> None:
    minified = "<body><div><p>One <i>two</i> three</p><p>four</p></div></body>"
    wrapped = "<body>\n<div>\n\t<p>One\n<i>two</i>\nthree</p>\n\n<p>four</p>\n</div>\n</body>"
    assert lines_of(minified, layout="flowed", bare=False)
    assert texts(minified, layout="flowed") == texts(wrapped, layout="flowed")


def test_a_line_tells_text_content_tags_links_and_images() -> None:
    (line,) = lines_of('<body><p>A &lt; <a href=x>b&nbsp;c</a> <img src="i.png">d</p>')
    assert (line.text, line.content, line.link_text) == ("A < b c d", "A &lt; b&nbsp;c d", "b c")
    assert (line.tags, line.links, line.images) == (5, 1, 1)


def test_a_link_over_several_lines_is_link_text_on_each() -> None:
    lines = lines_of("<body>a <a href=x>b\nc</a> d")
    assert [(line.link_text, line.links) for line in lines] == [("b", 1), ("c", 0)]


def test_an_anchor_without_href_is_no_link() -> None:
    (line,) = lines_of("<body><a name=top>Top</a>")
    assert (line.links, line.link_text) == (0, "")


def test_dropped_elements_go_with_their_content() -> None:
    page = "<body>a<form><p>b</p><form>c</form>d</form>e<label>f</label>g"
    assert texts(page, drop={"form", "label"}) == ["a eg"]
    assert texts(page, drop={"form", "label"}, layout="flowed") == ["a", "eg"]


def test_a_dropped_element_that_never_ends_takes_only_its_tag_along() -> None:
    assert texts("<body><form action=x>a<p>b</p>", drop={"form"}) == ["a b"]


def test_lines_of_tags_alone_can_be_left_out() -> None:
    page = "<body>\n<div>\n<p>a</p>\n</div>"
    assert markups(lines_of(page)) == ["<div>", "<p>a</p>", "</div>"]
    assert markups(lines_of(page, bare=False)) == ["<p>a</p>"]


def test_without_a_body_tag_all_after_the_head_is_read() -> None:
    assert texts("<head><title>t</title></head>a\nb") == ["a", "b"]
    assert texts("a\nb") == ["a", "b"]


def test_what_follows_the_body_is_not_read() -> None:
    assert texts("<body>a</body>\n<p>b</p>") == ["a"]


def test_quotes_protect_signs_in_values_and_nothing_else() -> None:
    assert texts('<body><p title="a > b">c</p>') == ["c"]
    assert texts('<body><p class="a"">c "d" e</p>') == ['c "d" e']
    assert texts('<body><p title="a>b</p>') == ["b"]


def test_another_layout_is_refused() -> None:
    with pytest.raises(UsageError, match="nope"):
        lines_of("a", layout="nope")  # type: ignore[arg-type]


def test_a_comment_that_never_ends_hides_the_rest() -> None:
    assert texts("<body>a<!-- b<p>c</p>") == ["a"]
    assert texts("<body>a<!-->b<!--->c<!-- x --!>d") == ["abcd"]


def test_a_line_becomes_a_block_with_shape_and_absolute_links() -> None:
    (line,) = lines_of('<body><h2>One <b>t</b>wo <a href="/x">three</a>, four</h2>')
    block = block_of(line, "http://a.example/")
    assert block is not None
    assert (block.text, block.tag) == ("One two three, four", "h2")
    assert [span.href for span in block.spans if span.href] == ["http://a.example/x"]


def test_a_line_without_text_is_no_block() -> None:
    (line,) = lines_of("<body><div>&nbsp;</div>")
    assert block_of(line) is None


def test_a_parsed_page_keeps_its_decoded_source() -> None:
    assert parse("<p>é".encode("latin-1"), content_type="text/html; charset=iso-8859-1").source == "<p>é"
    assert parse("<p>é").source == "<p>é"


@pytest.mark.parametrize(
    "piece", ["<a ", "<", "<!--", "<!", '<a b="', "<a b='<", "<script>", "<form>", "</p>", "a = b ", "<a =", "\n"]
)
def test_hostile_markup_is_cut_in_linear_time(piece: str) -> None:
    page = "<body>" + piece * (300_000 // len(piece))
    with costing_at_most(10):
        for layout in LAYOUTS:
            lines_of(page, layout=layout, drop={"form", "script"})


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("piece", ["<p>x\n", "x\n"])
def test_no_more_than_a_limit_of_lines_is_read(layout: Layout, piece: str) -> None:
    lines = lines_of("<body>" + piece * (MAX_LINES + 10), layout=layout)
    assert len(lines) == (1 if (layout, piece) == ("flowed", "x\n") else MAX_LINES)


def test_tags_are_found_in_order_with_raw_text_skipped() -> None:
    found = [(tag.name, tag.closing) for tag in tags_of("<!doctype html><P>a</p><style>b<i></STYLE>")]
    assert found == [("", False), ("p", False), ("p", True), ("style", False), ("style", True)]
