"""Measure the text of each block: sizes, punctuation, stop words, and what its words are about."""

from thresher.extraction.learned.measure_texts import MEASURES, WIDTH, measure_texts

try:
    from thresher.extraction.learned._measure import measure
except ImportError:  # not compiled
    measure = measure_texts

__all__ = ["MEASURES", "WIDTH", "measure"]
