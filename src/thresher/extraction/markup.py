"""Find the tags of a page's source without parsing it: in one pass, whatever the quality of the markup."""

import re
from collections.abc import Collection, Iterator
from functools import cache
from typing import NamedTuple

_MARK = re.compile(r"<(?:(!--)|[!?][^>]*|(/?)([a-zA-Z][^\s/<>]*))")
# A value in quotes may hold any sign; outside of quotes a tag ends at the next "<" or ">". Some values at a time:
# nothing that could fail follows them, so nothing is tried twice, and memory is bounded.
_REST = re.compile(r"""(?:[^<>=]+|=\s*(?:"[^"]*"|'[^']*')?){1,64}""")
_COMMENT_END = re.compile(r"--!?>|(?<=<!--)-?>")
_RAW_NAMES = "script style textarea title xmp iframe noembed noframes"
_VOID_NAMES = "area base br col embed frame hr image img input link meta param source track wbr"
_RAW = frozenset(_RAW_NAMES.split())  # tags in them are text

VOID = frozenset(_VOID_NAMES.split())  # without content and end tag


class Tag(NamedTuple):
    """A tag, or a comment or declaration (whose name is empty), and where it stands in the source."""

    name: str  # in lower case
    closing: bool
    start: int
    end: int
    dropped: bool = False  # then it stands for all from `start` to `end`


def tags_of(source: str) -> Iterator[Tag]:
    """Yield the tags, comments and declarations in order; what stands between them is text, or raw as a script is."""
    position = 0
    while match := _MARK.search(source, position):
        start, position = match.span()
        if match[1]:
            position = _comment_end(source, start)
            yield Tag("", False, start, position)
            continue
        name = (match[3] or "").lower()
        while name and (rest := _REST.match(source, position)):
            position = rest.end()
        position += source.startswith(">", position)
        yield Tag(name, bool(match[2]), start, position)
        if name in _RAW and not match[2]:
            end_tag = _end_of(name).search(source, position)
            position = end_tag.start() if end_tag else len(source)


def without(tags: Collection[Tag], drop: Collection[str]) -> Iterator[Tag]:
    """Yield the tags, with one marked `dropped` for each comment and each element of `drop` with all that is in it.

    A start tag whose end is missing goes alone, and so does an end tag without its start.
    """
    ends = _matching_ends(tags, drop)
    dropped_until = -1
    for tag in tags:
        if tag.start < dropped_until:
            continue
        if not tag.name or tag.name in drop:
            dropped_until = ends.get(tag.start, tag.end)
            yield tag._replace(end=dropped_until, dropped=True)
        else:
            yield tag


def _matching_ends(tags: Collection[Tag], drop: Collection[str]) -> dict[int, int]:
    """Return where the element of each start tag in `drop` ends, by where it starts."""
    open_starts: dict[str, list[int]] = {name: [] for name in drop}
    ends: dict[int, int] = {}
    for tag in tags:
        if tag.name not in drop or tag.name in VOID:
            continue
        if not tag.closing:
            open_starts[tag.name].append(tag.start)
        elif open_starts[tag.name]:
            ends[open_starts[tag.name].pop()] = tag.end
    return ends


def _comment_end(source: str, start: int) -> int:
    """Return where the comment that starts here ends: at the page's end when nothing closes it."""
    end = _COMMENT_END.search(source, start + 4)
    return end.end() if end else len(source)


@cache
def _end_of(name: str) -> "re.Pattern[str]":
    return re.compile(f"</{name}(?=[\\s/>]|$)", re.IGNORECASE)
