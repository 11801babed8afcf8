"""K-means moves free centres to the middle of what is near them, and never the fixed ones."""

from hypothesis import given
from hypothesis import strategies as st

from thresher.extraction.clusters import k_means, nearest

POINTS = st.lists(st.builds(complex, st.integers(0, 50), st.integers(0, 50)), max_size=30)


def test_centres_come_to_rest_in_the_middle_of_their_points() -> None:
    assert k_means([0, 2, 10, 12, 100, 102], [0, 15, 102]) == [1, 11, 101]


def test_a_fixed_centre_stays_where_it_is() -> None:
    assert k_means([0, 2, 10, 12, 100, 102], [0, 15, 102], fixed=1) == [0, 11, 101]


def test_points_count_as_often_as_they_occur() -> None:
    assert k_means([1, 1, 1, 5], [0]) == [2]


def test_a_centre_that_nobody_is_near_stays() -> None:
    assert k_means([1j, 3j], [2j, 99]) == [2j, 99]


def test_there_may_be_no_points() -> None:
    assert k_means([], [0, 1]) == [0, 1]


def test_of_equally_near_centres_the_first_is_taken() -> None:
    assert nearest(1, [0, 2]) == 0


@given(POINTS)
def test_every_free_centre_is_the_mean_of_its_points(points: list[complex]) -> None:
    centres = k_means(points, [0, 20 + 5j, 40 + 10j], fixed=1)
    assert centres[0] == 0
    for index in (1, 2):
        own = [point for point in points if nearest(point, centres) == index]
        if own:
            assert abs(sum(own) / len(own) - centres[index]) < 1e-6
