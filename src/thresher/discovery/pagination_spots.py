"""Spots: the numbers in a URL that may be those of pages, and what fellow pages have in common."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from thresher import urls
from thresher.discovery.pagination_words import PAGE_NAMES

MAX_NUMBERS = 12  # in a URL; more is no page of anything
NUMBER = re.compile(r"\d{1,9}")
_PARAMETER = re.compile(r"(?<=[?&])([^=&?]{1,30})=(\d{1,9})(?=&|$)")
# The number of a page at the end of a path: /page-2, /2, -page-2.html, /p2/, ?12-title/page2, /the-title/2
_PIECE = re.compile(r"([/\-_,.]?)(?:comment-)?([A-Za-z]{0,15})([/\-_=,]?)(\d{1,9})(?=/?(?:\.[a-z]{3,5})?(?:\?|$))")
_LETTERS = re.compile(r"[A-Za-z]*(?=[^A-Za-z]?$)")
_EMPTY = re.compile(r"(?<=[?&])[^=&?]*=(?:&|$)")


class Spot(NamedTuple):
    """A number in a URL that may be that of a page."""

    key: str  # what fellow pages have in common
    value: int | None  # None: the URL has no number there, as first pages often have not
    name: str  # the letters before the number
    bare: str | None  # the URL without the number, spelled as it is: the first page's; None where it cannot be left out


@lru_cache(maxsize=2_000)  # a page's fellows are asked about once for each address it has, and again on each of them
def spots(url: str) -> tuple[Spot, ...]:
    """Return the places of a URL where a page's number stands or, for its first page, might stand."""
    return tuple(_spots(url))


def _spots(url: str) -> Iterator[Spot]:
    origin = urls.origin_of(url)
    rest = without_blanks(url)[len(origin) :]
    yield Spot(_plain(rest), None, "", rest)
    taken = set()
    for match in _PARAMETER.finditer(rest):
        shorter = (rest[: match.start()] + rest[match.end() :].lstrip("&")).rstrip("?&")
        taken.add(match.start(2))
        yield Spot(_plain(shorter), int(match[2]), match[1].lower(), shorter)
    for match in _PIECE.finditer(rest):
        name = match[2].lower()
        if match.start(4) not in taken and (match[1] or name):
            is_slug = name and name not in PAGE_NAMES  # /the-walk/2: the word is what the number is a page of
            if is_slug and match[3] != "/":
                continue
            taken.add(match.start(4))
            shorter = rest[: match.start(3) if is_slug else match.start()] + rest[match.end() :]
            yield Spot(_plain(shorter), int(match[4]), name, shorter)
    for match in islice(NUMBER.finditer(rest), MAX_NUMBERS):
        masked = f"{rest[: match.start()]}\0{rest[match.end() :]}"
        before = _LETTERS.search(rest[max(0, match.start() - 20) : match.start()])
        yield Spot(masked, int(match[0]), before[0].lower() if before else "", None)


def without_blanks(url: str) -> str:
    """Return a URL without the parameters that have no value."""
    return _EMPTY.sub("", url).rstrip("?&")


def _plain(rest: str) -> str:
    return rest.rstrip("/") or "/"
