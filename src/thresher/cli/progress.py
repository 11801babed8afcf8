"""Progress of a crawl: a bar on a terminal, a line every ten seconds in a pipe, JSON lines, or nothing."""

import json
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Column

from thresher.cli.terminal import counted, say
from thresher.crawling.landing import Landing
from thresher.frontier.contract import Census
from thresher.model import Outcome
from thresher.text import printable, squeeze

LINE_EVERY_S = 10.0
JSON_EVERY_S = 1.0
STYLES = ("auto", "bar", "lines", "json", "none")


@dataclass
class Counts:
    """What has happened since the command was started."""

    pages: int = 0
    documents: int = 0
    skipped: int = 0
    errors: int = 0
    left: int = 0
    last_title: str = ""
    started: float = 0.0

    def landed(self, landing: Landing) -> None:
        """Count one landing."""
        self.pages += landing.settlement.fetched
        self.documents += landing.document is not None and not landing.is_part
        failed = landing.settlement.outcome is not Outcome.DONE
        self.errors += failed and landing.settlement.counted
        self.skipped += landing.fate is not None and landing.fate.state == "skipped"
        if landing.document:
            self.last_title = squeeze(printable(landing.document.title))

    def view(self, limit: int | None) -> dict[str, Any]:
        """Return the figures that are shown: rate, expected time left, counts, last title."""
        seconds = max(time.monotonic() - self.started, 1e-6)
        rate = self.pages / seconds
        left = min(self.left, max(limit - self.pages, 0)) if limit is not None else self.left
        return {
            "pages": self.pages,
            "per_s": round(rate, 1),
            "eta_s": round(left / rate) or None if rate else None,
            "documents": self.documents,
            "skipped": self.skipped,
            "errors": self.errors,
            "queued": self.left,
            "last": self.last_title[:60],
        }


class Meter:
    """Shows counts in one of STYLES while it is open."""

    def __init__(self, style: str, limit: int | None) -> None:
        self._counts = Counts(started=time.monotonic())
        self._limit = limit
        tty = sys.stderr.isatty()
        self._style = ("bar" if tty else "lines") if style == "auto" else style
        self._bar = _bar() if self._style == "bar" else None
        self._task = self._bar.add_task("crawl", total=limit, view="") if self._bar else None
        self._spoke_at = time.monotonic()

    def open(self) -> AbstractContextManager[Any]:
        """Return what must be entered while the crawl runs."""
        return self._bar if self._bar else nullcontext()

    def landed(self, landing: Landing) -> None:
        """Show one more landing."""
        self._counts.landed(landing)
        self._show()

    def counted(self, census: Census) -> None:
        """Show how many links are left."""
        self._counts.left = census.pending + census.delayed + census.leased
        self._show()

    def draining(self) -> None:
        """Say that what is in flight is being finished."""
        words = "finishing what is in flight; Ctrl-C again stops at once"
        if self._bar:
            self._bar.console.print(words)
        elif self._style == "lines":
            _echo(words)

    def _show(self) -> None:
        if self._bar and self._task is not None:
            total = self._limit or self._counts.pages + self._counts.left
            view = _two_lines(self._counts.view(self._limit))
            self._bar.update(self._task, completed=self._counts.pages, total=total, view=view)
        elif self._style == "lines":
            self._say(LINE_EVERY_S, _sentence)
        elif self._style == "json":
            self._say(JSON_EVERY_S, lambda view: json.dumps(view, ensure_ascii=False))

    def _say(self, every_s: float, words: Callable[[dict[str, Any]], str]) -> None:
        if time.monotonic() - self._spoke_at >= every_s:
            self._spoke_at = time.monotonic()
            _echo(words(self._counts.view(self._limit)))


def _echo(line: str) -> None:
    """Print a line; where nobody reads it, or the disk of the log is full, the crawl goes on without."""
    with suppress(OSError):
        say(line)


def _bar() -> Progress:
    width = Column(ratio=1, no_wrap=True, overflow="ellipsis")
    text = TextColumn("{task.fields[view]}", markup=False, table_column=width)
    columns = (BarColumn(bar_width=20), text, TimeElapsedColumn())
    return Progress(*columns, console=Console(stderr=True), refresh_per_second=4, transient=True, expand=True)


def _two_lines(view: dict[str, Any]) -> str:
    eta = f", {view['eta_s']} s left" if view["eta_s"] is not None else ""
    return (
        f"{counted(view['pages'], 'page')}, {view['per_s']}/s{eta}; {view['queued']} queued\n"
        f"{_found(view)}  {view['last']}"
    )


def _sentence(view: dict[str, Any]) -> str:
    eta = f", {view['eta_s']} s left" if view["eta_s"] is not None else ""
    return (
        f"{counted(view['pages'], 'page')} ({view['per_s']}/s{eta}), {_found(view)}, "
        f"{view['queued']} queued  {view['last']}"
    )


def _found(view: dict[str, Any]) -> str:
    return f"{counted(view['documents'], 'document')}, {view['skipped']} skipped, {counted(view['errors'], 'error')}"
