"""Blocks are measured by characters, words, and what the page says it is about."""

import pytest

from tests.extraction.learned.sheets import place_of, sheet_of
from thresher.extraction.learned.about import About, words_of
from thresher.extraction.learned.lexicon import SENSES
from thresher.extraction.learned.measure import MEASURES, WIDTH, measure
from thresher.extraction.learned.measure_texts import first_kind, last_kind


def measured(text: str, about: About | None = None) -> dict[str, float]:
    return dict(zip(MEASURES, measure([text], about or About()), strict=True))


def test_characters_words_and_stop_words_are_counted() -> None:
    row = measured("The Cat sat, and 12 mice ran.")
    assert row["size"] == 29
    assert row["words"] == 7
    assert row["punct"] == 2
    assert row["ends"] == 1
    assert row["digits"] == 2
    assert row["uppers"] == 2
    assert row["stops"] == 2


def test_a_chinese_character_counts_as_two_and_a_half() -> None:
    row = measured("今天的天气很好。")
    assert row["cjk"] == 7
    assert row["size"] == 8 + 7 * 1.5
    assert row["stops"] == 2


@pytest.mark.parametrize(
    ("text", "kind"),
    [("He left.", 3), ("“He left.”", 3), ("他走了。」", 3), ("These are:", 2), ("one, two,", 1), ("Home", 0)],
)
def test_the_end_of_a_text_tells_a_sentence_from_a_label(text: str, kind: int) -> None:
    assert last_kind(text) == kind


@pytest.mark.parametrize(("text", "kind"), [("A", 0), ("a", 1), ("1", 2), ("“a", 3), ("天", 4), ("•", 5)])
def test_the_start_of_a_text_is_told(text: str, kind: int) -> None:
    assert first_kind(text) == kind


def test_words_tell_a_byline_a_share_bar_and_a_chinese_credit() -> None:
    def senses(text: str) -> set[str]:
        mask = int(measured(text)["senses"])
        return {name for place, name in enumerate(SENSES) if mask >> place & 1}

    assert "byline" in senses("By Edda Holm")
    assert "share" in senses("Share on Facebook")
    assert "byline" in senses("责任编辑：李明")
    assert senses("rudder") == set()


@pytest.mark.parametrize("text", ["3 March 2024", "2024-03-03 12:10", "2024年3月3日", "Posted 4 Jun"])
def test_a_short_text_with_a_date_is_dated(text: str) -> None:
    assert measured(text)["dated"] == 1.0


@pytest.mark.parametrize(
    "text", ["Chapter 3", "No date at all", "In March 2024 " + "the long story of the ferry went on " * 6]
)
def test_a_number_or_a_long_text_is_not_dated(text: str) -> None:
    assert measured(text)["dated"] == 0.0


def test_a_text_that_the_page_tells_of_is_told() -> None:
    text = "Passengers waited on the pier for most of the morning, they said."
    assert measured(text, About(told="".join(text.split()) + "andmore"))["told"] == 2.0
    assert measured(text, About(told="somethingelse"))["told"] == 0.0


def test_title_words_are_pairs_in_chinese_and_leave_out_stop_words() -> None:
    assert words_of("The ferry | Post") == {"ferry", "post"}
    assert words_of("渡轮晚点") == {"渡轮", "轮晚", "晚点"}


def test_the_headline_shares_its_words_with_the_title() -> None:
    sheet = sheet_of()
    row = sheet.rows[place_of(sheet, "Ferry to the island") * WIDTH :]
    assert row[MEASURES.index("title_in")] > 0.5
    assert row[MEASURES.index("title_of")] > 0.5


def test_a_repeated_text_is_counted() -> None:
    rows = measure(["More", "Less", "More"], About())
    assert list(rows[MEASURES.index("repeated") :: WIDTH]) == [1, 0, 1]
