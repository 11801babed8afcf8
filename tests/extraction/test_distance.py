"""The edit distance is Levenshtein's, whatever the symbols."""

from hypothesis import given
from hypothesis import strategies as st

from thresher.extraction.distance import edit_distance

PATHS = st.lists(st.sampled_from(["div", "p", "a", "ul"]), max_size=9)


def by_the_table(one: list[str], other: list[str]) -> int:
    row = list(range(len(other) + 1))
    for index, symbol in enumerate(one, start=1):
        above = row
        row = [index]
        for place, wanted in enumerate(other, start=1):
            row.append(min(above[place] + 1, row[-1] + 1, above[place - 1] + (symbol != wanted)))
    return row[-1]


def test_tags_are_the_symbols_not_their_letters() -> None:
    assert edit_distance(["div", "div", "p"], ["div", "div", "blockquote"]) == 1
    assert edit_distance(["div", "p"], ["div", "div", "p", "a"]) == 2
    assert edit_distance([], ["div", "p"]) == edit_distance(["div", "p"], []) == 2


def test_the_classic_example_is_three_apart() -> None:
    assert edit_distance("kitten", "sitting") == 3


@given(PATHS, PATHS)
def test_it_agrees_with_the_table_of_all_prefixes(one: list[str], other: list[str]) -> None:
    assert edit_distance(one, other) == by_the_table(one, other)


def test_paths_longer_than_a_machine_word_are_exact() -> None:
    one = ["div", "p"] * 300
    assert edit_distance(one, one[:500]) == 100
    assert edit_distance(one, ["a"] * 600) == 600
