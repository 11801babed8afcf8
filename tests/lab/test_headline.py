"""The headline is taken out of the first three lines, and of nothing else."""

from thresher.lab.metrics.headline import title_of, without_headline


def test_a_first_line_within_the_page_title_is_dropped() -> None:
    text = "Rain  in Spain\nIt rained.\n"
    assert without_headline(text, "Rain in Spain - The Paper", "") == "It rained."


def test_a_line_that_equals_the_gold_title_is_dropped() -> None:
    assert without_headline("Sport\nRain in Spain\nIt rained.", "The Paper", "Rain in Spain") == "Sport\nIt rained."


def test_a_line_that_only_holds_the_gold_title_stays() -> None:
    assert without_headline("Rain in Spain today", "The Paper", "Rain in Spain") == "Rain in Spain today"


def test_only_the_first_three_lines_with_text_are_looked_at() -> None:
    text = "one\n\ntwo\n\nRain\nRain"
    assert without_headline(text, "Rain", "") == "one\ntwo\nRain"


def test_case_is_kept_when_comparing() -> None:
    assert without_headline("RAIN", "Rain", "") == "RAIN"


def test_without_any_title_nothing_is_dropped() -> None:
    assert without_headline("one\ntwo", "", "") == "one\ntwo"


def test_the_title_is_read_from_the_page_with_its_entities() -> None:
    assert (
        title_of("<HTML><TITLE lang=en>\n Tom &amp; <!-- -->Jerry </title><title>no</title>") == "Tom & <!-- -->Jerry"
    )
    assert title_of("<p>none</p>") == ""
