"""`thresher bench live`."""

from pathlib import Path

import click

from thresher.cli import exits
from thresher.lab.live_search import BACKENDS, Live, Terms, measure_live
from thresher.lab.search_corpus import read_prose
from thresher.lab.tables import table

FOLDER = Path("../shared/corpora/articles")


@click.command("live")
@click.argument("folder", type=click.Path(path_type=Path), default=FOLDER)
@click.option("--documents", type=click.IntRange(min=100), default=5_000, show_default=True, help="At first.")
@click.option("--written", type=click.IntRange(min=10), default=2_000, show_default=True, help="While searching.")
@click.option("--per-second", type=click.FloatRange(min=1), default=100.0, show_default=True, help="Of these.")
@click.option("--backend", "names", multiple=True, type=click.Choice(BACKENDS), help="(repeatable)")
def command(folder: Path, documents: int, written: int, per_second: float, names: tuple[str, ...]) -> int:
    """Search a corpus alone, while another process stores documents, and while it rebuilds the index.

    FOLDER holds labelled pages whose sentences documents are made of. Prints the times of queries in each phase, the
    ratio of the 95th percentile to that of searching alone, and errors. The exit code is 1 if a query failed, or
    something that was stored is not found in the end.
    """
    terms = Terms(documents=documents, written=written, per_s=per_second)
    prose = read_prose(folder)
    results = [measure_live(name, prose, terms, _say) for name in names or BACKENDS]
    click.echo(
        table(["index", "phase", "queries", "p50, p95 (ms)", "p95 / alone", "errors", "stored/s"], _rows(results))
    )
    for result in results:
        click.echo(f"{result.name}: {result.missing} of {result.written:,} documents stored meanwhile are not found")
    failed = any(result.missing or any(phase.errors for phase in result.phases) for result in results)
    return exits.FAILED if failed else exits.DONE


def _say(text: str) -> None:
    click.echo(text, err=True)


def _rows(results: list[Live]) -> list[list[str]]:
    rows = []
    for result in results:
        alone = _percentile(result.phases[0].times_ms, 0.95)
        for number, phase in enumerate(result.phases):
            p50, p95 = (_percentile(phase.times_ms, share) for share in (0.5, 0.95))
            stored = f"{result.written / phase.seconds:.0f}" if number == 1 else ""
            cells = [result.name, phase.name, f"{len(phase.times_ms):,}", f"{p50:.1f}, {p95:.1f}"]
            rows.append([*cells, f"{p95 / alone:.1f}", f"{len(phase.errors)}", stored])
    return rows


def _percentile(times_ms: list[float], share: float) -> float:
    ordered = sorted(times_ms)
    return ordered[int(len(ordered) * share)]
