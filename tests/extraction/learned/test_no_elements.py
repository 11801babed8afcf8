"""A table with texts and no element around them is refused before anything is read from it."""

import pytest
from lxml import html

from thresher.errors import ExtractionError
from thresher.extraction.extractor import extract_tree
from thresher.html import Tree


def test_a_tree_of_nothing_but_an_inline_element_is_refused() -> None:
    root = html.fragment_fromstring("<span>The ferry has made its last crossing.</span>")
    with pytest.raises(ExtractionError):
        extract_tree(Tree(root=root, url=None, base_url=None, encoding=None, size=50))
