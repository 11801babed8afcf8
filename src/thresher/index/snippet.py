"""Passages: the pieces of a text where a query's words stand closest, and where in them they are."""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

from thresher.index import tokens
from thresher.index.nodes import Query
from thresher.index.stems import Stems
from thresher.model import FoundPost, Hit, Passage
from thresher.model.search import Marks

WIDTH = 200  # characters of a snippet
LEAD = 40  # of these before the first match
POSTS = 5  # of a document that are named
MAX_WORDS = 40  # of a query that are looked for
MAX_MATCHES = 2000  # of one word that are looked at
STRETCH = 100_000  # characters read at a time
MAX_JOINED = 32  # marks on one character; text with more is made to hurt
CUT = "…"

_Finder = Callable[[str], Iterator[re.Match[str]]]
_WORD = re.compile(r"[^\W\d_]+")


class _Match(NamedTuple):
    start: int
    end: int
    word: int


class Standing(NamedTuple):
    """A post, and where in the text of its document it stands."""

    start: int
    stop: int
    post: FoundPost


class Highlighter:
    """Finds the words of one query in the texts of its hits, by the offsets of the tokens that the index is made of."""

    def __init__(self, query: Query, stems: Stems | None = None) -> None:
        self._words = list(islice(query.words(), MAX_WORDS))
        self._stems = stems or Stems()

    def hit(self, text: str, passages: int, *, title: str, **facts: Any) -> Hit:
        """Return a hit with the best passages of its text, and with the matches in its title."""
        best = self.passages(text, passages)
        marks = _merged(title, self._matches(title, self._finders("title")))
        first = max(best, key=lambda passage: len(passage.marks))
        more = best if passages > 1 else ()
        return Hit(title=title, title_marks=marks, snippet=first.text, marks=first.marks, passages=more, **facts)

    def passages(self, text: str, count: int = 1, width: int = WIDTH) -> tuple[Passage, ...]:
        """Return the passages of some `width` characters with the densest matches, in the order of the text.

        If there are no matches it is the beginning.
        """
        finders = self._finders("body")
        matches: list[_Match] = []
        for offset in range(0, max(len(text), 1), STRETCH) if finders else ():
            stretch = text[offset : offset + STRETCH + width]
            found = self._matches(stretch, finders)
            matches += [_Match(m.start + offset, m.end + offset, m.word) for m in found if m.start < STRETCH]
            if len(matches) >= MAX_MATCHES:
                break
        if not matches:
            return (_cut(text, [], 0, width),)
        return tuple(_cut(text, matches, first, width) for first in sorted(_best(matches, count, width)))

    def marks(self, text: str) -> Marks:
        """Return where in a whole text, or a part of it, the matches are."""
        return _merged(text, self._matches(text, self._finders("body")))

    def posts(self, text: str, posts: Sequence[Standing]) -> tuple[tuple[FoundPost, ...], int]:
        """Return the posts of a document in which most of the words stand, in its order, and how many have any."""
        words: list[set[int]] = [set() for _ in posts]
        starts = [post.start for post in posts]
        for match in self._everywhere(text) if posts and self._words else ():
            number = bisect_right(starts, match.start) - 1
            if number >= 0 and match.start < posts[number].stop:
                words[number].add(match.word)
        finders = self._finders("author")
        for post, found in zip(posts, words, strict=True):
            found.update(-1 - match.word for match in self._matches(post.post.author or "", finders))
        holding = [number for number, found in enumerate(words) if found]
        best = sorted(holding, key=lambda number: (-len(words[number]), number))[:POSTS]
        return tuple(posts[number].post for number in sorted(best)), len(holding)

    def _everywhere(self, text: str) -> Iterator[_Match]:
        """Yield the matches of the whole text, of each word at most MAX_MATCHES in a stretch."""
        finders = self._finders("body")
        for offset in range(0, len(text), STRETCH):
            for match in self._matches(text[offset : offset + STRETCH + WIDTH], finders):
                if match.start < STRETCH:
                    yield _Match(match.start + offset, match.end + offset, match.word)

    def _finders(self, field: str) -> list["_Finder"]:
        """Return what finds each word that may stand in a field."""
        found: list[_Finder] = []
        for words in self._words:
            pattern = tokens.pattern(words.text, prefix=words.prefix)
            if pattern and words.field in (None, field):
                found.append(pattern.finditer)
                stems = self._stems.of(words.text) if not words.field and not words.prefix else ()
                found += [self._stem_finder(stem) for stem in stems]
        return found

    def _stem_finder(self, stem: str) -> "_Finder":
        def find(text: str) -> Iterator[re.Match[str]]:
            return (match for match in _WORD.finditer(text) if stem in (match[0], *self._stems.of(match[0])))

        return find

    def _matches(self, text: str, finders: Sequence["_Finder"]) -> list[_Match]:
        if not finders:
            return []
        folded = tokens.fold(text)
        matches = [
            _Match(*folded.span(*match.span()), word)
            for word, find in enumerate(finders)
            for match in islice(find(folded.text), MAX_MATCHES)
        ]
        return sorted(matches)


def snippet(text: str, query: Query, width: int = WIDTH) -> tuple[str, Marks]:
    """Return some `width` characters around the densest matches, or the beginning if there are none, and the marks."""
    (passage,) = Highlighter(query).passages(text, 1, width)
    return passage.text, passage.marks


def _best(matches: Sequence[_Match], count: int, width: int) -> list[int]:
    """Return where the best passages begin, each away from the ones before it."""
    starts: list[int] = []
    left = list(matches)
    while left and len(starts) < count:
        start = _densest(left, width)
        starts.append(start)
        left = [match for match in left if abs(match.start - start) >= width]
    return starts


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


def _cut(text: str, matches: Sequence[_Match], first: int, width: int) -> Passage:
    start = _soft_start(text, first, width)
    end = _soft_end(text, start, max(start + width, first + 1))
    inside = (match for match in matches if match.start >= start and match.start < end)
    marks = [(max(s, start), min(e, end)) for s, e in _merged(text, inside)]
    before = CUT if text[:start].strip() else ""
    after = CUT if text[end:].strip() else ""
    shift = len(before) - start
    passage = re.sub(r"\s", " ", text[start:end])  # one for one: the marks stay right
    return Passage(f"{before}{passage}{after}", tuple((s + shift, e + shift) for s, e in marks))


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
