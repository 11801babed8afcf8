"""Run and Fate: one crawl, and what became of each URL in it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any


class RunState(StrEnum):
    """Where a run stands."""

    RUNNING = "running"
    INTERRUPTED = "interrupted"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class Run:
    """One crawl: its starts, the options it was given, and where it stands."""

    id: int
    starts: tuple[str, ...]
    options: Mapping[str, Any]  # plain JSON data
    state: RunState
    started_at: datetime
    finished_at: datetime | None = None

    @property
    def job(self) -> str:
        """The key space of this run in the frontier."""
        return f"run-{self.id}"


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of one URL in one run, and why."""

    url: str
    run: int
    state: str  # stored, skipped, buried; refused: never offered to the frontier
    reason: str  # a short fixed word, e.g. "article", "redirected", "off-host", "http-404"
    at: datetime
    detail: str = ""
    status: int | None = None
    found_on: str | None = None
