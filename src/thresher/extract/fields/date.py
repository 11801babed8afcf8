"""The date of publication: structured data, checked against what the page shows, then the URL and the page's lines.

The thesis that brings CEVC (§4.3.2.1) takes the latest date on the page that is neither before a floor nor in the
future. That comes last here, since dates in comments and side columns mislead it.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta

from thresher.extract.fields.clues import Clues, Stamp, describes_page
from thresher.extract.fields.date_lines import (
    BESIDE,
    TOLERANCE,
    UPDATED,
    alone_in,
    alone_on,
    dates_in,
    is_plausible,
    labelled,
    latest_in,
    near_title,
    relative_to,
    standing_alone,
    without_year,
)
from thresher.extract.fields.date_scripts import in_scripts
from thresher.extract.fields.dates import Habits, Moment, find_dates, read_date
from thresher.extract.fields.found import Found, found
from thresher.extract.fields.json_ld import texts_of
from thresher.extract.fields.near import Near
from thresher.html import Tree

ZONES_H = (-12, 14)  # the outermost zones
TOLD = 0.9  # confidence of what structured data tells; it is checked against what the page shows
NAMED = 0.8  # confidence of the day in the URL or a <time>; it may be that of another zone

_META = (
    *("article:published_time", "og:article:published_time", "og:published_time", "datepublished", "article:published"),
    *("publishdate", "pubdate", "publish_date", "publication_date", "published_time", "published-date", "pub_date"),
    *("sailthru.date", "parsely-pub-date", "article.published", "published-time", "publish-date", "article:post_date"),
    *("citation_publication_date", "citation_date", "dc.date.issued", "dcterms.issued", "dc.date", "dcterms.date"),
    *("dcterms.created", "dc.created", "dc.date.created", "datecreated", "bytedance:published_time", "og:release_date"),
    *("article:create_at", "article_date_original", "cxenseparse:recs:publishtime", "originalpublicationdate", "date"),
)
_MODIFIED = ("article:modified_time", "og:updated_time", "datemodified", "last-modified", "dcterms.modified")
_IN_URL = re.compile(
    r"(?<!\d)((?:19|20)\d\d)(?:([-/_.]?)(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])(?!\d)|/(\d{1,2})/(\d{1,2})/)"
)
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

    Without `fetched_at` no date is in the future, and dates like "2 hours ago" are not read.
    """
    now = fetched_at if fetched_at is None or fetched_at.tzinfo else fetched_at.replace(tzinfo=UTC)
    for source, confidence, moments in _sources(tree, clues, near, now=now, habits=habits):
        for moment in moments():
            if is_plausible(moment.at, now):
                against = _contradicted if confidence >= TOLD else _in_other_zone
                shown = against(moment, clues, near, habits) if confidence >= NAMED else None
                if shown and is_plausible(shown.at, now):
                    return found(shown.at, f"shown, against {source}", 0.6, shown.raw)
                return found(_in_zone_of_page(moment, clues), source, confidence, moment.raw)
    return None


def _sources(
    tree: Tree, clues: Clues, near: Near, *, now: datetime | None, habits: Habits
) -> tuple[tuple[str, float, Callable[[], Iterable[Moment]]], ...]:
    """Return where a date may be found and how sure it is there, in the order in which they are asked."""
    return (
        ("json-ld datePublished", 0.95, lambda: _json_ld(clues, habits)),
        ("meta", 0.9, lambda: _meta(clues, _META, habits)),
        ("url", 0.8, lambda: _in_url(tree, clues, near, habits)),
        ("time", 0.8, lambda: _time_elements(clues, near.title, habits)),
        ("near the title", 0.7, lambda: near_title(near, habits)),
        ("near the title, relative", 0.6, lambda: relative_to(near, now and now.astimezone(habits.zone))),
        ("labelled as published", 0.6, lambda: labelled(near, habits)),
        ("any time", 0.6, lambda: _other_times(clues, habits)),
        ("in a script", 0.5, lambda: in_scripts(tree, habits)),
        ("near the title, without a year", 0.5, lambda: without_year(tree, near, now, habits)),
        ("modified", 0.5, lambda: _modified(clues, habits)),
        ("on a line of its own", 0.4, lambda: alone_on(near, habits)),
        ("latest on the page", 0.4, lambda: latest_in(near.texts, now, habits)),
    )


def _contradicted(told: Moment, clues: Clues, near: Near, habits: Habits) -> Moment | None:
    """Return the only date that the page shows below its title, where it is not the one told and is no update.

    None also where it shows a later one than that of its last change, which is then of something else.
    """
    if other := _in_other_zone(told, clues, near, habits):
        return other
    shown = [*_read((stamp.text for stamp in _after_title(clues, near.title)), habits)]
    if not shown:
        shown = standing_alone(near.after, habits)
    if len({moment.at.date() for moment in shown}) != 1 or abs((shown[0].at.date() - told.at.date()).days) <= 1:
        return None
    changed = [moment.at.date() for moment in _modified(clues, habits)]
    return None if changed and shown[0].at.date() > max(changed) + TOLERANCE else shown[0]


def _in_other_zone(told: Moment, clues: Clues, near: Near, habits: Habits) -> Moment | None:
    """Return the only date on lines below the title, where it is a day apart: that is what readers see in their zone.

    Where the page tells that day, too, it is returned as it is told, with its time. An exact moment that some zone has
    on the day shown says more than that day.
    """
    dated = [(line, moment) for line in near.after for moment in alone_in((line,), habits, BESIDE)]
    alone = [moment for line, moment in dated if not UPDATED.search(line)]
    if len({moment.at.date() for moment in alone}) != 1 or abs((alone[0].at.date() - told.at.date()).days) != 1:
        return None
    shown = alone[0]
    others = (*_json_ld(clues, habits), *_meta(clues, _META, habits))
    if same := next((other for other in others if other.at.date() == shown.at.date()), None):
        return same
    is_exact = told.has_time and not shown.has_time and told.at.minute + told.at.second > 0
    shifts = (told.at + timedelta(hours=hours) for hours in ZONES_H) if is_exact else ()
    return None if any(shifted.date() == shown.at.date() for shifted in shifts) else shown


def _in_zone_of_page(told: Moment, clues: Clues) -> datetime:
    """Return the moment, if told in UTC, in the zone in which a <time> shows the same: its day is what readers see."""
    if told.has_time and told.at.utcoffset() == timedelta(0):
        for stamp in clues.times:
            shown = read_date(stamp.text)
            if shown and shown.has_time and shown.at == told.at:
                return shown.at
    return told.at


def _json_ld(clues: Clues, habits: Habits) -> Iterator[Moment]:
    for item in clues.items:
        if describes_page(item):
            for name in ("datePublished", "uploadDate", "dateCreated"):
                yield from _read(texts_of(item.get(name)), habits)


def _meta(clues: Clues, names: Sequence[str], habits: Habits) -> Iterator[Moment]:
    yield from _read((clues.meta[name] for name in names if name in clues.meta), habits)


def _modified(clues: Clues, habits: Habits) -> Iterator[Moment]:
    for item in clues.items:
        if describes_page(item):
            yield from _read(texts_of(item.get("dateModified")), habits)
    yield from _meta(clues, _MODIFIED, habits)


def _after_title(clues: Clues, title: str) -> list[Stamp]:
    """Return the <time> elements between the title's <h1> and the next one, but for updates."""
    if title not in clues.headings:
        return []
    count = clues.headings.index(title) + 1
    return [stamp for stamp in clues.times if stamp.headings == count and not UPDATED.search(stamp.role)]


def _time_elements(clues: Clues, title: str, habits: Habits) -> Iterator[Moment]:
    """Yield the date of one <time>: one that says it is the publication, or one after the title."""
    published = [stamp for stamp in clues.times if _ROLE.search(stamp.role)]
    stamps = published or _after_title(clues, title)
    yield from _read((stamp.text for stamp in stamps[:1]), habits)


def _other_times(clues: Clues, habits: Habits) -> Iterator[Moment]:
    others = [stamp for stamp in clues.times if not UPDATED.search(stamp.role)]
    yield from _read((stamp.text for stamp in (others or clues.times)[:1]), habits)


def _in_url(tree: Tree, clues: Clues, near: Near, habits: Habits) -> Iterator[Moment]:
    """Yield the day that the URL names; with its time, where the page shows one on that day or the next."""
    match, other = _IN_URL.search(tree.url or ""), _DAY_FIRST_IN_URL.search(tree.url or "")
    if match:
        day = next(find_dates(f"{match[1]}-{match[3] or match[5]}-{match[4] or match[6]}", habits), None)
    else:
        day = next(find_dates(other[0], habits), None) if other else None
    if day is None:
        return
    shown = (*_read((stamp.text for stamp in clues.times), habits), *dates_in(near.after, habits))
    same = (moment for moment in shown if moment.at.date() == day.at.date())
    yield next(same, day)


def _read(texts: Iterable[str], habits: Habits) -> Iterator[Moment]:
    for text in texts:
        if moment := read_date(text, habits):
            yield moment
