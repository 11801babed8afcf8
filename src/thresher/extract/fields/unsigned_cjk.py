"""Names on Chinese pages without a label: beside the date, with an office, as the source, of editors."""

import re
from collections.abc import Iterator, Sequence

from thresher.extract.fields.bylines_cjk import MAX_ALONE
from thresher.extract.fields.dates import find_dates, has_digit
from thresher.extract.fields.found import Named
from thresher.extract.fields.name_words import NOBODY
from thresher.extract.fields.names import is_chinese_name, is_person, is_surely_chinese_name, names_an_office
from thresher.extract.fields.names_cjk import people
from thresher.extract.fields.near import Near

MAX_NAME = 8  # characters
MAX_OFFICE = 40  # characters of a line that holds a name and an office
MIN_PARAGRAPH = 40  # characters
NEAR_TEXT = 5  # lines above the first paragraph in which a name is the author's
NAME = 3  # characters of nearly all names; two are a word more often
POSTER = 0.35  # confidence: it may be a part of the site, too
EDITOR = 0.3  # confidence: who put the text on the page need not have written it

_HAN = re.compile("[\u4e00-\u9fff·]+")
_POSTED = re.compile(
    r"^(?:(?:本文)?由\s?)?(?!最新|本文|文章|新闻|首次|原文|此文|[发發][表布佈]|更新|编辑|創建|创建)([^\s：:，。]{2,20})\s?"
    r"(?:[发發][表布佈][于於]|[于於]\s?(?=(?:19|20)\d\d.*[发發][表布佈]))"
)
_POSTED_BY = re.compile(
    r"(?:^|[\s日\d])由\s?([^\s：:，。]{2,12}?)\s?(?:[发發][表布佈]|撰[写寫]|投稿|[创創]建|[编編][写寫辑輯]|上[传傳])"
)
_POSTED_AT = re.compile(r"^[Pp]osted @ [\d\-/]+ [\d:]+ (.{2,20}?) 阅读")
_SOURCE = re.compile(r"^[^：:]{0,2}[来來]源\s?[:：]\s?(\S{2,4})$")
_PARTS = re.compile(r"[\s\u3000|｜·]+|(?<=[\u4e00-\u9fff])(?=(?:19|20)\d\d)|(?<=原[创創])")
# 站长老白 2015年06月18日: who, right before the day.
_BEFORE_DAY = re.compile(r"^([^\s\u3000|｜：:，。·>]{3,12})[\s\u3000|｜·/]{1,4}(?=(?:19|20)\d\d\s?[-/.年])")
_NO_POSTER = re.compile(
    "[发發][布表佈]|更新|[来來]源|原[创創]|首[页頁]|正文|[资資][讯訊]|[动動][态態]|公告|通知|[栏欄]目|[频頻]道|分[类類]|[标標][签籤]|"
    "星期|[时時][间間]|日期|[编編][辑輯]|作者|[图圖]片|[视視][频頻]|[专專][题題]|[观觀][点點]|[评評][论論]|快[讯訊]|[专專]访"
)
_COLUMN = re.compile(r"^[^\s：:，。\d]{2,10}\s?[-–—|｜]\s?([\u4e00-\u9fff]{3})$")  # 海港杂谈 - 王小明
_DASHED = re.compile(r"^[-–—]{1,3}\s?(\S{2,8})$")
_CALLING = re.compile(r"(?:[记記]者|[专專][栏欄]作[家者]|撰稿人?|[评評][论論][员員]|主[笔筆]|特派[员員])$")

_COUNTRY = re.compile(r"^[\[［（(【〔].{1,3}[\]］）)】〕]\s?(?=.*·)")  # （美）
# 王小明（北京大学教授）; 王小明 晨报记者
_OFFICE = re.compile(
    r"^([\u4e00-\u9fff]{2,4})(?:[（(][^（()），。：:]{4,24}[)）]$|[\s\u3000，,|｜（(]\s?[^，。：:]{0,24}"
    r"(?:记者|評論員|评论员|教授|研究员|作家|学者|主笔|撰稿人|专栏作者|律师|博士|院长|所长|主任|分析师)[）)]?$)"
)
_ISSUE = re.compile(
    r"^([\u4e00-\u9fff]{2,4})[\s\u3000]+(?:《[^》]{2,12}》|(?:19|20)\d\d年第|原载|摘自)"
)  # 王小明 2005年第3期
_AFTER_SOURCE = re.compile(r"^\S{0,3}[来稿]源\s?[:：]\s?|[\s\u3000/／:：]+")
_OWNER = re.compile(
    r"(?:^|[\s_\-|｜—–(（【《])([^\s_\-|｜—–，。：:!！?？“”《》【】]{2,12})的(?:博客|[Bb][Ll][Oo][Gg]|专栏|个人空间|空间|网志|部落格|個人空間)"
)
_EDITOR = re.compile(
    r"(?:责\s?任\s?编\s?辑|責任編輯|责\s?编|責\s?編|(?:(?:^|[\s（(【\[])(?:本文|实习)?编\s?辑)(?=\s)|(?<![字片术頻频])[编編]\s?[辑輯](?!部)(?=\s?[:：/／|｜丨]))"
    r"\s?[:：/／|｜丨\s]\s?([^\s（()）【】\[\]_]{2,8})"
)


def find_bare_names(near: Near) -> Iterator[Named]:
    """Yield names without any label: on the line of the date, on a line of their own below the title, as the source."""
    yield from _beside_dates(near)
    yield from _below_title(near)
    yield from _after_text(near.texts)
    for line in near.texts:
        if len(line) > MAX_ALONE:
            continue
        if line[:1] in "Pp" and (match := _POSTED_AT.match(line)):
            yield "name beside the date", 0.6, (match[1],)
        elif "源" in line and (match := _SOURCE.match(line)) and is_chinese_name(match[1]):
            yield "name given as the source", 0.4, (match[1],)


def find_posters(near: Near) -> Iterator[Named]:
    """Yield what stands where the name of whoever posted the page does, right before its day."""
    for line in (*near.after[:4], *near.before[:1]):
        match = _BEFORE_DAY.match(line) if len(line) <= MAX_ALONE else None
        if match and not names_an_office(match[1]) and not _NO_POSTER.search(match[1]):
            yield "name beside the date", POSTER, (match[1],)


def find_owner(title: str) -> Iterator[Named]:
    """Yield whose blog or column the end of a <title> says the page is in: 王小明的博客."""
    match = _OWNER.search(title)
    if match and match[1] not in NOBODY and not names_an_office(match[1]):
        yield "owner of the blog", 0.5, (match[1],)


def find_editors(near: Near) -> Iterator[Named]:
    """Yield the editors that the page names, for one that names nobody else."""
    for line in near.texts:
        match = _EDITOR.search(line[-MAX_ALONE:]) if "编" in line or "編" in line else None
        if match and (names := people(_without_number(match[1]), whole=True)):
            yield "editor, nobody else is named", EDITOR, names


def _without_number(text: str) -> str:
    """Cut off the number that portals write behind their editors' names."""
    return re.split(r"[\d_A-Z]", text, maxsplit=1)[0]


def _beside_dates(near: Near) -> Iterator[Named]:
    for line in (*near.after, *near.before):
        if len(line) > MAX_ALONE or not has_digit(line):
            continue
        if match := _POSTED.search(line) or _POSTED_BY.search(line):
            yield "name beside the date", 0.6, (match[1],)
        names = _sure_among(_PARTS.split(line))
        if names and any(True for _ in find_dates(line)):
            yield "name beside the date", 0.6, names


def _sure_among(parts: Sequence[str]) -> tuple[str, ...]:
    """Return the names among the parts of a line; right behind a sure one, what only looks like one will do."""
    names: list[str] = []
    for above, part in zip(("", *parts), parts, strict=False):
        is_next = above in names and len(part) == NAME and is_chinese_name(part)
        if is_surely_chinese_name(part) or (is_person(part) and "·" in part) or is_next:
            names.append(part)
    return tuple(names)


def _below_title(near: Near) -> Iterator[Named]:
    for line, below in zip(near.after[:4], near.after[1:5], strict=False):
        is_called = len(below) <= MAX_OFFICE // 2 and _CALLING.search(below) is not None
        if is_called and 2 <= len(line) <= MAX_NAME and line not in NOBODY and _HAN.fullmatch(line):
            yield "name and office", 0.5, (line,)
    for line in near.after[:4] or (*near.texts[1:3], *_before_text(near.texts)):
        if line in near.title:  # of whom the page tells
            continue
        line = _COUNTRY.sub("", line)
        line = match[1] if (match := _DASHED.match(line) or _COLUMN.match(line)) else line
        names = people(line) if len(line) <= 2 * MAX_NAME else ()
        if names and len("".join(names)) + len(names) > len(line) and all(_is_sure(name) for name in names):
            yield "name beside the title", 0.4, names
        elif names := _of_office(line) if len(line) <= MAX_OFFICE else ():
            yield "name and office", 0.4, names


def _before_text(texts: Sequence[str]) -> Sequence[str]:
    """Return the lines above the first paragraph, where the title is not shown."""
    first = next((place for place, text in enumerate(texts) if len(text) >= MIN_PARAGRAPH), 0)
    return texts[max(0, first - NEAR_TEXT) : first]


def _after_text(texts: Sequence[str]) -> Iterator[Named]:
    """Yield a name alone on the line below a paragraph, unless others follow."""
    for place in [place for place, line in enumerate(texts) if 2 <= len(line) <= MAX_NAME and place]:
        above, line, below = texts[place - 1], texts[place], texts[place + 1] if place + 1 < len(texts) else ""
        if len(above) < MIN_PARAGRAPH:
            continue
        name = match[1] if (match := _DASHED.match(line)) else line
        is_alone = (match is not None or len(name) == NAME) and not is_chinese_name(below)
        if is_alone and is_surely_chinese_name(name):
            yield "signed, after the text", 0.4, (name,)


def _is_sure(name: str) -> bool:
    return is_surely_chinese_name(name) or "·" in name


def _of_office(line: str) -> tuple[str, ...]:
    """Return the name that an office, a paper or a school stands before or behind."""
    if (match := _OFFICE.match(line)) and is_surely_chinese_name(match[1]):
        return (match[1],)
    if (match := _ISSUE.match(line)) and is_surely_chinese_name(match[1]):
        return (match[1],)
    first, *rest = [part for part in _AFTER_SOURCE.split(line) if part] or [""]
    if not rest or "编" in first or not (names_an_office(first) or first.endswith("报道")):
        return ()
    names = people(" ".join(rest), whole=True)
    return names if all(map(is_surely_chinese_name, names)) else ()
