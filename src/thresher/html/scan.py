"""One look over the markup before it is parsed; `_scan.pyx` does the same in C, where it could be compiled."""

import re

try:
    from thresher.html._scan import scan as _compiled
except ImportError:
    _compiled = None  # type: ignore[assignment]

# As the parser reads them: a quote opens a value only after "=", and a quoted value may hold ">" and run to the end.
ATTRIBUTE = rb"[^\s/>=]++(?:\s*+=\s*+(?:\"[^\"]*+\"?+|'[^']*+'?+|[^\s>]*+))?+"
WHOLE_TAG = re.compile(rb"<[a-zA-Z][^\s/>]*+((?:[\s/=]++|" + ATTRIBUTE + rb")*+)")
CONTROLS = bytes(set(range(32)) - set(b"\t\n\r")) + b"\x7f"  # those that markup cannot hold as they are

_BASE = re.compile(rb"<[bB][aA][sS][eE]")

Look = tuple[int, bool, bool, bool]


def scan(markup: bytes, long_tag: int) -> Look:
    """Return how many "<" there are, whether a tag of more than `long_tag` bytes, a control character, a <base>."""
    return _compiled(markup, long_tag) if _compiled is not None else scan_by_expressions(markup, long_tag)


def scan_by_expressions(markup: bytes, long_tag: int) -> Look:
    """Return what `scan` returns."""
    is_long = len(markup) > long_tag and any(len(tag[0]) > long_tag for tag in WHOLE_TAG.finditer(markup))
    has_controls = len(markup.translate(None, CONTROLS)) != len(markup)
    return markup.count(b"<"), is_long, has_controls, _BASE.search(markup) is not None
