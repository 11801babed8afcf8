"""Shingles: the multiset of all windows of four tokens; order counts, but only nearby.

Precision and recall are averaged over all pages, an empty output counting 0; F1 is the harmonic mean of the two
averages. A text of one to three tokens is one window of all it has, so that a short text still has something to match.
"""

from collections import Counter

from thresher.lab.metrics.overlap import Overlap
from thresher.lab.metrics.tokens import tokens_of

WINDOW = 4  # tokens


def shingle_overlap(found: str, gold: str) -> Overlap:
    """Return how many windows are common, counted as often as both sides have them, and how many both sides have."""
    ours, theirs = _shingles(found), _shingles(gold)
    return Overlap((ours & theirs).total(), ours.total(), theirs.total())


def _shingles(text: str) -> Counter[tuple[str, ...]]:
    tokens = tokens_of(text)
    if len(tokens) < WINDOW:
        return Counter([tuple(tokens)] if tokens else [])
    return Counter(zip(*(tokens[start:] for start in range(WINDOW)), strict=False))
