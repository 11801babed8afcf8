"""The report of a run, read from a corpus: its numbers, its pages one by one, and the HTML file with both."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, TextIO, TypeVar
from urllib.parse import quote

import click

from thresher.analysis import report_page
from thresher.analysis.report import FIELDS, THREAD_PAGE, Summary, facts_of
from thresher.api.runs import WORDS, page_facts, summary_of
from thresher.cli import output
from thresher.cli.terminal import counted, say
from thresher.crawling.corpus import Corpus
from thresher.errors import UsageError
from thresher.export import csv_rows
from thresher.export.files import new_folder
from thresher.model import Document, Run, Visit

F = TypeVar("F", bound=Callable[..., Any])
SHOWN_POSTS = 50  # of a thread, in its cleaned version


def report_option(function: F) -> F:
    """Add --report."""
    kind = click.Path(path_type=Path, dir_okay=False)
    return click.option("--report", type=kind, help="Write what the run did to this HTML file.")(function)


def check_report(flags: dict[str, Any]) -> None:
    """Raise UsageError where --report cannot be written in the end, before anything is fetched."""
    path: Path | None = flags["report"]
    if path and (flags["dry_run"] or flags["enqueue"]):
        raise UsageError("--report is written when the crawl is over: leave --dry-run and --enqueue out")
    if path and not path.resolve().parent.is_dir():
        raise UsageError(f"--report: there is no folder {path.parent}")


def write_csv(facts: Iterable[dict[str, Any]], stream: TextIO, *, raw: bool = False) -> None:
    """Write pages as CSV."""
    stream.write(csv_rows.row(FIELDS))
    for each in facts:
        stream.write(csv_rows.row(each.values(), raw=raw))


def write_report(corpus: Corpus, run: Run, path: Path, *, with_pages: bool = False) -> None:
    """Write the report to a file, and beside it what does not fit: all pages as CSV, their versions in a folder.

    Everything is put in place when it is complete. Raises UsageError where the folder exists.
    """
    summary = summary_of(corpus, run)
    table = path.with_suffix(".csv") if summary.pages > report_page.MAX_ROWS else None
    folder = path.with_name(f"{path.stem}-pages") if with_pages else None
    if folder:
        with new_folder(folder) as place:
            _write_html(corpus, summary, path, table, _Files(corpus, place, folder.name))
    else:
        _write_html(corpus, summary, path, table, _Inside(corpus))
    say(f"report of run {run.id}: {path}")
    if table:
        with output.opened(table) as stream:
            write_csv(page_facts(corpus, run), stream)
        say(f"all {counted(summary.pages, 'page')}: {table}")
    if folder:
        say(f"cached and cleaned pages: {folder}")


def _write_html(corpus: Corpus, summary: Summary, path: Path, table: Path | None, versions: "_Inside | _Files") -> None:
    rows = report_page.MAX_ROWS
    note = f"The first {rows:,} of {summary.pages:,} pages; all of them are in {table.name}." if table else ""
    with output.opened(path) as stream:
        stream.writelines(report_page.opening(summary, WORDS, note))
        for number, visit in enumerate(islice(corpus.store.visits(summary.run.id), rows), start=1):
            stream.write(report_page.row(number, facts_of(visit, summary.run), versions.of(number, visit)))
        stream.write(report_page.closing(summary))


class _Inside:
    """Puts versions of pages into the report itself, as long as there is room."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._room = report_page.MAX_EMBEDDED

    def of(self, number: int, visit: Visit) -> list[str]:
        """Return the cleaned and the cached version of a page."""
        document = _document(self._corpus, visit)
        found = []
        if document:
            found.append(self._fitting(report_page.inside_cleaned(document), "cleaned"))
        if visit.page:
            found.append(self._fitting(report_page.inside_cached(visit.page), "cached"))
        return [each for each in found if each]

    def _fitting(self, version: str, name: str) -> str:
        if len(version) > self._room:
            return report_page.left_out(f"{name}: no room here, use --with-pages")
        self._room -= len(version)
        return version


class _Files:
    """Writes versions of pages into a folder beside the report."""

    def __init__(self, corpus: Corpus, place: Path, name: str) -> None:
        self._corpus, self._place, self._name = corpus, place, name

    def of(self, number: int, visit: Visit) -> list[str]:
        """Return links to the cleaned and the cached version of a page."""
        document = _document(self._corpus, visit)
        versions = {
            "cleaned": report_page.cleaned_file(document) if document else "",
            "cached": report_page.cached_file(visit.page) if visit.page else "",
        }
        return [self._written(f"{number:06}-{name}.html", name, text) for name, text in versions.items() if text]

    def _written(self, file: str, name: str, text: str) -> str:
        (self._place / file).write_text(text, "utf-8")
        return report_page.version_link(f"{quote(self._name)}/{file}", name)


def _document(corpus: Corpus, visit: Visit) -> Document | None:
    """Return the document of a page, of a thread with its first posts; None for a page that has none of its own."""
    if visit.kind is None or visit.fate.reason == THREAD_PAGE:
        return None
    document = corpus.store.document(visit.fate.url, posts=False)
    return replace(document, posts=tuple(islice(corpus.store.posts(visit.fate.url), SHOWN_POSTS))) if document else None
