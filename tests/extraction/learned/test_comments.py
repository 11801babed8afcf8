"""Comments below a text are left aside before its blocks are judged."""

from tests.extraction.learned.sheets import sheet_of
from thresher.extraction.algorithms.thresher import choose_content, extract_sheet, judge_blocks
from thresher.extraction.contract import CHOSEN, COMMENTS, OWN
from thresher.extraction.learned.comments import comments_of
from thresher.extraction.learned.decide import choose
from thresher.extraction.learned.headed import runs_of_comments

HEAD = "<html><head><title>Ferry is late | Post</title></head><body><h1>Ferry is late</h1>"
LEAD = "The ferry did not come on Monday, nor did it come on Tuesday, and the people on the pier went home at last."
MORE = (
    "The harbour master said that a part of the rudder was lost in the night, and that nobody had another one to hand.",
    "On the island the shops sold out of bread, and the baker asked his neighbours to share what they had at home.",
    "A crew from the mainland found a spare in the old yard; it was rusty, but it did fit, and the ship left at noon.",
)
SAID = "I waited for it on the pier with my two dogs, and in the end we walked all the way around the bay to the inn."


def comments(count: int, name: str = "commentlist") -> str:
    said = "".join(f"<li><cite>Reader {number} says:</cite><p>{SAID}</p></li>" for number in range(count))
    return f"<ol class='{name}'>{said}</ol>"


def held(page: str) -> list[list[str]]:
    sheet = sheet_of(page)
    table = sheet.table
    return [table.texts[table.first[element] : table.end[element]] for element in comments_of(sheet)]


def page_of(below: str, *, text: str = LEAD) -> str:
    return f"{HEAD}<p>{text}</p>{below}</body></html>"


def test_elements_named_for_comments_below_the_text_hold_comments() -> None:
    [said] = held(page_of(comments(6)))
    assert said == [line for number in range(6) for line in (f"Reader {number} says:", SAID)]


def test_several_lists_of_comments_are_found_each() -> None:
    assert [len(said) for said in held(page_of(comments(6) + "<p>Older ones:</p>" + comments(7)))] == [12, 14]
    assert [len(said) for said in held(page_of(comments(6) + comments(7)))] == [12, 14]


def test_comments_inside_comments_are_theirs() -> None:
    assert len(held(page_of(f"<div id='comments'>{comments(6)}</div>"))) == 1


def test_a_text_in_an_element_named_for_comments_is_no_comment() -> None:
    assert held(f"{HEAD}<div class='comment-body'>{f'<p>{LEAD}</p>' * 7}</div></body></html>") == []


def test_what_stands_right_below_the_title_is_no_comment() -> None:
    assert held(page_of(comments(6), text="See below.")) == []


def test_a_link_to_the_comments_is_none() -> None:
    assert held(page_of("<div class='comments'><p>3 comments</p><p>Log in to write one</p></div>")) == []


def test_comments_above_the_title_are_none_of_the_page_s_text() -> None:
    title = "<h1>Ferry is late</h1>"
    html = "<html><head><title>Ferry is late | Post</title></head><body>{}</body></html>"
    assert held(html.format(f"<p>{LEAD}</p>{comments(6)}{title}<p>{LEAD}</p>")) == []


def test_comments_have_no_chance_and_do_not_lower_that_of_the_text() -> None:
    sheet = sheet_of(page_of(comments(9), text="</p><p>".join((LEAD, *MORE))))
    among, apart = judge_blocks(sheet).chances, judge_blocks(sheet, None, runs_of_comments(sheet, [])).chances
    assert list(apart[5:]) == [0.0] * 18
    assert min(apart[1:5]) > max(among[1:5])


def test_the_text_is_chosen_without_its_comments_and_the_kind_is_told_with_them() -> None:
    sheet = sheet_of(page_of(comments(9), text="</p><p>".join((LEAD, *MORE))))
    facts = choose_content(sheet, model=None, favour="balance").facts
    own, confidence = facts[OWN]
    assert own == [1, 2, 3, 4]
    assert facts[COMMENTS] == comments_of(sheet)
    assert facts[CHOSEN] == choose(sheet, judge_blocks(sheet).chances, "balance")[0]
    assert [block.text for block in extract_sheet(sheet, None, model=None, favour="balance").blocks] == [LEAD, *MORE]
    assert extract_sheet(sheet, None, model=None, favour="balance").confidence == confidence
