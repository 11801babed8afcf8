"""A page's text is cut into blocks that keep order, formatting and place."""

from hypothesis import given
from hypothesis import strategies as st

from tests.costs import costing_at_most
from thresher.extraction.blocks import absolute, cut
from thresher.html import parse
from thresher.model import Block, Span


def blocks_of(html: str, *, bare: bool = False) -> tuple[Block, ...]:
    return cut(parse(html).body, base_url="http://e.com/dir/page", bare=bare)


def lines_of(html: str) -> list[tuple[str, str]]:
    return [(block.tag, block.text) for block in blocks_of(html)]


def test_runs_of_inline_text_are_one_block() -> None:
    assert lines_of("<p>one <b>two</b> <span>three<i>four</i></span></p>five") == [
        ("p", "one two threefour"),
        ("p", "five"),
    ]


def test_white_space_is_squeezed_across_elements() -> None:
    assert lines_of("<p>  a \n <b> b </b>\t c\xa0\u3000d  </p>") == [("p", "a b c d")]


def test_unseen_characters_are_left_out() -> None:
    assert lines_of("<p>soft\xadhyphen\u200b and <b>\ufeff</b>more</p><p>\u200b</p>") == [("p", "softhyphen and more")]


def test_a_break_starts_a_new_block() -> None:
    assert lines_of("<p>one<br>two<br/><br>three</p>") == [("p", "one"), ("p", "two"), ("p", "three")]


def test_blocks_have_the_shape_of_their_element() -> None:
    html = (
        "<h2>head</h2><ul><li>item<li><p>item in p</p></ul><blockquote><p>said</p></blockquote>"
        "<table><tr><th>cell<td><div>page</div></table><dl><dt>term<dd>means</dl><div>text</div>"
    )
    assert lines_of(html) == [
        *(("h2", "head"), ("li", "item"), ("li", "item in p"), ("blockquote", "said"), ("td", "cell"), ("p", "page")),
        *(("li", "term"), ("li", "means"), ("p", "text")),
    ]


def test_preformatted_text_keeps_its_lines_and_indentation() -> None:
    assert lines_of("<pre>if x:\n    y  =  1\n\nend</pre>after") == [
        ("pre", "if x:"),
        ("pre", "    y  =  1"),
        ("pre", "end"),
        ("p", "after"),
    ]


def test_formatting_and_links_are_kept() -> None:
    (block,) = blocks_of(
        "<p>a <a href='../x?q=1'>b <b>c</b></a><em>d</em><code>e</code> <a href='javascript:f()'>g</a></p>"
    )
    assert block.spans == (
        Span("a"),
        Span(" b", href="http://e.com/x?q=1"),
        Span(" c", href="http://e.com/x?q=1", strong=True),
        Span("d", emphasis=True),
        Span("e", code=True),
        Span(" g"),
    )


def test_what_a_browser_does_not_show_as_text_is_left_out() -> None:
    html = "<p>a<script>b</script><style>c</style><noscript>d</noscript><template><p>e</p></template>f<select><option>g"
    assert lines_of(html) == [("p", "af")]


def test_refused_leaves_are_left_out() -> None:
    body = parse("<p>keep <a>link</a> drop</p>").body
    (block,) = cut(body, keep=lambda text, in_link: not in_link)
    assert block.text == "keep drop"


def test_xpaths_lead_back_to_the_element() -> None:
    tree = parse("<div><p>a</p><p>b<br>c</p><x-y><p>d</p></x-y><section><span><p>e</p></span>f</section></div>")
    for block in cut(tree.body):
        (element,) = tree.root.getroottree().xpath(block.xpath)
        assert block.text in "".join(element.itertext())


def test_elements_that_lie_too_deep_have_no_xpath() -> None:
    (block,) = blocks_of("<div>" * 100 + "deep")
    assert (block.text, block.xpath) == ("deep", "")


def test_bare_blocks_have_the_same_text() -> None:
    html = "<ul><li>one <a href='x'>two</a><li>three</ul>"
    bare = blocks_of(html, bare=True)
    assert [block.text for block in bare] == [block.text for block in blocks_of(html)]
    assert {block.xpath for block in bare} == {""}
    assert bare[0].spans[1].href == "x"


def test_only_a_part_of_the_page_is_cut() -> None:
    tree = parse("<div id=a>one</div>tail<div>two</div>")
    assert [block.text for block in cut(tree.body[0])] == ["one"]
    assert cut(tree.body[0])[0].xpath == "/html/body[1]/div[1]"


def test_links_that_lead_nowhere_are_none() -> None:
    assert absolute("http://[", "http://e.com/") is None
    assert absolute("mailto:a@b", None) is None
    assert absolute("/x", None) is None
    assert absolute(" /x ", "https://e.com/") == "https://e.com/x"


def test_a_hundred_thousand_siblings_take_seconds() -> None:
    body = parse("<p>the</p>" * 100_000).body
    with costing_at_most(5):
        assert len(cut(body)) == 100_000


@given(st.text(alphabet="ab \n<>/pdivbr", max_size=60))
def test_the_tree_stays_as_it_was_and_no_text_is_lost(html: str) -> None:
    tree = parse(html)
    before = "".join(tree.body.itertext())
    blocks = cut(tree.body)
    assert "".join(tree.body.itertext()) == before
    assert "".join("".join(block.text for block in blocks).split()) == "".join(before.split())
