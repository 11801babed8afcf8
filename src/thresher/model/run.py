"""Run, Fate and Visit: one crawl, what became of each URL in it, and what is stored of those it asked for."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from thresher.model.page import Page

WATCH = "watch"  # the job of all links that are followed for ever


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
    def is_watch(self) -> bool:
        """True for the one run of `thresher watch`, which is never over."""
        return self.job == WATCH

    @property
    def job(self) -> str:
        """The key space of this run in the frontier."""
        return str(self.options.get("job") or f"run-{self.id}")


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


@dataclass(frozen=True, slots=True)
class Visit:
    """One URL of a run that was not refused: its fate, and what is stored of it now."""

    fate: Fate
    page: Page | None = None  # None: there is none, or only the rest was asked for
    page_run: int | None = None  # the run that fetched the page last; a later one may have replaced what this run saw
    outlinks: int = 0  # links found on the page
    title: str = ""  # of the stored document (of a page of a thread, the thread); empty, like the rest, without one
    kind: str | None = None
    language: str | None = None
    published: datetime | None = None
    length: int | None = None  # characters of the main text
    first_seen: datetime | None = None
