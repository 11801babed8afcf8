"""Dates as people write them in a query: a day, a month, a year, a span of time until now, or a range of these."""

import re
from datetime import UTC, datetime, timedelta

Period = tuple[datetime | None, datetime | None]  # from the first, before the second; None is open

_SPANS = {
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
    "m": timedelta(days=30),
    "y": timedelta(days=365),
}
_SPAN = re.compile(r"(\d{1,5})([hdwmy])", re.IGNORECASE | re.ASCII)
_DATE = re.compile(r"(\d{4})(?:年|[-/.年](\d{1,2})(?:月|[-/.月](\d{1,2})日?)?)?", re.ASCII)
_COMPARISON = re.compile(r"(>=|<=|>|<)(.+)")


def period(text: str, now: datetime) -> Period | None:
    """Return what a date in a query means, in the time zone of `now`; None when it is no date."""
    now = now if now.tzinfo else now.replace(tzinfo=UTC)
    try:
        return _range(text, now) if ".." in text else _comparison(text, now)
    except (ValueError, OverflowError):  # 2026-02-30, or before the year 1
        return None


def _range(text: str, now: datetime) -> Period | None:
    first, _, last = text.partition("..")
    since = _moment(first, now) if first else (None, None)
    until = _moment(last, now) if last else (None, None)
    return (since[0], until[1] or until[0]) if since and until and (first or last) else None


def _comparison(text: str, now: datetime) -> Period | None:
    match = _COMPARISON.fullmatch(text)
    found = _moment(match[2] if match else text, now)
    if not match or not found:
        return found
    start, end = found
    return {">": (end or start, None), ">=": (start, None), "<": (None, start), "<=": (None, end or start)}[match[1]]


def _moment(text: str, now: datetime) -> Period | None:
    """Return where a single date begins and ends; a span begins so long ago and has no end."""
    if text.lower() in ("today", "yesterday"):
        start = now.replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=text.lower() == "yesterday")
        return start, start + timedelta(days=1)
    if match := _SPAN.fullmatch(text):
        return now - int(match[1]) * _SPANS[match[2].lower()], None
    if match := _DATE.fullmatch(text):
        return _calendar(match, now)
    return None


def _calendar(match: re.Match[str], now: datetime) -> Period:
    year, month, day = (int(part) if part else None for part in match.groups())
    assert year is not None
    start = datetime(year, month or 1, day or 1, tzinfo=now.tzinfo)
    if day:
        return start, start + timedelta(days=1)
    if month:
        return start, start.replace(year=year + month // 12, month=month % 12 + 1)
    return start, start.replace(year=year + 1)
