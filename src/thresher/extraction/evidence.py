"""What a page and the posts found on it say together, as features: whether they are a thread, or comments, or none."""

import re
from array import array
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import log1p

from thresher.extraction.forum.confidence import SIGNS
from thresher.extraction.forum.thread import Thread
from thresher.model import Kind

LOOKS = ("article", "thread", "board", "listing", "other")  # kinds whose chances are features
SHARED = (
    *("says_thread", "text", "inside", "outside", "top_share", "top_inside", "holders", "first_share", "unlike"),
    *("top_alike", "others_named", "first_named", "others_headed", "first_headed", "per_text"),
)
EVIDENCE = (*LOOKS, *SIGNS, *SHARED)
_NUMBER = re.compile(r"\[\d+\]")


@dataclass(frozen=True, slots=True)
class Held:
    """How many characters of the main text lie in each post that has any, by its place; and in the page as a whole."""

    by: Mapping[int, int]
    whole: int

    @property
    def inside(self) -> int:
        """Return the characters in all posts."""
        return sum(self.by.values())


def held_by(thread: Thread, text: Sequence[tuple[str, int]]) -> Held:
    """Return where the main text lies, which is given as the XPath and the size of each block."""
    roots = {root: place for place, post in enumerate(thread.posts) for root in post.xpath.split("|")}
    by: dict[int, int] = {}
    known: dict[str, str] = {}  # blocks have few elements right around them
    whole = 0
    for path, size in text:
        whole += size
        root = path
        if root not in roots:
            around = root[: max(root.rfind("/"), 0)]
            if around not in known:
                known[around] = below(around, roots)
            root = known[around]
        if root:
            by[roots[root]] = by.get(roots[root], 0) + size
    return Held(by, whole)


def evidence_of(
    thread: Thread,
    held: Held,
    chances: Mapping[Kind, float],
    *,
    says_thread: bool,
    named: Collection[str] = (),
    headed: Collection[str] = (),
) -> "array[float]":
    """Return the features in the order of EVIDENCE, for a page with at least one post.

    `named` are the XPaths of elements that hold comments, `headed` those of them that a heading tells and no name.
    """
    posts = thread.posts
    shapes = [_NUMBER.sub("", post.xpath) for post in posts]
    counts = Counter(shapes)
    top = max(held.by, key=lambda place: held.by[place]) if held.by else 0
    inside, whole = held.inside, held.whole or 1
    roots = [post.xpath.split("|")[0] for post in posts]
    others = roots[1:]
    own = sum(len(post.text) for post in posts)
    shared = (
        float(says_thread),
        log1p(held.whole),
        inside / whole,
        log1p(held.whole - inside),
        held.by.get(top, 0) / whole,
        held.by.get(top, 0) / (inside or 1),
        len(held.by) / len(posts),
        held.by.get(0, 0) / whole,
        float(len(posts) > 1 and counts[shapes[0]] == 1),
        float(bool(held.by) and counts[shapes[top]] > 1),
        _share(others, named),
        float(bool(below(roots[0], named))),
        _share(others, headed),
        float(bool(below(roots[0], headed))),
        min(own / whole, 50.0),
    )
    return array("f", [*(chances[Kind(kind)] for kind in LOOKS), *thread.signs, *shared])


def below(path: str, roots: Collection[str]) -> str:
    """Return the element that an element is, or lies in, of some elements by XPath; empty where it lies in none."""
    while path and path not in roots:
        path = path[: max(path.rfind("/"), 0)]
    return path


def _share(paths: Sequence[str], elements: Collection[str]) -> float:
    return sum(bool(below(path, elements)) for path in paths) / len(paths) if paths and elements else 0.0
