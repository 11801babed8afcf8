"""CEPR, content extraction via path ratios: leaves of one tag path play one part, and content paths carry much text.

Idea. A tag path is the chain of tags from the root to a text leaf (body.div.div.p). Its text-to-tag-path ratio TPR is
the mean length of the leaves that it leads to (definition 2.4). The extended ratio ETPR multiplies it by the mean
number of punctuation marks and by the standard deviations of lengths and of punctuation: paragraphs differ, menu
entries do not (definition 2.5). Every leaf has its path's ratio; these, in order, are smoothed by a Gaussian window in
which a neighbour counts less the further its path is from ours in edit distance, with tags as symbols (equations 2-10
and 2-11). A leaf above τ = λ·σ(H′) is content.

Three names, as in the paper: `cepr` is its best one, CEPR-SETPR (smoothed ETPR); `cepr-etpr` and `cepr-tpr` take the
two ratios as they are.

Reference. Wu, Li, Hu, Wu: Web news extraction via path ratios, CIKM 2013; as described and implemented in the CEVC
thesis (2016), section 2.2.3, with its λ, α and r.

Where we differ. (1) Lengths count no white space, as the thesis does for CEVC. (2) What a browser does not show as text
is left out (tags.UNSEEN). (3) Leaves at either end that lack a neighbour keep their value. (4) The σ of the Gaussian is
not given; it is r, as in CETR.

Where it fails. A path that leads to one leaf only has no deviation, so its ETPR is 0: the lone paragraph, the article
in one element. Text in <b> or <a> inside paragraphs has a path of its own and falls out unless smoothing saves it.
Comments and teasers often have the paragraphs' path.

Cost. One walk over the tree, O(leaves), and one edit distance per pair of neighbouring paths, computed on the parts in
which they differ, bit-parallel: linear in the tags between the two leaves.
"""

import re
from dataclasses import dataclass
from math import sqrt
from statistics import pstdev
from string import punctuation

from thresher.extraction.contract import Content, Favour
from thresher.extraction.distance import edit_distance
from thresher.extraction.leaves import cut_chosen, walk
from thresher.extraction.smoothing import gaussian_kernel
from thresher.html import Tree
from thresher.text import nonspace_length

LAMBDA = 0.8  # of the ratios' standard deviation: the threshold (thesis, 2.2.3)
ALPHA = 1.0  # exponent of the edit distance (thesis, 2.2.3)
RADIUS = 1  # leaves on either side (thesis, 2.2.3)

_CJK_MARKS = "。，、；：？！…—·～“”‘’「」『』（）《》〈〉【】〔〕〖〗［］｛｝．﹏￥"
_PUNCTUATION = re.compile(f"[{re.escape(punctuation + _CJK_MARKS)}]")


@dataclass(slots=True, eq=False)
class Path:
    """A tag path, as a node of the tree of all paths, and the sums over its leaves (n, lengths, marks and squares)."""

    tag: str
    above: "Path | None"
    depth: int
    leaves: int = 0
    length: int = 0
    length_squares: int = 0
    marks: int = 0
    mark_squares: int = 0

    def add(self, length: int, marks: int) -> None:
        """Count a leaf."""
        self.leaves += 1
        self.length += length
        self.length_squares += length * length
        self.marks += marks
        self.mark_squares += marks * marks

    @property
    def tpr(self) -> float:
        """The text-to-tag-path ratio (definition 2.4)."""
        return self.length / self.leaves

    @property
    def etpr(self) -> float:
        """The extended ratio (definition 2.5)."""
        deviations = self._deviation(self.length, self.length_squares) * self._deviation(self.marks, self.mark_squares)
        return self.tpr * self.marks / self.leaves * deviations

    def _deviation(self, total: int, squares: int) -> float:
        # In whole numbers up to the root, so that equal leaves deviate by exactly 0.
        return sqrt(self.leaves * squares - total * total) / self.leaves


def extract_cepr(
    tree: Tree, *, model: str | None = None, favour: Favour = "balance", threshold: float = LAMBDA
) -> Content:
    """Return the leaves of high smoothed ETPR; `threshold` is the paper's λ, there is no model and one balance."""
    leaves = read_paths(tree)
    paths = [path for path in leaves if path]
    return _above(tree, leaves, smooth_by_path([path.etpr for path in paths], paths), threshold)


def extract_cepr_etpr(
    tree: Tree, *, model: str | None = None, favour: Favour = "balance", threshold: float = LAMBDA
) -> Content:
    """Return the leaves of high ETPR; `threshold` is the paper's λ, there is no model and one balance."""
    leaves = read_paths(tree)
    return _above(tree, leaves, [path.etpr for path in leaves if path], threshold)


def extract_cepr_tpr(
    tree: Tree, *, model: str | None = None, favour: Favour = "balance", threshold: float = LAMBDA
) -> Content:
    """Return the leaves of high TPR; `threshold` is the paper's λ, there is no model and one balance."""
    leaves = read_paths(tree)
    return _above(tree, leaves, [path.tpr for path in leaves if path], threshold)


def _above(tree: Tree, leaves: list[Path | None], ratios: list[float], threshold: float) -> Content:
    """Cut the leaves whose ratio is above the threshold; white space stays, so that it parts the words around it."""
    limit = threshold * pstdev(ratios) if ratios else 0.0
    verdicts = [ratio > limit for ratio in ratios]
    in_order = iter(verdicts)
    chosen = (path is None or next(in_order) for path in leaves)
    blocks = cut_chosen(tree.body, chosen, base_url=tree.base_url)
    share = sum(verdicts) / max(len(verdicts), 1)
    return Content(blocks, confidence=share, facts={"threshold": round(limit, 4), "leaves": len(ratios)})


def read_paths(tree: Tree) -> list[Path | None]:
    """Return the path of every text leaf in order, None for one of white space alone."""
    top = Path("", None, 0)
    known: dict[tuple[Path, str], Path] = {}
    path = top
    leaves: list[Path | None] = []
    for step in walk(tree.body):
        if step[0] == "text":
            length = nonspace_length(step[1])
            leaves.append(path if length else None)
            if length:
                path.add(length, len(_PUNCTUATION.findall(step[1])))
        elif step[0] == "open":
            key = path, str(step[1].tag)
            path = known.get(key) or known.setdefault(key, Path(key[1], path, path.depth + 1))
        else:
            path = path.above or top
    return leaves


def smooth_by_path(ratios: list[float], paths: list[Path]) -> list[float]:
    """Return the ratios, each blended with its neighbours' by how alike their paths are (equation 2-10)."""
    kernel = gaussian_kernel(RADIUS)
    smoothed = list(ratios)
    known: dict[tuple[Path, Path], float] = {}
    for index in range(RADIUS, len(ratios) - RADIUS):
        blend = 0.0
        for weight, other in zip(kernel, range(index - RADIUS, index + RADIUS + 1), strict=True):
            blend += weight * _likeness(paths[index], paths[other], known) * ratios[other]
        smoothed[index] = blend
    return smoothed


def _likeness(one: Path, other: Path, known: dict[tuple[Path, Path], float]) -> float:
    """Return 1 for the same path, else the reciprocal of the edit distance to the power of α (equation 2-11)."""
    if one is other:
        return 1.0
    likeness = known.get((one, other))
    if likeness is None:
        likeness = edit_distance(*_different_ends(one, other)) ** -ALPHA
        known[one, other] = known[other, one] = likeness
    return likeness


def _different_ends(one: Path, other: Path) -> tuple[list[str], list[str]]:
    """Return the tags of both paths, from their ends up to where they part; the rest adds nothing to the distance."""
    tags: tuple[list[str], list[str]] = [], []
    while one is not other:
        deeper = 0 if one.depth >= other.depth else 1
        path = (one, other)[deeper]
        assert path.above is not None
        tags[deeper].append(path.tag)
        one, other = (path.above, other) if deeper == 0 else (one, path.above)
    return tags
