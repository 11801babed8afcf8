"""Where the text stands among the lines of a page: bylines of teasers, books and comments around it are of others."""

import re
from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import NamedTuple

from thresher.extraction.fields.near import MAX_LINE, Near

MIN_PARAGRAPH = 30  # characters
MAX_LOOK = 200  # characters of a paragraph in which a comma or a stop is
MIN_TEXT = 60  # characters of the paragraphs of a text
MAX_GAP = 10  # lines between two paragraphs of one text
MAX_PLAIN_GAP = 30  # lines between two paragraphs with nothing that begins another part of the page
ABOVE, BELOW = 6, 10  # lines around the text that belong to it
LEAD = 2  # lines below the first paragraph that may name the author
MAX_HEAD = 40  # lines between a title and its text

_IN_PARAGRAPH = re.compile(r"[，。、]|[^\d\W][.,](?!\d)")
# What begins the part of a page that is about other pages, or in which readers speak.
_ELSE = re.compile(
    r"^\W{0,2}(?i:(?:\d+ |one )?(?:comments?|responses?|repl(?:y|ies)|thoughts?)(?:$| (?:on|to)\b)"
    r"|leave a (?:reply|comment))"
    r"|^\W{0,2}(?:相关|相關|延伸|推荐|推薦|热门|热点|更多|往期|精彩|网友|網友|评论|評論|留言|发表评论|我要评论|上一[篇页条]|下一[篇页条])"
    r"|回复(?:日期|时间|于)|回[帖贴]|跟[帖贴]|[热熱][线線]|电话|電話|版权所有|版權所有|[Cc]opyright|©"
)
_OWN = re.compile(r"^\W{0,2}(?:本文|作\s{0,2}者|来源|來源|责任|責任|责编|編輯|编辑|文字|撰文|记者|記者|供稿|稿件)")


class Run(NamedTuple):
    """The first and the last line of a text, and how many characters its paragraphs have."""

    first: int
    last: int
    size: int


class Zone(NamedTuple):
    """The lines of a text and of what stands around it."""

    head: Sequence[str]  # above the first paragraph, below the title where that is shown
    lines: Sequence[str]  # from the title, or from there, to a little below the last one
    below_lead: Sequence[str] = ()  # short lines between the first paragraph, which may be an abstract, and the second


def zone_of(near: Near) -> Zone:
    """Return the lines of the text below the title, or of the longest one; without one, those below the title."""
    texts, above = near.texts, -1 if near.place is None else near.place
    runs: list[Run] = []
    below_title: Run | None = None
    for run in _runs(texts, above + 1):
        runs.append(run)
        if above >= 0 and run.size >= MIN_TEXT and run.first - above <= MAX_HEAD:
            below_title = run
            break
    if not runs:
        return Zone((), texts[above + 1 :])
    chosen = below_title or max(runs, key=attrgetter("size"))
    start = above + 1 if below_title else max(0, chosen.first - ABOVE)
    after, end = chosen.last + 1, chosen.last + 1 + BELOW
    lines = (*texts[start:after], *_own(texts[after:end]))
    if below_title and texts[above] != near.title and len(rest := texts[above].replace(near.title, " ")) <= MAX_LINE:
        lines = (rest.strip(), *lines)
    return Zone(texts[start : chosen.first], lines, _below_lead(texts[chosen.first + 1 : after]))


def _below_lead(texts: Sequence[str]) -> Sequence[str]:
    lead = next((place for place, text in enumerate(texts[: LEAD + 1]) if len(text) >= MIN_PARAGRAPH), 0)
    return texts[:lead]


def _own(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines below a text that belong to it; behind what begins another part, those with a label in front."""
    is_own = True
    for line in lines:
        if _begins_else(line):
            is_own = False
        elif is_own or _OWN.match(line):
            yield line


def _runs(texts: Sequence[str], start: int) -> Iterator[Run]:
    """Yield the texts of a page from a line on: paragraphs with little between them."""
    run: Run | None = None
    for place in [place for place, text in enumerate(texts) if len(text) >= MIN_PARAGRAPH and place >= start]:
        if not _IN_PARAGRAPH.search(texts[place], 0, MAX_LOOK):
            continue
        if run and _goes_on(texts[run.last + 1 : place]):
            run = Run(run.first, place, run.size + len(texts[place]))
        else:
            if run:
                yield run
            run = Run(place, place, len(texts[place]))
    if run:
        yield run


def _begins_else(line: str) -> bool:
    return len(line) <= MAX_LINE and _ELSE.search(line) is not None


def _goes_on(between: Sequence[str]) -> bool:
    """Say whether a text goes on after lines that are no paragraphs."""
    return len(between) < MAX_GAP or (len(between) < MAX_PLAIN_GAP and not any(map(_begins_else, between)))
