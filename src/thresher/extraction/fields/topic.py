"""The topic of a thread: the part of <title> that the page shows as its headline, without board and forum.

Forums write "Topic - Board - Forum", "Forum :: View topic - Topic" or "tag - Topic - Forum"; which part is which, the
page itself tells, since it shows the topic above its posts.
"""

import re
from collections.abc import Container, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from thresher.extraction.fields.clues import Clues
from thresher.extraction.fields.found import Found, found
from thresher.extraction.fields.home import name_in_title, without_name
from thresher.extraction.fields.near import Shown
from thresher.html import Tree

SEEN_BLOCKS = 400  # from the top, among which the topic is looked for
MAX_PARTS = 12  # of a title that are looked at
MAX_MARKS = 16  # characters of marks and labels around a topic: "» Topic", "Topic [copy link]"

_BORDER = re.compile(r"\s*[|_»›•｜]+\s*|\s+(?:[-–—~/]+|::?)\s+|(?<=[^\x00-\x7f])[-–—]+(?=[^\x00-\x7f])")
_FORUM_FIRST = ("•", "::")  # what some engines write after the name of the forum, which then comes first
_BEFORE_FORUM = ("•", "|", "»", "")  # what stands after "view topic" where the topic came before
_PAGE = re.compile(r"\s*\([^()]{0,12}\d{1,4}\)$")  # "(Page 2)"
_LABEL = re.compile(r"\s*\[[^\[\]]{2,12}\]$")  # "[copy link]", which an engine writes into its headline
_EDGES = " \t»›>:#-–—•|"
_HEADINGS = frozenset(("h1", "h2", "h3", "h4"))
# What an engine says before the topic, in the languages it comes in.
_VIEWING = re.compile(
    r"view (?:topic|thread|forum)|thema an(?:zeigen|sehen)|(?:voir|consulter|afficher) le sujet|ver t(?:ema|ópico)"
    r"|exibir tópico|(?:leggi|visualizza) argomento|(?:bekijk|toon) onderwerp|zobacz temat|zobrazit téma|просмотр темы"
    r"|téma megtekintése|visa ämne|vis emne|näytä aihe|(?:başlık|konu) görüntüleniyor|(?:查看|阅读)主题|檢視主題"
    r"|觀看文章|トピックを表示|주제 보기",
    re.IGNORECASE,
)


class _Part(NamedTuple):
    """A part of a title, from `start` up to `end`, and the mark that parts it from the next; empty for the last."""

    start: int
    end: int
    mark: str


def find_topic(tree: Tree, clues: Clues, page: Sequence[Shown]) -> Found[str] | None:
    """Return the topic; None where neither a part of <title> nor a label in the headline tells it."""
    title = clues.title
    parts = _parts(title)
    if len(parts) == 1:
        return _without_label(clues)
    is_forum_first = parts[0].mark in _FORUM_FIRST or _begins_with_forum(tree, title)
    return _in_title(title, parts, page, is_forum_first) or _without_label(clues)


def _begins_with_forum(tree: Tree, title: str) -> bool:
    """Say whether a title begins with the name of the forum, as the link to its front page shows it."""
    forum = name_in_title(tree, title)
    return bool(forum) and title.endswith(without_name(title, forum))


def _parts(title: str) -> list[_Part]:
    borders = list(islice(_BORDER.finditer(title), MAX_PARTS))
    starts = [0, *(border.end() for border in borders)]
    ends = [*(border.start() for border in borders), len(title)]
    marks = [*(border.group().strip() for border in borders), ""]
    return [_Part(*part) for part in zip(starts, ends, marks, strict=True)]


def _without_label(clues: Clues) -> Found[str] | None:
    """Return an <h1> that ends with a label which <title> has not, without it."""
    for heading in clues.headings:
        label = _LABEL.search(heading)
        if label and label.start() and label.group().strip() not in clues.title:
            return found(heading[: label.start()], "h1", 0.7, heading)
    return None


def _in_title(title: str, parts: Sequence[_Part], page: Sequence[Shown], is_forum_first: bool) -> Found[str] | None:
    if topic := _beside_viewing(title, parts):
        return found(topic, "title", 0.85, title)
    topics = parts[1:] if is_forum_first else parts[:-1]
    as_heading, as_line = _shown(set(_runs(title, topics)) - {""}, page)
    if not as_heading and not as_line and not is_forum_first:  # "Forum - Topic"
        as_heading, _ = _shown({title[parts[1].start :].strip()}, page, ("h1",))
    if as_heading:
        return found(max(as_heading, key=len), "heading = title", 0.9, title)
    begins = [run for run in as_line if title.startswith(run)] or as_line
    return found(max(begins, key=len), "shown = title", 0.75, title) if begins else None


def _beside_viewing(title: str, parts: Sequence[_Part]) -> str:
    """Return what follows, or else comes before, the part that says "view topic"; empty without such a part."""
    for number, part in enumerate(parts):
        if _VIEWING.fullmatch(title[part.start : part.end].strip()):
            if part.mark in _BEFORE_FORUM:
                return title[: parts[number - 1].end].strip() if number else ""
            return title[parts[number + 1].start :].strip()
    return ""


def _runs(title: str, parts: Sequence[_Part]) -> Iterator[str]:
    """Yield the parts of a title and what neighbours make together."""
    for number, first in enumerate(parts):
        for last in parts[number:]:
            run = title[first.start : last.end].strip()
            yield run
            yield _PAGE.sub("", run)


def _shown(runs: set[str], page: Sequence[Shown], headings: Container[str] = _HEADINGS) -> tuple[list[str], list[str]]:
    """Return the runs that are shown as headings, and those that are shown at all, marks and labels aside."""
    least, most = min(map(len, runs), default=0), max(map(len, runs), default=0) + MAX_MARKS
    as_heading: list[str] = []
    as_line: list[str] = []
    for line in page[:SEEN_BLOCKS]:
        if least <= len(line.text) <= most and (run := _LABEL.sub("", line.text).strip(_EDGES)) in runs:
            (as_heading if line.tag in headings else as_line).append(run)
    return as_heading, as_line
