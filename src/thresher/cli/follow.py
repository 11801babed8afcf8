"""`thresher follow`: add a source, and collect what it lists now."""

import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import click

from thresher import wiring
from thresher.cli import exits
from thresher.cli.options import catalog_options, settings
from thresher.cli.sources import add_source, show_survey
from thresher.cli.sources_options import catalog_in, catalog_places, definition_options, fetch_options
from thresher.cli.terminal import say
from thresher.model import Judged, RunState, Source, SourceKind

FINISHED = (exits.DONE, exits.SOME_FAILED)
REPEATED = {"proxy": "--proxy", "auth": "--auth", "cookies": "--cookies", "store": "--store", "data": "--data"}


@click.command("follow")
@click.argument("url")
@click.option("--name", help="Name of the source (default: made from the address).")
@definition_options
@click.option("--pages", type=click.IntRange(min=1), default=100, show_default=True, help="Pages to fetch at first.")
@fetch_options
@catalog_options
@click.pass_context
def command(ctx: click.Context, /, pages: int, **flags: Any) -> int:
    """Follow a URL: `thresher sources add`, then crawl what its endpoints list now, one link deep.

    `thresher watch` asks it again from then on.
    """
    started = datetime.now(UTC)
    source, found = add_source(ctx, flags | {"no_probe": False, "kind": None})
    show_survey(source, found, "txt")
    with catalog_in(ctx, flags) as catalog:
        starts = [endpoint.url for endpoint in catalog.endpoints(source.name)]
    code = _run([*_root_options(ctx), "crawl", *starts, *_crawl_options(source, flags), "--limit", str(pages)])
    if code in FINISHED:
        _note(ctx, source, flags, started)
    say(f"thresher: {source.name} will be followed by `thresher watch`")
    return code


def _run(arguments: Sequence[str]) -> int:
    """Run a command in a process of its own, since one process fetches only once; Ctrl-C is for it, and we wait."""
    process = subprocess.Popen([sys.executable, "-m", "thresher", *arguments])
    while True:
        with suppress(KeyboardInterrupt):
            return process.wait()


def _root_options(ctx: click.Context) -> list[str]:
    shared = ctx.find_root().obj or {}
    names = {"--config": shared.get("config_file"), "--data": shared.get("data")}
    return [word for name, value in names.items() if value for word in (name, str(value))]


def _crawl_options(source: Source, flags: dict[str, Any]) -> list[str]:
    """Return the scope of the first crawl: what a feed lists may lie on any host, what a site lists is its own."""
    words = ["--max-depth", "1", "--any-host" if source.kind is SourceKind.FEED else "--subdomains"]
    lists = {"--include": source.include, "--exclude": source.exclude}
    lists |= {"--allow-address": flags["allowed_addresses"], "--header": flags["headers"]}
    words += [word for name, values in lists.items() for value in values for word in (name, value)]
    return words + [word for flag, name in REPEATED.items() if flags[flag] for word in (name, str(flags[flag]))]


def _note(ctx: click.Context, source: Source, flags: dict[str, Any], started: datetime) -> None:
    """Count the documents of the first crawl for the source."""
    corpus = wiring.open_corpus(settings(ctx, **catalog_places(flags)), create=False)
    try:
        for run in corpus.store.runs(limit=1, state=RunState.FINISHED):
            if run.started_at >= started:
                corpus.catalog().note(
                    [
                        Judged(
                            source=source.name,
                            url=stored.document.url or "",
                            at=stored.last_seen,
                            stored=True,
                            reason=stored.document.kind.value,
                            length=len(stored.document.text),
                            text_hash=stored.document.text_hash,
                        )
                        for stored in corpus.store.stored(run=run.id)
                    ]
                )
    finally:
        corpus.close()
