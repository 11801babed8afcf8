"""Train FAR-SW: fuzzy regions of the topical lines, the frequent one of each feature, and Apriori over them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import fsum

from thresher.extraction.algorithms.far_sw import SIGNIFICANCE, TWO_REGIONS, Region, memberships
from thresher.extraction.lines import Layout
from thresher.extraction.models import decode_model, encode_model
from thresher.lab.pages import LabelledPage
from thresher.lab.train.lines import card_of, gather, scopes_over

MIN_SUPPORT = 0.5  # a set of regions must occur in more than this share of the topical lines (step 5)

Rule = frozenset[Region]


@dataclass(frozen=True, slots=True)
class FarSwTrainer:
    """Trains far-sw, or far-sw-2 with two regions for lengths and links."""

    algorithm: str
    layout: Layout = "flowed"

    def train(self, pages: Sequence[LabelledPage]) -> bytes:
        """Return the content of a model file; raise UsageError when the pages hold nothing to learn from."""
        gathered = gather(pages, self.layout)
        scopes = scopes_over(gathered, [lines.labels for lines in gathered])
        two = TWO_REGIONS if self.algorithm == "far-sw-2" else ""
        fuzzy = [
            memberships(row, scopes, two)
            for lines in gathered
            for row, label in zip(lines.rows(), lines.labels, strict=True)
            if label
        ]
        levels = apriori(significant(fuzzy, frequent(cardinalities(fuzzy))))
        return encode_model(
            self.algorithm,
            {
                "layout": self.layout,
                "scopes": scopes,
                "rules": [sorted(rule) for rule in levels[-1]] if levels else [],
                "trained_on": card_of(pages, gathered),
            },
        )

    def describe(self, model: bytes) -> Mapping[str, str]:
        """Return the mean number of lines a page has, and the rules, as in Table 9."""
        values = decode_model(model, self.algorithm)
        pages = sum(values["trained_on"]["pages"].values())
        rules = "; ".join(f"({', '.join(rule)})" for rule in values["rules"])
        return {"lines a page": f"{values['trained_on']['lines'] / pages:.0f}", "rules": rules}


def cardinalities(fuzzy: Sequence[Mapping[Region, float]]) -> dict[Region, float]:
    """Return the sum of the memberships in each region over all topical lines (step 2)."""
    return {region: fsum(line[region] for line in fuzzy) for region in fuzzy[0]}


def frequent(counts: Mapping[Region, float]) -> list[Region]:
    """Return the region of highest cardinality of each item, the lower one of two equal ones (step 3)."""
    items = dict.fromkeys(region.partition(".")[0] for region in counts)
    return [
        max((region for region in counts if region.startswith(f"{item}.")), key=counts.__getitem__) for item in items
    ]


def significant(fuzzy: Iterable[Mapping[Region, float]], regions: Iterable[Region]) -> list[Rule]:
    """Return for each topical line the frequent regions in which it lies to SIGNIFICANCE or more (step 4)."""
    wanted = list(regions)
    return [frozenset(region for region in wanted if line[region] >= SIGNIFICANCE) for line in fuzzy]


def apriori(lines: Sequence[Rule], min_support: float = MIN_SUPPORT) -> list[list[Rule]]:
    """Return the sets of regions that more than `min_support` of the lines hold, by size, the single ones first."""
    levels: list[list[Rule]] = []
    candidates = [frozenset([region]) for region in sorted(frozenset[Region]().union(*lines))]
    while candidates:
        level = [each for each in candidates if sum(each <= line for line in lines) > min_support * len(lines)]
        if not level:
            break
        levels.append(level)
        candidates = _grown(level)
    return levels


def _grown(level: Sequence[Rule]) -> list[Rule]:
    """Return the sets of one region more, all of whose subsets of this size are frequent."""
    size = len(level[0]) + 1
    known = set(level)
    joined = {one | other for one, other in combinations(level, 2) if len(one | other) == size}
    kept = (each for each in joined if all(each - {region} in known for region in each))
    return sorted(kept, key=sorted)
