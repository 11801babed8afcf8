"""Text density, the simple way: drop what is never content, then keep the parts of the page with text for their tags.

Idea. Tags that are noise by their name are removed with all that is in them (REMOVED). Each child of <body> is then one
part: the characters below it by the tags below it, itself included, is its density, and parts at or below the threshold
are removed too. What is left is the text.

Reference. Obatake, Gao: COEN 272 web crawler project, Santa Clara University, 2016, "Noise Reduction": a simplification
of CETD (Sun, Song, Liao, SIGIR 2011), with its list of tags and its threshold.

Where we differ. (1) Besides the list we skip what a browser does not show as text (tags.UNSEEN). (2) Characters are
counted without white space. (3) Text that stands in <body> itself is no part and so is never removed, which is how we
read the report.

Where it fails. Two characters per tag is little, and pages that wrap everything in one <div> are kept or lost as a
whole, so that noise outside of the list stays; removing <a> tears words out of sentences, removing <form> empties pages
that wrap everything in one.

Cost. One walk over the tree, O(nodes), no recursion; one more to cut it into blocks.
"""

from dataclasses import dataclass
from math import inf

from lxml import etree

from thresher.extraction.contract import Content, Favour
from thresher.extraction.leaves import cut_chosen, walk
from thresher.html import Tree
from thresher.text import nonspace_length

_REMOVED = "script noscript style iframe br nav head footer img header button input form a"  # the report's list
REMOVED = frozenset(_REMOVED.split())
THRESHOLD = 2.0  # characters per tag that a part must exceed (the report, "Noise Reduction")


@dataclass(slots=True, eq=False)
class Part:
    """A child of <body> with all that is below it, or the text that stands in <body> itself, which has no tags."""

    chars: int = 0
    tags: int = 0

    @property
    def density(self) -> float:
        """The characters per tag."""
        return self.chars / self.tags if self.tags else inf


def extract_text_density(
    tree: Tree, *, model: str | None = None, favour: Favour = "balance", threshold: float = THRESHOLD
) -> Content:
    """Return the text of the parts denser than `threshold`; there is no model and one balance."""
    owners = read_parts(tree.body)
    parts = set(filter(None, owners))
    dense = {part for part in parts if part.density > threshold}
    blocks = cut_chosen(tree.body, (owner in dense for owner in owners), base_url=tree.base_url)
    total = sum(part.chars for part in parts)
    kept = sum(part.chars for part in dense)
    return Content(blocks, confidence=kept / max(total, 1), facts={"parts": len(parts), "dense_parts": len(dense)})


def read_parts(body: etree._Element) -> list[Part | None]:
    """Return the part that each text leaf belongs to, None for a leaf that is removed."""
    owners: list[Part | None] = []
    around = part = Part()
    depth = removed = 0
    for step in walk(body):
        if step[0] == "text":
            if not removed:
                part.chars += nonspace_length(step[1])
            owners.append(None if removed else part)
        elif step[0] == "open":
            depth += 1
            if depth == 2:
                part = Part()
            removed += step[1].tag in REMOVED
            part.tags += depth > 1 and not removed
        else:
            depth -= 1
            removed -= step[1].tag in REMOVED
            if depth == 1:
                part = around
    return owners
