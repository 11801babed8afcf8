"""Logs: what all processes have logged, chosen by level, worker, source and words, and as it comes."""

from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from thresher import logs as log
from thresher.crawling.reasons import meaning_of
from thresher.web.fragments import render_block, ticks
from thresher.web.frame import wording_of
from thresher.web.live import sse
from thresher.web.site import site_of
from thresher.web.views import View, page

SHOWN = 300
MAX_BACK = 100_000  # lines from the newest
LOOK_EVERY_S = 1.0
NAMES = ("level", "role", "worker", "source", "run", "words")
TONES = {"info": "", "warning": "warn", "error": "bad"}


async def logs(request: Request) -> View:
    """Show the latest lines, repeats folded."""
    data = await _data(request)
    return View("logs.html", wording_of(request).gettext("Logs"), data, rows=data["rows"])


async def log_events(request: Request) -> Response:
    """Show the list anew whenever a line comes that is wanted."""
    coming = log.follow(Path(site_of(request).settings.data), wanted_of(_asked(request)))

    async def events() -> AsyncIterator[tuple[str, Any]]:
        async for _ in ticks(LOOK_EVERY_S):
            if await run_in_threadpool(_came, coming):
                yield "show", render_block(request, View("logs.html", "", await _data(request)), "list")

    return sse(request, events())


def wanted_of(asked: dict[str, str]) -> log.Wanted:
    """Return what a query asks for; what is no level or run is left out."""
    level = asked["level"] if asked["level"] in log.LEVELS else ""
    run = int(asked["run"]) if asked["run"].isdecimal() and len(asked["run"]) < 10 else None
    rest = {name: asked[name] for name in ("worker", "source", "role", "words")}
    return log.Wanted(level=level, run=run, **rest)


def _asked(request: Request) -> dict[str, str]:
    return {name: request.query_params.get(name, "").strip() for name in NAMES}


def _came(coming: Any) -> bool:
    """Say whether any line came since the last time."""
    came = False
    while next(coming) is not None:
        came = True
    return came


async def _data(request: Request) -> dict[str, Any]:
    asked = _asked(request)
    every = bool(request.query_params.get("every"))
    given = request.query_params.get("after", "")
    after = min(int(given), MAX_BACK) if given.isdecimal() and len(given) < 9 else 0
    data = Path(site_of(request).settings.data)
    known = await run_in_threadpool(log.read, data, wanted_of(asked), limit=after + SHOWN + 1)
    found = known[after : after + SHOWN]
    lines = [log.Folded(entry, 1, "") for entry in found] if every else log.folded(found)
    flags = "".join(f" --{'grep' if name == 'words' else name} {asked[name]}" for name in NAMES if asked[name])
    return {
        "rows": [{name: entry.get(name) for name in log.FIELDS} for entry in found],
        "_lines": lines,
        "asked": asked,
        "every": every,
        "following": bool(request.query_params.get("follow")),
        "_kept": {name: value or None for name, value in (*asked.items(), ("every", "1" if every else ""))},
        "levels": Counter(entry.get("level", "") for entry in found),
        "after": after + SHOWN if len(known) > after + SHOWN else None,
        "first": after > 0,
        "_meanings": {entry["reason"]: meaning_of(str(entry["reason"])) for entry in found if entry.get("reason")},
        "_tones": TONES,
        "_cli": f"thresher logs{flags} --follow",
    }


ROUTES: list[Route] = [
    *page("/logs", logs, name="logs"),
    *page("/logs/events", log_events, name="log_events"),
]
