"""Gaussian smoothing keeps sums, fills gaps and leaves the edges."""

from math import exp

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.extraction.smoothing import gaussian_kernel, smooth


@given(st.floats(0.1, 20))
def test_the_window_is_as_wide_as_the_paper_says_and_adds_up_to_one(sigma: float) -> None:
    kernel = gaussian_kernel(sigma)
    assert len(kernel) == 2 * -int(-sigma // 1) + 1
    assert sum(kernel) == pytest.approx(1)
    assert kernel == kernel[::-1]
    assert max(kernel) == kernel[len(kernel) // 2]


def test_a_sigma_of_one_blends_three_values() -> None:
    side = exp(-0.5) / (1 + 2 * exp(-0.5))
    assert gaussian_kernel(1) == pytest.approx([side, 1 - 2 * side, side])
    assert smooth([0, 9, 0, 0], 1) == pytest.approx([0, 9 * (1 - 2 * side), 9 * side, 0])


def test_no_sigma_changes_nothing() -> None:
    assert smooth([3, 1, 2], 0) == [3, 1, 2]


def test_values_without_a_full_window_stay_as_they_are() -> None:
    assert smooth([5, 0, 0, 0, 0, 0, 5], 3)[:3] == [5, 0, 0]
    assert smooth([1, 2, 3], 5) == [1, 2, 3]
    assert smooth([], 2) == []


@given(st.lists(st.floats(0, 1000), max_size=30), st.floats(0.1, 4))
def test_smoothing_stays_between_the_least_and_the_greatest_value(values: list[float], sigma: float) -> None:
    for value in smooth(values, sigma):
        assert min(values) - 1e-9 <= value <= max(values) + 1e-9
