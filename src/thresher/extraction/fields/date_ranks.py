"""What stands around a date on its line: whether it is called published or an update, or stands by itself."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from thresher.extraction.fields.dates import Habits, Moment, dates_of, find_short, has_digit

BESIDE = 40  # characters beside a date that stands by itself on its line
BESIDE_WIDE = 90  # the same in lines of Chinese, as Latin letters would have it
MAX_LEAD = 2  # characters before a date with which its line begins
LABEL, LABEL_WIDE = 20, 8  # characters before a date in which its label stands; of Chinese
MAX_WHO = 60  # characters before the date of a line that begins with its label: "Posted by Ann Miller in News on"
LABELLED, ALONE, WEAK, SENTENCE, UPDATE = range(5)  # ranks: how far a date is from that of publication

_WIDE = re.compile("[\u3041-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
_STAMP = re.compile(r"\d{4}-\d\d-\d\dT\d")  # what themes hide beside the date that they show: when the page was changed
_TO = frozenset((" - ", " – ", " — ", " to ", "-", "–"))  # between the first and the last day of a period
# "9-" of "9-23 June 2016".
_FIRST_DAY = re.compile(r"(?<![\d.,/:])(\d{1,2})(?:st|nd|rd|th|\.)?\s?(?:[-–—]|to|bis|au|al)\s?$")
SINCE = re.compile(r"\b(?:since|seit|depuis|desde|sinds|est\.|established|founded|gegründet)\W{0,3}$", re.IGNORECASE)
_DATE = re.compile(r"\b(?:date|data|dato|datum|day|am|on)\b", re.IGNORECASE)
_MARKS = ("|", "•", "·", "/", "–", "—")
_MAY_BE_SHORT = re.compile(r"\d[./]\d\d(?![\d./])")
UPDATED = re.compile(
    r"updat|modif|review|edited|correct|aktuali[sz]|\bakt\.|geändert|mise? à jour|actualiz|atualiz|aggiorn|bijgewerkt|"
    r"oppdater|opdater|uppdater|ändrad|päivitet|frissít|güncel|обновл|изменен|оновл|актуализ|ενημέρ|ενημερ|تحديث|تعديل|עודכן|"
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


def standing_alone(lines: Iterable[str], habits: Habits) -> list[Moment]:
    """Return the dates of lines that stand by themselves or are said to be of publication."""
    return [moment for line in lines for rank, moment in ranked(line, habits, by_itself=ALONE) if rank <= ALONE]


def not_called_otherwise(lines: Iterable[str], habits: Habits) -> list[Moment]:
    """Return the dates of lines that stand by themselves, but for those with a label of another kind: "Release: "."""
    return [
        moment
        for line in lines
        for rank, moment in ranked(line, habits, by_itself=ALONE)
        if rank <= ALONE
        and (":" not in line[: moment.start] or not _is_called_otherwise(line[: moment.start].rstrip()))
    ]


def _is_called_otherwise(before: str) -> bool:
    label = before[-LABEL:]
    return before.endswith(":") and not PUBLISHED.search(label) and not _DATE.search(label)


def called_updates(lines: Iterable[str], habits: Habits) -> list[Moment]:
    """Return the dates of lines that are said to be of an update."""
    return [moment for line in lines for rank, moment in ranked(line, habits, by_itself=ALONE) if rank == UPDATE]


def ranked(line: str, habits: Habits, *, by_itself: int) -> tuple[tuple[int, Moment], ...]:
    """Return the dates of a line and how far from the date of publication each is by what stands around it."""
    may_hold_any = "20" in line or "19" in line or "." in line or "/" in line
    return _ranked(line, habits, by_itself) if may_hold_any else ()


@lru_cache(maxsize=256)  # lines of the page at hand, which several searches ask for
def _ranked(line: str, habits: Habits, by_itself: int) -> tuple[tuple[int, Moment], ...]:
    moments = (*dates_of(line, habits), *short_dates(line, habits))
    return tuple(_ranks_of(line, moments, by_itself)) if moments else ()


def _ranks_of(line: str, moments: Sequence[Moment], by_itself: int) -> Iterator[tuple[int, Moment]]:
    done = 0
    beside = BESIDE_WIDE if _WIDE.search(line) else BESIDE
    is_alone = width(line) <= sum(width(moment.raw) for moment in moments) + beside
    is_period = len(moments) == 2 and line[moments[0].start + len(moments[0].raw) : moments[1].start] in _TO
    for moment in moments:
        label = label_of(line[max(done, moment.start - LABEL) : moment.start])
        is_first, done = not done, moment.start + len(moment.raw)
        if SINCE.search(label):
            continue
        if UPDATED.search(label) or (_STAMP.match(moment.raw) and len(moments) > 1):
            yield UPDATE, moment
        elif _is_called_updated(line[done : done + 2 * LABEL]):
            yield WEAK, moment
        elif PUBLISHED.search(label) or (is_first and begins_with_label(line, moment)):
            yield LABELLED, moment
        else:
            is_other = is_period or _is_last_day(line, moment)
            by_itself_here = not is_other and (is_alone or _leads(line, moment) or _is_set_off(line, moment))
            yield by_itself if by_itself_here else SENTENCE, moment


def _is_last_day(line: str, moment: Moment) -> bool:
    first = _FIRST_DAY.search(line[max(0, moment.start - LABEL) : moment.start])
    return first is not None and int(first[1]) < moment.at.day


def _leads(line: str, moment: Moment) -> bool:
    """Say whether a line begins with a date that no Chinese sentence goes on from: "2016年6月8日渡轮恢复运行"."""
    rest = line[moment.start + len(moment.raw) :]
    return moment.start <= MAX_LEAD and (moment.has_time or _WIDE.match(rest) is None)


def _is_set_off(line: str, moment: Moment) -> bool:
    """Say whether a date stands between the marks with which lines of an author, a day and a topic are divided."""
    left, right = line[: moment.start].rstrip(), line[moment.start + len(moment.raw) :].lstrip()
    return left.endswith(_MARKS) and (not right or right.startswith(_MARKS))


def label_of(before: str) -> str:
    """Return what can be the label in the text before a date: of Chinese, fewer letters."""
    return before[-LABEL_WIDE:] if _WIDE.search(before) else before


def begins_with_label(line: str, moment: Moment) -> bool:
    """Say whether a line begins with a word for publication, and its date follows soon."""
    return moment.start <= MAX_WHO and PUBLISHED.match(line) is not None


def _is_called_updated(rest: str) -> bool:
    """Say whether what follows a date calls it an update, and not a time after that: "8 June, updated at 10:30"."""
    return UPDATED.match(rest.lstrip(" （(|,;")) is not None and not has_digit(rest)


def short_dates(line: str, habits: Habits) -> Iterator[Moment]:
    """Yield dates without the century that have a time or a label, that begin their line or are set off at its end."""
    if ("." in line or "/" in line) and _MAY_BE_SHORT.search(line):
        for moment in find_short(line, habits):
            label = label_of(line[max(0, moment.start - LABEL) : moment.start])
            is_set_off = label.rstrip().endswith((",", "|", "•", "·")) and line.endswith(moment.raw)
            is_called = PUBLISHED.search(label) or begins_with_label(line, moment)
            if moment.has_time or is_set_off or is_called or not label.strip(" |•·–-(["):
                yield moment


def is_wider(text: str, limit: int) -> bool:
    """Say whether a text is longer, as Latin letters would have it."""
    return len(text) > limit or (3 * len(text) > limit and width(text) > limit)


def width(text: str) -> int:
    """Return the length of a text as Latin letters would have it; Chinese says the same with a third of them."""
    return len(text) if text.isascii() else len(text) + 2 * len(_WIDE.findall(text))
