"""LightGBM's trees become a Forest that gives the same chances."""

from array import array
from typing import Any

import pytest

from thresher.errors import UsageError
from thresher.extraction.learned.forest import LearnedModel, chances, load, save
from thresher.lab.train.trees import forest_of

lightgbm = pytest.importorskip("lightgbm")
np = pytest.importorskip("numpy")
WIDTH = 12


def rows_and_gold() -> tuple[Any, Any]:
    random = np.random.default_rng(1)
    rows = random.normal(size=(3000, WIDTH)).astype(np.float32)
    rows[:, 6:] = (rows[:, 6:] * 3).round()  # many values that lie on thresholds
    return rows, 1 / (1 + np.exp(-(rows[:, 0] * rows[:, 7] + np.sin(rows[:, 1] * 4) - rows[:, 8])))


def booster(**parameters: Any) -> Any:
    rows, gold = rows_and_gold()
    chosen = {"objective": "cross_entropy", "num_leaves": 31, "verbose": -1, "num_threads": 1, **parameters}
    if chosen["objective"] == "binary":
        gold = gold > 0.5
    return lightgbm.train(chosen, lightgbm.Dataset(rows, gold), 30)


@pytest.mark.parametrize("objective", ["cross_entropy", "binary"])
def test_a_forest_gives_the_chances_of_the_booster(objective: str) -> None:
    trained = booster(objective=objective)
    forest = load(save(LearnedModel((("x",) * WIDTH,), (forest_of(trained),)))).stages[0]
    rows, _ = rows_and_gold()
    ours = np.array(chances(forest, array("f", rows.tobytes()), WIDTH, len(rows)))
    assert np.abs(ours - trained.predict(rows, num_threads=1)).max() < 1e-9


def test_trees_that_give_no_chances_are_refused() -> None:
    with pytest.raises(UsageError, match="regression"):
        forest_of(booster(objective="regression"))


def test_splits_that_a_forest_cannot_hold_are_refused() -> None:
    with pytest.raises(UsageError, match="cannot be kept"):
        forest_of(booster(zero_as_missing=True))
