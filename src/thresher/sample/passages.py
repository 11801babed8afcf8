"""Passages: the pieces that a text is made of, their plain lines, and their markup."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from thresher.model import Span
from thresher.sample.skin import fill

Line = tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Passage:
    """A paragraph, heading, quotation, list or table; each of its lines is a line of the page's text."""

    kind: str  # p, h2, quote, list, table
    lines: tuple[Line, ...]
    columns: int = 0  # of a table


def plain(kind: str, texts: Sequence[str], columns: int = 0) -> Passage:
    """Return a passage without inline markup."""
    return Passage(kind, tuple((Span(text),) for text in texts), columns)


def text_of(passages: Iterable[Passage]) -> str:
    """Return the text as it should be extracted: a paragraph, heading, list item or table cell a line."""
    return "\n".join("".join(span.text for span in line) for passage in passages for line in passage.lines)


def markup_of(skin: str, passage: Passage) -> str:
    """Return a passage in the markup of a skin."""
    lines = [_inline(line) for line in passage.lines]
    if passage.kind == "list":
        return fill(skin, "list", {}, items="\n".join(fill(skin, "item", {}, text=line) for line in lines))
    if passage.kind == "table":
        rows = [lines[start : start + passage.columns] for start in range(0, len(lines), passage.columns)]
        return fill(skin, "table", {}, rows="\n".join(_row(skin, row) for row in rows))
    return fill(skin, passage.kind, {}, text=lines[0])


def _row(skin: str, cells: Iterable[str]) -> str:
    return fill(skin, "row", {}, cells="".join(fill(skin, "cell", {}, text=cell) for cell in cells))


def _inline(line: Line) -> str:
    return "".join(map(_span, line))


def _span(span: Span) -> str:
    text = escape(span.text, quote=False)
    if span.href is not None:
        return f'<a href="{escape(span.href)}">{text}</a>'
    if span.strong:
        return f"<strong>{text}</strong>"
    return f"<em>{text}</em>" if span.emphasis else text
