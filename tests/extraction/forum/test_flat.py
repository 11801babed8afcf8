"""Compiled or interpreted, pages are laid out alike and the posts found in them are the same."""

from datetime import UTC, datetime
from types import ModuleType

import pytest

from tests.extraction.forum import engines, engines_more
from tests.extraction.forum.pure import load_pure
from thresher.extraction.forum import flat_tree
from thresher.extraction.forum.flat import lay_flat
from thresher.extraction.forum.flat_tree import lay_flat_tree
from thresher.extraction.forum.layout import COLUMNS, Layout
from thresher.extraction.forum.thread import find_thread
from thresher.html import parse

ODD = (
    "<div class='Post  p12 hidden x y z' id='Post_9' itemprop=author title='3 May'>Re: a\u00a0\n b<b> 12</b>c"
    "<a href=x>说 13</a></div>"
    "<div>RE: A B 77C说 5</div><p style='display : none'>gone</p><hidden>t</hidden><svg><g>no</g></svg>tail"
    "<script>x</script> <i> </i><svg:a xlink:href='y'>z</svg:a>٣ days<br><pre>one\n\n two</pre>"
)
NOW = datetime(2019, 3, 22, 18, 2, tzinfo=UTC)
PURE = load_pure()


def same(one: Layout, other: Layout) -> bool:
    """Say whether two layouts are equal in all columns."""
    return all(list(getattr(one, name)) == list(getattr(other, name)) for name in COLUMNS)


compiled_only = pytest.mark.skipif(lay_flat is lay_flat_tree, reason="there is no compiled walk to compare with")


@compiled_only
def test_an_odd_page_is_laid_out_alike() -> None:
    body = parse(f"<body>{ODD}</body>", url="http://example.com/").body
    assert same(lay_flat(body), lay_flat_tree(body))


@compiled_only
def test_a_page_of_more_elements_than_are_looked_at_is_laid_out_alike() -> None:
    many = "<div><p>a <b>b</b></p>" * 120 + "<p>c</p>"
    body = parse(many * 250, url="http://example.com/").body
    layout = lay_flat(body)
    assert len(layout.tags) == flat_tree.MAX_ELEMENTS + 1
    assert same(layout, lay_flat_tree(body))


@compiled_only
def test_a_long_piece_is_cut_alike() -> None:
    blank, long = " " * (flat_tree.MAX_PIECE + 5), "ab  说 " * flat_tree.MAX_PIECE
    body = parse(f"<p>{blank}x</p><p>a<b>{blank}</b>{long}</p><p>{blank}</p>", url="http://example.com/").body
    assert same(lay_flat(body), lay_flat_tree(body))


@compiled_only
@pytest.mark.parametrize("source", [engines, engines_more])
def test_threads_are_laid_out_alike(source: ModuleType) -> None:
    for name in source.ENGINES:
        body = parse(source.conversation(name, 6)[0], url="http://example.com/").body
        assert same(lay_flat(body), lay_flat_tree(body))


@compiled_only
@pytest.mark.parametrize("source", [engines, engines_more])
def test_the_posts_are_the_same(source: ModuleType) -> None:
    for name in source.ENGINES:
        tree = parse(source.conversation(name, 6)[0], url="http://example.com/")
        one, other = (find(tree, fetched_at=NOW) for find in (find_thread, PURE["thread"].find_thread))
        assert (one.posts, one.blocks, one.confidence, one.facts) == (
            other.posts,
            other.blocks,
            other.confidence,
            other.facts,
        )


def test_the_pure_modules_are_interpreted() -> None:
    assert all(str(module.__file__).endswith(".py") for module in PURE.values())
    assert PURE["flat"].lay_flat is PURE["flat_tree"].lay_flat_tree
