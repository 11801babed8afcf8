"""`thresher bench kinds`."""

from pathlib import Path

import click

from thresher.cli import exits
from thresher.lab.kinds import load_kinds
from thresher.lab.kinds_bench import confusion, cross_validate, judge_shipped
from thresher.lab.train.kinds import samples_of, train_kinds


@click.command("kinds")
@click.argument("corpus", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--shipped", is_flag=True, help="Judge whole documents with the shipped model; train nothing.")
@click.option("--save", "path", type=click.Path(path_type=Path), help="Train on all pages and write the model.")
def command(corpus: tuple[Path, ...], shipped: bool, path: Path | None) -> int:
    """Say how well kinds of pages are told: article, thread, board, listing, other.

    By default models are trained ten times, each time judging sites and forum engines that it has not seen. CORPUS is
    a folder of *.jsonl.gz files; pages whose kind no label tells are left out.
    """
    pages = [page for folder in corpus for page in load_kinds(folder)]
    if shipped:
        click.echo(confusion(judge_shipped(pages)))
        return exits.DONE
    samples = samples_of(pages)
    if path is not None:
        path.write_bytes(train_kinds(samples))
        return exits.DONE
    click.echo(confusion(cross_validate(samples)))
    return exits.DONE
