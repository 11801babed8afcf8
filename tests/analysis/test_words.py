"""Texts are split into words: by spaces, Chinese by a dictionary."""

import sys

import pytest

from thresher.analysis.words import CHINESE_STOP_WORDS, MAX_WORD_CHARS, Splitter, StopWords
from thresher.errors import MissingExtra


def words(text: str, language: str | None = "en") -> list[str]:
    return list(Splitter().words(text, language))


def test_words_are_in_lower_case_and_keep_their_apostrophes() -> None:
    assert words("Don’t stop, it's 42 'quoted' state-of-the-art_x") == [
        *("don't", "stop", "it's", "42", "quoted", "state", "of", "the", "art", "x"),
    ]


def test_letters_of_every_script_make_words() -> None:
    assert words("Äpfel и груши για 한국어 단어", None) == ["äpfel", "и", "груши", "για", "한국어", "단어"]


def test_chinese_is_split_by_a_dictionary_and_numbers_stand_alone() -> None:
    found = words("此次降准自11月5日起实施，为今年第二次全面下调存款准备金率。", "zh")
    assert {"此次", "11", "月", "实施", "今年", "存款"} <= set(found)
    assert "".join(found) == "此次降准自11月5日起实施为今年第二次全面下调存款准备金率"


def test_a_text_of_unknown_language_is_chinese_when_much_of_it_is_han() -> None:
    assert len(words("今年市场此前已有预期", None)) > 2
    assert words("the word 今年市场 is quoted in a sentence of English", None)[2] == "今年市场"
    assert words("the word 今年市场", "en") == ["the", "word", "今年市场"]


def test_japanese_is_split_where_the_script_changes() -> None:
    assert words("東京タワーの高さ", "ja") == ["東京", "タワー", "の", "高", "さ"]


def test_a_run_without_end_is_cut() -> None:
    assert words("x" * 10_000) == ["x" * MAX_WORD_CHARS]


def test_the_missing_library_is_named_when_chinese_comes_and_not_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rjieba", None)
    assert words("no Chinese here") == ["no", "chinese", "here"]
    with pytest.raises(MissingExtra, match=r"pip install 'thresher\[chinese\]'"):
        words("今年市场", "zh")


def test_stop_words_are_those_of_the_language() -> None:
    stop_words = StopWords({"en": frozenset({"the"}), "zh": frozenset({"的"})})
    assert stop_words.of("en") == {"the"}
    assert {"的", "我们"} <= stop_words.of("zh")
    assert stop_words.of(None) == stop_words.of("xx") == frozenset()
    assert all(len(word) <= 4 for word in CHINESE_STOP_WORDS)
