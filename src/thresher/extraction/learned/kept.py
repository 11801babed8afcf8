"""From chosen blocks of a table to Blocks with their formatting, absolute links and places."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from lxml import etree

from thresher.extraction.blocks import absolute
from thresher.extraction.learned.table import SHAPE_NAMES, TAG_CODE, Run, Style, Table
from thresher.extraction.marks import GAP, MAX_UP, Marks
from thresher.extraction.paths import Paths
from thresher.model import Block, Span
from thresher.model.content import FRAMES

try:
    from thresher.extraction.learned import _kept
except ImportError:  # not compiled
    _kept = None  # type: ignore[assignment]

# Addresses in which nothing is to be resolved or put right, which are most.
_SITE = r"(https?://[a-z0-9.-]+(?::\d+)?)"
_PATH = r"(?:/[A-Za-z0-9_%~-][A-Za-z0-9_%~.,:@!$&'()*+=-]*)+/?"
_SAID = r"[A-Za-z0-9_%~.,:;@!$&'()*+=/?|\[\]-]+"  # in a query or after a hash
_REST = rf"(?:\?{_SAID})?(?:#{_SAID})?"
_PLAIN_BASE = re.compile(rf"{_SITE}(?:/.*)?", re.DOTALL)
_PLAIN_FOLDER = re.compile(rf"({_SITE}(?:/[A-Za-z0-9_%~-][A-Za-z0-9_%~.-]*)*/)[^/?#]*(?:[?#].*)?", re.DOTALL)
_PLAIN_PAGE = re.compile(rf"({_SITE}(?:{_PATH}|/)?(?:\?{_SAID})?)(?:#{_SAID})?")
_PLAIN_URL = re.compile(rf"{_SITE}(?:{_PATH}|/)?{_REST}")
_PLAIN_PATH = re.compile(rf"{_PATH}{_REST}")
_PLAIN_NAME = re.compile(rf"(?:\./)?([A-Za-z0-9_%~-][A-Za-z0-9_%~.-]*(?:{_PATH})?{_REST})")
_PLAIN_HASH = re.compile(rf"#{_SAID}")
FRAME_CODES = frozenset(TAG_CODE[tag] for tag in FRAMES)


def kept(
    table: Table, chosen: Iterable[int], *, base_url: str | None = None, paths: Paths | None = None
) -> tuple[Block, ...]:
    """Return the blocks of these numbers as `cut` would give them: links made absolute, neighbours of a style joined.

    `paths` are those asked for so far, where a page is read more than once.
    """
    path_of = (paths or Paths()).of
    bases = _bases(base_url) if base_url else _Bases(None, None, None)
    links: dict[str | None, str | None] = {}

    def link_of(href: str | None) -> str | None:
        if href not in links:
            links[href] = _plain(href, bases) or absolute(href, base_url)
        return links[href]

    make = _kept.blocks_of if _kept else blocks_of
    return make(table, chosen, link_of=link_of, path_of=path_of, mark_of=Marks().of)


def drafts(table: Table, chosen: Iterable[int], paths: Paths) -> tuple[Block, ...]:
    """Return the blocks of these numbers with their texts and places alone, for those who ask no more of them."""
    if _kept:
        return _kept.drafts_of(table, chosen, path_of=paths.of)
    texts, nodes, owner = table.texts, table.nodes, table.owner
    return tuple(Block((Span(texts[number]),), xpath=paths.of(nodes[owner[number]])) for number in chosen)


def blocks_of(
    table: Table,
    chosen: Iterable[int],
    *,
    link_of: Callable[[str | None], str | None],
    path_of: Callable[[etree._Element], str],
    mark_of: Callable[[str, etree._Element], str],
) -> tuple[Block, ...]:
    """Return the blocks of these numbers.

    `link_of` resolves an address, `path_of` gives the XPath of an element, `mark_of` the mark of a text in a frame.
    """
    resolved: dict[int, Style] = {}
    blocks = []
    last = -1  # the element that the last block was of
    for number in chosen:
        run = table.runs[number]
        for _, style in run:
            if style not in resolved:
                in_link, href, strong, emphasis, code = table.styles[style]
                resolved[style] = in_link, link_of(href), strong, emphasis, code
        owner, frame = table.nodes[table.owner[number]], _frame_of(table, table.owner[number])
        mark = mark_of(table.texts[number], table.nodes[frame]) if frame >= 0 else ""
        if table.breaks[number] >= GAP and table.owner[number] == last:
            mark += "\n"
        last = table.owner[number]
        blocks.append(Block(tuple(_spans(run, resolved)), SHAPE_NAMES[table.shape[number]], path_of(owner), mark))
    return tuple(blocks)


def _frame_of(table: Table, element: int) -> int:
    """Return the innermost item, cell or code that an element is or lies in, not far above it; -1 for none.

    What the table is of is none itself: many posts lie in the cells of one table.
    """
    for _ in range(MAX_UP):
        if table.parent[element] < 0:
            return -1
        if table.tag[element] in FRAME_CODES:
            return element
        element = table.parent[element]
    return -1


class _Bases(NamedTuple):
    """What plain links of a page are put behind; None where it is not that easy."""

    site: str | None  # paths
    folder: str | None  # names
    page: str | None  # places in the page itself


@lru_cache(maxsize=16)
def _bases(base_url: str) -> _Bases:
    """Return what links of a page with this base are put behind."""
    found = [pattern.fullmatch(base_url) for pattern in (_PLAIN_BASE, _PLAIN_FOLDER, _PLAIN_PAGE)]
    return _Bases(*(match[1] if match else None for match in found))


def _plain(href: str | None, bases: _Bases) -> str | None:
    """Return the absolute URL of a link where that is easily told."""
    if not href or not bases.site:
        return None
    if href[0] == "#":
        return bases.page + href if bases.page and _PLAIN_HASH.fullmatch(href) else None
    if href[0] == "/":
        return bases.site + href if _PLAIN_PATH.fullmatch(href) else None
    if href[:4] == "http" and _PLAIN_URL.fullmatch(href):
        return href
    name = _PLAIN_NAME.fullmatch(href) if bases.folder else None
    return bases.folder + name[1] if bases.folder and name else None


def _spans(run: Run, resolved: dict[int, Style]) -> Iterator[Span]:
    pieces = [(text, resolved[style]) for text, style in run]
    for (_, href, strong, emphasis, code), group in groupby(pieces, key=itemgetter(1)):
        text = "".join(text for text, _ in group)
        if text:
            yield Span(text, href, strong, emphasis, code)
