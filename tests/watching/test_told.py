"""What servers and feeds say about when to come back."""

from datetime import UTC, datetime

import pytest

from thresher.watching.schedule import Told
from thresher.watching.told import told_by

NOW = datetime(2026, 11, 16, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("cache_control", "seconds"),
    [
        ("max-age=600", 600),
        ("public, Max-Age=60", 60),
        ("s-maxage=900", 0),
        ("no-cache, max-age=600", 0),
        ("max-age=soon", 0),
    ],
)
def test_cache_control_names_an_age(cache_control: str, seconds: int) -> None:
    assert told_by({"cache-control": cache_control}, b"", NOW).max_age_s == seconds


def test_a_feed_names_its_ttl_and_what_to_skip() -> None:
    feed = (
        b"<rss><channel><ttl> 90 </ttl><skipHours><hour>0</hour><hour>23</hour></skipHours>"
        b"<skipDays><day>Sunday</day><day>Someday</day></skipDays></channel></rss>"
    )
    told = told_by({"retry-after": "120"}, feed, NOW)
    assert told == Told(0.0, 5400.0, 120.0, frozenset({0, 23}), frozenset({6}))


def test_a_feed_that_says_nothing_is_asked_as_others_are() -> None:
    assert told_by({}, b"<rss><channel></channel></rss>" + b"<skipHours>" * 50_000, NOW) == Told()
