"""What stands amid a text is kept with it, and what belongs to pictures or stands beside it is not."""

from array import array

from tests.extraction.learned.sheets import sheet_of
from thresher.extraction.learned.decide import choose

LONG = "The ferry did not come on Monday, nor did it come on Tuesday, and the people on the pier went home at last."
LAST = "On Wednesday it came at noon, with a new rope and the old captain, and nobody was there to see it come in."
HEAD = "<html><head><title>Ferry is late | Post</title></head><body><h1>Ferry is late</h1>"


def chosen(page: str, *chances: float) -> list[int]:
    return choose(sheet_of(page), array("d", chances), "balance")[0]


def test_less_likely_lists_amid_the_text_are_kept() -> None:
    page = f"<body><div><p>{LONG}</p><ul><li>a rope</li><li>a sail</li></ul><p>{LAST}</p></div></body>"
    assert chosen(page, 0.9, 0.3, 0.3, 0.9) == [0, 1, 2, 3]
    assert chosen(page, 0.9, 0.1, 0.1, 0.9) == [0, 3]


def test_a_less_likely_list_after_the_text_is_kept_and_a_line_is_not() -> None:
    page = f"<body><div><p>{LONG}</p><p>{LAST}</p><ul><li>a rope</li></ul><p>Edda Holm, in the harbour</p></div></body>"
    assert chosen(page, 0.9, 0.9, 0.3, 0.3) == [0, 1, 2]


def test_less_likely_links_amid_the_text_are_left_out() -> None:
    page = f"<body><div><p>{LONG}</p><p><a href='/x'>Read also: the old rope</a></p><p>{LAST}</p></div></body>"
    assert chosen(page, 0.9, 0.3, 0.9) == [0, 2]


def test_what_is_named_for_something_else_is_left_out_amid_the_text() -> None:
    page = f"<body><div><p>{LONG}</p><div class='related'><p>An older story</p></div><p>{LAST}</p></div></body>"
    assert chosen(page, 0.9, 0.3, 0.9) == [0, 2]


def test_an_element_that_is_mostly_something_else_is_not_completed() -> None:
    others = "".join(f"<p>{LAST} {number}</p>" for number in range(4))
    page = f"<body><div><p>{LONG}</p><ul><li>a rope</li></ul><p>{LAST}</p>{others}</div></body>"
    assert chosen(page, 0.9, 0.3, 0.9, 0, 0, 0, 0) == [0, 2]


def test_a_doubtful_line_in_an_element_named_for_pictures_is_left_out() -> None:
    page = f"{HEAD}<p>{LONG}</p><div class='photo-box'><p>The pier on Monday.</p></div><p>{LAST}</p></body></html>"
    assert chosen(page, 0.1, 0.9, 0.5, 0.9) == [1, 3]
    assert chosen(page, 0.1, 0.9, 0.7, 0.9) == [1, 2, 3]


def test_a_page_that_is_named_for_pictures_as_a_whole_keeps_its_text() -> None:
    page = f"<html><body><div class='gallery'><p>{LONG}</p><p>{LAST}</p></div></body></html>"
    assert chosen(page, 0.5, 0.5) == [0, 1]


def test_on_a_doubtful_page_a_sidebar_is_no_text() -> None:
    short = "Seen today from the pier, with a friend."
    page = f"{HEAD}<p>{short}</p><div class='sidebar'><p>{LONG}</p></div></body></html>"
    assert chosen(page, 0.05, 0.2, 0.5) == [1]
    assert chosen(page, 0.05, 0.2, 0.9) == [2]


def test_a_doubtful_page_with_nothing_else_keeps_what_it_has() -> None:
    page = f"<html><body><div class='sidebar'><p>{LONG}</p><p>{LAST}</p></div></body></html>"
    assert chosen(page, 0.5, 0.5) == [0, 1]


def test_the_caption_of_a_table_goes_with_it() -> None:
    table = "<table><caption>Ropes, by length</caption><tr><td>a rope</td><td>a sail</td></tr></table>"
    page = f"<body><div><p>{LONG}</p>{table}<p>{LAST}</p></div></body>"
    assert chosen(page, 0.9, 0.0, 0.9, 0.9, 0.9) == [0, 1, 2, 3, 4]
    assert chosen(page, 0.9, 0.0, 0.0, 0.0, 0.9) == [0, 4]
