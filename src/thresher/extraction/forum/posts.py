"""Make Posts, and the Content that holds them, of the elements that a method took for posts."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from lxml import etree

from thresher.extraction.blocks import cut
from thresher.extraction.contract import Content
from thresher.extraction.forum.pivots import Pivots
from thresher.extraction.paths import Paths
from thresher.html import Tree
from thresher.model import Block, Post


class Record(NamedTuple):
    """An element taken for a post, and the pivot in it that tells its time."""

    element: etree._Element
    pivot: etree._Element


def content_of(tree: Tree, records: Iterable[Record], pivots: Pivots, facts: Mapping[str, Any]) -> Content:
    """Return records, given in document order, as posts; the confidence is their share of the page's pivots."""
    paths = Paths()
    posts: list[Post] = []
    blocks: list[Block] = []
    held = 0
    for position, record in enumerate(records, start=1):
        own = cut(record.element, base_url=tree.base_url, paths=paths)
        text = "\n".join(block.text for block in own)
        moment = pivots.moments[record.pivot]
        posts.append(Post(None, moment.at if moment else None, text, position, xpath=paths.of(record.element)))
        blocks.extend(own)
        held += pivots.counts.get(record.element, 0)
    confidence = held / len(pivots.moments) if pivots.moments else 0.0
    return Content(tuple(blocks), confidence, posts=tuple(posts), facts={"pivots": len(pivots.moments), **facts})
