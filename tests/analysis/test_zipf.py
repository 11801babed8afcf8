"""Words are counted in bounded memory, and Zipf's law is fitted: answers counted by hand, and known laws."""

import random
from collections import Counter
from xml.etree import ElementTree

import pytest

from thresher.analysis.charts import panels
from thresher.analysis.zipf import PLOTTED, WordCounts, chart_of, law_of, least_squares, likelihood

SVG = "{http://www.w3.org/2000/svg}"


def counted(*texts: str, group: str = "") -> WordCounts:
    counts = WordCounts()
    for text in texts:
        counts.add(group, text.split())
    return counts


def test_a_little_corpus_counted_by_hand() -> None:
    counts = counted("the cat and the dog", "the dog", "a cat")
    # the 3, cat 2, dog 2, a 1, and 1: nine words; the and cat are 5 of 9, more than half
    assert counts.ranked("") == [("the", 3), ("cat", 2), ("dog", 2), ("a", 1), ("and", 1)]
    assert [counts.holders("", word) for word in ("the", "cat", "dog", "a")] == [2, 2, 2, 1]
    law = law_of(counts, "")
    assert (law.documents, law.words, law.unique, law.half) == (3, 9, 5, 2)
    assert law.least_squares is None  # no word occurs five times


def test_groups_are_counted_apart_and_the_largest_comes_first() -> None:
    counts = counted("a b", group="one")
    counts.add("two", ["b"])
    counts.add("two", ["b", "c"])
    assert counts.groups == ["two", "one"]
    assert counts.ranked("two") == [("b", 2), ("c", 1)]


def test_an_empty_group_has_no_law_and_no_half() -> None:
    counts = counted("")
    law = law_of(counts, "")
    assert (law.documents, law.words, law.unique, law.half) == (1, 0, 0, 0)
    assert (law.least_squares, law.likelihood) == (None, None)


@pytest.mark.parametrize("exponent", [0.7, 1.0, 1.4])
def test_both_methods_find_the_exponent_of_a_perfect_law(exponent: float) -> None:
    frequencies = [round(10**9 * rank**-exponent) for rank in range(1, 5_001)]
    line, most_likely = least_squares(frequencies), likelihood(frequencies)
    assert line
    assert most_likely
    assert line.exponent == pytest.approx(exponent, abs=1e-4)
    assert line.scale == pytest.approx(10**9, rel=1e-3)
    assert line.r_squared == pytest.approx(1.0, abs=1e-6)
    assert most_likely.exponent == pytest.approx(exponent, abs=1e-4)


def test_the_likelihood_finds_the_exponent_that_words_were_drawn_with() -> None:
    dice, ranks = random.Random(1), range(1, 1_001)
    drawn = Counter(dice.choices(ranks, [rank**-1.2 for rank in ranks], k=200_000))
    fit = likelihood(sorted(drawn.values(), reverse=True))
    assert fit
    assert fit.exponent == pytest.approx(1.2, abs=0.02)


def test_words_that_are_all_as_frequent_have_the_exponent_zero() -> None:
    line, most_likely = least_squares([7] * 50), likelihood([7] * 50)
    assert line
    assert most_likely
    assert line.exponent == pytest.approx(0.0, abs=1e-9)
    assert line.r_squared == 1.0
    assert most_likely.exponent == pytest.approx(0.0, abs=1e-9)


def test_the_least_squares_use_the_frequent_words_alone() -> None:
    fit = least_squares([1000, 500, 333, 250, *[1] * 10_000])
    assert fit
    assert (fit.ranks, round(fit.exponent, 2)) == (4, 1.0)


def test_of_too_many_words_the_rare_are_forgotten_and_the_error_is_told() -> None:
    counts, exact = WordCounts(max_words=200), Counter[str]()
    dice, ranks = random.Random(2), range(1, 5_001)
    for _ in range(300):
        words = [f"w{rank}" for rank in dice.choices(ranks, [1 / rank for rank in ranks], k=100)]
        counts.add("", words)
        exact.update(words)
    ranked = dict(counts.ranked(""))
    assert len(ranked) <= 200 + 100  # the limit, and the words of one document
    assert 0 < counts.undercount < 300
    assert counts.total[""] == 30_000
    assert all(exact[word] - counts.undercount <= count <= exact[word] for word, count in ranked.items())
    assert all(word in ranked for word, count in exact.items() if count > counts.undercount)


def test_the_chart_is_logarithmic_has_labels_and_few_points() -> None:
    counts = WordCounts()
    counts.add("", [f"w{rank}" for rank in range(1, 2_001) for _ in range(2_000 // rank)])
    ranked = counts.ranked("")
    svg = ElementTree.fromstring(panels([chart_of(ranked, law_of(counts, ""), "A & <B>")]))
    texts = {text.text for text in svg.iter(f"{SVG}text")}
    assert {"A & <B>", "occurrences", "rank (1 = most frequent word)", "1", "10", "100", "1,000"} <= texts
    dots = [(float(dot.attrib["cx"]), float(dot.attrib["cy"])) for dot in svg.iter(f"{SVG}circle")]
    assert 50 < len(dots) <= PLOTTED + 1
    (line,) = svg.iter(f"{SVG}polyline")
    # The law is 1/r, so dots and line fall by the same on both axes: equal steps for equal factors.
    ends = [tuple(map(float, point.split(","))) for point in line.attrib["points"].split()]
    assert ends[0][0] == dots[0][0]
    assert abs(ends[0][1] - dots[0][1]) < 5
