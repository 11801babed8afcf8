"""Read JSON-LD as pages have it: in lists and graphs, with references, and with the usual mistakes in it."""

import json
import re
from collections.abc import Iterable, Iterator
from html import unescape
from typing import Any

from thresher.text import clean

MAX_SCRIPT = 1_000_000  # characters of one script; more is data, not a description
MAX_ITEMS = 1_000  # objects looked at per page
MAX_TEXTS = 20  # strings that one value may stand for
MAX_DIGITS = 20  # of a whole number that are read: Python refuses to read thousands

# Many pages have bare line ends inside strings.
_DECODER = json.JSONDecoder(strict=False, parse_int=lambda digits: int(digits[:MAX_DIGITS]))
_NESTED = ("mainEntity", "mainEntityOfPage", "@graph")
_WRAPPERS = ("<!--", "//<![CDATA[", "// <![CDATA[", "/*<![CDATA[*/", "/* <![CDATA[ */", "<![CDATA[")
_ENDS = ("-->", "//]]>", "// ]]>", "/*]]>*/", "/* ]]> */", "]]>")
_TRAILING_COMMA = re.compile(r",\s{0,200}(?=[}\]])")
_BAD_ESCAPE = re.compile(r'\\(?!["\\/bfnrtu])')
# What a script that stays broken after all repairs still says, one string after a key.
_STRINGS = re.compile(r'"(headline|datePublished|dateModified)"\s{0,9}:\s{0,9}"((?:[^"\\]|\\.){1,500})"')
_AUTHOR = re.compile(
    r'"author"\s{0,9}:[\s\[{]{0,9}(?:"@type"\s{0,9}:\s{0,9}"\w+"\s{0,9},\s{0,9})?"name"\s{0,9}:\s{0,9}"([^"\\]{2,100})"'
)


def read_items(scripts: Iterable[str]) -> list[dict[str, Any]]:
    """Return the objects of a page's scripts in their order: top ones, and those in lists and under @graph or main."""
    items: list[dict[str, Any]] = []
    for script in scripts:
        if len(script) <= MAX_SCRIPT and len(items) < MAX_ITEMS:
            items.extend(_objects(_parsed(script), MAX_ITEMS - len(items)))
    return items


def by_id(items: Iterable[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the objects that others may refer to, by their @id."""
    return {item["@id"]: item for item in items if isinstance(item.get("@id"), str) and "name" in item}


def texts_of(value: Any, known: dict[str, dict[str, Any]] | None = None) -> list[str]:
    """Return the strings that a value stands for: itself, its name, its URL, or those of a list's members.

    `known` are the objects by @id, for values that only refer to one.
    """
    texts: list[str] = []
    for member in value[:MAX_TEXTS] if isinstance(value, list) else [value]:
        if isinstance(member, dict):
            if known and "name" not in member and isinstance(member.get("@id"), str):
                member = known.get(member["@id"], member)
            member = member.get("name") or member.get("url") or member.get("@value")
        for text in member if isinstance(member, list) else [member]:
            if isinstance(text, str) and (text := _plain(text)):
                texts.append(text)
    return texts[:MAX_TEXTS]


def _plain(text: str) -> str:
    # Twice: some pages escape what their templates have escaped already.
    return clean(unescape(unescape(text))) if "&" in text else clean(text)


def _parsed(script: str) -> Any:
    """Parse a script, mending what is usually wrong with it; where that fails, return the strings that matter."""
    text = _unwrapped(script)
    for mend in (None, _mended, unescape):
        try:
            return _DECODER.decode(mend(text) if mend else text)
        except ValueError:
            continue
        except RecursionError:
            return None
    return _several(text) or _rescued(text)


def _unwrapped(script: str) -> str:
    """Take off white space, semicolons, and the comments that hid scripts from old browsers."""
    text = script.strip(" \t\r\n;\ufeff")
    for wrapper in _WRAPPERS:
        text = text.removeprefix(wrapper)
    for end in _ENDS:
        text = text.removesuffix(end)
    return text.strip(" \t\r\n;") if text is not script else text


def _mended(text: str) -> str:
    return _BAD_ESCAPE.sub(r"\\\\", _TRAILING_COMMA.sub("", text))


def _several(text: str) -> list[Any]:
    """Read objects that follow each other without a list around them."""
    values: list[Any] = []
    place = 0
    while len(values) < MAX_TEXTS:
        try:
            value, place = _DECODER.raw_decode(text, place)
        except (ValueError, RecursionError):
            break
        values.append(value)
        while place < len(text) and text[place] in ",; \t\r\n":
            place += 1
    return values


def _rescued(text: str) -> dict[str, Any] | None:
    found: dict[str, Any] = {}
    for match in _STRINGS.finditer(text):
        found.setdefault(match[1], match[2].replace('\\"', '"'))
    authors = [match[1] for match in _AUTHOR.finditer(text)]
    if not found and not authors:
        return None
    return {"@type": "Article", **found, **({"author": list(dict.fromkeys(authors))[:1]} if authors else {})}


def _objects(value: Any, limit: int) -> Iterator[dict[str, Any]]:
    waiting = [value]
    while waiting and limit > 0:
        value = waiting.pop()
        if isinstance(value, list):
            waiting.extend(reversed(value[:MAX_ITEMS]))
        elif isinstance(value, dict):
            limit -= 1
            yield value
            waiting.extend(value[key] for key in _NESTED if key in value)
