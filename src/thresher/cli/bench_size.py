"""`thresher bench size`."""

import click

from thresher.cli import exits
from thresher.extraction.algorithms import ALGORITHMS
from thresher.lab.growth import SIZES, grow, growth_table


@click.command("size")
@click.option("--algorithms", default="all", show_default=True, help="all, or names separated by commas.")
@click.option(
    "--repeats", type=click.IntRange(min=1), default=3, show_default=True, help="Repetitions; the shortest time counts."
)
@click.option(
    "--size", "sizes", type=click.IntRange(min=1_000), multiple=True, default=SIZES, help="Characters (repeatable)."
)
def command(algorithms: str, repeats: int, sizes: tuple[int, ...]) -> int:
    """Measure the CPU time of algorithms on a synthetic page of growing size, excluding parsing."""
    names = list(ALGORITHMS) if algorithms == "all" else [name.strip() for name in algorithms.split(",")]
    measured = []
    for name, size, ms in grow(names, sorted(set(sizes)), repeats):
        click.echo(f"{name}, {size:,} characters: {ms:.1f} ms", err=True)
        measured.append((name, size, ms))
    click.echo(growth_table(measured))
    return exits.DONE
