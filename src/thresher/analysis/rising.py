"""Rising words: what is written about lately that was not before.

For each word, the documents that hold it are counted in a recent time (r of R documents) and in the time before (b of
B). With (r + ½) / (R + 1) and (b + ½) / (B + 1) as its shares, so that a word nobody wrote before does not rise without
bound, its weight is

    r × log2(recent share / earlier share)

which is large for words that rise steeply and that many documents hold. Words that fewer than MIN_DOCUMENTS recent
documents hold, or whose share has not doubled, do not count as rising. Words, not phrases, are counted; documents and
not occurrences, so that one long text does not decide.
"""

import math
from collections.abc import Iterable
from typing import NamedTuple

from thresher.analysis.zipf import WordCounts
from thresher.text import has_cjk

MIN_DOCUMENTS = 3
MIN_GROWTH = 2.0  # of a word's share
MIN_LETTERS = 3  # of a word; of a Chinese one MIN_HAN
MIN_HAN = 2
_RECENT, _EARLIER = "recent", "earlier"


class Rising(NamedTuple):
    """A word, how strongly it rises, and in how many documents it is found, lately and before."""

    word: str
    weight: float
    recent: int
    earlier: int


class RisingWords:
    """Counts the words of two times, in bounded memory, and tells which rise."""

    def __init__(self) -> None:
        self._counts = WordCounts()

    def add(self, words: Iterable[str], *, recent: bool) -> None:
        """Count the words of one document."""
        self._counts.add(_RECENT if recent else _EARLIER, (word for word in words if _may_be_keyword(word)))

    @property
    def documents(self) -> tuple[int, int]:
        """How many documents were counted, recent and earlier ones."""
        return self._counts.documents[_RECENT], self._counts.documents[_EARLIER]

    def top(self, number: int) -> list[Rising]:
        """Return the words that rise most, the strongest first."""
        recent, earlier = self.documents
        found = []
        for word, _ in self._counts.ranked(_RECENT):
            held = self._counts.holders(_RECENT, word)
            before = self._counts.holders(_EARLIER, word) if earlier else 0
            growth = ((held + 0.5) / (recent + 1)) / ((before + 0.5) / (earlier + 1))
            if held >= MIN_DOCUMENTS and growth >= MIN_GROWTH:
                found.append(Rising(word, held * math.log2(growth), held, before))
        return sorted(found, key=lambda each: (-each.weight, each.word))[:number]


def _may_be_keyword(word: str) -> bool:
    return not any(map(str.isdigit, word)) and len(word) >= (MIN_HAN if has_cjk(word) else MIN_LETTERS)
