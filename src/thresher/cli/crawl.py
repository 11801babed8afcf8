"""`thresher crawl`: collect pages from one or more URLs now."""

import tempfile
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import click

from thresher import config, wiring
from thresher.cli import crawl_summary, exits, telemetry
from thresher.cli.options import places_in, request_options, requests_in, server_options, settings
from thresher.cli.progress import STYLES, Meter
from thresher.cli.run_report import check_report, report_option, write_report
from thresher.cli.searching import search_options, show_searches, with_search
from thresher.cli.terminal import counted, say
from thresher.crawling.corpus import Corpus
from thresher.crawling.landing import Landing
from thresher.crawling.opening import open_run, options_of, start_url
from thresher.crawling.report import Report
from thresher.crawling.run import conduct, enqueue
from thresher.discovery.scope import Mode
from thresher.errors import UsageError
from thresher.extraction.algorithms import check_name
from thresher.fetch.robots import product_token
from thresher.frontier.contract import Census, Rules
from thresher.model import Run, RunState

MEANS = ("delay_s", "concurrency", "allowed_addresses", "allowed_ports", "min_confidence")  # flags that are settings
PORTS = "Port to allow besides 80, 443 and those of the start URLs (repeatable)."
# Flags, and how far the scope reaches that they stand for.
MODES: dict[str, Mode] = {"same_host": "host", "subdomains": "subdomains", "any_host": "any"}
FIXED = (*MODES, "include", "exclude", "max_depth", "since", "algorithm", "refresh", "dry_run")  # flags of a run


@click.command("crawl")
@click.argument("start", nargs=-1, metavar="URL...")
@click.option(
    "--limit", type=click.IntRange(min=1), help="Pages to fetch in this run, including those before a resume."
)
@click.option("--max-depth", type=click.IntRange(min=0), help="Follow at most this many links from a start URL.")
@click.option("--since", metavar="DAY", help="Leave what is dated before this day, such as 2026-11-01.")
@click.option("--include", multiple=True, metavar="REGEX", help="Fetch only URLs that match (repeatable).")
@click.option("--exclude", multiple=True, metavar="REGEX", help="Never fetch URLs that match (repeatable).")
@click.option("--same-host", is_flag=True, help="Stay on the hosts of the start URLs (default).")
@click.option("--subdomains", is_flag=True, help="Also crawl subdomains of the start sites.")
@click.option("--any-host", is_flag=True, help="Follow links anywhere.")
@click.option("--min-confidence", type=click.FloatRange(0, 1), help="Store no text that is less probably right.")
@click.option("--delay", "delay_s", type=click.FloatRange(min=0), help="Seconds between requests to one host.")
@click.option("--concurrency", type=click.IntRange(min=1, max=1000), help="Requests in flight across all hosts.")
@click.option(
    "--allow-address", "allowed_addresses", multiple=True, help="Private address or network to allow (repeatable)."
)
@click.option("--allow-port", "allowed_ports", multiple=True, type=click.IntRange(1, 65_535), help=PORTS)
@click.option("--algorithm", help="Content algorithm (default: thresher).")
@click.option("--resume", is_flag=True, help="Continue the last run that made progress (with these URLs, if given).")
@click.option("--refresh", is_flag=True, help="Fetch stored documents again if they have changed.")
@click.option("--enqueue", is_flag=True, help="Only open the run; workers (`thresher worker run`) do the rest.")
@click.option("--dry-run", is_flag=True, help="Fetch only the start URLs, print what would be crawled, store nothing.")
@report_option
@click.option("--progress", type=click.Choice(STYLES), default="auto", show_default=True, help="How to show progress.")
@click.option("-q", "--quiet", is_flag=True, help="Print only errors.")
@search_options
@request_options
@server_options
@click.pass_context
def command(ctx: click.Context, /, **flags: Any) -> int:
    """Crawl from one or more URLs, or from what --search finds, and store the articles and threads that are found.

    Press Ctrl-C once to finish the requests in flight and see how to resume, twice to stop at once.
    """
    flags = with_search(ctx, flags)
    starts = _check(flags)
    given = places_in(flags) | requests_in(ctx, flags, starts)  # not kept with the run: they may hold secrets

    def chosen_for(run: Run) -> config.Settings:
        return settings(ctx, **given, **run.options.get("means", {}) | _means_given(flags))

    chosen = settings(ctx, **given, **_means_given(flags))
    options = _options(starts, flags)
    if flags["dry_run"]:
        return _dry_run(chosen, starts, options)
    corpus = wiring.open_corpus(chosen, create=not flags["resume"])
    telemetry.begin(chosen, "crawl")
    try:
        run = _resumed(corpus, set(starts), chosen_for) if flags["resume"] else open_run(corpus, starts, options)
        chosen = chosen_for(run)
        if flags["enqueue"]:
            return _enqueued(corpus, run, chosen)
        if flags["resume"] and not flags["quiet"]:
            say(f"resuming run {run.id} of {run.started_at:%Y-%m-%d %H:%M} UTC: {' '.join(run.starts)}")
        report = carry_out(corpus, run, chosen, flags)
        if flags["report"]:
            write_report(corpus, report.run, flags["report"])
        if flags["quiet"]:
            crawl_summary.show_failings(report, chosen.max_failures)
        else:
            again = _flags_to_repeat(flags)
            crawl_summary.show(report, chosen.data, max_failures=chosen.max_failures, again=again)
            show_searches(corpus, run)
        return crawl_summary.exit_code(report, chosen.max_failures)
    finally:
        corpus.close()


def carry_out(corpus: Corpus, run: Run, chosen: config.Settings, flags: dict[str, Any]) -> Report:
    """Crawl with a progress meter."""
    limit = flags["limit"] or run.options["limit"]
    means = wiring.means(chosen, limit=limit)
    fetched = corpus.frontier(run.job, means.rules).census().fetched
    meter = Meter("none" if flags["quiet"] else flags["progress"], limit and max(limit - fetched, 0))
    with meter.open():
        return conduct(corpus, run, means, watcher=meter)


def _enqueued(corpus: Corpus, run: Run, chosen: config.Settings) -> int:
    waiting = enqueue(corpus, run, wiring.means(chosen, limit=run.options["limit"])).pending
    data = crawl_summary.data_option(chosen.data)
    where = "on any machine with the same frontier and store" if chosen.frontier else "on this machine"
    say(f"run {run.id} is open, {counted(waiting, 'link')} in the queue; next:")
    say(f"  thresher{data} worker run       {where}")
    say(f"  thresher{data} frontier status --job {run.id}")
    return exits.DONE


def _check(flags: dict[str, Any]) -> list[str]:
    """Return the starts; raise UsageError for whatever makes no sense, before a data folder is made or a run opened."""
    if not flags["start"] and not flags["resume"]:
        raise UsageError("give a URL to start from, --search or --resume")
    modes = [f"--{name.replace('_', '-')}" for name in MODES if flags[name]]
    if len(modes) > 1:
        raise UsageError(f"{' and '.join(modes)} contradict each other: give one of them")
    if flags["resume"] and any(flags[name] for name in FIXED):
        raise UsageError("a resumed run keeps its scope and options; only --limit, --delay and the like can be changed")
    if flags["dry_run"] and flags["enqueue"]:
        raise UsageError("--dry-run fetches the start URLs now, --enqueue leaves them to workers: give one of them")
    check_report(flags)
    if flags["algorithm"]:
        check_name(flags["algorithm"])
    return list(dict.fromkeys(start_url(url) for url in flags["start"]))


def _flags_to_repeat(flags: dict[str, Any]) -> list[str]:
    """Name the flags that no run remembers."""
    names = {"frontier": "--frontier", "store": "--store", "proxy": "--proxy", "cookies": "--cookies"}
    return [option for name, option in (names | {"headers": "--header", "auth": "--auth"}).items() if flags[name]]


def _means_given(flags: dict[str, Any]) -> dict[str, Any]:
    """The settings that flags override, those that were given: a run remembers them for when it is resumed."""
    return {name: flags[name] for name in MEANS if flags[name] not in (None, ())}


def _options(starts: list[str], flags: dict[str, Any]) -> dict[str, Any]:
    named = ("include", "exclude", "max_depth", "since", "limit", "refresh", "algorithm")
    mode: Mode = next((mode for name, mode in MODES.items() if flags[name]), "host")
    asked = flags["search"] or None
    return options_of(starts, mode=mode, means=_means_given(flags), search=asked, **{n: flags[n] for n in named})


def _resumed(corpus: Corpus, starts: set[str], settings_of: Callable[[Run], config.Settings]) -> Run:
    """Return the newest run that got anywhere; one that could not begin, for whatever reason, is passed over."""
    for run in corpus.store.runs():
        fetches = not run.is_watch and not run.options.get("reextract")
        wanted = fetches and (not starts or starts == set(run.starts))
        if wanted and _got_anywhere(corpus, run, settings_of):
            return run
    raise UsageError("there is no run to resume" + (" with these URLs" if starts else ""))


def _got_anywhere(corpus: Corpus, run: Run, settings_of: Callable[[Run], config.Settings]) -> bool:
    """Say whether something became of a URL, or links wait and the run can be carried out with what it remembers."""
    if corpus.store.tally(run.id):
        return True
    if run.state is RunState.FINISHED or run.job not in corpus.jobs():
        return False
    try:
        settings_of(run)
    except UsageError:
        return False
    return corpus.frontier(run.job, Rules()).census().accepted > 0


class _Notes:
    """A watcher that remembers the landings."""

    def __init__(self) -> None:
        self.landings: list[Landing] = []

    def landed(self, landing: Landing) -> None:
        self.landings.append(landing)

    def counted(self, census: Census) -> None:
        return

    def draining(self) -> None:
        return


def _dry_run(chosen: config.Settings, starts: list[str], options: dict[str, Any]) -> int:
    with tempfile.TemporaryDirectory(prefix="thresher-") as folder:
        corpus = wiring.open_corpus(replace(chosen, data=folder, store="", frontier=""))
        try:
            run, notes = open_run(corpus, starts, options), _Notes()
            conduct(corpus, run, wiring.means(chosen, limit=len(starts)), watcher=notes)
            return crawl_summary.show_plan(notes.landings, corpus.store, product_token(chosen.user_agent))
        finally:
            corpus.close()
