"""Text is squeezed, counted and split the same way everywhere."""

from hypothesis import given
from hypothesis import strategies as st

from thresher.text import cjk_share, clean, has_cjk, nonspace_length, squeeze, strip_unseen, tokens


def test_white_space_of_all_kinds_is_squeezed() -> None:
    assert squeeze(" a\n\tb\xa0\u3000c ") == "a b c"


def test_unseen_characters_are_taken_out() -> None:
    assert clean("so\xadft \u200b\ufeffhy\u202ephen\x00 ") == "soft hyphen"
    assert strip_unseen(" a\u200b b ") == " a b "


def test_only_what_is_seen_counts() -> None:
    assert nonspace_length(" 中 文\ta ") == 3


def test_chinese_japanese_and_korean_are_told() -> None:
    assert all(map(has_cjk, ["a 中", "カ", "ひ", "한", "𠀀"]))
    assert not any(map(has_cjk, ["", "abc", "é", "я", "，。"]))
    assert cjk_share("中文ab") == 0.5
    assert cjk_share(" ") == 0.0


def test_words_and_single_characters_are_tokens() -> None:
    assert tokens("The U.S. 2-day Привет, 中文abc!") == ["the", "u", "s", "2", "day", "привет", "中", "文", "abc"]


@given(st.text())
def test_cleaning_twice_changes_nothing(text: str) -> None:
    assert clean(clean(text)) == clean(text)
    assert nonspace_length(squeeze(text)) == nonspace_length(text)
