"""Dates in the lines of a page: near its title, behind a label, on lines of their own, without a year, against now."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta

from thresher.extract.fields.dates import Habits, Moment, dates_of, find_dates, find_short, find_yearless, has_digit
from thresher.extract.fields.near import AFTER, MAX_LINE, Near
from thresher.extract.fields.relative import read_relative
from thresher.html import Tree

FLOOR = datetime(1995, 1, 1, tzinfo=UTC)  # no page of the web was published before
CEILING = datetime(2100, 1, 1, tzinfo=UTC)  # nor after; what is later stands for "never"
TOLERANCE = timedelta(days=1)  # a page without a zone may be a day ahead of UTC
MAX_LABELLED = 2_000  # lines in which a date with its label is looked for
RELATIVE_LINES = 8  # from the title on, in which "2 hours ago" is about the page
MAX_DATE_LINE = 80  # characters of a line that holds a date and little else
ALONE, BESIDE = 12, 40  # characters beside the date: of such a line anywhere, and near the title
UPDATE = 4  # the rank of a date that is said to be of one
BESIDE_WIDE = 90  # the same in lines of Chinese, as Latin letters would have it
MAX_LEAD = 2  # characters before a date with which its line begins
LABEL, LABEL_WIDE = 20, 8  # characters before a date in which its label stands; of Chinese
MAX_WHO = 60  # characters before the date of a line that begins with its label: "Posted by Ann Miller in News on"

_WIDE = re.compile("[\u3041-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
_MARKS = ("|", "•", "·", "/", "–", "—")
_SET_OFF = re.compile(r"\s{0,2}[.:|)\]–—-]\s?\S")
_MAY_BE_SHORT = re.compile(r"\d[./]\d\d(?![\d./])")
_YEAR_IN_URL = re.compile(r"(?<!\d)((?:19|20)\d\d)(?=[-/_]?(?:0[1-9]|1[0-2])?(?!\d))")
UPDATED = re.compile(
    r"updat|modif|review|edited|correct|aktuali[sz]|geändert|mise? à jour|actualiz|atualiz|aggiorn|bijgewerkt|oppdater|"
    r"opdater|uppdater|ändrad|päivitet|frissít|güncel|обновл|изменен|оновл|актуализ|ενημέρ|ενημερ|تحديث|تعديل|עודכן|"
    r"अपडेट|diperbarui|cập nhật|更新|修改|修订|編集|修正|수정|최종",
    re.IGNORECASE,
)
PUBLISHED = re.compile(
    r"publi|pubblicat|posted|post(?:ed)?[ -]?date|created|issued|released|written|submitted|erschienen|veröffentl|"
    r"geschrieben|beitrag wurde|erstellt|verfasst|gespeichert|eingestellt|datum|escrito|scritto|skrevet|udgivet|"
    r"geplaatst|julkaistu|zveřejněn|közzété|megjelent|yayın|опубл|добавлен|δημοσι|نشر|פורסם|प्रकाशित|diterbitkan|diposting|"
    r"发布|發佈|发表|發表|发稿|刊发|公開|掲載|投稿|配信|입력|등록|작성|게시|"
    r"(?:添加|上传|上傳|录入|提交|撰写|文章|新闻)(?:日期|时间|時間)|"
    r"(?<![\u4e00-\u9fff])(?:日期|时间|時間)",  # that of an event, a vote or a deadline has a word before it
    re.IGNORECASE,
)


def is_plausible(at: datetime, now: datetime | None) -> bool:
    """Say whether a page can have been published then."""
    return FLOOR <= at < CEILING and (now is None or at - TOLERANCE <= now)


def near_title(near: Near, habits: Habits) -> list[Moment]:
    """Return the dates after the title and before it: those said to be of publication, and by themselves."""
    return [moment for rank, moment in _near(near, habits) if rank <= 2]


def in_sentences(near: Near, habits: Habits) -> list[Moment]:
    """Return the other dates after the title and before it: those in sentences, and those of updates."""
    return [moment for rank, moment in _near(near, habits) if rank > 2]


def _near(near: Near, habits: Habits) -> list[tuple[int, Moment]]:
    ranked: list[tuple[int, Moment]] = []
    for line in near.after:
        ranked += _ranked(line, habits, by_itself=1)
    for line in near.before:
        ranked += _ranked(line, habits, by_itself=2)
    return sorted(ranked, key=lambda pair: pair[0])


def standing_alone(lines: Iterable[str], habits: Habits) -> list[Moment]:
    """Return the dates of lines that stand by themselves or are said to be of publication."""
    return [moment for line in lines for rank, moment in _ranked(line, habits, by_itself=1) if rank <= 1]


def called_updates(lines: Iterable[str], habits: Habits) -> list[Moment]:
    """Return the dates of lines that are said to be of an update."""
    return [moment for line in lines for rank, moment in _ranked(line, habits, by_itself=1) if rank == UPDATE]


def _ranked(line: str, habits: Habits, *, by_itself: int) -> Iterator[tuple[int, Moment]]:
    """Yield the dates of a line and how far from the date of publication each is by what stands around it."""
    if not has_digit(line):
        return
    done = 0
    moments = (*dates_of(line, habits), *_short(line, habits))
    beside = BESIDE_WIDE if _WIDE.search(line) else BESIDE
    is_alone = _width(line) <= sum(_width(moment.raw) for moment in moments) + beside
    for moment in moments:
        label = _label(line[max(done, moment.start - LABEL) : moment.start])
        is_first, done = not done, moment.start + len(moment.raw)
        if UPDATED.search(label):
            yield UPDATE, moment
        elif _is_called_updated(line[done : done + 2 * LABEL]):
            yield 2, moment
        elif PUBLISHED.search(label) or (is_first and _begins_with_label(line, moment)):
            yield 0, moment
        else:
            by_itself_here = is_alone or _leads(line, moment) or _is_set_off(line, moment)
            yield by_itself if by_itself_here else 3, moment


def _leads(line: str, moment: Moment) -> bool:
    """Say whether a line begins with a date that no Chinese sentence goes on from: "2016年6月8日渡轮恢复运行"."""
    rest = line[moment.start + len(moment.raw) :]
    return moment.start <= MAX_LEAD and (moment.has_time or _WIDE.match(rest) is None)


def _is_set_off(line: str, moment: Moment) -> bool:
    """Say whether a date stands between the marks with which lines of an author, a day and a topic are divided."""
    left, right = line[: moment.start].rstrip(), line[moment.start + len(moment.raw) :].lstrip()
    return left.endswith(_MARKS) and (not right or right.startswith(_MARKS))


def _label(before: str) -> str:
    """Return what can be the label in the text before a date: of Chinese, fewer letters."""
    return before[-LABEL_WIDE:] if _WIDE.search(before) else before


def _begins_with_label(line: str, moment: Moment) -> bool:
    return moment.start <= MAX_WHO and PUBLISHED.match(line) is not None


def _is_called_updated(rest: str) -> bool:
    """Say whether what follows a date calls it an update, and not a time after that: "8 June, updated at 10:30"."""
    return UPDATED.match(rest.lstrip(" （(|,;")) is not None and not has_digit(rest)


def _short(line: str, habits: Habits) -> Iterator[Moment]:
    """Yield dates without the century that have a time or a label, that begin their line or are set off at its end."""
    if _MAY_BE_SHORT.search(line):
        for moment in find_short(line, habits):
            label = _label(line[max(0, moment.start - LABEL) : moment.start])
            is_set_off = label.rstrip().endswith((",", "|", "•", "·")) and line.endswith(moment.raw)
            if moment.has_time or is_set_off or PUBLISHED.search(label) or not label.strip(" |•·–-(["):
                yield moment


def labelled(near: Near, habits: Habits) -> Iterator[Moment]:
    """Yield the dates anywhere that a word for publication stands right before, on their line or on the one above."""
    above = ""
    inside: list[Moment] = []
    place = near.place or 0
    for line in (*near.texts[place : place + MAX_LABELLED], *near.texts[:place]):
        if ("20" in line or "19" in line or line.count("/") > 1 or line.count(".") > 1) and len(line) <= MAX_LINE:
            for moment in (*dates_of(line, habits), *_short(line, habits)):
                label = _label(line[max(0, moment.start - LABEL) : moment.start] or above[-LABEL:])
                if not PUBLISHED.search(label) and not _begins_with_label(line, moment):
                    continue
                if len(line) <= LABEL + len(moment.raw) + LABEL:
                    yield moment
                else:
                    inside.append(moment)
        above = line
    yield from inside  # of a sentence, which may tell of something else


def above_text(near: Near, habits: Habits) -> list[Moment]:
    """Return the dates that stand by themselves right above the first long text below the title, the nearest first."""
    start = 0 if near.place is None else near.place + 1
    texts = enumerate(near.texts[start:], start)
    first = next((number for number, text in texts if _width(text) > MAX_LINE), start)
    lines = [line for line in near.texts[max(start, first - AFTER) : first] if _width(line) <= MAX_DATE_LINE]
    return standing_alone(reversed(lines), habits)


def _width(text: str) -> int:
    """Return the length of a text as Latin letters would have it; Chinese says the same with a third of them."""
    return len(text) if text.isascii() else len(text) + 2 * len(_WIDE.findall(text))


def begins_text(near: Near, habits: Habits) -> Iterator[Moment]:
    """Yield the date with which the text below the title begins, set off from it: "8 June 2016 – The ferry runs"."""
    if near.place is not None:
        for text in near.texts[near.place + 1 : near.place + AFTER + 1]:
            head = text[:MAX_DATE_LINE]
            for moment in dates_of(head, habits)[:1]:
                if moment.start <= MAX_LEAD and _SET_OFF.match(head, moment.start + len(moment.raw)):
                    yield moment


def alone_in(lines: Iterable[str], habits: Habits, beside: int = ALONE) -> Iterator[Moment]:
    """Yield the dates of lines that hold little else."""
    for line in lines:
        if len(line) <= MAX_DATE_LINE and ("20" in line or "19" in line):
            yield from (moment for moment in dates_of(line, habits) if len(line) <= len(moment.raw) + beside)


def alone_on(near: Near, habits: Habits) -> list[Moment]:
    """Return the dates of the page's lines that hold little else: after the title first, and there with a time first.

    The day on which a page is read stands above its title without one.
    """
    place = near.place or 0
    after = sorted(alone_in(near.texts[place:], habits), key=lambda moment: not moment.has_time)
    return [*after, *alone_in(near.texts[:place], habits)]


def on_short_lines(near: Near, habits: Habits) -> list[Moment]:
    """Return the dates of short lines from the title on that stand by themselves, those with a time first."""
    lines = (line for line in near.texts[near.place or 0 :] if len(line) <= MAX_LINE and ("20" in line or "19" in line))
    return sorted(standing_alone(lines, habits), key=lambda moment: not moment.has_time)


def dates_in(lines: Iterable[str], habits: Habits) -> Iterator[Moment]:
    for line in lines:
        yield from dates_of(line, habits)


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
