"""Details of a post that its markup tells: floor number, id and permalink, and which post it answers."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from thresher.extract.blocks import absolute
from thresher.extract.forum.layout import Layout
from thresher.extract.forum.records import Record

LOOK = 40  # elements of a record whose ids are looked at
MAX_FLOOR_TEXT = 14  # characters of an element that tells a floor
_FLOOR = re.compile(r"^(?:#|№|no\.? ?|post ?#?|第)?\s?(\d{1,6})\s?(?:#|楼|樓|层|層|f|L|\.)?$", re.IGNORECASE)
_FLOOR_MARKED = re.compile(r"^(?:#\s?\d|№|第?\s?\d+\s?[楼樓层層#]|post ?#?\s?\d)", re.IGNORECASE)
_FLOOR_WORDS = {"楼主": 1, "樓主": 1, "沙发": 2, "沙發": 2, "板凳": 3, "地板": 4}
_ID = re.compile(r"^(?:js-|entry-|elcomment_|comment-?|tid)?[a-z_:-]{0,24}?[-_]?(\d{1,12})$", re.IGNORECASE)
_ID_WORD = re.compile(r"post|pid|msg|message|comment|^p\d|reply|entry|floor|answer|^c\d|^\d+$", re.IGNORECASE)
_ID_NAMES = (
    "id",
    "name",
    "data-pid",
    "data-post-id",
    "data-postid",
    "data-id",
    "data-comment-id",
    "data-cid",
    "data-mid",
)
_LINK = re.compile(
    r"#\D{0,16}\d+$|[?&;](?:p|pid|postid|post|msg|comment)=\d+|/posts?[-/]\d+|findpost|/p/?\d+|/\d+/\d+$|permalink",
    re.IGNORECASE,
)
_REPLY = re.compile(
    r"^(?:in (?:reply|response) to|replying to|@|回复|回覆|en réponse à|als antwort auf|antwort auf|en respuesta a)"
    r"\s?[:：@]?\s?(\S.{0,40}?)[:：]?$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Details:
    """What a record tells of itself; None for what it does not."""

    floor: int | None = None
    id: str | None = None
    permalink: str | None = None
    reply_to: str | None = None


def read_details(
    layout: Layout, record: Record, bodies: Sequence[int], stamps: Sequence[int], *, base_url: str | None
) -> Details:
    """Return the details of a record, found outside of its text."""
    floors: list[tuple[int, int]] = []  # how sure, and the number
    permalink = reply_to = None
    node = record.start
    while node < record.end:
        if node in bodies:
            node = layout.ends[node]
            continue
        element = layout.elements[node]
        if layout.ends[node] - node <= 3 and layout.last_line[node] - layout.first_line[node] == 1:
            text = layout.short_text(node)[:80]
            if (
                text
                and len(text) <= MAX_FLOOR_TEXT
                and node not in stamps
                and (floor := _floor(text, element.get("itemprop") or ""))
            ):
                floors.append(floor)
            if reply_to is None and (match := _REPLY.match(text)):
                reply_to = match[1].strip()
        href = element.get("href") if element.tag == "a" else None
        if href and _LINK.search(href) and (permalink is None or _holds_stamp(layout, node, stamps)):
            permalink = href
        node += 1
    best = max(floors, default=None)
    return Details(best[1] if best else None, _id_of(layout, record, bodies), absolute(permalink, base_url), reply_to)


def with_answers(layout: Layout, records: Sequence[Record], details: Sequence[Details]) -> list[Details]:
    """Let records that lie in others answer them, where they tell nothing else."""
    found: list[Details] = []
    around: list[int] = []  # records that hold the one at hand, the innermost last
    for number, record in enumerate(records):
        while around and layout.ends[records[around[-1]].start] <= record.start:
            around.pop()
        own = details[number]
        outer = details[around[-1]].id if around else None
        found.append(replace(own, reply_to=outer) if outer and own.reply_to is None else own)
        around.append(number)
    return found


def _holds_stamp(layout: Layout, node: int, stamps: Sequence[int]) -> bool:
    return any(layout.holds(node, stamp) or layout.holds(stamp, node) for stamp in stamps)


def _floor(text: str, prop: str) -> tuple[int, int] | None:
    """Return the floor number that a short text tells, and how surely it does."""
    if text in _FLOOR_WORDS:
        return 2, _FLOOR_WORDS[text]
    match = _FLOOR.match(text)
    if match is None:
        return None
    if prop == "position" or _FLOOR_MARKED.match(text):
        return 3, int(match[1])
    return None


def _id_of(layout: Layout, record: Record, bodies: Sequence[int]) -> str | None:
    """Return the number that the record's elements are known by, those of its outermost elements first."""
    for node in (*range(record.start, min(record.end, record.start + LOOK)), *bodies):
        element = layout.elements[node]
        for name in _ID_NAMES:
            value = element.get(name)
            is_own = node == record.start or name not in ("id", "name")
            if value and (is_own or _ID_WORD.search(value)) and (match := _ID.match(value)):
                return match[1]
    return None
