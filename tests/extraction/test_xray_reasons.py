"""Reasons are told in plain words, whatever the feature."""

import pytest

from tests.extraction.learned.sheets import place_of, sheet_of
from thresher.extraction.algorithms.thresher import judge_blocks
from thresher.extraction.learned.features import FEATURES
from thresher.extraction.learned.second import SECOND
from thresher.extraction.xray_reasons import phrase_of, reasons_of, topic_of

ALL = [(name, False) for name in FEATURES] + [(name, True) for name in SECOND]


@pytest.mark.parametrize("value", [-999.0, -1.0, 0.0, 0.5, 1.0, 7.0, 100.0])
def test_every_feature_has_a_phrase_for_every_value(value: float) -> None:
    for name, is_second in ALL:
        phrase = phrase_of(name, value, is_second=is_second)
        assert len(phrase) > 10, name
        assert not set("{}_") & set(phrase), name


def test_every_feature_has_a_topic() -> None:
    assert all(topic_of(name) for name, _ in ALL)


def test_a_name_that_is_no_features_is_refused() -> None:
    with pytest.raises(KeyError):
        phrase_of("moon_phase", 1.0)


@pytest.mark.parametrize(
    ("name", "value", "is_second", "words"),
    [
        ("link_share", 0.92, False, "links are 92 % of it"),
        ("around_comment", 1.0, False, "it stands in an element named like comments"),
        ("around_comment", 0.0, False, "no element around it is named like comments"),
        ("since_comment", 1.0, False, "1 block after a label such as “Comments”"),
        ("since_comment", 100.0, False, "no label such as “Comments” before it"),
        ("from_title", -3.0, False, "3 blocks before the headline"),
        ("final", 3.0, False, "it ends like a sentence"),
        ("up1_tag", 3.0, False, "the 2nd element around it is a <p>"),
        ("at-1_shape", 2.0, False, "the block before it is a heading of level 2"),
        ("at+2_size", -1.0, False, "the block 2 after it is missing"),
        ("chance+1", -0.1, True, "the block after it is missing"),
        ("up0_share", 0.5, False, "it is 50 % of the element around it"),
        ("up0_share", 0.5, True, "the element around it holds 50 % of the likely text"),
        ("from_largest", -999.0, True, "there is no run of likely text"),
        ("before3_mean", 0.25, True, "the 3 blocks before it score 0.25 at first sight"),
    ],
)
def test_phrases_say_what_is_so(name: str, value: float, is_second: bool, words: str) -> None:
    assert phrase_of(name, value, is_second=is_second) == words


def test_reasons_are_few_and_each_of_another_topic() -> None:
    sheet = sheet_of()
    judgement = judge_blocks(sheet)
    width = len(judgement.model.features[1])
    place = place_of(sheet, "The crew found")
    first, second = reasons_of(judgement.model, judgement.rows[place * width : (place + 1) * width])
    assert (len(first), len(second)) == (3, 2)
    assert not any("the page" in words for _, words in second)
