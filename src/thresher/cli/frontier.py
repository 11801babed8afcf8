"""`thresher frontier`: see what waits to be crawled, and change how it goes on."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import click

from thresher import urls, wiring
from thresher.cli import columns, exits
from thresher.cli.options import corpus_in, server_options, settings
from thresher.cli.terminal import counted, say
from thresher.crawling.corpus import Corpus
from thresher.crawling.heartbeat import is_fresh
from thresher.crawling.waiting import WAITING_JOB, open_run, run_named
from thresher.errors import UsageError
from thresher.frontier.contract import Rules, Standing
from thresher.frontier.overseer import Overseer
from thresher.model import RunState

F = TypeVar("F", bound=Callable[..., Any])
BOOSTED = 1000  # priority of a URL that is to go first


@click.group("frontier")
def command() -> None:
    """Show and change the queue of links.

    Without --job, the newest open run is used, or else the newest run.
    """


def _about_a_job(function: F) -> F:
    job = click.option("--job", metavar="RUN", help="Number of the run (default: the newest open run).")
    return server_options(job(function))


def _formatted(function: F) -> F:
    choice = click.Choice(columns.FORMATS)
    return click.option("-f", "--format", "format_", type=choice, default="txt", show_default=True)(function)


@command.command("status")
@_formatted
@_about_a_job
@click.pass_context
def status(ctx: click.Context, /, format_: str, job: str | None, **places: Any) -> int:
    """Count the links of each job by state."""
    with corpus_in(ctx, places) as corpus:
        wanted = [run_named(corpus, job).job] if job else _jobs(corpus)
        rows = [_status(corpus, name) for name in wanted]
    columns.show(rows, format_, empty="no job yet; `thresher crawl URL` opens one")
    return exits.DONE


@command.command("hosts")
@click.option("-n", "--limit", type=click.IntRange(min=1), default=50, show_default=True, help="Hosts to list.")
@_formatted
@_about_a_job
@click.pass_context
def hosts(ctx: click.Context, /, limit: int, format_: str, job: str | None, **places: Any) -> int:
    """List hosts, those with the most waiting links first."""
    with corpus_in(ctx, places) as corpus:
        name = _job(corpus, job)
        means = run_named(corpus, name).options.get("means", {})
        found = corpus.overseer(name, wiring.rules(settings(ctx, data=places["data"], **means))).hosts(limit)
    names = ("name", "pending", "leased", "accepted", "delay_s", "due_in_s", "address", "paused", "boosted")
    rows = [{name: getattr(host, name) for name in names} for host in found]
    columns.show(rows, format_, empty="no host yet")
    return exits.DONE


@command.command("peek")
@click.argument("host", required=False)
@click.option("-n", "--limit", type=click.IntRange(min=1), default=20, show_default=True, help="Links to list.")
@click.option("--dead", is_flag=True, help="List the links that were given up instead, newest first.")
@_formatted
@_about_a_job
@click.pass_context
def peek(ctx: click.Context, /, **flags: Any) -> int:
    """List the links to be fetched next.

    They are those of one host, or of all hosts in turn. Nothing is changed.
    """
    host = _host(flags["host"]) if flags["host"] else None
    with corpus_in(ctx, flags) as corpus:
        name = _job(corpus, flags["job"])
        if flags["dead"]:
            every = corpus.frontier(name, Rules()).dead(flags["limit"] if host is None else 1_000_000)
            found = [letter for letter in every if host in (None, letter.link.host)][: flags["limit"]]
        else:
            found = corpus.overseer(name, Rules()).peek(flags["limit"], host)
    columns.show([_link(standing) for standing in found], flags["format_"], empty="no links are waiting")
    return exits.DONE


@command.command("boost")
@click.argument("what", metavar="HOST|URL")
@click.option("--off", is_flag=True, help="End the boost.")
@_about_a_job
@click.pass_context
def boost(ctx: click.Context, /, what: str, off: bool, job: str | None, **places: Any) -> int:
    """Serve a host before all others, or fetch a URL next on its host.

    A boosted host still keeps its delay.
    """
    with _overseer(ctx, job, places) as overseer:
        if "://" in what:
            url = urls.canonical(what)
            if not overseer.prefer(url, 0 if off else BOOSTED):
                raise UsageError(f"{url} is not waiting; `thresher why {url}` says what happened to it")
        elif not overseer.boost(_host(what), on=not off):
            raise UsageError(_unknown(what))
    _say(f"{what} {'is no longer boosted' if off else 'goes first'}")
    return exits.DONE


@command.command("pause")
@click.argument("host", required=False)
@_about_a_job
@click.pass_context
def pause(ctx: click.Context, /, host: str | None, job: str | None, **places: Any) -> int:
    """Stop fetching from a host, or for the whole job.

    `resume` ends the pause. Requests in flight are finished.
    """
    with _overseer(ctx, job, places) as overseer:
        if not overseer.pause(_host(host) if host else None):
            raise UsageError(_unknown(host))
    _say(f"paused {host or 'the job'}; `thresher frontier resume{f' {host}' if host else ''}` resumes it")
    return exits.DONE


@command.command("resume")
@click.argument("host", required=False)
@_about_a_job
@click.pass_context
def resume(ctx: click.Context, /, host: str | None, job: str | None, **places: Any) -> int:
    """End the pause of a host, or of the whole job."""
    with _overseer(ctx, job, places) as overseer:
        if not overseer.resume(_host(host) if host else None):
            raise UsageError(_unknown(host))
    _say(f"resumed {host or 'the job'}")
    return exits.DONE


@command.command("retry")
@click.argument("what", metavar="HOST|URL", required=False)
@click.option("--all", "everything", is_flag=True, help="All links of the job that were given up.")
@_about_a_job
@click.pass_context
def retry(ctx: click.Context, /, what: str | None, everything: bool, job: str | None, **places: Any) -> int:
    """Retry links that were given up.

    Name one link or a host, or give --all; `peek --dead` lists the links.
    """
    if (what is not None) == everything:
        raise UsageError("name a URL or a host, or give --all")
    url = urls.canonical(what) if what and "://" in what else None
    host = _host(what) if what and not url else None
    with corpus_in(ctx, places) as corpus:
        name = _job(corpus, job)
        revived = corpus.overseer(name, Rules()).retry(url=url, host=host)
        if revived:
            _reopen(corpus, name)
    _say(f"{counted(revived, 'link')} of {name} will be tried again")
    return exits.DONE if revived else exits.EMPTY


@contextmanager
def _overseer(ctx: click.Context, job: str | None, places: dict[str, Any]) -> Iterator[Overseer]:
    with corpus_in(ctx, places) as corpus:
        yield corpus.overseer(_job(corpus, job), Rules())


def _jobs(corpus: Corpus) -> list[str]:
    """Name the jobs, the newest first."""
    names = [name for name in corpus.jobs() if name != WAITING_JOB]
    return sorted(names, key=lambda name: (len(name), name), reverse=True)


def _job(corpus: Corpus, job: str | None) -> str:
    if job:
        return run_named(corpus, job).job
    run = open_run(corpus)
    names = [run.job] if run else _jobs(corpus)
    if not names:
        raise UsageError("there is no job yet; `thresher crawl URL` opens one")
    return names[0]


def _status(corpus: Corpus, job: str) -> dict[str, Any]:
    overseer = corpus.overseer(job, Rules())
    census = overseer.census()
    number = job.removeprefix("run-")
    run = corpus.store.run(int(number)) if number.isdigit() else None
    counts = {name: getattr(census, name) for name in ("pending", "delayed", "leased", "done", "dead", "fetched")}
    state = "paused" if overseer.is_paused() else run.state.value if run else None
    return {"job": job, "state": state, **counts, "workers": sum(map(is_fresh, overseer.beats()))}


def _link(standing: Standing) -> dict[str, Any]:
    link = standing.link
    return {
        "url": link.url,
        "why": link.why,
        "depth": link.depth,
        "priority": link.priority,
        "due_in_s": standing.due_in_s,
        "failed": standing.attempts,
        "reason": standing.reason or None,
    }


def _host(text: str) -> str:
    """Read a host as people write it, with or without a scheme, in any script."""
    return urls.host_of(urls.canonical(text if "://" in text else f"http://{text}"))


def _unknown(host: str | None) -> str:
    return f"this job has no links of {host}; `thresher frontier hosts` lists the hosts"


def _reopen(corpus: Corpus, job: str) -> None:
    """Let workers take a run up again that was over."""
    run = run_named(corpus, job)
    if run.state is not RunState.RUNNING:
        corpus.store.end_run(run.id, RunState.RUNNING, run.started_at)
        _say("the run is open again: workers will pick it up, or continue it with `thresher crawl --resume`")


def _say(text: str) -> None:
    say(text)
