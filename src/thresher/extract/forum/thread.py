"""Find the posts of a thread page: which parts of it are posts, who wrote them, when, and in which words."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from thresher.extract.algorithms.mibat import extract_mibat_any_date
from thresher.html import Tree
from thresher.model import Block, Post


@dataclass(frozen=True, slots=True)
class Thread:
    """The posts of a page in order, and the blocks of their own text; no posts where there is no thread."""

    posts: tuple[Post, ...] = ()
    blocks: tuple[Block, ...] = ()
    confidence: float = 0.0  # 0 to 1, that these are posts
    facts: Mapping[str, Any] = field(default_factory=dict)  # plain data that explains the choice


def find_thread(tree: Tree, *, fetched_at: datetime | None = None) -> Thread:
    """Return the posts of a page, none where it has no thread; times told against now count from `fetched_at`."""
    content = extract_mibat_any_date(tree)
    if not content.posts:
        return Thread()
    return Thread(content.posts, content.blocks, content.confidence, content.facts)
