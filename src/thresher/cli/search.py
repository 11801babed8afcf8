"""`thresher search`: find what was collected."""

import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
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
from thresher.model import ClauseCount, Document, Facets, Hit, HitPage, Passage
from thresher.text import printable

FORMATS = ("txt", "json", "jsonl", "csv")
_OF_COPIES = ("copies", "copy_sites", "original")
_OF_POSTS = ("posts", "post_count", "document_url", "position")
_OF_DOCUMENTS = ("url", "title", "published", "site", "kind", "language", "authors", "snippet", "score")
FIELDS = (*_OF_DOCUMENTS, *_OF_COPIES, "seen", *_OF_POSTS)
POSTS = 3  # of a document that are shown to a person
BAR = 40  # columns of the longest bar of a histogram
Groups = Mapping[str, Sequence[str]]  # URL of a hit → those of its copies
NO_GROUPS: Groups = {}
INDENT = 2  # columns before the address and the passage, on a terminal


@click.command("search")
@click.argument("words", nargs=-1, metavar="QUERY...")
@filter_options
@click.option("--sort", type=click.Choice(["relevance", "date", "seen"]), default="relevance", show_default=True)
@click.option("--limit", type=click.IntRange(min=1), default=10, show_default=True)
@click.option("--offset", type=click.IntRange(min=0), default=0)
@click.option("--after", metavar="TOKEN", help="Continue after the page that ended with this token; no depth limit.")
@click.option("--passages", type=click.IntRange(1, 10), default=1, help="Best passages shown of each hit (default 1).")
@click.option("--group", is_flag=True, help="Also list the copies of each hit, the first one published in front.")
@click.option("--facets", is_flag=True, help="Also count the matches by site, source, channel, author, date …")
@click.option("--clauses", is_flag=True, help="Also count what each part of the query finds.")
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
    for a phrase, a NEAR/5 b for words close to each other, invest* for words that begin so, parentheses for groups, and
    fields such as title: author: site: lang: date:7d is:article; is:post finds single posts and comments. Without a
    query, everything matches. `thresher export` writes all matches, however many.
    """
    if flags["full"] and flags["format_"] == "txt":
        raise UsageError("--full needs -f json, jsonl or csv; `thresher show URL` prints one document")
    chosen = settings(ctx, **places_in(flags))
    parts = wiring.open_corpus(chosen, create=False)
    with Corpus(parts) as corpus:
        query = query_of(words, flags)
        note = wiring.search_note(chosen, parts.index.count())
        with output.opened(path) as stream:
            total = _count(corpus, query, stream) if flags["count"] else _search(corpus, query, stream, flags)
    if note:
        say(note)
    return exits.EMPTY if flags["fail_empty"] and not total else exits.DONE


def _count(corpus: Corpus, query: str, stream: TextIO) -> int:
    total = corpus.count(query)
    stream.write(f"{total}\n")
    return total


def _search(corpus: Corpus, query: str, stream: TextIO, flags: dict[str, Any]) -> int:
    """Write a page of hits and what was asked for besides; return how many hits there are in all."""
    how = {name: flags[name] for name in ("limit", "offset", "sort", "after", "passages")}
    found = corpus.search(query, **how)
    groups = {hit.url: corpus.copies(hit.url) for hit in found if flags["group"] and not hit.document_url}
    facets = corpus.facets(query) if flags["facets"] else None
    clauses = corpus.clauses(query) if flags["clauses"] else ()
    if flags["format_"] == "txt":
        show(found, stream, groups)
        if facets:
            stream.writelines(facet_lines(facets))
    else:
        _write(found, corpus, stream, flags, _besides(found, facets, clauses, groups))
    if clauses:
        say(" · ".join(f"{part.text} {'−' if part.excludes else ''}{part.count:,}" for part in clauses))
    if found.suggestion:
        say(f"did you mean: {found.suggestion}")
    return found.total


def _besides(found: HitPage, facets: Facets | None, clauses: tuple[ClauseCount, ...], groups: Groups) -> dict[str, Any]:
    """Return what a JSON answer has beside the hits."""
    besides: dict[str, Any] = {"total": found.total, "next": found.next}
    if groups:
        besides["copies"] = groups
    if found.suggestion:
        besides["suggestion"] = found.suggestion
    if facets:
        besides["facets"] = asdict(facets)
    return besides | ({"clauses": [asdict(clause) for clause in clauses]} if clauses else {})


def facet_lines(facets: Facets) -> Iterator[str]:
    """Yield the counts as lines: the name of the facet, then its values; time as a bar for each period."""
    for name, buckets in facets.counts.items():
        if buckets:
            values = " · ".join(f"{_line(bucket.value)} {bucket.count:,}" for bucket in buckets)
            yield f"{name}: {values}\n"
    most = max((bucket.count for bucket in facets.dates.buckets), default=0)
    if most:
        yield f"by {facets.dates.unit}:\n"
    for bucket in facets.dates.buckets:
        yield f"  {bucket.value}  {'█' * max(1, round(BAR * bucket.count / most))} {bucket.count:,}\n"
    if facets.undated:
        yield f"without a date: {facets.undated:,}\n"


def _write(found: HitPage, corpus: Corpus, stream: TextIO, flags: dict[str, Any], besides: dict[str, Any]) -> None:
    """Write hits for programs; with --full each with its document, one document in memory at a time."""
    stream = for_data(stream)
    full: bool = flags["full"]
    if flags["format_"] == "csv":
        stream.write(csv_rows.row((*FIELDS, "text") if full else FIELDS))
        for hit in found:
            cells = [*(_values(hit)[name] for name in FIELDS), *([_document(corpus, hit).text] if full else [])]
            stream.write(csv_rows.row(map(_joined, cells), raw=flags["raw_csv"]))
        return
    rows = (_full_values(_document(corpus, hit), hit) if full else _values(hit) for hit in found)
    if flags["format_"] == "jsonl":
        stream.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    else:
        stream.write(json.dumps(besides | {"hits": list(rows)}, ensure_ascii=False, indent=2) + "\n")


def _values(hit: Hit) -> dict[str, Any]:
    values = {name: getattr(hit, name) for name in FIELDS}
    more = {"passages": [passage.text for passage in hit.passages]} if hit.passages else {}
    moments = {name: _written(getattr(hit, name)) for name in ("published", "seen")}
    posts = [asdict(post) | {"published": _written(post.published)} for post in hit.posts]
    return values | moments | {"authors": list(hit.authors), "posts": posts} | more


def _written(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None


def _full_values(document: Document, hit: Hit) -> dict[str, Any]:
    return document.to_dict() | {"snippet": hit.snippet, "score": hit.score, "copies": hit.copies}


def _document(corpus: Corpus, hit: Hit) -> Document:
    document = corpus.get(hit.document_url or hit.url)
    if document is None:
        raise UsageError(f"{hit.url} is in the index but not in the store; `thresher index rebuild` repairs that")
    return document


def _joined(value: object) -> object:
    if not isinstance(value, list):
        return value
    return "; ".join(each["url"] if isinstance(each, dict) else each for each in value)


def show(found: HitPage, stream: TextIO | None = None, groups: Groups = NO_GROUPS) -> None:
    """Print hits for a person to read: wrapped and in bold type on a terminal, three plain lines each elsewhere."""
    stream = stream or sys.stdout
    if stream.isatty():
        show_on_terminal(found, Console(file=stream, highlight=False, no_color=not colour_wanted()), groups)
    else:
        stream.writelines(_plain(hit, groups) + "\n\n" for hit in found)
    stream.flush()
    noun = "post" if any(hit.document_url for hit in found) else "document"
    say(f"{len(found)} of {counted(found.total, noun)}")
    if found.next:
        say(f"more: --after {found.next}")


def show_on_terminal(found: Iterable[Hit], console: Console, groups: Groups = NO_GROUPS) -> None:
    """Print hits to a terminal: the title in bold type, the rest indented and wrapped to its width, matches marked."""
    for hit in found:
        console.print(Text(_line(hit.title) or "(no title)", style="bold"))
        # Left to the terminal to wrap: a URL in pieces cannot be clicked on.
        address = Text.assemble(" " * INDENT, (_day(hit), "cyan"), (_line(hit.url), "dim"), (_copies(hit), "cyan"))
        console.print(address, soft_wrap=True)
        for post in _posts(hit):
            console.print(Text(" " * INDENT + post, style="dim"), soft_wrap=True)
        for passage in hit.passages or (Passage(hit.snippet, hit.marks),):
            for line in _passage(passage).wrap(console, console.width - INDENT):
                console.print(Text(" " * INDENT).append_text(line))
        for other in _group(hit, groups):
            console.print(Text(" " * INDENT + other, style="dim"), soft_wrap=True)
        console.print()


def _passage(passage: Passage) -> Text:
    """Return the passage with its matches in bold type; the pieces between are made one line each."""
    line, end_before = Text(overflow="fold"), 0
    for start, end in (*passage.marks, (len(passage.text), len(passage.text))):
        line.append(_spaced(passage.text[end_before:start]))
        line.append(_spaced(passage.text[start:end]), style="bold yellow")
        end_before = end
    return line


def _plain(hit: Hit, groups: Groups = NO_GROUPS) -> str:
    """Title, address and passages, each in a line; matches in [brackets]."""
    passages = hit.passages or (Passage(hit.snippet, hit.marks),)
    lines = "\n".join(f"  {_line(_bracketed(passage))}" for passage in passages)
    posts = "".join(f"  {line}\n" for line in _posts(hit))
    group = "".join(f"\n  {line}" for line in _group(hit, groups))
    return f"{_line(hit.title)}\n  {_day(hit)}{_line(hit.url)}{_copies(hit)}\n{posts}{lines}{group}"


def _group(hit: Hit, groups: Groups) -> Iterator[str]:
    """Yield where else the text of a hit stands, the first one published in front, each in a line."""
    others = [url for url in groups.get(hit.url, ()) if url != hit.url]
    yield from (f"also: {_line(url)}" for url in others)


def _posts(hit: Hit) -> Iterator[str]:
    """Yield the post that was found, or those of a document in which the words stand, each in a line."""
    if hit.document_url:
        yield f"post {hit.position}{_by(hit.authors)}"
    for post in hit.posts[:POSTS]:
        day = f", {post.published:%Y-%m-%d}" if post.published else ""
        yield f"post {post.position}{_by((post.author,) if post.author else ())}{day}: {_line(post.url)}"
    if hit.post_count > POSTS:
        yield f"and {counted(hit.post_count - POSTS, 'more post')}"


def _by(authors: tuple[str, ...]) -> str:
    return f" by {_line(', '.join(authors))}" if authors else ""


def _bracketed(passage: Passage) -> str:
    text = passage.text
    for start, end in reversed(passage.marks):
        text = f"{text[:start]}[{text[start:end]}]{text[end:]}"
    return text


def _day(hit: Hit) -> str:
    return f"{hit.published:%Y-%m-%d}  " if hit.published else ""


def _copies(hit: Hit) -> str:
    """Say how many other sites or documents have copies, and where the first one is if not here."""
    first = f"  first: {_line(hit.original)}" if hit.original else ""
    if hit.copy_sites:
        return f"  +{counted(hit.copy_sites, 'site')}{first}"
    if not hit.copies:
        return first
    return ("  +1 copy" if hit.copies == 1 else f"  +{hit.copies} copies") + first


def _line(text: str) -> str:
    return " ".join(printable(text).split())


def _spaced(text: str) -> str:
    """Return a piece of a line: runs of white space, line ends among them, as one space."""
    return re.sub(r"\s+", " ", printable(text))
