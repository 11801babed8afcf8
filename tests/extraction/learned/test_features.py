"""Features describe a block by itself, its surroundings, its likes and its neighbours."""

from array import array

import pytest

from tests.extraction.learned.sheets import place_of, sheet_of
from thresher.extraction.learned.features import COUNT, FEATURES, compute
from thresher.extraction.learned.second import SECOND, compute_second, fill_second, top_chance
from thresher.extraction.learned.sheet import Sheet, without


def features(sheet: Sheet, start: str) -> dict[str, float]:
    place = place_of(sheet, start)
    return dict(zip(FEATURES, compute(sheet)[place * COUNT : (place + 1) * COUNT], strict=True))


def second(sheet: Sheet, chances: list[float], start: str) -> dict[str, float]:
    place = place_of(sheet, start)
    rows = compute_second(sheet, compute(sheet), array("d", chances))
    width = COUNT + len(SECOND)
    return dict(zip(SECOND, rows[place * width + COUNT : (place + 1) * width], strict=True))


def test_every_feature_has_a_name_of_its_own() -> None:
    assert len(set(FEATURES)) == len(FEATURES) == COUNT
    assert len(set(SECOND)) == len(SECOND)


def test_a_paragraph_lies_in_the_core_and_a_menu_entry_does_not() -> None:
    sheet = sheet_of()
    assert features(sheet, "Passengers")["core_inside"] == 1.0
    assert features(sheet, "Home")["core_inside"] == 0.0
    assert features(sheet, "Home")["link_share"] == 1.0
    assert features(sheet, "Home")["in_nav"] == 1.0


def test_class_names_around_a_block_are_told() -> None:
    sheet = sheet_of()
    assert features(sheet, "Passengers")["around_body"] == 1.0
    assert features(sheet, "It was the same")["around_comment"] == 1.0
    assert features(sheet, "Passengers")["around_comment"] == 0.0


def test_a_block_after_the_comments_label_knows_how_far_back_it_is() -> None:
    sheet = sheet_of()
    label = place_of(sheet, "2 Comments")
    block = place_of(sheet, "It was the same")
    assert features(sheet, "It was the same")["since_comment"] == block - label
    assert features(sheet, "Passengers")["since_comment"] == 100


def test_comments_are_likes_of_each_other() -> None:
    assert features(sheet_of(), "Rosa")["up0_likes"] == 2.0


def test_distances_count_from_the_headline() -> None:
    sheet = sheet_of()
    assert features(sheet, "Ferry")["from_title"] == 0.0
    assert features(sheet, "Passengers")["from_title"] == 2.0
    assert features(sheet, "Home")["from_title"] < 0


def test_the_second_stage_sees_what_was_said_of_neighbours_and_containers() -> None:
    sheet = sheet_of()
    inside = range(place_of(sheet, "Passengers"), place_of(sheet, "On the island") + 1)
    chances = [0.9 if place in inside else 0.1 for place in range(len(sheet.table.texts))]
    crew, home = second(sheet, chances, "The crew"), second(sheet, chances, "Home")
    assert crew["chance-1"] == crew["chance+1"] == pytest.approx(0.9)
    assert crew["run_is_largest"] == 1.0
    assert crew["from_largest"] == 0.0
    assert home["from_largest"] == -inside[0]
    assert home["chance-1"] == pytest.approx(-0.1)
    assert crew["core0.5_inside"] == 1.0
    assert home["core0.5_inside"] == 0.0


def test_without_a_likely_block_there_is_no_run() -> None:
    sheet = sheet_of()
    chances = [0.1] * len(sheet.table.texts)
    assert second(sheet, chances, "Home")["from_largest"] == -999
    assert second(sheet, chances, "Home")["run_gap"] == 99


def test_the_top_chance_is_that_of_the_best_part() -> None:
    sheet = sheet_of()
    chances = array("d", [0.8 if place == 5 else 0.1 for place in range(len(sheet.table.texts))])
    assert top_chance(sheet, chances) == pytest.approx(0.8)


def test_a_page_without_text_has_no_features() -> None:
    sheet = sheet_of("<body></body>")
    assert len(compute(sheet)) == 0
    assert len(compute_second(sheet, compute(sheet), array("d"))) == 0


def test_a_page_less_some_runs_has_its_own_sums_and_the_same_elements() -> None:
    sheet = sheet_of()
    count = len(sheet.table.texts)
    part = without(sheet, [(0, 3), (5, 6)])
    texts = sheet.table.texts
    assert part.table.texts == [*texts[3:5], *texts[6:]]
    assert len(part.table.tag) == len(sheet.table.tag)
    assert len(compute(part)) == (count - 4) * COUNT
    assert compute(without(sheet, [])) == compute(sheet)
    assert compute(without(sheet, [(0, count)])) == array("f")


def test_elements_of_a_page_less_some_runs_hold_the_same_blocks() -> None:
    sheet = sheet_of()
    part = without(sheet, [(2, 4), (6, 7)])
    gone = {2, 3, 6}
    for first, end, part_first, part_end in zip(
        sheet.table.first, sheet.table.end, part.table.first, part.table.end, strict=True
    ):
        held = [text for place, text in enumerate(sheet.table.texts) if first <= place < end and place not in gone]
        assert part.table.texts[part_first:part_end] == held


def test_rows_made_wide_at_once_are_those_made_wider_later() -> None:
    sheet = sheet_of()
    chances = array("d", [0.3 + 0.1 * (place % 5) for place in range(len(sheet.table.texts))])
    rows = compute(sheet, COUNT + len(SECOND))
    fill_second(sheet, chances, rows, COUNT)
    assert rows == compute_second(sheet, compute(sheet), chances)
