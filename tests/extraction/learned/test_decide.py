"""Blocks are chosen for the page as a whole."""

from array import array

from tests.extraction.learned.sheets import sheet_of
from thresher.extraction.learned.decide import choose

PARAGRAPHS = ["The first of the paragraphs is here.", "The second one is not far away.", "And the third one ends it."]
PAGE = "<body>" + "".join(f"<p>{text}</p>" for text in PARAGRAPHS) + "</body>"


def chosen(*chances: float, favour: str = "balance", page: str = PAGE) -> list[int]:
    return choose(sheet_of(page), array("d", chances), favour)[0]  # type: ignore[arg-type]


def test_likely_blocks_are_chosen() -> None:
    assert chosen(0.9, 0.1, 0.8) == [0, 2]


def test_on_a_page_where_all_chances_are_low_the_best_part_is_still_chosen() -> None:
    assert chosen(0.3, 0.05, 0.28) == [0, 2]


def test_a_page_without_any_likely_block_has_no_text() -> None:
    assert chosen(0.05, 0.02, 0.03) == []


def test_precision_and_recall_move_the_balance() -> None:
    chances = (0.95, 0.45, 0.25)
    assert chosen(*chances, favour="precision") == [0]
    assert chosen(*chances) == [0, 1]
    assert chosen(*chances, favour="recall") == [0, 1, 2]


def test_a_long_text_that_stands_twice_is_kept_where_it_is_most_likely() -> None:
    long = "This lead is shown as a teaser first, and then it stands at the head of the article again."
    page = f"<body><div>{long}</div><p>{long}</p><p>{PARAGRAPHS[1]}</p></body>"
    assert chosen(0.7, 0.9, 0.8, page=page) == [1, 2]


def test_a_short_text_may_be_repeated() -> None:
    page = "<body><p>Chorus.</p><p>A verse of the song.</p><p>Chorus.</p></body>"
    assert chosen(0.9, 0.9, 0.9, page=page) == [0, 1, 2]


def test_the_confidence_is_the_top_chance() -> None:
    assert choose(sheet_of(PAGE), array("d", [0.9, 0.9, 0.9]), "balance")[1] == 0.9


LONG = "The ferry did not come on Monday, nor did it come on Tuesday, and the people on the pier went home at last."


def test_lines_on_author_and_time_before_the_first_paragraph_are_left_out() -> None:
    page = f"<body><p>By Edda Holm</p><p>7 March 2021</p><p>It was May.</p><p>{LONG}</p><p>By Edda Holm</p></body>"
    assert chosen(0.6, 0.6, 0.6, 0.9, 0.6, page=page) == [2, 3, 4]


def test_a_heading_that_begins_like_a_byline_is_kept() -> None:
    assert chosen(0.7, 0.9, page=f"<body><h2>By the numbers</h2><p>{LONG}</p></body>") == [0, 1]


def test_a_notice_in_a_box_named_for_it_must_be_all_the_likelier() -> None:
    page = f'<body><p>{LONG}</p><div class="newsletter"><p>Get our letter every day.</p></div><p>{LONG} Too.</p></body>'
    assert chosen(0.9, 0.5, 0.9, page=page) == [0, 2]
    assert chosen(0.9, 0.7, 0.9, page=page) == [0, 1, 2]


def test_a_smaller_share_is_enough_where_even_the_best_part_is_less_likely() -> None:
    assert chosen(0.6, 0.2, 0.6) == [0, 1, 2]
    assert chosen(0.95, 0.3, 0.95) == [0, 2]
