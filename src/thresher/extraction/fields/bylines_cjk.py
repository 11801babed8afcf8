"""Bylines in Chinese text: "作者：王小明", "（记者 王小明）", "王小明／台北報導"; Japanese and Korean ones."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from thresher.extraction.fields.bylines_ja_ko import find_japanese, find_korean, written_in
from thresher.extraction.fields.found import Named
from thresher.extraction.fields.names import is_surely_chinese_name, is_surely_person, names_an_office
from thresher.extraction.fields.names_cjk import after_label, people, reporters, signed_name
from thresher.extraction.fields.near import Near
from thresher.extraction.fields.reporters_cjk import (
    CALLED_REPORTER,
    DID,
    HEAD,
    MAX_ALONE,
    MAX_BEFORE,
    PLACED,
    TAIL,
    find_reporters,
)
from thresher.extraction.fields.sieve import sieve
from thresher.extraction.fields.signatures_cjk import CAPTION, OF_WHERE, find_bracketed
from thresher.extraction.fields.zones_cjk import Zone

LABELLED = "byline, labelled"
AFTER = 12  # lines below the title in which a day may stand inside a byline
MAX_LINE = 200  # characters of a line that holds a labelled name

# What a line must hold to say who wrote the page: a label (of 作者 both characters), a colon behind a lesser one, a
# word or mark with which one signs, and a report (of 记者 both characters) or brackets with an office or a wire.
LABEL, AUTHOR, COLON, SIGNED, REPORT, REPORTER, PEN, OPENING, OFFICE = 1, 2 | 4, 8, 16, 32, 4 | 64, 128, 256, 512
REPORTING = REPORT | REPORTER | OPENING
COMMON = 1024  # in labels, but in other words more often
MARKS: dict[str, int] = {}
for _bit, _characters in (
    (LABEL, "撰笔筆"),
    (COMMON, "写寫访訪著信採"),
    (2, "作"),
    (4, "者"),
    (64, "记記"),
    (COLON, ":：﹕∶︰/／|｜丨=＝"),
    (SIGNED, "者稿员員生译譯家笔筆文□■◎○●◆◇★☆▲△※·•‧・报報自译撰整采BbPpWw"),
    (REPORT, "報"),
    (PEN, "文"),
    (OPENING, "（(【["),
    (OFFICE, "者稿员員译譯家电電讯訊报"),
):
    for _character in _characters:
        MARKS[_character] = MARKS.get(_character, 0) | _bit

# A day and its time, which may stand anywhere in the line of a byline.
_WHEN = re.compile(
    r"(?:19|20)\d\d\s?[-/.年]\s?\d{1,2}\s?[-/.月]\s?\d{1,2}\s?日?"
    r"(?:\s*(?:星期|周|週)?[一二三四五六日天]?\s*\d{1,2}\s?[:：时時]\s?\d{2}(?:\s?[:：分]\s?\d{2})?[分秒]?)?"
)
_LABEL = re.compile(
    r"(?:作\s{0,4}者(?:简介|介绍)?|撰\s?文[者人]?|撰\s?稿人?|撰写|采\s?写|採訪|执笔人?|執筆人?|文字|主笔|著者|发信人)\s?(?:[:：﹕∶︰/／|｜丨】\]］〗」>·•=＝—－-]|$)"
    r"|(?:^|[\s（(□■◎●。！？”])(?:[图圖]?文\s?(?:[/／|、‧・]?\s?[图圖摄攝])?|采访)\s?[:：﹕/／|｜丨・·=＝]"
    r"|(?:^|[（(□■◎●])文(?:[/／|、]?\s?[图圖摄攝])?\s"
)
_LOOSE = re.compile(
    r"(?:^|[\s（(□■◎●])(?:撰文|撰稿|采写|执笔|采访|图/?文|文/?图|(?:摄影/)?文字)[\s\u3000](?=\S)"
)  # 撰文 王小明 摄影 李四
_IN_CAPTION = re.compile("[图摄攝]")
_IN_PEN = re.compile("[文□■◎○●◆◇★☆▲△※·•‧・]")
_IN_REPORTER = re.compile("[者稿员員译譯家笔筆生]")
_BEFORE_PEN = " \u3000\xa0\t（(□■◎●图圖撰。！？”"
_IN_PLACED = re.compile("[报報自译譯撰整采编稿]")
_LESSER = re.compile(
    r"(?:供\s?稿人?|通讯员|通訊員|署名|编译|編譯|译者|譯者|翻译|翻譯|整理|采编|编写|主持人?|拟稿|录入|文案|信息员|(?:信息|稿件)提供[者人]?|笔者|筆者|"
    r"采访[者人]|记录(?:者|人|整理)?|主讲(?:人|嘉宾)?|演讲[者人]|讲述|执行|"
    r"(^(?i:text|author|writer)|(?:^|[\s|｜])[译譯]|原著|[发發][布佈表帖贴言][者人]|(?:^|[\s|｜])[发發张張][布佈表帖贴貼]|[张張][贴貼][者人]|提交[者人]|发稿|"
    r"楼主|樓主|博主|贴主|版主|送交者|投稿[人者]?|上传者?|原作|昵称|用户名?|网名))\s?[:：﹕/／|｜丨=＝]"
)
_BARE_LABEL = re.compile(r"(?:^|[》|｜，,\s（(【]|本文)作者[ \u3000\xa0]?(?![:：/|])")
_CALLED_AUTHOR = re.compile(
    r"(?:^[\u4e00-\u9fff]{0,4}|[，,|｜]\s?)作者[ \u3000\xa0]+(\S{2,4})$|^[（(](?:本文)?作者(\S{2,4}?)[系为為是，]"
)
_EDGES = " \u3000\xa0\t■□◎●★☆▲◆○【】（）()[]—-–"
_ENDS = re.compile("[（(]([^（()）]{2,30})[)）]$|^[【\\[]([^【】\\[\\]]{2,12})[】\\]]$")
_BY_PEN = re.compile(
    r"^(?:[□■◎○●◆◇★☆▲△※]\s*([^（(]{2,24})(?:[（(][^（()）]{4,24}[)）])?|[·•‧・]\s?([\u4e00-\u9fff]{2,4})\s?[·•‧・])$"
    r"|^[□■◎]?\s*(?:\S{2,10}[报網网刊社台報]\s)?(\S.{1,23}?)(?:\s?[/／|｜丨]\s?|\s)文(?:[/／、]?[图摄])?(?:\s\S{2,10}[/／|｜丨\s][图圖摄攝])?$"
)
_PEN_AND_PICTURE = re.compile(r"^(\S.{1,23}?)\s?文\s?[/／、]\s?[图圖摄攝]\S?$")  # 王小明 李四文/图
_PEN_MARKS = re.compile("[□■◎○●◆◇★☆▲△※]")
_LATIN_BY = re.compile(r"^(?:[Pp]osted |[Ww]ritten )?[Bb][Yy](?:[:：\s]\s*|(?=[\u4e00-\u9fff]))(\S.{1,19})$")
_OF_OFFICE = re.compile(
    "作者(?:系|为|是).{2,20}?(?:教授|研究员|院长|所长|主任|律师|博士|学者|专家)([\u4e00-\u9fff]{2,4})[)）]?$"
    r"|作者(?:系|为|為|是)[^，。]{2,20}\s([\u4e00-\u9fff]{2,4})[)）]?$"
)


def find_cjk_bylines(near: Near, zone: Zone) -> Iterator[Named]:
    """Yield where the page says that names are those of authors, how sure that is, and the names; the surest first."""
    language = written_in(near.texts)
    if language:
        yield from find_japanese(near, zone.lines) if language == "ja" else find_korean(near, zone.lines)
        return
    head = zone.lines[:AFTER]
    timeless = [_WHEN.sub("\u3000", line) for line in head]
    dated = (line for line, plain in zip(head, timeless, strict=True) if line is not plain and line != plain)
    yield from _bylines((*timeless, *dated, *zone.lines[AFTER:]))
    yield from find_bracketed((*zone.lines, near.title))


def find_bylines_above(near: Near) -> Iterator[Named]:
    """Yield the only names that lines right above the title say to be the author's."""
    lesser: list[Named] = []
    labelled = _labelled(near.before, sieve(near.before, MARKS), lesser)
    told = {names for _, _, names in chain(labelled, lesser)}
    if len(told) == 1:
        yield f"{LABELLED}, above the title", 0.45, told.pop()


def _bylines(lines: Sequence[str]) -> Iterator[Named]:
    marks = sieve(lines, MARKS)
    lesser: list[Named] = []
    yield from _labelled(lines, marks, lesser)
    yield from _alone(
        (place, line)
        for place, (line, mark) in enumerate(zip(lines, marks, strict=True))
        if mark & SIGNED and len(line) <= MAX_ALONE
    )
    yield from find_reporters(
        [line for line, mark in zip(lines, marks, strict=True) if mark & REPORTING and _may_report(mark)]
    )
    yield from lesser


def _may_report(mark: int) -> bool:
    return bool(mark & REPORT or mark & REPORTER == REPORTER or (mark & OPENING and mark & OFFICE))


def _may_be_labelled(mark: int, line: str) -> bool:
    if (
        mark & LABEL
        or mark & AUTHOR == AUTHOR
        or (mark & COMMON and (mark & COLON or " " in line or line[-1:] in "写寫"))
    ):
        return True
    return bool(mark & PEN) and _has_pen(line)


def _has_pen(line: str) -> bool:
    """Say whether 文 stands at the beginning of a word, as it does in a label, or in 文字."""
    place = line.find("文")
    while place > 0 and line[place - 1] not in _BEFORE_PEN and line[place + 1 : place + 2] != "字":
        place = line.find("文", place + 1)
    return place >= 0


def _labelled(lines: Iterable[str], marks: Iterable[int], lesser: list[Named]) -> Iterator[Named]:
    """Yield the names that follow a word for the author, in a line, or at the beginning or the end of a paragraph.

    Those who had a lesser hand in it are added to `lesser`.
    """
    wants_name = False  # the line above is a label and nothing else
    for line, mark in zip(lines, marks, strict=True):
        if not mark and not wants_name:
            continue
        may_tell = _may_be_labelled(mark, line)
        if not may_tell and not wants_name and not mark & COLON:
            continue
        if len(line) > MAX_LINE:
            line = f"{line[:HEAD]}。 {match[1] or match[2] if (match := _ENDS.search(line[-TAIL:])) else line[-TAIL:]}"
        if wants_name and len(line) <= MAX_ALONE and (names := after_label(line, pen_name=False)):
            yield LABELLED, 0.7, names
        match = _LABEL.search(line) if may_tell else None
        wants_name = match is not None and match.end() == len(line)
        if match and (names := after_label(line[match.end() :], pen_name=match[0].lstrip()[:1] not in "文采图")):
            yield LABELLED, 0.75, names
        elif may_tell and (names := _after_bare_label(line) or _after_loose_label(line)):
            yield LABELLED, 0.7, names
        elif mark & COLON and (match := _LESSER.search(line)):
            names = after_label(line[match.end() :], pen_name=match[1] is not None)
            if names and not names_an_office(names[0]):
                lesser.append((LABELLED, 0.6, names))


def _after_bare_label(line: str) -> tuple[str, ...]:
    if "作者" not in line:
        return ()
    if (match := _CALLED_AUTHOR.search(line)) and (name := signed_name(match[1] or match[2])):
        return (name,)
    match = _BARE_LABEL.search(line)
    if match is None:
        return ()
    if office := _OF_OFFICE.search(line):
        return people(office[1] or office[2], whole=True)
    return people(OF_WHERE.split(line[match.end() :])[0])


def _after_loose_label(line: str) -> tuple[str, ...]:
    match = _LOOSE.search(line) if len(line) <= MAX_ALONE else None
    return people(line[match.end() :]) if match else ()


def _alone(lines: Iterable[tuple[int, str]]) -> Iterator[Named]:
    """Yield those whom lines of their own, one below the other, call reporters, or that a pen's mark stands beside."""
    together: tuple[str, ...] = ()
    last = -2
    for place, line in lines:
        if not (names := _of_line(line)):
            continue
        if together and place > last + 1:
            yield "reporter, before the text", 0.7, together
            together = ()
        together, last = tuple(dict.fromkeys((*together, *names))), place
    if together:
        yield "reporter, before the text", 0.7, together


def _of_line(line: str) -> tuple[str, ...]:
    """Return whom a line calls reporters, or that a pen's mark stands beside."""
    if _IN_CAPTION.search(line) and CAPTION.search(line) and not (_BY_PEN.match(line) or _PEN_AND_PICTURE.match(line)):
        return ()
    if _IN_REPORTER.search(line) and (match := CALLED_REPORTER.search(line)) and match.start() <= MAX_BEFORE:
        rest = line[match.end() :].strip(_EDGES)
        if rest[:1] not in "，," and (names := reporters(rest)):
            return names
    if _IN_PEN.search(line) and (match := _BY_PEN.match(line)):
        return people(_PEN_MARKS.sub(" ", match[1]), whole=True) if match[1] else reporters(match[2] or match[3])
    if "文" in line and (match := _PEN_AND_PICTURE.match(line)):
        return people(match[1], whole=True)
    if _IN_PLACED.search(line) and (match := DID.match(line)):
        return reporters(match[1]) if match[1] else people(match[2], whole=True)
    if _IN_PLACED.search(line) and (match := PLACED.match(line)):
        names = people(match[1], whole=True)
        return names if any(map(is_surely_chinese_name, names)) else ()
    match = _LATIN_BY.match(line) if line[:1] in "BbPpWw" else None
    if match is None:
        return ()
    return (match[1],) if is_surely_person(match[1]) else reporters(match[1])
