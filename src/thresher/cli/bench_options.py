"""What the measurements on labelled pages share: their options, the pages these name, and the progress bar."""

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from thresher.cli.options import settings
from thresher.lab import corpora
from thresher.lab.evaluate import Options, Result
from thresher.lab.metrics.registry import METRICS, metric_named
from thresher.lab.pages import LabelledPage

LINE_EVERY_S = 10.0
F = TypeVar("F", bound=Callable[..., Any])


def corpus_options(function: F) -> F:
    """Add the corpora, and what chooses pages from them."""
    for decorate in (
        click.argument("corpus", nargs=-1, required=True, type=click.Path(path_type=Path)),
        click.option("--dataset", "datasets", multiple=True, help="Only pages of this dataset (repeatable)."),
        click.option("--limit", type=click.IntRange(min=1), help="Maximum number of pages of each dataset."),
        click.option("--cache", type=click.Path(path_type=Path), help="Folder for cached results (default DATA/lab)."),
    ):
        function = decorate(function)
    return function


def run_options(function: F) -> F:
    """Add what says how to measure."""
    for decorate in (
        click.option("--metrics", default=",".join(METRICS), show_default=True, help="Names, separated by commas."),
        click.option("--no-headline", is_flag=True, help="Drop the headline from both sides before comparing."),
        click.option("--jobs", type=click.IntRange(min=1), default=os.cpu_count() or 1, help="Processes."),
        click.option("--timeout", "timeout_s", type=float, default=60.0, show_default=True, help="Seconds per page."),
    ):
        function = decorate(function)
    return function


def read_options(ctx: click.Context, cache: Path | None, flags: dict[str, Any]) -> Options:
    """Turn the flags of `run_options` into Options; raise UsageError for a metric that there is not."""
    metrics = tuple(name.strip() for name in flags["metrics"].split(",") if name.strip())
    for name in metrics:
        metric_named(name)
    return Options(
        metrics=metrics,
        no_headline=flags["no_headline"],
        jobs=flags["jobs"],
        timeout_s=flags["timeout_s"],
        cache_folder=cache_folder(ctx, cache),
    )


def cache_folder(ctx: click.Context, cache: Path | None) -> Path:
    """Return --cache, or the laboratory's place in the data folder."""
    return cache or Path(settings(ctx).data) / "lab"


class Pages:
    """The pages that the options name; they can be read more than once."""

    def __init__(self, corpus: tuple[Path, ...], datasets: tuple[str, ...], limit: int | None) -> None:
        self._corpus = corpus
        self._datasets = datasets
        self._limit = limit
        self._sample: list[LabelledPage] | None = None

    def __iter__(self) -> Iterator[LabelledPage]:
        if self._limit is None:
            return self._read()
        if self._sample is None:
            self._sample = corpora.sample(self._read(), self._limit)
        return iter(self._sample)

    def _read(self) -> Iterator[LabelledPage]:
        return corpora.select(chain.from_iterable(corpora.load(path) for path in self._corpus), self._datasets)


class Meter:
    """Counts results on standard error: a bar on a terminal, a line every ten seconds elsewhere."""

    def __init__(self, pages: Iterable[LabelledPage], extractors: int) -> None:
        self._done = self._errors = 0
        self._spoke_at_s = time.monotonic()
        self._bar: Progress | None = None
        if sys.stderr.isatty():
            columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
            self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
            self._task = self._bar.add_task("", total=extractors * sum(1 for _ in pages))

    def open(self) -> AbstractContextManager[Any]:
        """Return what must be entered while pages are run."""
        return self._bar or nullcontext()

    def heard(self, result: Result) -> None:
        """Count a result."""
        self._done += 1
        self._errors += bool(result.error)
        if self._bar:
            self._bar.update(self._task, advance=1, description=f"{result.dataset} {result.extractor}")
        elif time.monotonic() - self._spoke_at_s >= LINE_EVERY_S:
            self._spoke_at_s = time.monotonic()
            click.echo(f"{self._done} results, {self._errors} errors, now {result.dataset}", err=True)
