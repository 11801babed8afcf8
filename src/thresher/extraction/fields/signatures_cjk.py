"""Signatures on Chinese pages: names below the text or at the end of its paragraphs, with a day or in brackets."""

import re
from collections.abc import Iterator, Sequence

from thresher.extraction.fields.found import Named
from thresher.extraction.fields.names import is_chinese_name, is_surely_chinese_name
from thresher.extraction.fields.names_cjk import people, reporters, signed_name

MIN_PARAGRAPH = 40  # characters
MIN_SENTENCE = 15  # characters of the last one of a text, behind which its author signs in brackets
TAIL = 60  # characters at the end of a paragraph in which its author signs
MAX_SIGNATURE = 30  # characters of a line that is one
MIN_OFFICE = 2  # characters that are none with which one may sign before one's name
NAME = 3  # characters of nearly all names; two are a word more often

_IN_BRACKETS = re.compile("[（(]([^（()）]{2,30})[)）]$|^[【\\[]([^【】\\[\\]]{2,12})[】\\]]$")
_SOURCE = re.compile(r"[\s\u3000](?:来源|来自|摘自|转自).*$")
_SLASH = re.compile(r"(?<=[报報网網社台])[/／╱]")  # （晨网/王小明）
OF_WHERE = re.compile("[系为為](?=.{2})")  # （作者王小明系北京某大学教授）
_MADE_ELSE = re.compile("[编編图圖摄攝审審校译譯题題责責]")  # an editor, a photographer …
CAPTION = re.compile("^图|(?<!文)(?<!文[/／、])[摄攝](?!影报道|影報道)")

_PEN = re.compile(r"^(\S.{1,15}?)[ \u3000]?文(?:[/／、]?[图摄])?$")  # （王小明 文/图）

_YEAR = r"(?:(?:19|20)\d\d|[二一][○〇０零九][○〇０零一二九八七][○〇０零一二三四五六七八九])"
_OF_TOWN = re.compile(r"^\S{1,11}[市县縣省区區镇鎮乡鄉村学學校][ \u3000]+(?=[\u4e00-\u9fff]{2,4}$)")  # 海港市 王小明
_LETTER = re.compile(
    rf"^[-–—]{{0,6}}\s?([\u4e00-\u9fff]{{2,4}})"
    rf"(?:[ \u3000]*[于於写寫][^，。]{{2,8}}|[ \u3000]*[（(]?{_YEAR}\s?[年.\-/].{{0,16}})?$"
)
_DAY_ALONE = re.compile(rf"^[（(]?{_YEAR}\s?[年.\-/][^，。]{{0,16}}$")
_BRACKETS_ALONE = re.compile(r"^[（(【\[]([\u4e00-\u9fff]{2,4})[)）】\]]$")
_NOTICE = re.compile(r"^\W{0,2}(?:声明|特别声明|免责|凡本|凡注明|版权|本网|本站|转载|注：)")  # below many texts
_DASHED = re.compile(r"^[-–—]{1,6}\s?(\S{2,8})$")

_AT_END = re.compile(r"[。！？”…）)][\s\u3000]*[-—]*\s?([\u4e00-\u9fff]{2,4}|[\u4e00-\u9fff] [\u4e00-\u9fff])$")
_AT_START = re.compile(r"^([\u4e00-\u9fff]{3})[\s\u3000](?=[\u4e00-\u9fff“《]{4})")
_ASSUMED = re.compile(r"[。！？”…][\s\u3000]?[（(]([\u4e00-\u9fff]{2,4})[)）]$")


def find_bracketed(texts: Sequence[str]) -> Iterator[Named]:
    """Yield names of people, and nothing else, in brackets at the end of a paragraph: （王小明）."""
    for text in texts:
        if text[-1:] not in ")）】]" or not (match := _IN_BRACKETS.search(text[-TAIL:])):
            continue
        told = _SLASH.sub(" ", _SOURCE.sub("", match[1] or match[2]))
        if (match := _PEN.match(told)) and (names := reporters(match[1])):
            yield "signed, after the text", 0.5, names
        if CAPTION.search(told) or told.endswith(("编辑", "編輯")):
            continue
        names = people(OF_WHERE.split(told)[0], whole=True)
        office, _, rest = told.strip().partition(" ")
        if not names and len(office) > MIN_OFFICE and not _MADE_ELSE.search(office):  # （宣传部 王小明）
            names = tuple(filter(is_surely_chinese_name, people(rest, whole=True)))
        if names:
            yield "signed, after the text", 0.5, names


def find_below_text(texts: Sequence[str]) -> Iterator[Named]:
    """Yield a name alone on the line below a paragraph, unless others follow; any, where a day stands beside it."""
    paragraphs = (place for place, line in enumerate(texts) if len(line) >= MIN_PARAGRAPH and not _NOTICE.match(line))
    last = max(paragraphs, default=0)
    for place in [place for place, line in enumerate(texts) if 2 <= len(line) <= MAX_SIGNATURE and place]:
        above, line = texts[place - 1], texts[place]
        if len(above) < MIN_PARAGRAPH and above[-1:] not in "。！？”…":
            continue
        if (match := _BRACKETS_ALONE.match(line)) and signed_name(match[1]):
            yield "signed, after the text", 0.4, (match[1],)
        if not (match := _LETTER.match(line)):
            names = people(_OF_TOWN.sub("", line), whole=True) if place > last else ()
            if names and all(map(is_surely_chinese_name, names)):
                yield "signed, after the text", 0.4, names
            continue
        name, below = match[1], texts[place + 1] if place + 1 < len(texts) else ""
        is_dated = match.end(1) < len(line) or _DAY_ALONE.match(below) is not None
        is_dashed = _DASHED.match(line) is not None
        is_plain = is_dashed or len(name) == NAME or place > last
        is_plain = is_plain and not is_chinese_name(below)
        may_sign = (
            (is_dated or (is_dashed and place > last))
            and (len(name) <= NAME or is_chinese_name(name))
            and bool(signed_name(name))
        )
        if may_sign or (is_plain and is_surely_chinese_name(name)):
            yield "signed, after the text", 0.4, (name,)


def find_in_paragraphs(texts: Sequence[str]) -> Iterator[Named]:
    """Yield the name before the first paragraph or behind the last one that has one, on its line or in brackets."""
    paragraphs = [text for text in texts if len(text) >= MIN_PARAGRAPH]
    for text in paragraphs[:1]:
        if (match := _AT_START.match(text)) and is_surely_chinese_name(match[1]):
            yield "signed, before the text", 0.4, (match[1],)
    ends = [match for text in paragraphs if (match := _AT_END.search(text[-8:]))]
    names = [name for match in ends if is_surely_chinese_name(name := match[1].replace(" ", ""))]
    if len(set(names)) == 1:
        yield "signed, after the text", 0.4, (names[0],)
    signed = ((text, match[1]) for text in texts if text[-1:] in ")）" and (match := _ASSUMED.search(text[-10:])))
    assumed = {name for text, name in signed if len(text) >= (MIN_SENTENCE if len(name) <= NAME else MIN_PARAGRAPH)}
    if len(assumed) == 1 and (name := signed_name(assumed.pop())):
        yield "signed, after the text", 0.35, (name,)
