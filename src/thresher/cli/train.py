"""`thresher train`."""

from pathlib import Path

import click

from thresher.cli import exits
from thresher.cli.bench_options import Pages
from thresher.cli.terminal import say
from thresher.errors import UsageError
from thresher.extraction.lines import LAYOUTS, Layout
from thresher.lab.training import trainer_of


@click.command("train")
@click.argument("corpus", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--algorithm", required=True, help="A trainable algorithm: thresher, dgwc-svm, far-sw …")
@click.option("-o", "--output", "path", required=True, type=click.Path(path_type=Path), help="The model file to write.")
@click.option("--dataset", "datasets", multiple=True, help="Only pages of this dataset (repeatable).")
@click.option("--limit", type=click.IntRange(min=1), help="Maximum number of pages of each dataset.")
@click.option(
    "--lines", "layout", type=click.Choice(LAYOUTS), help="How line-based methods split pages (default: flowed)."
)
def command(
    corpus: tuple[Path, ...],
    algorithm: str,
    path: Path,
    *,
    datasets: tuple[str, ...],
    limit: int | None,
    layout: Layout | None,
) -> int:
    """Train an algorithm on labelled pages and write a model for --model.

    CORPUS is a folder of *.jsonl.gz files (fields id, html, text, site …) or of name.html next to name.txt.
    """
    trainer = trainer_of(algorithm, layout)
    if path.is_dir() or not path.absolute().parent.is_dir():  # better known before training than after
        raise UsageError(f"cannot write {path}: {'it is a folder' if path.is_dir() else 'no such folder'}")
    pages = list(Pages(corpus, datasets, limit))
    say(f"training {algorithm} on {len(pages):,} pages; this may take several minutes")
    model = trainer.train(pages)
    try:
        path.write_bytes(model)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from error
    learned = "; ".join(f"{what}: {value}" for what, value in trainer.describe(model).items())
    say(f"trained {algorithm} on {len(pages):,} pages; {learned}")
    say(f"try it: thresher extract --algorithm {algorithm} --model {path} FILE|URL")
    return exits.DONE
