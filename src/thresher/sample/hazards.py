"""Hazards of the news site: what every crawler meets and has to survive."""

import re
from calendar import monthrange
from dataclasses import replace
from datetime import date, timedelta

from thresher.sample.answer import Answer, redirect
from thresher.sample.editions import ENGLISH
from thresher.sample.editorial import short_link
from thresher.sample.plan import Plan
from thresher.sample.press import plain_page

PATHS = {
    "slow": "/live/",
    "flaky": "/weather/",
    "broken": "/poll/results",
    "missing": "/jobs/2019-openings",
    "binary": "/files/annual-report.pdf",
    "loop": "/loop/a",
}
NOINDEX = ("/press/embargo", "/press/statement")
TO_BLOG = "/blog"
TRAP = "/events/"

_LOOP = {"/loop/a": "/loop/b", "/loop/b": "/loop/a"}
_MONTH = re.compile(r"/events/(\d{4})/(\d\d)/")
_DAY = re.compile(r"/events/(\d{4})/(\d\d)/(\d\d)/")
_PDF = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"
_NOT_FOR_INDEX = [
    "This statement is embargoed. It must not be listed anywhere before the meeting on Thursday evening has ended.",
    "Members of the press may prepare their reports, and are asked to keep the contents to themselves until then.",
]


def hazard(plan: Plan, path: str) -> Answer | None:
    """Return the answer of the news site's awkward paths, or None for any other path."""
    if path.startswith(TRAP):
        return _calendar(plan, path)
    if path.startswith(("/a/", "/go/")):
        return _short(plan, path)
    if path in _LOOP:
        return redirect(_LOOP[path], 302)
    if path == TO_BLOG:
        return redirect(plan.origins.blog + "/", 302)
    if path == PATHS["binary"]:
        return Answer(body=_PDF, content_type="application/pdf")
    return _troubled(plan, path)


def _troubled(plan: Plan, path: str) -> Answer | None:
    """Return the pages that are slow, broken, flaky or not to be kept."""
    if path == PATHS["broken"]:
        return Answer(500, b"<!DOCTYPE html><title>Error</title><h1>Internal Server Error</h1>\n")
    if path == PATHS["slow"]:
        text = "The camera looks over the harbour; the picture takes its time."
        return replace(plain_page(plan, ENGLISH, "Live from the harbour", [text]), delay_s=plan.slow_s)
    if path == PATHS["flaky"]:
        busy = Answer(503, b"<!DOCTYPE html><title>Busy</title><h1>Try again</h1>\n", headers={"Retry-After": "1"})
        text = "High water at seven, low water at one, and rain in between."
        return replace(plain_page(plan, ENGLISH, "Weather and tides", [text]), at_first=busy)
    if path == NOINDEX[0]:
        return plain_page(plan, ENGLISH, "Embargoed", _NOT_FOR_INDEX, head='<meta name="robots" content="noindex">')
    if path == NOINDEX[1]:
        return replace(plain_page(plan, ENGLISH, "Statement", _NOT_FOR_INDEX), headers={"X-Robots-Tag": "noindex"})
    return None


def _short(plan: Plan, path: str) -> Answer | None:
    """Answer /a/12 with the article's address, and /go/12 with /a/12."""
    _, way, code = path.split("/", 2)
    target = short_link(plan, code)
    return redirect(f"/a/{code}", 302) if target and way == "go" else target


def _calendar(plan: Plan, path: str) -> Answer | None:
    """Answer any day and month of any year: a calendar without an end."""
    if path == TRAP:
        return _month_page(plan, plan.reference.year, plan.reference.month)
    day, month = _DAY.fullmatch(path), _MONTH.fullmatch(path)
    try:
        if day:
            return _day_page(plan, date(int(day[1]), int(day[2]), int(day[3])))
        return _month_page(plan, int(month[1]), int(month[2])) if month else None
    except (ValueError, OverflowError):
        return None  # no such day


def _month_page(plan: Plan, year: int, month: int) -> Answer:
    days = monthrange(year, month)[1]
    before, after = date(year, month, 1) - timedelta(days=1), date(year, month, days) + timedelta(days=1)
    cells = " ".join(_link(date(year, month, day), str(day)) for day in range(1, days + 1))
    steps = f'<a href="{_month_path(before)}">Previous month</a> | <a href="{_month_path(after)}">Next month</a>'
    return plain_page(plan, ENGLISH, f"Events in {month:02}/{year}", [steps, cells])


def _day_page(plan: Plan, day: date) -> Answer:
    step = timedelta(days=1)
    links = [_link(day - step, "Previous day"), _link(day + step, "Next day")]
    links.append(f'<a href="{_month_path(day)}">Whole month</a>')
    return plain_page(plan, ENGLISH, f"Events on {day.isoformat()}", ["No events on this day.", " | ".join(links)])


def _month_path(day: date) -> str:
    return f"{TRAP}{day.year:04}/{day.month:02}/"


def _link(day: date, label: str) -> str:
    return f'<a href="{TRAP}{day.year:04}/{day.month:02}/{day.day:02}/">{label}</a>'
