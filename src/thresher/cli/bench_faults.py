"""`thresher bench faults`."""

import click

from thresher.cli import exits
from thresher.lab.faults import FAULTS, Ordeal, Terms, missing_for, prepared
from thresher.lab.faults_table import complaints, markdown

DEFAULTS = Terms()


@click.command("faults")
@click.option("--fault", "chosen", multiple=True, type=click.Choice(list(FAULTS)), help="Only this one (repeatable).")
@click.option("--kills", type=click.IntRange(min=1), default=DEFAULTS.kills, show_default=True, help="Workers to kill.")
@click.option(
    "--workers", type=click.IntRange(1, 64), default=DEFAULTS.workers, show_default=True, help="Workers at a time."
)
@click.option("--sites", type=click.IntRange(1, 64), default=DEFAULTS.sites, show_default=True, help="Sites to crawl.")
@click.option(
    "--pages", type=click.IntRange(1, 10_000), default=DEFAULTS.pages, show_default=True, help="Pages of each site."
)
@click.option(
    "--delay", "delay_s", type=float, default=DEFAULTS.delay_s, show_default=True, help="Seconds between requests."
)
@click.option(
    "--outage",
    "outage_s",
    type=float,
    default=DEFAULTS.outage_s,
    show_default=True,
    help="Seconds that servers are down.",
)
@click.option("--store", type=click.Choice(["postgresql", "sqlite"]), default="postgresql", show_default=True)
@click.option("--server", default="redis-server", show_default=True, help="The server program of the frontier.")
@click.option(
    "--seed", type=int, default=DEFAULTS.seed, show_default=True, help="Random seed for the times of the kills."
)
def command(chosen: tuple[str, ...], store: str, server: str, **terms: float) -> int:
    """Crawl while workers and servers are killed, stopped and started, and count what was lost or duplicated.

    Sites, Redis and PostgreSQL are started for the test on this machine. The exit code is 1 if a URL is lost, a
    document is stored twice, or the link counts do not add up.
    """
    size = Terms(**terms)  # type: ignore[arg-type]
    ordeals: list[tuple[str, Ordeal]] = []
    with prepared(size, store=store, redis=server) as ground:
        for name in chosen or FAULTS:
            trial = FAULTS[name]
            missing = missing_for(name, store=store)
            if missing:
                click.echo(f"left out: {trial.label} ({missing})", err=True)
                continue
            ordeals.append((trial.label, ground.crawl(name, trial.fault, embedded=trial.embedded)))
            click.echo(f"{trial.label}: {'sound' if ordeals[-1][1].verdict.is_sound else 'NOT SOUND'}", err=True)
    click.echo(markdown(ordeals), nl=False)
    wrong = list(complaints(ordeals))
    for line in wrong:
        click.echo(line, err=True)
    return exits.FAILED if wrong else exits.DONE
