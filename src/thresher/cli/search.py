"""`thresher search`: find what was collected."""

import json
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TextIO

import click
from rich.console import Console
from rich.text import Text

from thresher import wiring
from thresher.api.corpus import Corpus
from thresher.cli import exits, output
from thresher.cli.options import csv_option, filter_options, places_in, query_of, server_options, settings
from thresher.cli.terminal import counted, for_data, say
from thresher.config import colour_wanted
from thresher.errors import UsageError
from thresher.export import csv_rows
from thresher.model import Document, Hit, HitPage
from thresher.text import printable

FORMATS = ("txt", "json", "jsonl", "csv")
FIELDS = ("url", "title", "published", "site", "kind", "language", "authors", "snippet", "score", "copies")
INDENT = 2  # columns before the address and the passage, on a terminal


@click.command("search")
@click.argument("words", nargs=-1, metavar="QUERY...")
@filter_options
@click.option("--sort", type=click.Choice(["relevance", "date"]), default="relevance", show_default=True)
@click.option("--limit", type=click.IntRange(min=1), default=10, show_default=True)
@click.option("--offset", type=click.IntRange(min=0), default=0)
@click.option("--count", is_flag=True, help="Print only the number of matching documents.")
@click.option("--full", is_flag=True, help="With -f json, jsonl or csv: add the whole text and all fields of each hit.")
@click.option("--fail-empty", is_flag=True, help="Exit with 4 when nothing matches.")
@click.option("-f", "--format", "format_", type=click.Choice(FORMATS), default="txt", show_default=True)
@click.option("-o", "--output", "path", type=click.Path(path_type=Path), help="Write to a file.")
@csv_option
@server_options
@click.pass_context
def command(ctx: click.Context, /, words: tuple[str, ...], path: Path | None, **flags: Any) -> int:
    """Search the stored documents.

    All words must occur. Use OR or | for alternatives, -word or !word to exclude (!word if it comes first), "quotes"
    for a phrase, parentheses for groups, and fields such as title: author: site: lang: date:7d is:article. Without a
    query, everything matches. `thresher export` writes all matches, however many.
    """
    if flags["full"] and flags["format_"] == "txt":
        raise UsageError("--full needs -f json, jsonl or csv; `thresher show URL` prints one document")
    chosen = settings(ctx, **places_in(flags))
    parts = wiring.open_corpus(chosen, create=False)
    with Corpus(parts) as corpus:
        how = {name: flags[name] for name in ("limit", "offset", "sort")}
        found = corpus.search(query_of(words, flags), **how)
        note = wiring.search_note(chosen, parts.index.count())
        with output.opened(path) as stream:
            if flags["count"]:
                stream.write(f"{found.total}\n")
            elif flags["format_"] == "txt":
                show(found, stream)
            else:
                _write(found, corpus, stream, flags)
    if note:
        say(note)
    return exits.EMPTY if flags["fail_empty"] and not found.total else exits.DONE


def _write(found: HitPage, corpus: Corpus, stream: TextIO, flags: dict[str, Any]) -> None:
    """Write hits for programs; with --full each with its document, one document in memory at a time."""
    stream = for_data(stream)
    full: bool = flags["full"]
    if flags["format_"] == "csv":
        stream.write(csv_rows.row((*FIELDS, "text") if full else FIELDS))
        for hit in found:
            cells = [*_values(hit).values(), *([_document(corpus, hit).text] if full else [])]
            stream.write(csv_rows.row(map(_joined, cells), raw=flags["raw_csv"]))
        return
    rows = (_full_values(_document(corpus, hit), hit) if full else _values(hit) for hit in found)
    if flags["format_"] == "jsonl":
        stream.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    else:
        stream.write(json.dumps({"total": found.total, "hits": list(rows)}, ensure_ascii=False, indent=2) + "\n")


def _values(hit: Hit) -> dict[str, Any]:
    values = {name: getattr(hit, name) for name in FIELDS}
    return values | {"published": hit.published.isoformat() if hit.published else None, "authors": list(hit.authors)}


def _full_values(document: Document, hit: Hit) -> dict[str, Any]:
    return document.to_dict() | {"snippet": hit.snippet, "score": hit.score, "copies": hit.copies}


def _document(corpus: Corpus, hit: Hit) -> Document:
    document = corpus.get(hit.url)
    if document is None:
        raise UsageError(f"{hit.url} is in the index but not in the store; `thresher reindex --rebuild` repairs that")
    return document


def _joined(value: object) -> object:
    return "; ".join(value) if isinstance(value, list) else value


def show(found: HitPage, stream: TextIO | None = None) -> None:
    """Print hits for a person to read: wrapped and in bold type on a terminal, three plain lines each elsewhere."""
    stream = stream or sys.stdout
    if stream.isatty():
        show_on_terminal(found, Console(file=stream, highlight=False, no_color=not colour_wanted()))
    else:
        stream.writelines(_plain(hit) + "\n\n" for hit in found)
    stream.flush()
    say(f"{len(found)} of {counted(found.total, 'document')}")


def show_on_terminal(found: Iterable[Hit], console: Console) -> None:
    """Print hits to a terminal: the title in bold type, the rest indented and wrapped to its width, matches marked."""
    for hit in found:
        console.print(Text(_line(hit.title) or "(no title)", style="bold"))
        # Left to the terminal to wrap: a URL in pieces cannot be clicked on.
        address = Text.assemble(" " * INDENT, (_day(hit), "cyan"), (_line(hit.url), "dim"), (_copies(hit), "cyan"))
        console.print(address, soft_wrap=True)
        for line in _passage(hit).wrap(console, console.width - INDENT):
            console.print(Text(" " * INDENT).append_text(line))
        console.print()


def _passage(hit: Hit) -> Text:
    """Return the passage with its matches in bold type; the pieces between are made one line each."""
    passage, end_before = Text(overflow="fold"), 0
    for start, end in (*hit.marks, (len(hit.snippet), len(hit.snippet))):
        passage.append(_spaced(hit.snippet[end_before:start]))
        passage.append(_spaced(hit.snippet[start:end]), style="bold yellow")
        end_before = end
    return passage


def _plain(hit: Hit) -> str:
    """Title, address and passage, each in a line; matches in [brackets]."""
    passage = hit.snippet
    for start, end in reversed(hit.marks):
        passage = f"{passage[:start]}[{passage[start:end]}]{passage[end:]}"
    return f"{_line(hit.title)}\n  {_day(hit)}{_line(hit.url)}{_copies(hit)}\n  {_line(passage)}"


def _day(hit: Hit) -> str:
    return f"{hit.published:%Y-%m-%d}  " if hit.published else ""


def _copies(hit: Hit) -> str:
    """Say how many other documents have the same text."""
    if not hit.copies:
        return ""
    return "  +1 copy" if hit.copies == 1 else f"  +{hit.copies} copies"


def _line(text: str) -> str:
    return " ".join(printable(text).split())


def _spaced(text: str) -> str:
    """Return a piece of a line: runs of white space, line ends among them, as one space."""
    return re.sub(r"\s+", " ", printable(text))
