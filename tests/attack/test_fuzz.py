"""Rounds of `scripts/fuzz --worker`: damaged material is survived, and what a round sends is the same every time."""

from pathlib import Path
from random import Random

import pytest

from tests.attack.fuzz import AREAS, Maker, play


@pytest.mark.parametrize("area", AREAS)
def test_the_same_seed_makes_the_same_material(area: str) -> None:
    first, second, other = (AREAS[area](Maker(Random(seed))) for seed in (1, 1, 2))
    assert first == second
    assert first != other
    assert first.pieces


@pytest.mark.slow
@pytest.mark.parametrize("area", ["robots", "urls", "settings"])
def test_a_crawl_of_damaged_material_ends_and_every_link_has_its_fate(area: str, tmp_path: Path) -> None:
    pieces, wrong = play(area, 100, tmp_path)
    assert pieces
    assert wrong == []
