"""`thresher stories`: reports of one event, over days and sites."""

import json
from datetime import UTC, datetime
from typing import Any

import click

from thresher import wiring
from thresher.analysis.stories import Story
from thresher.api.corpus import Corpus
from thresher.cli import columns, exits
from thresher.cli.options import places_in, server_options, settings
from thresher.cli.terminal import counted, say, show, show_data
from thresher.errors import UsageError
from thresher.index.dates import period
from thresher.text import squeeze

MOST_SITES = 5  # that are named in a line
_FORMAT = click.option(
    "-f", "--format", "format_", type=click.Choice(columns.FORMATS), default="txt", show_default=True
)


@click.group("stories", invoke_without_command=True)
@click.option("--since", metavar="WHEN", help="Only stories reported since then: 7d, 12h, 2026-11-01.")
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True)
@_FORMAT
@server_options
@click.pass_context
def command(ctx: click.Context, /, since: str | None, limit: int, format_: str, **flags: Any) -> int:
    """List events that several articles report, those of most sites first.

    Each story has an id, a title, the time of its first and last report, and the sites that report it. Articles are
    grouped by what they say and when; `thresher stories show ID` lists them, with how many there were each day.
    """
    ctx.obj = {**(ctx.obj or {}), "format": format_, "flags": flags}
    if ctx.invoked_subcommand:
        return exits.DONE
    start = _moment(since) if since else None
    with Corpus(wiring.open_corpus(settings(ctx, **places_in(flags)), create=False)) as corpus:
        found = corpus.stories(since=start)
    if format_ == "txt":
        for story in found[:limit]:
            show("\n".join(_lines(story)) + "\n")
        say(f"{len(found[:limit])} of {len(found)} stories")
    else:
        columns.show([_row(story) for story in found[:limit]], format_, empty="")
    return exits.DONE


@command.command("show")
@click.argument("id")
@_FORMAT
@server_options
@click.pass_context
def show_command(ctx: click.Context, /, id: str, format_: str, **flags: Any) -> int:
    """Show one story: its timeline and its reports, in order of time. Exits with 4 if there is none of this id."""
    shared = ctx.obj or {}
    given = shared.get("flags", {})
    places = {name: flags[name] or given.get(name) for name in ("data", "frontier", "store")}
    format_ = format_ if format_ != "txt" else shared.get("format", "txt")
    with Corpus(wiring.open_corpus(settings(ctx, **places), create=False)) as corpus:
        story = corpus.story(id)
    if story is None:
        say(f"thresher: there is no story {id}; `thresher stories` lists those of several reports")
        return exits.EMPTY
    reports = _reports(story)
    if format_ == "json":
        show_data(json.dumps(_row(story) | {"days": _days(story), "reports": reports}, ensure_ascii=False, indent=2))
    elif format_ == "txt":
        show("\n".join(_lines(story)) + "\n")
        for line in columns.lines([{"day": day, "reports": number} for day, number in _days(story).items()]):
            show(line)
        show("")
        for report in reports:
            show(f"{report['at'][:16].replace('T', ' ')}  {squeeze(report['title'])}\n  {report['url']}")
    else:
        columns.show(reports, format_, empty="")
    return exits.DONE


def _moment(text: str) -> datetime:
    found = period(text, datetime.now(UTC))
    if found is None or found[0] is None:
        raise UsageError(f"--since: {text!r} is no time; write 7d, 12h or 2026-11-01")
    return found[0]


def _lines(story: Story) -> list[str]:
    """Return a story for people: what, when, who."""
    sites = [site for site, _ in story.sources.most_common()]
    more = f" and {len(sites) - MOST_SITES} more" if len(sites) > MOST_SITES else ""
    days = f"{story.first:%Y-%m-%d}" + (f" to {story.last:%Y-%m-%d}" if story.last.date() > story.first.date() else "")
    told = f"{counted(story.size, 'report')} of {counted(len(sites), 'site')}"
    return [
        squeeze(story.title) or "(no title)",
        f"  {story.id}  {days}  {told}",
        f"  {', '.join(sites[:MOST_SITES])}{more}",
    ]


def _row(story: Story) -> dict[str, Any]:
    return {
        "id": story.id,
        "title": story.title,
        "first": story.first.isoformat(),
        "last": story.last.isoformat(),
        "reports": story.size,
        "sites": len(story.sources),
        "language": story.language,
        "sources": [site for site, _ in story.sources.most_common()],
    }


def _days(story: Story) -> dict[str, int]:
    return dict(sorted(story.days.items()))


def _reports(story: Story) -> list[dict[str, Any]]:
    ordered = sorted(story.reports, key=lambda report: (report.at, report.key))
    return [{"at": each.at.isoformat(), "site": each.site, "title": each.title, "url": each.url} for each in ordered]
