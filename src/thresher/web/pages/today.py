"""Today: what is new against the usual, what rises, what many sites report, and which sources need care."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.routing import Route

from thresher.catalog.contract import HOUR_S, STORED, HourCount
from thresher.catalog.health import Health, History, examine
from thresher.model import Endpoint
from thresher.web import drawings
from thresher.web.corpora import OpenCorpus
from thresher.web.counts import recent_stories, recent_trends
from thresher.web.frame import N_, Wording, address, wording_of
from thresher.web.site import Site, site_of
from thresher.web.views import View, page

DAYS = 14
CHANNELS = {"news": N_("news"), "blog": N_("blogs"), "forum": N_("forums"), "": N_("without a channel")}
STORY_DAYS = 3
SHOWN = 8  # stories, rising terms, sources
PROBLEMS = {
    "silent": N_("silent"),
    "barren": N_("no documents yet"),
    "late": N_("late"),
    "unasked": N_("never asked"),
    "failing": N_("failing"),
    "moved": N_("moved"),
    "gone": N_("gone"),
    "empty": N_("pages without text"),
    "alike": N_("same text again and again"),
}
TONES = {"failing": "bad", "gone": "bad", "silent": "bad", "empty": "bad"}


async def today(request: Request) -> View:
    """Show the state of things this morning."""
    site, now = site_of(request), datetime.now(UTC)
    counted, volume, sources, stories, trends = await asyncio.gather(
        site.corpora.recent("new", partial(_new, now=now)),
        site.corpora.recent("volume", partial(_volume, now=now)),
        site.corpora.recent("fares", partial(_sources, now=now)),
        recent_stories(site, STORY_DAYS),
        recent_trends(site, "day", 2 * SHOWN),
    )
    data = {
        "at": now,
        "new": counted,
        "volume": volume,
        "sources": sources["numbers"],
        "care": sources["care"],
        "stories": stories.value["stories"][:SHOWN] if stories and stories.value else [],
        "rising": trends.value["rising"][: 2 * SHOWN] if trends and trends.value else [],
    }
    extra = {
        "_working": {
            "stories": stories is None or bool(stories.value and not stories.value["complete"]),
            "rising": trends is None or bool(trends.value and not trends.value["complete"]),
        },
        "_chart": _chart(site, volume, wording_of(request)),
        "_problems": PROBLEMS,
        "_tones": TONES,
        "_spark": drawings.spark,
        "_add": address(site.paths, "sources.new"),
        "_cli": "thresher stats volume --per day",
        "_now": now,
    }
    return View("today.html", N_("Today"), {**data, **extra}, rows=volume)


def _new(corpus: OpenCorpus, *, now: datetime) -> dict[str, Any]:
    """Count what came in today, and what usually has by this time of day."""
    day = now.date()
    total = corpus.index.count()
    if not total:
        return {"documents": 0, "today": 0, "usual": None, "change": None}
    fresh = corpus.corpus.count(f"seen:{day}")
    hours = corpus.catalog.hours(since=now - timedelta(days=DAYS + 1))
    usual = _usual(hours, now)
    told = sum(each.count for each in hours if each.state == STORED and each.hour >= _hour(_midnight(now)))
    change = told / usual - 1 if usual else None
    return {"documents": total, "today": fresh, "usual": usual, "change": change}


def _usual(hours: Sequence[HourCount], now: datetime) -> float | None:
    """Return how many documents of sources had come by this hour on the days before; None without enough of them."""
    midnight, by_day = _midnight(now), Counter[int]()
    for each in hours:
        if each.state == STORED and each.hour < _hour(midnight):
            back = (midnight - datetime.fromtimestamp(each.hour * HOUR_S, UTC)).days
            if each.hour % 24 <= now.hour:
                by_day[back] += each.count
            else:
                by_day[back] += 0
    return sum(by_day.values()) / len(by_day) if len(by_day) >= 3 else None


def _volume(corpus: OpenCorpus, *, now: datetime) -> list[dict[str, Any]]:
    """Return the documents of each of the last days by the channel of their source, by day of publication."""
    days = [(now - timedelta(days=back)).date() for back in range(DAYS - 1, -1, -1)]
    period = f"date:{days[0]}..{days[-1]}"
    every = {bucket.value: bucket.count for bucket in corpus.corpus.facets(period, limit=0, unit="day").dates.buckets}
    channels = sorted({source.channel for source in corpus.catalog.sources() if source.channel})
    by_channel: dict[str, Mapping[str, int]] = {}
    for channel in channels:
        dates = corpus.corpus.facets(f"{period} channel:{channel}", limit=0, unit="day").dates
        by_channel[channel] = {bucket.value: bucket.count for bucket in dates.buckets}
    rows = []
    for day in days:
        row: dict[str, Any] = {"day": day.isoformat()}
        row |= {channel: counts.get(day.isoformat(), 0) for channel, counts in by_channel.items()}
        row["other"] = max(every.get(day.isoformat(), 0) - sum(v for k, v in row.items() if k != "day"), 0)
        rows.append(row)
    return rows


def _chart(site: Site, volume: Sequence[Mapping[str, Any]], language: Wording) -> drawings.Figure:
    names = [name for name in volume[0] if name != "day"]
    names = [name for name in names if name != "other" or len(names) == 1 or any(row["other"] for row in volume)]
    across = []
    for row in volume:
        day = datetime.fromisoformat(row["day"])
        across.append(
            drawings.Column(
                language.formats.short_day(day),
                [row[name] for name in names],
                href=site.paths.of("search", q=f"date:{row['day']}"),
                full_name=language.formats.weekday(day),
            )
        )
    _ = language.gettext
    shown = [
        _(CHANNELS.get(name, CHANNELS[""])) if name != "other" or len(names) > 1 else _("documents") for name in names
    ]
    title = _("Documents of the last 14 days by channel")
    return drawings.columns("volume", title, across, shown, x_name=_("day"), write=language.formats.number, height=150)


def _sources(corpus: OpenCorpus, *, now: datetime) -> dict[str, Any]:
    """Say how the sources fare, and which need care: those with problems, the gravest first."""
    catalog = corpus.catalog
    sources = catalog.sources()
    hours: dict[str, list[HourCount]] = {}
    for each in catalog.hours(since=now - timedelta(weeks=8)) if sources else ():
        hours.setdefault(each.source, []).append(each)
    endpoints: dict[str, list[Endpoint]] = {}
    for endpoint in catalog.endpoints():
        endpoints.setdefault(endpoint.source, []).append(endpoint)
    fares = [
        examine(source, History(endpoints.get(source.name, ()), hours.get(source.name, ())), now) for source in sources
    ]
    ill = sorted((health for health in fares if health.problems), key=_gravity)
    due = [health.next_due for health in fares if health.next_due]
    return {
        "numbers": {
            "sources": len(sources),
            "active": sum(source.is_active for source in sources),
            "due": sum(health.due > 0 for health in fares),
            "late": sum(health.late > 0 for health in fares),
            "silent": sum(any(each.kind == "silent" for each in health.problems) for health in fares),
            "failing": sum(any(each.kind in ("failing", "gone") for each in health.problems) for health in fares),
            "with_problems": len(ill),
            "next_due": min(due, default=None),
        },
        "care": [
            {
                "source": health.source.name,
                "channel": health.source.channel,
                "last_new": health.last_new,
                "last_week": health.last_week,
                "problems": [{"kind": each.kind, "detail": each.detail} for each in health.problems],
                "days": _by_day(hours.get(health.source.name, ()), now),
            }
            for health in ill[:SHOWN]
        ],
    }


def _gravity(health: Health) -> tuple[int, str]:
    order = list(PROBLEMS)
    worst = min(0 if TONES.get(each.kind) else 1 + order.index(each.kind) for each in health.problems)
    return worst, health.source.name


def _by_day(hours: Sequence[HourCount], now: datetime, days: int = 30) -> list[int]:
    counts = Counter((_hour(now) - each.hour) // 24 for each in hours if each.state == STORED)
    return [counts[back] for back in range(days - 1, -1, -1)]


def _midnight(now: datetime) -> datetime:
    return now.replace(hour=0, minute=0, second=0, microsecond=0)


def _hour(moment: datetime) -> int:
    return int(moment.timestamp() // HOUR_S)


ROUTES: list[Route] = [*page("/", today, name="today")]
