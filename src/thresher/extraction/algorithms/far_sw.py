"""FAR-SW: mark lines by fuzzy association rules over six features, then keep blocks that score well.

Idea. Lines and features are those of DGWC, which took them from here. Each feature of a line belongs to fuzzy regions,
Low, Middle and High, to some degree. From the topical lines of training pages Apriori finds which regions occur
together; the rules with the most regions are kept, for example "Middle index, High density, Low links, Low images". A
line that lies in all regions of a rule to 0.5 or more is topical. A window of five lines gathers topical lines into
blocks, and blocks whose lines score more than 1.5 on average are main text. `far-sw-2` gives both lengths and the links
two regions, Low' and High', so that sites of long lines and of linked words fit one rule.

Reference. Bu, Zhang, Xia, Wang: "An FAR-SW based approach for webpage information extraction", Information Systems
Frontiers 16 (2014), sections 3 and 4.1.

Where we differ. (1) Lines are re-flowed at block-level tags by default (`layout`), and (2) <a> counts for TextLength
and LinkNum, not for OutputTextLength: see DGWC. (3) Figures 3 and 7 are lost. Figure 3 follows from Tables 3 to 5; for
Figure 7, Low' falling linearly from L to H is a reading. (4) On unseen pages MIN, Mean and MAX are those of training.
(5) Where no block passes 1.5, which is so on 93 of 100 pages, those that score half as well as the best one are taken
(`strict` for the paper's rule: F1 .060). F1 of the shingles on 180 pages of articles/train, inter-site, trained and
tested on re-flowed and on source lines: far-sw .834 and .600, far-sw-2 .701 and .540.

Where it fails. Where DGWC does; and one rule of a few regions draws a box around the topical lines, so that few kinds
of lines fit. On many sites at once neither the index nor the lengths are frequent enough to enter a rule. What is most
frequent in topical lines may be as frequent in others: with two regions the lengths are Low', and the rule then
outranks the one that asks for density.

Cost. One pass over the source, O(size); training is one pass over the topical lines, for at most 63 sets of regions.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from thresher.extraction.line_model import by_lines, layout_from, scopes_from
from thresher.extraction.lines import Layout
from thresher.extraction.regions import Scope, three_regions, two_regions

SIGNIFICANCE = 0.5  # the least membership that counts (step 4)
ITEMS = "ABCDEF"  # the papers' letters for the features
TWO_REGIONS = "BCE"  # the items that far-sw-2 gives two regions (Fig. 7)

Region = str  # such as A.Middle or B.High'


@dataclass(frozen=True, slots=True)
class FarSwModel:
    """The layout it was trained on, a scope for each feature, and the rules of highest order."""

    layout: Layout
    scopes: tuple[Scope, ...]
    rules: tuple[frozenset[Region], ...]
    two: str = ""  # the items that have two regions

    def is_topical(self, row: Sequence[float]) -> bool:
        """Say whether a line fits a rule."""
        return is_topical(memberships(row, self.scopes, self.two), self.rules)


def model_from(values: Mapping[str, Any]) -> FarSwModel:
    """Build a model from the values of its file; raise KeyError, TypeError or ValueError when it is damaged."""
    scopes = scopes_from(values)
    rules = tuple(frozenset(map(str, rule)) for rule in values["rules"])
    two = TWO_REGIONS if values["algorithm"] == "far-sw-2" else ""
    known = memberships([0.0] * len(scopes), scopes, two)
    for rule in rules:
        if not rule or not rule <= known.keys():
            raise ValueError(f"no rule: {sorted(rule)}")
    return FarSwModel(layout_from(values), scopes, rules, two)


extract_far_sw = by_lines("far-sw", model_from)
extract_far_sw_2 = by_lines("far-sw-2", model_from)


def memberships(row: Sequence[float], scopes: Sequence[Scope], two: str = "") -> dict[Region, float]:
    """Return how far a line lies in each region (step 1); items named in `two` have two regions, the others three."""
    found: dict[Region, float] = {}
    for item, value, scope in zip(ITEMS, row, scopes, strict=True):
        if item in two:
            found[f"{item}.Low'"], found[f"{item}.High'"] = two_regions(value, scope)
        else:
            found[f"{item}.Low"], found[f"{item}.Middle"], found[f"{item}.High"] = three_regions(value, scope)
    return found


def is_topical(membership: Mapping[Region, float], rules: Sequence[frozenset[Region]]) -> bool:
    """Say whether a line lies significantly in every region of some rule (step 6)."""
    return any(all(membership[region] >= SIGNIFICANCE for region in rule) for rule in rules)
