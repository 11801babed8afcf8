"""`thresher watch`: follow the sources of the catalog for ever."""

from typing import Any

import click

from thresher import services, wiring
from thresher.catalog.searches import plan_searches
from thresher.cli import exits, telemetry
from thresher.cli.options import places_in, settings, work_options
from thresher.cli.progress import Meter
from thresher.cli.terminal import TIMED, counted, log_to_stderr, say
from thresher.cli.worker_run import Watch, bury_children, restart
from thresher.crawling.heartbeat import RECYCLE, Limits
from thresher.crawling.outage import wait_out
from thresher.errors import Unreachable
from thresher.watching.watch import watch


@click.command("watch")
@click.option("--once", is_flag=True, help="Do what is due now, then exit: for cron.")
@click.option("--delay", "delay_s", type=click.FloatRange(min=0), help="Seconds between requests to one host.")
@work_options
@click.pass_context
def command(ctx: click.Context, /, **flags: Any) -> int:
    """Follow the sources of the catalog: ask each when it is due, and collect what is new.

    Sources that `thresher sources` adds, changes, pauses or removes are noticed within seconds. Several processes, on
    one machine or on many with --frontier redis://…, share the work; none is done twice. After an outage, what was
    missed is asked for once. Unreachable servers are waited for, except with --once. Workers (`thresher worker run`)
    without a crawl to work on help. Alerts (`thresher alerts`) are checked, too. On SIGTERM or Ctrl-C the requests
    in flight are finished for at most 12 seconds; the exit code is 130 then.
    """
    log_to_stderr(TIMED)
    bury_children()
    given = {
        name: flags[name] for name in ("delay_s", "concurrency", "allowed_addresses") if flags[name] not in (None, ())
    }
    chosen = settings(ctx, **places_in(flags), **given)
    once = flags["once"]
    corpus = wiring.open_corpus(chosen) if once else wait_out(lambda: wiring.open_corpus(chosen))
    telemetry.begin(chosen, "watch")
    meter = Meter(flags["progress"], None)
    watcher = Watch(meter)
    alerts = services.AlertService(chosen)
    try:
        for fault in plan_searches(corpus.catalog(), chosen.engines):
            say(fault)
        active = [source for source in corpus.catalog().sources() if source.is_active]
        say(f"watching {counted(len(active), 'source')}" + ("" if active else "; `thresher sources add URL` adds one"))
        limits = Limits(flags["max_pages"], flags["max_memory"])
        if not once:
            alerts.start()
        with meter.open():
            order = watch(corpus, wiring.means(chosen), wiring.habits(chosen, once=once), watcher, limits)
        if once:
            services.run_alerts(corpus, chosen)
    except Unreachable as error:
        if once:
            raise
        say(f"{error} (restarting)")
        order = RECYCLE
    finally:
        alerts.stop()
        corpus.close()
    if order == RECYCLE and not once:
        restart()
    return exits.INTERRUPTED if watcher.interrupted else exits.DONE
