"""The Link header of an answer (RFC 8288): feeds, further pages and hubs that a server names besides its page."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from thresher.discovery.references import FEED_TYPES, Reference

MAX_CHARS = 8_192
_LINK = re.compile(r"<([^<>]*)>([^<>]*)")
_PARAMETER = re.compile(r";\s*(rel|type)\s*=\s*(?:\"([^\"]*)\"|([^\s;,\"]+))", re.IGNORECASE)


class HeaderLink(NamedTuple):
    """One link of the header."""

    target: str
    rels: frozenset[str]  # in lower case
    type: str


def header_links(header: str) -> list[HeaderLink]:
    """Return the links of a header as far as it can be read."""
    found = []
    for target, parameters in _LINK.findall(header[:MAX_CHARS]):
        values = {name.lower(): quoted or plain for name, quoted, plain in reversed(_PARAMETER.findall(parameters))}
        kind = values.get("type", "").partition(";")[0].strip().lower()
        found.append(HeaderLink(target.strip(), frozenset(values.get("rel", "").lower().split()), kind))
    return found


def header_references(header: str) -> Iterator[Reference]:
    """Yield the feeds and the neighbouring pages that a header names."""
    for link in header_links(header):
        if "alternate" in link.rels and link.type in FEED_TYPES:
            yield Reference(link.target, "feed")
        elif not link.rels.isdisjoint(("next", "prev")):
            yield Reference(link.target, "next")
