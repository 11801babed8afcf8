"""`thresher bench serve`."""

from pathlib import Path

import click

from thresher.cli import exits
from thresher.lab.search_corpus import read_prose
from thresher.lab.serve_bench import Asked, Served, Terms, measure_serving
from thresher.lab.servers import own_folder
from thresher.lab.tables import table

FOLDER = Path("../shared/corpora/articles")


@click.command("serve")
@click.argument("folder", type=click.Path(path_type=Path), default=FOLDER)
@click.option("--documents", type=click.IntRange(min=100), default=200_000, show_default=True)
@click.option("--queries", type=click.IntRange(min=10), default=200, show_default=True)
@click.option("--readers", type=click.IntRange(min=0), default=50, show_default=True, help="At once; 0: none.")
@click.option("--seconds", type=click.FloatRange(min=1), default=60.0, show_default=True, help="That they read.")
@click.option("--pause", type=click.FloatRange(min=0), default=1.0, show_default=True, help="Seconds between pages.")
@click.option("--corpus", type=click.Path(path_type=Path), help="Keep the corpus here, or take the one that is there.")
def command(
    folder: Path, documents: int, queries: int, readers: int, seconds: float, pause: float, corpus: Path | None
) -> int:
    """Serve a large embedded corpus, and measure pages, searches, memory, and many readers beside a crawl.

    FOLDER holds labelled pages whose sentences documents are made of. First one reader asks for every page and many
    searches; then many read at once while a crawl of a sample site writes. Times are those of the server, from the
    moment it sees a request to its first byte. The exit code is 1 if an answer was an error, or a database was locked.
    """
    terms = Terms(documents, queries, readers, seconds, pause)
    prose = read_prose(folder)
    if corpus:
        corpus.mkdir(parents=True, exist_ok=True)
        found = measure_serving(prose, corpus, terms, _say)
    else:
        with own_folder() as own:
            found = measure_serving(prose, own / "data", terms, _say)
    _report(found)
    wrong = any(asked.wrong for asked in (*found.kinds.values(), *found.crowd.values()))
    return exits.FAILED if wrong or found.locked else exits.DONE


def _report(found: Served) -> None:
    header = ["", "requests", "server p50, p95, most (ms)", "CPU p50, p95 (ms)", "client p95 (ms)", "errors"]
    click.echo(f"{found.documents:,} documents, stored in {found.stored_s:,.0f} s\n")
    click.echo(table(["one reader", *header[1:]], [_row(kind, asked) for kind, asked in found.kinds.items()]))
    if found.crowd:
        click.echo(table(["many readers", *header[1:]], [_row(kind, asked) for kind, asked in found.crowd.items()]))
        click.echo(
            f"{found.crawled:,} documents stored by the crawl meanwhile; {found.locked} times a locked database\n"
        )
    click.echo(
        table(["memory of `serve`", "MB"], [[when, f"{size / 1e6:.0f}"] for when, size in found.resident_bytes.items()])
    )
    for asked in (*found.kinds.values(), *found.crowd.values()):
        for what, count in asked.wrong.most_common(5):
            click.echo(f"{count} × {what}")


def _row(kind: str, asked: Asked) -> list[str]:
    server = sorted(asked.server_ms) or [0.0]
    client = sorted(asked.client_ms) or [0.0]
    p50, p95 = server[len(server) // 2], server[int(len(server) * 0.95)]
    times = f"{p50:.0f}, {p95:.0f}, {server[-1]:.0f}"
    cpu = sorted(asked.cpu_ms)
    spent = f"{cpu[len(cpu) // 2]:.0f}, {cpu[int(len(cpu) * 0.95)]:.0f}" if cpu else ""
    return [kind, f"{len(server):,}", times, spent, f"{client[int(len(client) * 0.95)]:.0f}", str(asked.wrong.total())]


def _say(text: str) -> None:
    click.echo(text, err=True)
