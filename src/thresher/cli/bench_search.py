"""`thresher bench search`."""

from pathlib import Path

import click

from thresher.cli import exits
from thresher.lab.search_bench import BACKENDS, Filled, Measured, disagreements, measure
from thresher.lab.search_corpus import read_prose
from thresher.lab.tables import table

FOLDER = Path("../shared/corpora/articles")
AGREE_ON = 2_000  # documents that indexes are compared on


@click.command("search")
@click.argument("folder", type=click.Path(path_type=Path), default=FOLDER)
@click.option(
    "--documents",
    "sizes",
    multiple=True,
    type=click.IntRange(min=1_000),
    default=(200_000,),
    show_default=True,
    help="(repeatable: each index is asked when it has so many)",
)
@click.option("--backend", "names", multiple=True, type=click.Choice(list(BACKENDS)), help="(repeatable)")
@click.option("--queries", type=click.IntRange(min=20), default=200, show_default=True, help="Of each kind.")
@click.option("--recall", type=click.IntRange(min=1), default=1_000, show_default=True, help="Pieces of text to find.")
@click.option("--agree", type=click.IntRange(min=0), default=2_000, show_default=True, help="Queries to compare by.")
def command(folder: Path, sizes: tuple[int, ...], names: tuple[str, ...], queries: int, recall: int, agree: int) -> int:
    """Index documents made from the sentences of labelled pages, and ask each index the same queries.

    FOLDER holds labelled pages in Chinese and English. Servers are started for it. Prints documents per second, size,
    times of queries on the clock and in CPU (the server's, too), what share of random pieces of text is found, and how
    many queries find different documents.
    """
    prose = read_prose(folder)
    chosen = names or tuple(BACKENDS)
    found: dict[int, list[Measured]] = {size: [] for size in sorted({*sizes})}
    for name in chosen:
        for result in measure(name, prose, list(found), queries, recall, _say):
            found[result.documents].append(result)
            _say(f"\n{result.documents:,} documents\n\n{table(['', name], _rows([result]))}")
    for size, results in found.items():
        click.echo(f"{size:,} documents\n")
        click.echo(table(["", *chosen], _rows(results)))
    if agree and len(chosen) > 1:
        compared = min(*sizes, AGREE_ON)
        wrong = disagreements(chosen, prose, compared, agree)
        click.echo(f"\n{agree:,} queries over {compared:,} documents: {len(wrong)} find different ones")
        for query in wrong[:10]:
            click.echo(f"  {query}")
    return exits.DONE


def _say(text: str) -> None:
    click.echo(text, err=True)


def _rows(results: list[Measured]) -> list[list[str]]:
    rows = [
        ["rebuilt: documents/s", *(f"{each.rebuilt.documents / each.rebuilt.wall_s:,.0f}" for each in results)],
        ["rebuilt: CPU ms/document", *(_cpu_ms(each.rebuilt) for each in results)],
        ["added to these: documents/s", *(f"{each.added.documents / each.added.wall_s:,.0f}" for each in results)],
        ["added to these: CPU ms/document", *(_cpu_ms(each.added) for each in results)],
        ["bytes/document", *(f"{each.size_bytes / each.documents:,.0f}" for each in results)],
    ]
    for kind in results[0].times_ms:
        rows.append([f"{kind}: p50, p95 (ms)", *(_percentiles(each.times_ms[kind]) for each in results)])
    for kind in results[0].cpu_ms:
        rows.append([f"{kind}: CPU p50, p95 (ms)", *(_percentiles(each.cpu_ms[kind]) for each in results)])
    for kind in results[0].recalled:
        rows.append([f"{kind} found", *("{:,} of {:,}".format(*each.recalled[kind]) for each in results)])
    return rows


def _cpu_ms(filled: Filled) -> str:
    return f"{filled.cpu_s * 1_000 / max(1, filled.documents):.2f}"


def _percentiles(times_ms: list[float]) -> str:
    ordered = sorted(times_ms)
    return f"{ordered[len(ordered) // 2]:.1f}, {ordered[int(len(ordered) * 0.95)]:.1f}" if ordered else "-"
