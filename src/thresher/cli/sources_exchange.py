"""`thresher sources import`, `export` and `apply`: sources from files, and into files."""

import csv
import io
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from thresher import wiring
from thresher.catalog.contract import Catalog
from thresher.catalog.definitions import Change, Definition, duplicate_of, from_toml, plan, to_toml
from thresher.catalog.searches import plan_searches
from thresher.cli import columns, exits
from thresher.cli.options import catalog_options
from thresher.cli.output import opened
from thresher.cli.sources_options import catalog_in, fetch_options, fetching_settings, formatted, named
from thresher.cli.terminal import counted, for_data, say, show
from thresher.config import Settings
from thresher.crawling.opening import start_url
from thresher.crawling.survey import Survey, source_of, survey, unseen
from thresher.discovery.opml import Outline, read_opml, write_opml
from thresher.errors import NothingCollected, NotPermitted, ThresherError, Unreachable, UsageError
from thresher.export import csv_rows
from thresher.model import Endpoint, EndpointKind, Source
from thresher.model.source import name_from, source_from_dict, source_to_dict

MAX_FILE_BYTES = 20_000_000
LIST_FIELDS = {"tags": ";", "keywords": ";", "include": "\n", "exclude": "\n"}  # and what stands between in a cell
CSV_FIELDS = (
    *("name", "kind", "address", "keywords", "engine", "include", "exclude", "frequency"),
    *("language", "channel", "tags", "limit", "since", "state"),
)
CSV_ALIASES = {"url": "address", "xmlurl": "address", "feed": "address", "title": "name", "lang": "language"}
FORMATS = ("toml", "opml", "csv", "json")
MARKS = {"add": "+", "change": "~", "remove": "-", "keep": " "}


@dataclass(frozen=True, slots=True)
class Wanted:
    """One line of a list: what it asks for, or what is wrong with it."""

    line: int
    address: str  # as it is written
    fields: Mapping[str, Any] = field(default_factory=dict)
    fault: str = ""


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--tag", multiple=True, help="A tag for all of them (repeatable).")
@click.option("--no-probe", is_flag=True, help="Send no request; follow the addresses as they are.")
@formatted
@fetch_options
@catalog_options
@click.pass_context
def import_(ctx: click.Context, /, file: Path, tag: tuple[str, ...], no_probe: bool, **flags: Any) -> int:
    """Add the sources of an OPML file, a CSV file or a plain list of URLs (- for standard input), and report each.

    Results are: added; moved (added at its new address); duplicate; dead (no answer, or an error); forbidden (by
    robots.txt, or an address that may not be fetched); invalid. The first line of a CSV file names its columns, of
    which `address` has to be there.
    """
    wanted = read_list(_read(file))
    if not wanted:
        raise UsageError(f"{file}: no address in it")
    chosen = fetching_settings(ctx, flags, list(_reachable(wanted)))
    with catalog_in(ctx, flags, create=True) as catalog:
        rows = _imported(catalog, wanted, tag, None if no_probe else chosen)
    columns.show(rows, flags["format_"], empty="nothing to import")
    counts = Counter(row["result"] for row in rows)
    say("thresher: " + ", ".join(f"{count} {result}" for result, count in counts.most_common()))
    failed = sum(counts[result] for result in ("dead", "forbidden", "invalid"))
    if not failed:
        return exits.DONE
    return exits.FAILED if failed == len(rows) else exits.SOME_FAILED


def _reachable(wanted: Sequence[Wanted]) -> Iterator[str]:
    for item in wanted:
        try:
            yield start_url(item.address)
        except UsageError:
            continue


def _imported(
    catalog: Catalog, wanted: Sequence[Wanted], tags: Sequence[str], chosen: Settings | None
) -> list[dict[str, Any]]:
    """Add what can be followed; return a row for each line."""
    rows: dict[int, dict[str, Any]] = {}
    drafts: dict[int, Source] = {}

    def report(number: int, result: str, detail: str = "", name: str | None = None) -> None:
        item = wanted[number]
        rows[number] = {
            "line": item.line,
            "result": result,
            "name": name,
            "address": item.address,
            "detail": detail or None,
        }

    places: set[str] = set()
    for number, item in enumerate(wanted):
        try:
            draft = _draft(item, tags)
        except UsageError as error:
            report(number, "invalid", str(error))
            continue
        known = duplicate_of([draft.address], catalog.sources(), catalog.endpoints())
        if known or draft.address in places:
            report(number, "duplicate", f"of {known}" if known else "of a line above")
        else:
            places.add(draft.address)
            drafts[number] = draft
    found: Sequence[Survey | ThresherError | None] = [None] * len(drafts)
    if chosen and drafts:
        say(f"thresher: looking at {counted(len(drafts), 'source')} …")
        found = survey([draft.address for draft in drafts.values()], wiring.means(chosen), samples=0)
    for (number, draft), seen in zip(drafts.items(), found, strict=True):
        report(number, *_added(catalog, draft, seen, keep_name="name" in wanted[number].fields))
    return [rows[number] for number in range(len(wanted))]


def _added(
    catalog: Catalog, draft: Source, seen: Survey | ThresherError | None, *, keep_name: bool
) -> tuple[str, str, str | None]:
    """Add one source; return result, detail and name."""
    if isinstance(seen, ThresherError):
        return _failure(seen), str(seen), None
    source, endpoints = source_of(seen, draft) if seen else unseen(draft)
    known = duplicate_of([source.address, *(e.url for e in endpoints)], catalog.sources(), catalog.endpoints())
    if known:
        return "duplicate", f"of {known}", None
    taken = {other.name for other in catalog.sources()}
    if not keep_name or source.name in taken:
        source, endpoints = named(source, endpoints, taken)
    catalog.add(source, endpoints)
    if seen and seen.moved:
        return "moved", f"to {seen.address}", source.name
    return (
        "added",
        ", ".join(f"{count} {kind}" for kind, count in Counter(e.kind for e in endpoints).items()),
        source.name,
    )


def _failure(error: ThresherError) -> str:
    if isinstance(error, NotPermitted):
        return "forbidden"
    return "dead" if isinstance(error, Unreachable) or "answered with status" in str(error) else "invalid"


def _draft(item: Wanted, tags: Sequence[str]) -> Source:
    if item.fault:
        raise UsageError(item.fault)
    address = start_url(item.address)
    fields = {name: value for name, value in item.fields.items() if value not in ("", None, [])}
    fields["tags"] = list(dict.fromkeys([*fields.get("tags", []), *tags]))
    defaults = {"name": name_from(address), "kind": "site", "created_at": datetime.now(UTC)}
    return source_from_dict(defaults | fields | {"address": address})


def read_list(body: bytes) -> list[Wanted]:
    """Read OPML, CSV with a line of names, or one URL a line; raise UsageError when it is none of them."""
    outlines = read_opml(body)
    if outlines is not None:
        return [Wanted(number, *_of_outline(outline)) for number, outline in enumerate(outlines, start=1)]
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError("this is neither OPML nor text in UTF-8") from None
    head = [CSV_ALIASES.get(name.strip().lower(), name.strip().lower()) for name in _rows(text.split("\n", 1)[0])[0]]
    if "address" in head:
        return _csv_lines(text, head)
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), start=1)]
    return [Wanted(number, line) for number, line in lines if line and not line.startswith("#")]


def _of_outline(outline: Outline) -> tuple[str, dict[str, Any]]:
    # The title of a feed may hold anything, so it does not become the name.
    return outline.address, {"tags": list(outline.folders), "language": outline.language}


def _rows(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text))) or [[]]


def _csv_lines(text: str, head: Sequence[str]) -> list[Wanted]:
    unknown = [name for name in head if name not in CSV_FIELDS]
    if unknown:
        raise UsageError(f"unknown column {unknown[0]!r}; there are {', '.join(CSV_FIELDS)}")
    reader = csv.reader(io.StringIO(text))
    next(reader)
    found = []
    for cells in reader:
        values = dict(zip(head, (_unguarded(cell) for cell in cells), strict=False))
        address = values.pop("address", "")
        if any(cell.strip() for cell in cells):
            found.append(_csv_line(reader.line_num, address, values, extra=len(cells) > len(head)))
    return found


def _csv_line(line: int, address: str, values: Mapping[str, str], *, extra: bool) -> Wanted:
    fields: dict[str, Any] = {name: value for name, value in values.items() if value}
    for name, between in LIST_FIELDS.items():
        if name in fields:
            parts = fields[name].replace("\r\n", "\n").split(between)
            fields[name] = [part.strip() if between == ";" else part for part in parts if part.strip()]
    if "limit" in fields and not str(fields["limit"]).isdigit():
        return Wanted(line, address, fault=f"limit: {fields['limit']!r} is not a whole number")
    if "limit" in fields:
        fields["limit"] = int(fields["limit"])
    fault = "more cells than columns" if extra else "" if address else "no address"
    return Wanted(line, address, fields, fault)


def _unguarded(cell: str) -> str:
    """Return a cell as it was before `export` put an apostrophe there for the sake of spreadsheets."""
    return cell[1:] if cell.startswith("'") and csv_rows.cell(cell[1:]) == cell else cell


@click.command("export")
@click.option(
    "-f", "--format", "format_", type=click.Choice(["toml", "opml", "csv", "json"]), default="toml", show_default=True
)
@click.option("-o", "--output", "path", type=click.Path(path_type=Path), help="Write to a file.")
@click.option("--tag", help="Only those with this tag.")
@catalog_options
@click.pass_context
def export(ctx: click.Context, /, format_: str, path: Path | None, tag: str | None, **places: Any) -> int:
    """Write the sources as TOML (which `apply` takes back), OPML, CSV (which `import` takes back) or JSON."""
    with catalog_in(ctx, places) as catalog:
        every = definitions(catalog)
    chosen = [definition for definition in every if not tag or tag in definition.source.tags]
    with opened(path) as stream:
        for_data(stream).write(_written(chosen, format_))
    if path and str(path) != "-":
        say(f"thresher: {counted(len(chosen), 'source')} written to {path}")
    return exits.DONE


def _written(chosen: Sequence[Definition], format_: str) -> str:
    if format_ == "toml":
        return to_toml(chosen)
    if format_ == "opml":
        return write_opml(
            [outline for definition in chosen for outline in _outlines(definition)], "Sources of Thresher"
        )
    sources = [definition.source for definition in chosen]
    if format_ == "json":
        return json.dumps([source_to_dict(source) for source in sources], ensure_ascii=False, indent=2) + "\n"
    return "".join([csv_rows.row(CSV_FIELDS), *(csv_rows.row(_cells(source)) for source in sources)])


def _cells(source: Source) -> list[object]:
    values = source_to_dict(source)
    return [
        LIST_FIELDS[name].join(values.get(name, [])) if name in LIST_FIELDS else values.get(name, "")
        for name in CSV_FIELDS
    ]


def _outlines(definition: Definition) -> list[Outline]:
    """Return a source as feed readers know it: by its feed, or by its page where it has none."""
    source = definition.source
    if not source.address:
        return []
    feed = next((url for url, kind in definition.endpoints if kind is EndpointKind.FEED), source.address)
    page = source.address if feed != source.address or source.kind != "feed" else ""
    return [Outline(feed, source.name, source.tags, source.language, page)]


def definitions(catalog: Catalog) -> list[Definition]:
    """Return all sources with the endpoints that they have."""
    endpoints = catalog.endpoints()
    return [
        Definition(source, tuple((e.url, e.kind) for e in endpoints if e.source == source.name))
        for source in catalog.sources()
    ]


@click.command("apply")
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--dry-run", is_flag=True, help="Print the plan and change nothing.")
@click.option("--prune", is_flag=True, help="Remove sources that are not in the file.")
@click.option("--no-probe", is_flag=True, help="Send no request; follow new addresses as they are.")
@fetch_options
@catalog_options
@click.pass_context
def apply(ctx: click.Context, /, file: Path, dry_run: bool, prune: bool, no_probe: bool, **flags: Any) -> int:
    """Make the catalog match a TOML file of [[source]] tables: print what is to be added, changed and removed, do it.

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
    if change.action == "remove":
        catalog.remove(change.name)
    elif change.action == "add" and change.definition:
        _add(catalog, change.definition, seen)
    elif change.action == "change" and change.definition:
        catalog.change(change.definition.source)
        if "endpoint" in change.fields:
            _replace_endpoints(catalog, change.definition)
    return True


def _add(catalog: Catalog, definition: Definition, seen: Survey | None) -> None:
    """Add a source as it is defined: a survey gives its endpoints, and no more."""
    source = replace(definition.source, created_at=datetime.now(UTC))
    endpoints = [Endpoint(source=source.name, url=url, kind=kind) for url, kind in definition.endpoints]
    if not endpoints:
        endpoints = (source_of(seen, source) if seen else unseen(source))[1]
    catalog.add(source, endpoints)


def _replace_endpoints(catalog: Catalog, definition: Definition) -> None:
    """Keep the endpoints that the definition names, with their history, and no others."""
    name, wanted = definition.source.name, dict(definition.endpoints)
    for endpoint in catalog.endpoints(name):
        if wanted.get(endpoint.url) is endpoint.kind:
            del wanted[endpoint.url]
        else:
            catalog.remove_endpoint(name, endpoint.url)
    catalog.save_endpoints([Endpoint(source=name, url=url, kind=kind) for url, kind in wanted.items()])


def _read(file: Path) -> bytes:
    """Read a file or standard input; raise UsageError when that cannot be done."""
    try:
        if str(file) == "-":
            return sys.stdin.buffer.read(MAX_FILE_BYTES)
        with file.open("rb") as stream:
            return stream.read(MAX_FILE_BYTES)
    except OSError as error:
        raise UsageError(f"cannot read {file}: {error.strerror}") from error
