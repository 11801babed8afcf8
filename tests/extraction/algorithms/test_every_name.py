"""Whatever the page, every algorithm ends, soon, with blocks of text and a confidence."""

import random

import pytest

from tests.costs import assert_grows_at_most
from thresher.extraction.algorithms import ALGORITHMS
from thresher.html import Tree, parse

QUADRATIC = {"pean", "pean-any-date", "mibat", "mibat-any-date"}  # tree matching is, by nature; it has its own bounds
INLINE = ("b", "i", "u", "s", "q", "em", "tt")


def paths_that_never_repeat(leaves: int) -> str:
    dice = random.Random(1)
    pieces: list[str] = []
    for _ in range(leaves):
        tags = dice.choices(INLINE, k=dice.randrange(1, 40))
        pieces += [*(f"<{tag}>" for tag in tags), "word, ", *(f"</{tag}>" for tag in reversed(tags))]
    return "".join(pieces)


HOSTILE = {
    "wide": "<p>x</p>" * 5_000,
    "deep": "<div>x" * 5_000,
    "breaks": "<br>x" * 5_000,
    "links": "<a href=x>the link</a> " * 3_000,
    "paths": paths_that_never_repeat(500),
    "one line": "the word, " * 10_000,
    "one word": "的" * 100_000,
    "lines": "of\n" * 20_000,
    "ends": "</p></div>" * 5_000,
    "starts": "<" * 50_000,
    "comment": "<p>the text</p><!-- " * 500,
    "frames": "<frameset><frame src=a><noframes>the text</noframes></frameset>",
}


def article(paragraphs: int) -> Tree:
    """Build a page of paragraphs between menus, all of different lengths."""
    dice = random.Random(2)
    menu = "".join(f"<li><a href='/{n}'>Entry {n}</a></li>\n" for n in range(5))
    texts = (
        f"<div><p>{'The day was long, and it rained. ' * dice.randrange(1, 9)}</p>{menu}</div>\n"
        for _ in range(paragraphs)
    )
    return parse(f"<html><body><ul>{menu}</ul>{''.join(texts)}</body></html>")


@pytest.mark.parametrize("shape", HOSTILE)
@pytest.mark.parametrize("name", ALGORITHMS)
def test_hostile_pages_end_without_an_error(name: str, shape: str) -> None:
    content = ALGORITHMS[name](parse(HOSTILE[shape]))
    assert 0 <= content.confidence <= 1
    assert all(block.text.strip() for block in content.blocks)


@pytest.mark.parametrize("name", [name for name in ALGORITHMS if name not in QUADRATIC])
def test_ten_times_the_page_takes_about_ten_times_as_long(name: str) -> None:
    small, large = article(40), article(400)
    assert_grows_at_most(35, lambda: ALGORITHMS[name](small), lambda: ALGORITHMS[name](large))
