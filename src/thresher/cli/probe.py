"""`thresher probe`: what a crawl would do with a URL."""

import json
from typing import Any

import click

from thresher import wiring
from thresher.cli.options import request_options, requests_in, settings
from thresher.cli.terminal import show, show_data
from thresher.crawling.harvest import harvest
from thresher.crawling.judge import readable
from thresher.crawling.landing import Harvest
from thresher.crawling.opening import start_url
from thresher.crawling.probing import probe_facts
from thresher.crawling.single import fetch_one
from thresher.text import printable, squeeze


@click.command("probe")
@click.argument("url")
@click.option("-f", "--format", "format_", type=click.Choice(["txt", "json"]), default="txt", show_default=True)
@click.option(
    "--allow-address", "allowed_addresses", multiple=True, help="Private address or network to allow (repeatable)."
)
@request_options
@click.pass_context
def command(ctx: click.Context, /, url: str, format_: str, allowed_addresses: tuple[str, ...], **flags: Any) -> None:
    """Fetch one URL and show what a crawl would do with it; store nothing."""
    wanted = start_url(url)
    chosen = settings(ctx, allowed_addresses=allowed_addresses or None, **requests_in(ctx, flags, [wanted]))
    page = fetch_one(wanted, wiring.fetch_options(chosen))
    found = harvest(page, 0, None) if readable(page) else Harvest("none", fault="not-html")
    facts = probe_facts(page, found, require_date=chosen.require_date, min_confidence=chosen.min_confidence)
    if format_ == "json":
        show_data(json.dumps(facts, ensure_ascii=False, indent=2))
        return
    for name, value in facts.items():
        shown = ", ".join(f"{k} {v}" for k, v in value.items()) if isinstance(value, dict) else value
        show(f"{name + ':':<14}{squeeze(printable(str(shown)))}")
