"""Boxes that were opened inside a paragraph are cut out of it, and the paragraph is one again."""

import pytest

from thresher.extraction.algorithms.thresher import extract_thresher
from thresher.html import parse

TEXT = [
    "The harbour council voted on Tuesday evening to keep the old ferry in service for two more years, after a debate.",
    "Members had asked for a new vessel as early as last spring, but the two offers were above what the town can pay.",
    "“We would rather repair what we know,” said the chair, Ingrid Solheim, before the vote was taken on that evening.",
    "The engine of the ferry is to be replaced in the winter, when few travel, and a smaller boat will run instead.",
]
LINKS = "<a href='/1'>The chair who never learned to swim</a><a href='/2'>Solheim asks for patience</a>"


def text_with(box: str) -> list[str]:
    paragraphs = "".join(f"<p>{text}</p>" for text in TEXT).replace("Solheim,", f"Solheim,{box}")
    page = (
        f"<html><head><title>Ferry stays</title></head><body><h1>Ferry stays</h1><div>{paragraphs}</div></body></html>"
    )
    return [block.text for block in extract_thresher(parse(page)).blocks]


@pytest.mark.parametrize(
    "box",
    [
        f"<span class='related'><b>More on her</b>{LINKS}</span>",
        f"<span class='x1'><span>More on her</span>{LINKS}</span>",
        f"<span role='tooltip'><b>More on her</b> {LINKS}</span>",
        f"<person-card hidden><b>More on her</b>{LINKS}</person-card>",
        f"<aside class='related'><h4>More on her</h4><ul><li>{LINKS}</li></ul></aside>",
        f"<div class='related'><h4>More on her</h4>{LINKS}</div>",
    ],
)
def test_a_box_inside_a_paragraph_is_cut_out_of_it(box: str) -> None:
    assert text_with(box) == TEXT


@pytest.mark.parametrize(
    "part",
    [
        " <span class='x1'>who came with <a href='/1'>the old captain</a> and <a href='/2'>the mate</a>,</span>",
        " <span>a <a href='/1'>member of the council</a> since 2010,</span>",
    ],
)
def test_links_in_a_sentence_are_no_box(part: str) -> None:
    words = part.split(">", 1)[1].split("<")[0]
    assert words in text_with(part)[2]


def test_paragraphs_between_which_a_box_stands_are_not_joined() -> None:
    box = f"<aside class='related'><h4>More</h4>{LINKS}</aside>"
    paragraphs = "".join(f"<p>{text}</p>{box}" for text in TEXT)
    page = f"<html><body><h1>Ferry stays</h1><div>{paragraphs}</div></body></html>"
    assert [block.text for block in extract_thresher(parse(page)).blocks if block.text in TEXT] == TEXT
