"""Bylines in Chinese, Japanese and Korean text: "作者：王小明", "（记者 王小明）", "【山田太郎】", "김민수 기자"."""

import re
from collections.abc import Iterable, Iterator, Sequence

from thresher.extract.fields.name_words import NOBODY, SURNAMES
from thresher.extract.fields.names import is_person
from thresher.extract.fields.near import Near

MAX_LINE = 200  # characters of a line that holds a labelled name
MAX_NAME = 8  # characters
MAX_ALONE = 60  # characters of a line that holds a byline and nothing else
HEAD, TAIL = 80, 48  # characters at the beginning and the end of a paragraph in which a reporter signs

Named = tuple[str, float, tuple[str, ...]]

_HAN = "[\u4e00-\u9fff]"
_SPACE = "[ \u3000\xa0]"
_NAME = rf"{_HAN}{{2,4}}(?:[·•]{_HAN}{{2,6}})?"
_NAMES = rf"({_NAME}(?:(?:{_SPACE}|[、，,/／和]){{1,3}}{_NAME}){{0,9}})"
_LABEL = re.compile(
    r"(?:作\s?者|撰\s?文|撰\s?稿(?:人)?|采\s?写|採訪|执笔(?:人)?|執筆|文字|原作者|著者)"
    r"\s?[:：/／|｜丨】\]]\s?(.{2,60})"
    r"|(?:^|[\s（(□■◎●])文\s?(?:[/／|]\s?图|、图)?\s?[:：/／|｜丨・\s]\s?(.{2,40})"
)
_LESSER = re.compile(r"(?:供\s?稿|通讯员|发布[者人]|发表[者人]|署名|编译|整理|楼主|博主)\s?[:：]\s?(.{2,40})")
_BARE_LABEL = re.compile(rf"(?:^|[》|\s]){_SPACE}{{0,2}}作者{_SPACE}?{_NAMES}{_SPACE}*$")
_LABEL_END = re.compile(
    r"[\s\u3000]*(?:来源|來源|编辑|編輯|责编|责任|時間|时间|日期|发布|發佈|阅读|点击|浏览|摄影|图片|图[/／:：]|字号|评论|"
    r"[（()）|｜【\[\]】<>《]|\d{2}).*$"
)
_TITLES = "(?:首席|高级|见习|实习|特约|特派|驻.{2,6}?)?(?:记者|記者|通讯员|通訊員|撰稿人?|评论员|特派员|编译)"
_REPORTER = rf"{_TITLES}{_SPACE}?[:：|]?{_SPACE}{{0,2}}{_NAMES}"
_FURTHER = re.compile(rf"(?:通讯员|通訊員|实习生|特约记者){_SPACE}{{0,2}}{_NAMES}")
_AFTER = rf"{_SPACE}{{0,2}}(?:{_HAN}{{0,6}}?(?:报道|報道|发自.{{0,8}}|發自.{{0,8}}|电|讯|摄|整理|综合|采写))?"
_OPENING = re.compile(rf"^[■□◎●★☆▲【（(\[\s—-]*(?:{_HAN}|[\w·《》/:： ]){{0,18}}?{_REPORTER}{_AFTER}[】）)\]\s]*$")
_IN_BRACKETS = re.compile(rf"[（(【\[][^（()）【】]{{0,16}}?{_REPORTER}[^（()）【】]{{0,14}}[)）】\]]")
_REPORTS = re.compile(rf"(?:本报|本网|本刊|本社|本台){_REPORTER}(?=报道|發自|发自)")
_TAIWAN = re.compile(
    rf"^[〔【（(\[\s]*(?:{_HAN}{{0,8}}?(?:記者|特派員|編譯|中心))?{_SPACE}?{_NAMES}{_SPACE}?[／/]{_SPACE}?{_HAN}{{2,8}}報[導道]"
)
_DATELINE = re.compile(rf"[电電讯訊]{_SPACE}?[（(]{_SPACE}?{_NAMES}[^（()）]{{0,10}}[)）]")
_EMPTY_LABEL = re.compile(r"(?:作\s?者|撰\s?文|记者)\s?[:：】|｜]?$")
_ALONE = re.compile(rf"[（(]{_SPACE}*{_NAMES}(?:{_SPACE}+{_HAN}{{2,4}}(?:报道|電|电))?{_SPACE}*[)）]\s*$")
_BY_PEN = re.compile(rf"^[□■◎]?{_SPACE}*{_NAMES}{_SPACE}?[/／]{_SPACE}?文$|^[□■◎]{_SPACE}*{_NAMES}$")
_JAPANESE = re.compile(rf"【({_HAN}{{3,6}}(?:[、・]{_HAN}{{3,6}}){{0,4}})】\s*$")
_KANA = re.compile("[\u3041-\u30ff]")
_KOREAN = re.compile(r"(?:^|[\s(\[/=])([가-힣]{2,4})\s?(?:선임|수습)?\s?(?:기자|특파원|논설위원)(?=$|[\s)\]/=|·,])")
_BETWEEN = re.compile(rf"(?:{_SPACE}|[、，,/／和])+")
_PARTED = re.compile(rf"(?<!{_HAN})({_HAN}){_SPACE}+({_HAN})(?!{_HAN})")  # 王　刚
_CUT = re.compile(r"(?:报道|報道|发自|發自|摄|通讯员|实习生|编辑|综合|整理|整合).*$")


def find_cjk_bylines(near: Near) -> Iterator[Named]:
    """Yield where names stand on the page, how sure that is, and the names; the surest first."""
    around = [*near.after, *near.before]
    if any(map(_KANA.search, near.texts[:50])):
        yield from _signed(near.texts, _JAPANESE, 0.6)
        return
    yield from _labelled((*around, *(text for text in near.texts if len(text) <= MAX_LINE)))
    yield from _reporters((*around, *near.texts))
    yield from _signed(near.texts, _ALONE, 0.5)
    for text in around:
        if match := _KOREAN.search(text):
            yield "byline, labelled", 0.6, (match[1],)
    yield from _bare(near)


def _bare(near: Near) -> Iterator[Named]:
    """Yield names without any label: on the line of the date, or on a line of their own below the title."""
    for line in (*near.after, *near.before):
        if len(line) > MAX_ALONE or not any(map(str.isdigit, line)):
            continue
        if names := tuple(part for part in re.split(r"[\s\u3000|｜]+", line) if is_person(part)):
            yield "name beside the date", 0.45, names
    for line in near.after[:4] or near.texts[1:3]:
        names = _people(line) if len(line) <= 2 * MAX_NAME else ()
        if names and len("".join(names)) + len(names) > len(line):
            yield "name beside the title", 0.4, names


def _labelled(lines: Iterable[str]) -> Iterator[Named]:
    above = ""
    for line in lines:
        if _EMPTY_LABEL.search(above[-5:]) and (names := _people(line)):
            yield "byline, labelled", 0.7, names
        above = line
        if (match := _LABEL.search(line)) and (names := _after_label(match[1] or match[2], pen_name=bool(match[1]))):
            yield "byline, labelled", 0.75, names
        elif len(line) <= MAX_ALONE and (match := _BARE_LABEL.search(line)) and (names := _people(match[1])):
            yield "byline, labelled", 0.7, names
        elif (match := _LESSER.search(line)) and (names := _after_label(match[1], pen_name=False)):
            yield "byline, labelled", 0.6, names


def _reporters(texts: Sequence[str]) -> Iterator[Named]:
    """Yield those whom a line, or the beginning or end of a paragraph, calls reporters."""
    for text in texts:
        if len(text) > MAX_ALONE or text.endswith(("摄", "摄）", "摄)")):
            continue
        match = _OPENING.match(text) or _BY_PEN.match(text)
        if match and (names := _reporters_in(match)):
            yield "reporter, before the text", 0.7, names
    for text in texts:
        for part in (text[:HEAD], text[-TAIL:]) if len(text) > TAIL else (text,):
            match = _IN_BRACKETS.search(part) or _REPORTS.search(part) or _DATELINE.search(part) or _TAIWAN.match(part)
            if match and "摄" not in match[0] and (names := _reporters_in(match)):
                yield "reporter, beside the text", 0.65, names


def _reporters_in(match: "re.Match[str]") -> tuple[str, ...]:
    """Return the names of a match, and of the correspondents named after them."""
    names = _people(match[match.lastindex or 1], True)
    rest = match.string[match.start(match.lastindex or 1) :][:MAX_ALONE]
    others = [_people(other[1], True) for other in _FURTHER.finditer(rest)] if names else []
    return tuple(dict.fromkeys((*names, *(name for people in others for name in people))))


def _signed(texts: Sequence[str], pattern: "re.Pattern[str]", confidence: float) -> Iterator[Named]:
    for text in texts:
        if text[-1:] in ")）】" and (match := pattern.search(text[-TAIL:])):
            names = tuple(re.split("[、・]", match[1])) if pattern is _JAPANESE else _people(match[1])
            if names:
                yield "signed, after the text", confidence, names


def _after_label(text: str, *, pen_name: bool) -> tuple[str, ...]:
    """Read what follows a label: several people, or a pen name up to the next white space."""
    text = _PARTED.sub(r"\1\2", _LABEL_END.sub("", text).strip())
    if people := _people(re.sub(rf"^{_HAN}{{0,8}}?{_TITLES}{_SPACE}?", "", text)):
        return people
    first = re.split(r"[\s\u3000，,、]", text, maxsplit=1)[0] if text and pen_name else ""
    return (first,) if 2 <= len(first) <= 20 and first not in NOBODY and first[0] not in "：:/" else ()


def _people(text: str, reporters: bool = False) -> tuple[str, ...]:
    """Return the names that a list of people begins with; those of reporters may have four characters."""
    names: list[str] = []
    for part in _BETWEEN.split(_PARTED.sub(r"\1\2", text)):
        name = _CUT.sub("", part)
        is_long = reporters and len(name) == 4 and name[0] in SURNAMES
        if not is_person(name) and not is_long:
            break
        names.append(name)
    return tuple(dict.fromkeys(names))
