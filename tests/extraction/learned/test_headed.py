"""Comments that only a heading tells are left aside, as those of named elements are."""

import pytest

from tests.extraction.learned.sheets import sheet_of
from tests.extraction.learned.test_comments import LEAD, MORE, SAID
from thresher import extract
from thresher.extraction.algorithms.thresher import choose_content
from thresher.extraction.contract import COMMENTS, HEADED, OWN
from thresher.extraction.learned.headed import elements_within, end_of_section, headed_comments, runs_of_comments
from thresher.model import Kind

SIGNED = "Posted by: Reader at March {}, 2011 5:23 PM"
MONTHS = "<ul>" + "".join(f"<li>March {year}</li>" for year in range(1999, 2012)) + "</ul>"


def said(count: int) -> str:
    return "".join(f"<div><p>{SAID}</p></div><p>{SIGNED.format(day)}</p>" for day in range(1, count + 1))


def page_of(below: str, *, text: str = f"<p>{LEAD}</p>") -> str:
    head = "<html><head><title>Ferry is late | Post</title></head><body><div><h1>Ferry is late</h1>"
    return f"{head}{text}{below}</div><div>About us: a blog of the bay and its ships.</div></body></html>"


def lines(page: str) -> list[list[str]]:
    sheet = sheet_of(page)
    return [sheet.table.texts[first:end] for first, end in headed_comments(sheet)]


def test_what_follows_a_heading_up_to_the_end_of_its_element_is_comments() -> None:
    [found] = lines(page_of(f"<h2>Comments</h2>{said(6)}"))
    assert found == ["Comments", *(line for day in range(1, 7) for line in (SAID, SIGNED.format(day)))]


@pytest.mark.parametrize(
    "heading",
    [
        "6 Comments",
        "Comments (6)",
        "6 comments on “Ferry is late”",
        "Reader comments:",
        "Kommentare",
        "网友评论",
        "Комментарии",
    ],
)
def test_headings_of_many_sites_are_known(heading: str) -> None:
    assert len(lines(page_of(f"<div><b>{heading}</b></div>{said(6)}"))) == 1


def test_a_link_to_the_comments_heads_none() -> None:
    assert lines(page_of(f"<p><a href='#c'>6 Comments</a></p>{said(6)}")) == []


def test_a_heading_above_a_text_that_nobody_signed_heads_no_comments() -> None:
    assert lines(page_of("<h2>Comments</h2>" + f"<p>{SAID}</p>" * 8)) == []


def test_few_words_below_a_heading_are_no_comments_to_leave_aside() -> None:
    assert (
        lines(page_of("<h2>Comments</h2><p>Posted by: Ann at March 3, 2011</p><p>Posted by: Bo at March 4, 2011</p>"))
        == []
    )


def test_a_heading_right_below_the_title_heads_no_comments() -> None:
    assert lines(page_of(f"<h2>Comments</h2>{said(6)}", text="<p>See below.</p>")) == []


def test_comments_in_named_elements_and_below_headings_are_one_run_where_they_meet() -> None:
    named = f"<div id='comments'><h2>Comments</h2>{said(6)}</div>"
    sheet = sheet_of(page_of(named))
    [(first, end)] = runs_of_comments(sheet, headed_comments(sheet))
    assert end - first == 13
    assert [sheet.table.texts[place] for place in (first, end - 1)] == ["Comments", SIGNED.format(6)]


def test_the_elements_of_a_run_are_the_outermost_that_lie_in_it() -> None:
    sheet = sheet_of(page_of(f"<h2>Comments</h2>{said(6)}"))
    elements = elements_within(sheet.table, headed_comments(sheet))
    assert [sheet.table.nodes[element].tag for element in elements] == ["h2", *("div", "p") * 6]


def test_a_section_ends_with_the_innermost_element_that_holds_more_than_its_heading() -> None:
    table = sheet_of("<body><div><div><h2>Talk</h2></div><p>One.</p><p>Two.</p></div><p>Three.</p></body>").table
    assert table.texts[end_of_section(table, 0)] == "Three."


def test_the_text_is_chosen_without_them_and_the_page_is_no_thread() -> None:
    text = [LEAD, *MORE]
    page = page_of(f"<h2>Comments</h2>{said(12)}", text="".join(f"<p>{line}</p>" for line in text))
    facts = choose_content(sheet_of(page), model=None, favour="balance").facts
    assert facts[OWN][0] == [1, 2, 3, 4]
    assert facts[HEADED] == facts[COMMENTS]
    document = extract(page)
    assert document.text == "\n".join(text)
    assert document.kind is Kind.ARTICLE


def test_an_archive_of_months_below_a_heading_of_comments_is_left_aside_too() -> None:
    assert len(lines(page_of(f"<h3>Recent comments</h3>{MONTHS}" + f"<p>{SAID}</p>" * 6))) == 1


def test_a_page_of_nothing_but_headings_takes_no_time() -> None:
    page = page_of("<h2>Comments</h2>" * 20_000)
    assert lines(page) == []


def test_elements_are_found_in_each_of_several_runs() -> None:
    table = sheet_of("<body><div><p>a</p><p>b</p></div><p>c</p><ul><li>d</li><li>e</li></ul><p>f</p></body>").table
    tags = [table.nodes[element].tag for element in elements_within(table, [(0, 2), (3, 5)])]
    assert tags == ["div", "ul"]
    assert elements_within(table, []) == []


def test_countless_dots_in_a_heading_take_no_time() -> None:
    dots = ". " * 200_000
    assert lines(page_of(f"<h2>{dots}3{dots}Comments{dots}3{dots}x</h2>{said(6)}")) == []
