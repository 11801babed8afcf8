"""Blogs are made up around the beginning of a labelled text, the same for the same seed."""

from random import Random

import pytest

from tests.lab.test_noise import SUPPLY
from thresher.extraction.learned.walk import walk
from thresher.html import parse
from thresher.lab.train.align import shares_in_gold
from thresher.lab.train.blogs import write_blog

LINES = [
    f"Line {number} of the post tells of boats & nets, and of what the fishermen said of them." for number in range(4)
]


def written(seed: int) -> str:
    return write_blog("Boats < nets", LINES, SUPPLY, Random(seed))


def test_the_same_seed_gives_the_same_page() -> None:
    assert written(3) == written(3)
    assert len({written(seed) for seed in range(8)}) == 8


@pytest.mark.parametrize("seed", range(30))
def test_the_text_is_all_there_and_little_of_the_page(seed: int) -> None:
    texts = walk(parse(written(seed)).body).texts
    shares = shares_in_gold(texts, "\n".join(LINES))
    whole = "".join("".join(text.split()) for text, share in zip(texts, shares, strict=True) if share > 0.9)
    assert whole == "".join("".join(line.split()) for line in LINES)
    assert sum(share > 0.5 for share in shares) < len(texts) / 2


@pytest.mark.parametrize(
    "sign", ["Boats &lt; nets", "Posted by", "Comments", "Archives", "<td", "sidebar", "Filed under"]
)
def test_every_kind_of_part_comes_up_and_none_always(sign: str) -> None:
    counted = sum(sign in written(seed) for seed in range(80))
    assert counted > 0
    assert counted < 80 or sign == "Boats &lt; nets"
