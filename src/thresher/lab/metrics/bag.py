"""Bag of text (FAR-SW and DGWC, eq. 6 to 8): tokens without their order, each weighing its bytes.

The papers measure a bag by "the length of output text in HTML bytes" and leave the bag's elements open; here they are
tokens, as in the NCE paper that both took the metric from, and the length is that of their UTF-8. Precision and recall
are averaged over pages, F1 is the harmonic mean of the two averages: the tables of both papers agree with it.
"""

from collections import Counter

from thresher.lab.metrics.overlap import Overlap
from thresher.lab.metrics.tokens import tokens_of


def bag_overlap(found: str, gold: str) -> Overlap:
    """Return the bytes of the common tokens, counted as often as both sides have them, and those of both sides."""
    ours, theirs = Counter(tokens_of(found)), Counter(tokens_of(gold))
    return Overlap(_bytes_in(ours & theirs), _bytes_in(ours), _bytes_in(theirs))


def _bytes_in(bag: Counter[str]) -> int:
    return sum(len(token.encode("utf-8", "surrogatepass")) * count for token, count in bag.items())
