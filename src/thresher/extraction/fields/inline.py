"""The visible text of a small element, such as a heading or a byline."""

from collections.abc import Iterator

from lxml import etree

from thresher.extraction.tags import BLOCK_LEVEL, UNSEEN
from thresher.text import clean

MAX_NODES = 200  # elements inside that are looked at


def text_of(element: etree._Element, limit: int) -> str:
    """Return at most `limit` characters of an element's text; block-level elements inside part words."""
    if not len(element):
        return clean(element.text[: 4 * limit])[:limit] if element.text else ""
    return clean("".join(_parts(element))[: 8 * limit])[:limit]


def pieces_of(element: etree._Element, limit: int) -> Iterator[tuple[str, str]]:
    """Yield the texts between the tags of an element and the tag and class they stand in, `limit` characters in all."""
    if not len(element):
        if element.tag not in UNSEEN and element.text and (seen := clean(element.text[:limit])):
            yield seen, f"{element.tag!s} {element.get('class') or ''}"
        return
    for count, (event, node) in enumerate(walk := etree.iterwalk(element, events=("start", "end"))):
        holder: etree._Element | None = node
        text = node.text
        if event == "end":
            holder, text = node.getparent(), node.tail if node is not element else None
        elif node.tag in UNSEEN:
            walk.skip_subtree()
            continue
        if text and holder is not None and (seen := clean(text[:limit])):
            yield seen, f"{holder.tag!s} {holder.get('class') or ''}"
            limit -= len(seen)
        if limit <= 0 or count > 2 * MAX_NODES:
            return


def _parts(element: etree._Element) -> Iterator[str]:
    """Yield the texts between the tags, and a space where a block-level element begins or ends."""
    walk = etree.iterwalk(element, events=("start", "end"))
    for count, (event, node) in enumerate(walk):
        if count > 2 * MAX_NODES:
            return
        if node.tag in BLOCK_LEVEL:
            yield " "
        if event == "start":
            if node.tag in UNSEEN:
                walk.skip_subtree()
            elif node.text:
                yield node.text
        else:
            if node is not element and node.tail:
                yield node.tail
