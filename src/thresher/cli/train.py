"""`thresher train`."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import mean
from typing import Any

import click

from thresher.cli import columns, exits
from thresher.cli.bench_options import Pages
from thresher.cli.options import settings
from thresher.cli.terminal import say
from thresher.errors import UsageError
from thresher.extraction.lines import LAYOUTS, Layout
from thresher.lab.before_after import Worth, compare
from thresher.lab.pages import LabelledPage
from thresher.lab.training import trainer_of
from thresher.store.labels import DATASET, FOLDER

REPORT = "report.json"  # which the page of the labels shows


@click.command("train")
@click.argument("corpus", nargs=-1, type=click.Path(path_type=Path))
@click.option("--algorithm", required=True, help="A trainable algorithm: thresher, dgwc-svm, far-sw …")
@click.option(
    "-o",
    "--output",
    "path",
    type=click.Path(path_type=Path),
    help="The model file to write (default: beside the labels, as ALGORITHM.model).",
)
@click.option("--dataset", "datasets", multiple=True, help="Only pages of this dataset (repeatable).")
@click.option("--limit", type=click.IntRange(min=1), help="Maximum number of pages of each dataset.")
@click.option(
    "--lines", "layout", type=click.Choice(LAYOUTS), help="How line-based methods split pages (default: flowed)."
)
@click.pass_context
def command(
    ctx: click.Context,
    /,
    corpus: tuple[Path, ...],
    algorithm: str,
    path: Path | None,
    *,
    datasets: tuple[str, ...],
    limit: int | None,
    layout: Layout | None,
) -> int:
    """Train an algorithm on labelled pages and write a model for --model.

    CORPUS is a folder of *.jsonl.gz files (fields id, html, text, site …) or of name.html next to name.txt. Without
    one, the pages are those that were labelled in the web application. These are shown before and after: extracted
    with the model of now, and with one that was trained without their site.
    """
    labels = Path(settings(ctx).data) / FOLDER
    trainer = trainer_of(algorithm, layout)
    if not corpus and not labels.is_dir():
        raise UsageError(
            "no page is labelled yet: mark some in the web application, or name a folder of labelled pages"
        )
    path = _writable(path or labels / f"{algorithm}.model")
    pages = list(Pages(corpus or (labels,), datasets, limit))
    say(f"training {algorithm} on {len(pages):,} pages; this may take several minutes")
    model = trainer.train(pages)
    try:
        path.write_bytes(model)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from error
    learned = "; ".join(f"{what}: {value}" for what, value in trainer.describe(model).items())
    say(f"trained {algorithm} on {len(pages):,} pages; {learned}")
    labelled = [page for page in pages if page.dataset == DATASET]
    if labelled:
        worth = compare(algorithm, trainer, labelled, [page for page in pages if page.dataset != DATASET])
        _show(worth)
        if labels.is_dir():
            _report(labels / REPORT, algorithm, path, worth)
    say(f"try it: thresher extract --algorithm {algorithm} --model {path} FILE|URL")
    return exits.DONE


def _writable(path: Path) -> Path:
    """Return the path of a file that can be written; that is better known before training than after."""
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise UsageError(f"cannot write {path}: {'it is a folder' if path.is_dir() else 'no such folder'}")
    return path


def _show(worth: Sequence[Worth]) -> None:
    rows = [_row(each.page, each) for each in worth]
    columns.show(rows, "txt", empty="")
    figures = f"{_mean(worth, 'before')} before, {_mean(worth, 'after')} after"
    say(f"F1 of the text on {len(worth):,} labelled pages: {figures}")
    if all(each.after is None for each in worth):
        say("there is no figure after: label pages of two sites or more, so that one can be left out")


def _row(page: LabelledPage, each: Worth) -> dict[str, Any]:
    after = f"{each.after:.3f}" if each.after is not None else "-"
    return {"page": page.url or page.id, "before": f"{each.before:.3f}", "after": after}


def _mean(worth: Sequence[Worth], name: str) -> str:
    values = [value for each in worth if (value := getattr(each, name)) is not None]
    return f"{mean(values):.3f}" if values else "-"


def _report(path: Path, algorithm: str, model: Path, worth: Sequence[Worth]) -> None:
    """Keep the figures for the page of the labels."""
    after = [each.after for each in worth if each.after is not None]
    told = {
        "algorithm": algorithm,
        "model": str(model),
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "before": mean(each.before for each in worth),
        "after": mean(after) if after else None,
        "pages": [{"url": each.page.url, "before": each.before, "after": each.after} for each in worth],
    }
    path.write_text(json.dumps(told, ensure_ascii=False, indent=1), "utf-8")
