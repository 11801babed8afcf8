"""Lay a page out flat, in C where that could be compiled."""

from thresher.extraction.forum.flat_tree import lay_flat_tree

try:
    from thresher.extraction.forum._flat import lay_flat
except (ImportError, TypeError, ValueError):  # not compiled with the layout, or for an lxml of other structures
    lay_flat = lay_flat_tree

__all__ = ["lay_flat"]
