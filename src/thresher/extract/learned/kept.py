"""From chosen blocks of a table to Blocks with their formatting, absolute links and places."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter

from thresher.extract.blocks import absolute
from thresher.extract.learned.table import SHAPE_NAMES, Run, Style, Table
from thresher.extract.paths import Paths
from thresher.model import Block, Span


def kept(
    table: Table, chosen: Iterable[int], *, base_url: str | None = None, paths: Paths | None = None
) -> tuple[Block, ...]:
    """Return the blocks of these numbers as `cut` would give them: links made absolute, neighbours of a style joined.

    `paths` are those asked for so far, where a page is read more than once.
    """
    paths = paths or Paths()
    resolved: dict[int, Style] = {}
    links: dict[str | None, str | None] = {}
    blocks = []
    for number in chosen:
        run = table.runs[number]
        for _, style in run:
            if style not in resolved:
                resolved[style] = _resolved(table.styles[style], base_url, links)
        xpath = paths.of(table.nodes[table.owner[number]])
        blocks.append(Block(tuple(_spans(run, resolved)), SHAPE_NAMES[table.shape[number]], xpath))
    return tuple(blocks)


def _resolved(style: Style, base_url: str | None, links: dict[str | None, str | None]) -> Style:
    in_link, href, strong, emphasis, code = style
    if href not in links:
        links[href] = absolute(href, base_url)
    return in_link, links[href], strong, emphasis, code


def _spans(run: Run, resolved: dict[int, Style]) -> Iterator[Span]:
    pieces = [(text, resolved[style]) for text, style in run]
    for (_, href, strong, emphasis, code), group in groupby(pieces, key=itemgetter(1)):
        text = "".join(text for text, _ in group)
        if text:
            yield Span(text, href, strong, emphasis, code)
