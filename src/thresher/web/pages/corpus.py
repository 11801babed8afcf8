"""Corpus: the collection in numbers: languages, lengths, the frequency of words, and what rises by period."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from thresher.web import analyses, counts, drawings
from thresher.web.frame import N_, Wording, wording_of
from thresher.web.kept import Finding
from thresher.web.pages.search import LANGUAGE_NAMES, narrowed
from thresher.web.site import Site, site_of
from thresher.web.views import View, page, redirect

PERIODS = {
    "day": (N_("day"), N_("against the 28 days before")),
    "week": (N_("week"), N_("against the 4 weeks before")),
    "month": (N_("month"), N_("against the 4 months before")),
}
SINCE = {"day": "1d", "week": "7d", "month": "30d"}  # of a query that finds what a term rose in
TOP = 60
FRESH_S = 900.0
_NOTHING: dict[str, Any] = {"at": None, "total": 0, "languages": [], "unknown": 0}


async def corpus(request: Request) -> View:
    """Show how many documents there are, in which languages and of which lengths."""
    site, wording = site_of(request), wording_of(request)
    found, steps, language = await _counted(request)
    known: dict[str, Any] = found.value if found and found.value else _NOTHING
    extra = {
        "_language_of": language,
        "_lengths": _lengths(site, steps.value, language, wording) if steps and steps.value else None,
        "_names": LANGUAGE_NAMES,
        "_top": max((row["documents"] for row in known["languages"]), default=1),
        "_tabs": tabs(site, wording, "corpus"),
        "_cli": "thresher stats volume --by language",
        "_working": found is None or steps is None,
        "_failed": (found and found.failed) or (steps and steps.failed) or "",
    }
    data = known | {"lengths": steps.value if steps and steps.value else []}
    status = 202 if extra["_working"] else 200
    rows = known["languages"]
    return View("corpus.html", N_("Corpus"), data | extra, rows=rows, status=status, headers=_again(status))


async def lengths(request: Request) -> View | Response:
    """Give the lengths of documents as data; a page of them is that of the corpus."""
    language = request.query_params.get("lang_of", "")
    if not request.url.path.endswith((".json", ".csv")):
        return redirect(request, "corpus", lang_of=language or None)
    _, steps, _ = await _counted(request)
    status = 200 if steps else 202
    rows = steps.value if steps and steps.value else []
    return View("corpus.html", N_("Corpus"), {"lengths": rows}, rows=rows, status=status, headers=_again(status))


async def words(request: Request) -> View:
    """Show how often words occur in one language, and how that fits Zipf's law."""
    site, wording = site_of(request), wording_of(request)
    found = await site.kept.get("words", analyses.words, fresh_s=FRESH_S)
    known: dict[str, Any] = found.value if found and found.value else {"languages": [], "sample": 0, "documents": 0}
    names = [each["language"] for each in known["languages"]]
    wanted = request.query_params.get("lang_of", names[0] if names else "")
    one = next((each for each in known["languages"] if each["language"] == wanted), None)
    rows = (
        [{"rank": rank, "word": word, "count": count} for rank, (word, count) in enumerate(one["top"], 1)]
        if one
        else []
    )
    extra = {
        "_one": one,
        "_names": LANGUAGE_NAMES,
        "_choices": names,
        "_zipf": _zipf(one, wording) if one else None,
        **_state(found),
        "_tabs": tabs(site, wording, "corpus.words"),
        "_cli": f"thresher stats zipf lang:{wanted}" if wanted else "thresher stats zipf",
    }
    data = {"lang_of": wanted, "sample": known["sample"], "documents": known["documents"], "words": rows}
    return View("corpus_words.html", N_("Words"), {**data, **extra}, rows=rows)


async def terms(request: Request) -> View:
    """Show what rises in a day, a week or a month."""
    site, wording = site_of(request), wording_of(request)
    period = request.query_params.get("period", "week")
    period = period if period in PERIODS else "week"
    found = await counts.recent_trends(site, period, TOP)
    known: dict[str, Any] = found.value if found and found.value else {"rising": [], "complete": True}
    rows = [
        {name: each[name] for name in ("word", "kind", "language", "growth", "recent", "earlier")}
        for each in known["rising"]
    ]
    extra = {
        "_terms": known["rising"],
        "_periods": PERIODS,
        "_since": SINCE[period],
        "_spark": drawings.spark,
        "_names": LANGUAGE_NAMES,
        **_state(found),
        "_tabs": tabs(site, wording, "corpus.terms"),
        "_cli": f"thresher stats trends --period {period}",
    }
    data = {"period": period, "complete": known["complete"], "terms": rows}
    return View("corpus_terms.html", N_("Rising terms"), {**data, **extra}, rows=rows)


def _state(found: Finding | None) -> dict[str, Any]:
    return {"_working": found is None, "_failed": found.failed if found else ""}


async def _counted(request: Request) -> tuple[Finding | None, Finding | None, str]:
    """Return the languages, the lengths of the documents of the language that is asked for, and that language."""
    site, asked = site_of(request), request.query_params.get("lang_of", "")
    if not asked:
        both = (counts.counted(site, counts.languages), counts.counted(site, counts.lengths, ""))
        return *await asyncio.gather(*both), ""
    found = await counts.counted(site, counts.languages)
    names = {row["language"] for row in found.value["languages"]} if found and found.value else set()
    language = asked if asked in names else ""  # what nobody has is not counted
    return found, await counts.counted(site, counts.lengths, language), language


def _again(status: int) -> dict[str, str]:
    return {"retry-after": "3"} if status == 202 else {}


def _lengths(site: Site, steps: Sequence[Mapping[str, Any]], language: str, wording: Wording) -> drawings.Figure:
    asked = narrowed("", "lang", language) if language else ""
    number = wording.formats.number
    across = [
        drawings.Column(
            f"{number(step['from'])}+",
            [step["documents"]],
            site.paths.of("search", q=counts.of_length(asked, step["from"], step["to"] or 0)),
            f"{number(step['from'])}–{number(step['to'])}" if step["to"] else f"≥ {number(step['from'])}",
        )
        for step in steps
    ]
    title = wording.gettext("Length of documents")
    return drawings.columns(
        "lengths",
        title,
        across,
        [wording.gettext("documents")],
        x_name=wording.gettext("characters"),
        write=number,
        height=150,
    )


def _zipf(one: Mapping[str, Any], wording: Wording) -> drawings.Figure:
    number = wording.formats.number
    points = [
        (
            rank,
            count,
            wording.gettext("%(rank)s. %(word)s: %(count)s times", rank=number(rank), word=word, count=number(count)),
        )
        for rank, count, word in one["points"]
    ]
    line = tuple(one["line"][:2]) if one["line"] and len(one["line"]) > 1 else None
    axes = (wording.gettext("rank of a word"), wording.gettext("how often it occurs"))
    return drawings.scatter("zipf", wording.gettext("Words by frequency"), points, line, axes=axes, write=number)


def tabs(site: Site, wording: Wording, here: str) -> list[tuple[str, str, bool]]:
    """Return the tabs of everything about the whole corpus."""
    names = (
        ("corpus", N_("Documents")),
        ("corpus.words", N_("Words")),
        ("corpus.terms", N_("Rising terms")),
        ("label", N_("Labels")),
    )
    return [(wording.gettext(text), site.paths.of(name), name == here) for name, text in names if site.paths.has(name)]


ROUTES: list[Route] = [
    *page("/corpus", corpus, name="corpus"),
    *page("/corpus/lengths", lengths, name="corpus.lengths"),
    *page("/corpus/words", words, name="corpus.words"),
    *page("/corpus/terms", terms, name="corpus.terms"),
]
