"""Activity: what a list of threads shows beside each: when somebody wrote in it last, and how many did."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import NamedTuple

from lxml import etree

from thresher import urls
from thresher.discovery.listings import Experience, with_articles
from thresher.discovery.references import newest_of
from thresher.errors import UsageError
from thresher.extraction.fields.dates import find_dates, find_yearless, read_date
from thresher.extraction.fields.relative import read_relative
from thresher.html import Tree
from thresher.model import Link

ITEMS = ("article", "thread")  # reasons of links that a list is about
MIN_LISTED = 2  # links of one shape that make a list
MAX_ROWS = 300  # of one list
MAX_PIECES = 60  # texts of a row that are read
MAX_PIECE_CHARS = 200
MAX_TIME_CHARS = 60  # of a text that tells a time without a year
MAX_WORDS_AROUND_COUNT = 3  # "12", "12 replies", "Replies: 12"
TOLERANCE = timedelta(days=2)  # for zones: a later date is none of an activity
# The title in a URL, with the number; one in letters that are not Latin has no hyphens.
_SLUG = re.compile(r"/(?:[^/?#]+\.#|#-[^/?]+|[^/?-]+(?:-[^/?-]+){2,}|[^/?%]*(?:%[0-9A-F]{2}){6}[^/?]*)(?=[/?]|$)")
_COUNT = re.compile(r"(?<![\d.])\d{1,3}(?:,\d{3})+(?!\d)|(?<![\d.,])\d{1,7}(?![\d.,])")


class Row(NamedTuple):
    """What stands beside a link in a list."""

    times: list[datetime]
    counts: set[int]


def with_activity(
    links: Sequence[Link], tree: Tree, url: str, now: datetime, experience: Experience | None = None
) -> tuple[Link, ...]:
    """Return a page's links: which lead to its items, and the latest time and numbers that rows show."""
    found = _listed(tree, url, now)
    links = with_articles(links, tree, url, experience)
    dated = [_active(link, found[link.url]) if link.url in found and link.why != "next" else link for link in links]
    newest = newest_of(link.active_at for link in dated if link.why in ITEMS)
    return tuple(replace(link, active_at=newest) if link.why == "next" else link for link in dated)


def _active(link: Link, row: Row) -> Link:
    latest = max(row.times).timestamp() if row.times else None
    return replace(link, active_at=latest, counts=" ".join(map(str, sorted(row.counts))))


def _listed(tree: Tree, url: str, now: datetime) -> dict[str, Row]:
    """Return by URL what the rows of each link that stands in a list show."""
    shapes: dict[str, dict[str, list[etree._Element]]] = {}
    for anchor in tree.body.iter("a"):
        try:
            target = urls.canonical(anchor.get("href") or "", tree.base_url or url, encoding=tree.encoding or "utf-8")
        except UsageError:
            continue
        shapes.setdefault(_SLUG.sub("/~", urls.shape_of(target)), {}).setdefault(target, []).append(anchor)
    found: dict[str, Row] = {}
    for targets in shapes.values():
        for target, element in _rows(targets) if len(targets) >= MIN_LISTED else ():
            row = found.setdefault(target, Row([], set()))
            _read(element, row, now)
    return found


def _rows(targets: Mapping[str, Sequence[etree._Element]]) -> Iterator[tuple[str, etree._Element]]:
    """Yield for each link of a list the largest element around it that holds no other one."""
    holders: dict[etree._Element, str | None] = {}  # None: several
    for target, anchors in targets.items():
        for anchor in anchors:
            for element in (anchor, *anchor.iterancestors()):
                if holders.setdefault(element, target) != target:
                    holders[element] = None
    for target, anchors in islice(targets.items(), MAX_ROWS):
        around = {
            [each for each in (anchor, *anchor.iterancestors()) if holders[each] == target][-1] for anchor in anchors
        }
        yield from ((target, element) for element in around)


def _read(element: etree._Element, row: Row, now: datetime) -> None:
    """Add what an element shows to a row."""
    times = [moment.at for time in element.iter("time") if (moment := read_date(time.get("datetime") or ""))]
    for text in islice(element.itertext(), MAX_PIECES):
        piece = " ".join(text[:MAX_PIECE_CHARS].split())
        told = _told(piece, now) if piece else []
        times += told
        if not told and len(piece.split()) <= MAX_WORDS_AROUND_COUNT:
            row.counts.update(int(number.replace(",", "")) for number in _COUNT.findall(piece))
    aware = (at if at.tzinfo else at.replace(tzinfo=UTC) for at in times)
    row.times.extend(at for at in aware if at <= now + TOLERANCE)


def _told(piece: str, now: datetime) -> list[datetime]:
    """Return the times that a text tells."""
    whole = [moment.at for moment in find_dates(piece)]
    if whole or len(piece) > MAX_TIME_CHARS:
        return whole
    relative = read_relative(piece, now)
    years = (now.year, now.year - 1)
    return ([relative[0]] if relative else []) or [each.at for year in years for each in find_yearless(piece, year)]
