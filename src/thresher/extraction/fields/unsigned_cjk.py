"""Names on Chinese pages without a label: below the title, with an office, of books, as the source, of editors."""

import re
from collections.abc import Iterator

from thresher.extraction.fields.found import Named
from thresher.extraction.fields.name_words import NOBODY
from thresher.extraction.fields.names import is_chinese_name, is_surely_chinese_name, is_surely_person, names_an_office
from thresher.extraction.fields.names_cjk import PLACES, people, signed_name
from thresher.extraction.fields.near import Near
from thresher.extraction.fields.posters_cjk import NO_POSTER, find_posted
from thresher.extraction.fields.signatures_cjk import CAPTION, find_below_text, find_in_paragraphs
from thresher.extraction.fields.zones_cjk import Zone

MAX_ALONE = 60  # characters of a line that holds a name and little else
MAX_NAME = 8  # characters
MAX_OFFICE = 40  # characters of a line that holds a name and an office
MAX_PARTS = 4  # of a <title>; in one of more, names are subjects
MAX_ASSUMED = 3  # characters of an assumed name that stands alone; longer ones are parts of the site more often
NEAR_TEXT = 5  # lines above the first paragraph in which a name is the author's
OFFICE = 0.3  # confidence: somebody there wrote it
EDITOR = 0.3  # confidence: who put the text on the page need not have written it

_HAN = re.compile("[\u4e00-\u9fff·]+")
_SOURCE = re.compile(
    r"[来來]源\s?[:：]\s?(\S{2,12}?)的(?:博客|微博|专栏)(?:\s|$)"
    r"|^[^：:]{0,2}[来來]源\s?[:：]\s?([\u4e00-\u9fff]{2,4}?)(?:(?:新浪|搜狐|网易|腾讯|凤凰)?(?:博客|微博|专栏))?$"
)
_COLUMN = re.compile(r"^[^\s：:，。\d]{2,10}\s?[-–—|｜]\s?([\u4e00-\u9fff]{3})$")  # 海港杂谈 - 王小明
_DASHED = re.compile(r"^[-–—]{1,3}\s?(\S{2,8})$")
_CALLING = re.compile(r"(?:[记記]者|[专專][栏欄]作[家者]|撰稿人?|[评評][论論][员員]|主[笔筆]|特派[员員])$")
_BOOK = re.compile(r"^(\S.{1,15}?)[ \u3000]?(?:编著|主编|著)(?:[ \u3000].{2,12}译)?$")
_COLUMN_OF = re.compile(r"^\W?([\u4e00-\u9fff]{2,4})专栏(?:\W|$)|^\W?专栏[：:]\s?([\u4e00-\u9fff]{2,4})\W?$")
_CALLED = re.compile(r"^([\u4e00-\u9fff]{2,4})(?:先生|女士|教授|博士|律师|院士|老师)$")
_BRACKETS = re.compile(r"^(?:[（(]([\u4e00-\u9fff]{2,3})[)）]|[【\[]([\u4e00-\u9fff]{2,4})[】\]])$")
# Where or when somebody lived: [日] 王小明, （宋）王小明, 王小明（台湾）.
_LIVED = re.compile(
    r"^[\[［（(【〔](?:[汉漢晋晉隋唐宋元明清金]朝?|[美英法德日韩韓俄加澳印意台港]|(\S{2,4}))[\]］）)】〕]\s?(\S{2,4})$"
    r"|^(\S{2,4})\s?[（(](\S{2,4})[)）]$"
)
_APART = re.compile(r"([\u4e00-\u9fff])[ \u3000]+([\u4e00-\u9fff])[ \u3000]+([\u4e00-\u9fff])")  # 王 小 明
_LATIN_TOO = re.compile(r"[ \u3000]+来自.{2,6}$|(?<=[\u4e00-\u9fff])[ \u3000（(]+[A-Za-z][A-Za-z .'’-]+[)）]?$")
_BEFORE_TITLE = re.compile(r"^([\u4e00-\u9fff]{2,4})[：:]$")

_COUNTRY = re.compile(r"^[\[［（(【〔].{1,3}[\]］）)】〕]\s?(?=.*·)")  # （美）
_NOTES = re.compile(r"(?<=[\u4e00-\u9fff])\s?[\d*†]{1,2}(?=\s?[，,、]|$)")  # 王小明1，李四2
_OFFICES = (
    "记者|評論員|评论员|教授|研究员|研究員|作家|学者|學者|主笔|主筆|撰稿人|专栏作者|专栏作家|專欄作家|[股时時][评評]人|[评評][论論]人|媒体人|媒體人|传媒人|傳媒人|律师|律師|博士|"
    "院长|院長|所长|所長|主任|分析师|医师|部长|书记|校长|会长|局长|主席|总裁|总编|教师"
)
_SCHOOLS = "大学|大學|学院|學院|[学學]系|研究所|研究院|[小中]学|班|医院|学校|中文网|杂志社|通讯社|电视台|中心|支队"
# 王小明（北京大学教授）; 王小明 晨报记者
_OFFICE = re.compile(
    rf"^([\u4e00-\u9fff]{{2,4}})(?:[（(][^（()），。：:]{{4,24}}[)）]$"
    rf"|[\s\u3000，,|｜（(/／]\s?[^，。：:]{{0,24}}(?:{_OFFICES})(?:[）)]|[（(][^（()）]{{2,6}}[)）])?$)"
)
_OF_OFFICE = re.compile(
    rf"^[^，。：:编編图圖摄攝]{{0,24}}(?:{_OFFICES}|{_SCHOOLS})[ \u3000/／]+([\u4e00-\u9fff]{{2,4}})$"
)
_ISSUE = re.compile(
    r"^([\u4e00-\u9fff]{2,4})[\s\u3000]+(?:《[^》]{2,12}》|(?:19|20)\d\d年第|原载|摘自)"
)  # 王小明 2005年第3期
_OF_ISSUE = re.compile(r"第\s?\d{1,3}\s?期[)）]?[\s\u3000]+([\u4e00-\u9fff]{2,4})$")  # 《晨刊》2005年第3期 王小明
_AFTER_CALLED = re.compile(r"([ \u3000][\u4e00-\u9fff]{2,3})(?:律师|教授|博士|医生|老师)$")
_NAME_AND_PAPER = re.compile(r"^([\u4e00-\u9fff]{2,4})[ \u3000/／]+(\S{2,10})$")
_AFTER_SOURCE = re.compile(r"^\S{0,3}[来稿]源\s?[:：]\s?|[\s\u3000/／:：【】]+")
_EDITOR = re.compile(
    r"(?:责\s?任\s?编\s?辑|責任編輯|责\s?编|責\s?編|(?:(?:^|[\s（(【\[])(?:本文|实习)?编\s?辑)(?=\s)|(?<![字片术頻频])[编編]\s?[辑輯](?!部)(?=\s?[:：/／|｜丨]))"
    r"\s?[:：/／|｜丨\s]\s?([^\s（()）【】\[\]_]{2,8})"
)
_EDITED = re.compile(r"^[（(]([\u4e00-\u9fff]{2,4})\s?(?:编辑|編輯)[)）]$")  # （王小明 编辑）
_BY_OFFICE = re.compile(
    r"(?:供\s?稿|撰\s?稿|撰\s?文|文\s?字|编\s?写|执\s?笔|发布)(?:单位|部门|人|者)?\s?[:：]\s?"
    r"([\u4e00-\u9fff]{2,14}(?:学院|[系处室组科团院委队厅办所部局馆站会社中心公司]))(?![\u4e00-\u9fff])"
)
_TITLE_PARTS = re.compile(r"[\s_\-|｜—–]+")
_SPEAKER = re.compile(r"^([\u4e00-\u9fff]{2,4})[：:](?=.{4})")  # 王小明：渡轮为什么恢复运行


def find_bare_names(near: Near, zone: Zone) -> Iterator[Named]:
    """Yield names without any label: on the line of the day, below the title, below the text, as the source."""
    yield from find_posted(near, zone)
    yield from _below_title(near, zone)
    yield from find_below_text(zone.lines)
    for line in zone.lines:
        match = _SOURCE.search(line) if len(line) <= MAX_ALONE and "源" in line else None
        if match and (match[1] or is_chinese_name(match[2])):
            yield "name given as the source", 0.4, (match[1] or match[2],)


def find_hints(near: Near, zone: Zone, title: str) -> Iterator[Named]:
    """Yield names that nothing calls those of authors but their place; `title` is what <title> says."""
    parts = _TITLE_PARTS.split(title)
    for part in parts[1:] if len(parts) <= MAX_PARTS else ():
        if len(part) > 2 and is_surely_chinese_name(part) and part not in near.title:
            yield "name in the title", 0.4, (part,)
    yield from find_in_paragraphs(zone.lines)
    lines = [line for line in zone.head[-NEAR_TEXT:] if signed_name(line) and not NO_POSTER.search(line)]
    if len(lines) == 1 and lines[0] not in near.title and (len(lines[0]) <= MAX_ASSUMED or is_chinese_name(lines[0])):
        yield "name below the title", 0.3, (signed_name(lines[0]),)
    match = _SPEAKER.match(near.title)
    if match and is_surely_chinese_name(match[1]) and not _tells_of(match[1], near.title, zone):
        yield "name before the title", 0.3, (match[1],)


def find_offices(zone: Zone) -> Iterator[Named]:
    """Yield the offices, schools and such that a label says to have written the page."""
    for line in zone.lines:
        match = _BY_OFFICE.search(line[-MAX_ALONE:]) if ("：" in line or ":" in line) else None
        if match and match[1] not in NOBODY:
            yield "byline, of an office", OFFICE, (match[1],)


def find_editors(zone: Zone) -> Iterator[Named]:
    """Yield the editors that the page names, for one that names nobody else."""
    for line in zone.lines:
        if "编" not in line and "編" not in line:
            continue
        match = _EDITOR.search(line[-MAX_ALONE:]) or _EDITED.match(line)
        if match and (names := people(_without_number(match[1]), whole=True)):
            yield "editor, nobody else is named", EDITOR, names


def _tells_of(name: str, title: str, zone: Zone) -> bool:
    """Say whether a text names somebody whom its title quotes."""
    return any(name in line and title not in line for line in zone.lines)


def _without_number(text: str) -> str:
    """Cut off the number that portals write behind their editors' names."""
    return re.split(r"[\d_A-Z]", text, maxsplit=1)[0]


def _below_title(near: Near, zone: Zone) -> Iterator[Named]:
    for line, below in zip(near.after[:4], near.after[1:5], strict=False):
        is_called = len(below) <= MAX_OFFICE // 2 and _CALLING.search(below) is not None
        if is_called and 2 <= len(line) <= MAX_NAME and line not in NOBODY and _HAN.fullmatch(line):
            yield "name and office", 0.5, (line,)
    top = near.after[:4] or near.texts[1:3]
    for line in dict.fromkeys((*top, *zone.head[-NEAR_TEXT:], *zone.below_lead)):
        line = line.strip()
        if line in near.title or len(line) > MAX_OFFICE:  # of whom the page tells
            continue
        if names := _alone(_COUNTRY.sub("", _NOTES.sub("", line))):
            yield "name beside the title", 0.4, names
        elif names := _of_office(line):
            yield "name and office", 0.4, names


def _alone(line: str) -> tuple[str, ...]:
    """Return the names that a line holds and nothing else but dashes, the name of a column or that of a place."""
    if match := _BEFORE_TITLE.match(line) or _CALLED.match(line):
        return people(match[1], whole=True)
    if match := _COLUMN_OF.match(line) or _BRACKETS.match(line):
        name = signed_name(match[1] or match[2])
        return (name,) if name and (match[1] or is_chinese_name(name)) else ()
    if name := _beside_place(line):
        return (name,)
    if match := _APART.fullmatch(line):
        line = "".join(match.groups())
    if match := _BOOK.match(line):
        return people(match[1], whole=True) or tuple(filter(None, [signed_name(match[1])]))
    if is_surely_person(line):
        return (line,)
    line = match[1] if (match := _DASHED.match(line) or _COLUMN.match(line)) else _LATIN_TOO.sub("", line)
    names = people(line, whole=True) if len(line) <= 2 * MAX_NAME and not CAPTION.search(line) else ()
    return names if all(map(_is_sure, names)) else ()


def _beside_place(line: str) -> str:
    """Return the name before which a country or a dynasty stands in brackets, assumed perhaps, or beside it a place."""
    match = _LIVED.match(line)
    if match is None:
        return ""
    name, place = signed_name(match[2] or match[3]), match[1] or match[4]
    return name if place is None or (place in PLACES and is_chinese_name(name)) else ""


def _is_sure(name: str) -> bool:
    return is_surely_chinese_name(name) or "·" in name or "•" in name or is_surely_person(name)


def _of_office(line: str) -> tuple[str, ...]:
    """Return the name that an office, a paper or a school stands before or behind."""
    if (match := _OFFICE.match(line)) and is_surely_chinese_name(match[1]):
        return (match[1],)
    if (match := _ISSUE.match(line) or _OF_ISSUE.search(line)) and is_surely_chinese_name(match[1]):
        return (match[1],)
    if (match := _OF_OFFICE.match(_AFTER_CALLED.sub(r"\1", line))) and (name := signed_name(match[1])):
        return (name,)
    if (match := _NAME_AND_PAPER.match(line)) and names_an_office(match[2]) and is_surely_chinese_name(match[1]):
        return (match[1],)
    first, *rest = [part for part in _AFTER_SOURCE.split(line) if part] or [""]
    if not rest or "编" in first or not (names_an_office(first) or first.endswith("报道")):
        return ()
    names = people(" ".join(rest), whole=True)
    return names if all(map(_is_sure, names)) else ()
