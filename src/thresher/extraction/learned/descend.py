"""Forest: boosted trees as columns of numbers, and the chances that rows of features get on their way down them."""

from array import array
from dataclasses import dataclass
from math import exp

try:
    from thresher.extraction.learned import _descend
except ImportError:  # not compiled
    _descend = None  # type: ignore[assignment]

LEAF = -1  # in place of a leaf's feature


@dataclass(frozen=True, slots=True)
class Forest:
    """Trees one after the other. A node sends a row left where its feature is at most the threshold.

    Thresholds are of single precision, as features are. A leaf's value is what it adds; any other node's is the mean
    of what the rows of training got that came through it.
    """

    feature: "array[int]"
    threshold: "array[float]"
    left: "array[int]"  # number of the left child, or of a leaf itself; the right child comes next to the left one
    value: "array[float]"
    roots: "array[int]"


def chances(forest: Forest, rows: "array[float]", width: int, count: int) -> "array[float]":
    """Return the chance of each of `count` rows of `width` features: the logistic of the sum over all trees."""
    out = array("d", bytes(8 * count))
    if _descend:
        _descend.add_leaves(forest, rows, width, out)
        _descend.to_chances(out)
    else:
        add_leaves(forest, rows, width, out)
        to_chances(out)
    return out


def add_leaves(forest: Forest, rows: "array[float]", width: int, out: "array[float]") -> None:
    """Put the sum of the leaves that each row ends in into `out`."""
    feature, threshold, left, value, roots = forest.feature, forest.threshold, forest.left, forest.value, forest.roots
    for place in range(len(out)):
        start = place * width
        total = 0.0
        for tree in range(len(roots)):
            node = roots[tree]
            while feature[node] >= 0:
                node = left[node] + (rows[start + feature[node]] > threshold[node])
            total += value[node]
        out[place] = total


def to_chances(sums: "array[float]") -> None:
    """Put the logistic of each sum in its place."""
    for place, total in enumerate(sums):
        sums[place] = logistic(total)


def logistic(total: float) -> float:
    """Return the chance that a sum of leaves stands for."""
    return 1.0 / (1.0 + exp(-total)) if total > -700.0 else 0.0
