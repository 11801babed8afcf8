"""The text metrics, on examples computed by hand."""

import pytest

from thresher.errors import UsageError
from thresher.lab.metrics.bag import bag_overlap
from thresher.lab.metrics.overlap import Overlap, averaged, f1, pooled
from thresher.lab.metrics.registry import METRICS, metric_named
from thresher.lab.metrics.shingles import shingle_overlap
from thresher.lab.metrics.tokens import is_cjk, tokens_of
from thresher.lab.metrics.verdicts import Verdict, verdict


def test_tokens_are_words_and_single_characters_of_east_asia() -> None:
    assert tokens_of("It's 2016年6月, Héllo—world 한국") == [
        *("It", "s", "2016", "年", "6", "月", "Héllo", "world", "한", "국"),
    ]


def test_a_text_is_chinese_when_half_of_it_is() -> None:
    assert is_cjk("美国 US")
    assert not is_cjk("美国 USA")
    assert not is_cjk(" ")


def test_precision_and_recall_are_shares_of_what_was_found_and_of_the_gold() -> None:
    overlap = Overlap(common=3, found=4, gold=6)
    assert (overlap.precision, overlap.recall) == (0.75, 0.5)
    assert f1(0.75, 0.5) == pytest.approx(0.6)


def test_empty_output_scores_nothing_unless_the_gold_is_empty_too() -> None:
    assert (Overlap(0, 0, 5).precision, Overlap(0, 0, 5).recall) == (0, 0)
    assert (Overlap(0, 5, 0).precision, Overlap(0, 5, 0).recall) == (0, 0)
    assert (Overlap(0, 0, 0).precision, Overlap(0, 0, 0).recall) == (1, 1)
    assert f1(0, 0) == 0


def test_pooling_weighs_pages_by_length_and_averaging_does_not() -> None:
    pages = [Overlap(90, 100, 90), Overlap(0, 10, 10)]
    assert pooled(pages) == Overlap(90, 110, 100)
    assert averaged(pages) == (0.45, 0.5)
    assert averaged([]) == (0, 0)


def test_shingles_are_windows_of_four_tokens_with_their_case() -> None:
    assert shingle_overlap("a b c d e", "a b c d") == Overlap(1, 2, 1)
    assert shingle_overlap("A b c d", "a b c d") == Overlap(0, 1, 1)
    assert shingle_overlap("一二三四五", "零一二三四") == Overlap(1, 2, 2)


def test_shingles_are_counted_as_often_as_both_sides_have_them() -> None:
    twice = "a b c d a b c d"  # abcd bcda cdab dabc abcd
    assert shingle_overlap(twice, "a b c d") == Overlap(1, 5, 1)
    assert shingle_overlap(twice, twice) == Overlap(5, 5, 5)


def test_a_text_shorter_than_a_window_is_one_shingle() -> None:
    assert shingle_overlap("a b", "a b") == Overlap(1, 1, 1)
    assert shingle_overlap("a b", "a b c") == Overlap(0, 1, 1)
    assert shingle_overlap("", "a b c d") == Overlap(0, 0, 1)


def test_shingle_f1_is_the_harmonic_mean_of_the_averages_with_empty_pages_in() -> None:
    pages = [shingle_overlap("a b c d e", "a b c d"), shingle_overlap("", "a b c d")]  # P .5 and 0, R 1 and 0
    assert METRICS["shingles"].summarise(pages) == pytest.approx({"precision": 0.25, "recall": 0.5, "f1": 1 / 3})


def test_a_bag_weighs_tokens_by_their_bytes_and_forgets_their_order() -> None:
    assert bag_overlap("the cat the", "dog the the") == Overlap(6, 9, 9)
    assert bag_overlap("the", "the the") == Overlap(3, 3, 6)
    assert bag_overlap("中文 x", "文中") == Overlap(6, 7, 6)


def test_a_verdict_wants_nearly_all_of_the_text_and_little_else() -> None:
    assert verdict(Overlap(98, 108, 100)) == Verdict(contains_text=True, little_else=True)
    assert verdict(Overlap(97, 97, 100)) == Verdict(contains_text=False, little_else=True)
    assert verdict(Overlap(100, 120, 100)) == Verdict(contains_text=True, little_else=False)
    assert verdict(Overlap(0, 0, 100)) == Verdict(contains_text=False, little_else=False)


def test_verdicts_are_shares_of_pages() -> None:
    pages = [Overlap(100, 100, 100), Overlap(100, 200, 100), Overlap(0, 0, 100), Overlap(50, 50, 100)]
    expected = {"contains_text": 0.5, "little_else": 0.5, "both": 0.25}
    assert METRICS["verdicts"].summarise(pages) == expected


def test_an_unknown_metric_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match="shingles, lcs, bag"):
        metric_named("rouge")
