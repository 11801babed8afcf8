"""`thresher sources import`, `export` and `apply`: sources from files, and into files."""

import sys
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from thresher import wiring
from thresher.catalog.contract import Catalog
from thresher.catalog.definitions import Change, Definition, definitions, from_toml, plan
from thresher.catalog.searches import plan_searches
from thresher.cli import columns, exits
from thresher.cli.options import catalog_options
from thresher.cli.output import opened
from thresher.cli.sources_options import catalog_in, fetch_options, fetching_settings, formatted
from thresher.cli.terminal import counted, for_data, say, show
from thresher.config import Settings
from thresher.crawling.sights import Survey
from thresher.crawling.survey import survey
from thresher.errors import NothingCollected, ThresherError, UsageError
from thresher.watching.exchange import MAX_FILE_BYTES, add_listed, addresses_of, carry_out, read_list, write_list

MARKS = {"add": "+", "change": "~", "remove": "-", "keep": " "}


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--tag", multiple=True, help="A tag for all of them (repeatable).")
@click.option("--no-probe", is_flag=True, help="Send no request; follow the addresses as they are.")
@formatted
@fetch_options
@catalog_options
@click.pass_context
def import_(ctx: click.Context, /, file: Path, tag: tuple[str, ...], no_probe: bool, **flags: Any) -> int:
    """Add sources from a file, with a report for each.

    The file is OPML, CSV, the TOML of an export, or a plain list of URLs; - is standard input.

    Results are: added; moved (added at its new address); duplicate; dead (no answer, or an error); forbidden (by
    robots.txt, or an address that may not be fetched); invalid. The first line of a CSV file names its columns, of
    which `address` has to be there.
    """
    wanted = read_list(_read(file))
    if not wanted:
        raise UsageError(f"{file}: no address in it")
    chosen = fetching_settings(ctx, flags, list(addresses_of(wanted)))
    with catalog_in(ctx, flags, create=True) as catalog:
        look = None if no_probe else partial(_looked_at, chosen)
        rows = add_listed(catalog, wanted, tag, look)
    columns.show(rows, flags["format_"], empty="nothing to import")
    counts = Counter(row["result"] for row in rows)
    say("thresher: " + ", ".join(f"{count} {result}" for result, count in counts.most_common()))
    failed = sum(counts[result] for result in ("dead", "forbidden", "invalid"))
    if not failed:
        return exits.DONE
    return exits.FAILED if failed == len(rows) else exits.SOME_FAILED


@click.command("export")
@click.option(
    "-f", "--format", "format_", type=click.Choice(["toml", "opml", "csv", "json"]), default="toml", show_default=True
)
@click.option("-o", "--output", "path", type=click.Path(path_type=Path), help="Write to a file.")
@click.option("--tag", help="Only those with this tag.")
@catalog_options
@click.pass_context
def export(ctx: click.Context, /, format_: str, path: Path | None, tag: str | None, **places: Any) -> int:
    """Write the sources to a file. `apply` reads the TOML, `import` reads the OPML and CSV."""
    with catalog_in(ctx, places) as catalog:
        every = definitions(catalog)
    chosen = [definition for definition in every if not tag or tag in definition.source.tags]
    with opened(path) as stream:
        for_data(stream).write(write_list(chosen, format_))
    if path and str(path) != "-":
        say(f"thresher: {counted(len(chosen), 'source')} written to {path}")
    return exits.DONE


@click.command("apply")
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--dry-run", is_flag=True, help="Print the plan and change nothing.")
@click.option("--prune", is_flag=True, help="Remove sources that are not in the file.")
@click.option("--no-probe", is_flag=True, help="Send no request; follow new addresses as they are.")
@fetch_options
@catalog_options
@click.pass_context
def apply(ctx: click.Context, /, file: Path, dry_run: bool, prune: bool, no_probe: bool, **flags: Any) -> int:
    """Make the catalog match a TOML file of sources.

    Prints what will be added, changed and removed, and then does it.

    `export` writes such a file. Applied again, it changes nothing. Endpoints of new sources that the file does not name
    are looked for, as `add` does.
    """
    data = _read(file)
    try:
        wanted = from_toml(data.decode("utf-8-sig"))
    except (UsageError, UnicodeDecodeError) as error:
        raise UsageError(f"{file}: {error}") from None
    try:
        with catalog_in(ctx, flags, create=not dry_run) as catalog:
            changes = plan(wanted, definitions(catalog), prune=prune)
    except NothingCollected:
        changes = plan(wanted, [], prune=prune)
    _show_plan(changes)
    if dry_run:
        return exits.DONE
    unknown = [] if no_probe else [d for c in changes if (d := c.definition) and c.action == "add" and _is_bare(d)]
    chosen = fetching_settings(ctx, flags, [definition.source.address for definition in unknown])
    found = survey([d.source.address for d in unknown], wiring.means(chosen), samples=0) if unknown else []
    seen = {definition.source.name: result for definition, result in zip(unknown, found, strict=True)}
    with catalog_in(ctx, flags, create=True) as catalog:
        failed = sum(not _carried_out(catalog, change, seen.get(change.name)) for change in changes)
        faults = plan_searches(catalog, chosen.engines)
    for fault in faults:
        say(fault)
    return exits.SOME_FAILED if failed else exits.DONE


def _is_bare(definition: Definition) -> bool:
    return not definition.endpoints and bool(definition.source.address)


def _show_plan(changes: Sequence[Change]) -> None:
    for change in changes:
        remark = " (not in the file; --prune removes it)" if change.action == "keep" else ""
        show(f"{MARKS[change.action]} {change.name}{remark}")
        for name, (before, after) in change.fields.items():
            show(
                f"    {name}: {_plain(after)}" if before is None else f"    {name}: {_plain(before)} → {_plain(after)}"
            )
    counts = Counter(change.action for change in changes)
    words = {"add": "to add", "change": "to change", "remove": "to remove"}
    show(", ".join(f"{counts[action]} {word}" for action, word in words.items()))


def _plain(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(f"{item['kind']} {item['url']}" if isinstance(item, dict) else str(item) for item in value)
    return "-" if value is None else str(value)


def _carried_out(catalog: Catalog, change: Change, seen: Survey | ThresherError | None) -> bool:
    """Do what a plan says for one source; False, with a message, when it cannot be followed."""
    if isinstance(seen, ThresherError):
        say(f"thresher: {change.name} is not added: {seen}")
        return False
    carry_out(catalog, change, seen)
    return True


def _looked_at(chosen: Settings, addresses: Sequence[str]) -> Sequence[Survey | ThresherError]:
    say(f"thresher: looking at {counted(len(addresses), 'source')} …")
    return survey(addresses, wiring.means(chosen), samples=0)


def _read(file: Path) -> bytes:
    """Read a file or standard input; raise UsageError when that cannot be done."""
    try:
        if str(file) == "-":
            return sys.stdin.buffer.read(MAX_FILE_BYTES)
        with file.open("rb") as stream:
            return stream.read(MAX_FILE_BYTES)
    except OSError as error:
        raise UsageError(f"cannot read {file}: {error.strerror}") from error
