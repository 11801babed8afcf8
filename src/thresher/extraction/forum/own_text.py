"""Own text: the words of a post's author, apart from quotations, signature, and notes of the forum."""

import re
from collections.abc import Sequence, Set

from thresher.extraction.blocks import cut
from thresher.extraction.forum.bodies import is_chrome
from thresher.extraction.forum.layout import Layout, stripped
from thresher.extraction.forum.naming import (
    IS_BARE_CHROME,
    IS_CHROME,
    IS_QUOTE,
    MAY_BE_CHROME,
    MAY_QUOTE,
    SPEAKS_OF_TEXT,
)
from thresher.extraction.forum.words import CODE_LINE, CODE_STARTS, EDIT_LINE, QUOTE_LINE
from thresher.extraction.learned.kept import kept
from thresher.extraction.learned.walk import walk
from thresher.extraction.paths import Paths
from thresher.extraction.tags import BLOCK_LEVEL
from thresher.model import Block

MAX_SIGNATURE = 8  # lines below a rule
MIN_SIGNED = 3  # posts of an author that end alike, for the end to be a signature
MAX_QUOTE_HEAD = 80  # characters
_CHROME = IS_CHROME | MAY_BE_CHROME | IS_BARE_CHROME
_RULE = re.compile(r"^\s*(?:_{5,}|-{8,}|—{4,}|={8,}|-- )\s*$")


class OwnText:
    """What a post says: its own blocks, and what it quotes."""

    __slots__ = ("blocks", "quotes")

    def __init__(self, blocks: list[Block], quotes: tuple[str, ...]) -> None:
        self.blocks = blocks
        self.quotes = quotes

    @property
    def text(self) -> str:
        """The own words, one block a line."""
        return "\n".join([block.text for block in self.blocks])


def own_text(layout: Layout, bodies: Sequence[int], base_url: str | None, paths: Paths) -> OwnText:
    """Return the text of the elements that hold a post's text."""
    blocks: list[Block] = []
    quotes: list[str] = []
    for body in bodies:
        quoted, dropped = _parts(layout, body)
        own = _blocks_of(layout, body, base_url, paths)
        quotes += [_text_of(layout, node) for node in quoted]
        left_out = {paths.of(layout.elements[node]) for node in (*quoted, *dropped)}
        blocks += [block for block in own if not left_out or not _is_in(block.xpath, left_out)]
    return OwnText(_trimmed(blocks), tuple(filter(None, quotes)))


def _blocks_of(layout: Layout, node: int, base_url: str | None, paths: Paths) -> tuple[Block, ...]:
    """Return the blocks of an element as `cut` gives them, by the walk over pages where that can start there."""
    if layout.tags[node] not in BLOCK_LEVEL:
        return cut(layout.elements[node], base_url=base_url, paths=paths)
    table = walk(layout.elements[node])
    return kept(table, range(len(table.texts)), base_url=base_url, paths=paths)


def _text_of(layout: Layout, node: int) -> str:
    if layout.tags[node] in BLOCK_LEVEL:
        return "\n".join(walk(layout.elements[node]).texts)
    return "\n".join([block.text for block in cut(layout.elements[node], bare=True)])


def without_signatures(texts: Sequence[OwnText], authors: Sequence[str | None]) -> list[OwnText]:
    """Leave out the last lines that all posts of one author end with."""
    by_author: dict[str, list[int]] = {}
    for number, author in enumerate(authors):
        if author is not None and texts[number].blocks:
            by_author.setdefault(author, []).append(number)
    found = list(texts)
    for numbers in by_author.values():
        count = _same_tail([texts[number] for number in numbers])
        for number in numbers if count else ():
            own = texts[number]
            found[number] = OwnText(own.blocks[: len(own.blocks) - count], own.quotes)
    return found


def _same_tail(texts: Sequence[OwnText]) -> int:
    """Count the last lines that all texts share, where all have more than these."""
    if len(texts) < MIN_SIGNED:
        return 0
    lines = [[block.text for block in text.blocks] for text in texts]
    shortest = min(map(len, lines))
    count = 0
    while count < shortest and len({own[-1 - count] for own in lines}) == 1:
        count += 1
    return count if count < shortest else 0


def _is_in(path: str, outer: Set[str]) -> bool:
    while path and path not in outer:
        path = path.rpartition("/")[0]
    return bool(path)


def _parts(layout: Layout, body: int) -> tuple[list[int], list[int]]:
    """Return the elements in a body that quote, and those that are no words of the post."""
    quoted: list[int] = []
    dropped: list[int] = []
    node = body + 1
    while node < layout.ends[body]:
        mark = layout.marks[node]
        if mark & IS_QUOTE or (mark & MAY_QUOTE and _starts_quoting(layout, node, body)):
            quoted.append(node)
        elif mark & _CHROME and is_chrome(layout, node):
            dropped.append(node)
        else:
            node += 1
            continue
        node = layout.ends[node]
    return quoted, dropped


def _starts_quoting(layout: Layout, node: int, body: int) -> bool:
    """Say whether an element of several lines begins as forums begin a quotation."""
    first, count = layout.first_line[node], layout.last_line[node] - layout.first_line[node]
    mark = layout.marks[node]
    if count < 2 or count == layout.last_line[body] - layout.first_line[body] or mark & SPEAKS_OF_TEXT:
        return False
    text = layout.texts[first]
    return len(text) <= MAX_QUOTE_HEAD and QUOTE_LINE.match(stripped(text)) is not None


def _trimmed(blocks: list[Block]) -> list[Block]:
    """Return the blocks up to a rule with a signature below it, less the notes that the forum adds."""
    last = len(blocks) - 1
    found: list[Block] = []
    for place, block in enumerate(blocks):
        text = block.text
        if last - place <= MAX_SIGNATURE and _RULE.match(text):
            break
        if not (text[:1] in CODE_STARTS and CODE_LINE.match(text)) and not (place in (0, last) and _is_note(text)):
            found.append(block)
    return found


def _is_note(text: str) -> bool:
    """Say whether a line tells of a change, as forums do at either end of a post; people quote such lines elsewhere."""
    return EDIT_LINE.match(text) is not None and any(map(str.isdigit, text))
