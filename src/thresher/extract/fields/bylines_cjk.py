"""Bylines in Chinese text: "作者：王小明", "（记者 王小明）", "王小明／台北報導"; Japanese and Korean ones."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from thresher.extract.fields.bylines_ja_ko import find_japanese, find_korean, written_in
from thresher.extract.fields.found import Named
from thresher.extract.fields.names import is_surely_chinese_name, names_an_office
from thresher.extract.fields.names_cjk import after_label, people, reporters, signed_name
from thresher.extract.fields.near import Near
from thresher.extract.fields.sieve import sieve
from thresher.extract.fields.signatures_cjk import CAPTION, OF_WHERE, find_bracketed
from thresher.extract.fields.zones_cjk import Zone

LABELLED = "byline, labelled"
AFTER = 12  # lines below the title in which a day may stand inside a byline
MAX_LINE = 200  # characters of a line that holds a labelled name
MAX_ALONE = 60  # characters of a line that holds a byline and nothing else
HEAD, TAIL = 80, 60  # characters at the beginning and the end of a paragraph in which a reporter signs
NAME = 3  # characters of nearly all names
MAX_BEFORE = 18  # characters before the word for a reporter: the name of the paper, the place, the day

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
    (COLON, ":：﹕/／|｜丨=＝"),
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
    r"(?:作\s{0,4}者(?:简介|介绍)?|撰\s?文[者人]?|撰\s?稿人?|撰写|采\s?写|採訪|执笔人?|執筆人?|文字|主笔|著者|发信人)\s?(?:[:：﹕/／|｜丨】\]］〗」>·•=＝—-]|$)"
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
_OPENING = re.compile("[（(【\\[]")
_LESSER = re.compile(
    r"(?:供\s?稿人?|通讯员|通訊員|署名|编译|編譯|译者|譯者|翻译|翻譯|整理|采编|编写|主持人?|拟稿|录入|文案|信息员|"
    r"采访[者人]|记录(?:者|人|整理)?|主讲(?:人|嘉宾)?|演讲[者人]|讲述|执行|"
    r"(^(?i:text|author|writer)|原著|[发發][布佈表帖贴言][者人]|(?:^|[\s|｜])[发發张張][布佈表帖贴貼]|[张張][贴貼][者人]|提交[者人]|发稿|"
    r"楼主|樓主|博主|贴主|版主|送交者|投稿[人者]?|上传者?|原作|昵称|用户名?|网名))\s?[:：﹕/／|｜丨=＝]"
)
_BARE_LABEL = re.compile(r"(?:^|[》|｜，,\s（(【]|本文)作者[ \u3000\xa0]?(?![:：/|])")
_CALLED_AUTHOR = re.compile(
    r"(?:^[\u4e00-\u9fff]{0,4}|[，,|｜]\s?)作者[ \u3000\xa0]+(\S{2,4})$|^[（(](?:本文)?作者(\S{2,4}?)[系为為是，]"
)
_REPORTER = re.compile(
    "(?:[记記]者|[实實][习習]生|通讯员|通訊員|撰稿人?|评论员|評論員|特派[员員]|[编編][译譯]|专栏作[家者]|主[笔筆])"
    "[ \u3000\xa0:：|｜丨/／◎]*"
)
_EDGES = " \u3000\xa0\t■□◎●★☆▲◆○【】（）()[]—-–"
_BRACKETS = re.compile(r"([电電讯訊]?)\s?[（(【\[]([^（()）【】\[\]]{2,40})[）)】\]]")
_RUNNING = re.compile(
    r"(?:[报網网刊社台報]|[电讯電訊])\s?.{0,8}?[记記]者(.{2,24}?)(?:[报報][道导導]|發自|发自|[电電]|(?<!通)[讯訊])"
)
_PLACED = re.compile(
    r"^(.{2,20}?)[\s\u3000/／╱∕]\s?(?:\S{0,8}(?:报[道导]|報[導道])|[发發]自\S{2,8})$"
)  # 王小明 北京报道
_DID = re.compile(r"^([\u4e00-\u9fff]{2,4})[ \u3000/／]{1,3}(?:编?译|編?譯|整理|报道|報導|撰|采写|编著)$|^([\u4e00-\u9fff]{2,4})[ \u3000]?[供投]稿$")
_HEADED = re.compile(
    r"(?:^|[讯訊电電道】]|消息)[ \u3000\xa0:：]{0,3}(?:\S{2,5}[报网報網])?[记記]者\s?([\u4e00-\u9fff]{2,4}?)"
    r"(?:[报報][道导導])?[ \u3000\xa0，：:]"
)
_AT_END = re.compile(
    r"[。！？”…][ \u3000\xa0]*(?:[^\s，。]{0,8}[报報刊网網社台])?[^\s，。]{0,4}[记記]者\s?(\S[^，。：]{1,15})$"
)  # …受到欢迎。　本报记者　王小明
_TAIWAN = re.compile(
    r"(?:記者|特派員|編譯|中心)\s?([^／/╱∕，。：:]{2,20}?)\s?[／/╱∕]\s?(?:\S{2,8}?報[導道]|[专專][访訪])"
)
MAX_TAIWAN = 30  # characters before the reporter: the paper, its section
_INSIDE = re.compile(r"[（(][^（()）]{0,10}[记記]者[\s\u3000]?([^（()）摄攝，。]{2,20})[)）]")
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
    yield from _beside_text(
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
        return people(office[1], whole=True)
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
    if _IN_REPORTER.search(line) and (match := _REPORTER.search(line)) and match.start() <= MAX_BEFORE:
        rest = line[match.end() :].strip(_EDGES)
        if rest[:1] not in "，," and (names := reporters(rest)):
            return names
    if _IN_PEN.search(line) and (match := _BY_PEN.match(line)):
        return people(_PEN_MARKS.sub(" ", match[1]), whole=True) if match[1] else reporters(match[2] or match[3])
    if "文" in line and (match := _PEN_AND_PICTURE.match(line)):
        return people(match[1], whole=True)
    if _IN_PLACED.search(line) and (match := _DID.match(line)):
        return reporters(match[1]) if match[1] else people(match[2], whole=True)
    if _IN_PLACED.search(line) and (match := _PLACED.match(line)):
        names = people(match[1], whole=True)
        return names if any(map(is_surely_chinese_name, names)) else ()
    match = _LATIN_BY.match(line) if line[:1] in "BbPpWw" else None
    return reporters(match[1]) if match else ()


def _beside_text(lines: Iterable[str]) -> Iterator[Named]:
    """Yield those whom the beginning or the end of a paragraph calls reporters, then those whom brackets inside do."""
    later: list[tuple[str, ...]] = []
    for line in lines:
        for part in (line[:HEAD], line[-TAIL:]) if len(line) > HEAD else (line,):
            for wire, inside in _BRACKETS.findall(part) if _OPENING.search(part) else ():
                names = () if CAPTION.search(inside) else _in_brackets(inside, is_wire=bool(wire))
                if names:
                    yield "reporter, beside the text", 0.65, names
            if names := _running(part) or _at_end(part):
                yield "reporter, beside the text", 0.65, names
        if len(line) > HEAD and ("记者" in line or "記者" in line) and (match := _INSIDE.search(line, HEAD)):
            later.append(reporters(match[1]))
    yield from (("reporter, beside the text", 0.6, names) for names in later if names)


def _running(part: str) -> tuple[str, ...]:
    """Return the reporters whom a sentence names on its way: 本报记者王小明报道, 記者王小明／台北報導."""
    match = _TAIWAN.search(part[: MAX_TAIWAN + MAX_ALONE]) if "報" in part else None
    if match and match.start() <= MAX_TAIWAN and (names := reporters(match[1])):
        return names
    if "记者" in part or "記者" in part:
        match = _RUNNING.search(part)
        if match and (names := reporters(match[1])):
            return names
        match = _HEADED.search(part)
        return people(match[1], whole=True) if match else ()
    return ()


def _at_end(part: str) -> tuple[str, ...]:
    """Return the reporters who sign behind the last sentence of a paragraph, without brackets."""
    match = _AT_END.search(part) if part[-1:] not in "。！？）)摄攝图圖影" and "者" in part else None
    return reporters(match[1]) if match else ()


def _in_brackets(inside: str, *, is_wire: bool) -> tuple[str, ...]:
    """Return the reporters named in brackets; after a dateline, as of a news agency, they need no such word."""
    if match := _DID.match(inside):
        return reporters(match[1] or match[2])
    match = _REPORTER.search(inside)
    if match and match.start() <= MAX_BEFORE:
        before, rest = people(inside[: match.start()]), inside[match.end() :]
        names = reporters(rest) or people(rest)
        are_sure = names and all(len(name) >= NAME and is_surely_chinese_name(name) for name in before)
        return (*before, *names) if are_sure else names
    if match := _PLACED.match(inside):
        return reporters(match[1])
    if inside.endswith(("报道", "报导", "報導")):
        return reporters(inside)
    return (people(inside) or _assumed(inside)) if is_wire else ()


def _assumed(inside: str) -> tuple[str, ...]:
    """Return the name, of however rare a surname, that brackets behind a dateline hold and nothing else."""
    return tuple(filter(None, [signed_name(inside)])) if len(inside) <= NAME else ()
