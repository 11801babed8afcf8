"""From bytes to a tree that is parsed once and then only read."""

from thresher.html.decode import Decoded, decode
from thresher.html.tree import Tree, parse

__all__ = ["Decoded", "Tree", "decode", "parse"]
