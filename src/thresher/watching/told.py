"""Told: what an answer and a feed say themselves about when to come back."""

import re
from collections.abc import Mapping
from datetime import datetime

from thresher.fetch.retry_after import retry_after_s
from thresher.watching.schedule import Told

HEAD_BYTES = 65_536  # of a feed, in which its channel is described
_MAX_AGE = re.compile(r"(?:^|[,\s])max-age\s*=\s*\"?(\d{1,9})", re.IGNORECASE)
_UNCACHED = re.compile(r"\bno-(?:cache|store)\b", re.IGNORECASE)
_TTL = re.compile(rb"<ttl>\s*(\d{1,6})\s*</ttl>", re.IGNORECASE)
_HOURS = re.compile(rb"<skipHours>([^!]{0,2000}?)</skipHours>", re.IGNORECASE)
_DAYS = re.compile(rb"<skipDays>([^!]{0,2000}?)</skipDays>", re.IGNORECASE)
_HOUR = re.compile(rb"<hour>\s*(\d{1,2})\s*</hour>", re.IGNORECASE)
_DAY = re.compile(rb"<day>\s*([A-Za-z]{6,9})\s*</day>", re.IGNORECASE)
_WEEK = (b"monday", b"tuesday", b"wednesday", b"thursday", b"friday", b"saturday", b"sunday")


def told_by(headers: Mapping[str, str], body: bytes, now: datetime) -> Told:
    """Read Cache-Control and Retry-After, and the ttl, skipHours and skipDays of an RSS feed."""
    head = body[:HEAD_BYTES]
    minutes = _TTL.search(head)
    hours = {int(hour) % 24 for hour in _each(_HOURS, _HOUR, head)}
    days = {_WEEK.index(day.lower()) for day in _each(_DAYS, _DAY, head) if day.lower() in _WEEK}
    return Told(
        max_age_s=_max_age_s(headers.get("cache-control", "")),
        ttl_s=60.0 * int(minutes[1]) if minutes else 0.0,
        retry_after_s=retry_after_s(headers, now) or 0.0,
        skip_hours=frozenset(hours),
        skip_days=frozenset(days),
    )


def _max_age_s(cache_control: str) -> float:
    value = cache_control[:1_000]
    matched = None if _UNCACHED.search(value) else _MAX_AGE.search(value)
    return float(matched[1]) if matched else 0.0


def _each(section: re.Pattern[bytes], item: re.Pattern[bytes], head: bytes) -> list[bytes]:
    found = section.search(head)
    return item.findall(found[1]) if found else []
