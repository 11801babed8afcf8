"""PEAN: the worked example of the thesis, and what each step keeps."""

from datetime import UTC, datetime

import pytest

from thresher.extraction.algorithms import ALGORITHMS
from thresher.extraction.algorithms.pean import choose_posts, locate_posts, relative_mean_deviation, spread_of
from thresher.extraction.forum.pivots import find_pivots
from thresher.html import Tree, parse

DATES = (1, 3, 3, 2, 3, 2, 2, 3, 1, 2)  # of the ten posts in figure 3-5


def example() -> Tree:
    """Build figure 3-5: ten posts under #postlist, 22 pivots."""
    posts = ""
    for number, dates in enumerate(DATES):
        quotes = "".join(f"<q>2014-05-{day:02} 08:00</q>" for day in range(1, dates))
        posts += f'<div id="post_{number}"><div><p>said <b>2014-06-12 10:10:{number:02}</b></p>{quotes}</div></div>'
    inner = f'<div id="postlist">{posts}<div id="postlistreply">reply</div></div>'
    return parse(f'<body><div>hello</div><div id="wp"><div id="pt"></div><div id="ct">{inner}</div></div></body>')


def test_the_worked_example_gives_the_numbers_of_the_thesis() -> None:
    tree = example()
    pivots = find_pivots(tree.body)
    node, seen = tree.body, []
    for _ in range(5):
        spread = spread_of(node, pivots)
        assert spread is not None
        seen.append((node.get("id"), pivots.counts[node], round(spread.rmd, 2), round(spread.mpr, 2)))
        node = spread.largest
    assert seen == [
        (None, 22, 0, 1),
        ("wp", 22, 0, 1),
        ("ct", 22, 0, 1),
        ("postlist", 22, 0.29, 0.14),
        ("post_1", 3, 0, 1),
    ]


def test_the_worked_example_gives_its_ten_posts() -> None:
    tree = example()
    posts = ALGORITHMS["pean"](tree).posts
    assert [tree.root.xpath(post.xpath)[0].get("id") for post in posts] == [f"post_{n}" for n in range(10)]
    assert posts[3].published == datetime(2014, 6, 12, 10, 10, 3, tzinfo=UTC)
    assert posts[0].text == "said 2014-06-12 10:10:00"


def test_the_deviation_is_relative_to_the_mean() -> None:
    assert relative_mean_deviation(list(DATES)) == pytest.approx(0.64 / 2.2)
    assert relative_mean_deviation([7]) == 0


def test_one_child_with_all_pivots_is_stepped_into_though_its_deviation_is_nought() -> None:
    tree = parse("<body><div><p>2014-06-12 10:10</p><p>2014-06-13 10:10</p></div></body>")
    spread = locate_posts(tree.body, find_pivots(tree.body), alpha=0.5, beta=0.7)
    assert spread is not None
    assert [child.tag for child in spread.children] == ["p", "p"]


def test_a_child_that_holds_nearly_all_pivots_is_stepped_into() -> None:
    posts = "".join(f"<div><p>text</p><i>2014-06-12 10:1{n}</i></div>" for n in range(9))
    tree = parse(f"<body><div>{posts}</div><div>now 2014-06-14 10:10</div></body>")
    assert len(ALGORITHMS["pean"](tree).posts) == 9


def test_what_users_write_does_not_part_posts_of_one_template() -> None:
    """Figure 3-7: text and <br> in one post, paragraphs and a picture in the other."""
    one = "<div><h4><i>2014-06-12 10:10</i></h4><div>plain<br>text<br>only</div></div>"
    two = "<div><h4><i>2014-06-12 11:10</i></h4><div><p>in paragraphs</p><p><img src=x></p></div></div>"
    assert len(ALGORITHMS["pean"](parse(f"<body>{one}{two}</body>")).posts) == 2


def test_a_child_that_matches_less_than_half_of_the_one_before_ends_the_choice() -> None:
    post = "<div><p><b>name</b></p><p>text</p><p><i>2014-06-12 10:10</i></p></div>"  # 6 elements
    noise = "<div><b>2014-06-12 10:10</b></div>"  # 1 of them matches
    tree = parse(f"<body>{post}{post}{noise}{post}</body>")
    spread = spread_of(tree.body, find_pivots(tree.body))
    assert spread is not None
    assert choose_posts(spread) == [tree.body[0], tree.body[1], tree.body[3]]


def test_dates_of_other_spellings_are_pivots_of_the_variant_alone() -> None:
    post = "<div><i>Thu Jun 12, 2014 10:10 am</i><p>text</p></div>"
    tree = parse(f"<body>{post}{post}{post}</body>")
    assert not ALGORITHMS["pean"](tree).posts
    assert len(ALGORITHMS["pean-any-date"](tree).posts) == 3


def test_the_blocks_are_those_of_the_posts_and_the_confidence_their_share_of_dates() -> None:
    post = "<div><h4>2014-06-12 10:10</h4><p>one</p><p>two</p></div>"
    tree = parse(f"<body>{post}{post}<ul><li>2014-06-12 10:10</li></ul></body>", url="http://e.com/")
    content = ALGORITHMS["pean"](tree)
    assert "\n".join(block.text for block in content.blocks) == "\n".join(post.text for post in content.posts)
    assert content.confidence == pytest.approx(2 / 3)


@pytest.mark.parametrize("name", ["pean", "pean-any-date", "mibat", "mibat-any-date"])
@pytest.mark.parametrize("html", ["", "<body>", "<p>2014-06-12 10:10</p>", "<frameset><frame></frameset>", "text"])
def test_a_page_without_a_thread_gives_nothing(name: str, html: str) -> None:
    content = ALGORITHMS[name](parse(html))
    assert not content.posts
    assert not content.blocks
