"""`thresher bench crawl`."""

import json
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from thresher.cli import bench_fleet, exits, output
from thresher.lab.crawl_bench import (
    CONCURRENCY,
    CONTENDERS,
    Ground,
    Race,
    folder_ground,
    rounds,
    sample_ground,
    scouted,
)
from thresher.lab.crawl_table import as_data, cores, load, markdown
from thresher.lab.plain_spiders import check_extra

PAGES = 1000


@click.command("crawl")
@click.option(
    "--pages",
    type=click.IntRange(10, 100_000),
    help="Articles and threads of the sample site (default 1000); listings, member pages and others are added.",
)
@click.option(
    "--folder",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Serve the HTML files below a folder instead.",
)
@click.option(
    "--repeat", type=click.IntRange(1, 100), default=1, show_default=True, help="Rounds; medians are printed."
)
@click.option(
    "--concurrency", type=click.IntRange(1, 1000), default=CONCURRENCY, show_default=True, help="Requests in flight."
)
@click.option("--workers", help="Crawl by fleets of these sizes instead, such as 1,2,4 (see `thresher bench fleet`).")
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write the figures of every run.")
@click.pass_context
def command(ctx: click.Context, /, workers: str | None, **flags: Any) -> int:
    """Crawl a site served on this machine, and compare with three plain Scrapy spiders.

    One spider only downloads, one follows links, and one follows links and extracts the text with trafilatura. All
    fetch the same pages without delay, each in a fresh process.
    """
    if workers:
        sizes = {"pages": flags["pages"]} if flags["pages"] else {}
        code: int = ctx.invoke(bench_fleet.command, workers=workers, json_file=flags["json_file"], **sizes)
        return code
    return _race(flags["pages"] or PAGES, flags["folder"], flags["repeat"], flags["concurrency"], flags["json_file"])


def _race(pages: int, folder: Path | None, repeat: int, concurrency: int, json_file: Path | None) -> int:
    check_extra()
    started, busy = datetime.now(UTC), load()
    if busy > cores() / 2:
        _say(f"the machine is busy (load {busy:.1f} on {cores()} cores): contenders with several processes gain")
    with _ground(pages, folder) as served:
        ground = scouted(served)
        _say(f"{len(ground.pages):,} pages; {repeat} × {len(CONTENDERS)} crawls on {cores()} cores")
        races = rounds(ground, repeat, _heard, concurrency=concurrency)
    click.echo(markdown(races), nl=False)
    if json_file:
        with output.opened(json_file) as stream:
            facts: dict[str, Any] = {"folder": str(folder)} if folder else {"sample_pages": pages}
            data = as_data(races, started=started.isoformat(), load=busy, concurrency=concurrency, **facts)
            json.dump(data, stream, indent=2)
    return exits.DONE


def _ground(pages: int, folder: Path | None) -> AbstractContextManager[Ground]:
    return folder_ground(folder) if folder else sample_ground(pages)


def _heard(race: Race) -> None:
    strays = f", {race.strays} others than the rest" if race.strays else ""
    _say(f"{CONTENDERS[race.contender]}: {race.pages:,} pages in {race.wall_s:.1f} s{strays}")


def _say(text: str) -> None:
    click.echo(text, err=True)
