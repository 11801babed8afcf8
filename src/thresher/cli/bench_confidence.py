"""`thresher bench confidence`."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click

from thresher.cli import exits, output
from thresher.lab import corpora
from thresher.lab.confidence import (
    Reliability,
    article_signs,
    diagram,
    fold_signs,
    left_out,
    other_signs,
    reliability,
    told,
)
from thresher.lab.fields_gold import load_gold
from thresher.lab.tables import table
from thresher.lab.train.confidence import encode, fit_weights


@click.command("confidence")
@click.argument("corpus", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@click.option("--dataset", "datasets", multiple=True, help="Only pages of this dataset (repeatable).")
@click.option("--limit", type=click.IntRange(min=1), help="Maximum number of pages of each dataset.")
@click.option(
    "--others", type=click.Path(path_type=Path, exists=True), help="Pages of other kinds, which are measured as well."
)
@click.option("--shipped", is_flag=True, help="Measure what is shipped, on pages that it has not seen.")
@click.option("--save", type=click.Path(path_type=Path), help="Write the weights that all pages give.")
@click.option("--svg", type=click.Path(path_type=Path), help="Write a reliability diagram.")
def command(
    corpus: tuple[Path, ...],
    datasets: tuple[str, ...],
    limit: int | None,
    others: Path | None,
    *,
    shipped: bool,
    save: Path | None,
    svg: Path | None,
) -> int:
    """Measure whether confidences mean what they say: of the answers called 90 % sure, are nine of ten right?

    A CORPUS is a folder of *.jsonl.gz files of articles. A text is right when its F1 of shingles with the labelled one
    is .9 or more, a field as `thresher bench fields` says. Models and weights are fitted to other sites than those
    they are measured on; with --shipped those of the package are measured.
    """
    pages = [page for path in corpus for page in corpora.select(corpora.load(path), datasets) if not page.posts]
    pages = corpora.sample(pages, limit) if limit else pages
    gold = {page.id: page.gold for page in load_gold(corpus)}
    signs = [*article_signs(pages, gold)] if shipped else fold_signs(pages, gold)
    if others:
        signs += other_signs([page for page in corpora.load(others) if not page.posts])
    rows = list(reliability([*(told(signs) if shipped else left_out(signs))]))
    click.echo(_tables(rows))
    if svg:
        with output.opened(svg) as stream:
            stream.write(diagram(rows, "Confidence, and what was right"))
    if save:
        about = {"pages": dict(sorted(Counter(page.dataset for page in pages).items())), "answers": len(signs)}
        save.write_bytes(encode(fit_weights(signs), about))
    return exits.DONE


def _tables(rows: Sequence[Reliability]) -> str:
    whole = [
        [row.field, str(row.answers), *(f"{value:.3f}" for value in (row.right, row.called, row.error, row.brier))]
        for row in rows
    ]
    bins = [
        [row.field, f"from {low:.2f}", str(number), f"{called:.3f}", f"{right:.3f}"]
        for row in rows
        for low, number, called, right in row.bins
    ]
    return "\n".join(
        (
            table(["", "answers", "right", "called", "error", "Brier"], whole),
            table(["", "confidence", "answers", "called", "right"], bins),
        )
    )
