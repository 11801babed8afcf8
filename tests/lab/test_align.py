"""Blocks are labelled by aligning page and gold as sequences."""

from tests.needs import need
from thresher.lab.train.align import shares_in_gold

need("rapidfuzz")

GOLD = "The ferry left the pier at noon today.\nBread\nThe baker asked for a second boat this summer."


def test_a_block_that_is_in_the_gold_counts_whole() -> None:
    assert shares_in_gold(["The ferry left the pier at noon today."], GOLD) == [1.0]


def test_a_block_of_common_words_in_another_order_does_not_count() -> None:
    assert shares_in_gold(["Noon at the pier", "The second summer, a baker"], GOLD) == [0.0, 0.0]


def test_a_short_block_counts_when_it_is_a_line_of_the_gold() -> None:
    texts = ["The ferry left the pier at noon today.", "Bread", "The baker asked for a second boat this summer."]
    assert shares_in_gold(texts, GOLD) == [1.0, 1.0, 1.0]
    assert shares_in_gold(["Boat"], GOLD) == [0.0]


def test_a_text_that_stands_twice_counts_once() -> None:
    lead = "The ferry left the pier at noon today."
    first, _, again = shares_in_gold([lead, "Menu of the day", lead], GOLD)
    assert first == 1.0
    assert again < 0.2


def test_a_block_that_holds_more_than_the_gold_counts_in_part() -> None:
    (share,) = shares_in_gold(["The ferry left the pier at noon today. Sign up for our free letter now."], GOLD)
    assert 0.4 < share < 0.7


def test_a_block_without_words_counts_nothing() -> None:
    assert shares_in_gold(["—"], GOLD) == [0.0]
