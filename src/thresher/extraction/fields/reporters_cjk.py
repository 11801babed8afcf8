"""Reporters whom Chinese paragraphs name at their beginning or end: "（记者 王小明）", "記者王小明／台北報導"."""

import re
from collections.abc import Iterable, Iterator

from thresher.extraction.fields.found import Named
from thresher.extraction.fields.names import is_surely_chinese_name
from thresher.extraction.fields.names_cjk import people, reporters, signed_name
from thresher.extraction.fields.signatures_cjk import CAPTION

NAME = 3  # characters of nearly all names
HEAD, TAIL = 80, 60  # characters at the beginning and the end of a paragraph in which a reporter signs
MAX_BEFORE = 18  # characters before the word for a reporter: the name of the paper, the place, the day
MAX_ALONE = 60  # characters of a line that holds a byline and nothing else
MAX_TAIWAN = 30  # characters before the reporter: the paper, its section

CALLED_REPORTER = re.compile(
    "(?:[记記]者|[实實][习習]生|通讯员|通訊員|撰稿人?|评论员|評論員|特派[员員]|[编編][译譯]|专栏作[家者]|主[笔筆])"
    "[ \u3000\xa0:：|｜丨/／◎]*"
)
_OPENING = re.compile("[（(【\\[]")
_BRACKETS = re.compile(r"([电電讯訊]?)\s?[（(【\[]([^（()）【】\[\]]{2,40})[）)】\]]")
_DATELINE = re.compile("(?:日|[网網报報社台刊]|科技|[财財][经經]|[体體]育|[娱娛][乐樂]|新[闻聞])\\s?[电電讯訊]$")
_RUNNING = re.compile(
    r"(?:[报網网刊社台報]|[电讯電訊])\s?.{0,8}?[记記]者(.{2,24}?)(?:[报報][道导導]|發自|发自|[电電]|(?<!通)[讯訊])"
)
PLACED = re.compile(
    r"^(.{2,20}?)[\s\u3000/／╱∕]\s?(?:\S{0,8}(?:报[道导]|報[導道])|[发發]自\S{2,8})$"
)  # 王小明 北京报道
DID = re.compile(
    r"^([\u4e00-\u9fff]{2,4})[ \u3000/／]{1,3}(?:编?译|編?譯|整理|报道|報導|撰|采写|编著)$"
    r"|^([\u4e00-\u9fff]{2,4})[ \u3000]?[供投]稿$"
)
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
_INSIDE = re.compile(r"[（(][^（()）]{0,10}[记記]者[\s\u3000]?([^（()）摄攝，。]{2,20})[)）]")


def find_reporters(lines: Iterable[str]) -> Iterator[Named]:
    """Yield those whom the beginning or the end of a paragraph calls reporters, then those whom brackets inside do."""
    later: list[tuple[str, ...]] = []
    for line in lines:
        for part in (line[:HEAD], line[-TAIL:]) if len(line) > HEAD else (line,):
            if _OPENING.search(part):
                yield from (("reporter, beside the text", 0.65, names) for names in _bracketed(part) if names)
            if names := _running(part) or _at_end(part):
                yield "reporter, beside the text", 0.65, names
        if len(line) > HEAD and ("记者" in line or "記者" in line) and (match := _INSIDE.search(line, HEAD)):
            later.append(reporters(match[1]))
    yield from (("reporter, beside the text", 0.6, names) for names in later if names)


def _bracketed(part: str) -> Iterator[tuple[str, ...]]:
    """Yield the reporters in each pair of brackets; after a plain dateline, a name of however rare a surname."""
    for match in _BRACKETS.finditer(part):
        wire, inside = match.groups()
        if CAPTION.search(inside):
            continue
        names = _in_brackets(inside, is_wire=bool(wire))
        if not names and wire and len(inside) <= NAME and _DATELINE.search(part[: match.end(1)]):
            names = tuple(filter(None, [signed_name(inside)]))
        yield names


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
    if match := DID.match(inside):
        return reporters(match[1] or match[2])
    match = CALLED_REPORTER.search(inside)
    if match and match.start() <= MAX_BEFORE:
        before, rest = people(inside[: match.start()]), inside[match.end() :]
        names = reporters(rest) or people(rest)
        are_sure = names and all(len(name) >= NAME and is_surely_chinese_name(name) for name in before)
        return (*before, *names) if are_sure else names
    if match := PLACED.match(inside):
        return reporters(match[1])
    if inside.endswith(("报道", "报导", "報導")):
        return reporters(inside)
    return people(inside) if is_wire else ()
