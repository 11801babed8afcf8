"""From chosen blocks of a table to Blocks with their formatting, absolute links and places."""

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter

from thresher.extract.blocks import absolute
from thresher.extract.learned.table import SHAPE_NAMES, Run, Style, Table
from thresher.extract.paths import Paths
from thresher.model import Block, Span

# Addresses in which nothing is to be resolved or put right, which are most.
_SITE = r"(https?://[a-z0-9.-]+)"
_PATH = r"(?:/[A-Za-z0-9_%~-][A-Za-z0-9_%~.-]*)+/?"
_PLAIN_URL = re.compile(rf"{_SITE}{_PATH}")
_PLAIN_PATH = re.compile(_PATH)


def kept(
    table: Table, chosen: Iterable[int], *, base_url: str | None = None, paths: Paths | None = None
) -> tuple[Block, ...]:
    """Return the blocks of these numbers as `cut` would give them: links made absolute, neighbours of a style joined.

    `paths` are those asked for so far, where a page is read more than once.
    """
    paths = paths or Paths()
    resolved: dict[int, Style] = {}
    base = _PLAIN_URL.fullmatch(base_url) if base_url else None
    links: dict[str | None, str | None] = {}
    blocks = []
    for number in chosen:
        run = table.runs[number]
        for _, style in run:
            if style not in resolved:
                in_link, href, strong, emphasis, code = table.styles[style]
                if href not in links:
                    links[href] = _plain(href, base) or absolute(href, base_url)
                resolved[style] = in_link, links[href], strong, emphasis, code
        xpath = paths.of(table.nodes[table.owner[number]])
        blocks.append(Block(tuple(_spans(run, resolved)), SHAPE_NAMES[table.shape[number]], xpath))
    return tuple(blocks)


def _plain(href: str | None, base: re.Match[str] | None) -> str | None:
    """Return the absolute URL of a link where that is easily told."""
    if not href or not base:
        return None
    if _PLAIN_URL.fullmatch(href):
        return href
    return base[1] + href if _PLAIN_PATH.fullmatch(href) else None


def _spans(run: Run, resolved: dict[int, Style]) -> Iterator[Span]:
    if len(run) == 1:
        text, number = run[0]
        if text:
            yield Span(text, *resolved[number][1:])
        return
    pieces = [(text, resolved[style]) for text, style in run]
    for (_, href, strong, emphasis, code), group in groupby(pieces, key=itemgetter(1)):
        text = "".join(text for text, _ in group)
        if text:
            yield Span(text, href, strong, emphasis, code)
