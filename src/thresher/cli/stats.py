"""`thresher stats`: the words of the corpus and their frequencies, documents over time, and what rises."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, TextIO, TypeVar

import click

from thresher import wiring
from thresher.analysis import volume, zipf
from thresher.analysis.charts import Chart, panels
from thresher.analysis.rising import KINDS, chart_of
from thresher.analysis.words import Splitter
from thresher.api.corpus import Corpus
from thresher.api.stories import all_stop_words
from thresher.api.trends import PERIODS
from thresher.cli import columns, exits, output
from thresher.cli.export import with_posts
from thresher.cli.options import csv_option, filter_options, places_in, query_of, server_options, settings
from thresher.cli.terminal import counted, for_data, say
from thresher.errors import UsageError
from thresher.export import csv_rows
from thresher.export.contract import Posts
from thresher.export.texts import whole_text
from thresher.index import histogram
from thresher.index.dates import period
from thresher.model import Document
from thresher.store.contract import Store
from thresher.text import printable

F = TypeVar("F", bound=Callable[..., Any])
FORMATS = ("txt", "json", "csv")
GROUPS = ("site", "language", "kind")
UNKNOWN = "unknown"  # the group of a document that does not say
FIELDS = {"language": "lang", "kind": "is"}  # of a query, where they are called otherwise than groups
MAX_GROUPS = 50  # that have a count over time of their own
DEFAULT_KINDS = ("word", "name")  # of rising terms
MAX_CHARTS = 12  # in one SVG file; groups after these have none

Cells = dict[str, Any]


@click.group("stats")
def command() -> None:
    """Count words and documents of the corpus, or of what a query finds.

    Words are those of the main texts and posts, in lower case. Chinese is split into words by rjieba: install
    thresher[chinese]. Every copy of a text counts; is:original in the query
    leaves copies out.
    """


def _counting(function: F) -> F:
    """Add what all of these commands take."""
    options = (
        click.argument("words", nargs=-1, metavar="[QUERY]..."),
        filter_options,
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


_BY = click.option("--by", type=click.Choice(GROUPS), help="Count for each site, language or kind apart.")
_SVG = click.option("--svg", type=click.Path(path_type=Path, dir_okay=False), help="Also draw the chart to this file.")
_TOP = click.option("--top", type=click.IntRange(min=0), default=50, show_default=True, help="Words; 0: all.")


@command.command("zipf")
@click.option("--drop-stop-words", is_flag=True, help="Leave out words such as the, and, 的.")
@_TOP
@_SVG
@_BY
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
@_BY
@_counting
def terms_command(ctx: click.Context, /, words: tuple[str, ...], **flags: Any) -> int:
    """List the most frequent words without stop words. It also says in how many documents each occurs."""
    counts, note = _word_counts(ctx, words, flags, drop=not flags["keep_stop_words"])
    tables = [_terms(counts, group, flags["top"]) for group in counts.groups]
    told = [_told(counts, group) for group in counts.groups]
    abouts = [{"group": group, "documents": counts.documents[group]} for group in counts.groups]
    with output.opened(flags["path"]) as stream:
        _write(for_data(stream), flags, tables, told, abouts)
    return _ended(flags, sum(counts.documents.values()), note)


@command.command("volume")
@click.option("--per", type=click.Choice(histogram.UNITS), default="day", show_default=True)
@_SVG
@click.option("--by", type=click.Choice((*GROUPS, "source")), help="Count for each site, source … apart.")
@_counting
def volume_command(ctx: click.Context, /, words: tuple[str, ...], **flags: Any) -> int:
    """Count documents by publication date. Periods are hours, days, weeks, months or years (UTC).

    Periods without documents are left out of the table and drawn as 0. Documents without a date are counted apart. With
    --by, the 50 groups with the most documents are counted, and the others as one; a document of several sources counts
    for each.
    """
    chosen, by, query = settings(ctx, **places_in(flags)), flags["by"], query_of(words, flags)
    with Corpus(parts := wiring.open_corpus(chosen, create=False)) as corpus:
        note = wiring.search_note(chosen, parts.index.count())
        counts = _volume(corpus, query, flags["per"], by)
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


@command.command("trends")
@click.option("--period", type=click.Choice(list(PERIODS)), default="week", show_default=True)
@click.option("--what", type=click.Choice(KINDS), multiple=True, help="Only words, names or authors (repeatable).")
@click.option("--top", type=click.IntRange(1, 1000), default=20, show_default=True, help="Terms.")
@_SVG
@_counting
def trends_command(ctx: click.Context, /, words: tuple[str, ...], **flags: Any) -> int:
    """List words and names that are rising.

    More documents than usual contain them in the last day, week or month (30 days).

    The usual are the 28 days, four weeks or four months before; with --until, all of that ends with an earlier day. A
    term that r documents hold weighs r × log2(growth of its share of the documents of its language). Listed are terms
    of 3 documents and more whose share has at least doubled, by more than chance and more than it varies anyway.
    Documents count by publication date, those without one are left out, and so are copies. Without a query, the counts
    are kept in the corpus, so that only new documents are read.
    """
    if flags["since"]:
        raise UsageError("--since: a trend has a --period instead, and may end with a day: --until 2026-11-01")
    last, language = _last_day(flags.pop("until")), flags["lang"]
    narrowed = query_of(words, flags | {"lang": None, "since": None, "until": None})
    chosen = settings(ctx, **places_in(flags))
    with Corpus(parts := wiring.open_corpus(chosen, create=False)) as corpus:
        note = wiring.search_note(chosen, parts.index.count()) if narrowed else None
        asked: dict[str, Any] = {"period": flags["period"], "last": last, "top": flags["top"], "language": language}
        found = corpus.trends(narrowed, kinds=flags["what"] or DEFAULT_KINDS, **asked)
    rows = [asdict(each) | {"series": list(each.series)} for each in found.rising]
    recent, before = found.documents[-1], sum(found.documents[:-1])
    told = f"{found.first} to {found.last}: {counted(recent, 'document')}, {before:,} before"
    periods = [{"from": str(day), "documents": count} for day, count in zip(found.starts, found.documents, strict=True)]
    with output.opened(flags["path"]) as stream:
        _write(for_data(stream), flags, [_tabled(rows, flags["format_"])], [told], [{"periods": periods}])
    if flags["svg"]:
        names = [day.isoformat() for day in found.starts]
        _draw(flags["svg"], [chart_of(found.rising, names, f"{flags['period']} from", "rising terms")])
    return _ended(
        flags, len(found.rising), note, nothing="nothing rises: there are too few documents, or no more than usual"
    )


def _last_day(until: str | None) -> date | None:
    if until is None:
        return None
    found = period(until, datetime.now(UTC))
    if found is None or found[0] is None:
        raise UsageError(f"--until: {until!r} is no day; write 2026-11-01")
    return found[0].date()


def _tabled(rows: list[Cells], format_: str) -> list[Cells]:
    """Return rising terms with numbers as people read them, and for a spreadsheet without cells that are lists."""
    if format_ == "json":
        return rows
    told = [row | {"weight": round(row["weight"], 1), "growth": round(row["growth"], 1)} for row in rows]
    if format_ == "csv":
        return [row | {"series": " ".join(map(str, row["series"]))} for row in told]
    return [{name: str(value or "-") for name, value in row.items() if name != "series"} for row in told]


def _volume(corpus: Corpus, query: str, per: volume.Per, by: str | None) -> volume.Volume:
    """Count documents over time, those of each group by a query of its own."""
    counts, whole = volume.Volume(per), corpus.facets(query, limit=MAX_GROUPS, unit=per)
    if by is None:
        counts.add("", whole.dates, whole.undated)
        return counts
    for bucket in whole.counts[by]:
        narrowed = f'{f"({query}) " if query.strip() else ""}{FIELDS.get(by, by)}:"{bucket.value}"'
        found = corpus.facets(narrowed, limit=0, unit=per)
        counts.add(bucket.value, found.dates, 0)
    if by == "source":
        counts.undated = whole.undated
    else:
        rest = volume.OTHERS if len(whole.counts[by]) == MAX_GROUPS else UNKNOWN
        counts.add_rest(rest, whole.dates, whole.undated)
    return counts


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


def _ended(flags: dict[str, Any], found: int, note: str | None, *, nothing: str = "no documents match") -> int:
    if note:
        say(note)
    if found:
        return exits.DONE
    say(nothing)
    return exits.EMPTY if flags["fail_empty"] else exits.DONE
