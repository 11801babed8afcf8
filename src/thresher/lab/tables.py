"""Rows as Markdown and CSV."""

import csv
import io
from collections.abc import Callable, Sequence

from thresher.lab.metrics.registry import METRICS
from thresher.lab.summary import MACRO, Row

_SHORT = {"precision": "P", "recall": "R", "f1": "F1", "score": "Score"}
_CSV_START = ("by", "group", "extractor", "pages", "errors", "ms_per_page", "times_fastest_peer")


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table; the first column is text, the others are figures."""
    lines = [header, ["---", *["---:"] * (len(header) - 1)], *rows]
    return "".join(f"| {' | '.join(cell.replace('|', '/') for cell in line)} |\n" for line in lines)


def overview(rows: Sequence[Row], figure: str | None = None) -> str:
    """Return one table with every value of every metric, a line for each extractor of one group.

    `figure` is one of the algorithm's own to show as well, such as blocks, averaged over the pages.
    """
    columns = [(name, key) for name in METRICS for key in _keys(rows, name)]
    header = ["", "pages", "errors", *(f"{name} {_SHORT.get(key, key)}" for name, key in columns)]
    header += [*([figure] if figure else []), "ms/page", "× fastest peer"]
    lines = []
    for row in rows:
        values = [_share(row.values[name].get(key)) if name in row.values else "" for name, key in columns]
        values += [f"{row.counts.get(figure, 0.0):.1f}"] if figure else []
        lines.append([row.extractor, str(row.pages), str(row.errors), *values, _ms(row), _times(row)])
    return table(header, lines)


def matrix(rows: Sequence[Row], metric: str, min_pages: int = 1) -> str:
    """Return a metric's chief value, a line for each group of enough pages and a column for each extractor."""
    chief = METRICS[metric].chief
    return _matrix(rows, lambda row: _value(row, metric, chief), min_pages, best=True)


def times(rows: Sequence[Row], min_pages: int = 1) -> str:
    """Return milliseconds per page (and how many times the fastest peer's), laid out as in `matrix`."""
    return _matrix(rows, lambda row: f"{_ms(row)} ({_times(row)})" if _times(row) else _ms(row), min_pages)


def to_csv(rows: Sequence[Row]) -> str:
    """Return all rows, a line for each metric."""
    stream = io.StringIO()
    lines = csv.writer(stream, lineterminator="\n")
    keys = list(dict.fromkeys(key for row in rows for values in row.values.values() for key in values))
    lines.writerow(
        ["by", "group", "extractor", "pages", "errors", "ms_per_page", "times_fastest_peer", "metric", *keys]
    )
    for row in rows:
        ratio = f"{row.times_fastest:.2f}" if row.times_fastest is not None else ""
        start = [row.by, row.group, row.extractor, row.pages, row.errors, f"{row.ms_per_page:.3f}", ratio]
        for metric, values in row.values.items():
            cells = [f"{values[key]:.4f}" if key in values else "" for key in keys]
            lines.writerow([*start, metric, *cells])
    return stream.getvalue()


def _matrix(rows: Sequence[Row], cell: Callable[[Row], str], min_pages: int, best: bool = False) -> str:
    extractors = list(dict.fromkeys(row.extractor for row in rows))
    groups = {row.group: row.pages for row in rows if row.pages >= min_pages}
    cells = {(row.group, row.extractor): cell(row) for row in rows}
    lines = []
    for group, pages in groups.items():
        line = [cells.get((group, extractor), "") for extractor in extractors]
        name = "**macro**" if group == MACRO else f"{group} ({pages})"
        lines.append([name, *(_with_best_bold(line) if best else line)])
    return table(["", *extractors], lines)


def _with_best_bold(line: Sequence[str]) -> list[str]:
    top = max(line) if len(set(line)) > 1 else ""
    return [f"**{cell}**" if cell and cell == top else cell for cell in line]


def _keys(rows: Sequence[Row], metric: str) -> list[str]:
    return list(dict.fromkeys(key for row in rows for key in row.values.get(metric, ())))


def _value(row: Row, metric: str, key: str) -> str:
    return _share(row.values[metric].get(key)) if metric in row.values else ""


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _ms(row: Row) -> str:
    return f"{row.ms_per_page:.1f}"


def _times(row: Row) -> str:
    return f"{row.times_fastest:.1f}" if row.times_fastest is not None else ""
