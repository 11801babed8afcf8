"""Snippets: the passage of a text where a query's words stand closest, and where in it they are."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from thresher.index import tokens
from thresher.index.nodes import Query

Marks = tuple[tuple[int, int], ...]

WIDTH = 200  # characters of a snippet
LEAD = 40  # of these before the first match
MAX_WORDS = 40  # of a query that are looked for
MAX_MATCHES = 2000  # of one word that are looked at
STRETCH = 100_000  # characters read at a time; the first stretch with a match gives the snippet
MAX_JOINED = 32  # marks on one character; text with more is made to hurt
CUT = "…"


class _Match(NamedTuple):
    start: int
    end: int
    word: int


def snippet(text: str, query: Query, width: int = WIDTH) -> tuple[str, Marks]:
    """Return some `width` characters around the densest matches, or the beginning if there are none, and the marks."""
    patterns = _patterns(query)
    for offset in range(0, max(len(text), 1), STRETCH) if patterns else ():
        stretch = text[offset : offset + STRETCH + width]
        matches = _matches(stretch, patterns)
        if matches:
            matches = [_Match(m.start + offset, m.end + offset, m.word) for m in matches]
            return _cut(text, matches, _densest(matches, width), width)
    return _cut(text, [], 0, width)


def _patterns(query: Query) -> list[re.Pattern[str]]:
    wanted = (words for words in query.words() if words.field in (None, "body"))
    found = [tokens.pattern(words.text, prefix=words.prefix) for words in islice(wanted, MAX_WORDS)]
    return [pattern for pattern in found if pattern]


def _matches(text: str, patterns: Sequence[re.Pattern[str]]) -> list[_Match]:
    if not patterns:
        return []
    folded = tokens.fold(text)
    matches = [
        _Match(*folded.span(*match.span()), word)
        for word, pattern in enumerate(patterns)
        for match in islice(pattern.finditer(folded.text), MAX_MATCHES)
    ]
    return sorted(matches)


def _densest(matches: Sequence[_Match], width: int) -> int:
    """Return where the passage begins that holds the most different words, then the most matches."""
    best, best_start, last = (0, 0), matches[0].start, 0
    inside: dict[int, int] = {}
    for first, match in enumerate(matches):
        while last < len(matches) and matches[last].end <= match.start + width - LEAD:
            inside[matches[last].word] = inside.get(matches[last].word, 0) + 1
            last += 1
        density = (sum(count > 0 for count in inside.values()), last - first)
        if density > best:
            best, best_start = density, match.start
        if last > first:
            inside[match.word] -= 1
        last = max(last, first + 1)
    return best_start


def _cut(text: str, matches: Sequence[_Match], first: int, width: int) -> tuple[str, Marks]:
    start = _soft_start(text, first, width)
    end = _soft_end(text, start, max(start + width, first + 1))
    inside = (match for match in matches if match.start >= start and match.start < end)
    marks = [(max(s, start), min(e, end)) for s, e in _merged(text, inside)]
    before = CUT if text[:start].strip() else ""
    after = CUT if text[end:].strip() else ""
    shift = len(before) - start
    passage = re.sub(r"\s", " ", text[start:end])  # one for one: the marks stay right
    return f"{before}{passage}{after}", tuple((s + shift, e + shift) for s, e in marks)


def _soft_start(text: str, first: int, width: int) -> int:
    """Begin a little before a match, after a space or at a character that stands alone; earlier if the text ends."""
    start = max(0, min(first - LEAD, len(text) - width))
    if start == 0:
        return 0
    for place in range(start, min(first, start + LEAD // 2)):
        if not text[place - 1].isalnum() and not text[place].isspace():
            return _whole(text, place)
    return _whole(text, start)


def _soft_end(text: str, start: int, end: int) -> int:
    if end >= len(text):
        return len(text)
    for place in range(end, max(start, end - LEAD // 2), -1):
        if text[place].isspace():
            return place
    return _whole(text, end)


def _whole(text: str, place: int) -> int:
    """Move a cut behind the marks, joiners and half pairs that belong to the character before it."""
    for _ in range(MAX_JOINED):
        if place >= len(text) or not (_joins(text[place]) or (place > 0 and text[place - 1] == "\u200d")):
            break
        place += 1
    return place


def _joins(char: str) -> bool:
    return unicodedata.category(char)[0] == "M" or char in "\u200d\uff9e\uff9f" or "\udc00" <= char <= "\udfff"


def _merged(text: str, matches: Sequence[_Match] | Iterator[_Match]) -> Marks:
    marks: list[tuple[int, int]] = []
    for start, end, _ in matches:
        whole_end = _whole(text, end)
        if marks and start <= marks[-1][1]:
            marks[-1] = (marks[-1][0], max(marks[-1][1], whole_end))
        else:
            marks.append((start, whole_end))
    return tuple(marks)
