"""Dates in the lines of a page: near its title, behind a label, on lines of their own, without a year, against now."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta

from thresher.extract.fields.dates import Habits, Moment, find_dates, find_yearless, read_date
from thresher.extract.fields.near import MAX_LINE, Near
from thresher.extract.fields.relative import read_relative
from thresher.html import Tree

FLOOR = datetime(1995, 1, 1, tzinfo=UTC)  # no page of the web was published before
TOLERANCE = timedelta(days=1)  # a page without a zone may be a day ahead of UTC
MAX_LABELLED = 2_000  # lines in which a date with its label is looked for
RELATIVE_LINES = 8  # from the title on, in which "2 hours ago" is about the page
MAX_DATE_LINE = 80  # characters of a line that holds a date and little else
ALONE, BESIDE = 12, 40  # characters beside the date: of such a line anywhere, and near the title
LABEL = 20  # characters before a date in which its label stands

_SHORT_YEAR = re.compile(r"\W{0,3}(\d{1,2}[./]\d{1,2}[./])(\d\d)\W{0,3}")
_YEAR_IN_URL = re.compile(r"(?<!\d)((?:19|20)\d\d)(?=[-/_]?(?:0[1-9]|1[0-2])?(?!\d))")
UPDATED = re.compile(
    r"updat|modif|review|edited|correct|aktualis|geändert|mis à jour|actualiz|atualiz|aggiorn|bijgewerkt|oppdater|"
    r"opdater|uppdater|güncel|обновл|更新|修改|編集|수정|최종",
    re.IGNORECASE,
)
PUBLISHED = re.compile(
    r"publi|posted|post(?:ed)?[ -]?date|created|issued|released|written|submitted|erschienen|veröffentl|geschrieben|"
    r"erstellt|verfasst|gespeichert|eingestellt|datum|escrito|scritto|skrevet|opublik|опублик|yayın|"
    r"发布|發佈|发表|發表|发稿|刊发|公開|掲載|입력|등록|日期|时间|時間",
    re.IGNORECASE,
)


def is_plausible(at: datetime, now: datetime | None) -> bool:
    """Say whether a page can have been published then."""
    return at >= FLOOR and (now is None or at <= now + TOLERANCE)


def with_short_year(near: Near, habits: Habits) -> Iterator[Moment]:
    """Yield the dates of lines that hold nothing else and leave out the century: 28.01.22."""
    for line in (*near.after, *near.before):
        if (match := _SHORT_YEAR.fullmatch(line)) and (moment := read_date(f"{match[1]}20{match[2]}", habits)):
            yield moment


def near_title(near: Near, habits: Habits) -> Iterator[Moment]:
    """Yield the dates after the title and before it, those of updates last."""
    lines = [line for line in (*near.after, *near.before) if any(map(str.isdigit, line))]
    updates = [line for line in lines if UPDATED.search(line) and not PUBLISHED.search(line)]
    yield from dates_in((line for line in lines if line not in updates), habits)
    yield from dates_in(updates, habits)


def labelled(near: Near, habits: Habits) -> Iterator[Moment]:
    """Yield the dates anywhere that a word for publication stands right before, on their line or on the one above."""
    above = ""
    inside: list[Moment] = []
    for line in near.texts[:MAX_LABELLED]:
        if len(line) <= MAX_LINE and any(map(str.isdigit, line)):
            for moment in find_dates(line, habits):
                label = line[max(0, moment.start - LABEL) : moment.start] or above[-LABEL:]
                if PUBLISHED.search(label) and len(line) <= LABEL + len(moment.raw) + LABEL:
                    yield moment
                elif PUBLISHED.search(label):
                    inside.append(moment)
        above = line
    yield from inside  # of a sentence, which may tell of something else


def alone_in(lines: Iterable[str], habits: Habits, beside: int = ALONE) -> Iterator[Moment]:
    """Yield the dates of lines that hold little else."""
    for line in lines:
        if len(line) <= MAX_DATE_LINE:
            yield from (moment for moment in find_dates(line, habits) if len(line) <= len(moment.raw) + beside)


def dates_in(lines: Iterable[str], habits: Habits) -> Iterator[Moment]:
    for line in lines:
        yield from find_dates(line, habits)


def relative_to(near: Near, now: datetime | None) -> Iterator[Moment]:
    if now is None:
        return
    for line in (*near.after[:RELATIVE_LINES], *near.before):
        if told := read_relative(line, now):
            # "2 weeks ago" tells a day; the time of the fetch is none of the page's.
            in_days = (now - told[0]) % timedelta(days=1) == timedelta(0) and told[0] != now
            at = told[0].replace(hour=0, minute=0, second=0, microsecond=0) if in_days else told[0]
            yield Moment(at, told[1], not in_days, 0)


def without_year(tree: Tree, near: Near, now: datetime | None, habits: Habits) -> Iterator[Moment]:
    """Yield dates that leave out the year, in the year of the URL or else the last one before now."""
    match = _YEAR_IN_URL.search(tree.url or "")
    for line in (*near.after, *near.before):
        if match:
            yield from find_yearless(line, int(match[1]), habits)
        elif now:
            for year in (now.year, now.year - 1):
                yield from (moment for moment in find_yearless(line, year, habits) if is_plausible(moment.at, now))


def latest_in(texts: Sequence[str], now: datetime | None, habits: Habits) -> list[Moment]:
    """Return the latest plausible date of the page, as the thesis does; empty when there is none."""
    plausible = [moment for moment in find_dates("\n".join(texts), habits) if is_plausible(moment.at, now)]
    return [max(plausible, key=lambda moment: moment.at)] if plausible else []
