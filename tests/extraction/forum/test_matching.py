"""Tree matching: the published algorithm, its bounds, and nothing lost by the shortcuts."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from thresher.extraction.forum import matching
from thresher.extraction.forum.matching import MAX_DEPTH, Matcher, Shapes


def matched(one: etree._Element, other: etree._Element) -> int:
    root = etree.Element("root")
    root.extend([one, other])
    shapes = Shapes(root)
    return Matcher(shapes, 1).match(shapes.of[one], shapes.of[other])


def tree_match(one: etree._Element, other: etree._Element) -> int:
    """Algorithm 3.1, word for word."""
    if one.tag != other.tag:
        return 0
    rows = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i in range(1, len(one) + 1):
        for j in range(1, len(other) + 1):
            below = tree_match(one[i - 1], other[j - 1])
            rows[i][j] = max(rows[i][j - 1], rows[i - 1][j], rows[i - 1][j - 1] + below)
    return rows[-1][-1] + 1


def test_a_pair_below_parents_that_differ_does_not_match() -> None:
    left = etree.fromstring("<a><b><d/><e/></b><c><g><i/></g></c></a>")
    right = etree.fromstring("<a><b><e/></b><c><h><i/></h></c></a>")
    assert matched(left, right) == 4  # a, b, e, c; neither g with h, nor the i below them


def test_trees_with_different_roots_do_not_match() -> None:
    assert matched(etree.fromstring("<a><b/></a>"), etree.fromstring("<c><b/></c>")) == 0


def test_order_is_kept() -> None:
    assert matched(etree.fromstring("<a><b/><c/></a>"), etree.fromstring("<a><c/><b/></a>")) == 2


def test_scripts_and_styles_are_left_out() -> None:
    one, other = etree.fromstring("<a><b/><script/><c/></a>"), etree.fromstring("<a><style/><b/><c/></a>")
    assert matched(one, other) == 3


def element_of(nested: tuple[str, list[object]]) -> etree._Element:
    element = etree.Element(nested[0])
    element.extend(element_of(child) for child in nested[1])  # type: ignore[arg-type]
    return element


TAGS = st.sampled_from("ab")
TREES = st.recursive(
    st.tuples(TAGS, st.just([])), lambda inner: st.tuples(TAGS, st.lists(inner, max_size=4)), max_leaves=12
).map(element_of)


@given(TREES, TREES)
def test_the_shortcuts_change_nothing(one: etree._Element, other: etree._Element) -> None:
    assert matched(one, other) == tree_match(one, other)


@given(TREES, TREES)
def test_the_pairs_of_children_are_in_order_and_of_one_tag(one: etree._Element, other: etree._Element) -> None:
    root = etree.Element("root")
    root.extend([one, other])
    shapes = Shapes(root)
    pairs = Matcher(shapes, 1).pairs(shapes.of[one], shapes.of[other])
    assert list(pairs) == sorted(pairs)
    assert list(pairs.values()) == sorted(set(pairs.values()))
    assert all(one[i].tag == other[j].tag for i, j in pairs.items())


def test_equal_trees_are_one_number() -> None:
    root = etree.fromstring("<r><a><b/></a><a><b/></a><a><c/></a></r>")
    shapes = Shapes(root)
    assert shapes.of[root[0]] == shapes.of[root[1]] != shapes.of[root[2]]
    assert shapes.sizes[shapes.of[root]] == 7


def test_hostile_trees_fill_no_more_than_the_cells_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matching, "CELLS", 10_000)
    dice = random.Random(5)
    root = etree.Element("root")
    for _ in range(2):
        tree = etree.SubElement(root, "a")
        for _ in range(60):
            child = etree.SubElement(tree, "b")
            child.extend(etree.Element(dice.choice("cd")) for _ in range(dice.randint(10, 30)))
    shapes = Shapes(root)
    matcher = Matcher(shapes, 1)
    assert matcher.match(shapes.of[root[0]], shapes.of[root[1]]) > 60
    assert 3_600 <= matcher.cells <= 10_000


def test_trees_of_any_depth_are_compared_down_to_a_limit() -> None:
    root = etree.Element("root")
    for last in "bc":
        node = etree.SubElement(root, "a")
        for _ in range(3 * MAX_DEPTH):
            node = etree.SubElement(node, "a")
        etree.SubElement(node, last)
    shapes = Shapes(root)
    assert Matcher(shapes, 1).match(shapes.of[root[0]], shapes.of[root[1]]) < MAX_DEPTH
