"""The longest common subsequence, on examples computed by hand."""

import pytest

from tests.needs import need
from thresher.lab.metrics.lcs import lcs_overlap, score
from thresher.lab.metrics.overlap import Overlap
from thresher.lab.metrics.registry import METRICS

need("rapidfuzz")


def test_words_are_compared_in_order() -> None:
    assert lcs_overlap("a b c d", "a c d e") == Overlap(3, 4, 4)
    assert lcs_overlap("d c b a", "a b c d") == Overlap(1, 4, 4)


def test_a_chinese_page_is_compared_by_character_without_white_space() -> None:
    assert lcs_overlap("新闻 AB\n正文", "新闻正文。") == Overlap(4, 6, 5)


def test_the_gold_decides_whether_characters_or_words_are_compared() -> None:
    assert lcs_overlap("新闻", "one two three") == Overlap(0, 2, 3)
    assert lcs_overlap("one two", "新闻正文") == Overlap(0, 6, 4)


def test_the_score_is_what_is_common_by_what_is_in_either() -> None:
    overlap = Overlap(3, 4, 4)
    assert score(overlap) == pytest.approx(0.6)
    assert score(overlap) == pytest.approx(1 / (1 / overlap.precision + 1 / overlap.recall - 1))
    assert score(Overlap(0, 0, 0)) == 1


def test_lengths_are_added_up_over_pages() -> None:
    values = METRICS["lcs"].summarise([Overlap(90, 100, 90), Overlap(0, 10, 10)])
    expected = {"precision": 90 / 110, "recall": 0.9, "f1": 180 / 210, "score": 90 / 120}
    assert values == pytest.approx(expected)


def test_empty_output_has_nothing_in_common() -> None:
    assert lcs_overlap("", "a b") == Overlap(0, 0, 2)
