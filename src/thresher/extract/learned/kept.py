"""From chosen blocks of a table to Blocks with their formatting, absolute links and places."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import groupby
from operator import itemgetter

from lxml import etree

from thresher.extract.blocks import absolute
from thresher.extract.learned.table import SHAPE_NAMES, Run, Style, Table
from thresher.extract.paths import Paths
from thresher.model import Block, Span

try:
    from thresher.extract.learned import _kept
except ImportError:  # not compiled
    _kept = None  # type: ignore[assignment]

# Addresses in which nothing is to be resolved or put right, which are most.
_SITE = r"(https?://[a-z0-9.-]+)"
_PATH = r"(?:/[A-Za-z0-9_%~-][A-Za-z0-9_%~.-]*)+/?"
_REST = r"(?:\?[A-Za-z0-9_%~.=&+-]+)?(?:#[A-Za-z0-9_%~.-]+)?"
_PLAIN_BASE = re.compile(rf"{_SITE}(?:/.*)?", re.DOTALL)
_PLAIN_FOLDER = re.compile(rf"({_SITE}(?:/[A-Za-z0-9_%~-][A-Za-z0-9_%~.-]*)*/)[^/?#]*(?:[?#].*)?", re.DOTALL)
_PLAIN_URL = re.compile(rf"{_SITE}(?:{_PATH}|/)?{_REST}")
_PLAIN_PATH = re.compile(rf"{_PATH}{_REST}")
_PLAIN_NAME = re.compile(rf"[A-Za-z0-9_%~-][A-Za-z0-9_%~.-]*(?:{_PATH})?{_REST}")


def kept(
    table: Table, chosen: Iterable[int], *, base_url: str | None = None, paths: Paths | None = None
) -> tuple[Block, ...]:
    """Return the blocks of these numbers as `cut` would give them: links made absolute, neighbours of a style joined.

    `paths` are those asked for so far, where a page is read more than once.
    """
    path_of = (paths or Paths()).of
    base, folder = _bases(base_url) if base_url else (None, None)
    links: dict[str | None, str | None] = {}

    def link_of(href: str | None) -> str | None:
        if href not in links:
            links[href] = _plain(href, base, folder) or absolute(href, base_url)
        return links[href]

    make = _kept.blocks_of if _kept else blocks_of
    return make(table, chosen, link_of=link_of, path_of=path_of)


def blocks_of(
    table: Table,
    chosen: Iterable[int],
    *,
    link_of: Callable[[str | None], str | None],
    path_of: Callable[[etree._Element], str],
) -> tuple[Block, ...]:
    """Return the blocks of these numbers; `link_of` resolves an address, `path_of` gives the XPath of an element."""
    resolved: dict[int, Style] = {}
    blocks = []
    for number in chosen:
        run = table.runs[number]
        for _, style in run:
            if style not in resolved:
                in_link, href, strong, emphasis, code = table.styles[style]
                resolved[style] = in_link, link_of(href), strong, emphasis, code
        xpath = path_of(table.nodes[table.owner[number]])
        blocks.append(Block(tuple(_spans(run, resolved)), SHAPE_NAMES[table.shape[number]], xpath))
    return tuple(blocks)


@lru_cache(maxsize=16)
def _bases(base_url: str) -> tuple[str | None, str | None]:
    """Return what a plain path, and what a plain name, is put behind on a page; None where it is not that easy."""
    base, folder = _PLAIN_BASE.fullmatch(base_url), _PLAIN_FOLDER.fullmatch(base_url)
    return (base[1] if base else None), (folder[1] if folder else None)


def _plain(href: str | None, base: str | None, folder: str | None) -> str | None:
    """Return the absolute URL of a link where that is easily told."""
    if not href or not base:
        return None
    if _PLAIN_URL.fullmatch(href):
        return href
    if _PLAIN_PATH.fullmatch(href):
        return base + href
    return folder + href if folder and _PLAIN_NAME.fullmatch(href) else None


def _spans(run: Run, resolved: dict[int, Style]) -> Iterator[Span]:
    pieces = [(text, resolved[style]) for text, style in run]
    for (_, href, strong, emphasis, code), group in groupby(pieces, key=itemgetter(1)):
        text = "".join(text for text, _ in group)
        if text:
            yield Span(text, href, strong, emphasis, code)
