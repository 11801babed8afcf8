"""MiBAT, mining data records based on anchor trees: siblings are posts when they agree around a date.

Idea. What users write differs from post to post and spoils the likeness of whole trees; what the template writes does
not. So trees are compared by a fragment that is most likely template: a date (the pivot) and its siblings (PS,
definition 3.2). Two siblings are anchor trees when their matching pairs a pivot of one with a pivot of the other and
at least THETA of the elements around these two (equation 3-1). A set of anchor trees grows from one tree: each
sibling that agrees with it on one of the pivots still in question joins, and only the pivots on which it agrees stay.

Reference. Song, Liu, Cao and Lin, Automatic extraction of web data records containing user-generated content, CIKM
2010, as a Chinese master's thesis of 2016 on a multi-channel news crawler describes it in chapter 3.2.

Where we differ. (1) We follow the thesis, which takes each anchor tree for a record; the paper goes on to look for
records that span several siblings. (2) The thesis names no limit: THETA was chosen on forum pages. (3) It does not say
which set is the posts when there are several: we take the one with most text, which did better than the one with most
trees. (4) A set is grown from at most MAX_SEEDS trees of a parent, and matching is bounded (see matching.py). (5) Trees
are of elements. (6) `mibat-any-date` is the same method with dates of any spelling for pivots.

Where it fails. Where siblings of the date differ: a first post that also shows clicks and replies, a reply that
quotes (thesis, §3.4.3, figures 3-8 and 3-9); posts of several elements; pages without absolute dates; one-post
threads. It gives no author; user card and signature are part of the text.

Cost. Two walks over the tree; O(n²) for each comparison of trees of n elements, bounded; at most MAX_SEEDS comparisons
for each child that has a pivot.
"""

from collections.abc import Iterator
from itertools import pairwise

from lxml import etree

from thresher.extraction.contract import Content, Favour
from thresher.extraction.forum.matching import Matcher, Shapes
from thresher.extraction.forum.pivots import Pivots, find_pivots
from thresher.extraction.forum.posts import Record, content_of
from thresher.html import Tree

# Chosen on 633 forum pages by the mean F1 of seven families of engines; best or tied with each left out in turn. From
# 0.3 to 0.65 the mean differs by .0004; from 0.7 on first posts of Discuz! are lost.
# `thresher bench sweep FORUMS --metrics posts --by engine --algorithm mibat-any-date --parameter theta=0.3:0.9:0.05`
THETA = 0.65
MAX_SEEDS = 8  # trees of a parent from which a set is grown
MAX_PIVOTS = 20  # of the tree a set grows from

Place = tuple[int, ...]  # positions of children on the way down from a tree's root
Anchors = list[Record]  # a set of anchor trees, each with its pivot


def extract_mibat(tree: Tree, *, model: str | None = None, favour: Favour = "balance", theta: float = THETA) -> Content:
    """Return the posts of a thread page in order, none where no siblings agree around a date; MiBAT has no model."""
    return _extract(tree, find_pivots(tree.body, "thesis"), theta)


def extract_mibat_any_date(
    tree: Tree, *, model: str | None = None, favour: Favour = "balance", theta: float = THETA
) -> Content:
    """Return the posts of a thread page as MiBAT does, with a date of any spelling for a pivot."""
    return _extract(tree, find_pivots(tree.body, "any"), theta)


def _extract(tree: Tree, pivots: Pivots, theta: float) -> Content:
    families = _families(tree.body, pivots)
    if not families:
        return content_of(tree, (), pivots, {})
    miner = Miner(tree.body, pivots, families, theta)
    sets = [anchors for family in families for anchors in miner.mine(family)]
    posts = max(sets, key=lambda anchors: sum(pivots.lengths[record.element] for record in anchors), default=[])
    return content_of(tree, posts, pivots, {"sets": len(sets)})


def _families(body: etree._Element, pivots: Pivots) -> list[list[etree._Element]]:
    """Return the siblings that have pivots, where there are two or more, in document order."""
    by_parent: dict[etree._Element | None, list[etree._Element]] = {}
    for element in pivots.counts:
        if element is not body:
            by_parent.setdefault(element.getparent(), []).append(element)
    return [family for family in by_parent.values() if len(family) > 1]


class Miner:
    """Grows sets of anchor trees among the siblings of one page."""

    def __init__(
        self, body: etree._Element, pivots: Pivots, families: list[list[etree._Element]], theta: float
    ) -> None:
        self._pivots = pivots
        self._shapes = Shapes(body)
        self._matcher = Matcher(self._shapes, MAX_SEEDS * sum(map(len, families)))
        self._theta = theta

    def mine(self, family: list[etree._Element]) -> Iterator[Anchors]:
        """Yield the sets of two or more anchor trees among siblings."""
        left = [tree for tree in family if tree in self._shapes.of]
        for _ in range(MAX_SEEDS):
            if len(left) < 2:
                return
            anchors = self.grow(left)
            taken = {record.element for record in anchors}
            left = [tree for tree in left[1:] if tree not in taken]
            if len(anchors) > 1:
                yield anchors

    def grow(self, trees: list[etree._Element]) -> Anchors:
        """Return the set that grows from the first tree: those after it which agree with it around one pivot."""
        seed, *others = trees
        places = self._places(seed)
        members = [(seed, places)]
        for other in others:
            agreed = self._agreed(seed, other, list(places))
            if agreed:
                # Only the pivots on which all agree so far can tell the next ones.
                places = {place: places[place] for place in agreed}
                members.append((other, agreed))
        if not places:
            return []
        best = max(places, key=lambda place: self._rises([found[place] for _, found in members]))
        return [Record(tree, found[best]) for tree, found in members]

    def _rises(self, pivots: list[etree._Element]) -> int:
        """Count how often the next date is no earlier: posts are in order of time, join dates on user cards are not."""
        moments = [self._pivots.moments[pivot] for pivot in pivots]
        return sum(one is not None and two is not None and one.at <= two.at for one, two in pairwise(moments))

    def _places(self, tree: etree._Element) -> dict[Place, etree._Element]:
        """Return the pivots of a tree by place."""
        places: dict[Place, etree._Element] = {}
        for pivot in self._pivots.inside(tree)[:MAX_PIVOTS]:
            way: list[int] = []
            node = pivot
            while node is not tree:
                parent = node.getparent()
                if parent is None or node not in self._shapes.of:
                    break
                way.append(self._shapes.inside[parent].index(node))
                node = parent
            else:
                places[tuple(reversed(way))] = pivot
        return places

    def _agreed(self, seed: etree._Element, other: etree._Element, places: list[Place]) -> dict[Place, etree._Element]:
        """Return the pivots of another tree that match those of the seed at these places, and agree around them."""
        agreed: dict[Place, etree._Element] = {}
        for place in places:
            likeness, node = self.compare(seed, other, place)
            if likeness >= self._theta and node in self._pivots.moments:
                agreed[place] = node
        return agreed

    def compare(self, seed: etree._Element, other: etree._Element, place: Place) -> tuple[float, etree._Element]:
        """Return how alike two trees are by pivot and siblings (equation 3-1), and what matches the seed's pivot."""
        shapes = self._shapes
        one, two, node = shapes.of[seed], shapes.of[other], other
        likeness = float(shapes.labels[one] == shapes.labels[two])
        for position in place:
            partner, likeness = self._partner(one, two, position)
            if partner is None:
                return 0.0, node
            one, two, node = shapes.children[one][position], shapes.children[two][partner], shapes.inside[node][partner]
        return likeness, node

    def _partner(self, one: int, two: int, position: int) -> tuple[int | None, float]:
        """Return which child is paired with one's child at a position, and the share of children that are paired."""
        if one == two:
            return position, 1.0
        pairs = self._matcher.pairs(one, two)
        children = len(self._shapes.children[one]) + len(self._shapes.children[two])
        return pairs.get(position), 2 * len(pairs) / max(children, 1)
