"""The six features of a line that DGWC and FAR-SW share, after the preprocessing that both ask for."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from thresher.extraction.lines import Layout, Line, lines_of
from thresher.extraction.tags import UNSEEN
from thresher.text import squeeze

# Table I of DGWC, Table 1 of FAR-SW. <a> is in it too, but gone for good no line would have a link, and theirs do: so
# it is kept for TextLength and LinkNum and deleted, with the words in it, from OutputTextLength.
_USELESS = """
    script noscript style meta param button select optgroup option label textarea fieldset legend input image map area
    form iframe embed object
"""
USELESS = frozenset(_USELESS.split()) | UNSEEN


class Features(NamedTuple):
    """What is known of a line; lengths are in bytes of UTF-8."""

    position: float  # lines from <body>, the first being 1; Index in the papers
    text_length: float  # of the line with its tags
    output_length: float  # of what stands between the tags, outside of links
    density: float  # output_length / text_length
    links: float
    images: float


def topic_lines(source: str, layout: Layout) -> list[Line]:
    """Return a page's lines after preprocessing: the body without blank lines, needless white space, useless tags.

    Some servers wrap the whole page in a <form>; where nothing would be left, forms are kept.
    """
    lines = lines_of(source, layout=layout, drop=USELESS)
    return lines if any(line.text for line in lines) else lines_of(source, layout=layout, drop=USELESS - {"form"})


def features_of(line: Line, index: int) -> Features:
    """Return the features of a line, given how many lines from <body> it stands."""
    text_length = _size(line.markup)
    output_length = _size(squeeze("".join(piece.content for piece in line.pieces if piece.href is None)))
    return Features(index, text_length, output_length, output_length / text_length, line.links, line.images)


def normalised_features(lines: Iterable[Line]) -> list[Features]:
    """Return the features of all lines of a page, each divided by the page's maximum of it: 0 to 1."""
    return normalised([features_of(line, index) for index, line in enumerate(lines, start=1)])


def normalised(rows: Sequence[Features]) -> list[Features]:
    """Return the features of a page's lines, each divided by the page's maximum; a maximum of 0 leaves all at 0."""
    if not rows:
        return []
    tops = [max(column) or 1.0 for column in zip(*rows, strict=True)]
    return [Features(*(value / top for value, top in zip(row, tops, strict=True))) for row in rows]


def _size(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "replace"))
