"""Lists of sources: read from OPML, CSV or plain text, added with a report of each line, and written again."""

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from thresher.catalog.contract import Catalog
from thresher.catalog.definitions import Change, Definition, duplicate_of, from_toml, named, to_toml
from thresher.crawling.opening import start_url
from thresher.crawling.sights import Survey, source_of, unseen
from thresher.discovery.opml import Outline, read_opml, write_opml
from thresher.errors import NotPermitted, ThresherError, Unreachable, UsageError
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

_TOML = re.compile(r"^\s*\[\[\s*source\s*\]\]", re.MULTILINE)
Look = Callable[[Sequence[str]], Sequence[Survey | ThresherError]]  # surveys addresses


@dataclass(frozen=True, slots=True)
class Wanted:
    """One line of a list: what it asks for, or what is wrong with it."""

    line: int
    address: str  # as it is written
    fields: Mapping[str, Any] = field(default_factory=dict)
    fault: str = ""


def addresses_of(wanted: Sequence[Wanted]) -> Iterator[str]:
    """Yield the addresses of a list that can be asked."""
    for item in wanted:
        try:
            yield start_url(item.address)
        except UsageError:
            continue


def add_listed(
    catalog: Catalog, wanted: Sequence[Wanted], tags: Sequence[str], look: Look | None
) -> list[dict[str, Any]]:
    """Add what can be followed; return a row for each line. Without `look` no request is sent.

    Results are: added; moved (added at its new address); duplicate; dead (no answer, or an error); forbidden (by
    robots.txt, or an address that may not be fetched); invalid.
    """
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
    if look and drafts:
        found = look([draft.address for draft in drafts.values()])
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


def _draft(item: Wanted, tags: Sequence[str]) -> Source:
    if item.fault:
        raise UsageError(item.fault)
    address = start_url(item.address)
    fields = {name: value for name, value in item.fields.items() if value not in ("", None, [])}
    fields["tags"] = list(dict.fromkeys([*fields.get("tags", []), *tags]))
    defaults = {"name": name_from(address), "kind": "site", "created_at": datetime.now(UTC)}
    return source_from_dict(defaults | fields | {"address": address})


def read_list(body: bytes) -> list[Wanted]:
    """Read OPML, CSV with a line of names, TOML of `export`, or one URL a line; raise UsageError otherwise."""
    outlines = read_opml(body)
    if outlines is not None:
        return [Wanted(number, *_of_outline(outline)) for number, outline in enumerate(outlines, start=1)]
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError("this is neither OPML nor text in UTF-8") from None
    if _TOML.search(text):
        return [_of_definition(number, each) for number, each in enumerate(from_toml(text), start=1)]
    head = [CSV_ALIASES.get(name.strip().lower(), name.strip().lower()) for name in _rows(text.split("\n", 1)[0])[0]]
    if "address" in head:
        return _csv_lines(text, head)
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), start=1)]
    return [Wanted(number, line) for number, line in lines if line and not line.startswith("#")]


def _of_outline(outline: Outline) -> tuple[str, dict[str, Any]]:
    # The title of a feed may hold anything, so it does not become the name.
    return outline.address, {"tags": list(outline.folders), "language": outline.language}


def _of_definition(number: int, definition: Definition) -> Wanted:
    fields = source_to_dict(definition.source)
    address = fields.pop("address", "")
    fault = "" if address else "a search has no address; `thresher sources apply FILE` adds it"
    return Wanted(number, address or definition.source.name, fields, fault)


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


def _failure(error: ThresherError) -> str:
    if isinstance(error, NotPermitted):
        return "forbidden"
    return "dead" if isinstance(error, Unreachable) or "answered with status" in str(error) else "invalid"


def write_list(chosen: Sequence[Definition], format_: str) -> str:
    """Return sources as TOML, OPML, CSV or JSON."""
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


def carry_out(catalog: Catalog, change: Change, seen: Survey | None) -> None:
    """Do what a plan says for one source; a survey tells the endpoints of one that is added without any."""
    if change.action == "remove":
        catalog.remove(change.name)
    elif change.action == "add" and change.definition:
        _add(catalog, change.definition, seen)
    elif change.action == "change" and change.definition:
        catalog.change(change.definition.source)
        if "endpoint" in change.fields:
            _replace_endpoints(catalog, change.definition)


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
