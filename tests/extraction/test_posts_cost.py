"""No page makes its posts cost more than a moment, however many there are and whatever they hold."""

import pytest

from tests.costs import costing_at_most
from thresher import extract
from thresher.extraction.discussion import Posts

LIMIT_S = 4.0  # many times what the worst of these takes, and far below what a quadratic search would
TITLE = "<title>The last ferry</title><h1>The last ferry</h1>"


STORY = "The ferry has made its last crossing, and nobody on either side quite knows what is next."


def story(number: int) -> str:
    return (
        f"<p>The ferry no. {number} has made its last crossing, and nobody on either side quite knows what is next.</p>"
    )


def comment(number: int) -> str:
    told = f"<a class=author href=/user/{number}>heron{number}</a> <i class=date>2019-03-12 10:{number % 60:02}</i>"
    words = f"{number:012b}".replace("0", "over the water ").replace("1", "in the rain ")
    return f"<div class=comment id=comment-{number}>{told}<div class=body>{words}</div></div>"


COMMENTS = f"<section id=comments><h2>Comments</h2>{''.join(map(comment, range(4_000)))}</section>"


def row_of_cells(number: int) -> str:
    cells = "".join(f"<td>The ferry no. {number} {cell}</td>" for cell in range(39_000))
    return f"<div class=post><i class=date>2019-03-12 10:{number:02}</i><table><tr>{cells}</table></div>"


def names_and_times(number: int, border: str, times: int = 1, names: int = 1) -> str:
    told = f"{border}<i>2019-03-{10 + number} 10:02</i> " * times + f"{border}<b>heron</b> " * names
    return f"<div class=post id=post-{number}>{told}<div class=body>{STORY}</div></div>"


@pytest.mark.parametrize(
    ("html", "posts"),
    [
        (TITLE + f"<article>{''.join(map(story, range(4_000)))}</article>" + COMMENTS, "comments"),
        (row_of_cells(1) + row_of_cells(2), "always"),
        (names_and_times(1, "<p>", 7_000, 30_000) + names_and_times(2, "<p>"), "always"),
        (names_and_times(1, "", 1, 70_000) + names_and_times(2, ""), "always"),
    ],
    ids=("an article with comments", "posts of many cells", "posts of many times", "posts of long lines"),
)
def test_pages_of_many_posts_cost_a_moment(html: str, posts: Posts) -> None:
    with costing_at_most(LIMIT_S):
        document = extract(html, "http://e.com/a", posts=posts)
    assert len(document.posts) > 1
