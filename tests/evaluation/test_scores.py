"""Each algorithm's score on the fixture set is pinned: `python -m tests.evaluation.fixtures record` after a change."""

import json

import pytest

from tests.evaluation.fixtures import SCORES, score
from thresher.lab import ours

PINNED = json.loads(SCORES.read_text())


def test_every_algorithm_is_pinned() -> None:
    assert list(PINNED) == list(ours.names())


@pytest.mark.parametrize("name", PINNED)
def test_an_algorithm_scores_what_it_scored(name: str) -> None:
    assert score(name) == pytest.approx(PINNED[name], abs=0.002)
