"""Corrections, notes of the editors and a last paragraph stay with a text; offers to those who have not paid do not."""

from array import array

import pytest

from tests.extraction.learned.sheets import sheet_of
from thresher.extraction.learned.decide import choose

LONG = "The ferry did not come on Monday, nor did it come on Tuesday, and the people on the pier went home at last."
LAST = "On Wednesday it came at noon, with a new rope and the old captain, and nobody was there to see it come in."
NOTE = "Correction: an earlier version of this article said that it came on Thursday."
HEAD = f"<html><body><div><p>{LONG}</p><p>{LAST}</p></div>"


def chosen(page: str, *chances: float) -> list[int]:
    return choose(sheet_of(page), array("d", chances), "balance")[0]


@pytest.mark.parametrize(
    "note",
    [
        NOTE,
        "Editor’s note: the captain is a shareholder of this newspaper.",
        "This story has been updated with the answer of the captain.",
        "Anmerkung der Redaktion: Der Kapitän ist Teilhaber dieser Zeitung.",
        "更正：船于星期三到达。",
    ],
)
def test_a_note_below_the_text_stays(note: str) -> None:
    assert chosen(f"{HEAD}<footer><p>{note}</p></footer></body></html>", 0.9, 0.9, 0.01) == [0, 1, 2]


def test_what_stands_below_the_heading_of_a_note_stays_with_it() -> None:
    page = f"{HEAD}<aside><h4>Correction</h4><p>It came at one.</p></aside><p>About us</p></body></html>"
    assert chosen(page, 0.9, 0.9, 0.01, 0.01, 0.01) == [0, 1, 2, 3]


@pytest.mark.parametrize(
    "line",
    [
        "Corrections",
        "Update your browser.",
        "Updated 5 May 2019",
        "This article was originally published on 7 May 2019.",
        "This article was last updated on 7 May 2019.",
        '<a href="/x">Correction: what we got wrong in May</a>',
    ],
)
def test_what_only_looks_like_a_note_is_left_out(line: str) -> None:
    assert chosen(f"{HEAD}<p>{line}</p></body></html>", 0.9, 0.9, 0.01) == [0, 1]


def test_a_correction_among_comments_is_none_of_the_text() -> None:
    assert chosen(f"{HEAD}<div class='comments'><p>{NOTE}</p></div></body></html>", 0.9, 0.9, 0.01) == [0, 1]


def test_a_short_last_paragraph_made_as_the_others_are_stays() -> None:
    parts = "".join(
        f"<div class='par'><p>{text}</p></div>" for text in (LONG, LAST, f"{LONG} So it was.", "It was noon.")
    )
    page = f"<html><body><div>{parts}</div></body></html>"
    assert chosen(page, 0.9, 0.9, 0.9, 0.2) == [0, 1, 2]  # too short to tell
    page = page.replace("It was noon.", "It was noon in the harbour.")
    assert chosen(page, 0.9, 0.9, 0.9, 0.2) == [0, 1, 2, 3]
    assert chosen(page, 0.9, 0.9, 0.9, 0.05) == [0, 1, 2]


@pytest.mark.parametrize(
    "offer",
    ["This text is for members.", "You have read all free articles of this month.", "Already a subscriber? Log in."],
)
def test_offers_below_the_lead_of_a_text_are_left_out(offer: str) -> None:
    page = f"<html><body><div><p>{LONG}</p></div><div><p>{offer}</p><p>It costs 9 a month.</p></div></body></html>"
    assert chosen(page, 0.9, 0.9, 0.9) == [0]
