"""The sliding window and the score of blocks."""

import pytest

from thresher.extraction.line_features import Features
from thresher.extraction.topical import Selection, Stretch, informative, score_line, score_stretch, stretches_of


def stretches(marks: str, window: int = 5) -> list[tuple[int, int]]:
    return [(stretch.start, stretch.end) for stretch in stretches_of([mark == "T" for mark in marks], window)]


def test_a_block_includes_its_two_border_lines() -> None:
    # FAR-SW §3.5: topical lines p287 to p299 make the block p286 to p300.
    marks = [287 <= number <= 299 for number in range(647)]
    assert list(stretches_of(marks)) == [Stretch(286, 300)]


def test_less_than_the_window_of_other_lines_is_tolerated_and_exactly_the_window_separates() -> None:
    assert stretches(".T....T.") == [(0, 7)]
    assert stretches(".T.....T.") == [(0, 2), (6, 8)]


def test_a_window_of_zero_makes_every_topical_line_a_block() -> None:
    assert stretches(".TT.T.", 0) == [(0, 1), (2, 3), (3, 5)]


def test_a_window_of_one_joins_neighbours_only() -> None:
    assert stretches(".TT.T.", 1) == [(0, 3), (3, 5)]


def test_there_is_no_border_where_the_page_ends() -> None:
    assert stretches("TT") == [(0, 1)]
    assert stretches("...") == []
    assert stretches("") == []


@pytest.mark.parametrize(("scores", "mean"), [([0.15, 1.67, 0.19], 0.67), ([0.28, 1.55, 0.33], 0.72)])
def test_a_lone_line_is_pulled_down_by_its_borders(scores: list[float], mean: float) -> None:
    # FAR-SW §3.5: blocks 2 and 3 of the example, single lines that score more than 1.5 by themselves.
    (stretch,) = stretches_of([False, True, False])
    assert round(score_stretch(scores, stretch), 2) == mean
    assert informative([stretch], scores, Selection(share=None)) == []


def test_a_block_must_score_more_than_half_of_what_is_possible() -> None:
    blocks = [Stretch(0, 0), Stretch(1, 1), Stretch(2, 2)]
    assert informative(blocks, [1.5, 1.6, 0.1], Selection()) == [Stretch(1, 1)]


def test_where_no_block_passes_those_near_the_best_are_taken() -> None:
    blocks = [Stretch(0, 0), Stretch(1, 1), Stretch(2, 2)]
    assert informative(blocks, [1.0, 0.5, 0.4], Selection(share=0.5)) == [Stretch(0, 0), Stretch(1, 1)]
    assert informative(blocks, [0.0, -0.5, -1], Selection()) == []


def test_text_and_density_count_for_a_line_and_links_and_images_against_it() -> None:
    assert score_line(Features(0.3, 1, 1, 1, 0, 0)) == 3
    assert score_line(Features(0.3, 0.5, 0.25, 0.5, 1, 0.5)) == -0.25
