"""Membership in Low, Middle and High."""

import pytest

from thresher.extraction.regions import Scope, scope_of, three_regions, two_regions


def test_scopes_weigh_topical_and_other_lines_alike() -> None:
    # FAR-SW §3.3: the index is at least 287 in the topical region and 1 elsewhere, so A.MIN is 144.
    assert scope_of([287, 299], [1, 647]) == Scope(144, 308.5, 473)


def test_where_one_region_is_empty_the_other_speaks_alone() -> None:
    assert scope_of([], [1, 3]) == scope_of([1, 3], []) == Scope(1, 2, 3)


@pytest.mark.parametrize(
    ("value", "regions"),
    [(0, (1, 0, 0)), (5, (1, 0, 0)), (7.5, (0.5, 0.5, 0)), (10, (0, 1, 0)), (20, (0, 0.5, 0.5)), (30, (0, 0, 1))],
)
def test_middle_peaks_at_the_mean_and_the_others_are_full_half_way_to_the_ends(
    value: float, regions: tuple[float, ...]
) -> None:
    assert three_regions(value, Scope(0, 10, 50)) == pytest.approx(regions)


def test_where_the_minimum_is_the_mean_the_value_is_low() -> None:
    scope = Scope(0, 0, 6)
    assert three_regions(0, scope) == (1, 0, 0)
    assert three_regions(1, scope) == pytest.approx((0, 2 / 3, 1 / 3))


def test_where_nothing_varies_the_value_is_low_and_more_is_high() -> None:
    scope = Scope(2, 2, 2)
    assert three_regions(2, scope) == (1, 0, 0)
    assert three_regions(3, scope) == (0, 0, 1)
    assert two_regions(2, scope) == (1, 0)
    assert two_regions(3, scope) == (0, 1)


@pytest.mark.parametrize(("value", "high"), [(0, 0), (5, 0), (17.5, 0.5), (30, 1), (50, 1)])
def test_two_regions_cross_half_way_between_l_and_h(value: float, high: float) -> None:
    assert two_regions(value, Scope(0, 10, 50)) == pytest.approx((1 - high, high))
