"""`thresher stats`: the words of the corpus and their frequencies, and documents over time."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, TextIO, TypeVar

import click

from thresher import wiring
from thresher.analysis import volume, zipf
from thresher.analysis.charts import Chart, panels
from thresher.analysis.words import Splitter
from thresher.api.corpus import Corpus
from thresher.api.stories import all_stop_words
from thresher.cli import columns, exits, output
from thresher.cli.export import with_posts
from thresher.cli.options import csv_option, filter_options, places_in, query_of, server_options, settings
from thresher.cli.terminal import counted, for_data, say
from thresher.export import csv_rows
from thresher.export.contract import Posts
from thresher.export.texts import whole_text
from thresher.model import Document
from thresher.store.contract import Store
from thresher.text import printable

F = TypeVar("F", bound=Callable[..., Any])
FORMATS = ("txt", "json", "csv")
GROUPS = ("site", "language", "kind")
UNKNOWN = "unknown"  # the group of a document that does not say
MAX_CHARTS = 12  # in one SVG file; groups after these have none

Cells = dict[str, Any]


@click.group("stats")
def command() -> None:
    """Count words and documents of the corpus, or of what a query finds.

    Words are those of the main texts and posts, in lower case. Chinese is split into words by rjieba: install
    thresher[chinese]. Copies of a text are counted each; is:original in the query leaves them out.
    """


def _counting(function: F) -> F:
    """Add what all of these commands take."""
    options = (
        click.argument("words", nargs=-1, metavar="[QUERY]..."),
        filter_options,
        click.option("--by", type=click.Choice(GROUPS), help="Count for each site, language or kind apart."),
        click.option("--fail-empty", is_flag=True, help="Exit with 4 when nothing matches."),
        click.option("-f", "--format", "format_", type=click.Choice(FORMATS), default="txt", show_default=True),
        click.option("-o", "--output", "path", type=click.Path(path_type=Path), help="Write to a file."),
        csv_option,
        server_options,
        click.pass_context,
    )
    for option in reversed(options):
        function = option(function)
    return function


_SVG = click.option("--svg", type=click.Path(path_type=Path, dir_okay=False), help="Also draw the chart to this file.")
_TOP = click.option("--top", type=click.IntRange(min=0), default=50, show_default=True, help="Words; 0: all.")


@command.command("zipf")
@click.option("--drop-stop-words", is_flag=True, help="Leave out words such as the, and, 的.")
@_TOP
@_SVG
@_counting
def zipf_command(ctx: click.Context, /, words: tuple[str, ...], **flags: Any) -> int:
    """Rank words by frequency and fit Zipf's law.

    The word of rank r occurs about C / r^s times; rank × probability is then about the same for all words (0.1 in
    English). s is fitted twice: by least squares of log frequency over log rank, over the words that occur at least
    5 times, and by maximum likelihood over all words. Up to 500,000 different words are counted exactly; of more, the
    rarest are forgotten, and the output says by how much a count may be too low.
    """
    counts, note = _word_counts(ctx, words, flags, drop=flags["drop_stop_words"])
    laws = [zipf.law_of(counts, group) for group in counts.groups]
    ranked = {law.group: counts.ranked(law.group) for law in laws}
    tables = [_frequencies(law, ranked[law.group], flags["top"]) for law in laws]
    with output.opened(flags["path"]) as stream:
        _write(for_data(stream), flags, tables, [_described(law) for law in laws], [asdict(law) for law in laws])
    if flags["svg"]:
        _draw(flags["svg"], [zipf.chart_of(ranked[law.group], law, law.group or "all documents") for law in laws])
    return _ended(flags, sum(counts.documents.values()), note)


@command.command("terms")
@click.option("--keep-stop-words", is_flag=True, help="Count words such as the, and, 的, too.")
@_TOP
@_counting
def terms_command(ctx: click.Context, /, words: tuple[str, ...], **flags: Any) -> int:
    """List the most frequent words, stop words aside, and in how many documents each occurs."""
    counts, note = _word_counts(ctx, words, flags, drop=not flags["keep_stop_words"])
    tables = [_terms(counts, group, flags["top"]) for group in counts.groups]
    told = [_told(counts, group) for group in counts.groups]
    abouts = [{"group": group, "documents": counts.documents[group]} for group in counts.groups]
    with output.opened(flags["path"]) as stream:
        _write(for_data(stream), flags, tables, told, abouts)
    return _ended(flags, sum(counts.documents.values()), note)


@command.command("volume")
@click.option("--per", type=click.Choice(("day", "week", "month")), default="day", show_default=True)
@_SVG
@_counting
def volume_command(ctx: click.Context, /, words: tuple[str, ...], **flags: Any) -> int:
    """Count documents by publication date, per day, week or month (UTC).

    Periods without documents are left out of the table and drawn as 0. Documents without a date are counted apart.
    """
    counts, by, query = volume.Volume(flags["per"]), flags["by"], query_of(words, flags)
    with _found(ctx, query, flags) as (documents, _, note):
        for document in documents:
            counts.add(_group(document, by), document.published)
    table = [
        {flags["per"]: period} | ({by: group} if by else {}) | {"documents": count}
        for period, group, count in counts.rows()
    ]
    undated = f"{counted(counts.undated, 'document')} without a date" if counts.undated else ""
    with output.opened(flags["path"]) as stream:
        _write(for_data(stream), flags, [table], [undated], [{"undated": counts.undated}])
    if flags["svg"]:
        title = f"documents per {flags['per']}" + (f": {query}" if query else "")
        _draw(flags["svg"], [volume.chart_of(counts, title)])
    return _ended(flags, sum(counts.groups.values()) + counts.undated, note)


def _word_counts(
    ctx: click.Context, words: tuple[str, ...], flags: dict[str, Any], *, drop: bool
) -> tuple[zipf.WordCounts, str | None]:
    """Count the words of what the query finds, one document in memory at a time; return what search may have missed."""
    counts, splitter, stop_words = zipf.WordCounts(), Splitter(), all_stop_words()
    with _found(ctx, query_of(words, flags), flags) as (documents, store, note):
        for document, posts in with_posts(documents, store):
            dropped = stop_words.of(document.language) if drop else frozenset()
            found = words_of(document, posts, splitter)
            counts.add(_group(document, flags["by"]), (word for word in found if word not in dropped))
        return counts, note


def words_of(document: Document, posts: Posts, splitter: Splitter) -> Iterator[str]:
    """Yield the words of a document's text, of a thread those of its posts."""
    for piece in whole_text(document, posts):
        yield from splitter.words(piece, document.language)


@contextmanager
def _found(
    ctx: click.Context, query: str, flags: dict[str, Any]
) -> Iterator[tuple[Iterable[Document], Store, str | None]]:
    """Give the documents that a query finds, without their posts, the store that has these, and what may be missing."""
    chosen = settings(ctx, **places_in(flags))
    parts = wiring.open_corpus(chosen, create=False)
    with Corpus(parts) as corpus:
        note = wiring.search_note(chosen, parts.index.count()) if query else None
        yield corpus.documents(query, posts=False), parts.store, note


def _group(document: Document, by: str | None) -> str:
    value = {"site": document.site, "language": document.language, "kind": document.kind.value}.get(by or "")
    return "" if by is None else value or UNKNOWN


def _frequencies(law: zipf.Law, ranked: Sequence[tuple[str, int]], top: int) -> list[Cells]:
    rows = []
    for rank, (word, count) in enumerate(ranked[: top or None], start=1):
        share = count / law.words
        rows.append(
            {"rank": rank, "word": word, "frequency": count, "probability": share, "rank_x_probability": rank * share}
        )
    return _grouped(law.group, rows)


def _terms(counts: zipf.WordCounts, group: str, top: int) -> list[Cells]:
    rows = []
    for word, count in counts.ranked(group)[: top or None]:
        held = counts.holders(group, word)
        rows.append({"word": word, "frequency": count, "documents": held, "share": held / counts.documents[group]})
    return _grouped(group, rows)


def _grouped(group: str, rows: list[Cells]) -> list[Cells]:
    return [{"group": group} | row for row in rows] if group else rows


def _described(law: zipf.Law) -> str:
    parts = [
        f"{law.group + ': ' if law.group else ''}{counted(law.documents, 'document')}, {law.words:,} words, "
        f"{law.unique:,} unique; the {law.half:,} most frequent make up half of the text"
    ]
    if law.least_squares:
        fit = law.least_squares
        parts.append(f"exponent {fit.exponent:.3f} (least squares, ranks 1 to {fit.ranks:,}, R² {fit.r_squared:.3f})")
    if law.likelihood:
        parts.append(f"exponent {law.likelihood.exponent:.3f} (maximum likelihood, all ranks)")
    if law.undercount:
        parts.append(_undercounted(law.undercount))
    return "\n".join(parts)


def _told(counts: zipf.WordCounts, group: str) -> str:
    told = f"{group + ': ' if group else ''}{counted(counts.documents[group], 'document')}"
    return f"{told}\n{_undercounted(counts.undercount)}" if counts.undercount else told


def _undercounted(by: int) -> str:
    limit = f"{zipf.MAX_WORDS:,} different words"
    return f"more than {limit}: the rarest were forgotten, counts may be too low by up to {by:,}, unique words are more"


def _write(
    stream: TextIO, flags: dict[str, Any], tables: list[list[Cells]], told: list[str], abouts: list[dict[str, Any]]
) -> None:
    """Write the tables of the groups: below each other for people, as one for a spreadsheet, with all facts as JSON."""
    if flags["format_"] == "json":
        results = [about | {"rows": rows} for about, rows in zip(abouts, tables, strict=True)]
        stream.write(json.dumps(results, ensure_ascii=False, indent=2) + "\n")
        return
    if flags["format_"] == "csv":
        stream.writelines(_csv([row for table in tables for row in table], raw=flags["raw_csv"]))
        for text in filter(None, told):
            say(text)
        return
    for text, table in zip(told, tables, strict=True):
        stream.writelines(f"{printable(line)}\n" for line in [*text.splitlines(), *columns.lines(_rounded(table)), ""])


def _csv(rows: Sequence[Cells], *, raw: bool) -> Iterator[str]:
    if rows:
        yield csv_rows.row(rows[0])
    for row in rows:
        yield csv_rows.row((f"{v:.9g}" if isinstance(v, float) else v for v in row.values()), raw=raw)


def _rounded(rows: Iterable[Cells]) -> list[Cells]:
    """Return rows with shares as people read them; the group stands above its table."""
    return [
        {name: f"{value:.5f}" if isinstance(value, float) else value for name, value in row.items() if name != "group"}
        for row in rows
    ]


def _draw(path: Path, charts: Sequence[Chart]) -> None:
    with output.opened(path) as stream:
        stream.write(panels(charts[:MAX_CHARTS]))
    if len(charts) > MAX_CHARTS:
        say(f"{path} shows the {MAX_CHARTS} groups with the most documents of {len(charts)}")


def _ended(flags: dict[str, Any], documents: int, note: str | None) -> int:
    if note:
        say(note)
    if documents:
        return exits.DONE
    say("no documents match")
    return exits.EMPTY if flags["fail_empty"] else exits.DONE
