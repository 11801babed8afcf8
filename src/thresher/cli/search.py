"""`thresher search`: find what was collected."""

import csv
import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TextIO

import click

from thresher import wiring
from thresher.cli import exits, output
from thresher.cli.options import places_in, server_options, settings
from thresher.config import colour_wanted
from thresher.index.query import parse
from thresher.model import Hit, HitPage

FILTERS = {"site": "site", "lang": "lang", "kind": "is"}
FORMATS = ("txt", "json", "jsonl", "csv")
FIELDS = ("url", "title", "published", "site", "kind", "language", "authors", "snippet", "score")


@click.command("search")
@click.argument("words", nargs=-1, metavar="QUERY...")
@click.option("--since", help="Published on or after this day (2026-11-01).")
@click.option("--until", help="Published on or before this day.")
@click.option("--site", help="Only this site and its subdomains.")
@click.option("--lang", help="Only this language, e.g. zh.")
@click.option("--kind", type=click.Choice(["article", "thread"]), help="Only documents of this kind.")
@click.option("--sort", type=click.Choice(["relevance", "date"]), default="relevance", show_default=True)
@click.option("--limit", type=click.IntRange(min=1), default=10, show_default=True)
@click.option("--offset", type=click.IntRange(min=0), default=0)
@click.option("--count", is_flag=True, help="Print only how many documents match.")
@click.option("--fail-empty", is_flag=True, help="Exit with 4 when nothing matches.")
@click.option("-f", "--format", "format_", type=click.Choice(FORMATS), default="txt", show_default=True)
@click.option("-o", "--output", "path", type=click.Path(path_type=Path), help="Write to a file.")
@server_options
@click.pass_context
def command(ctx: click.Context, /, words: tuple[str, ...], path: Path | None, **flags: Any) -> int:
    """Search what was collected.

    Bare words must all occur; OR or | between alternatives; -word or !word excludes (as the first word: !word); "a
    phrase"; parentheses; fields such as title: author: site: lang: date:7d is:article. Without a query everything
    matches.
    """
    chosen = settings(ctx, **places_in(flags))
    corpus = wiring.open_corpus(chosen, create=False)
    try:
        query = parse(_query(words, flags), datetime.now(UTC))
        found = corpus.index.search(query, limit=flags["limit"], offset=flags["offset"], sort=flags["sort"])
        note = wiring.search_note(chosen, corpus.index.count())
    finally:
        corpus.close()
    with output.opened(path) as stream:
        if flags["count"]:
            stream.write(f"{found.total}\n")
        else:
            _write(found, flags["format_"], stream)
    if note:
        click.echo(note, err=True)
    return exits.EMPTY if flags["fail_empty"] and not found.total else exits.DONE


def _query(words: tuple[str, ...], flags: dict[str, Any]) -> str:
    """Put the words and the filters of the flags into one query."""
    filters = [f"{field}:{flags[name]}" for name, field in FILTERS.items() if flags[name]]
    if flags["since"] or flags["until"]:
        filters.append(f"date:{flags['since'] or ''}..{flags['until'] or ''}")
    typed = " ".join(words)
    return " ".join([f"({typed})", *filters]) if filters and typed.strip() else typed or " ".join(filters)


def _write(found: HitPage, format_: str, stream: TextIO) -> None:
    if format_ == "txt":
        show(found, stream)
    elif format_ == "csv":
        rows = csv.DictWriter(stream, FIELDS)
        rows.writeheader()
        rows.writerows(_values(hit) | {"authors": "; ".join(hit.authors)} for hit in found.hits)
    elif format_ == "jsonl":
        stream.writelines(json.dumps(_values(hit), ensure_ascii=False) + "\n" for hit in found.hits)
    else:
        hits = [_values(hit) for hit in found.hits]
        stream.write(json.dumps({"total": found.total, "hits": hits}, ensure_ascii=False, indent=2) + "\n")


def show(found: HitPage, stream: TextIO | None = None) -> None:
    """Print hits for a person to read."""
    stream = stream or sys.stdout
    for hit in found.hits:
        stream.write(_text(hit, colour=stream.isatty() and colour_wanted()) + "\n\n")
    stream.flush()
    click.echo(f"{len(found.hits)} of {found.total} documents", err=True)


def _values(hit: Hit) -> dict[str, Any]:
    values = {name: getattr(hit, name) for name in FIELDS}
    return values | {"published": hit.published.isoformat() if hit.published else None, "authors": list(hit.authors)}


def _text(hit: Hit, *, colour: bool) -> str:
    """Title, address and snippet; matches bold on a terminal, in [brackets] elsewhere."""
    before, after = ("\x1b[1m", "\x1b[0m") if colour else ("[", "]")
    snippet = hit.snippet
    for start, end in reversed(hit.marks):
        snippet = snippet[:start] + before + snippet[start:end] + after + snippet[end:]
    day = f"{hit.published:%Y-%m-%d}  " if hit.published else ""
    return f"{hit.title}\n  {day}{hit.url}\n  {' '.join(snippet.split())}"
