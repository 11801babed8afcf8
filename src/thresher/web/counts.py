"""The whole corpus in numbers: small ones are counted at once, large ones in a process beside the server.

    counted(work) ──▶ fewer than LARGE documents:  at once, in a reader thread
                      more:                        kept.py: beside, and kept for a while

Counting two hundred thousand documents takes some tenths of a second of a processor, which is every other reader's time
too. While a process works it out there is nothing to show, and who asks is told to come back.
"""

import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, TypeVar

from thresher import wiring
from thresher.api.corpus import Corpus
from thresher.config import Settings
from thresher.model import Bucket, Facets
from thresher.web import analyses
from thresher.web.corpora import OpenCorpus
from thresher.web.kept import WAIT_S, Finding
from thresher.web.problems import Refused
from thresher.web.site import Site

LARGE = 20_000  # documents
FRESH_S = 120.0
READ_FRESH_S = 300.0  # of what is read from new documents
API_WAIT_S = 20.0  # programs wait rather than ask again
LANGUAGES = 100
VALUES = 1_000  # of each facet
# Characters of a document, from the first number up to the second; the last step has no end.
LENGTHS = (
    (0, 199),
    (200, 499),
    (500, 999),
    (1_000, 1_999),
    (2_000, 4_999),
    (5_000, 9_999),
    (10_000, 19_999),
    (20_000, 0),
)
T = TypeVar("T")


async def counted(site: Site, work: Callable[..., Any], *args: Any, wait_s: float = WAIT_S) -> Finding | None:
    """Return what work(corpus, …), a function of a module, counts; None while a process works that out."""
    name = " ".join(map(str, (work.__name__, *args)))
    if await site.corpora.recent("documents", _size) < LARGE:
        return Finding(await site.corpora.recent(name, work, *args), time.monotonic())
    return await site.counted.get(name, beside, work, args, fresh_s=FRESH_S, wait_s=wait_s)


async def everything(site: Site, unit: str | None) -> Facets | None:
    """Return the facets of all documents; None while a process counts them."""
    found = await counted(site, facets_of_all, unit)
    return found.value if found else None


async def awaited_facets(site: Site, unit: str | None, limit: int) -> Facets:
    """Return the facets of all documents, however long that takes to count; raise Refused when it takes too long."""
    found = await counted(site, facets_of_all, unit, wait_s=API_WAIT_S)
    if found is None or found.value is None:
        why = found.failed if found else "this is being counted; ask again in a moment"
        raise Refused(503, why, headers={"retry-after": "3"})
    return shortened(found.value, limit)


async def recent_stories(site: Site, days: int, *, wait_s: float = WAIT_S) -> Finding | None:
    """Return the stories of some days and how much was read for them."""
    return await _read_on(site, f"stories {days}", analyses.stories, days, wait_s=wait_s)


async def recent_trends(site: Site, period: str, top: int) -> Finding | None:
    """Return what rises in a day, week or month."""
    return await _read_on(site, f"trends {period} {top}", analyses.trends, period, top)


async def _read_on(
    site: Site, name: str, work: Callable[..., Any], *args: Any, wait_s: float = WAIT_S
) -> Finding | None:
    """Return what comes of reading new documents; where that is not all yet, reading goes on at once."""
    found = await site.kept.get(name, work, *args, fresh_s=READ_FRESH_S, wait_s=wait_s)
    if found and found.value and not found.value["complete"]:
        return await site.kept.get(name, work, *args, fresh_s=0.0, wait_s=wait_s)
    return found


def shortened(facets: Facets, limit: int) -> Facets:
    """Return facets with so many values of each."""
    return Facets({name: counts[:limit] for name, counts in facets.counts.items()}, facets.dates, facets.undated)


def beside(settings: Settings, work: Callable[..., T], args: Sequence[Any]) -> T:
    """Count in a process of its own."""
    parts = wiring.open_corpus(settings, create=False, lean=True)
    try:
        return work(OpenCorpus(Corpus(parts), parts), *args)
    finally:
        parts.close()


def languages(corpus: OpenCorpus) -> dict[str, Any]:
    """Count all documents by language."""
    found: Sequence[Bucket] = corpus.corpus.facets("", limit=LANGUAGES).counts.get("language", ())
    known = [{"language": each.value, "documents": each.count} for each in found if each.value]
    total = corpus.index.count()
    unknown = max(total - sum(each.count for each in found if each.value), 0)
    return {"at": datetime.now(UTC), "total": total, "languages": known, "unknown": unknown}


def lengths(corpus: OpenCorpus, language: str) -> list[dict[str, Any]]:
    """Count the documents of a language, or all (""), by their length."""
    asked = f"lang:{language}" if language else ""
    return [
        {"from": low, "to": high or None, "documents": corpus.corpus.count(of_length(asked, low, high))}
        for low, high in LENGTHS
    ]


def facets_of_all(corpus: OpenCorpus, unit: str | None) -> Facets:
    """Count all documents by their values, and by when they were published."""
    return corpus.corpus.facets("", limit=VALUES, unit=unit)


def of_length(query: str, low: int, high: int) -> str:
    """Return a query that asks for so many characters as well."""
    return f"{query} len:{low}..{high}".strip() if high else f"{query} len:>={low}".strip()


def _size(corpus: OpenCorpus) -> int:
    return corpus.index.count()
