"""What the software of a site writes below a text is no part of it."""

import pytest

from tests.extraction.learned.sheets import sheet_of
from thresher.extraction.learned.closing import closing_runs, without_closing

LEAD = "The ferry did not come on Monday, nor did it come on Tuesday, and the people on the pier went home at last."
REST = "On Wednesday the ferry came with the noon tide, and all the bread that it brought was sold before the evening."


def left(markup: str) -> list[str]:
    sheet = sheet_of(f"<body>{markup}</body>")
    return [sheet.table.texts[place] for place in without_closing(sheet, list(range(len(sheet.table.texts))))]


@pytest.mark.parametrize(
    "line",
    [
        "No comments yet.",
        "RSS feed for comments on this post. TrackBack URI",
        "Comments are closed.",
        "Leave a Reply",
        "Be the first to comment!",
        "Posted by Ann Holm at March 3, 2011 5:23 PM",
        "This entry was posted on Tuesday, March 3rd, 2009 and is filed under Ships.",
        "Posted in Ships, Bread",
        "Share this post",
        "- Advertisement -",
        "Keine Kommentare vorhanden",
        "Laisser un commentaire",
        "Комментарии закрыты",
        "发表评论",
        "コメントを残す",
    ],
)
def test_lines_that_software_writes_are_left_out(line: str) -> None:
    assert left(f"<p>{LEAD}</p><p>{REST}</p><p>{line}</p>") == [LEAD, REST]


@pytest.mark.parametrize(
    "line",
    [
        "No comments were made by the captain, who had left before noon with his crew.",
        "Posted by the gate, two guards looked at the sea.",
        "Comments by the captain were few, and none of them was kind to the harbour master or to his clerks.",
        "Share this bread with your neighbours, said the baker, and nobody had to be told twice that day.",
        "Advertisements for the ferry hung on every wall of the town.",
        "评论家说，这是今年最好的一部小说。",
    ],
)
def test_sentences_that_begin_like_them_stay(line: str) -> None:
    assert left(f"<p>{LEAD}</p><p>{line}</p>") == [LEAD, line]


def test_a_word_about_the_writer_goes_with_its_heading() -> None:
    about = "<div><h4>About the author</h4><p>Edda Holm has written of ships for years.</p></div>"
    assert left(f"<p>{LEAD}</p><p>{REST}</p>{about}") == [LEAD, REST]


def test_other_texts_go_with_their_heading_up_to_the_next_paragraph() -> None:
    others = "<h3>Related posts</h3><ul><li><a href='/1'>Bread is dear</a></li><li><a href='/2'>The pier</a></li></ul>"
    assert left(f"<div><p>{LEAD}</p><p>{LEAD[4:]}</p>{others}<p>{REST}</p></div>") == [LEAD, LEAD[4:], REST]


def test_a_page_that_is_a_list_of_articles_keeps_it() -> None:
    others = "".join(f"<li><a href='/{number}'>Ship number {number} is late</a></li>" for number in range(9))
    kept = left(f"<h3>Related posts</h3><ul>{others}</ul><p>Short.</p>")
    assert kept[0] == "Related posts"
    assert len(kept) == 11


def test_a_long_part_below_about_the_author_is_the_text() -> None:
    about = "<h2>About the author</h2>" + f"<p>{REST}</p>" * 8
    sheet = sheet_of(f"<body><div>{about}</div></body>")
    assert closing_runs(sheet, list(range(9))) == []


def test_lines_and_sections_come_in_order() -> None:
    others = "<div><h3>Related posts</h3><p>Leave a comment</p><p>More.</p></div>"
    sheet = sheet_of(f"<body><p>No comments yet.</p><p>{LEAD}</p>{others}<p>Share this post</p></body>")
    assert closing_runs(sheet, list(range(6))) == [(0, 1), (2, 5), (3, 4), (5, 6)]


def test_a_page_of_nothing_but_headings_takes_no_time() -> None:
    assert len(left(f"<p>{LEAD * 200}</p>" + "<h3>Related posts</h3>" * 20_000)) > 0


def test_countless_dots_in_a_line_take_no_time() -> None:
    dots = ". " * 200_000
    assert len(left(f"<p>{LEAD}</p><p>{dots}No comments{dots}!{dots}Leave a comment{dots}?x</p>")) == 2
