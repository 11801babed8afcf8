"""`thresher bench fields`."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import fmean
from typing import Any

import click

from thresher.cli import exits, output
from thresher.errors import UsageError
from thresher.lab.fields import Graded, Share, field_times, macro, run, shares
from thresher.lab.fields_finders import FINDERS, OURS
from thresher.lab.fields_gold import FIELDS, HALVES, load_gold, sample
from thresher.lab.fields_without import SOURCES, without
from thresher.lab.tables import table

TIMED_PAGES = 300  # at most, over which the fields alone are timed


@click.command("fields")
@click.argument("corpus", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@click.option("--peers", is_flag=True, help="Run the peers too.")
@click.option("--dataset", "datasets", multiple=True, help="Only pages of this dataset (repeatable).")
@click.option("--half", type=click.Choice(HALVES), help="Only the sites of one half; rules are developed on dev.")
@click.option("--limit", type=click.IntRange(min=1), help="Maximum number of pages of each dataset.")
@click.option(
    "--without",
    "sources",
    multiple=True,
    type=click.Choice([*SOURCES]),
    help="Remove this evidence first (repeatable).",
)
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write the tables and every answer.")
def command(**flags: Any) -> int:
    """Measure how often title, date and authors are correct on labelled pages, and how fast they are found.

    A CORPUS is a folder of *.jsonl.gz files. Titles and names are compared exactly but for case, white space, quotes
    and dashes, dates by day, authors as the set of people named, without titles, degrees and offices, and beside that
    as the set of strings written; each over the pages where it is labelled. An empty answer is wrong.
    """
    pages = list(load_gold(flags["corpus"], flags["datasets"], flags["half"]))
    if flags["limit"]:
        pages = sample(pages, flags["limit"])
    if not pages:
        raise UsageError("no page with a labelled title, date or author; name another corpus, dataset or half")
    pages = list(without(pages, flags["sources"]))
    finders = list(FINDERS) if flags["peers"] else [OURS]
    graded = run(pages, finders)
    by_dataset = shares(graded, lambda each: each.dataset)
    by_language = shares(graded, lambda each: each.language or "?")
    rows = [*by_dataset, *macro(by_dataset)]
    click.echo("\n".join([*_tables(rows, finders, "dataset"), *_tables(by_language, finders, "language")]))
    click.echo(_times(graded, finders))
    parse_s, fields_s = field_times(pages[:: 1 + len(pages) // TIMED_PAGES])
    click.echo(f"All fields alone: {1000 * fields_s:.2f} ms a page, {fields_s / parse_s:.2f} × lxml parsing it.")
    if flags["json_file"]:
        document = {"rows": [*map(asdict, rows), *map(asdict, by_language)], "pages": [*map(asdict, graded)]}
        with output.opened(flags["json_file"]) as stream:
            json.dump(document, stream, ensure_ascii=False, default=str)
    return exits.DONE


def _tables(rows: Sequence[Share], finders: Sequence[str], by: str) -> list[str]:
    """Lay out the share of right answers, a table for each field; ours with wrong and missing ones beside it."""
    parts = []
    for field in FIELDS:
        of = {(row.group, row.finder): row for row in rows if row.field == field}
        named = [name for name in finders if any(finder == name for _, finder in of)]
        lines = []
        for group in dict.fromkeys(group for group, _ in of):
            first = of[group, named[0]]
            cells = [f"{of[group, name].right:.3f}" for name in named]
            lines.append([f"{group} ({first.pages})", *cells, f"{first.wrong:.3f}", f"{first.missing:.3f}"])
        header = ["", *named, f"{named[0]} wrong", f"{named[0]} missing"] if named else [""]
        parts += [f"## {field} by {by}\n", table(header, lines)]
    return parts


def _times(graded: Sequence[Graded], finders: Sequence[str]) -> str:
    lines = []
    for name in finders:
        of = [each for each in graded if each.finder == name]
        errors = sum(bool(each.error) for each in of)
        lines.append([name, str(len(of)), str(errors), f"{1000 * fmean(each.cpu_s for each in of):.1f}"])
    return "## CPU time\n\n" + table(["", "pages", "errors", "ms/page"], lines)
