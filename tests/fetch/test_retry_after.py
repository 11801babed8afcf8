"""When a server asks us to come back."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.fetch.retry_after import CAP_S, retry_after_s

NOON = datetime(2016, 6, 8, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120.0),
        (" 0 ", 0.0),
        ("Wed, 08 Jun 2016 12:00:30 GMT", 30.0),
        ("Wed, 08 Jun 2016 14:00:30 +0200", 30.0),
        ("Wed, 08 Jun 2016 12:00:30", 30.0),
        ("Wed, 08 Jun 2016 11:00:00 GMT", 0.0),
        ("Fri, 31 Dec 9999 23:59:59 GMT", CAP_S),
        ("9" * 6000, CAP_S),
        ("", None),
        ("soon", None),
        ("-5", None),
        ("1.5", None),
        ("٣", None),
        ("Wed, 99 Jun 2016 12:00:30 GMT", None),
        ("Mon, 01 Jan 2024 00:00:00 +99999999999999", None),
        ("Mon, 01 Jan 99999999999999999999 00:00:00 GMT", None),
        ("Mon, 01 Jan 0001 00:00:00 +2359", 0.0),
        ("Fri, 31 Dec 9999 23:59:59 -2359", CAP_S),
        (", , , ,", None),
        ("a" * 200_000, None),
    ],
)
def test_seconds_and_dates_are_read_and_nonsense_is_not(value: str, seconds: float | None) -> None:
    assert retry_after_s({"retry-after": value}, NOON) == seconds


@given(st.text() | st.from_regex(r"[A-Z][a-z]{2}, \d+ [A-Z][a-z]{2} \d+ \d+:\d+:\d+ [+-]?\w+", fullmatch=True))
def test_any_text_gives_seconds_within_the_cap_or_none(value: str) -> None:
    seconds = retry_after_s({"retry-after": value}, NOON)
    assert seconds is None or 0 <= seconds <= CAP_S


def test_without_the_header_there_is_nothing_to_wait_for() -> None:
    assert retry_after_s({}, NOON) is None
