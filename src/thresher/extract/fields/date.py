"""The date of publication: structured data first, then the URL, the lines around the title, and the whole page.

The thesis that brings CEVC (§4.3.2.1) takes the latest date on the page that is neither before a floor nor in the
future. That comes last here, since dates in comments and side columns mislead it.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import islice

from thresher.extract.fields.clues import Clues, texts_of
from thresher.extract.fields.dates import Habits, Moment, find_dates, read_date
from thresher.extract.fields.found import Found, found
from thresher.extract.fields.relative import read_relative
from thresher.html import Tree
from thresher.model import Block

FLOOR = datetime(1995, 1, 1, tzinfo=UTC)  # no page of the web was published before
TOLERANCE = timedelta(days=1)  # a page without a zone may be a day ahead of UTC
NEAR_BEFORE, NEAR_AFTER = 3, 8  # blocks around the title in which a date belongs to it
MAX_LINE = 160  # characters: a longer block near the title is text, and the dates in it are its subject

_META = (
    *("article:published_time", "og:article:published_time", "og:published_time", "datepublished", "article:published"),
    *(
        "publishdate",
        "pubdate",
        "publish_date",
        "publication_date",
        "published_time",
        "sailthru.date",
        "parsely-pub-date",
    ),
    *(
        "article.published",
        "dc.date.issued",
        "dcterms.issued",
        "dc.date",
        "dcterms.date",
        "dcterms.created",
        "dc.created",
    ),
    *("bytedance:published_time", "og:release_date", "article:create_at", "cxenseparse:recs:publishtime", "date"),
)
_USUAL = Habits()
_MAX_TIMES = 50  # <time> elements that are looked at
_IN_URL = re.compile(r"(?<!\d)((?:19|20)\d\d)([-/_.]?)(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])(?!\d)")


def find_date(
    tree: Tree,
    clues: Clues,
    blocks: Sequence[Block],
    *,
    title: str,
    fetched_at: datetime | None,
    habits: Habits = _USUAL,
) -> Found[datetime] | None:
    """Return when the page was published, never later than `fetched_at`; None when the page does not tell.

    Without `fetched_at` no date is in the future, and dates like "2 hours ago" are not read.
    """
    now = fetched_at if fetched_at is None or fetched_at.tzinfo else fetched_at.replace(tzinfo=UTC)
    near = list(_near_title(blocks, title))
    sources: tuple[tuple[str, float, Callable[[], Iterable[Moment]]], ...] = (
        ("json-ld datePublished", 0.95, lambda: _json_ld(clues, habits)),
        ("meta", 0.9, lambda: _meta(clues, habits)),
        ("time", 0.8, lambda: _time_elements(tree, habits)),
        ("url", 0.8, lambda: _in_url(tree, near, habits)),
        ("near the title", 0.7, lambda: _in_lines(near, habits)),
        ("near the title, relative", 0.6, lambda: _relative(near, now and now.astimezone(habits.zone))),
        ("latest on the page", 0.4, lambda: _latest(blocks, now, habits)),
    )
    for source, confidence, moments in sources:
        for moment in moments():
            if is_plausible(moment.at, now):
                return found(moment.at, source, confidence, moment.raw)
    return None


def is_plausible(at: datetime, now: datetime | None) -> bool:
    """Say whether a page can have been published then."""
    return at >= FLOOR and (now is None or at <= now + TOLERANCE)


def _json_ld(clues: Clues, habits: Habits) -> Iterator[Moment]:
    for item in clues.items:
        for name in ("datePublished", "uploadDate", "dateCreated"):
            yield from _read(texts_of(item.get(name)), habits)


def _meta(clues: Clues, habits: Habits) -> Iterator[Moment]:
    yield from _read((clues.meta[name] for name in _META if name in clues.meta), habits)


def _time_elements(tree: Tree, habits: Habits) -> Iterator[Moment]:
    """Yield the dates of <time>, those that say they are the publication first."""
    published: list[str] = []
    others: list[str] = []
    for element in islice(tree.root.iter("time"), _MAX_TIMES):
        role = " ".join(filter(None, map(element.get, ("itemprop", "class", "pubdate")))).lower()
        stamp = element.get("datetime") or element.text or ""
        (published if "pub" in role else others).append(stamp)
    yield from _read((published or others)[:1], habits)


def _in_url(tree: Tree, near: Sequence[str], habits: Habits) -> Iterator[Moment]:
    """Yield the day that the URL names; with its time, where a line near the title has one on that day."""
    match = _IN_URL.search(tree.url or "")
    if match is None:
        return
    for moment in _in_lines(near, habits):
        if (moment.at.year, moment.at.month, moment.at.day) == (int(match[1]), int(match[3]), int(match[4])):
            yield moment
            return
    yield from _read([f"{match[1]}-{match[3]}-{match[4]}"], habits)


def _near_title(blocks: Sequence[Block], title: str) -> Iterator[str]:
    """Yield the short lines around the block that shows the title, those after it first."""
    place = next((i for i, block in enumerate(blocks) if title and title in block.text), None)
    if place is None:
        return
    after = blocks[place : place + NEAR_AFTER + 1]
    before = blocks[max(0, place - NEAR_BEFORE) : place]
    for block in (*after, *reversed(before)):
        if len(text := block.text) <= MAX_LINE:
            yield text


def _in_lines(lines: Iterable[str], habits: Habits) -> Iterator[Moment]:
    for line in lines:
        yield from find_dates(line, habits)


def _relative(lines: Iterable[str], now: datetime | None) -> Iterator[Moment]:
    if now is None:
        return
    for line in lines:
        if told := read_relative(line, now):
            yield Moment(told[0], told[1], True, 0)


def _latest(blocks: Sequence[Block], now: datetime | None, habits: Habits) -> list[Moment]:
    """Return the latest plausible date of the page, as the thesis does; empty when there is none."""
    text = "\n".join(block.text for block in blocks)
    plausible = [moment for moment in find_dates(text, habits) if is_plausible(moment.at, now)]
    return [max(plausible, key=lambda moment: moment.at)] if plausible else []


def _read(texts: Iterable[str], habits: Habits) -> Iterator[Moment]:
    for text in texts:
        if moment := read_date(text, habits):
            yield moment
