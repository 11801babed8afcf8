"""`thresher sources`: what is followed — add, look, change, test, pause, remove."""

import json
from collections.abc import Mapping, Sequence, Set
from contextlib import closing, suppress
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import click

from thresher import config, wiring
from thresher.catalog.contract import Catalog
from thresher.catalog.definitions import named, refuse_duplicate
from thresher.catalog.facts import facts_of
from thresher.catalog.searches import plan_search, search_endpoints
from thresher.cli import columns, exits, sources_exchange, sources_status
from thresher.cli.options import catalog_options, settings
from thresher.cli.sources_options import (
    catalog_in,
    catalog_places,
    definition_options,
    fetch_options,
    fetching_settings,
    formatted,
    known_source,
    object_formatted,
)
from thresher.cli.terminal import counted, say, show, show_data
from thresher.crawling.opening import start_url
from thresher.crawling.reasons import meaning_of
from thresher.crawling.sights import Sample, Survey, source_of, unseen
from thresher.crawling.survey import survey
from thresher.errors import NothingCollected, ThresherError, UsageError
from thresher.model import Endpoint, Source, SourceKind, SourceState
from thresher.model.engine import HOT
from thresher.model.source import name_from, source_from_dict, source_to_dict
from thresher.text import printable, squeeze

SAMPLES_ADDED = 3
SAMPLES_TESTED = 5
SHOWN_LINKS = 40
# Flags, and the fields of a source that they set.
FIELDS = {
    "include": "include",
    "exclude": "exclude",
    "every": "frequency",
    "lang": "language",
    "channel": "channel",
    "tag": "tags",
    "limit": "limit",
    "since": "since",
}
SEARCH_FIELDS = {"search": "keywords", "engine": "engine"}  # of searches alone


@click.group("sources")
def command() -> None:
    """Follow feeds, sites and forums: `thresher watch` asks them again and again for what is new.

    A source has a name, an address and endpoints: the feeds, sitemaps, listings and boards that are asked.
    """


@command.command("add")
@click.argument("url", required=False)
@click.option(
    "--search", multiple=True, metavar="KEYWORDS", help=f"Follow what search engines find ({HOT}: hot keywords)."
)
@click.option("--engine", metavar="NAME", help="Search engine to ask (default: all in the settings).")
@click.option("--name", help="Name of the source (default: made from the address).")
@definition_options
@click.option("--kind", type=click.Choice(["feed", "site", "forum"]), help="What it is (default: found out).")
@click.option("--no-probe", is_flag=True, help="Send no request; follow the address as it is.")
@object_formatted
@fetch_options
@catalog_options
@click.pass_context
def add(ctx: click.Context, /, **flags: Any) -> int:
    """Look at a URL, say what was found there, and follow it from now on.

    A page is searched for feeds, also where they usually are, and for sitemaps and boards; a few of the newest articles
    are extracted as samples. Nothing is stored but the source. With --search, keywords are followed instead of a URL.
    """
    if bool(flags["url"]) == bool(flags["search"]):
        raise UsageError("give a URL to follow, or --search KEYWORDS")
    if flags["search"]:
        return _add_search(ctx, flags)
    if flags["engine"]:
        raise UsageError("--engine says who is asked for keywords: give --search, too")
    source, found = add_source(ctx, flags)
    show_survey(source, found, flags["format_"])
    say(f"thresher: {source.name} will be followed by `thresher watch`")
    return exits.DONE


def _add_search(ctx: click.Context, flags: dict[str, Any]) -> int:
    """Follow keywords at search engines; raise UsageError when no engine is set up for them."""
    words = [word for word in map(squeeze, flags["search"]) if word]
    given = {field: flags[flag] for flag, field in FIELDS.items() if flags[flag]}
    about = {"kind": "search", "keywords": words, "created_at": datetime.now(UTC), **given}
    engines = settings(ctx, **catalog_places(flags)).engines
    with catalog_in(ctx, flags, create=True) as catalog:
        taken = {known.name for known in catalog.sources()}
        name = flags["name"] or name_from("search " + " ".join(words).replace(HOT, "hot"), taken)
        source = source_from_dict({"name": name, "engine": flags["engine"] or "", **about})
        endpoints = search_endpoints(source, engines, [keyword.word for keyword in catalog.keywords()])
        catalog.add(source, endpoints)
    if flags["format_"] == "json":
        show_data(json.dumps(source_to_dict(source), ensure_ascii=False, indent=2))
    for endpoint in endpoints:
        say(f"  {endpoint.url}")
    say(f"thresher: {source.name} follows {counted(len(endpoints), 'result page')}")
    return exits.DONE


def add_source(ctx: click.Context, flags: dict[str, Any]) -> tuple[Source, Survey | None]:
    """Make a source of the flags of `add`, and keep it; raise a ThresherError when it cannot be followed."""
    address = start_url(flags["url"])
    chosen = fetching_settings(ctx, flags, [address])
    draft = _draft(address, flags)
    with suppress(NothingCollected), catalog_in(ctx, flags) as catalog:
        refuse_duplicate(catalog, [address])
    found = None if flags["no_probe"] else survey_one(address, chosen, draft, samples=SAMPLES_ADDED)
    source, endpoints = source_of(found, draft) if found else unseen(draft)
    if flags["kind"]:
        source = replace(source, kind=SourceKind(flags["kind"]))
    with catalog_in(ctx, flags, create=True) as catalog:
        refuse_duplicate(catalog, [source.address, *(e.url for e in endpoints)])
        if not flags["name"]:
            source, endpoints = named(source, endpoints, {known.name for known in catalog.sources()})
        catalog.add(source, endpoints)
    return source, found


def survey_one(address: str, chosen: config.Settings, draft: Source, *, samples: int) -> Survey:
    """Survey one address; raise the ThresherError that says why it cannot be followed."""
    (found,) = survey([address], wiring.means(chosen), samples=samples, wants=draft.wants)
    if isinstance(found, ThresherError):
        raise found
    return found


def _draft(address: str, flags: Mapping[str, Any]) -> Source:
    given = {field: flags[flag] for flag, field in FIELDS.items() if flags[flag]}
    name = flags.get("name") or name_from(address)
    created = datetime.now(UTC)
    return source_from_dict({"name": name, "address": address, "created_at": created, "kind": "site", **given})


@command.command("list")
@click.option("--tag", help="Only those with this tag.")
@click.option("--kind", type=click.Choice(list(SourceKind)), help="Only those of this kind.")
@formatted
@catalog_options
@click.pass_context
def list_(ctx: click.Context, /, tag: str | None, kind: str | None, format_: str, **places: Any) -> int:
    """List the sources, by name."""
    try:
        with catalog_in(ctx, places) as catalog:
            known, endpoints = catalog.sources(), catalog.endpoints()
    except NothingCollected:
        known, endpoints = [], []
    chosen = [s for s in known if (not tag or tag in s.tags) and (not kind or s.kind == kind)]
    rows = [
        {
            "name": source.name,
            "kind": str(source.kind),
            "state": str(source.state),
            "frequency": source.frequency,
            "endpoints": sum(endpoint.source == source.name for endpoint in endpoints),
            "tags": list(source.tags),
            "address": source.address or " ".join(source.keywords),
        }
        for source in chosen
    ]
    columns.show(rows, format_, empty="no source yet; `thresher sources add URL` adds one")
    return exits.DONE


@command.command("show")
@click.argument("name")
@click.option("-n", "--rounds", type=click.IntRange(min=0), default=10, show_default=True, help="Rounds to show.")
@object_formatted
@catalog_options
@click.pass_context
def show_one(ctx: click.Context, /, name: str, rounds: int, format_: str, **places: Any) -> int:
    """Show one source.

    You see its definition, endpoints, health and latest rounds, and what became of its pages.

    Subscriptions are those of its feeds at WebSub hubs, which `thresher serve` makes.
    """
    with catalog_in(ctx, places) as catalog:
        source = known_source(catalog, name)
        facts = facts_of(catalog, source, rounds=rounds, now=datetime.now(UTC))
    chosen = settings(ctx, **catalog_places(places))
    facts["subscriptions"] = _subscriptions(chosen, {endpoint["url"] for endpoint in facts["endpoints"]})
    if format_ == "json":
        show_data(json.dumps(facts, ensure_ascii=False, indent=2))
    else:
        sources_status.show_facts(facts)
    return exits.DONE


def _subscriptions(chosen: config.Settings, urls: Set[str]) -> list[dict[str, Any]]:
    """Return what hubs were asked for by the feeds at some addresses."""
    with closing(wiring.open_alerts(chosen)) as book:
        return [
            {
                "hub": one.hub,
                "until": one.until.isoformat(timespec="seconds") if one.until else None,
                "told_us": one.pushed_at.isoformat(timespec="seconds") if one.pushed_at else None,
                "problem": one.detail or None,
                "url": one.url,
            }
            for one in book.subscriptions()
            if one.url in urls
        ]


@command.command("edit")
@click.argument("name")
@click.option("--search", multiple=True, metavar="KEYWORDS", help="Keywords of a search (repeatable).")
@click.option("--engine", metavar="NAME", help="Search engine that a search asks ('': all in the settings).")
@definition_options
@catalog_options
@click.pass_context
def edit(ctx: click.Context, /, name: str, **flags: Any) -> int:
    """Change the definition of a source.

    A flag replaces what was there: all tags, all patterns. An empty value ('', or 0 for --limit) removes it. Name and
    address stay; to follow another address, add it and remove this one.
    """
    fields = FIELDS | SEARCH_FIELDS
    given = {field: flags[flag] for flag, field in fields.items() if flags[flag] not in (None, ())}
    if not given:
        raise UsageError("nothing to change: give at least one of --" + ", --".join(fields))
    with catalog_in(ctx, flags) as catalog:
        before = known_source(catalog, name)
        if before.kind is not SourceKind.SEARCH and given.keys() & SEARCH_FIELDS.values():
            raise UsageError(f"{name} follows {before.address}: only searches have keywords and engines")
        kept = {field: value for field, value in source_to_dict(before).items() if field not in given}
        after = source_from_dict(kept | {field: value for field, value in given.items() if _holds(value)})
        wanted = _result_pages(ctx, catalog, after, flags) if after.kind is SourceKind.SEARCH else None
        catalog.change(after)
        if wanted is not None:
            plan_search(catalog, after, wanted)
    old, new = source_to_dict(before), source_to_dict(after)
    for field in dict.fromkeys([*new, *old]):
        if old.get(field) != new.get(field):
            show(f"{field}: {_plain(old.get(field))} → {_plain(new.get(field))}")
    return exits.DONE


def _result_pages(ctx: click.Context, catalog: Catalog, source: Source, flags: Mapping[str, Any]) -> list[Endpoint]:
    """Return the result pages that a search asks; raise UsageError when its engine is not set up."""
    engines = settings(ctx, **catalog_places(flags)).engines
    return search_endpoints(source, engines, [keyword.word for keyword in catalog.keywords()])


def _holds(value: Any) -> bool:
    return value not in ("", 0) and value != ("",)


@command.command("test")
@click.argument("target", metavar="URL|NAME")
@definition_options
@click.option("--all", "every_link", is_flag=True, help=f"Show all links, not only the first {SHOWN_LINKS}.")
@object_formatted
@fetch_options
@catalog_options
@click.pass_context
def test(ctx: click.Context, /, target: str, every_link: bool, **flags: Any) -> int:
    """Try a URL or a source without storing anything.

    Lists the links that are there now, says which of them would be followed, and extracts a few samples.

    For a search, its result pages are fetched. Patterns given here are tried in place of those of the source.
    """
    draft, pages = _tested(ctx, target, flags)
    found = _surveyed(ctx, draft, pages, flags)
    samples = [sample for each in found for sample in each.samples][:SAMPLES_TESTED]
    links = [
        {"follow": not (reason := _refusal(draft, url)), "reason": reason or None, "endpoint": spot.url, "url": url}
        for each in found
        for spot in each.spots
        for url in spot.links
    ]
    if flags["format_"] == "json":
        data = {"links": links, "samples": [sample_facts(sample) for sample in samples]}
        show_data(json.dumps(data, ensure_ascii=False, indent=2))
        return exits.DONE if any(link["follow"] for link in links) else exits.EMPTY
    links = list({link["url"]: link for link in links}.values())  # a feed and a page may list the same
    shown = links if every_link else links[:SHOWN_LINKS]
    for link in shown:
        show(
            f"{'follow' if link['follow'] else 'skip  '}  {link['url']}"
            + (f"  ({link['reason']})" if link["reason"] else "")
        )
    followed = sum(bool(link["follow"]) for link in links)
    rest = f"; {len(links) - len(shown)} more with --all" if len(shown) < len(links) else ""
    show(f"\n{followed} of {counted(len(links), 'link')} would be followed{rest}\n")
    for sample in samples:
        _show_sample(sample)
    return exits.DONE if followed else exits.EMPTY


def _surveyed(ctx: click.Context, draft: Source, pages: Sequence[str], flags: dict[str, Any]) -> list[Survey]:
    """Look at a source, or at each result page of a search; raise the ThresherError that says why none can be read."""
    if draft.kind is not SourceKind.SEARCH:
        return [survey_one(draft.address, fetching_settings(ctx, flags, pages), draft, samples=SAMPLES_TESTED)]
    means = wiring.means(fetching_settings(ctx, flags, pages))
    looked = survey(pages, means, samples=SAMPLES_TESTED, wants=draft.wants, are_results=True)
    faults = [one for one in looked if isinstance(one, ThresherError)]
    if len(faults) == len(looked):
        raise faults[0] if faults else UsageError(f"{draft.name} asks for nothing: it has no keywords")
    for fault in faults:
        say(f"thresher: {fault}")
    return [one for one in looked if isinstance(one, Survey)]


def _tested(ctx: click.Context, target: str, flags: Mapping[str, Any]) -> tuple[Source, list[str]]:
    """Return the source of a name, or a draft for a URL, with the patterns that were given; and what it asks."""
    known, pages = None, []
    with suppress(NothingCollected), catalog_in(ctx, flags) as catalog:
        known = catalog.source(target)
        if known and known.kind is SourceKind.SEARCH:
            pages = [endpoint.url for endpoint in _result_pages(ctx, catalog, known, flags)]
    if known:
        include, exclude = (flags[field] or getattr(known, field) for field in ("include", "exclude"))
        asked = pages if known.kind is SourceKind.SEARCH else [known.address]
        return replace(known, include=include, exclude=exclude), asked
    if "." not in target and "://" not in target and not target.startswith("localhost"):
        raise UsageError(f"there is no source {target}, and it is not a URL either")
    draft = _draft(start_url(target), flags)
    return draft, [draft.address]


def _refusal(source: Source, url: str) -> str:
    if source.wants(url):
        return ""
    return "excluded" if source.include == () or not replace(source, include=()).wants(url) else "not included"


@command.command("pause")
@click.argument("names", nargs=-1)
@click.option("--tag", help="All sources with this tag.")
@catalog_options
@click.pass_context
def pause(ctx: click.Context, /, names: tuple[str, ...], tag: str | None, **places: Any) -> int:
    """Stop asking sources, until `resume`."""
    return _set_states(ctx, names, tag, SourceState.PAUSED, places)


@command.command("resume")
@click.argument("names", nargs=-1)
@click.option("--tag", help="All sources with this tag.")
@catalog_options
@click.pass_context
def resume(ctx: click.Context, /, names: tuple[str, ...], tag: str | None, **places: Any) -> int:
    """Ask paused sources again."""
    return _set_states(ctx, names, tag, SourceState.ACTIVE, places)


def _set_states(
    ctx: click.Context, names: tuple[str, ...], tag: str | None, state: SourceState, places: Mapping[str, Any]
) -> int:
    with catalog_in(ctx, places) as catalog:
        for source in _chosen(catalog, names, tag):
            if source.state is not state:
                catalog.set_state(source.name, state)
            say(f"thresher: {source.name} is {state}")
    return exits.DONE


@command.command("rm")
@click.argument("names", nargs=-1)
@click.option("--tag", help="All sources with this tag.")
@catalog_options
@click.pass_context
def remove(ctx: click.Context, /, names: tuple[str, ...], tag: str | None, **places: Any) -> int:
    """Remove sources. Their history is forgotten; their documents stay."""
    with catalog_in(ctx, places) as catalog:
        for source in _chosen(catalog, names, tag):
            catalog.remove(source.name)
            say(f"thresher: {source.name} is removed; its documents stay")
    return exits.DONE


def _chosen(catalog: Catalog, names: Sequence[str], tag: str | None) -> list[Source]:
    """Return the sources that were named; all are looked up before anything is done to one."""
    if bool(names) == bool(tag):
        raise UsageError("name one or more sources, or give --tag")
    if tag:
        found = [source for source in catalog.sources() if tag in source.tags]
        if not found:
            raise UsageError(f"no source has the tag {tag}; `thresher sources list` shows the tags")
        return found
    return [known_source(catalog, name) for name in dict.fromkeys(names)]


def show_survey(source: Source, found: Survey | None, format_: str) -> None:
    """Print what was found, and what is followed from now on."""
    facts: dict[str, Any] = source_to_dict(source)
    if found:
        facts["robots"] = found.robots
        facts["endpoints"] = [
            {"kind": str(spot.kind), "url": spot.url, "links": len(spot.links), "found": spot.how}
            for spot in found.spots
        ]
        facts["samples"] = [sample_facts(sample) for sample in found.samples]
    if format_ == "json":
        show_data(json.dumps(facts, ensure_ascii=False, indent=2))
        return
    for name in ("name", "kind", "address", "language", "channel", "tags", "frequency", "robots"):
        if facts.get(name):
            show(f"{name + ':':<14}{_plain(facts[name])}")
    for spot in found.spots if found else ():
        links = f"{counted(len(spot.links), 'link')}; " if spot.links else ""
        show(f"{spot.kind + ':':<14}{squeeze(spot.url)} ({links}{spot.how})")
    for sample in found.samples if found else ():
        _show_sample(sample)


def sample_facts(sample: Sample) -> dict[str, Any]:
    """Return a sample as plain data."""
    return {
        "url": sample.url,
        "title": sample.title,
        "published": sample.published.isoformat() if sample.published else None,
        "authors": list(sample.authors),
        "characters": sample.characters,
        "refused": sample.refusal or None,
    }


def _show_sample(sample: Sample) -> None:
    show(f"{'sample:':<14}{squeeze(printable(sample.title)) or '(no title)'}")
    if sample.refusal:
        meaning = meaning_of(sample.refusal)
        show(f"{'':<14}would not be stored: {sample.refusal}{f' ({meaning})' if meaning else ''}")
    else:
        date = f"{sample.published:%Y-%m-%d %H:%M}" if sample.published else "no date"
        authors = squeeze(printable(", ".join(sample.authors))) or "no author"
        show(f"{'':<14}{date}, {authors}, {counted(sample.characters, 'character')}")
    show(f"{'':<14}{sample.url}")


def _plain(value: Any) -> str:
    if value in (None, [], ""):
        return "-"
    return squeeze(printable(", ".join(map(str, value)) if isinstance(value, list) else str(value)))


command.add_command(sources_status.status)
command.add_command(sources_exchange.import_)
command.add_command(sources_exchange.export)
command.add_command(sources_exchange.apply)
