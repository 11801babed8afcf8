"""Longest common subsequence of what was found and the gold (CEVC thesis, §2.4.1, eq. 2-13 to 2-16).

A Chinese page is a sequence of characters, as in the thesis; another a sequence of tokens, on which the thesis is
silent. White space never counts: it comes from the markup, not from the author. Over several pages the lengths are
added up, not the shares averaged (eq. 2-15).
"""

from thresher.errors import MissingExtra
from thresher.lab.metrics.overlap import Overlap
from thresher.lab.metrics.tokens import is_cjk, tokens_of


def lcs_overlap(found: str, gold: str) -> Overlap:
    """Return the length of the longest common subsequence and of both sides; raise MissingExtra without rapidfuzz."""
    by_character = is_cjk(gold)
    ours, theirs = _sequence(found, by_character), _sequence(gold, by_character)
    return Overlap(_common_length(ours, theirs), len(ours), len(theirs))


def score(overlap: Overlap) -> float:
    """Return what is common by what is in either (eq. 2-16); 1 where both sides are empty."""
    union = overlap.found + overlap.gold - overlap.common
    return overlap.common / union if union else 1.0


def _sequence(text: str, by_character: bool) -> list[str]:
    return list("".join(text.split())) if by_character else tokens_of(text)


def _common_length(ours: list[str], theirs: list[str]) -> int:
    try:
        from rapidfuzz.distance import LCSseq
    except ImportError as error:
        raise MissingExtra("the metric `lcs` needs rapidfuzz: pip install 'thresher[bench]'") from error
    return int(LCSseq.similarity(ours, theirs))
