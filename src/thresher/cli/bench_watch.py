"""`thresher bench watch`."""

from dataclasses import replace
from typing import Any

import click

from thresher.cli import exits
from thresher.lab.tables import table
from thresher.lab.watch_trial import Finding, Terms, spread, watch_trial

DEFAULTS = Terms()
TOLD = 20  # faults of a kind that are named


@click.command("watch")
@click.option(
    "--sources", type=click.IntRange(5, 10_000), default=DEFAULTS.sources, show_default=True, help="To watch."
)
@click.option("--hours", type=float, default=DEFAULTS.hours, show_default=True, help="Of publishing, simulated.")
@click.option(
    "--speed", type=click.FloatRange(1, 3600), default=DEFAULTS.speed, show_default=True, help="Of the simulated clock."
)
@click.option("--kills", type=click.IntRange(min=0), default=DEFAULTS.kills, show_default=True, help="kill -9 in all.")
@click.option(
    "--per-hour", type=float, default=DEFAULTS.per_hour, show_default=True, help="Entries of a source, on average."
)
@click.option(
    "--late",
    "late_s",
    type=float,
    default=DEFAULTS.late_s,
    show_default=True,
    help="Real seconds after it was due by which a source must be asked.",
)
@click.option("--seed", type=int, default=DEFAULTS.seed, show_default=True, help="For the publications and the kills.")
@click.option("--embedded/--no-embedded", default=True, show_default=True, help="One process on one data folder.")
@click.option("--fleet/--no-fleet", default=True, show_default=True, help="Two processes on Redis and PostgreSQL.")
def command(embedded: bool, fleet: bool, **flags: Any) -> int:
    """Watch local sources at a faster clock while watching processes are killed, and compare what was collected.

    Feeds, sites, news sitemaps and forum boards are served on loopback, each at an address of its own; when each entry
    appears is known, and each source is down for some minutes. `thresher watch` follows them, is killed with SIGKILL at
    random moments and started again. The exit code is 1 if an entry is lost or stored twice, or a source was asked too
    late.
    """
    terms = Terms(**flags)
    trials = {"one process, one data folder": terms} if embedded else {}
    if fleet:
        trials["two processes, Redis and PostgreSQL"] = replace(terms, processes=2, servers=True)
    found = {name: watch_trial(each, lambda text: click.echo(text, err=True)) for name, each in trials.items()}
    click.echo(table(["", *found], _rows(list(found.values()))), nl=False)
    for name, one in found.items():
        for word in ("lost", "doubled", "miscounted"):
            for url in getattr(one, word)[:TOLD]:
                click.echo(f"{name}: {word}: {url}", err=True)
    return exits.DONE if all(one.is_sound for one in found.values()) else exits.FAILED


def _rows(found: list[Finding]) -> list[list[str]]:
    rows = {
        "articles and posts published": [f"{one.published:,}" for one in found],
        "lost": [str(len(one.lost)) for one in found],
        "stored twice, or never published": [str(len(one.doubled)) for one in found],
        "sources whose documents are not counted once": [str(len(one.miscounted)) for one in found],
        "edits that could be seen, missed": [f"{one.edited}, {one.edits_missed}" for one in found],
        "delay from publication to the store (simulated; median, 95 %, worst)": [_times(one.delays_s) for one in found],
        "rounds": [f"{one.rounds:,}" for one in found],
        "asked after it was due (real; median, 95 %, worst)": [_times(one.late_s) for one in found],
        "sources asked too late": [str(one.starved) for one in found],
        "requests": [f"{one.requests:,}" for one in found],
        "requests to sources that were down": [f"{one.failed:,}" for one in found],
        "repeated after a kill": [str(one.repeated - one.unexplained) for one in found],
        "repeated for no reason": [str(one.unexplained) for one in found],
        "shortest time between two requests to a host": [f"{one.least_gap_s:.2f} s" for one in found],
        "kill -9": [str(one.kills) for one in found],
        "took": [f"{one.seconds / 60:.1f} min" for one in found],
    }
    return [[label, *cells] for label, cells in rows.items()]


def _times(values: tuple[float, ...]) -> str:
    return ", ".join(f"{value / 60:.1f} min" if value >= 60 else f"{value:.1f} s" for value in spread(values))
