"""`thresher crawl`: collect pages from one or more URLs now."""

import tempfile
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import click

from thresher import config, urls, wiring
from thresher.cli import crawl_summary, exits
from thresher.cli.options import places_in, server_options, settings
from thresher.cli.progress import STYLES, Meter
from thresher.crawling.landing import Landing
from thresher.crawling.run import Corpus, Report, conduct, enqueue
from thresher.discovery.scope import Scope
from thresher.errors import UsageError
from thresher.extraction.algorithms import check_name
from thresher.frontier.contract import Census, Rules
from thresher.model import Run, RunState

MEANS = ("delay_s", "concurrency", "allowed_addresses", "allowed_ports")  # flags that are settings
PORTS = "Port to permit besides 80, 443 and those of the starts."
FIXED = ("include", "exclude", "max_depth", "algorithm", "refresh", "dry_run")  # flags that belong to a run


@click.command("crawl")
@click.argument("start", nargs=-1, metavar="URL...")
@click.option("--limit", type=click.IntRange(min=1), help="Pages to fetch in this run, resumes included.")
@click.option("--max-depth", type=click.IntRange(min=0), help="Links to follow from a start, at most.")
@click.option("--include", multiple=True, metavar="REGEX", help="Fetch only URLs that match (repeatable).")
@click.option("--exclude", multiple=True, metavar="REGEX", help="Never fetch URLs that match (repeatable).")
@click.option("--same-host", "mode", flag_value="host", default=True, help="Stay on the hosts of the starts (default).")
@click.option("--subdomains", "mode", flag_value="subdomains", help="Also crawl subdomains of the starts' sites.")
@click.option("--any-host", "mode", flag_value="any", help="Follow links anywhere.")
@click.option("--delay", "delay_s", type=click.FloatRange(min=0), help="Seconds between requests to one host.")
@click.option("--concurrency", type=click.IntRange(min=1, max=1000), help="Requests in flight over all hosts.")
@click.option("--allow-address", "allowed_addresses", multiple=True, help="Private address or network to permit.")
@click.option("--allow-port", "allowed_ports", multiple=True, type=click.IntRange(1, 65_535), help=PORTS)
@click.option("--algorithm", help="Content algorithm (default: the best one there is).")
@click.option("--resume", is_flag=True, help="Go on with the last run (of these starts, when URLs are given).")
@click.option("--refresh", is_flag=True, help="Fetch stored documents again, if they changed.")
@click.option("--enqueue", is_flag=True, help="Only open the run: `thresher worker run`, anywhere, does the work.")
@click.option("--dry-run", is_flag=True, help="Fetch only the starts; print what would be crawled; store nothing.")
@click.option("--progress", type=click.Choice(STYLES), default="auto", show_default=True, help="How to show progress.")
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors.")
@server_options
@click.pass_context
def command(ctx: click.Context, /, **flags: Any) -> int:
    """Collect pages from one or more URLs now.

    Ctrl-C once finishes what is in flight and prints how to resume; twice stops at once.
    """
    _check(flags)
    chosen = settings(ctx, **places_in(flags), **_means_given(flags))
    if flags["dry_run"]:
        return _dry_run(chosen, flags)
    corpus = wiring.open_corpus(chosen, create=not flags["resume"])
    try:
        run = _resumed(corpus, flags) if flags["resume"] else _opened(corpus, flags)
        chosen = settings(ctx, **places_in(flags), **run.options.get("means", {}) | _means_given(flags))
        if flags["enqueue"]:
            return _enqueued(corpus, run, chosen)
        report = carry_out(corpus, run, chosen, flags)
        if flags["quiet"]:
            crawl_summary.show_failings(report, chosen.max_failures)
        else:
            servers = bool(flags["frontier"] or flags["store"])
            crawl_summary.show(report, chosen.data, max_failures=chosen.max_failures, servers=servers)
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
    click.echo(f"run {run.id} is open, {crawl_summary.counted(waiting, 'link')} in the queue; go on with", err=True)
    click.echo("  thresher worker run       on any machine with the same frontier and store", err=True)
    click.echo(f"  thresher frontier status --job {run.id}", err=True)
    return exits.DONE


def _check(flags: dict[str, Any]) -> None:
    if not flags["start"] and not flags["resume"]:
        raise UsageError("give a URL to start from, or --resume")
    if flags["resume"] and (flags["mode"] != "host" or any(flags[name] for name in FIXED)):
        raise UsageError("a resumed run keeps its scope and options; only --limit, --delay and the like can be given")
    if flags["algorithm"]:
        check_name(flags["algorithm"])
    for url in flags["start"]:
        _start_url(url)  # a wrong one is refused before a data folder is made


def _means_given(flags: dict[str, Any]) -> dict[str, Any]:
    """The settings that flags override, those that were given: a run remembers them for when it is resumed."""
    return {name: flags[name] for name in MEANS if flags[name] not in (None, ())}


def _opened(corpus: Corpus, flags: dict[str, Any]) -> Run:
    starts = list(dict.fromkeys(_start_url(url) for url in flags["start"]))
    corpus.jobs()  # a frontier that is away is found out before a run is written that nobody can work on
    run = corpus.store.start_run(starts, _options(starts, flags), datetime.now(UTC))
    if corpus.frontier(run.job, Rules()).census().accepted:
        corpus.store.end_run(run.id, RunState.FINISHED, datetime.now(UTC))
        raise UsageError(
            f"the frontier holds links of a {run.job} that is not in this store; give each store its own frontier: "
            "another --data folder, or another number at the end of redis://HOST/NUMBER"
        )
    return run


def _options(starts: list[str], flags: dict[str, Any]) -> dict[str, Any]:
    scope = Scope(
        hosts=frozenset(urls.host_of(url) for url in starts),
        mode=flags["mode"],
        include=flags["include"],
        exclude=flags["exclude"],
        max_depth=flags["max_depth"],
    )
    return {
        "scope": scope.as_json(),
        "limit": flags["limit"],
        "refresh": flags["refresh"],
        "algorithm": flags["algorithm"],
        "means": _means_given(flags),
    }


def _resumed(corpus: Corpus, flags: dict[str, Any]) -> Run:
    starts = {_start_url(url) for url in flags["start"]}
    for run in corpus.store.runs():
        if not starts or starts == set(run.starts):
            return run
    raise UsageError("there is no run to resume" + (" with these starts" if starts else ""))


def _start_url(text: str) -> str:
    """Read what a person types: a host without a scheme means https."""
    return urls.canonical(text if "://" in text else f"https://{text}")


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


def _dry_run(chosen: config.Settings, flags: dict[str, Any]) -> int:
    with tempfile.TemporaryDirectory(prefix="thresher-") as folder:
        corpus = wiring.open_corpus(replace(chosen, data=folder, store=""))
        try:
            run, notes = _opened(corpus, flags), _Notes()
            conduct(corpus, run, wiring.means(chosen, limit=len(run.starts)), watcher=notes)
            return crawl_summary.show_plan(notes.landings, corpus.store)
        finally:
            corpus.close()
