"""The texts of a record; `_row_texts.pyx` reads them in C, where it could be compiled."""

import re
from collections.abc import Sequence
from typing import TypeGuard

from lxml import etree

try:
    from thresher.discovery._row_texts import may_show_numbers as _compiled_look
    from thresher.discovery._row_texts import numbered as _compiled_numbered
    from thresher.discovery._row_texts import pieces as _compiled_pieces
except ImportError:
    _compiled_look = _compiled_numbered = _compiled_pieces = None  # type: ignore[assignment]

_DIGIT = re.compile(r"\d")


def pieces(record: etree._Element, limit: int) -> Sequence[str] | None:
    """Return the texts of a record that are more than white space; None when they have more characters than `limit`."""
    if _compiled_pieces is not None:
        return _compiled_pieces(record, limit)
    return pieces_by_text(record, limit)


def numbered(record: etree._Element, limit: int) -> Sequence[tuple[str, bool]]:
    """Return the texts of a record that may have a digit, none longer than `limit`, and whether each is in a link."""
    if _compiled_numbered is not None:
        return _compiled_numbered(record, limit)
    return numbered_by_text(record, limit)


def may_show_numbers(root: etree._Element, least: int) -> bool:
    """Say whether a page may have as many texts that are numbers; what is said quickly, or else not ruled out."""
    return _compiled_look is None or _compiled_look(root, least)


def pieces_by_text(record: etree._Element, limit: int) -> Sequence[str] | None:
    """Return what `pieces` returns."""
    found: list[str] = []
    length = 0
    for piece in record.itertext():
        if not piece.isspace():
            length += len(piece)
            if length > limit:
                return None
            found.append(piece)
    return found


def numbered_by_text(record: etree._Element, limit: int) -> Sequence[tuple[str, bool]]:
    """Return what `numbered` returns."""
    found: list[tuple[str, bool]] = []
    for element in record.iter():
        if _may_count(text := element.text, limit):
            found.append((text, _is_linked(element, record)))
        if element is not record and _may_count(tail := element.tail, limit):
            found.append((tail, _is_linked(element.getparent(), record)))
    return found


def _may_count(text: str | None, limit: int) -> TypeGuard[str]:
    return text is not None and len(text) <= limit and (not text.isascii() or _DIGIT.search(text) is not None)


def _is_linked(element: etree._Element | None, record: etree._Element) -> bool:
    """Say whether an element of a record lies in a link of it."""
    while element is not None and element is not record:
        if element.tag == "a":
            return True
        element = element.getparent()
    return False
