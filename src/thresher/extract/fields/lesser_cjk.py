"""Whom a Chinese page names where nobody can be chosen: a lone name, a member of a board, an office, an editor."""

import re
from collections.abc import Iterator

from thresher.extract.fields.found import Named
from thresher.extract.fields.name_words import NOBODY
from thresher.extract.fields.names import is_chinese_name
from thresher.extract.fields.names_cjk import account_in, people, signed_name
from thresher.extract.fields.near import Near
from thresher.extract.fields.places_cjk import OVER, find_facts, is_grade
from thresher.extract.fields.words_cjk import IN_WORDS, NO_NAMES
from thresher.extract.fields.zones_cjk import Zone

NEAR_TEXT = 5  # lines above the first paragraph of which one may be a name
MAX_ASSUMED = 3  # characters of an assumed name that stands alone; longer ones are parts of the site more often
LONE = 0.3  # confidence
MEMBER = 0.35
MAX_READ = 60  # characters at the end of a line that are read
OFFICE = 0.3  # confidence: somebody there wrote it
EDITOR = 0.3  # confidence: who put the text on the page need not have written it

_EDITOR = re.compile(
    r"(?:责\s?任\s?编\s?辑|責任編輯|责\s?编|責\s?編|(?:(?:^|[\s（(【\[])(?:本文|实习)?编\s?辑)(?=\s)|(?<![字片术頻频])[编編]\s?[辑輯](?!部)(?=\s?[:：/／|｜丨]))"
    r"\s?[:：/／|｜丨\s]\s?([^\s（()）【】\[\]_]{2,8})"
)
_NUMBER = re.compile(r"[\d_A-Z]")
_BY_OFFICE = re.compile(
    r"(?:供\s?稿|撰\s?稿|撰\s?文|文\s?字|编\s?写|执\s?笔|发布)(?:单位|部门|人|者)?\s?[:：]\s?"
    r"([\u4e00-\u9fff]{2,14}(?:学院|[系处室组科团院委队厅办所部局馆站会社中心公司]))(?![\u4e00-\u9fff])"
)


def find_lone_names(near: Near, zone: Zone) -> Iterator[Named]:
    """Yield the only line right above the text that can be a name, be it an assumed one."""
    lines = [line for line in zone.head[-NEAR_TEXT:] if signed_name(line) and not IN_WORDS.search(line)]
    if len(lines) == 1 and lines[0] not in near.title and (len(lines[0]) <= MAX_ASSUMED or is_chinese_name(lines[0])):
        yield "name below the title", LONE, (signed_name(lines[0]),)


def find_members(near: Near) -> Iterator[Named]:
    """Yield the name over the first lines that tell of a member, as boards do beside a post."""
    place = find_facts(near.texts)
    over = near.texts[max(0, place - OVER) : place] if place else ()
    name = account_in(next((text for text in reversed(over) if not is_grade(text)), ""))
    if name and name not in NO_NAMES and name not in near.title:
        yield "name over facts of a member", MEMBER, (name,)


def find_offices(zone: Zone) -> Iterator[Named]:
    """Yield the offices, schools and such that a label says to have written the page."""
    for line in zone.lines:
        match = _BY_OFFICE.search(line[-MAX_READ:]) if ("：" in line or ":" in line) else None
        if match and match[1] not in NOBODY:
            yield "byline, of an office", OFFICE, (match[1],)


def find_editors(zone: Zone) -> Iterator[Named]:
    """Yield the editors that the page names; a number behind a name, as portals write it, is cut off."""
    for line in zone.lines:
        match = _EDITOR.search(line[-MAX_READ:]) if "编" in line or "編" in line else None
        if match and (names := people(_NUMBER.split(match[1], maxsplit=1)[0], whole=True)):
            yield "editor, nobody else is named", EDITOR, names
