"""Robots: a host's robots.txt as it was fetched."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Robots:
    """A host's robots.txt; `status` 0 means that the host did not answer."""

    origin: str  # scheme://host[:port]
    status: int
    body: bytes
    fetched_at: datetime
