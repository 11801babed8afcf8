"""Progress of work, a crawl above all: a bar on a terminal, a line every ten seconds in a pipe, JSON lines, nothing."""

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

from thresher.cli.options import STYLES
from thresher.cli.terminal import counted, say
from thresher.crawling.landing import Landing
from thresher.crawling.reasons import meaning_of
from thresher.frontier.contract import Census
from thresher.model import Outcome
from thresher.text import printable
from thresher.urls.secrets import masked_text

LINE_EVERY_S = 10.0
JSON_EVERY_S = 1.0
__all__ = ["STYLES", "Counts", "Display", "Meter"]
Words = Callable[[dict[str, Any], str], str]  # figures, and what is put between the two lines that they make


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
        self.last_title = landing.document.title if landing.document else self.last_title

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


class Display:
    """Shows how far something has come, in one of STYLES, while it is open."""

    def __init__(self, style: str, total: int | None) -> None:
        tty = sys.stderr.isatty()
        self._style = ("bar" if tty else "lines") if style == "auto" else style
        self._bar = _bar() if self._style == "bar" else None
        self._task = self._bar.add_task("", total=total, view="") if self._bar else None
        self._spoke_at = time.monotonic()

    def open(self) -> AbstractContextManager[Any]:
        """Return what must be entered while the work goes on."""
        return self._bar if self._bar else nullcontext()

    def show(self, view: dict[str, Any], words: Words, *, done: int, total: int | None) -> None:
        """Show the figures: beside the bar, or from time to time as a line."""
        if self._bar and self._task is not None:
            self._bar.update(self._task, completed=done, total=total, view=words(view, "\n"))
        elif self._style == "lines":
            self._speak(LINE_EVERY_S, words(view, ", "))
        elif self._style == "json":
            self._speak(JSON_EVERY_S, json.dumps(view, ensure_ascii=False))

    def say(self, words: str) -> None:
        """Say something beside the figures, whatever the style."""
        if self._bar:
            self._bar.console.print(printable(masked_text(words)), markup=False, highlight=False, soft_wrap=True)
        else:
            _echo(words)

    def remark(self, words: str) -> None:
        """Say something to people who watch."""
        if self._style in ("bar", "lines"):
            self.say(words)

    def _speak(self, every_s: float, line: str) -> None:
        if time.monotonic() - self._spoke_at >= every_s:
            self._spoke_at = time.monotonic()
            _echo(line)


class Meter:
    """Shows the counts of a crawl."""

    def __init__(self, style: str, limit: int | None) -> None:
        self._counts = Counts(started=time.monotonic())
        self._limit = limit
        self._display = Display(style, limit)

    def open(self) -> AbstractContextManager[Any]:
        """Return what must be entered while the crawl runs."""
        return self._display.open()

    def landed(self, landing: Landing) -> None:
        """Show one more landing."""
        self._counts.landed(landing)
        end = landing.settlement
        link = end.lease.link
        if link.why == "start" and end.outcome is Outcome.RETRY and end.counted and not end.lease.attempts:
            why = meaning_of(end.reason) or end.reason
            self._display.remark(f"{link.url} could not be fetched: {why}; trying again")
        self._show()

    def counted(self, census: Census) -> None:
        """Show how many links are left."""
        self._counts.left = census.pending + census.delayed + census.leased
        self._show()

    def draining(self) -> None:
        """Say that what is in flight is being finished."""
        self._display.remark("finishing the requests in flight; press Ctrl-C again to stop at once")

    def _show(self) -> None:
        total = self._limit or self._counts.pages + self._counts.left
        self._display.show(self._counts.view(self._limit), _words, done=self._counts.pages, total=total)


def _echo(line: str) -> None:
    """Print a line; where nobody reads it, or the disk of the log is full, the crawl goes on without."""
    with suppress(OSError):
        say(line)


def _bar() -> Progress:
    width = Column(ratio=1, no_wrap=True, overflow="ellipsis")
    text = TextColumn("{task.fields[view]}", markup=False, table_column=width)
    columns = (BarColumn(bar_width=20), text, TimeElapsedColumn())
    return Progress(*columns, console=Console(stderr=True), refresh_per_second=4, transient=True, expand=True)


def _words(view: dict[str, Any], between: str) -> str:
    eta = f", {view['eta_s']} s left" if view["eta_s"] is not None else ""
    found = f"{counted(view['documents'], 'document')}, {view['skipped']} skipped, {counted(view['errors'], 'error')}"
    pages = f"{counted(view['pages'], 'page')}, {view['per_s']}/s{eta}, {view['queued']} queued"
    return f"{pages}{between}{found}  {view['last']}"
