"""MiBAT: likeness around the pivot, sets of anchor trees, and their bounds."""

import random
from datetime import UTC, datetime

import pytest

from tests.costs import costing_at_most
from thresher.extraction.algorithms import ALGORITHMS
from thresher.extraction.algorithms.mibat import MAX_SEEDS, Miner
from thresher.extraction.forum.pivots import find_pivots
from thresher.html import parse


def likeness(one: str, other: str, *place: int) -> float:
    body = parse(f"<body>{one}{other}</body>").body
    miner = Miner(body, find_pivots(body), [list(body)], 0.5)
    return miner.compare(body[0], body[1], place)[0]


def ids_of(html: str, name: str = "mibat", **parameters: float) -> list[str]:
    tree = parse(html)
    posts = ALGORITHMS[name](tree, **parameters).posts  # type: ignore[arg-type]
    return [tree.root.xpath(post.xpath)[0].get("id") for post in posts]


def test_likeness_is_the_share_of_pivot_and_siblings_that_match() -> None:
    one = "<div><p><b>u</b><i>2014-06-12 10:10</i></p><p>text</p></div>"
    other = "<div><p><b>u</b><i>2014-06-12 10:10</i><s></s><u></u></p><p>text</p></div>"
    assert likeness(one, other, 0, 1) == pytest.approx(2 / 3)  # 2 pairs of 2 and 4


def test_what_users_write_elsewhere_does_not_count() -> None:
    one = "<div><p><i>2014-06-12 10:10</i></p><div>text</div></div>"
    other = "<div><p><i>2014-06-12 10:10</i></p><div><p><b>1</b></p><ul><li>2</li><li>3</li></ul></div></div>"
    assert likeness(one, other, 0, 0) == 1


def test_a_pivot_that_nothing_matches_makes_no_likeness() -> None:
    assert likeness("<div><i>2014-06-12 10:10</i></div>", "<div><b>2014-06-12 10:10</b></div>", 0) == 0


def test_a_tree_that_is_a_pivot_itself_is_like_others_of_its_tag() -> None:
    assert likeness("<p>2014-06-12 10:10</p>", "<p>2014-06-12 10:11</p>") == 1
    assert likeness("<p>2014-06-12 10:10</p>", "<h2>2014-06-12 10:11</h2>") == 0


def test_a_sibling_without_a_date_at_the_place_of_the_pivot_is_no_anchor_tree() -> None:
    post = "<div id={}><h4><i>{}</i></h4><p>text</p></div>"
    dates = ("2014-06-12 10:10", "2014-06-12 10:11")
    page = post.format("a", dates[0]) + post.format("ad", "buy now") + post.format("b", dates[1])
    assert ids_of(f"<body>{page}</body>") == ["a", "b"]


def test_only_pivots_on_which_all_agree_tell_the_next_tree() -> None:
    """The quote's date joins the first two; the third agrees on the head's date, the fourth on the quote's alone."""
    head, quote = "<h4><i>2014-06-12 10:10</i></h4>", "<q><u>2014-06-11 10:10</u></q>"
    page = f"<div id=a>{head}{quote}</div><div id=b>{head}{quote}</div><div id=c>{head}</div><div id=d>{quote}</div>"
    assert ids_of(f"<body>{page}</body>") == ["a", "b", "c"]


def test_of_several_sets_the_one_with_most_text_is_the_posts() -> None:
    posts = "".join(f"<div id=p{n}><i>2014-06-12 10:1{n}</i><p>{'word ' * 30}</p></div>" for n in range(2))
    side = "".join(f"<li id=s{n}>2014-06-12 10:1{n}</li>" for n in range(9))
    assert ids_of(f"<body><ul>{side}</ul><div>{posts}</div></body>") == ["p0", "p1"]


def test_the_date_that_rises_from_post_to_post_is_the_time() -> None:
    joined = (9, 2, 7, 1)
    posts = "".join(
        f"<div><p><s>joined 2013-01-0{day} 08:00</s></p><p><i>2014-06-12 10:1{n}</i></p></div>"
        for n, day in enumerate(joined)
    )
    found = ALGORITHMS["mibat"](parse(f"<body>{posts}</body>")).posts
    assert [post.published for post in found] == [datetime(2014, 6, 12, 10, 10 + n, tzinfo=UTC) for n in range(4)]


def test_theta_is_the_likeness_that_is_asked_for() -> None:
    one = "<div id=a><p><b>u</b><i>2014-06-12 10:10</i></p></div>"
    other = "<div id=b><p><b>u</b><i>2014-06-12 10:11</i><s></s><u></u></p></div>"
    assert ids_of(f"<body>{one}{other}</body>", theta=0.66) == ["a", "b"]
    assert ids_of(f"<body>{one}{other}</body>", theta=0.67) == []


def test_dates_of_other_spellings_are_pivots_of_the_variant_alone() -> None:
    page = "".join(f"<div id=p{n}><i>12 June 2014</i><p>text</p></div>" for n in range(3))
    assert ids_of(f"<body>{page}</body>") == []
    assert ids_of(f"<body>{page}</body>", "mibat-any-date") == ["p0", "p1", "p2"]


def test_sets_are_grown_from_a_few_trees_of_a_parent_only() -> None:
    odd = [f"<{tag}>2014-06-12 10:10</{tag}>" for tag in ("h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol")]
    assert len(odd) == MAX_SEEDS
    alike = "<p id=a>2014-06-12 10:10</p><p id=b>2014-06-12 10:11</p>"
    assert ids_of(f"<body>{''.join(odd[1:])}{alike}</body>") == ["a", "b"]
    assert ids_of(f"<body>{''.join(odd)}{alike}</body>") == []


def soup(dice: random.Random, size: int) -> str:
    """Make markup of random shape, no part like another."""
    parts, names = [], []
    for _ in range(size):
        names.append(dice.choice(("div", "span", "b", "i", "em")))
        parts.append(f"<{names[-1]}>")
        while names and (dice.random() < 0.5 or len(names) > 12):
            parts.append(f"</{names.pop()}>")
    return "".join(parts) + "".join(f"</{name}>" for name in reversed(names))


@pytest.mark.parametrize("name", ["pean", "pean-any-date", "mibat", "mibat-any-date"])
@pytest.mark.parametrize("shape", ["rows", "soup", "deep"])
def test_a_hostile_page_stays_within_bounds(name: str, shape: str) -> None:
    dice = random.Random(7)
    date = "2014-06-12 10:10"
    pages = {
        "rows": f"<p>{date}</p>" * 60_000,
        "soup": "".join(f"<div><i>{date}</i>{soup(dice, 4_000)}</div>" for _ in range(20)),
        "deep": f"<div><i>{date}</i>" * 20_000,
    }
    tree = parse(f"<body>{pages[shape]}")
    with costing_at_most(15):
        ALGORITHMS[name](tree)
