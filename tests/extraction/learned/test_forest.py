"""Trees give the same chances compiled or not, before and after they were saved."""

import struct
import zlib
from array import array
from math import inf, nan
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.costs import costing_at_most
from thresher.errors import UsageError
from thresher.extraction.learned import descend
from thresher.extraction.learned.forest import Forest, LearnedModel, chances, explain, load, save

# feature 0 <= 0.5 ? -1 : (feature 1 <= 2 ? 1 : 3), and a second tree that is one leaf
FOREST = Forest(
    array("i", [0, -1, 1, -1, -1, -1]),
    array("f", [0.5, 0, 2, 0, 0, 0]),
    array("i", [1, 1, 3, 3, 4, 5]),
    array("d", [0.25, -1, 1.5, 1, 3, 0.5]),
    array("i", [0, 5]),
)
MODEL = LearnedModel((("size", "words"),), (FOREST,), {"cut": 0.5}, {"pages": 3, "licence": "…"})
try:
    from thresher.extraction.learned._descend import add_leaves as compiled
except ImportError:
    compiled = descend.add_leaves
needs_compiled = pytest.mark.skipif(compiled is descend.add_leaves, reason="the forest is not compiled here")
SINGLE = st.floats(width=32, allow_nan=False)


def logistic(total: float) -> float:
    return descend.logistic(total)


def test_a_row_goes_left_where_its_feature_is_at_most_the_threshold() -> None:
    rows = array("f", [0.5, 9, 0.6, 2, 0.6, 2.1])
    assert list(chances(FOREST, rows, 2, 3)) == [logistic(-0.5), logistic(1.5), logistic(3.5)]


def test_no_rows_give_no_chances() -> None:
    assert list(chances(FOREST, array("f"), 2, 0)) == []


def test_the_logistic_does_not_overflow() -> None:
    assert (descend.logistic(-1e6), descend.logistic(0), descend.logistic(1e6)) == (0.0, 0.5, 1.0)


def test_an_explanation_adds_up_to_the_sum() -> None:
    reasons = explain(FOREST, [1.0, 5.0])
    assert reasons == [(1, 1.5), (0, 1.25)]


@st.composite
def forests(draw: st.DrawFn) -> Forest:
    forest = Forest(array("i"), array("f"), array("i"), array("d"), array("i"))
    for _ in range(draw(st.integers(1, 4))):
        forest.roots.append(len(forest.feature))
        open_nodes = 1
        while open_nodes:
            open_nodes -= 1
            node = len(forest.feature)
            splits = node - forest.roots[-1] < 12 and draw(st.booleans())
            forest.feature.append(draw(st.integers(0, 2)) if splits else -1)
            forest.threshold.append(draw(SINGLE))
            forest.left.append(node + open_nodes + 1 if splits else node)
            forest.value.append(draw(st.floats(-5, 5)))
            open_nodes += 2 if splits else 0
    return forest


@needs_compiled
@given(forests(), st.lists(st.tuples(SINGLE, SINGLE, SINGLE), max_size=20))
def test_compiled_and_interpreted_sums_are_equal(forest: Forest, features: list[tuple[float, ...]]) -> None:
    rows = array("f", [value for row in features for value in row])
    sums = [array("d", bytes(8 * len(features))) for _ in range(2)]
    descend.add_leaves(forest, rows, 3, sums[0])
    compiled(forest, rows, 3, sums[1])
    assert sums[0] == sums[1]


@needs_compiled
@pytest.mark.parametrize("count", [1, 2, 15, 16, 17, 33])
@pytest.mark.parametrize("width", [1, 7, 8, 9, 30])
def test_any_number_of_rows_and_features_gives_the_same_sums(count: int, width: int) -> None:
    random = Random(count * width)
    forest = Forest(array("i"), array("f"), array("i"), array("d"), array("i"))
    for _ in range(40):
        start = len(forest.feature)
        forest.roots.append(start)
        forest.feature.extend([random.randrange(width), -1, random.randrange(width), -1, -1])
        forest.threshold.extend([random.uniform(-2, 2) for _ in range(5)])
        forest.left.extend([start + 1, start + 1, start + 3, start + 3, start + 4])
        forest.value.extend([random.uniform(-1, 1) for _ in range(5)])
    rows = array("f", [random.choice([nan, inf, -inf, *[random.uniform(-2, 2)] * 9]) for _ in range(count * width)])
    sums = [array("d", bytes(8 * count)) for _ in range(2)]
    descend.add_leaves(forest, rows, width, sums[0])
    compiled(forest, rows, width, sums[1])
    assert sums[0] == sums[1]


@needs_compiled
def test_rows_that_are_cut_short_are_refused() -> None:
    with pytest.raises(ValueError):
        chances(FOREST, array("f", [1.0]), 2, 1)


@given(forests())
def test_a_saved_model_is_loaded_as_it_was(forest: Forest) -> None:
    model = LearnedModel((("a", "b", "c"),) * 2, (forest, FOREST), {}, {"x": [1, "é"]})
    assert load(save(model)) == model
    assert save(load(save(model))) == save(model)


def test_a_large_model_is_loaded_in_a_tenth_of_a_second() -> None:
    tree = [(0, 0.5, 1)] + [(-1, 0.0, 0)] * 2
    count = 5_000
    feature = array("i", [node[0] for _ in range(count) for node in tree])
    left = array("i", [3 * t + 1 if node[2] else 3 * t + k for t in range(count) for k, node in enumerate(tree)])
    roots = array("i", range(0, 3 * count, 3))
    forest = Forest(feature, array("f", bytes(12 * count)), left, array("d", bytes(24 * count)), roots)
    data = save(LearnedModel((("a",),), (forest,)))
    with costing_at_most(0.1):
        load(data)


def _with(**columns: "array[int]") -> bytes:
    names = ("feature", "threshold", "left", "value", "roots")
    return save(LearnedModel((("a", "b"),), (Forest(**{n: columns.get(n, getattr(FOREST, n)) for n in names}),)))


GOOD = save(MODEL)
HEAD = len(b"thresher model 1\n")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"PK\x03\x04",
        GOOD[:-5],
        GOOD + b"x",
        GOOD[:HEAD],
        GOOD[:HEAD] + zlib.compress(b""),
        GOOD[:HEAD] + zlib.compress(struct.pack("<I", 2) + b"{}"),
        GOOD[:HEAD] + zlib.compress(struct.pack("<I", 2) + b"[]"),
        GOOD[:HEAD] + zlib.compress(zlib.decompress(GOOD[HEAD:])[:-8]),
        GOOD[:HEAD] + zlib.compress(zlib.decompress(GOOD[HEAD:]) + b"12345678"),
        GOOD[:HEAD] + zlib.compress(bytes(65 * 2**20)),
        _with(feature=array("i", [2, -1, 1, -1, -1, -1])),
        _with(feature=array("i", [-2, -1, 1, -1, -1, -1])),
        _with(left=array("i", [0, 1, 3, 3, 4, 5])),
        _with(left=array("i", [5, 1, 3, 3, 4, 5])),
        _with(left=array("i", [1, 1, 3, 3, 4])),
        _with(roots=array("i", [0, 6])),
        _with(roots=array("i", [-1])),
        _with(roots=array("i", [0, 0])),
        _with(roots=array("i", [0, 1])),
    ],
)
def test_a_broken_model_file_is_refused(data: bytes) -> None:
    with pytest.raises(UsageError, match="model"):
        load(data)


@given(st.binary(max_size=50))
def test_a_damaged_model_file_gives_a_model_or_our_error(noise: bytes) -> None:
    plain = zlib.decompress(GOOD[HEAD:])
    damaged = plain[: len(plain) // 2] + noise + plain[len(plain) // 2 + len(noise) :]
    try:
        load(GOOD[:HEAD] + zlib.compress(damaged))
    except UsageError:
        return


@needs_compiled
@pytest.mark.parametrize("leaves", [31, 32, 33, 70])
def test_trees_of_any_size_give_the_same_sums_compiled(leaves: int) -> None:
    chain = Forest(array("i"), array("f"), array("i"), array("d"), array("i", [0]))
    for place in range(leaves - 1):  # each node sends left to a leaf, right to the next node
        start = 2 * place
        chain.feature.extend([0, -1])
        chain.threshold.extend([float(place), 0.0])
        chain.left.extend([start + 1, start + 1])
        chain.value.extend([0.0, place / 3])
    chain.feature.append(-1)
    chain.threshold.append(0.0)
    chain.left.append(2 * leaves - 2)
    chain.value.append(-1.0)
    rows = array("f", [place - 0.5 for place in range(leaves + 1)])
    given_by, expected = array("d", bytes(8 * len(rows))), array("d", bytes(8 * len(rows)))
    compiled(chain, rows, 1, given_by)
    descend.add_leaves(chain, rows, 1, expected)
    assert given_by == expected
    assert expected[:2] == array("d", [0.0, 1 / 3])
