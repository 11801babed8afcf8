"""Signatures on Chinese pages: names in brackets at the end of a paragraph."""

import re
from collections.abc import Iterator, Sequence

from thresher.extract.fields.found import Named
from thresher.extract.fields.names import is_surely_chinese_name
from thresher.extract.fields.names_cjk import people, reporters

TAIL = 60  # characters at the end of a paragraph in which its author signs
MIN_OFFICE = 2  # characters that are none with which one may sign before one's name

_IN_BRACKETS = re.compile("[（(]([^（()）]{2,30})[)）]$|^[【\\[]([^【】\\[\\]]{2,12})[】\\]]$")
_SOURCE = re.compile(r"[\s\u3000](?:来源|来自|摘自|转自).*$")
OF_WHERE = re.compile("[系为為](?=.{2})")  # （作者王小明系北京某大学教授）
_MADE_ELSE = re.compile("[编編图圖摄攝审審校译譯题題责責]")  # an editor, a photographer …
CAPTION = re.compile("^图|(?<!文)(?<!文[/／、])[摄攝](?!影报道|影報道)")
_PEN = re.compile(r"^(\S.{1,15}?)[ \u3000]?文(?:[/／、]?[图摄])?$")  # （王小明 文/图）


def find_bracketed(texts: Sequence[str]) -> Iterator[Named]:
    """Yield names of people, and nothing else, in brackets at the end of a paragraph: （王小明）."""
    for text in texts:
        if text[-1:] not in ")）】]" or not (match := _IN_BRACKETS.search(text[-TAIL:])):
            continue
        told = _SOURCE.sub("", match[1] or match[2])
        if (match := _PEN.match(told)) and (names := reporters(match[1])):
            yield "signed, after the text", 0.5, names
        if CAPTION.search(told):
            continue
        names = people(OF_WHERE.split(told)[0], whole=True)
        office, _, rest = told.strip().partition(" ")
        if not names and len(office) > MIN_OFFICE and not _MADE_ELSE.search(office):  # （宣传部 王小明）
            names = tuple(filter(is_surely_chinese_name, people(rest, whole=True)))
        if names:
            yield "signed, after the text", 0.5, names
