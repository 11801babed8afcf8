"""From LightGBM's boosted trees to a Forest that needs no LightGBM."""

from array import array
from typing import Any

from thresher.errors import UsageError
from thresher.extraction.learned.descend import LEAF, Forest

OBJECTIVES = ("binary sigmoid:1", "cross_entropy")  # those whose chance is the logistic of the sum of leaves


def forest_of(booster: Any) -> Forest:
    """Return the trees of a LightGBM booster; raise UsageError for kinds of trees that a Forest cannot hold."""
    model = booster.dump_model()
    if model.get("objective") not in OBJECTIVES or model.get("average_output"):
        raise UsageError(f"trees for {model.get('objective')!r} do not give chances; train for cross_entropy")
    forest = Forest(array("i"), array("f"), array("i"), array("d"), array("i"))
    for tree in model["tree_info"]:
        _plant(forest, tree["tree_structure"])
    return forest


def _plant(forest: Forest, root: dict[str, Any]) -> None:
    """Add a tree, its nodes by depth: children get numbers above their parent's, and stand side by side."""
    forest.roots.append(len(forest.feature))
    _add(forest)
    waiting = [(len(forest.feature) - 1, root)]
    for place, node in waiting:
        if "leaf_value" in node:
            forest.value[place] = node["leaf_value"]
            continue
        forest.feature[place] = node["split_feature"]
        forest.threshold[place] = _threshold(node)
        forest.left[place] = len(forest.feature)
        forest.value[place] = node["internal_value"]
        for child in (node["left_child"], node["right_child"]):
            _add(forest)
            waiting.append((len(forest.feature) - 1, child))


def _add(forest: Forest) -> None:
    forest.feature.append(LEAF)
    forest.threshold.append(0.0)
    forest.left.append(len(forest.left))
    forest.value.append(0.0)


def _threshold(node: dict[str, Any]) -> float:
    """Return the largest number of single precision that is not above a threshold: features pass it just the same."""
    import numpy as np

    if node["decision_type"] != "<=" or node["missing_type"] == "Zero":
        raise UsageError(f"a split by {node['decision_type']!r} and missing {node['missing_type']} cannot be kept")
    single = np.float32(node["threshold"])
    return float(np.nextafter(single, np.float32("-inf")) if float(single) > node["threshold"] else single)
