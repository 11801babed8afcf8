"""FAR-SW: its example page, Tables 2 to 8, and whole pages with the shipped models."""

import json
from itertools import combinations
from pathlib import Path

import pytest

from tests.extraction.algorithms.news_page import ARTICLE, PAGE
from thresher.errors import UsageError
from thresher.extraction.algorithms import ALGORITHMS
from thresher.extraction.algorithms.far_sw import TWO_REGIONS, extract_far_sw, is_topical, memberships
from thresher.extraction.regions import Scope
from thresher.html import parse
from thresher.lab.train.far_sw import apriori, cardinalities, frequent, significant

# Table 2. Row 3 is printed with C = 509, longer than the line itself; its density and Table 4 ask for 209.
TABLE_2 = (
    (287, 198, 170, 0.86, 0, 0),
    (288, 861, 482, 0.56, 2, 0),
    (289, 237, 209, 0.88, 0, 0),
    (290, 263, 235, 0.89, 0, 0),
    (291, 650, 449, 0.69, 1, 0),
    (292, 241, 213, 0.88, 0, 0),
    (293, 504, 301, 0.60, 1, 0),
    (294, 219, 191, 0.87, 0, 0),
    (295, 287, 259, 0.90, 0, 0),
    (296, 226, 198, 0.88, 0, 0),
    (297, 391, 363, 0.93, 0, 0),
    (298, 152, 124, 0.82, 0, 0),
    (299, 211, 156, 0.74, 0, 0),
)
TABLE_3 = (
    Scope(144, 308, 473),
    Scope(81, 210, 1248),
    Scope(62, 137, 653),
    Scope(0.279, 0.552, 0.964),
    Scope(0, 0, 6),
    Scope(0, 0, 1),
)
# Table 4: Low of A; Low and High of B and of C; High of D; High of E and its Low. The rest is Middle; F is Low.
TABLE_4 = (
    (0.26, 0.19, 0, 0, 0.13, 1, 0, 1),
    (0.24, 0, 1, 0, 1, 0.04, 0.67, 0),
    (0.23, 0, 0.05, 0, 0.28, 1, 0, 1),
    (0.22, 0, 0.10, 0, 0.38, 1, 0, 1),
    (0.21, 0, 0.85, 0, 1, 0.67, 0.33, 0),
    (0.20, 0, 0.06, 0, 0.29, 1, 0, 1),
    (0.18, 0, 0.57, 0, 0.64, 0.22, 0.33, 0),
    (0.17, 0, 0.02, 0, 0.21, 1, 0, 1),
    (0.16, 0, 0.15, 0, 0.47, 1, 0, 1),
    (0.15, 0, 0.03, 0, 0.24, 1, 0, 1),
    (0.13, 0, 0.35, 0, 0.88, 1, 0, 1),
    (0.12, 0.90, 0, 0.35, 0, 1, 0, 1),
    (0.11, 0, 0, 0, 0.07, 0.91, 0, 1),
)
# Table 5, where "C.Middle 5.60" stands for C.High. The text of step 3 has other figures for A (2.71 and 10.29).
TABLE_5 = {
    **dict(zip(("A.Low", "A.Middle", "A.High"), (2.38, 10.62, 0), strict=True)),
    **dict(zip(("B.Low", "B.Middle", "B.High"), (1.09, 8.73, 3.18), strict=True)),
    **dict(zip(("C.Low", "C.Middle", "C.High"), (0.35, 7.05, 5.60), strict=True)),
    **dict(zip(("D.Low", "D.Middle", "D.High"), (0, 2.16, 10.84), strict=True)),
    **dict(zip(("E.Low", "E.Middle", "E.High"), (10, 1.67, 1.33), strict=True)),
    **dict(zip(("F.Low", "F.Middle", "F.High"), (13, 0, 0), strict=True)),
}
TABLE_6 = ["A.Middle", "B.Middle", "C.Middle", "D.High", "E.Low", "F.Low"]
ALL_SIX = frozenset(TABLE_6)
# Table 7 by what each line lacks. Row 12 is printed without C.Middle, whose membership is 0.65.
TABLE_7 = {2: "BCDE", 5: "BCE", 7: "BCDE", 11: "C", 12: "B"}

FUZZY = [memberships(row, TABLE_3) for row in TABLE_2]
LINES = significant(FUZZY, TABLE_6)


def test_table_4_regions_of_the_thirteen_lines() -> None:
    names = ("A.Low", "B.Low", "B.High", "C.Low", "C.High", "D.High", "E.High", "E.Low")
    for fuzzy, printed in zip(FUZZY, TABLE_4, strict=True):
        # The density of row 7 is printed as 0.60 and was 301/504.
        assert [fuzzy[name] for name in names] == pytest.approx(printed, abs=0.0131)
        assert fuzzy["F.Low"] == 1
        for item in "ABCDEF":
            assert sum(fuzzy[f"{item}.{region}"] for region in ("Low", "Middle", "High")) == pytest.approx(1)


def test_table_5_cardinalities() -> None:
    assert cardinalities(FUZZY) == pytest.approx(TABLE_5, abs=0.021)


def test_table_6_frequent_regions() -> None:
    assert frequent(cardinalities(FUZZY)) == TABLE_6


def test_table_7_significant_regions_of_each_line() -> None:
    for number, line in enumerate(LINES, start=1):
        lacking = TABLE_7.get(number, "")
        assert line == {region for region in ALL_SIX if region[0] not in lacking}, number


def test_table_8_frequent_sets() -> None:
    levels = apriori(LINES)
    # Printed incomplete: L3 with 10 sets, L4 with 10.
    assert [len(level) for level in levels] == [6, 15, 20, 15, 6, 1]
    assert set(levels[2]) == {frozenset(three) for three in combinations(TABLE_6, 3)}
    assert levels[5] == [ALL_SIX]


def test_lines_that_the_rule_of_highest_order_covers() -> None:
    covered = [number for number, fuzzy in enumerate(FUZZY, start=1) if is_topical(fuzzy, [ALL_SIX])]
    assert covered == [1, 3, 4, 6, 8, 9, 10, 13]


def test_a_set_must_be_held_by_more_than_half_of_the_lines() -> None:
    a, b = frozenset({"A.Low"}), frozenset({"B.Low"})
    assert apriori([a, a, b, b]) == []
    assert apriori([a | b, a | b, a]) == [[a, b], [a | b]]
    assert apriori([]) == []


def test_two_regions_for_lengths_and_links() -> None:
    fuzzy = memberships((308, 210, 653, 0.6, 0, 0), TABLE_3, TWO_REGIONS)
    assert {"A.Middle", "B.Low'", "C.High'", "D.Low", "E.Low'", "F.Low"} <= fuzzy.keys()
    assert "B.Middle" not in fuzzy
    assert (fuzzy["C.High'"], fuzzy["E.High'"]) == (1, 0)


@pytest.mark.parametrize("name", ["far-sw", "far-sw-2"])
def test_the_shipped_models_find_the_article(name: str) -> None:
    content = ALGORITHMS[name](parse(PAGE))
    text = "\n".join(block.text for block in content.blocks)
    assert all(paragraph in text for paragraph in ARTICLE)


def test_far_sw_leaves_menu_and_footer_out() -> None:
    text = "\n".join(block.text for block in extract_far_sw(parse(PAGE)).blocks)
    assert "Menu" not in text
    assert "Copyright" not in text


@pytest.mark.parametrize("rules", [[["A.Middle", "X.Low"]], [[]], [["B.Low'"]], "A"])
def test_a_model_of_rules_that_make_no_sense_is_refused(tmp_path: Path, rules: object) -> None:
    file = tmp_path / "rules.json"
    model = {"format": 1, "algorithm": "far-sw", "layout": "flowed", "scopes": [[0, 0.5, 1]] * 6, "rules": rules}
    file.write_text(json.dumps(model))
    with pytest.raises(UsageError, match=r"rules\.json"):
        extract_far_sw(parse(PAGE), model=str(file))
