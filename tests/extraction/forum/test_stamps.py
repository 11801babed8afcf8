"""Times are read from attributes that tell them, and from no others."""

from datetime import UTC, datetime

import pytest

from thresher.extraction.forum.flat import lay_flat
from thresher.extraction.forum.stamps import find_stamps
from thresher.html import parse


def times(html: str) -> list[datetime | None]:
    return [stamp.at for stamp in find_stamps(lay_flat(parse(html).body), None)]


@pytest.mark.parametrize("told", ["1552384920", "1552384920000"])
def test_seconds_and_milliseconds_since_1970_are_a_time(told: str) -> None:
    assert times(f"<p data-time={told}>heron") == [datetime(2019, 3, 12, 10, 2, tzinfo=UTC)]


@pytest.mark.parametrize("told", ["²²²²²²²²²²", "①①①①①①①①①①", "155238492", "15523849200000"])
def test_other_digits_and_other_counts_are_none(told: str) -> None:
    assert times(f"<p data-time={told}>heron") == []
