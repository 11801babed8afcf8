"""Author, time and own text of posts are right as a share of all gold posts that have them."""

import pytest

from thresher.lab.metrics.overlap import Overlap
from thresher.lab.metrics.post_values import author_overlap, own_text_overlap, time_overlap
from thresher.lab.metrics.posts import once, post_overlap
from thresher.lab.pages import FoundPost, GoldPost

WORDS = "the words of the first post"
OTHER = "quite another text from somebody else"


def found(text: str = WORDS, *, author: str = "ada", published: str = "2019-03-14T09:26:00+00:00") -> FoundPost:
    return FoundPost(text, "", author, published)


def test_an_author_is_right_when_the_strings_are_equal() -> None:
    gold = [GoldPost(WORDS, "ada"), GoldPost(OTHER, "Old  Brass")]
    assert author_overlap([found(), found(OTHER, author="Old Brass")], gold) == Overlap(2, 2, 2)
    assert author_overlap([found(author="Ada")], gold[:1]) == Overlap(0, 1, 1)


def test_a_post_that_was_not_found_is_wrong() -> None:
    gold = [GoldPost(WORDS, "ada", "14 Mar 2019"), GoldPost(OTHER, "bob", "15 Mar 2019")]
    assert author_overlap([found()], gold) == Overlap(1, 1, 2)
    assert time_overlap([found()], gold) == Overlap(1, 1, 2)


def test_posts_without_the_value_do_not_count() -> None:
    assert author_overlap([found()], [GoldPost(WORDS)]).gold == 0
    assert time_overlap([found()], [GoldPost(WORDS)]).gold == 0
    assert own_text_overlap([found()], [GoldPost(WORDS)]).gold == 0


@pytest.mark.parametrize(
    ("shown", "attribute", "published", "is_right"),
    [
        ("14 Mar 2019", "", "2019-03-14T23:59:00+05:00", True),
        ("14 Mar 2019, 09:26", "", "2019-03-14T09:26:41-08:00", True),
        ("2019-03-14 09:26:41", "", "2019-03-14T09:26:00+00:00", False),
        ("03-14-2019, 09:26 AM", "", "2019-03-14T09:26:00+00:00", True),
        ("Today at 9:26 AM", "2019-03-14T09:26:41-0500", "2019-03-14T09:26:41-05:00", True),
        ("14 Mar 2019", "", "", False),
    ],
)
def test_a_time_is_right_at_the_precision_that_is_shown(
    shown: str, attribute: str, published: str, is_right: bool
) -> None:
    gold = [GoldPost(WORDS, time=shown, time_attribute=attribute)]
    assert time_overlap([found(published=published)], gold) == Overlap(is_right, 1, 1)


def test_own_text_is_scored_without_what_is_quoted() -> None:
    gold = [GoldPost(f"a quotation {WORDS}", own=WORDS)]
    assert own_text_overlap([found()], gold) == Overlap(1.0, 1, 1)
    assert 0 < own_text_overlap([found(f"a quotation {WORDS}")], gold).common < 1


def test_a_post_that_is_labelled_twice_is_one() -> None:
    twice = [GoldPost(WORDS, "ada", text_path="/html/body/p")] * 2
    assert once(twice) == (twice[0],)
    assert post_overlap([FoundPost(WORDS, "/html/body/p")], twice) == Overlap(1, 1, 1)
    assert len(once([GoldPost(WORDS), GoldPost(WORDS)])) == 2
