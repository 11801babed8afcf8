"""PEAN, post extraction via anchor nodes: walk down to where the dates spread evenly, keep children alike in shape.

Idea. Every post shows when it was written, and all posts of a page are children of one element. Pivots are the lowest
elements that hold a date. From <body> we step into the child with most pivots until the pivots spread evenly over
several children: their relative mean deviation (RMD) is below ALPHA, and the largest child's share of them (MPR) below
BETA (algorithm 3.2). Among the children with pivots the largest is taken for a post, the others by how many elements
match it (algorithm 3.1), highest first, until a number is less than half of the one before (algorithm 3.3).

Reference. A Chinese master's thesis of 2016 on a multi-channel news crawler, chapter 3.3 (definitions 3.3 to 3.8,
algorithms 3.1 to 3.3, example 3.1).

Where we differ. (1) The thesis prints neither limits nor expression: ALPHA and BETA were chosen on forum pages, the
expression reads the three examples it gives. (2) Text in different blocks does not run together, so that a number in
the cell before is no part of the date. (3) Trees are of elements; the thesis may have counted pieces of text, too.
(4) Matching is bounded (see matching.py). (5) `pean-any-date` is the same method with dates of any spelling for pivots,
since the thesis's are those of Chinese forums; it has limits of its own.

Where it fails. Pages without absolute dates; one-post threads; posts of several elements, or not all children of
one; dates in quotes, side columns and user cards, when they are many; posts with comments of their own.
It gives no author; the first date in the post is taken for its time; user card and signature are part of the text.

Cost. One walk over the tree, O(h) steps down, O(m n²) for matching m posts of n elements, bounded.
"""

from typing import NamedTuple

from lxml import etree

from thresher.extraction.contract import Content, Favour
from thresher.extraction.forum.matching import Matcher, Shapes
from thresher.extraction.forum.pivots import Pivots, find_pivots
from thresher.extraction.forum.posts import Record, content_of
from thresher.html import Tree

# Chosen on 633 forum pages by the mean F1 of the families of engines that show such dates (four; seven for ANY_). With
# each family left out in turn: ALPHA from 0.5 to 0.8 and BETA from 0.7 to 0.75 are best or tie. ANY_BETA is 0.45 or
# 0.55, and ANY_ALPHA 1.0 but without Stack Exchange, whose answers have comments of their own: then all from 0.6 tie.
# `thresher bench sweep FORUMS --metrics posts --by engine --algorithm pean:beta=0.7 --parameter alpha=0.3:1.5:0.1`
ALPHA = 0.6
BETA = 0.7
ANY_ALPHA = 1.0
ANY_BETA = 0.55


class Spread(NamedTuple):
    """How the pivots of an element spread over its children: RMD, MPR, and the children that have any."""

    rmd: float
    mpr: float
    children: list[etree._Element]
    largest: etree._Element  # of equals the first


def extract_pean(
    tree: Tree, *, model: str | None = None, favour: Favour = "balance", alpha: float = ALPHA, beta: float = BETA
) -> Content:
    """Return the posts of a thread page in order, none where no element's pivots spread evenly; PEAN has no model."""
    return _extract(tree, find_pivots(tree.body, "thesis"), alpha, beta)


def extract_pean_any_date(
    tree: Tree,
    *,
    model: str | None = None,
    favour: Favour = "balance",
    alpha: float = ANY_ALPHA,
    beta: float = ANY_BETA,
) -> Content:
    """Return the posts of a thread page as PEAN does, with a date of any spelling for a pivot."""
    return _extract(tree, find_pivots(tree.body, "any"), alpha, beta)


def _extract(tree: Tree, pivots: Pivots, alpha: float, beta: float) -> Content:
    spread = locate_posts(tree.body, pivots, alpha=alpha, beta=beta)
    if spread is None:
        return content_of(tree, (), pivots, {})
    records = (Record(element, pivots.inside(element)[0]) for element in choose_posts(spread))
    facts = {"rmd": round(spread.rmd, 4), "mpr": round(spread.mpr, 4), "candidates": len(spread.children)}
    return content_of(tree, records, pivots, facts)


def locate_posts(body: etree._Element, pivots: Pivots, *, alpha: float, beta: float) -> Spread | None:
    """Return how the pivots spread below the parent of the posts (algorithm 3.2), None when there is none."""
    node = body
    while (spread := spread_of(node, pivots)) is not None:
        if len(spread.children) > 1 and spread.rmd < alpha and spread.mpr < beta:
            return spread
        node = spread.largest
    return None


def spread_of(node: etree._Element, pivots: Pivots) -> Spread | None:
    """Return how an element's pivots spread, None when no child has any (definitions 3.6 and 3.7)."""
    children = [child for child in node if child in pivots.counts]
    if not children:
        return None
    counts = [pivots.counts[child] for child in children]
    largest = max(children, key=lambda child: pivots.counts[child])
    return Spread(relative_mean_deviation(counts), max(counts) / sum(counts), children, largest)


def relative_mean_deviation(counts: list[int]) -> float:
    """Return the mean distance from the mean, as a share of the mean (equation 3-2)."""
    mean = sum(counts) / len(counts)
    return sum(abs(count - mean) for count in counts) / len(counts) / mean


def choose_posts(spread: Spread) -> list[etree._Element]:
    """Return the children that are alike the largest one, in document order (algorithm 3.3)."""
    parent = spread.largest.getparent()
    if parent is None:
        return []
    shapes = Shapes(parent)
    matcher = Matcher(shapes, len(spread.children))
    model = shapes.of[spread.largest]
    matched = {
        child: matcher.match(shapes.of[child], model) for child in spread.children if child is not spread.largest
    }
    kept = {spread.largest}
    last = 0
    for child in sorted(matched, key=lambda child: -matched[child]):
        if matched[child] < last / 2:
            break
        last = matched[child]
        kept.add(child)
    return [child for child in spread.children if child in kept]
