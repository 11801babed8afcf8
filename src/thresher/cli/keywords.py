"""`thresher keywords`: the list of hot keywords, and what search engines found for one."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from thresher import wiring
from thresher.analysis.rising import Rising
from thresher.api.corpus import Corpus
from thresher.api.trends import Trends
from thresher.catalog.contract import Catalog
from thresher.catalog.searches import plan_searches
from thresher.cli import columns, exits, output
from thresher.cli.options import csv_option, places_in, server_options, settings
from thresher.cli.terminal import counted, for_data, say
from thresher.config import Settings
from thresher.errors import UsageError
from thresher.model import Keyword
from thresher.model.engine import ResultPage, chosen, result_pages
from thresher.store.contract import Store
from thresher.text import clean

EDITED, IMPORTED, RISING = "edited", "imported", "rising"
WORD_COLUMNS = ("keyword", "keywords", "word", "term")  # of a CSV file; else the first
MAX_KEYWORDS = 10_000  # of one file
RANK_OFFSET = 60  # of reciprocal rank fusion (Cormack, Clarke, Buettcher 2009): the first ranks do not decide alone
FORMATS = ("txt", "json", "csv")
_FORMAT = click.option("-f", "--format", "format_", type=click.Choice(FORMATS), default="txt", show_default=True)
_OUTPUT = click.option("-o", "--output", "path", type=click.Path(path_type=Path), help="Write to a file.")


@click.group("keywords")
def command() -> None:
    """Keep a list of hot keywords, which `thresher crawl --search @hot` and searches that are followed ask for.

    A source of the kind search follows the list when its keywords are "hot".
    """


@command.command("list")
@_FORMAT
@server_options
@click.pass_context
def list_command(ctx: click.Context, /, format_: str, **flags: Any) -> int:
    """List the hot keywords, those that rise most first."""
    with _catalog(ctx, flags) as (catalog, _):
        rows = [_row(keyword) for keyword in catalog.keywords()]
    _show(rows, format_, raw=False, empty="there are no hot keywords; `thresher keywords add WORD` adds one")
    return exits.DONE


@command.command("add")
@click.argument("words", nargs=-1, required=True, metavar="KEYWORD...")
@server_options
@click.pass_context
def add_command(ctx: click.Context, /, words: tuple[str, ...], **flags: Any) -> int:
    """Add keywords; put a phrase in quotes."""
    with _catalog(ctx, flags) as (catalog, known):
        _add(catalog, known, _checked(words), EDITED)
    return exits.DONE


@command.command("rm")
@click.argument("words", nargs=-1, required=True, metavar="KEYWORD...")
@server_options
@click.pass_context
def rm_command(ctx: click.Context, /, words: tuple[str, ...], **flags: Any) -> int:
    """Remove keywords."""
    with _catalog(ctx, flags) as (catalog, known):
        present = {keyword.word for keyword in catalog.keywords()}
        missing = [word for word in map(clean, words) if word not in present]
        if missing:
            raise UsageError(f"{missing[0]!r} is not a hot keyword; `thresher keywords list` shows them")
        removed = catalog.remove_keywords([clean(word) for word in words])
        _replan(catalog, known)
    say(f"removed {counted(removed, 'keyword')}")
    return exits.DONE


@command.command("import")
@click.argument("path", type=click.Path(path_type=Path))
@server_options
@click.pass_context
def import_command(ctx: click.Context, /, path: Path, **flags: Any) -> int:
    """Add keywords from a file.

    It has one keyword per line, or is a CSV file with a column "keyword" (or else its first column). Empty lines and
    lines that begin with # are skipped.
    """
    words = _read(path)
    if not words:
        raise UsageError(f"{path} has no keywords")
    with _catalog(ctx, flags) as (catalog, known):
        _add(catalog, known, words, IMPORTED)
    return exits.DONE


@command.command("export")
@_FORMAT
@_OUTPUT
@csv_option
@server_options
@click.pass_context
def export_command(ctx: click.Context, /, format_: str, path: Path | None, raw_csv: bool, **flags: Any) -> int:
    """Print the keywords.

    txt has one per line; csv and json also have their origin and weight.
    """
    with _catalog(ctx, flags) as (catalog, _):
        keywords = catalog.keywords()
    with output.opened(path) as stream:
        if format_ == "txt":
            for_data(stream).writelines(f"{keyword.word}\n" for keyword in keywords)
        else:
            columns.write([_row(keyword) for keyword in keywords], format_, for_data(stream), raw=raw_csv)
    return exits.DONE


@command.command("refresh")
@click.option("--days", type=click.IntRange(1, 365), default=7, show_default=True, help="Days that count as recent.")
@click.option("--before", type=click.IntRange(1, 3650), help="Days before them to compare with (default: 4 × --days).")
@click.option("--top", type=click.IntRange(1, 1000), default=20, show_default=True, help="Rising words to keep.")
@click.option("--lang", help="Only documents of this language, e.g. zh.")
@click.option("--dry-run", is_flag=True, help="Show the rising words, change nothing.")
@server_options
@click.pass_context
def refresh_command(ctx: click.Context, /, **flags: Any) -> int:
    """Replace the rising keywords with those rising now. Keywords that were added or imported stay.

    They are those of `thresher stats trends`: a word's weight is r × log2(growth), where r recent documents hold it,
    and the share of documents that hold it has grown so many times compared with the days before, taken in periods of
    --days each. Documents count by their publication date; those without one are left out, and so are copies.
    """
    known = settings(ctx, **places_in(flags))
    found = _rising(known, flags)
    rows = [
        {"word": each.word, "weight": round(each.weight, 1), "recent": each.recent, "earlier": each.earlier}
        for each in found.rising
    ]
    columns.show(rows, "txt", empty="no word rises: there are too few recent documents, or they are like those before")
    recent = found.documents[-1]
    say(f"{counted(recent, 'recent document')}, {sum(found.documents[:-1])} before")
    if flags["dry_run"] or not recent:
        return exits.DONE
    with _catalog(ctx, flags) as (catalog, _):
        _replace_rising(catalog, found.rising)
        _replan(catalog, known)
    return exits.DONE


@command.command("results")
@click.argument("keyword")
@click.option("--engine", multiple=True, metavar="NAME", help="Only of this engine (repeatable).")
@_FORMAT
@csv_option
@server_options
@click.pass_context
def results_command(ctx: click.Context, /, keyword: str, engine: tuple[str, ...], **flags: Any) -> int:
    """Show what search engines found for a keyword. It is the latest answer, with the rank at each engine.

    Results of several engines are put in one order by the sum of 1 / (60 + rank).
    """
    known = settings(ctx, **places_in(flags))
    pages = result_pages([keyword], chosen(known.engines, engine))
    corpus = wiring.open_corpus(known, create=False)
    try:
        rows = _ranked(corpus.store, pages)
    finally:
        corpus.close()
    empty = f"nothing was found for {keyword!r} yet; `thresher crawl --search` asks the engines"
    _show(rows, flags["format_"], raw=flags["raw_csv"], empty=empty)
    return exits.DONE if rows else exits.EMPTY


@contextmanager
def _catalog(ctx: click.Context, flags: dict[str, Any]) -> Iterator[tuple[Catalog, Settings]]:
    known = settings(ctx, **places_in(flags))
    catalog = wiring.open_catalog(known)
    try:
        yield catalog, known
    finally:
        catalog.close()


def _row(keyword: Keyword) -> dict[str, Any]:
    weight = round(keyword.weight, 1) if keyword.weight else None
    return {
        "keyword": keyword.word,
        "origin": keyword.origin,
        "weight": weight,
        "added": keyword.added_at.date().isoformat(),
    }


def _show(rows: Sequence[dict[str, Any]], format_: str, *, raw: bool, empty: str) -> None:
    if format_ == "csv":
        with output.opened(None) as stream:
            columns.write(rows, format_, for_data(stream), raw=raw)
    else:
        columns.show(rows, format_, empty=empty)


def _checked(words: Iterable[str]) -> list[str]:
    """Return keywords without blanks around them, each once; raise UsageError for what is none."""
    checked = list(dict.fromkeys(filter(None, map(clean, words))))
    for word in checked:
        if word.startswith("@"):
            raise UsageError(f"{word!r}: a keyword does not begin with @")
    if not checked:
        raise UsageError("give one or more keywords")
    return checked


def _add(catalog: Catalog, known: Settings, words: Sequence[str], origin: str) -> None:
    """Add the words that are not there; one that only rises stays from now on."""
    present = {keyword.word: keyword for keyword in catalog.keywords()}
    now = datetime.now(UTC)
    new = [word for word in words if word not in present or present[word].origin == RISING]
    weights = {word: present[word].weight if word in present else 0.0 for word in new}
    catalog.save_keywords([Keyword(word=word, origin=origin, added_at=now, weight=weights[word]) for word in new])
    _replan(catalog, known)
    rest = f"; {counted(len(words) - len(new), 'other')} known already" if len(new) < len(words) else ""
    say(f"added {counted(len(new), 'keyword')}{rest}")


def _replan(catalog: Catalog, known: Settings) -> None:
    """Let searches that are followed ask for the keywords as they are now."""
    for fault in plan_searches(catalog, known.engines):
        say(fault)


def _read(path: Path) -> list[str]:
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise UsageError(f"cannot read {path}: {why}") from None
    if path.suffix.lower() == ".csv":
        lines = _first_column(csv.reader(lines))
    words = [line for line in lines if line.strip() and not line.lstrip().startswith("#")]
    if len(words) > MAX_KEYWORDS:
        raise UsageError(f"{path} has more than {MAX_KEYWORDS:,} keywords")
    return _checked(words) if words else []


def _first_column(rows: Iterable[Sequence[str]]) -> list[str]:
    """Return the column of keywords: the one that is called so, else the first, its first row included."""
    filled = [row for row in rows if row]
    names = [name.strip().lower() for name in filled[0]] if filled else []
    column = next((names.index(name) for name in WORD_COLUMNS if name in names), None)
    body, at = (filled, 0) if column is None else (filled[1:], column)
    return [row[at].removeprefix("'") for row in body if len(row) > at]


def _rising(known: Settings, flags: dict[str, Any]) -> Trends:
    """Return what rises in the recent days against those before."""
    days = flags["days"]
    usual = 4 if flags["before"] is None else -(-flags["before"] // days)
    with Corpus(wiring.open_corpus(known, create=False)) as corpus:
        return corpus.trends(period=(days, usual), top=flags["top"], kinds=("word",), language=flags["lang"])


def _replace_rising(catalog: Catalog, rising: Sequence[Rising]) -> None:
    present = {keyword.word: keyword for keyword in catalog.keywords()}
    now = datetime.now(UTC)
    wanted = {each.word: each.weight for each in rising}
    old = [word for word, keyword in present.items() if keyword.origin == RISING and word not in wanted]
    if old:
        catalog.remove_keywords(old)
    fresh = {word: Keyword(word=word, origin=RISING, added_at=now) for word in wanted}
    catalog.save_keywords([replace((fresh | present)[word], weight=weight) for word, weight in wanted.items()])
    added = sum(word not in present for word in wanted)
    say(f"added {counted(added, 'rising keyword')}, removed {len(old)}")


def _ranked(store: Store, pages: Sequence[ResultPage]) -> list[dict[str, Any]]:
    """Return the results of stored result pages, each once, with its rank at each engine that found it."""
    ranks: dict[str, dict[str, int]] = {}
    found: dict[str, int] = {}
    for page in sorted(pages, key=lambda page: page.number):
        for link in _results(store, page.url):
            found[page.engine] = found.get(page.engine, 0) + 1
            ranks.setdefault(link, {}).setdefault(page.engine, found[page.engine])
    order = sorted(ranks, key=lambda url: -sum(1 / (RANK_OFFSET + rank) for rank in ranks[url].values()))
    rows = []
    for number, url in enumerate(order, start=1):
        document = store.document(url, posts=False)
        at = ", ".join(f"{engine} {rank}" for engine, rank in ranks[url].items())
        rows.append({"rank": number, "engines": at, "url": url, "title": document.title if document else None})
    return rows


def _results(store: Store, url: str) -> list[str]:
    links = store.outlinks(url)
    if links and links[0].why == "search":  # it was redirected
        links = store.outlinks(links[0].url)
    return [link.url for link in links if link.why == "result"]
