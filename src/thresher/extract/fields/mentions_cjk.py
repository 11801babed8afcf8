"""Mentions: every short text of a Chinese page that may name its authors, with marks that tell of its place."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from thresher.extract.fields.mentions import Mention
from thresher.extract.fields.names import is_chinese_name, names_an_office
from thresher.extract.fields.names_cjk import PLACES
from thresher.extract.fields.near import Near
from thresher.extract.fields.places_cjk import OVER, SIGNING, Line, find_facts, of_line, of_segment, over_facts, part_of
from thresher.extract.fields.segments_cjk import (
    EDITOR,
    OTHER,
    POSTER,
    REPORTER,
    SOURCE,
    WRITER,
    Segment,
    read_segments,
    tells_office,
)
from thresher.extract.fields.words_cjk import NO_NAMES
from thresher.extract.fields.zones_cjk import MIN_PARAGRAPH, Zone, begins_else

MAX_READ = 80  # characters of a line that is read
MAX_COMMAS = 2  # of a line that is no paragraph
MAX_BESIDE = 60  # characters on the line of the title, besides it
MAX_NAME = 16  # characters
MAX_HAN = 7  # Chinese characters of a name
ABOVE, BELOW = 4, 5  # lines above the title and below the text that are read
ABOVE_TEXT = 8  # lines above a text without a title
LEAD = 2  # lines below the first paragraph that may name the author
TOP = 20  # lines that are read of a page without a text
TAIL = 60  # characters at the end of a paragraph in which brackets may be
MAX_LISTED = 6  # segments in such brackets
MAX_TITLE_PART = 30  # characters of a part of <title> that may say whose page it is
FIRST = 2  # lines of a page that may say whose it is

_HAN = re.compile("[\u4e00-\u9fff]+")
_MAYBE_NAME = re.compile("[\u4e00-\u9fff]{2,4}")
_ABROAD = re.compile("[\u4e00-\u9fff]{1,8}(?:[·•‧・][A-Z\u4e00-\u9fff]{1,8})+")
_NO_NAME = re.compile("[的了是在我你他她们們吗呢不把被就也都到这這那]")
_NO_BEGINNING = re.compile("图|本[报刊网文站]|据|新华社|第.{1,3}[章节回期]")
_NO_LABEL = (EDITOR, OTHER, "G", "T")  # behind these are names of others
_NO_NAMES_LABEL = ("N", "K")  # behind these and a colon is no name
_OF_OTHERS = ("photo", "polite", "translated")  # what stands behind names of others
_POLITE = ("小姐", "女士", "先生")
_IN_BRACKETS = re.compile(r"[（(【\[]([^（()）【】\[\]。]{2,40})[)）】\]]\W?$")
_BEHIND_TEXT = re.compile(r"[。！？”…][ \u3000\xa0]*[-—]*\s?(\S{2,16})$")
_TITLE_PARTS = re.compile(r"\s[-|｜—–]+\s|[_|｜—–]+|(?<=[^A-Za-z])-|-(?=[^A-Za-z])")
_OWNED = re.compile("博客|[Bb][Ll][Oo][Gg]|[专專][栏欄]|空间|文集|主页|日志|网志|部落格")
_WRITING = (WRITER, REPORTER)


class Scene(NamedTuple):
    """A page on which names are looked for: and the lines that may hold some."""

    near: Near
    zone: Zone
    page_title: str  # what <title> says
    lines: Sequence[Line]


def look_at(near: Near, zone: Zone, page_title: str) -> Scene:
    """Read the lines of a page that may name its authors."""
    read = {place: read_segments(near.texts[place]) for place in _places(near, zone)}
    days = frozenset(place for place, (_, has_day) in read.items() if has_day)
    return Scene(near, zone, page_title, list(_lines(near, zone, read, days)))


def find_cjk_mentions(scene: Scene) -> Iterator[Mention]:
    """Yield all that may be names near the title and the text, in <title>, and at the ends of paragraphs."""
    for line in scene.lines:
        yield from _in_line(line, scene)
    yield from _in_page_title(scene)
    for line in _ends_of_paragraphs(scene):
        yield from _in_line(line, scene)


def _places(near: Near, zone: Zone) -> list[int]:
    """Return the places of the lines that are read: near the title, around the text, over facts of a member."""
    texts, title = near.texts, near.place
    if zone.first is None or zone.last is None:
        start = max(0, (title or 0) - ABOVE)
        places = {*range(start, start + TOP)}
    else:
        start = max(0, title - ABOVE) if title is not None and zone.is_below_title else max(0, zone.first - ABOVE_TEXT)
        places = {*range(start, zone.first + LEAD + 1), *range(zone.last + 1, zone.last + BELOW + 1)}
    if (facts := find_facts(texts)) is not None:
        places |= {*range(max(0, facts - OVER), facts)}
    return sorted(place for place in places if place < len(texts) and _may_hold_names(texts[place]))


def _may_hold_names(line: str) -> bool:
    return len(line) <= MIN_PARAGRAPH or (len(line) <= MAX_READ and "。" not in line and line.count("，") < MAX_COMMAS)


def _lines(near: Near, zone: Zone, read: dict[int, tuple[list[Segment], bool]], days: frozenset[int]) -> Iterator[Line]:
    is_else = False
    facts = over_facts(near.texts, read)
    for place, (segments, _) in read.items():
        text = near.texts[place]
        is_else = is_else or (zone.last is not None and place > zone.last and begins_else(text))
        if place == near.place and near.title:
            rest = text.replace(near.title, " ").strip()
            segments = read_segments(rest)[0] if rest and len(rest) <= MAX_BESIDE else []
        marks = facts.get(place, ())
        yield Line(place, segments, (*marks, "behind another part") if is_else else marks, days)


def _ends_of_paragraphs(scene: Scene) -> Iterator[Line]:
    """Yield what stands in brackets at the ends of paragraphs, and behind the last stop of the last ones."""
    texts, first, last = scene.near.texts, scene.zone.first, scene.zone.last
    if first is None or last is None:
        return
    for place in range(first, min(last + 1, len(texts))):
        text = texts[place]
        if len(text) <= MIN_PARAGRAPH:
            continue
        where = "last" if place == last else "first" if place == first else "between"
        for part, what in _ends(text, is_late=place >= last - 1):
            segments, _ = read_segments(part)
            if len(segments) <= MAX_LISTED:
                yield Line(place, segments, (what, f"{what}, {where}"), is_in_text=True)


def _ends(text: str, *, is_late: bool) -> Iterator[tuple[str, str]]:
    if text[-1] in ")）】]" and (match := _IN_BRACKETS.search(text[-TAIL:])):
        yield match[1], "brackets at the end"
    if is_late and (match := _BEHIND_TEXT.search(text[-TAIL // 2 :])):
        yield match[1], "behind the last stop"


def _in_line(line: Line, scene: Scene) -> Iterator[Mention]:
    """Yield each segment of a line that may be a name, and runs of them."""
    may_name = [_may_name(each, is_in_text=line.is_in_text) for each in line.segments]
    if not any(may_name):
        return
    part = part_of(line.place, scene.near, scene.zone)
    marks = ("line", *of_line(line, scene.near, scene.zone))
    for number, segment in enumerate(line.segments):
        if may_name[number]:
            found = (*marks, *of_segment(segment, number, line, part))
            if segment.uncut:
                yield Mention((segment.uncut,), _source(segment, part), (*found, "uncut"))
            yield Mention((segment.text,), _source(segment, part), found)
    for start, names in _runs(line.segments, may_name) if sum(may_name) > 1 else ():
        found = (*marks, *of_segment(line.segments[start], start, line, part))
        yield Mention(names, _source(line.segments[start], part), (*found, "run"))


def _may_name(segment: Segment, *, is_in_text: bool) -> bool:
    """Say whether a segment can be the name of somebody who wrote the page."""
    text, label = segment.text, segment.label
    if not 2 <= len(text) <= MAX_NAME or label in _NO_LABEL or (label in _NO_NAMES_LABEL and segment.has_colon):
        return False
    if segment.behind and not segment.behind.isdisjoint(_OF_OTHERS):
        return False
    if not label and "，" in segment.before:  # in a sentence
        return False
    if is_word(text) or _NO_BEGINNING.match(text) or text.endswith(_POLITE):
        return False
    if label == SOURCE and not is_chinese_name(text):
        return False
    if len(text) > MAX_HAN and _HAN.fullmatch(text):
        return False
    return (label in (WRITER, POSTER) and not is_in_text) or not (names_an_office(text) or tells_office(text))


def is_word(text: str) -> bool:
    """Say whether a text is a word of sites or a place."""
    if text in NO_NAMES or text.lower() in NO_NAMES:
        return True
    return text in PLACES or (text[:2] in PLACES and text[2:] in PLACES)


def _runs(segments: Sequence[Segment], may_name: Sequence[bool]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield two or more names one behind the other, under one label or labels of writers and reporters."""
    start, names = 0, []  # type: tuple[int, list[str]]
    for number, segment in enumerate(segments):
        is_name = may_name[number] and _is_listed(segment)
        if not (is_name and names and _goes_on(segments[number - 1], segment)):
            if len(names) > 1:
                yield start, tuple(names)
            start, names = number, []
        if is_name:
            names.append(segment.text)
    if len(names) > 1:
        yield start, tuple(names)


def _is_listed(segment: Segment) -> bool:
    if _is_like_name(segment.text):
        return True
    if segment.label not in _WRITING or not _MAYBE_NAME.fullmatch(segment.text):
        return False
    return not _NO_NAME.search(segment.text) and not names_an_office(segment.text)


def _goes_on(before: Segment, segment: Segment) -> bool:
    if any(mark in segment.before for mark in "。！？)）】]"):
        return False
    return before.label == segment.label or (before.label in _WRITING and segment.label in _WRITING)


def _is_like_name(text: str) -> bool:
    return is_chinese_name(text) or _ABROAD.fullmatch(text) is not None


def _in_page_title(scene: Scene) -> Iterator[Mention]:
    """Yield whose blog or column <title> or the top of the page says it is in."""
    for part in (*_TITLE_PARTS.split(scene.page_title)[1:], *scene.near.texts[:FIRST]):
        if len(part) > MAX_TITLE_PART or not _OWNED.search(part) or part in scene.near.title:
            continue
        for segment in read_segments(part)[0]:
            if "blog" in segment.behind and _may_name(segment, is_in_text=False):
                yield Mention((segment.text,), "owner of the blog", ("in <title>",))


def _source(segment: Segment, part: str) -> str:
    """Say where a name was found."""
    if segment.label in SIGNING:
        return "byline, labelled"
    if segment.has_day_before or segment.has_day_after:
        return "name beside the date"
    return "signed, after the text" if part in ("tail", "inside") else "name beside the title"
