"""What a page asks of crawlers: meta robots and the X-Robots-Tag header."""

import re
from typing import NamedTuple

from lxml import etree

_AGENT = re.compile(r"([^\s:]+)\s*:\s*(.*)", re.DOTALL)
_SEPARATOR = re.compile(r"[\s,]+")
# Directives with a value, which look like an agent's name.
_VALUED = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"})


class Wishes(NamedTuple):
    """Whether the page asks not to be kept, and its links not to be followed."""

    noindex: bool = False
    nofollow: bool = False


def wishes(root: etree._Element | None, robots_tag: str = "", *, agent: str = "thresher") -> Wishes:
    """Return what the page and its X-Robots-Tag header ask of everyone or of this agent; the stricter wins."""
    words = set(_header_words(robots_tag.lower(), agent))
    for meta in root.iter("meta") if root is not None else ():
        if (meta.get("name") or "").strip().lower() in ("robots", agent):
            words.update(_SEPARATOR.split((meta.get("content") or "").lower()))
    return Wishes(
        noindex=not words.isdisjoint({"noindex", "none"}), nofollow=not words.isdisjoint({"nofollow", "none"})
    )


def _header_words(header: str, agent: str) -> list[str]:
    """Return the directives meant for us; a name before a colon says whom it and all that follow are meant for."""
    found: list[str] = []
    ours = True
    for piece in header.split(","):
        named = _AGENT.fullmatch(piece.strip())
        if named and named[1] in _VALUED:
            continue
        if named:
            ours = named[1] in ("*", "robots", agent)
            piece = named[2]
        if ours:
            found += piece.split()
    return found
