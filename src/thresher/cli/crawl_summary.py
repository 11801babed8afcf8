"""What a crawl prints when it ends: what was found, what was not and why, and how to go on."""

from collections import Counter
from collections.abc import Sequence

import click

from thresher.cli import exits
from thresher.crawl.landing import Landing
from thresher.crawl.run import Report
from thresher.model import RunState
from thresher.store.contract import Store

WORDS = {"stored": "stored", "skipped": "fetched, not stored", "buried": "given up", "refused": "not followed"}


def show(report: Report, data: str) -> None:
    """Print the summary and the next commands to standard error."""
    _say(f"\nrun {report.run.id} {report.run.state}: {report.documents} documents from {report.fetched} pages")
    for state, word in WORDS.items():
        reasons = Counter({reason: n for (of, reason), n in report.tally.items() if of == state})
        if reasons:
            listed = ", ".join(f"{reason} {count}" for reason, count in reasons.most_common(8))
            _say(f"  {word}: {reasons.total()} ({listed})")
    if report.run.state is RunState.INTERRUPTED:
        left = report.census.pending + report.census.delayed + report.census.leased
        _say(f"  left in the queue: {left}")
    _say("\ngo on with")
    option = "" if data == "thresher-data" else f" --data {data}"
    if report.run.state is RunState.INTERRUPTED:
        _say(f"  thresher{option} crawl --resume")
    _say(f"  thresher{option} search WORDS\n  thresher{option} why URL")


def exit_code(report: Report) -> int:
    """Choose the exit code: interrupted, failed (nothing came at all), some failures, or done."""
    if report.run.state is RunState.INTERRUPTED:
        return exits.INTERRUPTED
    if not report.fetched and report.census.done + report.census.dead > 0 and not _only_known(report):
        return exits.FAILED
    return exits.SOME_FAILED if report.failures else exits.DONE


def show_plan(landings: Sequence[Landing], store: Store) -> int:
    """Print what became of the starts, which links they lead to, and which of those would not be followed."""
    wanted = 0
    for landing in landings:
        if landing.fate:
            click.echo(f"{landing.fate.state}\t{landing.fate.reason}\t{landing.fate.url}")
        for url, reason in landing.skipped:
            click.echo(f"skip\t{reason}\t{url}")
        for link in landing.links:
            refusal = next((fate.reason for fate in store.fates(link.url) if fate.state == "refused"), None)
            wanted += refusal is None
            click.echo(f"{'skip' if refusal else 'fetch'}\t{refusal or link.why}\t{link.url}")
    _say(f"would go on with {wanted} links; nothing was stored")
    return exits.DONE if any(landing.settlement.fetched for landing in landings) else exits.FAILED


def _only_known(report: Report) -> bool:
    """Nothing was fetched because nothing changed since it was stored."""
    fine = {"unchanged", "already-stored", "redirected"}
    return all(reason in fine or state == "refused" for (state, reason) in report.tally)


def _say(text: str) -> None:
    click.echo(text, err=True)
