"""The parts of a text as clean HTML: escaped, with http(s) links only and no attribute that styles."""

from collections.abc import Iterable, Sequence
from html import escape

from thresher.model.content import Block
from thresher.model.rendering.formatting import EMPHASIS, LINK, STRONG, Piece, Styled, nest
from thresher.model.rendering.parts import IMAGE, Cell, Code, Grid, Item, Listing, Part, Quote, Text

_TAGS = {LINK: "a", STRONG: "strong", EMPHASIS: "em"}


def html_parts(parts: Iterable[Part]) -> str:
    """Return parts as block-level elements, one after the other."""
    return "\n".join(map(_part, parts))


def _part(part: Part) -> str:
    match part:
        case Text():
            # The title is the only first-level heading.
            name = f"h{max(2, part.level)}" if part.level else "p"
            return f"<{name}>{_lines(part.lines)}</{name}>"
        case Code():
            return _code(part)
        case Quote():
            return f"<blockquote>{_held(part.parts)}</blockquote>"
        case Listing():
            return _listing(part)
        case Grid():
            return _grid(part)


def _lines(blocks: Iterable[Block]) -> str:
    return "<br>\n".join(_image(block) if block.tag == IMAGE else _pieces(nest(block.spans)) for block in blocks)


def _image(block: Block) -> str:
    (span,) = block.spans
    return f'<img src="{escape(span.href or "")}" alt="{escape(span.text)}" />'


def _pieces(pieces: Iterable[Piece]) -> str:
    return "".join(map(_piece, pieces))


def _piece(piece: Piece) -> str:
    if not isinstance(piece, Styled):
        return _around(escape(piece.text), "<code>", "</code>") if piece.code else escape(piece.text)
    name = _TAGS[piece.kind]
    start = f'<a href="{escape(piece.href)}">' if piece.kind == LINK else f"<{name}>"
    return _around(_pieces(piece.inner), start, f"</{name}>")


def _around(inner: str, start: str, end: str) -> str:
    """Put tags around a text, inside of its white space."""
    text = inner.strip()
    return inner.replace(text, f"{start}{text}{end}", 1) if text else inner


def _code(code: Code) -> str:
    text = ""
    for place, line in enumerate(code.lines):
        text += "\n" * (1 + line.mark.count("\n")) * (place > 0) + escape(line.text)
    language = f' class="language-{escape(code.language)}"' if code.language else ""
    return f"<pre><code{language}>{text}</code></pre>"


def _held(parts: Sequence[Part]) -> str:
    """Return what an element holds: a single paragraph without an element of its own, and lists below it."""
    texts = [part for part in parts if not isinstance(part, Listing)]
    if len(texts) != 1 or parts[0] is not texts[0] or not isinstance(texts[0], Text) or texts[0].level:
        return f"\n{html_parts(parts)}\n" if parts else ""
    below = html_parts(parts[1:])
    return _lines(texts[0].lines) + (f"\n{below}\n" if below else "")


def _listing(listing: Listing) -> str:
    """Return a list; an item tells its number where it is not the next one."""
    lines = []
    first = expected = listing.items[0].number if listing.kind == "ol" else 0
    for item in listing.items:
        lines.append(_item(listing.kind, item, expected))
        expected = item.number + 1
    start = f' start="{first}"' if listing.kind == "ol" and first != 1 else ""
    return f"<{listing.kind}{start}>\n" + "\n".join(lines) + f"\n</{listing.kind}>"


def _item(kind: str, item: Item, expected: int) -> str:
    name = "li" if kind != "dl" else "dt" if item.is_term else "dd"
    value = f' value="{item.number}"' if kind == "ol" and item.number != expected else ""
    return f"<{name}{value}>{_held(item.parts)}</{name}>"


def _grid(grid: Grid) -> str:
    caption = f"<caption>{_lines(grid.caption)}</caption>\n" if grid.caption else ""
    head = f"<thead>\n{_row(grid.head)}\n</thead>\n" if grid.head else ""
    body = "\n".join(map(_row, grid.rows))
    return f"<table>\n{caption}{head}<tbody>\n{body}\n</tbody>\n</table>"


def _row(cells: Iterable[Cell]) -> str:
    return "<tr>" + "".join(map(_cell, cells)) + "</tr>"


def _cell(cell: Cell) -> str:
    name = "th" if cell.is_head else "td"
    return f"<{name}>{_held(cell.parts)}</{name}>"
