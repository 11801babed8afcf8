"""The structure of a text as the places of its blocks tell it."""

from collections.abc import Iterator, Sequence

from thresher.model.content import Block
from thresher.model.rendering.grids import read_grid
from thresher.model.rendering.parts import Code, Grid, Item, Listing, Part, Quote, Text
from thresher.model.rendering.places import CODE, LISTS, Holder, Placed, common_depth, group, number_of, place

FRAME_PARTS = 5  # so many in an only item, or in a definition, and it holds a part of the page, not a point of a list


def outline(blocks: Sequence[Block]) -> tuple[Part, ...]:
    """Return the parts of a text in order; what holds all of it is left out, and so are tables for the looks."""
    placed = place(blocks)
    return tuple(_parts(placed, common_depth(placed)))


def _parts(placed: Sequence[Placed], depth: int) -> list[Part]:
    parts: list[Part] = []
    for holder, members in group(placed, depth):
        parts += _held(holder, members, depth + 1) if holder else _texts(members)
    return parts


def _held(holder: Holder, placed: Sequence[Placed], depth: int) -> Sequence[Part]:
    """Return the parts in a holder; `depth` is that of the ones in it."""
    if holder.tag in CODE:
        return [_code(placed)]
    if holder.tag == "blockquote":
        return [Quote(tuple(_parts(placed, depth)))]
    if holder.tag in LISTS:
        return _listing(holder, placed, depth)
    if holder.tag == "dl":
        return _terms(placed, depth)
    if holder.tag == "table":
        grid = read_grid(placed, depth, _parts)
        return [grid] if grid else _parts(placed, depth)
    return _parts(placed, depth)


def _texts(placed: Sequence[Placed]) -> Iterator[Text]:
    """Yield paragraphs and headings; lines of one element that a single <br> or a line end parts are one."""
    lines: list[Block] = []
    for each in placed:
        if lines and not _goes_on(lines[-1], each.block):
            yield _text(lines)
            lines = []
        lines.append(each.block)
    if lines:
        yield _text(lines)


def _goes_on(last: Block, block: Block) -> bool:
    """Say whether a block is the next line of the same paragraph."""
    is_apart = block.mark.endswith("\n") and block.tag[0] != "h"
    return block.tag == last.tag and block.xpath == last.xpath != "" and not is_apart


def _text(lines: Sequence[Block]) -> Text:
    tag = lines[0].tag
    return Text(int(tag[1]) if tag[0] == "h" and tag[1:].isdecimal() else 0, tuple(lines))


def _code(placed: Sequence[Placed]) -> Code:
    lines = tuple(each.block for each in placed)
    return Code(lines[0].mark.strip(), lines)


def _listing(holder: Holder, placed: Sequence[Placed], depth: int) -> Sequence[Part]:
    """Return a list, with what stands between its items in the item before; its parts alone where it is none."""
    before: list[Part] = []
    items: list[Item] = []
    for inner, members in group(placed, depth):
        if inner and inner.tag == "li":
            items.append(Item(tuple(_parts(members, depth + 1)), number_of(inner, members)))
            continue
        parts = _held(inner, members, depth + 1) if inner else tuple(_texts(members))
        if items:
            items[-1] = Item((*items[-1].parts, *parts), items[-1].number)
        else:
            before += parts
    if len(items) == 1 and _is_frame(items[0].parts):
        return [*before, *items[0].parts]
    kind = "ol" if holder.tag == "ol" else "ul"
    return [*before, Listing(kind, tuple(items))] if items else before


def _terms(placed: Sequence[Placed], depth: int) -> Sequence[Part]:
    """Return terms and definitions as a list; the parts alone where one kind is missing or it is a frame."""
    items = [
        Item(tuple(_parts(members, depth + 1)), is_term=bool(inner and inner.tag == "dt"))
        for inner, members in group(placed, depth)
    ]
    kinds = {item.is_term for item in items}
    if len(kinds) == 1 or any(_is_frame(item.parts) for item in items):
        return [part for item in items for part in item.parts]
    return [Listing("dl", tuple(items))]


def _is_frame(parts: Sequence[Part]) -> bool:
    """Say whether what an item holds is rather a part of a page, put there for its looks."""
    return len(parts) >= FRAME_PARTS or any(isinstance(part, Grid) or _is_heading(part) for part in parts)


def _is_heading(part: Part) -> bool:
    return isinstance(part, Text) and part.level > 0
