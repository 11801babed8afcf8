"""Skins: the markup of a site, kept as HTML fragments with named gaps."""

import re
from collections.abc import Mapping
from functools import cache
from html import escape
from importlib import resources

_SECTION = re.compile(r"^<!--== (\w+) ==-->\n", re.MULTILINE)
_GAP = re.compile(r"\$\{(\w+)\}")


@cache
def _fragments(skin: str) -> dict[str, list[str]]:
    """Return a skin's fragments, each as literal markup and names of gaps in turn."""
    text = resources.files("thresher.sample").joinpath(f"skins/{skin}.html").read_text("utf-8")
    pieces = _SECTION.split(text)[1:]
    return {name: _GAP.split(markup.rstrip("\n")) for name, markup in zip(pieces[::2], pieces[1::2], strict=True)}


def fill(skin: str, fragment: str, texts: Mapping[str, object], **markup: str) -> str:
    """Return a fragment with its gaps filled: texts are escaped, markup is not; KeyError for a gap left open."""
    pieces = _fragments(skin)[fragment]
    filled = list(pieces)
    for place in range(1, len(pieces), 2):
        gap = pieces[place]
        filled[place] = markup[gap] if gap in markup else escape(str(texts[gap]))
    return "".join(filled)


def has(skin: str, fragment: str) -> bool:
    """Return whether a skin has the fragment."""
    return fragment in _fragments(skin)
