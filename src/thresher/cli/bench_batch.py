"""`thresher bench batch`."""

from pathlib import Path
from tempfile import TemporaryDirectory

import click

from thresher.cli import exits
from thresher.lab.batch_bench import measure, measure_peer, table, write_archives
from thresher.lab.corpora import load, sample

RUNS = ("local-1", "local-2", "local-2+kill", "spark", "spark+kill", "ray", "ray+kill")


@click.command("batch")
@click.argument("corpus", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--records", type=click.IntRange(min=10), default=10_000, show_default=True, help="WARC records in all.")
@click.option("--files", type=click.IntRange(min=1), default=20, show_default=True, help="WARC files they are in.")
@click.option("--peer-files", type=click.IntRange(min=0), default=1, show_default=True, help="Files for the peer too.")
@click.option("--run", "runs", type=click.Choice(RUNS), multiple=True, help="Repeatable; default: all.")
def command(corpus: tuple[Path, ...], records: int, files: int, peer_files: int, runs: tuple[str, ...]) -> int:
    """Measure `thresher batch extract` on local processes, Spark and Ray, next to warcio with trafilatura.

    The records are the pages of CORPUS, folders of *.jsonl.gz files, repeated as often as needed. With "+kill" a worker
    is killed in the middle; the output must be the same.
    """
    pages = sample((page for folder in corpus for page in load(folder)), 200)
    pages.sort(key=lambda page: page.id)  # each file has pages of every dataset
    with TemporaryDirectory(prefix="thresher-batch-") as folder:
        paths = write_archives(pages, Path(folder), records, files)
        size = sum(path.stat().st_size for path in paths)
        click.echo(f"{records:,} records of {len(pages):,} pages, {files} WARC files, {size / 1e6:.0f} MB", err=True)
        few, measured, peers = paths[:peer_files], [], []
        if few:
            peers.append((next(measure(few, ["local-1"], _tell)), measure_peer(few)))
            _tell(table([], peers))
        for run in measure(paths, runs or RUNS, _tell):
            measured.append(run)
            _tell(table([run], []))
    click.echo(table(measured, peers))
    same = len({run.output for run in measured}) == 1
    click.echo("\nAll outputs are the same." if same else "\nThe outputs differ.")
    return exits.DONE if same else exits.FAILED


def _tell(words: str) -> None:
    click.echo(words, err=True)
