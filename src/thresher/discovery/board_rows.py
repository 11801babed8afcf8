"""Rows: the repeated records of a page that each have a link, a count and a time, as lists of threads and boards do."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from lxml import etree

from thresher.discovery.row_texts import numbered, pieces

MIN_ROWS = 2  # that a list has
MOSTLY = 0.6  # of a list's records that have to be rows
MAX_ROW_CHARS = 900  # a longer record is a post or a teaser
MAX_ROWS = 400
MAX_BESIDE = 12  # letters beside a time or a count that still is one ("Replies: 12")
MAX_PIECE_CHARS = 60  # of a text that may be a count
MIN_WORD = 4  # letters of a word beside a time that is none of its own ("pm", "ago", "th")
TRIED = 2  # records of a list that are looked at before the others are
_ROW_TAGS = frozenset(("tr", "li", "div", "tbody", "article", "dl", "section", "dd", "ul", "table", "p"))
_TIME = re.compile(
    r"\d{1,4}[-/.年]\d{1,2}[-/.月]\d{1,4}|\b\d{1,2}:\d\d\b|\b\d{1,2}-\d{1,2}\b"
    r"|\d+ ?(?:秒|分|小时|小時|時間|天|日|周|个月|月|年)[^\d]{0,3}前"
    r"|昨天|前天|今天|\d+ ?(?:s|m|h|d|w|y|mo|min|hours?|days?|weeks?|months?|years?|minutes?)\b(?: ago)?"
    r"|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mär|mai|okt|dez|janv|févr|juin|août|ene|abr|ago|dic)[a-zé]*"
    r"[ .]+\d|\d\.? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mär|mai|okt|dez|janv|févr|mars|juin|août|ene)"
    r"|\b(?:yesterday|today|hier|gestern|heute|ayer|hoy|vor \d|hace \d|il y a)\b|назад|вчера|сегодня",
    re.IGNORECASE,
)
_WHOLE_TIME = re.compile(rf"(?:{_TIME.pattern})[a-zéû]*", re.IGNORECASE)  # with the rest of the month's name
_BESIDE = re.compile(r"[^\W\d_]{2,}")
_DIGIT = re.compile(r"\d")
_YEAR_FIRST = re.compile(r"((?:19|20)\d\d)[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?:\s+(\d{1,2}):(\d\d))?")
_COUNT = re.compile(r"(?:^|[\s(:：/])\d[\d.,]*[kK万]?(?=$|[\s)/|,·])")


@dataclass(frozen=True, slots=True)
class Row:
    """One record: its links as address and text in document order, its counts, and the latest time that it tells."""

    links: tuple[tuple[str, str], ...]
    counts: int
    newest: str  # so written that it sorts; empty where no time is told so
    has_time: bool

    @property
    def is_full(self) -> bool:
        """True where it has a link, a count and a time."""
        return self.has_time and self.counts > 0


def find_lists(root: etree._Element) -> Iterator[list[Row]]:
    """Yield the lists of rows of a page, those inside other lists left out."""
    taken: set[etree._Element] = set()
    for parent, tag in _candidates(root):
        records = [child for child in parent if child.tag == tag]
        if len(records) < MIN_ROWS or any(above in taken for above in (parent, *parent.iterancestors())):
            continue
        tried = {record: _row(record) for record in _spread(records)}
        if not any(row and row.is_full for row in tried.values()):
            continue
        read = (tried[record] if record in tried else _row(record) for record in records[:MAX_ROWS])
        rows = [row for row in read if row is not None]
        if sum(row.is_full for row in rows) >= max(MIN_ROWS, MOSTLY * len(rows)):
            taken.add(parent)
            yield rows


def _spread(records: list[etree._Element]) -> Iterator[etree._Element]:
    """Yield some records of a list: its first ones may be headers."""
    return islice(records[len(records) // 2 :], TRIED)


def _candidates(root: etree._Element) -> Iterator[tuple[etree._Element, str]]:
    """Yield parents with several children of one tag that hold links, the outer ones first."""
    counts: dict[tuple[etree._Element, str], int] = {}
    seen: set[etree._Element] = set()
    for anchor in root.iter("a"):
        element = anchor.getparent()
        while element is not None and element not in seen:
            seen.add(element)
            parent = element.getparent()
            if parent is not None and element.tag in _ROW_TAGS:
                key = parent, str(element.tag)
                counts[key] = counts.get(key, 0) + 1
            element = parent
    found = [(sum(1 for _ in key[0].iterancestors()), key) for key, count in counts.items() if count >= MIN_ROWS]
    return (key for _, key in sorted(found, key=lambda item: item[0]))


def _row(record: etree._Element) -> Row | None:
    """Read a record; None where it is no row: too long, without a number, or without a link that has a text."""
    told = pieces(record, MAX_ROW_CHARS)
    if told is None:
        return None
    text = " ".join(" ".join(told).split())
    if not _DIGIT.search(text):
        return None
    links = tuple(
        (href.strip(), " ".join((("".join(anchor.itertext()) if len(anchor) else anchor.text) or "").split()))
        for anchor in record.iter("a")
        if (href := anchor.get("href"))
    )
    if not any(shown for _, shown in links):
        return None
    stamps = [stamp for time in record.iter("time") if (stamp := time.get("datetime"))]
    has_time = bool(stamps) or _TIME.search(text) is not None
    counts = _counts(record) if has_time else 0
    return Row(links, counts, max(stamps, default=_latest(text)), has_time)


def _counts(record: etree._Element) -> int:
    """Count the texts of a record that are numbers, outside links also with a word or two beside them."""
    texts = numbered(record, MAX_PIECE_CHARS)
    return sum(_count_in(text, in_link) for text, in_link in texts if _DIGIT.search(text))


def _count_in(text: str, in_link: bool) -> int:
    shown = _TIME.sub(" ", " ".join(text.split()))
    numbers = _COUNT.findall(shown)
    beside = sum(char.isalpha() for char in shown)
    return len(numbers) if beside <= (0 if in_link else MAX_BESIDE * len(numbers)) else 0


def tells_time(text: str) -> bool:
    """Say whether a text tells a day or a time, whatever else it tells."""
    return _TIME.search(text) is not None


@lru_cache(maxsize=4_096)  # the texts of links are asked about several times
def is_time(text: str) -> bool:
    """Say whether a text tells a day or a time and little else."""
    rest, found = _TIME.subn("", text)
    return found > 0 and sum(char.isalpha() for char in rest) <= MAX_BESIDE


def has_words_beside_time(text: str) -> bool:
    """Say whether a text that tells a time has words of its own: one of some length, or two Chinese characters."""
    rest = _WHOLE_TIME.sub(" ", text)
    return any(len(word) >= MIN_WORD or word[0] > "\u2e80" for word in _BESIDE.findall(rest))


def _latest(text: str) -> str:
    """Return the latest of the dates that begin with the year, so written that they sort; empty where there is none."""
    dates = _YEAR_FIRST.findall(text)
    return max((_sortable(date) for date in dates), default="")


def _sortable(date: tuple[str, ...]) -> str:
    year, month, day, hour, minute = date
    return f"{year}-{month:0>2}-{day:0>2}T{hour:0>2}:{minute:0>2}"
