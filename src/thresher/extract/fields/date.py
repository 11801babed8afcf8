"""The date of publication: structured data, checked against what the page shows, then the URL and the page's lines.

The thesis that brings CEVC (§4.3.2.1) takes the latest date on the page that is neither before a floor nor in the
future. That comes last here, since dates in comments and side columns mislead it.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta

from thresher.extract.fields.clues import Clues, Stamp, describes_page
from thresher.extract.fields.dates import Habits, Moment, find_dates, find_yearless, read_date
from thresher.extract.fields.found import Found, found
from thresher.extract.fields.json_ld import texts_of
from thresher.extract.fields.near import MAX_LINE, Near
from thresher.extract.fields.relative import read_relative
from thresher.html import Tree

FLOOR = datetime(1995, 1, 1, tzinfo=UTC)  # no page of the web was published before
TOLERANCE = timedelta(days=1)  # a page without a zone may be a day ahead of UTC
MAX_LABELLED = 2_000  # lines in which a date with its label is looked for
TOLD = 0.9  # confidence of what structured data tells; it is checked against what the page shows
RELATIVE_LINES = 8  # from the title on, in which "2 hours ago" is about the page
LABEL = 20  # characters before a date in which its label stands

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
_YEAR_IN_URL = re.compile(r"(?<!\d)((?:19|20)\d\d)(?=[-/_]?(?:0[1-9]|1[0-2])?(?!\d))")
_UPDATED = re.compile(
    r"updat|modif|review|edited|correct|aktualis|geändert|mis à jour|actualiz|atualiz|aggiorn|bijgewerkt|oppdater|"
    r"opdater|uppdater|güncel|обновл|更新|修改|編集|수정|최종",
    re.IGNORECASE,
)
_PUBLISHED = re.compile(
    r"publi|posted|post(?:ed)?[ -]?date|created|issued|released|erschienen|veröffentl|opublik|опублик|yayın|"
    r"发布|發佈|发表|發表|发稿|刊发|公開|掲載|입력|등록|日期|时间|時間",
    re.IGNORECASE,
)
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
                shown = _contradicted(moment, clues, near, habits) if confidence >= TOLD else None
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
        ("near the title", 0.7, lambda: _near_title(near, habits)),
        ("near the title, relative", 0.6, lambda: _relative(near, now and now.astimezone(habits.zone))),
        ("labelled as published", 0.6, lambda: _labelled(near, habits)),
        ("near the title, without a year", 0.5, lambda: _yearless(tree, near, now, habits)),
        ("modified", 0.5, lambda: _modified(clues, habits)),
        ("latest on the page", 0.4, lambda: _latest(near.texts, now, habits)),
    )


def is_plausible(at: datetime, now: datetime | None) -> bool:
    """Say whether a page can have been published then."""
    return at >= FLOOR and (now is None or at <= now + TOLERANCE)


def _contradicted(told: Moment, clues: Clues, near: Near, habits: Habits) -> Moment | None:
    """Return the only date that the page shows below its title, where it is not the one told and is no update."""
    shown = [*_read((stamp.text for stamp in _after_title(clues, near.title)), habits)]
    if not shown:
        shown = [moment for line in near.after for moment in find_dates(line, habits) if not _UPDATED.search(line)]
    days = {moment.at.date() for moment in shown}
    if len(days) != 1:
        return None
    day = shown[0].at.date()
    apart = abs((day - told.at.date()).days)
    if apart == 1:  # most often the zone, unless the page tells the day that it shows, too
        others = (*_json_ld(clues, habits), *_meta(clues, _META, habits))
        return next((other for other in others if other.at.date() == day), None)
    return shown[0] if apart else None


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
    return [stamp for stamp in clues.times if stamp.headings == count and not _UPDATED.search(stamp.role)]


def _time_elements(clues: Clues, title: str, habits: Habits) -> Iterator[Moment]:
    """Yield the date of one <time>: one that says it is the publication, one after the title, or any."""
    published = [stamp for stamp in clues.times if _PUBLISHED.search(stamp.role)]
    others = [stamp for stamp in clues.times if not _UPDATED.search(stamp.role)]
    stamps = published or _after_title(clues, title) or others or clues.times
    yield from _read((stamp.text for stamp in stamps[:1]), habits)


def _in_url(tree: Tree, clues: Clues, near: Near, habits: Habits) -> Iterator[Moment]:
    """Yield the day that the URL names; with its time, where the page shows one on that day or the next."""
    match = _IN_URL.search(tree.url or "")
    if match is None:
        return
    day = next(find_dates(f"{match[1]}-{match[3] or match[5]}-{match[4] or match[6]}", habits), None)
    if day is None:
        return
    shown = (*_read((stamp.text for stamp in clues.times), habits), *_in_lines(near.after, habits))
    same = (moment for moment in shown if moment.at.date() == day.at.date())
    yield next(same, day)


def _near_title(near: Near, habits: Habits) -> Iterator[Moment]:
    """Yield the dates after the title and before it, those of updates last."""
    lines = [line for line in (*near.after, *near.before) if any(map(str.isdigit, line))]
    updates = [line for line in lines if _UPDATED.search(line) and not _PUBLISHED.search(line)]
    yield from _in_lines((line for line in lines if line not in updates), habits)
    yield from _in_lines(updates, habits)


def _labelled(near: Near, habits: Habits) -> Iterator[Moment]:
    """Yield the dates anywhere that a word for publication stands right before, on their line or on the one above."""
    above = ""
    inside: list[Moment] = []
    for line in near.texts[:MAX_LABELLED]:
        if len(line) <= MAX_LINE and any(map(str.isdigit, line)):
            for moment in find_dates(line, habits):
                label = line[max(0, moment.start - LABEL) : moment.start] or above[-LABEL:]
                if _PUBLISHED.search(label) and len(line) <= LABEL + len(moment.raw) + LABEL:
                    yield moment
                elif _PUBLISHED.search(label):
                    inside.append(moment)
        above = line
    yield from inside  # of a sentence, which may tell of something else


def _in_lines(lines: Iterable[str], habits: Habits) -> Iterator[Moment]:
    for line in lines:
        yield from find_dates(line, habits)


def _relative(near: Near, now: datetime | None) -> Iterator[Moment]:
    if now is None:
        return
    for line in (*near.after[:RELATIVE_LINES], *near.before):
        if told := read_relative(line, now):
            # "2 weeks ago" tells a day; the time of the fetch is none of the page's.
            in_days = (now - told[0]) % timedelta(days=1) == timedelta(0) and told[0] != now
            at = told[0].replace(hour=0, minute=0, second=0, microsecond=0) if in_days else told[0]
            yield Moment(at, told[1], not in_days, 0)


def _yearless(tree: Tree, near: Near, now: datetime | None, habits: Habits) -> Iterator[Moment]:
    """Yield dates that leave out the year, in the year of the URL or else the last one before now."""
    match = _YEAR_IN_URL.search(tree.url or "")
    for line in (*near.after, *near.before):
        if match:
            yield from find_yearless(line, int(match[1]), habits)
        elif now:
            for year in (now.year, now.year - 1):
                yield from (moment for moment in find_yearless(line, year, habits) if is_plausible(moment.at, now))


def _latest(texts: Sequence[str], now: datetime | None, habits: Habits) -> list[Moment]:
    """Return the latest plausible date of the page, as the thesis does; empty when there is none."""
    plausible = [moment for moment in find_dates("\n".join(texts), habits) if is_plausible(moment.at, now)]
    return [max(plausible, key=lambda moment: moment.at)] if plausible else []


def _read(texts: Iterable[str], habits: Habits) -> Iterator[Moment]:
    for text in texts:
        if moment := read_date(text, habits):
            yield moment
