"""The parts of a text as Markdown: CommonMark, with the tables of GitHub."""

import re
from collections.abc import Iterable, Sequence

from thresher.model.content import Block
from thresher.model.rendering.markdown_line import markdown_heading, markdown_image, markdown_line, markdown_start
from thresher.model.rendering.parts import IMAGE, Cell, Code, Grid, Item, Listing, Part, Quote, Text

_TICKS = re.compile(r"`{3,}")
_BULLETS = "-*"  # one list after the other takes the other sign, or they were one
_AFTER_NUMBER = ".)"


def markdown_parts(parts: Sequence[Part]) -> str:
    """Return parts with blank lines between them."""
    return "\n\n".join(_written(parts))


def _written(parts: Sequence[Part]) -> list[str]:
    written = []
    turns = {True: 0, False: 0}  # of lists with numbers and without
    for part in parts:
        if isinstance(part, Listing):
            has_numbers = part.kind == "ol"
            text, turn = _listing(part, turns[has_numbers])
            turns = {has_numbers: turn, not has_numbers: 0}
        else:
            text, turns = _part(part), {True: 0, False: 0}
        written.append(text)
    return written


def _part(part: Text | Code | Quote | Grid) -> str:
    match part:
        case Text():
            return _text(part)
        case Code():
            return _code(part)
        case Quote():
            return _indented(markdown_parts(part.parts), "> ", "> ")
        case Grid():
            return _grid(part)


def _text(text: Text) -> str:
    lines = [_line(block) for block in text.lines]
    if text.level:
        # The title is the only first-level heading.
        return f"{'#' * max(2, text.level)} {markdown_heading(' '.join(lines))}"
    return "  \n".join(map(markdown_start, lines))


def _line(block: Block) -> str:
    return markdown_image(block.spans[0]) if block.tag == IMAGE else markdown_line(block.spans)


def _code(code: Code) -> str:
    text = "\n".join("\n" * line.mark.count("\n") * (place > 0) + line.text for place, line in enumerate(code.lines))
    ticks = "`" * max(3, 1 + max((len(run) for run in _TICKS.findall(text)), default=0))
    return f"{ticks}{code.language}\n{text}\n{ticks}"


def _listing(listing: Listing, turn: int) -> tuple[str, int]:
    """Return a list, and the turn of the one that follows; numbers that do not count up by one begin another list."""
    items = _entries(listing.items) if listing.kind == "dl" else listing.items
    is_loose = any(len([part for part in item.parts if not isinstance(part, Listing)]) > 1 for item in items)
    written = []
    expected = None
    for item in items:
        if listing.kind == "ol":
            turn += expected not in (None, item.number)
            marker = f"{item.number}{_AFTER_NUMBER[turn % 2]} "
            expected = item.number + 1
        else:
            marker = f"{_BULLETS[turn % 2]} "
        written.append(_indented(_item(item, is_loose=is_loose), marker, " " * len(marker)))
    return ("\n\n" if is_loose else "\n").join(written), turn + 1


def _entries(items: Iterable[Item]) -> list[Item]:
    """Return terms as items, each with the definitions that follow it."""
    entries: list[Item] = []
    was_term = False
    for item in items:
        if entries and (was_term or not item.is_term):
            entries[-1] = Item((*entries[-1].parts, *item.parts))
        else:
            entries.append(item)
        was_term = item.is_term
    return entries


def _item(item: Item, *, is_loose: bool) -> str:
    """Return an item; a list in it follows the line before without a blank one where that is read as a list."""
    text = ""
    for part, written in zip(item.parts, _written(item.parts), strict=True):
        is_close = isinstance(part, Listing) and (part.kind != "ol" or part.items[0].number == 1) and not is_loose
        text += ("\n" if is_close else "\n\n") * bool(text) + written
    return text


def _indented(text: str, first: str, others: str) -> str:
    blank = others.rstrip()
    line, *more = text.split("\n")
    return "\n".join([first + line, *(others + line if line else blank for line in more)])


def _grid(grid: Grid) -> str:
    """Return a table; its first row is empty where none names the columns."""
    width = len(grid.head or grid.rows[0])
    lines = [_row(grid.head or (Cell(),) * width), "|" + " --- |" * width, *map(_row, grid.rows)]
    caption = "  \n".join(markdown_start(_line(block)) for block in grid.caption)
    return (f"{caption}\n\n" if caption else "") + "\n".join(lines)


def _row(cells: Sequence[Cell]) -> str:
    return "|" + "".join(f" {text} |" if (text := _cell(cell.parts)) else "  |" for cell in cells)


def _cell(parts: Iterable[Part]) -> str:
    return "<br>".join(_lines(parts)).replace("|", "\\|")


def _lines(parts: Iterable[Part]) -> Iterable[str]:
    """Yield the lines of what stands in a cell."""
    for part in parts:
        match part:
            case Text() | Code():
                yield from (_line(block) for block in part.lines)
            case Quote():
                yield from _lines(part.parts)
            case Listing():
                for item in part.items:
                    yield from _lines(item.parts)
