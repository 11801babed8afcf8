"""CEVC, content extraction via valid characters: walk down to where the valid characters spread out.

Idea. Noise is links and loose phrases; content is sentences, and sentences hold stop words. The text of a leaf is
valid when no ancestor is <a> and it holds a stop word (definition 2.6). Every node gets the number of valid non-space
characters below it (algorithm 2.1). From <body> we step into the child with most of them, as long as it holds at
least ALPHA of what its parent holds (the max-chars ratio, MCR); where no child does, the characters spread over
many children, which are the paragraphs, and the node is the core block (algorithm 2.2). A walk that ends in a leaf, an
element whose characters are its own text, went one step too far: the leaf's parent is the core block. Only valid
characters are output.

Reference. A Chinese master's thesis of 2016 on a multi-channel news crawler, chapter 2.3 (definitions 2.6 and 2.7,
algorithms 2.1 and 2.2, examples 2.1 to 2.3).

Where we differ. (1) The thesis defines the MCR as a share of the node's own count (2.7) but computes it as a share of
the sum over its children (2.2). Both are one number if text leaves are children like any other; but algorithm 2.1
adds a leaf's characters to its parent only, never to the leaf, so that the sum misses them and a node whose own text
stands between <br>s would be left for any small element in it. We take definition 2.7 and let leaves be children: a
node's own text then counts in the share, and where it holds ALPHA of it the node is a leaf. (2) Besides scripts, styles
and comments we skip what a browser does not show as text (tags.UNSEEN). (3) Stop words are those of 28 languages
instead of two.

Where it fails. Articles split over several containers (the largest is taken if it holds half, else all that surrounds
them); one paragraph beside other text, which comes along; long comments below a short article; text inside links;
headings and short lines without a stop word.

Cost. One walk over the tree, O(nodes), no recursion; one more over the core block to cut it into blocks.
"""

from dataclasses import dataclass

from lxml import etree

from thresher.extraction.blocks import absolute, cut
from thresher.extraction.contract import Content, Favour
from thresher.extraction.tags import UNSEEN
from thresher.extraction.words import has_stop_word
from thresher.html import Tree
from thresher.text import nonspace_length

ALPHA = 0.5  # of the parent's valid characters: a child below it does not speak for its parent (thesis, 2.4.5)


@dataclass(slots=True)
class Count:
    """The valid characters below a node, and the child that holds most of them (None: a leaf, or no child at all)."""

    valid: int = 0
    most: int = 0
    largest: etree._Element | None = None

    def add(self, valid: int, child: etree._Element | None) -> None:
        """Count a child: an element, or None for a text leaf. Of equals the first is the largest."""
        self.valid += valid
        if valid > self.most:
            self.most = valid
            self.largest = child

    @property
    def mcr(self) -> float:
        """The largest child's share of the node's own valid characters (definition 2.7)."""
        return self.most / self.valid if self.valid else 0.0


def extract_cevc(tree: Tree, *, model: str | None = None, favour: Favour = "balance", alpha: float = ALPHA) -> Content:
    """Return the valid characters of the core block, one block per paragraph; CEVC has no model and one balance."""
    body = tree.body
    counts = count_valid_chars(body)
    total = counts[body].valid
    if not total:
        return Content()
    core = locate_core(body, counts, alpha)
    blocks = cut(core, base_url=tree.base_url, keep=is_valid)
    links = dict.fromkeys(filter(None, (absolute(a.get("href"), tree.base_url) for a in core.iter("a"))))
    return Content(
        blocks,
        confidence=counts[core].valid / total,
        links=tuple(links),
        facts={"valid_chars": counts[core].valid, "page_valid_chars": total, "mcr": round(counts[core].mcr, 4)},
    )


def is_valid(text: str, in_link: bool) -> bool:
    """Say whether a leaf's text is made of valid characters (definition 2.6)."""
    return not in_link and has_stop_word(text)


def count_valid_chars(body: etree._Element) -> dict[etree._Element, Count]:
    """Count the valid characters below every element that has any, and below `body` (algorithm 2.1)."""
    counts = {body: Count()}
    open_counts = [counts[body]]
    links = 0
    walk = etree.iterwalk(body, events=("start", "end"))
    for event, node in walk:
        tag = node.tag
        if event == "start":
            if node is not body:
                open_counts.append(Count())
            if tag in UNSEEN:
                walk.skip_subtree()
                continue
            links += tag == "a"
            if not links:
                _count_leaf(node.text, open_counts[-1])
            continue
        links -= tag == "a"
        if node is body:
            break
        count = open_counts.pop()
        if count.valid:
            counts[node] = count
            open_counts[-1].add(count.valid, node)
        if not links:
            _count_leaf(node.tail, open_counts[-1])
    return counts


def locate_core(body: etree._Element, counts: dict[etree._Element, Count], alpha: float = ALPHA) -> etree._Element:
    """Return the core block: step into the largest child while it speaks for its parent (algorithm 2.2)."""
    above = node = body
    while counts[node].mcr >= alpha:
        largest = counts[node].largest
        if largest is None:
            return above
        above, node = node, largest
    return node


def _count_leaf(text: str | None, count: Count) -> None:
    if text and not text.isspace() and has_stop_word(text):
        count.add(nonspace_length(text), None)
