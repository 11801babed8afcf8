"""`thresher runs`: the crawls of a corpus, what each did, and what failed again."""

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, TextIO

import click

from thresher.analysis.report import HostCounts, Summary, busiest
from thresher.analysis.report_page import lasting, size_of
from thresher.api.runs import page_facts, run_facts, summary_of
from thresher.cli import columns, crawl_summary, exits, output
from thresher.cli.options import corpus_in, csv_option, places_in, server_options, settings
from thresher.cli.progress import STYLES
from thresher.cli.run_report import write_csv, write_report
from thresher.cli.terminal import counted, for_data, say
from thresher.crawling.corpus import Corpus
from thresher.crawling.reasons import is_failure, meaning_of
from thresher.crawling.waiting import run_named
from thresher.errors import UsageError
from thresher.frontier.contract import Rules
from thresher.model import Run, RunState
from thresher.text import printable

FORMATS = ("txt", "json", "jsonl", "csv")
SHOWN = 10  # hosts and languages that are named in the terminal
PAGE_COLUMNS = ("status", "reason", "bytes", "outlinks", "images", "language", "url", "title")
MAX_CELL = 60  # characters of a title or URL in the terminal


@click.group("runs")
def command() -> None:
    """List crawls, show and report what one did, retry what failed.

    RUN is the number of a run; without it, the newest run is used.
    """


_RUN = click.argument("name", metavar="[RUN]", required=False)
_PATH = click.Path(path_type=Path, dir_okay=False)


@command.command("list")
@click.option("-n", "--limit", type=click.IntRange(min=1), default=20, show_default=True, help="Runs to list.")
@click.option("-f", "--format", "format_", type=click.Choice(columns.FORMATS), default="txt", show_default=True)
@server_options
@click.pass_context
def list_command(ctx: click.Context, /, limit: int, format_: str, **places: Any) -> int:
    """List runs, the newest first."""
    with corpus_in(ctx, places) as corpus:
        rows = [_listed(run_facts(corpus, run)) for run in corpus.store.runs(limit=limit)]
    columns.show(rows, format_, empty="no run yet; `thresher crawl URL` starts one")
    return exits.DONE


@command.command("show")
@_RUN
@click.option("-n", "--pages", type=click.IntRange(min=0), default=20, show_default=True, help="Pages to list as txt.")
@click.option("-f", "--format", "format_", type=click.Choice(FORMATS), default="txt", show_default=True)
@click.option("-o", "--output", "path", type=_PATH, help="Write to a file.")
@csv_option
@server_options
@click.pass_context
def show_command(ctx: click.Context, /, name: str | None, format_: str, path: Path | None, **flags: Any) -> int:
    """Show what a run did.

    txt and json print the numbers and the pages, jsonl and csv the pages alone, however many they are.
    """
    with corpus_in(ctx, flags) as corpus:
        run = _run(corpus, name)
        with output.opened(path) as file:
            stream = for_data(file)
            if format_ == "csv":
                write_csv(page_facts(corpus, run), stream, raw=flags["raw_csv"])
            elif format_ == "jsonl":
                stream.writelines(_json(facts) + "\n" for facts in page_facts(corpus, run))
            elif format_ == "json":
                _write_json(corpus, run, stream)
            else:
                _write_text(corpus, run, stream, flags["pages"])
    return exits.DONE


@command.command("report")
@_RUN
@click.option("-o", "--output", "path", type=_PATH, help="The file (default run-RUN.html).")
@click.option("--with-pages", is_flag=True, help="Put cached and cleaned pages into a folder beside the file.")
@server_options
@click.pass_context
def report_command(ctx: click.Context, /, name: str | None, path: Path | None, with_pages: bool, **places: Any) -> int:
    """Write one HTML file that shows what a run did, page by page.

    It needs no network and no scripts. Cached and cleaned pages are inside it, up to 20 million characters, or with
    --with-pages in a folder beside it. Of more than 2,000 pages the rest is in a CSV file beside it.
    """
    with corpus_in(ctx, places) as corpus:
        run = _run(corpus, name)
        write_report(corpus, run, path or Path(f"run-{run.id}.html"), with_pages=with_pages)
    return exits.DONE


@command.command("retry")
@_RUN
@click.option("--limit", type=click.IntRange(min=1), help="A new limit of pages for the whole run.")
@click.option("--enqueue", is_flag=True, help="Only open the run again; workers (`thresher worker run`) do the rest.")
@click.option("--progress", type=click.Choice(STYLES), default="auto", show_default=True, help="How to show progress.")
@click.option("-q", "--quiet", is_flag=True, help="Print only errors.")
@server_options
@click.pass_context
def retry_command(ctx: click.Context, /, name: str | None, **flags: Any) -> int:
    """Try again the pages that a run has given up. They could not be fetched or read after several attempts.

    The run goes on with the options it was started with. A page that was answered with an error such as 404 counts as
    done and is not asked for again; start a new crawl for that. Exits with 4 if nothing was given up.
    """
    # Imported here: listing and showing runs need no crawler.
    from thresher.cli.crawl import carry_out

    with corpus_in(ctx, flags) as corpus:
        run = _run(corpus, name)
        revived = corpus.overseer(run.job, Rules()).retry() if run.job in corpus.jobs() else 0
        _say_revived(corpus, run, revived)
        if not revived:
            return exits.EMPTY
        corpus.store.end_run(run.id, RunState.RUNNING, run.started_at)
        if flags["enqueue"]:
            say("the run is open again: workers will pick it up")
            return exits.DONE
        chosen = settings(ctx, **places_in(flags), **run.options.get("means", {}))
        report = carry_out(corpus, run, chosen, flags)
        if not flags["quiet"]:
            crawl_summary.show(report, chosen.data, max_failures=chosen.max_failures)
        return crawl_summary.exit_code(report, chosen.max_failures)


@command.command("resume")
@click.argument("name", metavar="RUN")
@click.option("--progress", type=click.Choice(STYLES), default="auto", show_default=True, help="How to show progress.")
@click.option("-q", "--quiet", is_flag=True, help="Print only errors.")
@server_options
@click.pass_context
def resume_command(ctx: click.Context, /, name: str, **flags: Any) -> int:
    """Continue an interrupted run, with its original options.

    `thresher crawl --resume` does so with the last one, and can give it another limit.
    """
    # Imported here: listing and showing runs need no crawler.
    from thresher.cli.crawl import carry_out

    with corpus_in(ctx, flags) as corpus:
        run = _run(corpus, name)
        if run.is_watch or run.state is RunState.FINISHED:
            what = "the watch; `thresher watch` goes on with it" if run.is_watch else "finished"
            raise UsageError(f"run {run.id} is {what}")
        chosen = settings(ctx, **places_in(flags), **run.options.get("means", {}))
        report = carry_out(corpus, run, chosen, {"limit": None, **flags})
        if not flags["quiet"]:
            crawl_summary.show(report, chosen.data, max_failures=chosen.max_failures)
        return crawl_summary.exit_code(report, chosen.max_failures)


def _run(corpus: Corpus, name: str | None) -> Run:
    if name is not None:
        return run_named(corpus, name)
    newest = corpus.store.runs(limit=1)
    if not newest:
        raise UsageError("there is no run yet; `thresher crawl URL` starts one")
    return newest[0]


def _listed(facts: dict[str, Any]) -> dict[str, Any]:
    started, lasted_s, ended = facts.pop("started_at"), facts.pop("duration_s"), facts.pop("finished_at")
    order = {"run": facts["run"], "state": facts["state"], "started": f"{started:%Y-%m-%d %H:%M}"}
    return order | {"duration": lasting(lasted_s) if ended else None} | facts | {"starts": " ".join(facts["starts"])}


def _say_revived(corpus: Corpus, run: Run, revived: int) -> None:
    failed = sum(count for (state, reason), count in corpus.store.tally(run.id).items() if is_failure(state, reason))
    say(f"{counted(revived, 'link')} of run {run.id} will be tried again")
    if failed > revived:
        say(f"{failed - revived} of {counted(failed, 'failure')} answered with an error or cannot be read, and stay")


def _write_json(corpus: Corpus, run: Run, stream: TextIO) -> None:
    """Write one JSON object, its pages one by one."""
    stream.write(_json(summary_of(corpus, run).to_dict())[:-1] + ', "pages": [')
    between = "\n"
    for facts in page_facts(corpus, run):
        stream.write(between + _json(facts))
        between = ",\n"
    stream.write("\n]}\n")


def _json(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)


def _write_text(corpus: Corpus, run: Run, stream: TextIO, pages: int) -> None:
    summary = summary_of(corpus, run)
    shown = list(islice(page_facts(corpus, run), pages))
    lines = [*_overview(summary), ""]
    for state, name in (("skipped", "not stored"), ("buried", "given up"), ("refused", "not followed")):
        rows = [{name: reason, "links": n, "meaning": meaning_of(reason)} for reason, n in summary.reasons(state)]
        lines += [*columns.lines(rows), ""] if rows else []
    hosts = [{"host": host} | {each: getattr(n, each) for each in HostCounts.__slots__} for host, n in busiest(summary)]
    lines += [*columns.lines(hosts[:SHOWN]), *_more(len(hosts) - SHOWN, "hosts", run, "json"), ""]
    lines += columns.lines([{name: _short(facts[name]) for name in PAGE_COLUMNS} for facts in shown])
    lines += _more(summary.pages - len(shown), "pages", run, "csv") if pages else []
    stream.writelines(f"{printable(line)}\n" for line in lines)


def _overview(summary: Summary) -> Iterator[str]:
    run, rate = summary.run, summary.pages_per_s
    yield f"run {run.id} {run.state.value}: {' '.join(run.starts)}"
    speed = f", {rate:.2g} pages per second" if rate is not None and summary.fetched else ""
    yield f"started {run.started_at:%Y-%m-%d %H:%M} UTC, {lasting(summary.duration_s)}{speed}, {size_of(summary.bytes)}"
    yield " → ".join(f"{name} {count:,}" for name, count in summary.funnel)
    yield f"failed {summary.failed:,}, waiting {summary.waiting:,}"
    statuses = ", ".join(f"{status} {count:,}" for status, count in summary.statuses.most_common(SHOWN))
    languages = ", ".join(f"{name} {count:,}" for name, count in summary.languages.most_common(SHOWN))
    yield f"status {statuses or '-'}; languages {languages or '-'}"


def _more(count: int, what: str, run: Run, format_: str) -> list[str]:
    return [f"and {count:,} more {what}: thresher runs show {run.id} -f {format_}"] if count > 0 else []


def _short(value: Any) -> Any:
    if isinstance(value, str) and len(value) > MAX_CELL:
        return value[: MAX_CELL - 1] + "…"
    return value
