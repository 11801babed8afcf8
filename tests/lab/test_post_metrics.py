"""Found posts are matched with gold posts by their elements, or else by their texts."""

import pytest

from thresher.lab.metrics.overlap import Overlap
from thresher.lab.metrics.posts import matches, post_overlap
from thresher.lab.metrics.registry import METRICS
from thresher.lab.pages import FoundPost, GoldPost

GOLD = [
    GoldPost("First post", text_path="/html/body/div[1]/p", time_path="/html/body/div[1]/i"),
    GoldPost("Second post", text_path="/html/body/div[2]/p", time_path="/html/body/div[2]/i"),
    GoldPost("Tenth post", text_path="/html/body/div[10]/p", time_path="/html/body/div[10]/i"),
]


def test_a_post_is_found_when_its_text_and_time_are_and_no_others() -> None:
    found = [FoundPost("", "/html/body/div[1]"), FoundPost("", "/html/body/div[2]")]
    assert matches(found, GOLD) == {0: 0, 1: 1}
    assert post_overlap(found, GOLD) == Overlap(2, 2, 3)


def test_a_first_child_is_the_same_with_and_without_its_number() -> None:
    assert matches([FoundPost("", "/html/body[1]/div[1]")], GOLD) == {0: 0}
    assert matches([FoundPost("", "/html[1]/body[1]/div[10]")], GOLD) == {0: 2}


def test_an_element_that_holds_two_posts_is_neither() -> None:
    assert matches([FoundPost("First post Second post", "/html/body")], GOLD) == {}


def test_the_text_without_the_time_is_not_the_post() -> None:
    assert matches([FoundPost("First post", "/html/body/div[1]/p")], GOLD) == {}


def test_a_post_of_several_elements_is_found() -> None:
    assert matches([FoundPost("", "/html/body/div[1]/p | /html/body/div[1]/i")], GOLD) == {0: 0}


def test_a_gold_post_is_found_once() -> None:
    twice = [FoundPost("", "/html/body/div[1]"), FoundPost("", "/html/body/div[1]")]
    assert post_overlap(twice, GOLD) == Overlap(1, 2, 3)


def test_a_gold_post_without_a_time_is_found_by_its_text_element() -> None:
    gold = [GoldPost("First", text_path="/html/body/p")]
    assert matches([FoundPost("", "/html/body/p")], gold) == {0: 0}


def test_texts_decide_where_paths_are_missing() -> None:
    gold = [GoldPost("one two three four"), GoldPost("five six seven eight")]
    found = [
        FoundPost("five six seven nine"),  # F1 .75 with the second
        FoundPost("one two x y"),  # .5 with the first
        FoundPost("five six seven eight"),  # 1 with the second, which the first must leave to it
    ]
    assert matches(found, gold) == {2: 1}
    assert matches(found[:1], gold) == {0: 1}


def test_a_text_f1_of_six_tenths_is_enough() -> None:
    assert matches([FoundPost("a b c x y")], [GoldPost("a b c d e")]) == {0: 0}


def test_posts_are_added_up_over_pages() -> None:
    values = METRICS["posts"].summarise([Overlap(9, 9, 10), Overlap(0, 1, 10)])
    assert values == pytest.approx({"precision": 0.9, "recall": 0.45, "f1": 0.6})


def test_nothing_found_on_a_page_without_posts_is_right() -> None:
    assert post_overlap([], []) == Overlap(0, 0, 0)
    assert post_overlap([], GOLD) == Overlap(0, 0, 3)
