"""Lay a page out flat, in C where that could be compiled."""

from thresher.extract.forum.flat_tree import lay_flat_tree

try:
    from thresher.extract.forum._flat import lay_flat
except (ImportError, ValueError):  # not compiled, or compiled for an lxml whose structures are others
    lay_flat = lay_flat_tree

__all__ = ["lay_flat"]
