"""Markdown and HTML derive from the same blocks, and nothing in them can break out."""

from hypothesis import given
from hypothesis import strategies as st

from thresher.html import parse
from thresher.model import Block, Document, Kind, Post, Span
from thresher.model.rendering.render import to_html, to_markdown

ALL = Document(
    url="http://e.com/",
    kind=Kind.ARTICLE,
    confidence=1.0,
    title="A <title> & *more*",
    blocks=(
        Block((Span("A <title> & *more*"),), "h1"),
        Block(
            (
                Span("Plain "),
                Span("strong", strong=True),
                Span(" and "),
                Span("link", href="http://e.com/a b"),
                Span("."),
            )
        ),
        Block((Span("evil", href="javascript:alert(1)"), Span("<script>x</script>"))),
        Block((Span("Part"),), "h2"),
        Block((Span("one"),), "li", "/ul/li[1]"),
        Block((Span("two", emphasis=True),), "li", "/ul/li[2]"),
        Block((Span("said"),), "blockquote", "/q"),
        Block((Span("if x:"),), "pre", "/pre"),
        Block((Span("    y = '```'"),), "pre", "/pre"),
        Block((Span("first line"),), "p", "/p[9]"),
        Block((Span("second line"),), "p", "/p[9]"),
        Block((Span("# no heading, "), Span("co`de", code=True))),
    ),
)


def test_markdown_of_every_kind_of_block() -> None:
    assert to_markdown(ALL) == (
        "# A \\<title> & \\*more\\*\n\n"
        "Plain **strong** and [link](http://e.com/a%20b).\n\n"
        "evil\\<script>x\\</script>\n\n"
        "## Part\n\n- one\n- *two*\n\n> said\n\n"
        "````\nif x:\n    y = '```'\n````\n\n"
        "first line  \nsecond line\n\n"
        "\\# no heading, ``co`de``\n"
    )


def test_html_of_every_kind_of_block() -> None:
    assert to_html(ALL) == (
        "<article>\n<h1>A &lt;title&gt; &amp; *more*</h1>\n"
        '<p>Plain <strong>strong</strong> and <a href="http://e.com/a b">link</a>.</p>\n'
        "<p>evil&lt;script&gt;x&lt;/script&gt;</p>\n"
        "<h2>Part</h2>\n<ul>\n<li>one</li>\n<li><em>two</em></li>\n</ul>\n<blockquote>said</blockquote>\n"
        "<pre><code>if x:\n    y = &#x27;```&#x27;</code></pre>\n"
        "<p>first line<br>\nsecond line</p>\n<p># no heading, <code>co`de</code></p>\n</article>\n"
    )


def test_an_empty_document_renders_to_next_to_nothing() -> None:
    empty = Document(url=None, kind=Kind.OTHER, confidence=0.0)
    assert to_markdown(empty) == ""
    assert to_html(empty) == "<article>\n\n</article>\n"


TEXT = st.text(alphabet="ab <>&\"'`*[]()\\\n#-", min_size=1, max_size=12)
HREF = st.none() | st.sampled_from(['http://e.com/"><script>', "javascript:x", "http://e.com/a'b", "https://e.com/)>"])
BLOCKS = st.lists(
    st.builds(Block, st.lists(st.builds(Span, TEXT, HREF), min_size=1, max_size=3).map(tuple)), max_size=4
)


@given(TEXT, BLOCKS)
def test_no_text_becomes_markup(title: str, blocks: list[Block]) -> None:
    document = Document(url=None, kind=Kind.ARTICLE, confidence=1.0, title=title, blocks=tuple(blocks))
    tree = parse(to_html(document))
    assert {str(element.tag) for element in tree.body.iter()} <= {"body", "article", "h1", "p", "a"}
    for link in tree.body.iter("a"):
        assert set(link.attrib) == {"href"}
        assert (link.get("href") or "").startswith("http")


def test_text_from_right_to_left_says_so() -> None:
    document = Document(None, Kind.ARTICLE, 1.0, title="שלום", language="he", blocks=(Block((Span("- עולם"),)),))
    assert to_html(document) == '<article dir="rtl">\n<h1>שלום</h1>\n<p>- עולם</p>\n</article>\n'
    assert to_markdown(document) == "# שלום\n\n\\- עולם\n"


def test_posts_of_a_thread_keep_their_structure() -> None:
    post = Post("Ann", None, "see\nhere\nnow\n# end", 1, quotes=("1. said\nmore",), xpath="/li[1]")
    blocks = (
        Block((Span("see"),), "p", "/li[1]/div[1]"),
        Block((Span("here", href="http://e.com/"),), "li", "/li[1]/div[1]/ol[1]/li[1]"),
        Block((Span("now"),), "li", "/li[1]/div[1]/ol[1]/li[2]"),
        Block((Span("# end"),), "p", "/li[1]/div[1]/p[1]"),
    )
    document = Document(None, Kind.THREAD, 1.0, title="T", blocks=blocks, posts=(post,))
    assert to_markdown(document) == (
        "# T\n\n**#1 · Ann**\n\n> 1\\. said  \n> more\n\nsee\n\n1. [here](http://e.com/)\n2. now\n\n\\# end\n"
    )
    assert "<ol>\n<li><a href=" in to_html(document)


def test_comments_are_lines_since_their_blocks_are_not_kept() -> None:
    post = Post("Ann", None, "one\n- two", 1)
    document = Document(None, Kind.ARTICLE, 1.0, blocks=(Block((Span("one"),)),), posts=(post,))
    assert to_markdown(document) == "one\n\n**#1 · Ann**\n\none  \n\\- two\n"
    assert "<section>\n<h2>#1 · Ann</h2>\n<p>one<br>\n- two</p>\n</section>" in to_html(document)
