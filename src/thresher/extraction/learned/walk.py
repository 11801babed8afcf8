"""Cut a page's body into blocks in one walk, with the elements around them: the table that all features are made of."""

from thresher.extraction.learned.table import (
    PLAIN,
    SHAPE_CODE,
    SHAPE_NAMES,
    SWOLLEN,
    TAG_CODE,
    TAGS,
    Table,
)
from thresher.extraction.learned.walk_tree import is_swollen, walk_tree

try:
    from thresher.extraction.learned._walk import walk
except (ImportError, ValueError):  # not compiled, or compiled for an lxml whose structures are others
    walk = walk_tree

__all__ = ["PLAIN", "SHAPE_CODE", "SHAPE_NAMES", "SWOLLEN", "TAGS", "TAG_CODE", "Table", "is_swollen", "walk"]
