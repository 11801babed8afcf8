"""Which words rise."""

import math

import pytest

from thresher.analysis.rising import RisingWords


def counted(recent: list[str], earlier: list[str]) -> RisingWords:
    counts = RisingWords()
    for text in recent:
        counts.add(text.split(), recent=True)
    for text in earlier:
        counts.add(text.split(), recent=False)
    return counts


def test_a_word_rises_that_recent_documents_hold_and_earlier_ones_do_not() -> None:
    counts = counted(["strike harbour"] * 4, ["harbour market"] * 8)
    (top,) = counts.top(10)
    assert (top.word, top.recent, top.earlier) == ("strike", 4, 0)
    assert top.weight == pytest.approx(4 * math.log2((4.5 / 5) / (0.5 / 9)))
    assert counts.documents == (4, 8)


def test_more_documents_weigh_more_at_the_same_growth() -> None:
    recent = ["flood strike"] * 3 + ["flood"] * 3
    assert [each.word for each in counted(recent, ["market"] * 6).top(10)] == ["flood", "strike"]
    assert [each.word for each in counted(recent, ["market"] * 6).top(1)] == ["flood"]


def test_words_of_few_documents_or_little_growth_do_not_rise() -> None:
    assert counted(["strike"] * 2 + ["market"] * 4, ["market"] * 4).top(10) == []


def test_how_often_one_document_says_a_word_does_not_matter() -> None:
    assert counted(["strike " * 50, "market", "market"], ["market"] * 3).top(10) == []


def test_numbers_and_short_words_are_no_keywords_but_two_han_characters_are() -> None:
    assert [each.word for each in counted(["2026 ab 罢工 的"] * 3, ["港口"] * 3).top(10)] == ["罢工"]


def test_without_earlier_documents_nothing_rises() -> None:
    assert counted(["strike"] * 300, []).top(10) == []
