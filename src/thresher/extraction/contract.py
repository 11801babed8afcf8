"""What every content algorithm promises: one signature, from a Tree to the blocks of its main text."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from thresher.extraction.memory import Traces
from thresher.html import Tree
from thresher.model import Block, Post

Favour = Literal["precision", "balance", "recall"]
# In Content.facts, by our own method: the numbers of the chosen blocks among all of the page; the same with comments
# below the text left aside, and how sure these are; the runs of these comments, their elements, and those of the
# elements that only a heading tells.
CHOSEN, OWN, TALK, COMMENTS, HEADED = "chosen", "own", "talk", "comments", "headed"
SIGNS = "signs"  # by our own methods: what tells how probably the text is right (confidence.py)
# Which pages have a main content: articles and threads, or any page, each by its own measure.
Pages = Literal["articles", "any"]
PAGES: tuple[Pages, ...] = ("articles", "any")
FAVOURS: tuple[Favour, ...] = ("precision", "balance", "recall")


@dataclass(frozen=True, slots=True)
class Content:
    """The main text that an algorithm found; no blocks when it found none."""

    blocks: tuple[Block, ...] = ()
    confidence: float = 0.0  # 0 to 1, in the algorithm's own measure
    links: tuple[str, ...] = ()  # absolute; of links whose text the blocks leave out
    posts: tuple[Post, ...] = ()  # of a thread, by the algorithms that look for them
    traces: Traces | None = None  # by the method that knows other pages of the site, where it was given a memory
    facts: Mapping[str, Any] = field(default_factory=dict)  # plain data that explains the choice


class Algorithm(Protocol):
    """One published method.

    It reads the tree and changes nothing, has no clock, network or disk, and takes time linear in the page's size.
    `model` is what the method was trained to, for those that are trained; None means the one that is shipped, and
    methods without training ignore it. `favour` moves the balance of precision and recall where the method has one.
    """

    def __call__(self, tree: Tree, *, model: str | None = None, favour: Favour = "balance") -> Content:
        """Return the main text of the page."""
