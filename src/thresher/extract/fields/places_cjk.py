"""Places of names on Chinese, Japanese and Korean pages, as marks: how far from title, text and day, beside what."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from thresher.extract.fields.dates import has_digit
from thresher.extract.fields.near import Near
from thresher.extract.fields.segments_cjk import POSTER, REPORTER, SOURCE, WRITER, Segment
from thresher.extract.fields.zones_cjk import Zone

HEAD = 6  # lines above a text without a title that belong to it
SIGNING = (WRITER, REPORTER, POSTER)  # labels of those who may have written a page
_KINDS = {WRITER: "writer", REPORTER: "reporter", POSTER: "poster", SOURCE: "source", "D": "day", "": "none"}

# What boards tell below the name of whoever wrote a post, and portals of the owner of a blog.
_RANK = re.compile(
    r"^(?:等级|級別|级别|头衔|頭銜|军衔|积分|積分|发[帖贴]|[帖贴]子|文章|威望|注册|註冊|经验|金[币钱]|魅力|性别|来自|门派|精华|状态|"
    r"阅读权限|在线|UID|Rank|Posts|Joined)(?:时间|日期|数|时长)?(?:\s?[：:]|\s\d|\s\S{2}$)"
)
_RANK_STARTS = frozenset("等級级头頭军积積发帖贴文威注註经金魅性来门精状阅在URPJ")
_FACTS = re.compile(r"\d+\s?(?:主题|帖子|积分|粉丝|关注|文章)")
_GRADE = re.compile(
    r"^(?:(?:新手|论坛|[初中高]级|注册|金牌|普通)\S{1,3}|会员|版主|管理员|坛主|游客|(?:[A-Z]\w+ )?[Mm]ember|Newbie|"
    r"列兵|.{0,8}将军.{0,6})$"
)
MAX_TOLD = 200  # characters of a line that tells of a member, among other things
MAX_FACT = 30  # characters of a line that tells of a member
OVER = 4  # lines over these in which the name is


class Line(NamedTuple):
    """The segments of a line, or of a part of it, and what is known of them all."""

    place: int
    segments: Sequence[Segment]
    marks: tuple[str, ...] = ()
    days: frozenset[int] = frozenset()  # lines that hold a day or a time
    is_in_text: bool = False


def part_of(place: int, near: Near, zone: Zone) -> str:
    """Say in which part of the page a line is: above the title, in the head or the tail of the text, or inside it."""
    if zone.first is None or zone.last is None:
        return "no text"
    if place < zone.first:
        is_head = zone.first - place <= HEAD if near.place is None else place >= near.place
        return "head" if is_head else "above"
    return "tail" if place > zone.last else "inside"


def of_line(line: Line, near: Near, zone: Zone) -> Iterator[str]:
    """Yield what holds for all of a line: its distance from the title and the text, what is told below it."""
    place = line.place
    yield from line.marks
    yield _away("title", place - near.place) if near.place is not None else "no title"
    if zone.first is not None and place < zone.first:
        yield _away("text", place - zone.first)
    elif zone.last is not None and place > zone.last:
        yield _away("end", place - zone.last)
    yield part_of(place, near, zone)


@lru_cache(maxsize=1024)
def _away(what: str, lines: int) -> str:
    """Return a mark for how many lines something is away, in steps that grow."""
    if lines > 0:
        return f"{what} +{next((most for most in (1, 2, 4, 8) if lines <= most), 9)}"
    return f"{what} -{next((most for most in (0, 1, 2, 4) if -lines <= most), 9)}"


def of_segment(segment: Segment, number: int, line: Line, part: str) -> Iterator[str]:
    """Yield how a segment stands on its line: its label, what is behind it, how many others there are, the day."""
    label, count = segment.label, len(line.segments)
    yield f"label {_KINDS.get(label, 'other')}"
    if label in SIGNING:
        yield "labelled"
        yield f"label {_KINDS[label]}, {'colon' if segment.has_colon else 'plain'}"
    if segment.is_further:
        yield "further"
    yield from (f"behind it {told}" for told in segment.behind)
    if segment.is_in_brackets:
        yield "in brackets"
    if not label:
        yield f"bare, {part}"
        yield from _of_day(segment, line)
    if count == 1:
        yield from ("of 1",) if label else ("alone", f"alone, {part}")
    else:
        yield from _among(number, count)


def _among(number: int, count: int) -> Iterator[str]:
    yield f"of {next((most for most in (2, 4) if count <= most), 9)}"
    if not number:
        yield "first"
    if number + 1 == count:
        yield "last"


def _of_day(segment: Segment, line: Line) -> Iterator[str]:
    right_behind, right_before = segment.is_next_to_day
    if segment.has_day_after:
        yield "right before the day" if right_before else "before the day"
    if segment.has_day_before:
        yield "right behind the day" if right_behind else "behind the day"
    if not segment.has_day_before and not segment.has_day_after:
        place, days = line.place, line.days
        if place + 1 in days:
            yield "above the day"
        elif place - 1 in days:
            yield "below the day"
        else:
            yield "near the day" if not days.isdisjoint((place - 3, place - 2, place + 2, place + 3)) else "no day"


def find_facts(texts: Sequence[str]) -> int | None:
    """Return the place of the first lines that tell of a member, as boards do; None where there are none."""
    for place in [place for place, text in enumerate(texts) if text[:1] in _RANK_STARTS]:
        if _RANK.match(texts[place]) and any(map(_is_rank, texts[place + 1 : place + 3])):
            return place
    return None


def over_facts(texts: Sequence[str], places: Iterable[int]) -> dict[int, tuple[str, ...]]:
    """Return for places what is told of a member on the lines below, where something is."""
    told: dict[int, tuple[str, ...]] = {}
    wanted = frozenset(places)
    for below in {place + away for place in wanted for away in range(1, OVER) if place + away < len(texts)}:
        if _is_fact(texts[below]):
            for place in range(below - OVER + 1, below):
                told[place] = ("over facts",)
    for place in wanted:
        if place + 1 < len(texts) and is_grade(texts[place + 1]):
            told[place] = (*told.get(place, ()), "over a grade")
    return told


def is_grade(text: str) -> bool:
    """Say whether a line is but the grade of a member."""
    return len(text) <= MAX_FACT and _GRADE.match(text) is not None


def _is_rank(text: str) -> bool:
    return text[:1] in _RANK_STARTS and _RANK.match(text) is not None


def _is_fact(text: str) -> bool:
    return _is_rank(text) or (
        len(text) <= MAX_TOLD and has_digit(text) and _FACTS.search(text, 0, MAX_FACT) is not None
    )
