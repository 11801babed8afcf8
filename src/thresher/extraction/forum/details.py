"""Details of a post that its markup tells: floor number, id and permalink, and which post it answers."""

import re
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache

from thresher.extraction.blocks import absolute
from thresher.extraction.forum.layout import ID_NAMES, Layout
from thresher.extraction.forum.naming import IS_LINK
from thresher.extraction.forum.records import Record
from thresher.extraction.forum.words import ACTION, NO_NAME

LOOK = 40  # elements of a record whose ids are looked at
MAX_TEXT = 80  # characters of an element that are read
MAX_FLOOR_TEXT = 14  # characters of an element that tells a floor
LONG_ID = 3  # digits of a number that is that of a post wherever it stands in a link; shorter ones may be floors
_FLOOR = re.compile(r"^(?:#|№|no\.? ?|post ?#?|第)?\s?(\d{1,6})\s?(?:#|楼|樓|层|層|f|L|\.)?$", re.IGNORECASE)
_FLOOR_MARKED = re.compile(r"^(?:#\s?\d|№|第?\s?\d+\s?[楼樓层層#]|post ?#?\s?\d)", re.IGNORECASE)
_FLOOR_WORDS = {"楼主": 1, "樓主": 1, "沙发": 2, "沙發": 2, "板凳": 3, "地板": 4}
_ID = re.compile(r"^(?:js-|entry-|elcomment_|comment-?|tid)?[a-z_:-]{0,24}?[-_]?(\d{1,12})$", re.IGNORECASE)
_ID_WORD = re.compile(r"post|pid|msg|message|comment|^p\d|reply|entry|floor|answer|^c\d|^\d+$", re.IGNORECASE)
_PAGE_AND_REST = re.compile(r"([^?#\s]+)(\?[^#\s]+(?:#\S+)?|#\S+)")
# Shorter numbers, and those without a word, may be floors, which begin anew on every page.
_ID_IN_LINK = re.compile(r"#(?:p|pid|post|msg|message|comment|reply|entry)[-_]?(\d{3,12})$", re.IGNORECASE)
_IDS = frozenset(ID_NAMES)
_NUMBER_AT_END = re.compile(r"\D{0,24}(\d+)")
_NUMBERED = re.compile(r"\d[/\w-]*$|[?&;]\w*id=\w")
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

    __slots__ = ("floor", "id", "permalink", "reply_to", "target")

    def __init__(self, floor: int | None, own: str | None, permalink: str | None, reply_to: str | None) -> None:
        self.floor = floor
        self.id = own
        self.permalink = permalink
        self.reply_to = reply_to
        self.target: str | None = None  # the fragment that leads to it on its page


def read_details(layout: Layout, record: Record, bodies: list[int], anchor: int) -> Details:
    """Return the details of a record, found outside of its text; `anchor` is the element that tells its time, or -1.

    The permalink is as the page writes it.
    """
    own, target = _id_of(layout, record, bodies)
    floor, reply_to, links = _read(layout, record, bodies, anchor, own or "")
    if own is not None and len(own) >= LONG_ID and floor == int(own):
        floor = None
    permalink = _best_link(links, own, floor)
    details = Details(floor, own or _id_in(permalink), permalink, reply_to)
    details.target = target
    return details


def with_own_links(details: list[Details], *, url: str | None, base_url: str | None) -> list[Details]:
    """Make permalinks absolute; a link that several posts share leads to none of them, unless it holds their number.

    A post without one has its place on the page, where the markup gives it a name.
    """
    counts = Counter(each.permalink for each in details)
    for each in details:
        if counts[each.permalink] > 1 and not _holds_number(each.permalink or "", each.id):
            each.permalink = None
        each.permalink = _absolute(each.permalink, base_url)
        if each.permalink is None and each.target and url:
            each.permalink = f"{url.partition('#')[0]}#{each.target}"
    return details


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


def _read(
    layout: Layout, record: Record, bodies: list[int], anchor: int, own: str
) -> tuple[int | None, str | None, list[tuple[str, bool]]]:
    """Return floor, whom a record answers, and links that may lead to it, with whether they hold its time."""
    best: tuple[int, int] | None = None  # how sure, and the number
    reply_to = None
    links: list[tuple[str, bool]] = []
    number = own if len(own) >= LONG_ID else ""
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
            if href:
                is_timed = _holds_anchor(layout, node, anchor)
                if is_timed or (number and number in href) or _leads_to_post(href):
                    links.append((href, is_timed))
    return best[1] if best else None, reply_to, links


def _best_link(links: list[tuple[str, bool]], own: str | None, floor: int | None) -> str | None:
    """Return the link that leads to a post: best one with its number, then one around its time; None where none does.

    A number that the markup gives the post decides: a link with another one leads to another post.
    """
    best, best_rank = None, 0
    for href, is_timed in links:
        rank = 2 * _rank(href, own, floor, is_timed)
        if rank and is_timed:
            rank += 1
        if rank > best_rank and not ACTION.search(href):
            best, best_rank = href, rank
    return best


def _rank(href: str, own: str | None, floor: int | None, is_timed: bool) -> int:
    path, _, fragment = href.partition("#")
    ends_with_number = _NUMBER_AT_END.fullmatch(fragment)
    if own is not None and len(own) >= LONG_ID:
        if ends_with_number and ends_with_number[1] == own:
            return 4
        if _holds_number(path, own):
            return 3
    elif _LINK.search(href):
        return 3 if ends_with_number else 2
    if is_timed and (fragment or _NUMBERED.search(href)):
        return 1
    return int(floor is not None and _holds_number(href, str(floor)) and _LINK.search(href) is not None)


def _holds_number(text: str, number: str | None) -> bool:
    """Say whether a text holds a number, and not only as a part of a longer one."""
    place = text.find(number) if number else -1
    while place >= 0 and number:
        end = place + len(number)
        if not text[place - 1 : place].isdigit() and not text[end : end + 1].isdigit():
            return True
        place = text.find(number, place + 1)
    return False


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
    name = match[1].strip() if match else ""
    return name if name and not NO_NAME.match(name) else None  # "Reply, Report" are two buttons


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


def _id_of(layout: Layout, record: Record, bodies: list[int]) -> tuple[str | None, str | None]:
    """Return the number that the record's elements are known by, those of its outermost elements first, and its target.

    The target is the name under which a link reaches such an element; None where the number is no part of one.
    """
    for node in range(record.start, min(record.end, record.start + LOOK)):
        told = layout.attributes[node]
        own = _id_told(told, node == record.start) if told else None
        if own is not None:
            return own, _target(told, own, layout.marks[node])
    for node in bodies:
        told = layout.attributes[node]
        own = _id_told(told, node == record.start) if told else None
        if own is not None:
            return own, _target(told, own, layout.marks[node])
    return None, None


def _target(told: Mapping[str, str], own: str, mark: int) -> str | None:
    """Return the name of an element with this number that a link may lead to: its id, or the name of an <a>."""
    for value in (told.get("id"), told.get("name") if mark & IS_LINK else None):
        if value and _holds_number(value, own) and not value.split()[1:]:
            return value
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
