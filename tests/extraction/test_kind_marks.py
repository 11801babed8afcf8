"""Short texts are known for the labels, dates and counts that they are."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.extraction.kinds.marks import COUNT, DATED, EDGES, LABELS, PRICE, may_be_label, read_label

ENDS = st.text(EDGES, max_size=3)


def marks_of(text: str) -> int:
    digits = sum(char.isdigit() for char in text)
    return read_label(text, 0, float(digits), float(sum(char.isalpha() for char in text)))


@pytest.mark.parametrize("way", [str, str.upper, str.title, str.capitalize])
def test_labels_are_known_however_they_are_written(way: Callable[[str], str]) -> None:
    for word in LABELS:
        if way(word).strip(EDGES).lower() == word:
            assert read_label(f" [{way(word)}]: ", 0, 0.0, 1.0) == LABELS[word], word


@given(ENDS, st.text(max_size=12), ENDS)
def test_a_text_without_digits_has_the_marks_of_its_label(before: str, word: str, after: str) -> None:
    text = f"{before}{word}{after}"
    assert read_label(text, 0, 0.0, 1.0) == LABELS.get(text.strip(EDGES).lower(), 0)


def test_most_words_are_seen_to_be_no_labels() -> None:
    words = ["harbour", "ferry", "Tuesday", "weather", "council", "mayor", "football", "theatre", "museum", "bridge"]
    assert sum(map(may_be_label, words)) <= len(words) // 3


@pytest.mark.parametrize("text", ["2004-05-06", "6.5.2004", "at 12:30", "2004年5月6日", "5月6日", "5/6/04 x"])
def test_a_day_or_time_is_a_date(text: str) -> None:
    assert marks_of(text) & DATED


@pytest.mark.parametrize(("text", "mark"), [("12 replies", COUNT), ("$ 12", PRICE), ("1.5", DATED), ("1:5", DATED)])
def test_other_numbers_are_counts_prices_and_short_times(text: str, mark: int) -> None:
    assert marks_of(text) & mark


@pytest.mark.parametrize("text", ["12", "1.2.x", "12: 30", "5月 6", "2004-05-x"])
def test_numbers_apart_are_no_dates(text: str) -> None:
    assert not marks_of(text) & DATED
