"""CETD, content extraction via text density: content has many characters for each of its tags, and few in links.

Idea. The text density of a node is the number of characters below it by the number of tags below it (definition 2.1);
the composite text density (CTD) also weighs how much of both lies in links (definition 2.2). Content stands under one
ancestor whose children are dense, so the sum of the children's densities, DensitySum (definition 2.3), peaks there:
the node with the greatest sum is the content, with all the text below it.

Three names, as in the paper: `cetd` is its best one, CECTD-DS (composite density, DensitySum); `cetd-plain` is CETD-DS
(plain density, DensitySum); `cetd-smooth` is CECTD-S (composite densities of the elements in order, smoothed, and the
density of <body> as the threshold for an element's own text).

Reference. Sun, Song, Liao: DOM based content extraction via text density, SIGIR 2011; as described and implemented in
the CEVC thesis (2016), section 2.2.2 and, for <textarea>, 2.4.5.

Where we differ. (1) On a page without any link the base of the logarithm is 1; there the composite density is the
plain one. (2) Not only <script>, <style>, comments and <textarea> are without characters, but all that a browser does
not show as text (tags.UNSEEN). (3) Characters are counted without white space, as the thesis does for CEVC. (4) The
one node is all the output, as in the thesis; the paper goes on to look for others that are as dense as its ancestors.
(5) The papers do not say which nodes are smoothed; we take the elements that hold text of their own.

Where it fails. Text that is no element's only content (<br> between paragraphs) adds nothing to DensitySum; a quotation
of many paragraphs inside the article has a higher sum than the article; long comments.

Cost. One walk over the tree and two over the list of its elements, O(elements), no recursion.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from math import e, log

from lxml import etree

from thresher.extraction.blocks import cut
from thresher.extraction.contract import Content, Favour
from thresher.extraction.leaves import cut_chosen, walk
from thresher.extraction.smoothing import smooth
from thresher.html import Tree
from thresher.text import nonspace_length

# By `thresher bench sweep articles/train --metrics shingles --algorithm cetd-smooth --parameter sigma=0,0.5,1,2`:
# F1 of 1,088 pages .831 .836 .830 .828.
SIGMA = 0.5  # elements, of the smoothing in `cetd-smooth`
REMOVED = frozenset({"script", "style", "textarea"})  # are no tags either (thesis, 2.2.2 and 2.4.5)


@dataclass(slots=True, eq=False)
class Node:
    """What lies below an element; `own` are the characters of its own text leaves."""

    tag: str
    parent: "Node | None"
    own: int = 0
    chars: int = 0
    tags: int = 0
    link_chars: int = 0
    link_tags: int = 0
    density: float = 0.0
    density_sum: float = 0.0


def extract_cetd(tree: Tree, *, model: str | None = None, favour: Favour = "balance") -> Content:
    """Return the text of the node with the greatest sum of composite densities; there is no model and one balance."""
    return _densest(tree, composite_density)


def extract_cetd_plain(tree: Tree, *, model: str | None = None, favour: Favour = "balance") -> Content:
    """Return the text of the node with the greatest sum of plain densities; there is no model and one balance."""
    return _densest(tree, text_density)


def extract_cetd_smooth(
    tree: Tree, *, model: str | None = None, favour: Favour = "balance", sigma: float = SIGMA
) -> Content:
    """Return the text of the elements whose smoothed composite density is the body's or more; there is no model."""
    nodes, owners = count(tree.body)
    measure(nodes, composite_density)
    holders = [node for node in nodes if node.own]
    smoothed = smooth([node.density for node in holders], sigma)
    threshold = nodes[0].density
    dense = {node for node, density in zip(holders, smoothed, strict=True) if density >= threshold}
    # White space belongs to nobody and stays, so that it parts the words around it.
    blocks = cut_chosen(tree.body, (owner is None or owner in dense for owner in owners), base_url=tree.base_url)
    kept = sum(node.own for node in dense)
    return Content(blocks, confidence=kept / max(nodes[0].chars, 1), facts={"threshold": round(threshold, 4)})


def _densest(tree: Tree, density: Callable[[Node, Node], float]) -> Content:
    nodes, _ = count(tree.body)
    measure(nodes, density)
    body = nodes[0]
    if not body.chars:
        return Content()
    place, densest = max(enumerate(nodes), key=lambda item: item[1].density_sum)
    return Content(
        cut(_element_at(tree.body, place), base_url=tree.base_url),
        confidence=densest.chars / body.chars,
        facts={"density_sum": round(densest.density_sum, 4), "density": round(densest.density, 4)},
    )


def count(body: etree._Element) -> tuple[list[Node], list[Node | None]]:
    """Count characters and tags below every element; return these in order, and each leaf's owner (None: a blank)."""
    nodes: list[Node] = []
    owners: list[Node | None] = []
    node: Node | None = None
    links = 0
    for step in walk(body):
        if step[0] == "text":
            assert node is not None
            owners.append(node if _add_leaf(node, step[1], links > 0) else None)
        elif step[0] == "open":
            node = Node(str(step[1].tag), node)
            links += step[1].tag == "a"
            nodes.append(node)
        else:
            assert node is not None
            links -= step[1].tag == "a"
            node = node.parent
    _add_up(nodes)
    return nodes, owners


def measure(nodes: list[Node], density: Callable[[Node, Node], float]) -> None:
    """Set the density of every node, and the DensitySum of its parent (definition 2.3)."""
    for node in nodes:
        if node.chars:
            node.density = density(node, nodes[0])
            if node.parent:
                node.parent.density_sum += node.density


def text_density(node: Node, body: Node) -> float:
    """Return the characters per tag (definition 2.1); a denominator of 0 counts as 1."""
    return node.chars / (node.tags or 1)


def composite_density(node: Node, body: Node) -> float:
    """Return the characters per tag, weighed by the share of links (definition 2.2); a denominator of 0 counts as 1."""
    chars, links = node.chars, node.link_chars
    base = log(chars / (chars - links or 1) * links + body.link_chars / (body.chars or 1) * chars + e)
    if base <= 1:
        return text_density(node, body)
    rarity = chars / (links or 1) * (node.tags or 1) / (node.link_tags or 1)
    return text_density(node, body) * log(rarity, base)


def _element_at(body: etree._Element, place: int) -> etree._Element:
    """Find an element by its place in the list of nodes; to keep them all there would cost twice the memory."""
    opened = (step[1] for step in walk(body) if step[0] == "open")
    return next(islice(opened, place, None))


def _add_leaf(node: Node, text: str, in_link: bool) -> bool:
    """Count a leaf; False for one of white space alone."""
    length = nonspace_length(text)
    node.own += length
    node.chars += length
    node.link_chars += length if in_link else 0
    return length > 0


def _add_up(nodes: list[Node]) -> None:
    """Add every node's counts to its parent's; children come after their parents, so from the end."""
    for node, parent in _upwards(nodes):
        parent.chars += node.chars
        parent.link_chars += node.link_chars
        parent.tags += node.tags + (node.tag not in REMOVED)
        parent.link_tags += node.link_tags + (node.tag == "a")


def _upwards(nodes: list[Node]) -> Iterator[tuple[Node, Node]]:
    for node in reversed(nodes):
        if node.parent:
            yield node, node.parent
