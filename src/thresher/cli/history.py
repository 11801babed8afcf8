"""`thresher history`: the versions of a stored article."""

import difflib
import json
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import click

from thresher import wiring
from thresher.cli import exits
from thresher.cli.options import places_in, server_options, settings
from thresher.cli.terminal import counted, say, show_data
from thresher.crawling.opening import start_url
from thresher.store.contract import Version


@click.command("history")
@click.argument("url")
@click.option("-f", "--format", "format_", type=click.Choice(["txt", "json"]), default="txt", show_default=True)
@server_options
@click.pass_context
def command(ctx: click.Context, /, url: str, format_: str, **flags: Any) -> int:
    """Print the versions of a stored article, the oldest first, each with what was changed.

    `thresher watch` looks at new articles again after an hour, a day and a week; so does `thresher crawl --refresh`.
    Exits with 4 if no document is stored under the URL.
    """
    corpus = wiring.open_corpus(settings(ctx, **places_in(flags)), create=False)
    try:
        versions = corpus.store.versions(start_url(url))
    finally:
        corpus.close()
    if not versions:
        say(f"thresher: no document is stored under {url}; `thresher why {url}` says what happened")
        return exits.EMPTY
    show_data(json.dumps(_records(versions), ensure_ascii=False, indent=2) if format_ == "json" else _text(versions))
    return exits.DONE


def _records(versions: Sequence[Version]) -> list[dict[str, Any]]:
    changes = [[], *(list(_changes(*pair)) for pair in pairwise(versions))]
    return [
        {
            "at": version.at.isoformat(),
            "title": version.title,
            "published": version.published.isoformat() if version.published else None,
            "text": version.text,
            "diff": changed,
        }
        for version, changed in zip(versions, changes, strict=True)
    ]


def _text(versions: Sequence[Version]) -> str:
    lines = [counted(len(versions), "version"), _headline(versions[0])]
    for before, after in pairwise(versions):
        lines += ["", _headline(after), *_changes(before, after)]
    return "\n".join(lines)


def _headline(version: Version) -> str:
    return f"{version.at:%Y-%m-%d %H:%M} UTC  {version.title}"


def _changes(before: Version, after: Version) -> Iterator[str]:
    """Yield the lines that went and those that came, with a - or a + in front, and one line around them."""
    old, new = ([version.title, "", *version.text.splitlines()] for version in (before, after))
    for line in difflib.unified_diff(old, new, lineterm="", n=1):
        if not line.startswith(("---", "+++")):
            yield line
