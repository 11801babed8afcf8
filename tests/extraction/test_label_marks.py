"""Marks of short blocks, and that a quick look at their characters rules out nothing that the expressions find."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thresher.extraction.kinds import marks

PIECES = (
    *("0", "7", "12", "2024", "-", "/", ".", ":", " ", "$", "#", "k", "u", "e", "kr", "usd", "eur", "vor", "hace"),
    *("il y a", "fa", "temu", "sedan", "geleden", "mins", "h", "mo", "ago", "€", "年", "月", "前", "楼", "٣", "é"),
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12:30", marks.DATED),
        ("3 h", marks.DATED),
        ("vor 3 Tagen", marks.DATED),
        ("2024-03-01", marks.DATED),
        ("$ 12", marks.PRICE),
        ("12 kr", marks.PRICE),
        ("12 eur", marks.PRICE),
        ("#12", marks.COUNT | marks.OF_THREAD),
        ("12 krokodile and more of it", 0),
    ],
)
def test_short_blocks_with_numbers_are_marked(text: str, expected: int) -> None:
    assert marks.read_label(text, 0, 1.0, float(sum(map(str.isalpha, text)))) == expected


@settings(max_examples=2_000)
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=7).map("".join))
def test_a_quick_look_rules_out_nothing(text: str) -> None:
    looks = marks.looks_of(text)
    assert looks & marks.MAY_PRICE or not marks._PRICE.search(text)
    assert looks & marks.MAY_DATE or not marks._DATE.search(text)
    assert looks & marks.MAY_FLOOR or not marks._FLOOR.fullmatch(text.strip())
    if text.strip():
        assert marks._tells_when(text, looks) == (marks._WHEN.fullmatch(text.strip().lower()) is not None)
