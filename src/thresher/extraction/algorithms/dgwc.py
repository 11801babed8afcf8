"""DGWC's main text extraction: classify each line by six coarse features, then keep blocks that score well.

Idea. A page's source is cut into lines; each has an index, a length, the length of its text, the density of it, and
numbers of links and images, divided by the page's maximum. Every feature becomes Low, Middle or High by where it lies
between a minimum, mean and maximum known from training, and a classifier (SVM, naive Bayes or C4.5) says which of the
729 combinations are topical. Topical lines at most five lines apart are a block; a block whose lines score more than
1.5 on average, for much and dense text with few links and images, is main text.

Reference. The paper on DGWC, a distributed and generic web crawler for online information extraction, section III.

Where we differ. (1) Lines are re-flowed at block-level tags by default (`layout`): today's sources have no lines worth
the name. F1 of the shingles on 180 pages of articles/train, inter-site, trained and tested on re-flowed and on source
lines: SVM .836 and .748, naive Bayes .870 and .827, C4.5 .860 and .809. (2) <a> is in the list of useless tags, but
deleted altogether no line would have links: it counts for TextLength and LinkNum, not for OutputTextLength. Text in
links is output. (3) Condition 1 for a block is misprinted; FAR-SW has it right. Both border lines belong to the block.
(4) MIN, MEAN and MAX are those of the training pages, with the centre of each page as its topical region. (5) Where no
block passes 1.5, which is so on 96 of 100 pages, those that score half as well as the best one are taken (`strict` for
the paper's rule: F1 .037). (6) Besides the listed tags we drop what a browser does not show (tags.UNSEEN); a <form>
stays where nothing would be left without it. (7) A classifier over 729 combinations is a table of 729 answers, and the
model holds just that.

Where it fails. Pages whose paragraphs are short beside one long line; short articles among long teasers; text inside
a <form>, which is a useless tag; lists and headings at the edge of a block.

Cost. One pass over the source, O(size); no tree.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from thresher.extraction.line_model import by_lines, layout_from, scopes_from
from thresher.extraction.lines import Layout
from thresher.extraction.regions import Scope, three_regions

LEVELS = "LMH"  # Low, Middle, High


@dataclass(frozen=True, slots=True)
class DgwcModel:
    """The layout it was trained on, a scope for each feature, and the topical cells: a level a feature, as LMMHLL."""

    layout: Layout
    scopes: tuple[Scope, ...]
    topical: frozenset[str]

    def is_topical(self, row: Sequence[float]) -> bool:
        """Say whether the classifier takes a line for topical."""
        return cell_of(row, self.scopes) in self.topical


def model_from(values: Mapping[str, Any]) -> DgwcModel:
    """Build a model from the values of its file; raise KeyError, TypeError or ValueError when it is damaged."""
    return DgwcModel(layout_from(values), scopes_from(values), frozenset(map(str, values["topical"])))


extract_dgwc_svm = by_lines("dgwc-svm", model_from)  # support vector machine
extract_dgwc_nb = by_lines("dgwc-nb", model_from)  # naive Bayes
extract_dgwc_c45 = by_lines("dgwc-c45", model_from)  # decision tree


def cell_of(row: Sequence[float], scopes: Sequence[Scope]) -> str:
    """Return the level of each feature of a line: the region that it lies in most, the lower one of two equal ones."""
    levels = []
    for value, scope in zip(row, scopes, strict=True):
        regions = three_regions(value, scope)
        levels.append(LEVELS[regions.index(max(regions))])
    return "".join(levels)
