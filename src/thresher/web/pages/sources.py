"""Sources: what is followed, how it fares, and how it is changed."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from thresher.catalog.contract import FAILED, HOUR_S, STORED, Catalog, HourCount
from thresher.catalog.definitions import definitions
from thresher.catalog.facts import facts_of, healths
from thresher.catalog.health import Health
from thresher.catalog.searches import plan_search, plan_searches, search_endpoints
from thresher.crawling.reasons import meaning_of
from thresher.errors import UsageError
from thresher.model import Endpoint, Keyword, Source, SourceKind, SourceState
from thresher.model.source import source_from_dict, source_to_dict
from thresher.text import clean
from thresher.watching.exchange import FORMATS, write_list
from thresher.web.access import noted
from thresher.web.corpora import OpenCorpus
from thresher.web.drawings import Column, columns, spark
from thresher.web.frame import wording_of
from thresher.web.problems import Refused
from thresher.web.site import site_of
from thresher.web.views import View, page, redirect

DAYS = 30  # of the small chart of each source
SHOWN = 200  # rows on a page
ROUNDS = 30
JUDGED = 50
MEDIA = {"toml": "application/toml", "opml": "text/x-opml", "csv": "text/csv", "json": "application/json"}
SORTS = ("name", "last_new", "last_week", "errors", "problems")
LINES = ("include", "exclude", "keywords")  # of a form: one a line
STATES = {"pause": SourceState.PAUSED, "resume": SourceState.ACTIVE}


async def sources(request: Request) -> View:
    """List the sources with how each fares."""
    rows = await site_of(request).corpora.recent("sources", _all_rows)
    asked = {name: request.query_params.get(name, "") for name in ("q", "kind", "state", "channel", "tag", "problem")}
    chosen = sorted_rows([row for row in rows if admitted(row, asked)], request.query_params.get("sort", "name"))
    start = _whole(request.query_params.get("after", ""), 0)
    shown = chosen[start : start + SHOWN]
    data = {
        "rows": shown,
        "total": len(rows),
        "found": len(chosen),
        "after": start + SHOWN if start + SHOWN < len(chosen) else None,
        "asked": asked,
        "sort": request.query_params.get("sort", "name"),
        "counts": {name: Counter(row[name] for row in rows if row[name]) for name in ("kind", "state", "channel")},
        "tags": Counter(tag for row in rows for tag in row["tags"]).most_common(30),
        "troubled": sum(bool(row["problems"]) for row in rows),
        "_sparks": {row["name"]: spark(row["days"], _about(request, row)) for row in shown},
        "_cli": "thresher sources status",
    }
    flat = [{**row, "days": " ".join(map(str, row["days"])), "problems": " ".join(row["problems"])} for row in chosen]
    return View("sources.html", wording_of(request).gettext("Sources"), data, rows=flat)


def source_rows(found: Sequence[Health], hours: Sequence[HourCount], now: datetime) -> list[dict[str, Any]]:
    """Return a row for each source: what it is, how it fares, and its documents of each of the last DAYS days."""
    today = int(now.timestamp() // 86_400)
    days: dict[str, list[int]] = {health.source.name: [0] * DAYS for health in found}
    for count in hours:
        back = today - count.hour * HOUR_S // 86_400
        if count.state == STORED and 0 <= back < DAYS and count.source in days:
            days[count.source][DAYS - 1 - back] += count.count
    return [_row(health, days[health.source.name]) for health in found]


def admitted(row: Mapping[str, Any], asked: Mapping[str, str]) -> bool:
    """Say whether a row passes the filters; empty ones let all pass."""
    if any(asked[name] and row[name] != asked[name] for name in ("kind", "state", "channel")):
        return False
    if asked["tag"] and asked["tag"] not in row["tags"]:
        return False
    if asked["problem"] and not (row["problems"] if asked["problem"] == "any" else asked["problem"] in row["problems"]):
        return False
    text = f"{row['name']} {row['address']} {' '.join(row['tags'])}".casefold()
    return all(word in text for word in asked["q"].casefold().split())


def sorted_rows(rows: list[dict[str, Any]], sort: str) -> list[dict[str, Any]]:
    """Return rows in the order that a name of a column asks for, backwards with a - before it; by name otherwise."""
    key = sort.removeprefix("-")
    if key not in SORTS:
        return rows

    def value(row: dict[str, Any]) -> Any:
        found = row[key]
        return len(found) if isinstance(found, list) else found.timestamp() if isinstance(found, datetime) else found

    known = [row for row in rows if row[key] is not None]
    return sorted(known, key=value, reverse=sort.startswith("-")) + [row for row in rows if row[key] is None]


async def act(request: Request) -> View | Response:
    """Pause, resume or remove the sources that were ticked; removing asks first."""
    form, _ = await request.form(), wording_of(request)
    names, action = [str(name) for name in form.getlist("name")], str(form.get("action", ""))
    if not names:
        return redirect(request, "sources", notice=_.gettext("Tick the sources first."))
    if action == "remove" and not form.get("sure"):
        data = {"names": names, "_cli": f"thresher sources rm {' '.join(names)}"}
        return View("sources_remove.html", _.gettext("Remove sources"), data)
    if action not in (*STATES, "remove"):
        raise UsageError(f"{action!r} is not one of pause, resume, remove")
    done = await site_of(request).corpora.write(_acted, names, action)
    await noted(request, f"sources.{action}", ", ".join(names)[:500])
    words = {
        "pause": _.ngettext("%(num)s source is paused.", "%(num)s sources are paused.", done),
        "resume": _.ngettext("%(num)s source is followed again.", "%(num)s sources are followed again.", done),
        "remove": _.ngettext(
            "%(num)s source is removed; its documents stay.", "%(num)s sources are removed; their documents stay.", done
        ),
    }
    back = str(form.get("back", ""))
    if back and back in names and action != "remove":
        return redirect(request, "sources.one", notice=words[action], name=back)
    return redirect(request, "sources", notice=words[action])


async def export(request: Request) -> Response:
    """Hand out the sources as a file that `import` or `sources apply` takes back."""
    kind = request.path_params["kind"]
    if kind not in FORMATS:
        raise Refused(404, f"sources are exported as {', '.join(FORMATS)}")
    text = await site_of(request).corpora.read(lambda corpus: write_list(definitions(corpus.catalog), kind))
    headers = {"content-disposition": f'attachment; filename="sources.{kind}"', "cache-control": "no-store"}
    return Response(text, headers=headers, media_type=f"{MEDIA[kind]}; charset=utf-8")


async def source(request: Request) -> View:
    """Show one source with all that is known of it."""
    name, now = request.path_params["name"], datetime.now(UTC)
    facts = await site_of(request).corpora.read(_facts, name, now)
    language = wording_of(request)
    across = [
        Column(language.formats.short_day(day), [count], _documents(request, name, day), day.date().isoformat())
        for day, count in facts["days"]
    ]
    drawn = columns(
        "volume",
        language.gettext("New documents"),
        across,
        [language.gettext("documents")],
        x_name=language.gettext("day"),
        write=lambda value: f"{value:g}",
    )
    data = {
        **facts,
        "name": name,
        "meanings": {reason: meaning_of(reason) for reason in facts["validation"]["refused"]},
        "_volume": drawn,
        "_reason_of": meaning_of,
        "_cli": f"thresher sources show {name}",
    }
    rows = [{"day": day.date().isoformat(), "documents": count} for day, count in facts["days"]]
    return View("source.html", name, data, rows=rows)


async def edit(request: Request) -> View | Response:
    """Change the definition of a source."""
    name, site = request.path_params["name"], site_of(request)
    before = await site.corpora.read(lambda corpus: _known(corpus.catalog, name))
    if request.method == "GET":
        return _edit_view(request, source_to_dict(before), "")
    form = await request.form()
    fields = edited(source_to_dict(before), form)
    try:
        after = source_from_dict(fields)
        await site.corpora.write(_changed, after, site.settings.engines)
    except UsageError as error:
        return _edit_view(request, fields, str(error), status=422)
    await noted(request, "sources.edit", name)
    return redirect(request, "sources.one", notice=wording_of(request).gettext("Saved."), name=name)


def edited(before: Mapping[str, Any], form: FormData) -> dict[str, Any]:
    """Return the fields of a source as a form changes them; what is empty is left out."""
    fields = dict(before)
    for name in ("frequency", "language", "channel", "engine", "since"):
        if name in form:
            fields[name] = str(form[name]).strip()
    for name in (*LINES, "tags"):
        if name in form:
            text = str(form[name])
            fields[name] = [part.strip() for part in (text.split(",") if name == "tags" else text.splitlines())]
            fields[name] = [part for part in fields[name] if part]
    limit = str(form.get("limit", "")).strip()
    if limit and not limit.isdecimal():
        raise UsageError(f"limit: {limit!r} is not a whole number")
    fields["limit"] = int(limit) if limit and int(limit) else None
    return {name: value for name, value in fields.items() if value not in ("", [], None)}


async def keywords(request: Request) -> View | Response:
    """Show and change the hot keywords, which searches are followed for."""
    site, _ = site_of(request), wording_of(request)
    if request.method == "POST":
        form = await request.form()
        words = [word for line in str(form.get("words", "")).splitlines() if (word := clean(line))]
        gone = [str(word) for word in form.getlist("remove")]
        await site.corpora.write(_changed_keywords, words, gone, site.settings.engines)
        return redirect(request, "keywords", notice=_.gettext("Saved."))
    found = await site.corpora.read(lambda corpus: corpus.catalog.keywords())
    rows = [{"keyword": k.word, "origin": k.origin, "weight": k.weight, "added": k.added_at} for k in found]
    engines = [engine.name for engine in site.settings.engines]
    data = {"rows": rows, "engines": engines, "_cli": "thresher keywords list"}
    return View("keywords.html", _.gettext("Hot keywords"), data, rows=rows)


def _all_rows(corpus: OpenCorpus) -> list[dict[str, Any]]:
    now = datetime.now(UTC)
    catalog = corpus.catalog
    return source_rows(healths(catalog, now), catalog.hours(since=now - timedelta(days=DAYS)), now)


def _row(health: Health, days: list[int]) -> dict[str, Any]:
    known = health.source
    return {
        "name": known.name,
        "kind": str(known.kind),
        "state": str(known.state),
        "channel": known.channel,
        "frequency": known.frequency,
        "last_new": health.last_new,
        "last_week": health.last_week,
        "usual_week": None if health.per_week is None else round(health.per_week, 1),
        "days": days,
        "errors": sum(health.errors.values()),
        "problems": list(dict.fromkeys(problem.kind for problem in health.problems)),
        "details": [problem.detail for problem in health.problems],
        "tags": list(known.tags),
        "address": known.address or " ".join(known.keywords),
    }


def _about(request: Request, row: Mapping[str, Any]) -> str:
    total = sum(row["days"])
    return wording_of(request).ngettext(
        "%(num)s document in 30 days", "%(num)s documents in 30 days", total, name=row["name"]
    )


def _acted(corpus: OpenCorpus, names: Sequence[str], action: str) -> int:
    """Do one thing to several sources; return how many were there."""
    known = [name for name in dict.fromkeys(names) if corpus.catalog.source(name)]
    for name in known:
        if action == "remove":
            corpus.catalog.remove(name)
        else:
            corpus.catalog.set_state(name, STATES[action])
    return len(known)


def _facts(corpus: OpenCorpus, name: str, now: datetime) -> dict[str, Any]:
    catalog = corpus.catalog
    known = _known(catalog, name)
    hours = catalog.hours(name, since=now - timedelta(days=DAYS))
    facts = facts_of(catalog, known, rounds=ROUNDS, now=now)
    _add_moments(facts["health"], ("last_new", "next_due"))
    for endpoint in facts["endpoints"]:
        _add_moments(endpoint, ("last_asked", "last_new"))
    for visit in facts["rounds"]:
        _add_moments(visit, ("at",))
    return facts | {
        "kind": str(known.kind),
        "state": str(known.state),
        "days": _days(hours, now),
        "errors": dict(_by_reason(hours, FAILED)),
        "judged": [
            {"url": v.url, "at": v.at, "stored": v.stored, "reason": v.reason, "length": v.length}
            for v in catalog.judged(name, limit=JUDGED)
        ],
    }


def _add_moments(facts: dict[str, Any], names: Sequence[str]) -> None:
    """Add the times of plain data as such, under names that the template alone sees."""
    for name in names:
        facts[f"_{name}"] = datetime.fromisoformat(facts[name]) if facts[name] else None


def _days(hours: Sequence[HourCount], now: datetime) -> list[tuple[datetime, int]]:
    first = now.replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=DAYS - 1)
    counts = Counter[int]()
    for count in hours:
        if count.state == STORED:
            counts[math.floor((count.hour * HOUR_S - first.timestamp()) / 86_400)] += count.count
    return [(first + timedelta(days=day), counts[day]) for day in range(DAYS)]


def _by_reason(hours: Sequence[HourCount], state: str) -> list[tuple[str, int]]:
    counts = Counter[str]()
    for count in hours:
        if count.state == state:
            counts[count.reason] += count.count
    return counts.most_common()


def _known(catalog: Catalog, name: str) -> Source:
    found = catalog.source(name)
    if found is None:
        raise Refused(404, f"there is no source {name}")
    return found


def _documents(request: Request, name: str, day: datetime) -> str:
    return site_of(request).paths.of("search", q=f'source:"{name}" seen:{day:%Y-%m-%d}')


def _edit_view(request: Request, fields: Mapping[str, Any], error: str, status: int = 200) -> View:
    data = {"name": fields["name"], "fields": fields, "error": error, "_cli": f"thresher sources edit {fields['name']}"}
    return View("source_edit.html", wording_of(request).gettext("Edit a source"), data, status=status)


def _changed(corpus: OpenCorpus, after: Source, engines: Sequence[Any]) -> None:
    wanted: list[Endpoint] | None = None
    if after.kind is SourceKind.SEARCH:
        wanted = search_endpoints(after, engines, [keyword.word for keyword in corpus.catalog.keywords()])
    corpus.catalog.change(after)
    if wanted is not None:
        plan_search(corpus.catalog, after, wanted)


def _changed_keywords(corpus: OpenCorpus, words: Sequence[str], gone: Sequence[str], engines: Sequence[Any]) -> None:
    now, catalog = datetime.now(UTC), corpus.catalog
    if any(word.startswith("@") for word in words):
        raise UsageError("a keyword does not begin with @")
    present = {keyword.word for keyword in catalog.keywords()}
    catalog.save_keywords([Keyword(word=w, origin="edited", added_at=now) for w in words if w not in present])
    if gone:
        catalog.remove_keywords(gone)
    plan_searches(catalog, engines)


def _whole(text: str, otherwise: int) -> int:
    return int(text) if text.isdecimal() and len(text) < 8 else otherwise


ROUTES: list[Route] = [
    *page("/sources", sources, name="sources"),
    *page("/sources/act", act, name="sources_act", role="analyst", methods=("POST",)),
    *page("/sources/export/{kind}", export, name="sources_export"),
    *page("/sources/keywords", keywords, name="keywords", role="analyst", methods=("GET", "POST")),
    *page("/sources/of/{name}", source, name="sources.one"),
    *page("/sources/of/{name}/edit", edit, name="source_edit", role="analyst", methods=("GET", "POST")),
]
