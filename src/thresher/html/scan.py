"""One look over the markup before it is parsed; `_scan.pyx` does the same in C, where it could be compiled."""

import re

try:
    from thresher.html._scan import has_controls as _compiled_look
    from thresher.html._scan import scan as _compiled
except ImportError:
    _compiled = _compiled_look = None  # type: ignore[assignment]

# As the parser reads them: a quote opens a value only after "=", and a quoted value may hold ">" and run to the end.
_ATTRIBUTE = rb"[^\s/>=]+(?:\s*=\s*(?:\"[^\"]*\"?|'[^']*'?|[^\s>]*))?"
_PIECE = re.compile(rb"[\s/=]+|(" + _ATTRIBUTE + rb")")
_TAG_NAME = re.compile(rb"<[a-zA-Z][^\s/>]*")
CONTROLS = bytes(set(range(32)) - set(b"\t\n\r")) + b"\x7f"  # those that markup cannot hold as they are

_BASE = re.compile(rb"<[bB][aA][sS][eE]")
_START = re.compile(rb"<(?=[a-zA-Z])")
MAX_ROUNDS = 8  # over the markup in all; tags that seem to lie inside others are looked at too, as these may be scripts

Look = tuple[int, bool, bool]


def has_controls(markup: bytes) -> bool:
    """Say whether there is a control character."""
    if _compiled_look is not None:
        return _compiled_look(markup)
    return has_controls_by_table(markup)


def has_controls_by_table(markup: bytes) -> bool:
    """Return what `has_controls` returns."""
    return len(markup.translate(None, CONTROLS)) != len(markup)


def scan(markup: bytes, long_tag: int, many: int = 0) -> Look:
    """Return how many "<" there are, and whether there is a long tag, a <base>.

    A long tag has more than `long_tag` bytes and more than `many` attributes; it may be none, but none is overlooked.
    """
    if _compiled is not None:
        return _compiled(markup, long_tag, many, MAX_ROUNDS)
    return scan_by_expressions(markup, long_tag, many)


def scan_by_expressions(markup: bytes, long_tag: int, many: int = 0) -> Look:
    """Return what `scan` returns."""
    is_long = len(markup) > long_tag and _has_long_tag(markup, long_tag, many)
    return markup.count(b"<"), is_long, _BASE.search(markup) is not None


def _has_long_tag(markup: bytes, long_tag: int, many: int) -> bool:
    left = MAX_ROUNDS * len(markup)
    for start in _START.finditer(markup):
        end, attributes = tag_at(markup, start.start())
        size = end - start.start()
        left -= size
        if left < 0 or (size > long_tag and attributes > many):
            return True
    return False


def tag_at(markup: bytes, start: int) -> tuple[int, int]:
    """Return where a tag that starts here ends, its ">" left out, and how many attributes it has."""
    name = _TAG_NAME.match(markup, start)
    end, attributes = name.end() if name else start, 0
    while piece := _PIECE.match(markup, end):
        end = piece.end()
        attributes += piece[1] is not None
    return end, attributes
