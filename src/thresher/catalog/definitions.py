"""Definitions of sources as TOML that people keep in files: written, read back, and compared with what is there."""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import tomli_w

from thresher import urls
from thresher.catalog.contract import Catalog
from thresher.errors import UsageError
from thresher.model import Endpoint, EndpointKind, Source
from thresher.model.source import name_from, source_from_dict, source_to_dict

HEADER = "# Sources of Thresher. `thresher sources apply FILE` makes the catalog match.\n\n"


@dataclass(frozen=True, slots=True)
class Definition:
    """A source, and the endpoints that are named for it; where none is, they are to be found."""

    source: Source
    endpoints: tuple[tuple[str, EndpointKind], ...] = ()  # URL, kind


@dataclass(frozen=True, slots=True)
class Change:
    """What is to be done for one source."""

    action: str  # add, change, remove; keep: it is not in the file and stays
    name: str
    fields: Mapping[str, tuple[Any, Any]] = field(default_factory=dict)  # before, after; as plain data
    definition: Definition | None = None  # as it is to be; None: no more


def to_toml(definitions: Iterable[Definition]) -> str:
    """Return what `from_toml` reads; when a source was added is left out."""
    return HEADER + tomli_w.dumps(
        {"source": [_plain(definition) for definition in definitions]}, multiline_strings=False
    )


def from_toml(text: str) -> list[Definition]:
    """Return the sources of a file, in its order; raise UsageError that says what is wrong with which."""
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # also of numbers and lists that are beyond Python's own limits
        raise UsageError(f"not valid TOML: {error}") from error
    unknown = sorted(set(data) - {"source"})
    if unknown:
        raise UsageError(f"unknown table {unknown[0]!r}; sources are written as [[source]]")
    tables = data.get("source", [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise UsageError("sources are written as [[source]], with two brackets")
    found = [_definition(table) for table in tables]
    names = [definition.source.name for definition in found]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice:
        raise UsageError(f"source {twice}: it is there twice")
    return found


def plan(wanted: Sequence[Definition], present: Sequence[Definition], *, prune: bool) -> list[Change]:
    """Return what has to be done so that the catalog matches: changes in the order of the file, then what is not in it.

    A definition without endpoints leaves those that are there alone. Nothing is to be done when it matches.
    """
    known = {definition.source.name: definition for definition in present}
    changes = []
    for definition in wanted:
        before = known.pop(definition.source.name, None)
        if before is None:
            changes.append(Change("add", definition.source.name, _differences({}, _plain(definition)), definition))
            continue
        after = replace(definition, endpoints=definition.endpoints or before.endpoints)
        fields = _differences(_plain(before), _plain(after))
        if fields:
            changes.append(Change("change", definition.source.name, fields, after))
    return changes + [Change("remove" if prune else "keep", name) for name in known]


def duplicate_of(places: Iterable[str], sources: Iterable[Source], endpoints: Iterable[Endpoint]) -> str | None:
    """Return the name of a source that follows one of these URLs already, by its address or an endpoint."""
    wanted = {_place(url) for url in places}
    for source in sources:
        if source.address and _place(source.address) in wanted:
            return source.name
    # A page may be an endpoint of several sources; a feed or sitemap is one of one.
    listed = (EndpointKind.FEED, EndpointKind.SITEMAP)
    return next((e.source for e in endpoints if e.kind in listed and _place(e.url) in wanted), None)


def named(source: Source, endpoints: Sequence[Endpoint], taken: set[str]) -> tuple[Source, list[Endpoint]]:
    """Give a source a name from its address, unlike all that are taken."""
    name = name_from(source.address, taken)
    return replace(source, name=name), [replace(endpoint, source=name) for endpoint in endpoints]


def refuse_duplicate(catalog: Catalog, places: Sequence[str]) -> None:
    """Raise UsageError when one of some URLs is followed already."""
    known = duplicate_of(places, catalog.sources(), catalog.endpoints())
    if known:
        raise UsageError(f"{places[0]} is followed already, as {known}; `thresher sources show {known}` shows it")


def definitions(catalog: Catalog) -> list[Definition]:
    """Return all sources with the endpoints that they have."""
    endpoints = catalog.endpoints()
    return [
        Definition(source, tuple((e.url, e.kind) for e in endpoints if e.source == source.name))
        for source in catalog.sources()
    ]


def _place(url: str) -> str:
    """Return a URL without what does not make it another place: the scheme, www., a slash at the end."""
    return url.partition("://")[2].removeprefix("www.").rstrip("/")


def _plain(definition: Definition) -> dict[str, Any]:
    data = source_to_dict(definition.source)
    data.pop("created_at", None)
    if definition.endpoints:
        data["endpoint"] = [{"kind": str(kind), "url": url} for url, kind in sorted(definition.endpoints)]
    return data


def _definition(table: Mapping[str, Any]) -> Definition:
    source = source_from_dict({name: value for name, value in table.items() if name != "endpoint"})
    endpoints = table.get("endpoint", [])
    if not isinstance(endpoints, list):
        raise UsageError(f"source {source.name}: endpoints are written as [[source.endpoint]]")
    return Definition(source, tuple(_endpoint(source.name, item) for item in endpoints))


def _endpoint(name: str, item: Any) -> tuple[str, EndpointKind]:
    try:
        if set(item) != {"kind", "url"}:
            raise UsageError("an endpoint has a kind and a url")
        return urls.canonical(str(item["url"])), EndpointKind(item["kind"])
    except (TypeError, ValueError):
        raise UsageError(f"source {name}: the kind of an endpoint is one of {', '.join(EndpointKind)}") from None
    except UsageError as error:
        raise UsageError(f"source {name}: endpoint: {error}") from None


def _differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    names = dict.fromkeys([*after, *before])
    return {n: (before.get(n), after.get(n)) for n in names if before.get(n) != after.get(n) and n != "name"}
