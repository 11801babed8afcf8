"""Stories: what several sites report, grouped as it comes in; those of most sites first."""

from datetime import date
from typing import Any

from starlette.requests import Request
from starlette.routing import Route

from thresher.web import drawings
from thresher.web.counts import recent_stories
from thresher.web.frame import N_, wording_of
from thresher.web.problems import Refused
from thresher.web.site import site_of
from thresher.web.views import View, page

DAYS = {1: N_("1 day"), 3: N_("3 days"), 7: N_("7 days"), 30: N_("30 days"), 0: N_("ever")}
DEFAULT_DAYS = 3
PAGE = 30


async def stories(request: Request) -> View:
    """List the stories of some days."""
    site, params = site_of(request), request.query_params
    days = _number(params.get("days"), DEFAULT_DAYS)
    days = days if days in DAYS else DEFAULT_DAYS
    first = _number(params.get("from"), 0)
    found = await recent_stories(site, days)
    every = found.value["stories"] if found and found.value else []
    shown = every[first : first + PAGE]
    extra = {
        "_working": found is None,
        "_failed": found.failed if found else "",
        "_read": found.value["read"] if found and found.value else 0,
        "_new": found.value["new"] if found and found.value else 0,
        "_days": DAYS,
        "_spark": drawings.spark,
        "_next": first + PAGE if first + PAGE < len(every) else None,
        "_first": first,
        "_cli": f"thresher stories --since {days}d" if days else "thresher stories",
    }
    data = {"days": days, "total": len(every), "stories": shown}
    return View("stories.html", N_("Stories"), {**data, **extra}, rows=[_row(story) for story in every])


async def story(request: Request) -> View:
    """Show one story: its reports, and how it spread."""
    site, wanted = site_of(request), request.path_params["id"]
    language = wording_of(request)
    for days in sorted(DAYS, key=lambda each: each or 10_000):
        found = await recent_stories(site, days)
        known = found.value["stories"] if found and found.value else []
        each = next((each for each in known if each["id"] == wanted), None)
        if each:
            across = [
                drawings.Column(
                    language.formats.short_day(_day(day)), [count], full_name=language.formats.day(_day(day))
                )
                for day, count in each["days"].items()
            ]
            title, unit = language.gettext("Reports a day"), language.gettext("reports")
            chart = drawings.columns(
                "days", title, across, [unit], x_name=language.gettext("day"), write=language.formats.number, height=96
            )
            extra = {"_chart": chart, "_first": each["reports"][0], "_cli": f"thresher stories {wanted}"}
            return View("story.html", each["title"], {**each, **extra}, rows=each["reports"])
        if found is None:
            return View("story.html", N_("Stories"), {"id": wanted, "reports": []})
    raise Refused(404, f"there is no story {wanted}; old ones are forgotten")


def _row(story: dict[str, Any]) -> dict[str, Any]:
    names = ("id", "title", "language", "first", "last", "size")
    return {name: story[name] for name in names} | {"sites": len(story["sites"])}


def _day(text: str) -> date:
    return date.fromisoformat(text)


def _number(text: str | None, otherwise: int) -> int:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 8 else otherwise


ROUTES: list[Route] = [
    *page("/stories", stories, name="stories"),
    *page("/stories/{id:str}", story, name="stories.one"),
]
