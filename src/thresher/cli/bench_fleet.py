"""`thresher bench fleet`."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from thresher.cli import exits, output
from thresher.errors import UsageError
from thresher.lab.containers import Containers
from thresher.lab.crawl_table import cores, load
from thresher.lab.fleet_bench import SCRAPY, Pass, prepared_track
from thresher.lab.fleet_table import charts, markdown
from thresher.lab.plain_spiders import check_extra

FILE = click.Path(path_type=Path)


@click.command("fleet")
@click.option(
    "--pages", type=click.IntRange(8, 100_000), default=8000, show_default=True, help="Of eight sites together."
)
@click.option("--workers", default="1,2,4,8,10", show_default=True, help="Sizes of fleets, by comma.")
@click.option("--latency", "latency_s", type=float, default=0.5, show_default=True, help="Of every answer, in seconds.")
@click.option("--concurrency", type=click.IntRange(1, 1000), default=4, show_default=True, help="Of each worker.")
@click.option("--scrapy/--no-scrapy", default=True, show_default=True, help="Run standalone Scrapy beside them.")
@click.option("--image", help="Run the workers in containers of this image, on the Docker engine of this machine.")
@click.option("--engine", default="unix:///var/run/docker.sock", show_default=True, help="With --image: the engine.")
@click.option("--docker", "program", default="docker", show_default=True, help="With --image: the program to use.")
@click.option("--json", "json_file", type=FILE, help="Write every figure.")
@click.option("--svg", "svg_file", type=FILE, help="Draw the times by the number of workers.")
def command(pages: int, workers: str, *, latency_s: float, concurrency: int, scrapy: bool, **more: Any) -> int:
    """Crawl eight sites served on this machine, half of them Chinese, by fleets of several sizes.

    Workers share Redis and PostgreSQL, which run for this alone. Beside them one standalone Scrapy process does the
    same at the concurrency of one worker, and keeps nothing. Clocks run from the first request to the last page.
    """
    check_extra()
    sizes, facts = _sizes(workers), {"latency_s": latency_s, "concurrency": concurrency, "load": load()}
    containers = Containers(more["image"], more["engine"], more["program"]) if more["image"] else None
    with prepared_track(pages, latency_s=latency_s, concurrency=concurrency, containers=containers) as track:
        _say(f"{len(track.sites.files):,} pages on {cores()} cores, load {facts['load']:.1f}")
        passes = [_heard(track.scrapy(kind)) for kind in (SCRAPY if scrapy else ())]
        passes += [_heard(track.fleet(size)) for size in sizes]
    click.echo(markdown(passes), nl=False)
    if more["svg_file"]:
        with output.opened(more["svg_file"]) as stream:
            stream.write(charts(passes))
    if more["json_file"]:
        with output.opened(more["json_file"]) as stream:
            json.dump({**facts, "cores": cores(), "passes": [asdict(each) for each in passes]}, stream, indent=2)
    return exits.DONE


def _sizes(text: str) -> list[int]:
    try:
        sizes = sorted({int(part) for part in text.split(",")})
    except ValueError:
        sizes = []
    if not sizes or sizes[0] < 1:
        raise UsageError(f"workers: {text!r} is not a list of numbers such as 1,2,4")
    return sizes


def _heard(one: Pass) -> Pass:
    _say(f"{one.name}: {one.pages:,} pages in {one.seconds:.1f} s")
    return one


def _say(text: str) -> None:
    click.echo(text, err=True)
