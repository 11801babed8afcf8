"""Keep hostile markup from costing the parser minutes: limits on tags and attributes, and a cut through deep nesting.

libxml2 stops at 2,048 open elements, looks through all of them for every end tag that fits none, and compares every
attribute of a tag with all the others.
"""

import re
from collections.abc import Iterator

from lxml import etree

from thresher.errors import PageTooLarge
from thresher.html.scan import tag_at

MAX_TAGS = 2_000_000  # "<" in a page; a page of 10 MB has 300,000
MAX_ATTRIBUTES = 5_000  # in one tag
MAX_DEPTH = 250  # open elements after flattening; pages are 10 to 60 deep
MAX_UNCHECKED_TAGS = 500_000  # above this, the markup is flattened before it is parsed

LONG_TAG = 32_768  # bytes; only tags above this are searched for attributes

_TAG = re.compile(rb"<(/?)([a-zA-Z][^\s/<>]*)([^<>]*)>?|<!--")
_VOID = frozenset(
    b"area base br col embed frame hr img input link meta param source track wbr basefont bgsound keygen".split()
)
_RAW = frozenset(b"script style textarea title xmp iframe noembed noframes".split())
_CLOSES_ITSELF = frozenset(b"p li dt dd tr td th option optgroup thead tbody tfoot".split())


def check_tags(tags: int, attributes: int) -> None:
    """Raise PageTooLarge for more tags, or more attributes in a long one, than can be parsed."""
    if tags > MAX_TAGS:
        raise PageTooLarge(f"page with {tags:,} tags: more than the limit of {MAX_TAGS:,}")
    if attributes > MAX_ATTRIBUTES:
        raise PageTooLarge(f"a tag with {attributes:,} attributes: more than the limit of {MAX_ATTRIBUTES:,}")


def is_too_deep(root: etree._Element) -> bool:
    """Say whether the parser may have stopped for depth: then its last element lies that deep."""
    depth, element = 0, root
    while len(element) and depth < MAX_DEPTH:
        element = element[-1]
        depth += 1
    return depth >= MAX_DEPTH


def flatten(markup: bytes) -> bytes:
    """Return the markup with no element nested deeper than MAX_DEPTH, every end tag matched, and all of its text."""
    kept: list[bytes] = []
    open_names: list[bytes] = []
    open_count: dict[bytes, int] = {}
    end = 0
    for start, stop, closing, name in _tags_of(markup):
        kept.append(markup[end:start])
        end = stop
        if not closing:
            if name in _CLOSES_ITSELF and open_names and open_names[-1] == name:
                _close(name, open_names, open_count)
            kept.append(markup[start:stop] if len(open_names) < MAX_DEPTH else b"<br>")
            if name not in _VOID:
                open_names.append(name)
                open_count[name] = open_count.get(name, 0) + 1
        elif open_count.get(name):
            _close(name, open_names, open_count)
            if len(open_names) < MAX_DEPTH:
                kept.append(markup[start:stop])
    kept.append(markup[end:])
    return b"".join(kept)


def _close(name: bytes, open_names: list[bytes], open_count: dict[bytes, int]) -> None:
    while open_names:
        last = open_names.pop()
        open_count[last] -= 1
        if last == name:
            return


def _tags_of(markup: bytes) -> Iterator[tuple[int, int, bool, bytes]]:
    """Yield start, end, whether it closes, and lower-case name of each tag outside comments and scripts."""
    position = 0
    while match := _TAG.search(markup, position):
        position = match.end()
        if match[2] is None:
            position = markup.find(b"-->", position)
            if position < 0:
                return
            continue
        name = match[2].lower()
        yield match.start(), match.end(), bool(match[1]), name
        if name in _RAW and not match[1]:
            end_tag = re.compile(b"</" + name, re.IGNORECASE).search(markup, position)
            if end_tag is None:
                return
            position = end_tag.start()


def most_attributes(markup: bytes) -> int:
    """Count the attributes of the long tag that has most of them; scripts, which look like tags, are passed over."""
    most = end = 0
    for start, _, closing, _ in _tags_of(markup):
        if not closing and start >= end:
            end, attributes = tag_at(markup, start)
            most = max(most, attributes if end - start > LONG_TAG else 0)
    return most
