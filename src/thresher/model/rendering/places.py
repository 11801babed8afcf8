"""The elements that hold blocks, as their XPaths tell them: which item, cell or quotation each one lies in."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from thresher.model.content import FRAMES, Block

MIN_QUOTED = 2  # blocks that make a quotation of a whole text a margin
LISTS = frozenset(("ol", "ul", "menu", "dir"))
CODE = frozenset(("pre", "xmp", "listing", "plaintext"))

_STEP = re.compile(r"([a-z0-9]+)(?:\[(\d{1,9})\])?")
_HOLDERS = LISTS | CODE | {"li", "dl", "dt", "dd", "blockquote", "table", "tr", "td", "th", "caption"}
_WHOLE = frozenset(("li", "dt", "dd", "td", "th"))  # what holds all of a text says nothing of it
_SHAPED = {"li": ("li", "dt", "dd"), "blockquote": ("blockquote",), "pre": tuple(CODE)}


class Holder(NamedTuple):
    """An element that gives a block its place: its name, its number among its like, and its XPath."""

    tag: str
    number: int
    path: str


class Placed(NamedTuple):
    """A block and its holders, from the outermost in."""

    block: Block
    holders: tuple[Holder, ...]

    def at(self, depth: int) -> Holder | None:
        """Return the holder at a depth; None where the block lies right in the one above."""
        return self.holders[depth] if depth < len(self.holders) else None

    def lies_in(self, tag: str, depth: int) -> bool:
        """Say whether a holder of this name, below a depth, holds the block."""
        return any(holder.tag == tag for holder in self.holders[depth:])

    def is_marked_in(self, holder: Holder) -> bool:
        """Say whether the block's mark is about this item, cell or code: it is about the innermost."""
        frame = next((each for each in reversed(self.holders) if each.tag in FRAMES), None)
        return frame is not None and frame.path == holder.path


def place(blocks: Iterable[Block]) -> list[Placed]:
    """Return the blocks with the elements that hold them; one without a place gets those that its tag speaks of."""
    known: dict[str, tuple[Holder, ...]] = {"": ()}
    return [Placed(block, _holders(block, number, known)) for number, block in enumerate(blocks)]


def common_depth(placed: Sequence[Placed]) -> int:
    """Return how many of the outermost holders hold the text as a whole, as a page of one table or one item does."""
    depth = 0
    for number, holders in enumerate(zip(*(each.holders for each in placed), strict=False)):
        if any(holder.path != holders[0].path for holder in holders):
            break
        if holders[0].tag in _WHOLE or (holders[0].tag == "blockquote" and len(placed) >= MIN_QUOTED):
            depth = number + 1
    return depth


def number_of(holder: Holder, members: Sequence[Placed]) -> int:
    """Return the number of an item or the column of a cell: that of a mark, or the holder's place."""
    marks = (each.block.mark.strip() for each in members if each.is_marked_in(holder))
    return next((int(mark) for mark in marks if mark.isdecimal()), holder.number)


def group(placed: Sequence[Placed], depth: int) -> Iterator[tuple[Holder | None, list[Placed]]]:
    """Yield neighbours that one holder at this depth holds; those right in the one above are together as well."""
    for _, members in groupby(placed, key=lambda each: holder.path if (holder := each.at(depth)) else ""):
        found = list(members)
        yield found[0].at(depth), found


def _holders(block: Block, number: int, known: dict[str, tuple[Holder, ...]]) -> tuple[Holder, ...]:
    found = _holders_on(block.xpath, known)
    wanted = _SHAPED.get(block.tag)
    if wanted and not any(holder.tag in wanted for holder in found):
        return found + _by_tag(block, number)
    return found


def _holders_on(path: str, known: dict[str, tuple[Holder, ...]]) -> tuple[Holder, ...]:
    """Return the holders on an XPath, which share what they have in common with those that are known."""
    if path not in known:
        above, _, last = path.rpartition("/")
        step = _STEP.fullmatch(last)
        own = (Holder(step[1], int(step[2] or 1), path),) if step and step[1] in _HOLDERS else ()
        known[path] = _holders_on(above, known) + own
    return known[path]


def _by_tag(block: Block, number: int) -> tuple[Holder, ...]:
    own = f"{block.tag} {block.xpath or number}"
    if block.tag == "li":
        return Holder("ul", 1, "ul"), Holder("li", number + 1, own)
    return (Holder(block.tag, 1, own),)
