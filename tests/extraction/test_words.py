"""Stop words are found as words, and inside Chinese, Japanese and Korean text."""

import pytest

from thresher.extraction.words import STOP_WORDS, has_stop_word


@pytest.mark.parametrize(
    "text",
    [
        *("the day", "THE DAY", "Well, (the) day", "it’s raining", "don't"),
        *("今天的天气", "房子是租来", "これは本", "나는 학교에 간다"),
        *("der Tag", "le jour", "el día", "il giorno", "o dia", "de dag", "w domu", "в доме", "στο σπίτι"),
        *("في البيت", "ev ve bahçe", "på bordet", "v domě", "trong nhà"),
    ],
)
def test_a_sentence_holds_a_stop_word(text: str) -> None:
    assert has_stop_word(text)


@pytest.mark.parametrize(
    "text", ["", " ", "Sport", "theatre", "2016-06-08", "新闻 体育 财经", "News | Weather", "+++", "12:30"]
)
def test_a_loose_phrase_holds_none(text: str) -> None:
    assert not has_stop_word(text)


def test_every_language_has_a_list() -> None:
    assert {"en", "de", "fr", "es", "it", "pt", "nl", "pl", "ru", "el", "ar", "tr", "sv"} <= set(STOP_WORDS)
    assert all(len(words) >= 30 for words in STOP_WORDS.values())
