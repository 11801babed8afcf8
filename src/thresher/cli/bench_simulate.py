"""`thresher bench simulate`."""

import tempfile
from pathlib import Path

import click

from thresher.cli import exits
from thresher.lab import simulation as model
from thresher.lab.servers import own_redis
from thresher.lab.simulation_live import Judged, Trial, measure
from thresher.lab.tables import table

GB = 1e9
SMALL = model.Plan(urls=6_000, hosts=300, skew=0.8, host_pages=100)  # run by the real frontier, too
SMALL_WORKERS = 6
DAY_S = 86_400.0
USUAL = model.Plan()


@click.command("simulate")
@click.option("--urls", type=click.IntRange(1_000), default=USUAL.urls, show_default=True, help="Links of the crawl.")
@click.option("--hosts", type=click.IntRange(10), default=USUAL.hosts, show_default=True, help="Hosts they are on.")
@click.option("--workers", type=click.IntRange(1), default=USUAL.workers, show_default=True, help="Workers.")
@click.option(
    "--days",
    type=click.FloatRange(min=0, min_open=True),
    default=USUAL.days,
    show_default=True,
    help="Days that are simulated.",
)
@click.option(
    "--delay", type=click.FloatRange(min=0), default=USUAL.delay_s, show_default=True, help="Seconds a host rests."
)
@click.option(
    "--pages-per-s",
    type=click.FloatRange(min=0, min_open=True),
    default=USUAL.pages_per_s,
    show_default=True,
    help="Of one worker.",
)
@click.option(
    "--skew",
    type=click.FloatRange(min=0),
    default=USUAL.skew,
    show_default=True,
    help="Of the sizes of hosts; 0: all alike.",
)
@click.option(
    "--live",
    type=click.FloatRange(min=0, min_open=True),
    metavar="MINUTES",
    help="Lease and settle on a real Redis instead.",
)
@click.option("--server", default="redis-server", show_default=True, help="The server program to run.")
def command(live: float | None, server: str, **flags: float) -> int:
    """Simulate a large fleet: what is crawled when, and what one Redis pays for it.

    First the model and the real frontier do the same small crawl and are compared; costs are measured on that server.
    With --live, so many workers lease and settle against one Redis for so long; no page is fetched.
    """
    if live is not None:
        trial = Trial(workers=int(flags["workers"]), minutes=live)
        with own_redis(server, "--maxclients", "20000") as redis, tempfile.TemporaryDirectory() as folder:
            click.echo(_lived(trial, measure(redis.url, trial, Path(folder))), nl=False)
        return exits.DONE
    plan = model.Plan(
        urls=int(flags["urls"]),
        hosts=int(flags["hosts"]),
        workers=int(flags["workers"]),
        days=flags["days"],
        delay_s=flags["delay"],
        pages_per_s=flags["pages_per_s"],
        skew=flags["skew"],
    )
    with own_redis(server, "--appendonly", "no") as redis:
        agrees = _compared(redis.url)
        click.echo(agrees)
    with own_redis(server, "--appendonly", "no") as redis:
        cost = model.costs(redis.url, plan.workers)
    click.echo(_costs(plan, cost))
    click.echo(_course(plan, model.load_of(plan, cost)), nl=False)
    return exits.DONE


def _compared(url: str) -> str:
    sizes = model.sizes_of(SMALL)
    real = model.course_of_redis(url, sizes, workers=SMALL_WORKERS, plan=SMALL)
    per_step = SMALL_WORKERS * model.LEASED
    ours = model.course_of_model(sizes, per_step, len(real.served) * 2, keep=True)
    same = sum(each == other for each, other in zip(real.hosts, ours.hosts, strict=False))
    contended = sum(count == per_step for count in real.served)
    rows = [
        ["steps until all was served", f"{len(real.served)}", f"{len(ours.served)}"],
        ["steps with the same hosts", f"{same} of {len(real.served)}", ""],
        ["hosts that end in the same step", f"{sum(map(int.__eq__, real.ended, ours.ended))} of {len(sizes)}", ""],
        [
            f"fewest and most pages of a host after {contended} full steps",
            *(" to ".join(map(str, model.evenness(each, sizes, contended))) for each in (real, ours)),
        ],
    ]
    return table([f"{sum(sizes):,} links of {len(sizes)} hosts", "real frontier", "model"], rows)


def _costs(plan: model.Plan, cost: model.Costs) -> str:
    rows = [
        ["a new link is offered", f"{cost.offer_us:.1f}"],
        ["a known link is offered", f"{cost.known_us:.1f}"],
        [f"a page is settled and the next link leased, by {model.LEASED}", f"{cost.page_us:.1f}"],
        ["asked in vain for a lease", f"{cost.idle_us:.0f}"],
        [f"a sign of life beside {plan.workers:,} workers", f"{cost.beat_us:.0f}"],
        ["a lease is renewed", f"{cost.renew_us:.1f}"],
    ]
    lines = [
        ["a host with a link", f"{cost.host_bytes:.0f}"],
        ["each further link that waits", f"{cost.waiting_bytes:.0f}"],
        ["each link that is done", f"{cost.done_bytes:.0f}"],
    ]
    return table(["Redis", "us of processor time"], rows) + "\n" + table(["Redis", "bytes"], lines)


def _course(plan: model.Plan, load: model.Load) -> str:
    sizes = model.sizes_of(plan)
    by_workers = plan.workers * plan.pages_per_s
    per_s = min(by_workers, load.most_pages_per_s)
    steps = int(plan.days * DAY_S / plan.gap_s)
    course = model.course_of_model(sizes, max(1, int(per_s * plan.gap_s)), steps)
    alone = model.course_of_model(sizes, plan.hosts, steps)
    served = sum(course.served)
    rows = [
        ["pages a second: workers", f"{by_workers:,.0f}"],
        ["pages a second: one Redis", f"{load.most_pages_per_s:,.0f}"],
        ["pages a second: politeness, all hosts at once", f"{plan.hosts / plan.gap_s:,.0f}"],
        ["Redis: share of a core for a fleet that waits", f"{load.overhead:.0%}"],
        ["Redis: memory when every link waits", f"{load.memory_at_first / GB:.1f} GB"],
        ["Redis: memory when every link is done", f"{load.memory_at_last / GB:.1f} GB"],
        [f"pages in {plan.days:g} days", f"{served:,} of {sum(sizes):,} ({served / sum(sizes):.1%})"],
        *([f"until {share:.0%} are crawled", _days(course, alone, share, plan)] for share in (0.5, 0.9, 0.99, 1.0)),
        ["the largest host", f"{max(sizes):,} pages, {max(sizes) * plan.gap_s / DAY_S:.1f} days by politeness alone"],
    ]
    head = f"{plan.urls:,} links, {plan.hosts:,} hosts, {plan.workers:,} workers"
    return table([head, ""], rows)


def _days(course: model.Course, alone: model.Course, share: float, plan: model.Plan) -> str:
    found = []
    for each in (course, alone):
        steps = each.steps_until(share)
        found.append("never" if steps is None else f"{steps * plan.gap_s / 3600:.1f} h")
    return f"{found[0]} (politeness alone: {found[1]})"


def _lived(trial: Trial, judged: Judged) -> str:
    rows = [
        ["leases a second", f"{judged.leases_per_s:,.0f}"],
        ["settled, refused", f"{judged.settled:,}, {judged.refused:,}"],
        ["leases sooner than the delay", f"{judged.too_soon:,}"],
        ["shortest time between two of a host", f"{judged.shortest_gap_s:.3f} s (delay {trial.delay_s:g} s)"],
        *(
            [f"{name}: median, p99", f"{judged.median_ms[name]:.1f} ms, {judged.p99_ms[name]:.1f} ms"]
            for name in sorted(judged.p99_ms)
        ),
        ["Redis: share of a core", f"{judged.server_cpu:.0%}"],
        ["Redis: memory", f"{judged.server_bytes / 1e6:,.0f} MB"],
    ]
    head = f"{trial.workers:,} workers, {trial.minutes:g} minutes, {trial.links:,} links, {trial.hosts:,} hosts"
    return table([head, ""], rows)
