"""Fingerprints of blocks that are the same on every page of a site: where a block stands, and what it says there."""

from collections.abc import Iterator
from hashlib import blake2b
from itertools import islice

from thresher.extraction.learned.table import Table
from thresher.text import has_cjk

MAX_BLOCKS = 3_000  # of a page that are looked at, the first ones
MIN_CJK = 6  # characters of a text without spaces that is looked at; others need two words

_MASK = (1 << 64) - 1
_MIX = 0x9E3779B97F4A7C15  # odd, its bits spread evenly


def fingerprints(table: Table) -> Iterator[tuple[int, int]]:
    """Yield for each block that of its place and that of its text in this place; 0 for a text too short to tell.

    A place is the path of tags and hints from the body down. With the text go the two innermost elements alone: a
    headline shows up among the links of other pages, and is no template for that.
    """
    paths = _paths(table)
    for owner, text in islice(zip(table.owner, table.texts, strict=True), MAX_BLOCKS):
        squeezed = " ".join(text.split())
        if " " not in squeezed and not (len(squeezed) >= MIN_CJK and has_cjk(squeezed)):
            yield paths[owner], 0
            continue
        digest = blake2b(squeezed.encode("utf-8", "surrogatepass"), digest_size=8).digest()
        near = _mixed(_step(table, table.parent[owner]), _step(table, owner))
        yield paths[owner], _mixed(int.from_bytes(digest, "little"), near) or 1


def _paths(table: Table) -> list[int]:
    """Number every element's path; parents stand before their children."""
    paths: list[int] = []
    for element, up in enumerate(table.parent):
        paths.append(_mixed(paths[up] if up >= 0 else 0, _step(table, element)))
    return paths


def _step(table: Table, element: int) -> int:
    """Describe one element; the body only by its tag, for its classes name the page as often as the site."""
    return (table.tag[element] << 20 | table.hints[element]) + 1 if element > 0 else 1


def _mixed(first: int, second: int) -> int:
    mixed = ((first ^ second) * _MIX) & _MASK
    return mixed ^ (mixed >> 29)
