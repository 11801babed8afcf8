"""Spans as nested formatting: a link around emphasis or emphasis around a link, whichever reaches further."""

from collections.abc import Sequence
from typing import NamedTuple

from thresher.model.content import Span

LINK, STRONG, EMPHASIS = "link", "strong", "emphasis"
_KINDS = (LINK, STRONG, EMPHASIS)  # of two that reach equally far, the first is outside


class Styled(NamedTuple):
    """Formatting and what it is put on."""

    kind: str
    href: str  # of a link
    inner: tuple["Piece", ...]


Piece = Span | Styled  # of a span only text and code count


def nest(spans: Sequence[Span], kinds: Sequence[str] = _KINDS) -> tuple[Piece, ...]:
    """Return spans as nested formatting of these kinds; links are those to the web alone."""
    pieces: list[Piece] = []
    place = 0
    while place < len(spans):
        ends = {kind: _end(spans, place, kind) for kind in kinds if _value(spans[place], kind)}
        if not ends:
            pieces.append(spans[place])
            place += 1
            continue
        kind = max(ends, key=lambda each: ends[each])
        others = [each for each in kinds if each != kind]
        inner = nest(spans[place : ends[kind]], others)
        pieces.append(Styled(kind, (spans[place].href or "") if kind == LINK else "", inner))
        place = ends[kind]
    return tuple(pieces)


def is_web(href: str | None) -> bool:
    """Say whether an address is one of the web."""
    return bool(href) and str(href).lower().startswith(("http://", "https://"))


def _end(spans: Sequence[Span], start: int, kind: str) -> int:
    """Return the place of the first span from here whose formatting of this kind is another."""
    value = _value(spans[start], kind)
    place = start + 1
    while place < len(spans) and _value(spans[place], kind) == value:
        place += 1
    return place


def _value(span: Span, kind: str) -> str | bool | None:
    if kind == LINK:
        return span.href if is_web(span.href) else None
    return span.strong if kind == STRONG else span.emphasis
