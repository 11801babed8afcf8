"""Rows for people, in columns, or for programs, as JSON, JSON lines or CSV."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TextIO

from rich.cells import cell_len

from thresher.cli.terminal import say, show_data
from thresher.cli.terminal import show as show_text
from thresher.export import csv_rows
from thresher.text import printable, squeeze

FORMATS = ("txt", "json", "jsonl", "csv")


def show(rows: Sequence[Mapping[str, Any]], format_: str, *, empty: str) -> None:
    """Print rows that have the same names; where there is none, say so to people."""
    if format_ == "json":
        show_data(json.dumps(list(rows), ensure_ascii=False, indent=2))
    elif format_ == "jsonl":
        for row in rows:
            show_data(json.dumps(row, ensure_ascii=False))
    elif format_ == "csv":
        for cells in ([list(rows[0])] if rows else []) + [list(map(_cell, row.values())) for row in rows]:
            show_data(csv_rows.row(cells).removesuffix("\r\n"))
    elif not rows:
        say(empty)
    else:
        for line in lines(rows):
            show_text(line)


def write(rows: Sequence[Mapping[str, Any]], format_: str, stream: TextIO, *, raw: bool = False) -> None:
    """Write rows that have the same names to a stream, as JSON or CSV."""
    if format_ == "json":
        stream.write(json.dumps(list(rows), ensure_ascii=False, indent=2) + "\n")
        return
    if rows:
        stream.write(csv_rows.row(rows[0]))
    stream.writelines(csv_rows.row(row.values(), raw=raw) for row in rows)


def lines(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield rows that have the same names as lines in columns, below a line with the names; nothing for none."""
    names = list(rows[0]) if rows else []
    cells = [[name.replace("_", " ") for name in names], *([_text(row[name]) for name in names] for row in rows)]
    widths = [max(cell_len(line[at]) for line in cells) for at in range(len(names))]
    for line in cells if rows else ():
        yield "  ".join(_padded(cell, width) for cell, width in zip(line, widths, strict=True)).rstrip()


def _cell(value: Any) -> Any:
    """Return a value as a cell of CSV holds it: several with a semicolon between."""
    if isinstance(value, Mapping):
        return "; ".join(f"{name}: {inner}" for name, inner in value.items())
    return "; ".join(str(_cell(inner)) for inner in value) if isinstance(value, list | tuple) else value


def _padded(cell: str, width: int) -> str:
    return cell + " " * (width - cell_len(cell))


def _text(value: Any) -> str:
    if value is None or value is False:
        return "-"
    if value is True:
        return "yes"
    if isinstance(value, list | tuple | Mapping):
        return squeeze(printable(str(_cell(value)))) or "-"
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else squeeze(printable(str(value)))
