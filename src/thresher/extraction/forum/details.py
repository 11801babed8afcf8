"""Details of a post that its markup tells: floor number, id and permalink, and which post it answers."""

import re
from collections.abc import Mapping
from functools import lru_cache

from thresher.extraction.blocks import absolute
from thresher.extraction.forum.layout import ID_NAMES, Layout
from thresher.extraction.forum.naming import IS_LINK
from thresher.extraction.forum.records import Record

LOOK = 40  # elements of a record whose ids are looked at
MAX_TEXT = 80  # characters of an element that are read
MAX_FLOOR_TEXT = 14  # characters of an element that tells a floor
_FLOOR = re.compile(r"^(?:#|№|no\.? ?|post ?#?|第)?\s?(\d{1,6})\s?(?:#|楼|樓|层|層|f|L|\.)?$", re.IGNORECASE)
_FLOOR_MARKED = re.compile(r"^(?:#\s?\d|№|第?\s?\d+\s?[楼樓层層#]|post ?#?\s?\d)", re.IGNORECASE)
_FLOOR_WORDS = {"楼主": 1, "樓主": 1, "沙发": 2, "沙發": 2, "板凳": 3, "地板": 4}
_ID = re.compile(r"^(?:js-|entry-|elcomment_|comment-?|tid)?[a-z_:-]{0,24}?[-_]?(\d{1,12})$", re.IGNORECASE)
_ID_WORD = re.compile(r"post|pid|msg|message|comment|^p\d|reply|entry|floor|answer|^c\d|^\d+$", re.IGNORECASE)
_PAGE_AND_REST = re.compile(r"([^?#\s]+)(\?[^#\s]+(?:#\S+)?|#\S+)")
# Shorter numbers, and those without a word, may be floors, which begin anew on every page.
_ID_IN_LINK = re.compile(r"#(?:p|pid|post|msg|message|comment|reply|entry)[-_]?(\d{3,12})$", re.IGNORECASE)
_IDS = frozenset(ID_NAMES)
# It starts with a character, for which there is a fast search, and then looks back at it.
_LINK = re.compile(
    r"[#?&;/fFpP](?i:(?<=#)\D{0,16}\d+$|(?<=[?&;])(?:p|pid|postid|post|msg|comment)=\d+|(?<=f)indpost|(?<=p)ermalink"
    r"|(?<=/)(?:posts?[-/]\d+|p/?\d+|\d+/\d+$))"
)
_REPLY = re.compile(
    r"^(?:in (?:reply|response) to|replying to|@|回复|回覆|en réponse à|als antwort auf|antwort auf|en respuesta a)"
    r"\s?[:：@]?\s?(\S.{0,40}?)[:：]?$",
    re.IGNORECASE,
)
_REPLY_STARTS = frozenset("iIıİrR@回eEaA")


class Details:
    """What a record tells of itself; None for what it does not."""

    __slots__ = ("floor", "id", "permalink", "reply_to")

    def __init__(self, floor: int | None, own: str | None, permalink: str | None, reply_to: str | None) -> None:
        self.floor = floor
        self.id = own
        self.permalink = permalink
        self.reply_to = reply_to


def read_details(layout: Layout, record: Record, bodies: list[int], anchor: int, *, base_url: str | None) -> Details:
    """Return the details of a record, found outside of its text; `anchor` is the element that tells its time, or -1."""
    floor, permalink, reply_to = _read(layout, record, bodies, anchor)
    own = _id_of(layout, record, bodies) or _id_in(permalink)
    return Details(floor, own, _absolute(permalink, base_url), reply_to)


def _absolute(href: str | None, base_url: str | None) -> str | None:
    """Return what `absolute` does; permalinks lead to few pages, and differ in what comes after their paths."""
    parts = _PAGE_AND_REST.fullmatch(href) if href else None
    if parts is None:
        return absolute(href, base_url)
    page = _page_of(parts[1], base_url)
    return page and page + parts[2]


@lru_cache(maxsize=1_000)
def _page_of(path: str, base_url: str | None) -> str | None:
    return absolute(path, base_url)


def _read(layout: Layout, record: Record, bodies: list[int], anchor: int) -> tuple[int | None, str | None, str | None]:
    """Return floor, permalink and whom a record answers, as it shows them; None for what it does not."""
    best: tuple[int, int] | None = None  # how sure, and the number
    permalink = reply_to = None
    for first, last in layout.outside((record.start, record.end), bodies):
        for node in range(first, last):
            told = layout.attributes[node]
            if layout.ends[node] - node <= 3 and layout.last_line[node] - layout.first_line[node] == 1:
                text = layout.short_text(node)
                if text and len(text) <= MAX_FLOOR_TEXT and node != anchor and _may_tell_floor(text):
                    best = _surer(best, _floor(text, told.get("itemprop") == "position"))
                if text and reply_to is None and text[0] in _REPLY_STARTS:
                    reply_to = _answered(text[:MAX_TEXT])
            mark = layout.marks[node]
            href = told.get("href") if mark & IS_LINK and told else None
            if href and (permalink is None or _holds_anchor(layout, node, anchor)) and _leads_to_post(href):
                permalink = href
    return best[1] if best else None, permalink, reply_to


def _leads_to_post(href: str) -> bool:
    """Say whether a link looks like one to a post; most do not by three characters in turn, which is soon seen."""
    if not href.isascii():
        return _LINK.search(href) is not None
    before = last = " "
    for char in href:
        if last == "#":
            may_lead = href[-1].isdigit()
        elif before == "/":
            may_lead = char.isdigit() or (last in "pP" and char in "/oO") or (last.isdigit() and char == "/")
        elif before in "?&;":
            may_lead = (last in "pP" and char in "=iIoO") or (last in "mM" and char in "sS") or last in "cC"
        else:
            may_lead = (before in "fF" and last in "iI" and char in "nN") or (
                before in "pP" and last in "eE" and char in "rR"
            )
        if may_lead:
            return _LINK.search(href) is not None
        before, last = last, char
    return False


def _surer(one: tuple[int, int] | None, other: tuple[int, int] | None) -> tuple[int, int] | None:
    return max(one, other) if one and other else one or other


def with_answers(layout: Layout, records: list[Record], details: list[Details]) -> list[Details]:
    """Let records that lie in others answer them, where they tell nothing else."""
    found: list[Details] = []
    around: list[int] = []  # records that hold the one at hand, the innermost last
    for number, record in enumerate(records):
        while around and layout.ends[records[around[-1]].start] <= record.start:
            around.pop()
        own = details[number]
        outer = details[around[-1]].id if around else None
        answers = outer is not None and own.reply_to is None
        found.append(Details(own.floor, own.id, own.permalink, outer) if answers else own)
        around.append(number)
    return found


def _holds_anchor(layout: Layout, node: int, anchor: int) -> bool:
    return anchor >= 0 and (layout.holds(node, anchor) or layout.holds(anchor, node))


def _may_tell_floor(text: str) -> bool:
    """Say whether a short text has what each has that tells a floor: a digit, or a word for one of the first."""
    for char in text:
        if char.isdecimal():
            return True
    return text in _FLOOR_WORDS


@lru_cache(maxsize=10_000)  # the same buttons and titles come again on every post
def _answered(text: str) -> str | None:
    """Return whom a short text says that its post answers."""
    match = _REPLY.match(text)
    return match[1].strip() if match else None


@lru_cache(maxsize=10_000)
def _floor(text: str, is_position: bool) -> tuple[int, int] | None:
    """Return the floor number that a short text tells, and how surely it does."""
    if text in _FLOOR_WORDS:
        return 2, _FLOOR_WORDS[text]
    match = _FLOOR.match(text)
    if match is None:
        return None
    if is_position or _FLOOR_MARKED.match(text):
        return 3, int(match[1])
    return None


def _id_of(layout: Layout, record: Record, bodies: list[int]) -> str | None:
    """Return the number that the record's elements are known by, those of its outermost elements first."""
    for node in range(record.start, min(record.end, record.start + LOOK)):
        told = layout.attributes[node]
        own = _id_told(told, node == record.start) if told else None
        if own is not None:
            return own
    for node in bodies:
        told = layout.attributes[node]
        own = _id_told(told, node == record.start) if told else None
        if own is not None:
            return own
    return None


def _id_told(told: Mapping[str, str], is_outermost: bool) -> str | None:
    """Return the number that attributes tell; ids and names of inner elements must speak of posts."""
    for name in () if _IDS.isdisjoint(told) else ID_NAMES:
        value = told.get(name)
        if not value:
            continue
        is_own = is_outermost or name not in ("id", "name")
        if (is_own or _ID_WORD.search(value)) and (match := _ID.match(value)):
            return match[1]
    return None


def _id_in(permalink: str | None) -> str | None:
    """Return the number that a post's link to itself ends with, where a word says that it is the post's."""
    match = _ID_IN_LINK.search(permalink) if permalink else None
    return match[1] if match else None
