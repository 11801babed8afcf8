"""`thresher why`: what happened to a URL, and what that means."""

import json
from collections.abc import Sequence
from typing import Any

import click

from thresher import urls, wiring
from thresher.cli import exits
from thresher.cli.options import places_in, server_options, settings
from thresher.cli.terminal import counted, say, show, show_data
from thresher.crawling.corpus import Corpus
from thresher.crawling.reasons import meaning_of
from thresher.frontier.contract import State
from thresher.model import Document, Fate
from thresher.text import squeeze


@click.command("why")
@click.argument("url")
@click.option("-f", "--format", "format_", type=click.Choice(["txt", "json"]), default="txt", show_default=True)
@server_options
@click.pass_context
def command(ctx: click.Context, /, url: str, format_: str, **flags: Any) -> int:
    """Explain what happened to a URL: stored, skipped, waiting, given up or never seen, and why."""
    wanted = urls.canonical(url if "://" in url else f"https://{url}")
    corpus = wiring.open_corpus(settings(ctx, **places_in(flags)), create=False)
    try:
        fates = corpus.store.fates(wanted)
        waiting = _waiting(corpus, wanted, told={f"run-{fate.run}" for fate in fates})
        document = corpus.store.document(wanted, posts=False)
        copies = corpus.store.copies(wanted) if document else []
    finally:
        corpus.close()
    if format_ == "json":
        rows = [_values(fate) for fate in fates]
        told = {
            "url": wanted,
            "waiting": waiting,
            "fates": rows,
            "copy_of": _copy_of(document, copies),
            "copies": copies,
        }
        show_data(json.dumps(told, ensure_ascii=False, indent=2))
    else:
        show(wanted)
        for line in waiting + [_line(fate) for fate in fates]:
            show(f"  {squeeze(line)}")
        if document:
            show(f"  in the corpus: {squeeze(document.title) or '(no title)'}")
            for line in _copy_lines(document, copies):
                show(f"  {line}")
    if fates or waiting:
        return exits.DONE
    say("  never seen: no crawled page links to it, or only one that has hundreds of links that were refused")
    return exits.EMPTY


def _copy_of(document: Document | None, copies: Sequence[str]) -> str | None:
    """Return the original that a document is a copy of; None for an original."""
    return copies[0] if document and len(copies) > 1 and copies[0] != document.url else None


def _copy_lines(document: Document, copies: Sequence[str]) -> list[str]:
    if first := _copy_of(document, copies):
        return [f"a copy of {first}, which was published first"]
    return [f"copied by {url}" for url in copies if url != document.url]


def _waiting(corpus: Corpus, url: str, told: set[str]) -> list[str]:
    """Say where the URL stands in the queues of runs, unless it was given up and its fate in that run is told."""
    lines = []
    for job, standing in corpus.standings(url).items():
        if standing.state is State.DEAD:
            meaning = meaning_of(standing.reason)
            lines += [] if job in told else [f"{job.replace('-', ' ')}: given up ({standing.reason}): {meaning}"]
            continue
        due = f", due in {standing.due_in_s:.0f} s" if standing.due_in_s else ""
        tried = f", failed {counted(standing.attempts, 'time')} ({standing.reason})" if standing.attempts else ""
        held = f" by {standing.worker}" if standing.worker else ""
        lines.append(f"{job.replace('-', ' ')}: {standing.state}{held}{due}{tried}")
    return lines


def _line(fate: Fate) -> str:
    status = f", status {fate.status}" if fate.status else ""
    meaning = f": {meaning_of(fate.reason)}" if meaning_of(fate.reason) else ""
    detail = f" [{fate.detail}]" if fate.detail else ""
    found = f", found on {fate.found_on}" if fate.found_on else ""
    return f"run {fate.run}, {fate.at:%Y-%m-%d %H:%M}: {fate.state} ({fate.reason}{status}){meaning}{detail}{found}"


def _values(fate: Fate) -> dict[str, Any]:
    names = ("run", "state", "reason", "detail", "status", "found_on")
    return {name: getattr(fate, name) for name in names} | {"at": fate.at.isoformat()}
