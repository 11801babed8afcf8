"""Tables of data and lists amid a text are kept whole; tables that lay out a page, and lists of links, are not."""

from array import array

from tests.extraction.learned.sheets import sheet_of
from thresher.extraction.learned.decide import choose

LONG = "The ferry did not come on Monday, nor did it come on Tuesday, and the people on the pier went home at last."
LAST = "On Wednesday it came at noon, with a new rope and the old captain, and nobody was there to see it come in."


def chosen(amid: str, *chances: float) -> list[int]:
    page = f"<html><body><div><p>{LONG}</p>{amid}<p>{LAST}</p></div></body></html>"
    return choose(sheet_of(page), array("d", (0.9, *chances, 0.9)), "balance")[0]


def rows(cell: str, *texts: tuple[str, str], attributes: str = "") -> str:
    cells = "".join(f"<tr>{''.join(f'<{cell}>{text}</{cell}>' for text in row)}</tr>" for row in texts)
    return f"<table{attributes}>{cells}</table>"


HEADED = rows("th", ("Club", "Points")).removesuffix("</table>") + rows("td", ("Vik", "31"), ("Moe", "28"))[7:]


def test_a_table_of_data_with_headings_is_kept_whole() -> None:
    assert chosen(HEADED, *[0.01] * 6) == [*range(8)]
    assert chosen(HEADED, 0.9, 0.9, 0.01, 0.01, 0.01, 0.01) == [*range(8)]


def test_a_table_without_headings_is_kept_as_far_as_it_is_likely() -> None:
    table = rows("td", ("Vik", "31"), ("Moe", "28"), ("Lie", "12"))
    assert chosen(table, 0.9, 0.9, 0.9, 0.9, 0.01, 0.01) == [0, 1, 2, 3, 4, 7]


def test_a_table_that_lays_out_a_page_or_is_named_for_something_else_is_left() -> None:
    laid_out = rows("th", ("Club", "Points"), (f"{LONG} {LONG} {LONG} {LONG}", "28"))
    assert chosen(laid_out, *[0.01] * 4) == [0, 5]
    nested = rows("th", ("Club", rows("td", ("a", "b"))), ("Vik", "31"))
    assert chosen(nested, *[0.01] * 5) == [0, 6]
    named = HEADED.replace("<table>", "<table class='related-stories'>", 1)
    assert chosen(named, *[0.01] * 6) == [0, 7]


def test_a_list_of_which_enough_is_chosen_is_kept_whole() -> None:
    dates = "<ul><li>3 May: choir</li><li>9 May: boat market</li><li>14 May: council</li></ul>"
    assert chosen(dates, 0.9, 0.01, 0.9) == [0, 1, 2, 3, 4]
    assert chosen(dates, 0.01, 0.01, 0.01) == [0, 4]


def test_a_list_of_links_is_kept_as_far_as_it_is_likely() -> None:
    links = "<ul><li>3 May</li>" + "".join(f"<li><a href='/{n}'>An older story of the pier</a></li>" for n in (1, 2, 3))
    assert chosen(f"{links}</ul>", 0.9, 0.9, 0.01, 0.01) == [0, 1, 2, 5]
