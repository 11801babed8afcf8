"""Date pivots: what counts as a date, and which element holds it."""

from datetime import UTC, datetime

import pytest
from lxml import etree

from thresher.extraction.forum.pivots import MAX_DATES, Dates, Pivots, find_pivots
from thresher.html import parse


def pivots_of(body: str, dates: Dates = "thesis") -> Pivots:
    return find_pivots(parse(f"<body>{body}</body>").body, dates)


def tags_of(pivots: Pivots) -> list[str]:
    return [str(element.tag) for element in pivots.moments]


@pytest.mark.parametrize("text", ["2014-06-12 10:10:20", "2014/06/12 10:10", "2014/6/12 10:10:20"])
def test_the_three_examples_of_the_thesis_are_dates(text: str) -> None:
    pivots = pivots_of(f"<p>posted <b>{text}</b></p>")
    assert tags_of(pivots) == ["b"]
    second = 20 if text.endswith(":20") else 0
    moment = next(iter(pivots.moments.values()))
    assert moment is not None
    assert moment.at == datetime(2014, 6, 12, 10, 10, second, tzinfo=UTC)


@pytest.mark.parametrize("text", ["2014-06-12", "10:10:20", "12 June 2014 10:10", "3 hours ago", "14-6-12 10:10"])
def test_nothing_else_is_a_date_by_the_expression_of_the_thesis(text: str) -> None:
    assert not pivots_of(f"<p>{text}</p>").moments


@pytest.mark.parametrize(
    "text", ["2014-06-12", "12 June 2014 10:10", "Thu Jun 12, 2014 10:10 am", "2014年6月12日 10:10"]
)
def test_any_spelling_is_a_date_where_it_is_asked_for(text: str) -> None:
    assert tags_of(pivots_of(f"<p><i>{text}</i></p>", "any")) == ["i"]


def test_a_date_that_no_calendar_has_is_a_pivot_without_a_time() -> None:
    assert list(pivots_of("<p>2014-99-99 10:10</p>").moments.values()) == [None]


def test_the_pivot_is_the_lowest_element_that_holds_the_whole_date() -> None:
    pivots = pivots_of("<div><p><b>2014-06-12</b> <i>10:10</i></p></div>")
    assert tags_of(pivots) == ["p"]


def test_an_element_with_a_pivot_below_it_is_none() -> None:
    pivots = pivots_of("<p>2014-06-12 10:10 <b>2014-06-13 10:10</b></p>")
    assert tags_of(pivots) == ["b"]


def test_two_dates_in_one_element_are_one_pivot() -> None:
    assert tags_of(pivots_of("<p>2014-06-12 10:10, edited 2014-06-13 10:10</p>")) == ["p"]


def test_text_after_an_element_belongs_to_its_parent() -> None:
    assert tags_of(pivots_of("<div><b>at</b> 2014-06-12 10:10</div>")) == ["div"]


def test_scripts_and_styles_hold_no_dates() -> None:
    assert not pivots_of("<script>2014-06-12 10:10</script><style>2014-06-12 10:10</style>").moments


def test_a_number_in_the_cell_before_is_no_part_of_the_date() -> None:
    pivots = pivots_of("<table><tr><td>15</td><td>12 June 2014 10:10</td></tr></table>", "any")
    assert tags_of(pivots) == ["td"]
    moment = next(iter(pivots.moments.values()))
    assert moment is not None
    assert moment.at.day == 12


def test_every_element_counts_the_pivots_in_it() -> None:
    tree = parse("<body><div><p>2014-06-12 10:10</p><p>2014-06-13 10:10</p></div><i>2014-06-14 10:10</i></body>")
    pivots = find_pivots(tree.body)
    body, (div, italic) = tree.body, list(tree.body)
    assert [pivots.counts[element] for element in (body, div, italic)] == [3, 2, 1]
    assert pivots.inside(div) == list(div)
    assert pivots.inside(italic) == [italic]
    assert pivots.inside(etree.Element("p")) == []


def test_no_more_dates_are_read_than_a_thread_can_have() -> None:
    assert len(pivots_of("<i>2014-06-12 10:10</i>" * (MAX_DATES + 5)).moments) == MAX_DATES
