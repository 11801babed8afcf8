"""Search: find documents, see how they are spread, and narrow them by site, source, language, author and time."""

import asyncio
import shlex
import time
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Any

from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from thresher.api.queries import read_query
from thresher.errors import QueryError, UsageError
from thresher.index.histogram import UNITS
from thresher.index.nodes import Not
from thresher.model import Bucket, ClauseCount, Facets, Histogram, Hit, HitPage
from thresher.web import alerts, counts, drawings
from thresher.web.accounts import Visitor
from thresher.web.corpora import OpenCorpus
from thresher.web.frame import N_, Wording, address, wording_of
from thresher.web.shown import marked
from thresher.web.site import Site, site_of
from thresher.web.views import View, page, redirect

PAGE = 20  # hits
MAX_PAGE = 200
MAX_BUCKETS = 120  # of the histogram
SORTS = {"relevance": N_("best first"), "date": N_("newest first"), "seen": N_("last collected first")}
# What narrows a query by a value of each facet, in the order in which they are shown.
FACETS = {
    "site": (N_("Site"), "site"),
    "channel": (N_("Channel"), "channel"),
    "source": (N_("Source"), "source"),
    "language": (N_("Language"), "lang"),
    "author": (N_("Author"), "author"),
    "kind": (N_("Kind"), "is"),
}
KIND_NAMES = {
    "article": N_("article"),
    "thread": N_("thread"),
    "board": N_("board"),
    "listing": N_("listing"),
    "other": N_("other"),
}
LANGUAGE_NAMES = {
    "en": N_("English"),
    "zh": N_("Chinese"),
    "de": N_("German"),
    "fr": N_("French"),
    "es": N_("Spanish"),
    "ru": N_("Russian"),
    "ja": N_("Japanese"),
    "pt": N_("Portuguese"),
    "it": N_("Italian"),
    "pl": N_("Polish"),
}
FACET_VALUES = 8
UNIT_NAMES = {"hour": N_("hour"), "day": N_("day"), "week": N_("week"), "month": N_("month"), "year": N_("year")}


async def search(request: Request) -> View:
    """Show what a query finds; a query that cannot be read is shown with the place where it fails."""
    site, params = site_of(request), request.query_params
    query, sort = params.get("q", "").strip(), params.get("sort", "relevance")
    data: dict[str, Any] = {
        "query": query,
        "sort": sort,
        "unit": params.get("unit") or None,
        "total": None,
        "error": None,
    }
    extra: dict[str, Any] = {
        "_q": query,
        "_cli": f"thresher search {shlex.quote(query) if query else 'QUERY'}",
    }
    mine = await site.corpora.read(partial(_saved, visitor=request.state.user))
    extra |= {"_sorts": SORTS, "_units": UNIT_NAMES, "_kinds": KIND_NAMES, "_saved": mine}
    try:
        found = await _find(site, query, sort, params)
    except QueryError as error:
        data["error"] = {"message": str(error), "place": error.place}
        extra["_error"] = _pointed(query, error)
        return View("search.html", N_("Search"), {**data, **extra}, rows=[], status=422)
    except UsageError as error:
        data["error"] = {"message": str(error), "place": None}
        return View("search.html", N_("Search"), {**data, **extra, "_error": None}, rows=[], status=422)
    data |= found
    extra |= _shown(request, site, query, found)
    return View("search.html", N_("Search"), {**data, **extra}, rows=found["hits"])


async def dates(request: Request) -> View | Response:
    """Give how what a query finds is spread over time, as data; a page of it is that of the search."""
    query, unit = request.query_params.get("q", "").strip(), request.query_params.get("unit") or None
    if not request.url.path.endswith((".json", ".csv")):
        return redirect(request, "search", q=query or None, unit=unit)
    spread = await _spread(site_of(request), query, unit)
    if spread is None:
        return View("search.html", N_("Search"), {"query": query}, rows=[], status=202, headers={"retry-after": "3"})
    rows = [{"from": each.value, "documents": each.count} for each in spread.dates.buckets]
    return View("search.html", N_("Search"), {"query": query, "unit": spread.dates.unit}, rows=rows)


async def _find(site: Site, query: str, sort: str, params: QueryParams) -> dict[str, Any]:
    """Ask for hits, clauses and facets at the same time, each of a reader of its own."""
    started = time.perf_counter()
    after, unit = params.get("after") or None, params.get("unit") or None
    limit = min(max(_whole(params.get("limit"), PAGE), 1), MAX_PAGE)
    wanted = partial(_hits, query=query, sort=sort, after=after, limit=limit)
    asked: list[Any] = [site.corpora.recent(("hits", query, sort, after, limit), wanted)]
    if not after:
        asked.append(_spread(site, query, unit))
        asked.append(site.corpora.recent(("clauses", query), partial(_clauses, query=query)))
    hits, *more = await asyncio.gather(*asked)
    spread: Facets | None = more[0] if more else None
    clauses: Sequence[ClauseCount] = more[1] if more else ()
    if len(clauses) == 1 and not clauses[0].excludes:
        clauses = (ClauseCount(clauses[0].text, hits.total),)
    return {
        "total": hits.total,
        "took_ms": round(1000 * (time.perf_counter() - started), 1),
        "hits": [_row(hit) for hit in hits.hits],
        "next": hits.next,
        "suggestion": hits.suggestion,
        "clauses": clauses,
        "counting": not after and spread is None,
        "facets": _counts(spread) if spread else {},
        "dates": spread.dates if spread else None,
        "undated": spread.undated if spread else 0,
        "_hits": hits.hits,
        "_after": after,
    }


def _hits(corpus: OpenCorpus, *, query: str, sort: str, after: str | None, limit: int) -> HitPage:
    if sort not in SORTS:
        raise UsageError(f"sort: takes one of {', '.join(SORTS)}, not {sort!r}")
    return corpus.corpus.search(query, sort=sort, after=after, limit=limit)  # type: ignore[arg-type]  # checked above


async def _spread(site: Site, query: str, unit: str | None) -> Facets | None:
    """Return how what a query finds is spread; None while a process still counts all documents of a large corpus."""
    unit = unit if unit in UNITS else None
    if not query:
        spread = await counts.everything(site, unit)
        return counts.shortened(spread, FACET_VALUES) if spread else None
    return await site.corpora.recent(("spread", query, unit), partial(_facets, query=query, unit=unit))


def _facets(corpus: OpenCorpus, *, query: str, unit: str | None) -> Facets:
    return corpus.corpus.facets(query, limit=FACET_VALUES, unit=unit)


def _clauses(corpus: OpenCorpus, *, query: str) -> Sequence[ClauseCount]:
    """Count what each part of a query finds; the only part of one is not counted, for it finds what the query does."""
    parts = read_query(corpus.parts, query, datetime.now(UTC)).clauses if query else ()
    if len(parts) == 1 and not isinstance(parts[0].node, Not):
        return (ClauseCount(parts[0].text, 0),)
    return corpus.corpus.clauses(query) if parts else ()


def _counts(spread: Facets) -> dict[str, list[Bucket]]:
    by_name = {name: list(spread.counts.get(name, ())) for name in FACETS}
    return {name: [bucket for bucket in found if bucket.value] for name, found in by_name.items() if found}


def _row(hit: Hit) -> dict[str, Any]:
    return {
        "url": hit.url,
        "title": hit.title,
        "site": hit.site,
        "kind": hit.kind,
        "authors": list(hit.authors),
        "published": hit.published,
        "seen": hit.seen,
        "language": hit.language,
        "copies": hit.copies,
        "copy_sites": hit.copy_sites,
        "original": hit.original,
        "score": hit.score,
        "snippet": hit.snippet,
    }


def _shown(request: Request, site: Site, query: str, found: dict[str, Any]) -> dict[str, Any]:
    language = wording_of(request)
    cards = [
        {
            "href": site.paths.of("document", url=hit.url, q=query or None),
            "title": marked(hit.title or hit.url, hit.title_marks),
            "text": marked(hit.snippet, hit.marks),
            "hit": hit,
            "copies": site.paths.of("document", url=hit.original or hit.url) + "#copies",
            "site": site.paths.of("search", q=narrowed("", "site", hit.site)),
        }
        for hit in found["_hits"]
    ]
    facets = [
        {
            "name": language.gettext(FACETS[name][0]),
            "top": max(bucket.count for bucket in buckets),
            "values": [_value(site, query, FACETS[name][1], bucket, language) for bucket in buckets],
        }
        for name, buckets in found["facets"].items()
        if buckets
    ]
    return {
        "_cards": cards,
        "_facets": facets,
        "_chart": _histogram(site, query, found["dates"], language) if found["dates"] else None,
        "_export": site.paths.at("/api/v1/export"),
        "_actions": [
            (language.gettext(text), target)
            for text, target in (
                (N_("save"), address(site.paths, "saved.new", q=query)),
                (N_("alert me"), address(site.paths, "alerts.new", q=query)),
                ("RSS", address(site.paths, "feeds", q=query)),
            )
            if target and query
        ],
    }


def _value(site: Site, query: str, field: str, bucket: Bucket, language: Wording) -> dict[str, Any]:
    names = {"lang": LANGUAGE_NAMES, "is": KIND_NAMES}.get(field, {})
    return {
        "label": language.gettext(names[bucket.value]) if bucket.value in names else bucket.value,
        "value": bucket.value,
        "count": bucket.count,
        "href": site.paths.of("search", q=narrowed(query, field, bucket.value)),
        "without": site.paths.of("search", q=narrowed(query, f"-{field}", bucket.value)),
    }


def narrowed(query: str, field: str, value: str) -> str:
    """Return a query that asks for a value of a field as well, quoted where it has to be."""
    plain = all(letter.isalnum() or letter in "._-" for letter in value)
    asked = f"{field}:{value}" if plain else '{}:"{}"'.format(field, value.replace('"', " "))
    if not query:
        return asked
    whole = f"({query})" if " | " in query or " OR " in query else query
    return query if asked in query.split() else f"{whole} {asked}"


def _histogram(site: Site, query: str, dates: Histogram, language: Wording) -> drawings.Figure:
    filled = [(bucket, _begin(bucket.value)) for bucket in _filled(dates)]
    across = [
        drawings.Column(
            name=_bucket_name(dates.unit, begin, bucket.value, language, short=True),
            values=(bucket.count,),
            href=site.paths.of("search", q=narrowed(query, "date", _period(dates.unit, begin, bucket.value))),
            full_name=_bucket_name(dates.unit, begin, bucket.value, language),
        )
        for bucket, begin in filled
    ]
    _ = language.gettext
    unit = _(UNIT_NAMES[dates.unit])
    return drawings.columns(
        "histogram",
        _("By day of publication") if dates.unit == "day" else _("By time of publication"),
        across,
        [_("documents")],
        x_name=unit,
        write=language.formats.number,
        height=96,
    )


def _filled(dates: Histogram) -> list[Bucket]:
    """Return the buckets with the empty ones between them; the latest ones of very many."""
    if not dates.buckets:
        return []
    counts = {_begin(bucket.value): bucket for bucket in dates.buckets}
    first, at = min(counts), max(counts)
    filled: list[Bucket] = []
    while at >= first and len(filled) < MAX_BUCKETS:
        empty = at.isoformat(timespec="minutes")[: {"hour": 16, "month": 7, "year": 4}.get(dates.unit, 10)]
        filled.append(counts.get(at, Bucket(empty, 0)))
        at = _before(at, dates.unit)
    return filled[::-1]


def _before(begin: datetime, unit: str) -> datetime:
    """Return the beginning of the unit before one."""
    if unit in ("month", "year"):
        last = begin - timedelta(days=1)
        return last.replace(day=1, month=last.month if unit == "month" else 1)
    return begin - {"hour": timedelta(hours=1), "day": timedelta(days=1), "week": timedelta(weeks=1)}[unit]


def _begin(value: str) -> datetime:
    return datetime.fromisoformat(value + "0001-01-01T00:00"[len(value) :])


def _bucket_name(unit: str, begin: datetime, value: str, language: Wording, *, short: bool = False) -> str:
    if unit in ("month", "year"):
        return value
    if unit == "hour":
        return f"{begin:%H:%M}" if short else f"{language.formats.day(begin)} {begin:%H:%M}"
    if unit == "week" and not short:
        return language.gettext("week of %(day)s", day=language.formats.day(begin))
    return language.formats.short_day(begin) if short else language.formats.day(begin)


def _period(unit: str, begin: datetime, value: str) -> str:
    if unit == "week":
        last: date = begin.date() + timedelta(days=6)
        return f"{begin.date()}..{last}"
    return value[:10]


def _pointed(query: str, error: QueryError) -> dict[str, str]:
    """Return the query cut at the character where it cannot be read."""
    place = max(0, min(error.place, len(query)))
    return {"before": query[:place], "at": query[place : place + 1] or " ", "after": query[place + 1 :]}


def _saved(corpus: OpenCorpus, *, visitor: Visitor) -> list[dict[str, Any]]:
    return [{"name": each.name, "query": each.query} for each in alerts.searches(corpus, visitor)]


def _whole(text: str | None, otherwise: int) -> int:
    return int(text) if text and text.isascii() and text.isdigit() else otherwise


ROUTES: list[Route] = [*page("/search", search, name="search"), *page("/search/dates", dates, name="search.dates")]
