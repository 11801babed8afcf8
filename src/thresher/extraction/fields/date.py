"""The date of publication: structured data, checked against what the page shows, then the URL and the page's lines.

The thesis that brings CEVC (§4.3.2.1) takes the latest date on the page that is neither before a floor nor in the
future. That comes last here, since dates in comments and side columns mislead it.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime

from thresher.extraction.fields.clues import Clues, Stamp
from thresher.extraction.fields.date_lines import (
    MAX_DATE_LINE,
    above_text,
    alone_on,
    begins_text,
    dates_in,
    in_sentences,
    is_plausible,
    labelled,
    latest_in,
    near_title,
    on_short_lines,
    relative_to,
    without_year,
)
from thresher.extraction.fields.date_ranks import UPDATED, called_updates, standing_alone
from thresher.extraction.fields.date_scripts import in_scripts
from thresher.extraction.fields.date_shown import (
    contradicted,
    in_other_zone,
    in_usual_order,
    in_zone_of_page,
    stamps_after_title,
    with_time_shown,
)
from thresher.extraction.fields.date_told import modified, read_all, told_in_json_ld, told_in_meta
from thresher.extraction.fields.dates import Habits, Moment, dates_of, find_dates, find_yearless, has_digit
from thresher.extraction.fields.found import Found, found
from thresher.extraction.fields.near import Near, without_title
from thresher.html import Tree

TOLD = 0.9  # confidence of what structured data tells; it is checked against what the page shows
NAMED = 0.8  # confidence of the day in the URL or a <time>; it may be that of another zone

_MONTH, _DAY = "(0[1-9]|1[0-2])", r"(0[1-9]|[12]\d|3[01])"
_IN_URL = re.compile(  # 2016-06-08, 2016/06/08, 2016/6/8/, 2016-06/08/, 201606/08/, 2016/0608/; not 2016/06/10-books
    rf"(?<!\d)((?:19|20)\d\d)(?:([-_.]?){_MONTH}\2{_DAY}(?!\d)|/{_MONTH}/{_DAY}(?![\w-])|/(\d{{1,2}})/(\d{{1,2}})/|"
    rf"-?{_MONTH}/{_DAY}/|/{_MONTH}{_DAY}/)"
)
_MONTH_NAMED_IN_URL = re.compile(r"/((?:19|20)\d\d)/([a-z]{3,9})/(\d{1,2})(?=/|$)", re.IGNORECASE)
_DAY_FIRST_IN_URL = re.compile(r"(?<!\d)(?:0[1-9]|[12]\d|3[01])-(?:0[1-9]|[12]\d|3[01])-20\d\d(?!\d)")
_ROLE = re.compile(r"publi|posted|post[ -]?date|created|issued|released")  # of a <time>: class, itemprop
_USUAL = Habits()


def find_date(
    tree: Tree,
    clues: Clues,
    near: Near,
    *,
    fetched_at: datetime | None,
    habits: Habits = _USUAL,
) -> Found[datetime] | None:
    """Return when the page was published, never later than `fetched_at`; None when the page does not tell.

    Without `fetched_at`, or with one that no page of the web can have, no date is in the future, and dates like
    "2 hours ago" are not read.
    """
    now = fetched_at if fetched_at is None or fetched_at.tzinfo else fetched_at.replace(tzinfo=UTC)
    now = now if now and is_plausible(now, None) else None
    if dates_of(near.title, habits):
        near = without_title(near)
    for source, confidence, moments in _sources(tree, clues, near, now=now, habits=habits):
        for moment in moments:
            if is_plausible(moment.at, now):
                moment = in_usual_order(moment, clues, near, habits, url=tree.url or "")
                shown = _against(moment, confidence, tree, clues, near=near, habits=habits)
                if shown and is_plausible(shown.at, now):
                    return found(shown.at, f"shown, against {source}", 0.6, shown.raw)
                moment = with_time_shown(moment, near, habits)
                return found(in_zone_of_page(moment, clues, habits), source, confidence, moment.raw)
    return None


def _against(
    moment: Moment, confidence: float, tree: Tree, clues: Clues, *, near: Near, habits: Habits
) -> Moment | None:
    """Return the date that the page shows instead of one that it tells; None where it shows none, or confirms it."""
    if confidence < NAMED:
        return None
    named = _named_by_url(tree.url or "", habits)
    is_confirmed = named is not None and abs((named.at.date() - moment.at.date()).days) <= 1
    against = in_other_zone if confidence < TOLD or is_confirmed else contradicted
    return against(moment, clues, near, habits)


def _sources(
    tree: Tree, clues: Clues, near: Near, *, now: datetime | None, habits: Habits
) -> Iterator[tuple[str, float, Iterable[Moment]]]:
    """Yield where a date may be found, how sure it is there, and the dates, in the order in which they are asked."""
    yield "json-ld datePublished", 0.95, told_in_json_ld(clues, habits)
    yield "meta", 0.9, told_in_meta(clues, habits)
    yield "url", 0.8, _in_url(tree, clues, near, habits)
    yield "time", 0.8, _time_elements(clues, near, habits)
    yield "near the title", 0.7, near_title(near, habits)
    yield "near the title, relative", 0.6, relative_to(near, now and now.astimezone(habits.zone))
    yield "above the text", 0.6, above_text(near, habits)
    yield "labelled as published", 0.6, labelled(near, habits)
    yield "url and title", 0.5, _in_url_and_title(tree, near, habits)
    yield "beginning of the text", 0.6, begins_text(near, habits)
    yield "in a sentence near the title", 0.5, in_sentences(near, habits)
    yield "any time", 0.6, _other_times(clues, habits)
    yield "in a script", 0.5, in_scripts(tree, habits)
    yield "near the title, without a year", 0.5, without_year(tree, near, now, habits)
    yield "modified", 0.5, modified(clues, habits)
    yield "on a line of its own", 0.4, alone_on(near, habits)
    yield "on a short line", 0.4, on_short_lines(near, habits)
    yield "latest on the page", 0.4, latest_in(near.texts, now, habits)
    yield "in the title", 0.3, dates_of(near.title, habits)


def _time_elements(clues: Clues, near: Near, habits: Habits) -> Iterator[Moment]:
    """Yield the date of one <time>: one that says it is the publication, or one after the title.

    Best is one that is shown near the title; one that is not gives way to another date that is.
    """
    if not clues.times:
        return
    published = [stamp for stamp in clues.times if _ROLE.search(stamp.role)]
    moments = _moments_of((*published, *stamps_after_title(clues, near.title)), habits)
    alone = standing_alone(near.after, habits)
    shown = _on_days_of((*alone, *called_updates(near.after, habits)), moments) or _without_year(near, moments, habits)
    shown = shown or _on_days_of(standing_alone(near.before, habits), _moments_of(clues.times, habits))
    if shown or not alone:
        yield from (shown or moments)[:1]


def _moments_of(stamps: Iterable[Stamp], habits: Habits) -> list[Moment]:
    return [*read_all((stamp.text for stamp in stamps), habits)]


def _on_days_of(shown: Iterable[Moment], moments: Iterable[Moment]) -> list[Moment]:
    days = {moment.at.date() for moment in shown}
    return [moment for moment in moments if moment.at.date() in days]


def _without_year(near: Near, moments: Iterable[Moment], habits: Habits) -> list[Moment]:
    """Return the moments whose day a line below the title shows without its year."""
    lines = [
        line for line in near.after if len(line) <= MAX_DATE_LINE and has_digit(line) and not dates_of(line, habits)
    ]
    return [
        moment
        for moment in moments
        if any(
            other.at.date() == moment.at.date()
            for line in lines
            for other in find_yearless(line, moment.at.year, habits)
        )
    ]


def _other_times(clues: Clues, habits: Habits) -> Iterator[Moment]:
    others = [stamp for stamp in clues.times if not UPDATED.search(stamp.role)]
    yield from read_all((stamp.text for stamp in (others or clues.times)[:1]), habits)


def _in_url(tree: Tree, clues: Clues, near: Near, habits: Habits) -> Iterator[Moment]:
    """Yield the day that the URL names; with its time, where the page shows one on that day or the next."""
    day = _named_by_url(tree.url or "", habits)
    if day is None or _is_of_subject(day, near, habits):
        return
    shown = (*read_all((stamp.text for stamp in clues.times), habits), *dates_in(near.after, habits))
    same = (moment for moment in shown if moment.at.date() == day.at.date())
    yield next(same, day)


def _in_url_and_title(tree: Tree, near: Near, habits: Habits) -> Iterator[Moment]:
    """Yield the day that the page is about, which is all that many a page with such a title tells."""
    day = _named_by_url(tree.url or "", habits)
    if day and _is_of_subject(day, near, habits):
        yield day


def _is_of_subject(day: Moment, near: Near, habits: Habits) -> bool:
    """Say whether the day that a URL names is a part of the title there, and not of the path before."""
    return "/" not in day.raw and any(moment.at.date() == day.at.date() for moment in dates_of(near.title, habits))


def _named_by_url(url: str, habits: Habits) -> Moment | None:
    if match := _IN_URL.search(url):
        year, _, *parts = match.groups()
        day = next(find_dates("-".join((year, *filter(None, parts))), habits), None)
        return day and replace(day, raw=match[0])
    if match := _MONTH_NAMED_IN_URL.search(url):
        day = next(find_dates(f"{match[3]} {match[2]} {match[1]}", habits), None)
        return day and replace(day, raw=match[0])
    day_first = _DAY_FIRST_IN_URL.search(url)
    return next(find_dates(day_first[0], habits), None) if day_first else None
