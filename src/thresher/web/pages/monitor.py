"""Monitor: how collecting goes — what comes in, how fast, what waits, and what this machine has left."""

import shutil
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from thresher import urls
from thresher.catalog.contract import HOUR_S, STORED
from thresher.crawling.heartbeat import memory_bytes
from thresher.crawling.workers import heard, worker_facts
from thresher.frontier.contract import Rules
from thresher.store.contract import Arrival
from thresher.web import counts
from thresher.web.corpora import OpenCorpus
from thresher.web.drawings import Column, bar, columns
from thresher.web.fragments import render_block, ticks
from thresher.web.frame import wording_of
from thresher.web.live import sse
from thresher.web.site import site_of
from thresher.web.views import View, page

DAYS = 14
SITES = 15
LOOK_EVERY_S = 3.0
JOBS = 20
LAG_DAYS = 7  # of arrivals whose lag is told
MAX_LAG = timedelta(days=3)  # older pages were not awaited: they say nothing of how fast news comes in


async def monitor(request: Request) -> View:
    """Show what came in over the last days, and how collecting goes now."""
    site, language = site_of(request), wording_of(request)
    found = await counts.counted(site, came_in, site.settings.data)
    data = await _now(request) | {
        "_cli": "thresher frontier status",
        "_working": found is None,
        "_failed": found.failed if found else "",
    }
    title = language.gettext("Monitor")
    if found is None or found.value is None:
        return View("monitor.html", title, data, rows=[], status=503 if found else 202, headers={"retry-after": "3"})
    came = found.value
    across = [
        Column(
            language.formats.short_day(day["day"]), [day["documents"]], _search(request, day), day["day"].isoformat()
        )
        for day in came["days"]
    ]
    drawn = columns(
        "days",
        language.gettext("New documents a day"),
        across,
        [language.gettext("documents")],
        x_name=language.gettext("day"),
        write=lambda value: f"{value:g}",
    )
    top = max((count for _, count in came["sites"]), default=1)
    data |= came | {"_days": drawn, "_bars": {name: bar(count / top) for name, count in came["sites"]}}
    return View("monitor.html", title, data, rows=came["days"])


async def monitor_events(request: Request) -> Response:
    """Tell how collecting goes now, every few seconds."""

    async def events() -> AsyncIterator[tuple[str, Any]]:
        async for _ in ticks(LOOK_EVERY_S):
            yield "show", render_block(request, View("monitor.html", "", await _now(request)), "now")

    return sse(request, events())


def lag_of(arrivals: Iterable[Arrival]) -> dict[str, Any]:
    """Return how long after publication documents came in: the median, and what nine in ten kept to, in seconds.

    What was more than MAX_LAG old when it came was no news to wait for, and what has no time of day tells nothing.
    """
    lags = [(a.first_seen - a.published).total_seconds() for a in arrivals if a.published and _tells(a)]
    tenths = quantiles(lags, n=10) if len(lags) > 1 else []
    return {"documents": len(lags), "median_s": median(lags) if lags else None, "p90_s": tenths[8] if tenths else None}


def days_left(free: int, growth_per_day: float) -> float | None:
    """Return in how many days the disk is full if it goes on like this; None when it does not fill."""
    return free / growth_per_day if growth_per_day > 0 else None


def _tells(arrival: Arrival) -> bool:
    published = arrival.published
    if published is None or published.tzinfo is None or (published.hour, published.minute) == (0, 0):
        return False
    return timedelta() <= arrival.first_seen - published <= MAX_LAG


def came_in(corpus: OpenCorpus, data: str) -> dict[str, Any]:
    """Count what came in over the last days, by day, site and channel, and say how long the disk lasts."""
    now = datetime.now(UTC)
    first = now.replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=DAYS - 1)
    arrivals = list(corpus.store.arrivals(first))
    per_day = Counter(arrival.first_seen.astimezone(UTC).date() for arrival in arrivals)
    per_site = Counter(urls.site_of(arrival.url) for arrival in arrivals)
    channels = {source.name: source.channel or str(source.kind) for source in corpus.catalog.sources()}
    per_channel = Counter[str]()
    for count in corpus.catalog.hours(since=first):
        if count.state == STORED and count.hour * HOUR_S >= first.timestamp():
            per_channel[channels.get(count.source, "?")] += count.count
    total, folder = corpus.index.count(), Path(data)
    recent = [arrival for arrival in arrivals if arrival.first_seen >= now - timedelta(days=LAG_DAYS)]
    return {
        "days": [{"day": (day := (first + timedelta(days=n)).date()), "documents": per_day[day]} for n in range(DAYS)],
        "sites": per_site.most_common(SITES),
        "site_count": len(per_site),
        "channels": per_channel.most_common(),
        "arrived": len(arrivals),
        "total": total,
        "lag": lag_of(recent),
        "disk": _disk(folder, total, len(recent)),
    }


def _disk(folder: Path, total: int, recent: int) -> dict[str, Any]:
    """Return what the corpus takes and what is left; it grows by its own size per document."""
    used = sum(path.stat().st_size for path in folder.glob("*") if path.is_file())
    place = shutil.disk_usage(folder if folder.exists() else Path())
    growth = used / total * recent / LAG_DAYS if total else 0.0
    left = days_left(place.free, growth)
    return {"used": used, "free": place.free, "size": place.total, "per_day": growth, "days_left": left}


def _queue(corpus: OpenCorpus) -> dict[str, Any]:
    now = datetime.now(UTC)
    jobs: list[dict[str, Any]] = []
    for job in corpus.parts.jobs()[:JOBS]:
        overseer = corpus.parts.overseer(job, Rules())
        census = overseer.census()
        if census.pending + census.delayed + census.leased:
            number = job.removeprefix("run-")
            jobs.append(
                {
                    "job": job,
                    "run": int(number) if number.isdecimal() else None,
                    "pending": census.pending,
                    "delayed": census.delayed,
                    "leased": census.leased,
                    "dead": census.dead,
                    "paused": overseer.is_paused(),
                }
            )
    dues = [e.due for e in corpus.catalog.endpoints() if e.due and e.due < now]
    oldest = min(dues, default=None)
    rows = [worker_facts(job, beat) for job, _, beat in heard(corpus.parts)]
    fresh = [row for row in rows if row["state"] in ("running", "waiting", "draining")]
    return {
        "jobs": jobs,
        "depth": sum(job["pending"] + job["leased"] for job in jobs),
        "overdue": len(dues),
        "oldest_s": (now - oldest).total_seconds() if oldest else None,
        "per_min": round(sum(row["per_min"] or 0 for row in fresh), 1),
        "workers": len(fresh),
        "worker_memory": sum(row["memory_mb"] or 0 for row in fresh) * 1_000_000,
    }


async def _now(request: Request) -> dict[str, Any]:
    found = await site_of(request).corpora.read(_queue)
    return found | {"memory": memory_bytes(), "at": datetime.now(UTC)}


def _search(request: Request, day: Mapping[str, Any]) -> str:
    return site_of(request).paths.of("search", q=f"seen:{day['day'].isoformat()}")


ROUTES: list[Route] = [
    *page("/monitor", monitor, name="monitor"),
    *page("/monitor/events", monitor_events, name="monitor_events"),
]
