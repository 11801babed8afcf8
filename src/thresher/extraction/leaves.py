"""Walk the text leaves of a page in reading order, and cut the chosen ones into Blocks."""

from collections.abc import Iterable, Iterator
from typing import Literal

from lxml import etree

from thresher.extraction.blocks import cut
from thresher.extraction.tags import UNSEEN
from thresher.model import Block

Step = tuple[Literal["open", "close"], etree._Element] | tuple[Literal["text"], str]


def walk(root: etree._Element) -> Iterator[Step]:
    """Yield the elements as they open and close, and the text between; what is inside an unseen element is left out.

    Every piece of text counts, white space too, so that these are the leaves that `cut` knows, in the same order.
    """
    events = etree.iterwalk(root, events=("start", "end"))
    for event, node in events:
        if event == "start":
            yield "open", node
            if node.tag in UNSEEN:
                events.skip_subtree()
            elif node.text:
                yield "text", node.text
        else:
            yield "close", node
            if node.tail and node is not root:
                yield "text", node.tail


def cut_chosen(root: etree._Element, chosen: Iterable[bool], *, base_url: str | None) -> tuple[Block, ...]:
    """Return the blocks made of the chosen leaves; `chosen` answers for every text of `walk`, in order."""
    verdicts = iter(chosen)
    return cut(root, base_url=base_url, keep=lambda text, in_link: next(verdicts))
