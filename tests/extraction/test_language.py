"""The language is what the text is written in; the page's word counts where the text does not tell."""

import pytest

from thresher.extraction.fields.clues import gather
from thresher.extraction.fields.language import date_habits, find_language, guess_language
from thresher.html import parse


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "The ferry to the islands runs again, and it is as full as it was before the storm came in."),
        ("de", "Die Fähre zu den Inseln fährt wieder, und sie ist so voll wie vor dem Sturm, der im Mai kam."),
        ("fr", "Le ferry pour les îles repart, et il est aussi plein que dans les jours qui étaient avant la tempête."),
        (
            "es",
            "El ferry a las islas vuelve a salir, y está tan lleno como lo estaba antes de que la tormenta llegara.",
        ),
        ("zh", "开往海岛的渡轮恢复了运行，船上的乘客和暴风雨之前一样多。"),
        ("ja", "島へ向かうフェリーは再び運航を始め、嵐の前と同じくらい混んでいます。"),
        ("ko", "섬으로 가는 배가 다시 다니기 시작했고 폭풍 전처럼 사람이 많습니다."),
        ("ru", "Паром на острова снова ходит, и он такой же полный, как и был до того, как на нас пришла буря."),
        ("el", "Το πλοίο για τα νησιά ταξιδεύει ξανά και είναι γεμάτο όπως πριν από την καταιγίδα."),
        ("pl", "Prom na wyspy znów pływa i jest tak pełny, jak był przed burzą, która przyszła do nas w maju."),
    ],
)
def test_a_sentence_tells_its_language(language: str, text: str) -> None:
    assert guess_language(text) == language


@pytest.mark.parametrize("text", ["", "12 34 56", "Sport", "Lorem ipsum dolor sit amet consectetur adipiscing"])
def test_a_text_that_does_not_tell_is_none(text: str) -> None:
    assert guess_language(text) is None


def test_the_page_is_believed_where_the_text_is_short_and_not_against_the_text() -> None:
    tree = parse("<html lang=pt-BR><body>x")
    english = "The ferry to the islands runs again, and it is as full as it was before the storm came in."
    short = find_language(tree, gather(tree), "Sport")
    lying = find_language(tree, gather(tree), english)
    assert short is not None
    assert lying is not None
    assert (short.value, short.evidence.source) == ("pt", "html lang")
    assert (lying.value, lying.evidence.source) == ("en", "text")


def test_neither_page_nor_text_may_tell() -> None:
    tree = parse("<p>x")
    assert find_language(tree, gather(tree), "x") is None


def test_days_come_first_but_in_american_english() -> None:
    assert date_habits(parse("<html lang=de>x"), "de").day_first
    assert date_habits(parse("<html lang=en-GB>x"), "en").day_first
    assert not date_habits(parse("<html lang=en-US>x"), "en").day_first
    assert not date_habits(parse("<p>x"), "en").day_first
