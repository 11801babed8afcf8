"""Read what a server says about when to come back."""

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

CAP_S = 86_400.0  # nobody is waited for longer than a day
MAX_CHARS = 100  # of a value that is read; a date has some thirty


def retry_after_s(headers: Mapping[str, str], now: datetime) -> float | None:
    """Return the seconds that a Retry-After header (seconds or a date) asks for; None when it is absent or no sense."""
    value = headers.get("retry-after", "").strip()
    if value.isascii() and value.isdigit():
        return CAP_S if len(value) > 9 else min(float(value), CAP_S)
    if len(value) > MAX_CHARS:
        return None
    try:
        when = parsedate_to_datetime(value)
        aware = when if when.tzinfo else when.replace(tzinfo=UTC)
        return min(max((aware - now).total_seconds(), 0.0), CAP_S)
    except (ValueError, OverflowError, TypeError, IndexError):  # what the library raises for dates that are none
        return None
