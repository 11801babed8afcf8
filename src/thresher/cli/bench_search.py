"""`thresher bench search`."""

from pathlib import Path

import click

from thresher.cli import exits
from thresher.lab.search_bench import BACKENDS, Measured, disagreements, measure
from thresher.lab.search_corpus import read_prose
from thresher.lab.tables import table

FOLDER = Path("../shared/corpora/articles")
AGREE_ON = 2_000  # documents that indexes are compared on


@click.command("search")
@click.argument("folder", type=click.Path(path_type=Path), default=FOLDER)
@click.option("--documents", "count", type=click.IntRange(min=1_000), default=200_000, show_default=True)
@click.option("--backend", "names", multiple=True, type=click.Choice(list(BACKENDS)), help="(repeatable)")
@click.option("--queries", type=click.IntRange(min=20), default=200, show_default=True, help="Of each kind.")
@click.option("--recall", type=click.IntRange(min=1), default=1_000, show_default=True, help="Pieces of text to find.")
@click.option("--agree", type=click.IntRange(min=0), default=2_000, show_default=True, help="Queries to compare by.")
def command(folder: Path, count: int, names: tuple[str, ...], queries: int, recall: int, agree: int) -> int:
    """Index documents made from the sentences of labelled pages, and ask each index the same queries.

    FOLDER holds labelled pages in Chinese and English. Servers are started for it. Prints documents per second, size,
    times of queries, what share of random pieces of text is found, and how many queries find different documents.
    """
    prose = read_prose(folder)
    chosen = names or tuple(BACKENDS)
    results = [measure(name, prose, count, queries, recall, _say) for name in chosen]
    click.echo(f"{count:,} documents\n")
    click.echo(table(["", *chosen], _rows(results)))
    if agree and len(chosen) > 1:
        wrong = disagreements(chosen, prose, min(count, AGREE_ON), agree)
        click.echo(f"\n{agree:,} queries over {min(count, AGREE_ON):,} documents: {len(wrong)} find different ones")
        for query in wrong[:10]:
            click.echo(f"  {query}")
    return exits.DONE


def _say(text: str) -> None:
    click.echo(text, err=True)


def _rows(results: list[Measured]) -> list[list[str]]:
    rows = [
        ["documents/s", *(f"{each.documents / each.indexing_s:,.0f}" for each in results)],
        ["bytes/document", *(f"{each.size_bytes / each.documents:,.0f}" for each in results)],
    ]
    for kind in results[0].times_ms:
        rows.append([f"{kind}: p50, p95 (ms)", *(_percentiles(each.times_ms[kind]) for each in results)])
    for kind in results[0].cpu_ms:
        cells = (_percentiles(each.cpu_ms[kind]) if each.name == "fts5" else "" for each in results)
        rows.append([f"{kind}: CPU p50, p95 (ms)", *cells])
    for kind in results[0].recalled:
        rows.append([f"{kind} found", *("{:,} of {:,}".format(*each.recalled[kind]) for each in results)])
    return rows


def _percentiles(times_ms: list[float]) -> str:
    ordered = sorted(times_ms)
    return f"{ordered[len(ordered) // 2]:.1f}, {ordered[int(len(ordered) * 0.95)]:.1f}" if ordered else "-"
