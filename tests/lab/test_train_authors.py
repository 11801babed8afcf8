"""How authors are chosen is learned from pages with labelled authors, and from pages that name nobody."""

from tests.needs import need
from thresher.lab.fields_gold import Answer, GoldFields
from thresher.lab.train.authors import Row, candidates_of, cross_validate, fit, rows_of

need("scipy")

HEAD = '<script type="application/ld+json">{"@type": "Article", "author": "Ann Miller"}</script><h1>The ferry</h1>'
PROSE = "<p>" + "The ferry to the islands runs again, and the harbour is as full as it was before the storm. " * 3


def page(html: str, *authors: str) -> GoldFields:
    return GoldFields("1", "grain", "grain.example", "en", html, None, Answer(title="The ferry", authors=authors))


def row(number: int, *, by: bool) -> Row:
    marks = (frozenset(("line", "line lead")), frozenset(("line", "line bare")))
    return Row(f"{number}.example", "grain", 1.0, marks if by else marks[1:], (True, False)[: 1 + by], not by, True)


def test_a_labelled_page_is_learned_from_whole_and_with_evidence_taken_out() -> None:
    rows = list(rows_of([page(f"{HEAD}<p>By Ann Miller{PROSE}", "Ann Miller")]))
    assert [each.is_whole for each in rows] == [True, False, False]
    assert all(any(each.right) and not each.nobody for each in rows)
    assert any("data" in marks for marks in rows[0].marks)
    assert not any("data" in marks for each in rows[1:] for marks in each.marks)


def test_a_page_without_labelled_authors_names_nobody_whatever_its_data_says() -> None:
    (only,) = rows_of([page(f"{HEAD}<p>Harbour{PROSE}")])
    assert only.nobody
    assert only.marks == ()


def test_pages_in_chinese_are_left_to_rules() -> None:
    assert candidates_of(page("<h1>渡轮恢复运行了</h1><p>作者：王小明")) is None


def test_marks_of_the_right_names_weigh_more() -> None:
    rows = [row(number, by=True) for number in range(20)]
    nobody = [each._replace(right=(False,)) for each in (row(number, by=False) for number in range(20, 30))]
    weights = fit([*rows, *nobody])
    assert weights["line lead"] > 0 > weights["line bare"]
    assert cross_validate([*rows, *nobody]) == {"grain": (20, 20)}
