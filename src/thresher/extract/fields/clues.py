"""Clues: what a page says about itself in its head and its structured data, read once for all fields."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from typing import Any

from thresher.html import Tree
from thresher.text import clean

MAX_JSON_LD = 1_000_000  # characters of one script; more is data, not a description
MAX_ITEMS = 1_000  # JSON objects looked at per page

_ARTICLES = ("Article", "NewsArticle", "BlogPosting", "ReportageNewsArticle", "Report", "LiveBlogPosting")
_META_NAMES = ("property", "name", "itemprop", "http-equiv")


@dataclass(frozen=True, slots=True)
class Clues:
    """The meta elements by lower-case name (first one counts), the JSON-LD objects, articles among them first."""

    meta: dict[str, str]
    items: tuple[dict[str, Any], ...]

    @property
    def article(self) -> dict[str, Any] | None:
        """The JSON-LD object that describes an article, if there is one."""
        return self.items[0] if self.items and is_article(self.items[0]) else None


def gather(tree: Tree) -> Clues:
    """Read the meta elements and the JSON-LD of a page; what is broken is left out."""
    meta: dict[str, str] = {}
    for element in tree.root.iter("meta"):
        name = next(filter(None, map(element.get, _META_NAMES)), "")
        content = element.get("content")
        if name and content and not content.isspace():
            meta.setdefault(name.lower(), clean(content))
    items = list(_json_ld(tree))
    items.sort(key=is_article, reverse=True)
    return Clues(meta, tuple(items))


def is_article(item: dict[str, Any]) -> bool:
    """Say whether a JSON-LD object describes an article."""
    kinds = item.get("@type")
    kinds = kinds if isinstance(kinds, list) else [kinds]
    return any(isinstance(kind, str) and kind.endswith(_ARTICLES) for kind in kinds)


def texts_of(value: Any) -> list[str]:
    """Return the strings that a JSON-LD value stands for: itself, its name, its URL, or those of a list's members."""
    texts: list[str] = []
    for member in value if isinstance(value, list) else [value]:
        if isinstance(member, dict):
            member = member.get("name") or member.get("url") or member.get("@value")
        if isinstance(member, str) and (text := clean(unescape(member))):
            texts.append(text)
    return texts


def _json_ld(tree: Tree) -> Iterator[dict[str, Any]]:
    left = MAX_ITEMS
    for script in tree.root.iter("script"):
        if "ld+json" not in (script.get("type") or "").lower() or not script.text:
            continue
        for item in _items_of(script.text, left):
            left -= 1
            yield item


def _items_of(text: str, limit: int) -> Iterator[dict[str, Any]]:
    """Yield the objects of one script: the top one, and those under @graph, mainEntity and lists."""
    if len(text) > MAX_JSON_LD:
        return
    try:
        # strict=False: many pages have bare line ends inside strings.
        waiting = [json.loads(text.strip().rstrip(";"), strict=False)]
    except (ValueError, RecursionError):
        return
    while waiting and limit > 0:
        value = waiting.pop()
        if isinstance(value, list):
            waiting.extend(reversed(value[:MAX_ITEMS]))
        elif isinstance(value, dict):
            limit -= 1
            yield value
            waiting.extend(value[key] for key in ("mainEntity", "mainEntityOfPage", "@graph") if key in value)
