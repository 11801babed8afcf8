"""Confidences are probabilities: of text, title, date and authors, by weights that were counted on other sites."""

from array import array

import pytest

from tests.extraction.test_discussion import ARTICLE
from thresher.extraction.confidence import ANY_TEXT, FIELDS, MOST, TEXT, article_sign, chance, field_signs, text_signs
from thresher.extraction.extractor import extract
from thresher.lab.confidence import Told, diagram, left_out, reliability
from thresher.lab.train.confidence import Sign, fit_weights, fold_of
from thresher.model import Evidence

LONG = "A long paragraph of the text itself. " * 10


def signs_of(kept: float, left: float) -> dict[str, float]:
    chances = array("d", [kept, kept, left])
    return text_signs(chances, [LONG, LONG, LONG], [0, 1]) | article_sign(0.95)


@pytest.mark.parametrize("measure", [TEXT, ANY_TEXT])
def test_a_clear_page_is_surer_than_a_doubtful_one(measure: str) -> None:
    assert chance(measure, signs_of(0.99, 0.01)) > chance(measure, signs_of(0.6, 0.4))


@pytest.mark.parametrize("field", FIELDS)
def test_what_says_that_it_is_surer_is_surer(field: str) -> None:
    sure, doubtful = (field_signs(Evidence("a new source", own), 0.9) for own in (0.95, 0.5))
    assert chance(field, sure) > chance(field, doubtful)


def test_no_signs_and_extreme_signs_give_probabilities() -> None:
    for field in (TEXT, ANY_TEXT, *FIELDS):
        assert 1 - MOST <= chance(field, {}) <= MOST
        assert 1 - MOST <= chance(field, {"own": 1e9, "top": -1e9}) <= MOST
    assert text_signs(array("d"), [], [])["blocks"] == 0.0


def test_a_document_tells_how_probably_its_parts_are_right() -> None:
    document = extract(ARTICLE, "https://harbour.example/2024/ferry")
    assert 0.3 < document.chance_of("text") < 1
    assert 0 < document.chance_of("title") < 1
    assert document.chance_of("text") == document.evidence["text"].confidence
    assert document.chance_of("no such field") == 0.0


def test_another_algorithm_keeps_its_own_measure() -> None:
    assert extract(ARTICLE, algorithm="cevc").chance_of("title") in {0.6, 0.7, 0.8, 0.85, 0.9, 0.95}


def made_signs() -> list[Sign]:
    """Return 900 answers of 30 sites: of those with `own` at 2 nine of ten are right, at -2 one of ten."""
    return [
        Sign(
            "title",
            f"site{n // 30}",
            "made",
            {"own": 2.0 if n % 2 else -2.0},
            is_right=(n // 2 % 10 == 0) != bool(n % 2),
        )
        for n in range(900)
    ]


def test_weights_give_back_the_shares_that_were_counted() -> None:
    pytest.importorskip("numpy")
    weights = fit_weights(made_signs())
    assert chance("title", {"own": 2.0}, weights) == pytest.approx(0.9, abs=0.03)
    assert chance("title", {"own": -2.0}, weights) == pytest.approx(0.1, abs=0.03)


def test_confidences_of_sites_left_out_are_measured() -> None:
    pytest.importorskip("numpy")
    (row,) = reliability([*left_out(made_signs())])
    assert row.answers == 900
    assert row.error < 0.05
    assert row.brier == pytest.approx(0.09, abs=0.01)
    assert "title" in diagram([row], "Confidence")


def test_confidence_that_is_wrong_is_seen() -> None:
    (row,) = reliability([Told("title", "made", 0.99, is_right=n % 2 == 0) for n in range(100)])
    assert row.error == pytest.approx(0.49)


def test_a_site_is_in_one_fold() -> None:
    assert {fold_of(f"site{n}") for n in range(30)} == {0, 1, 2}
    assert fold_of("harbour.example") == fold_of("harbour.example")
