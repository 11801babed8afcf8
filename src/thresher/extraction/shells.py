"""Tell an empty shell, a page that a script in the browser has yet to fill, from a page that is there."""

import re

from lxml import etree

from thresher.html import Tree
from thresher.text import cjk_share, nonspace_length

FEW_CHARS = 200  # of text, a Chinese character counting twice: less is no article
NO_CHARS = 40
_UNSEEN = frozenset({"script", "style", "noscript", "template", "svg", "head", "title"})
_ROOTS = re.compile(
    r"(?:(?:react|vue|ember|svelte|gatsby|main|page|spa|js)?[-_]*)?(?:root|app|application|app-root|approot|mount)"
    r"|_*next|_*nuxt|_*layout|___gatsby|q-app|ember-application",
    re.IGNORECASE,
)
_ASKING = re.compile(r"java\s*script|启用\s*js|啟用\s*js|ativar o js|habilit\w* js", re.IGNORECASE)


def shell_reason(tree: Tree) -> str:
    """Say why a page is an empty shell: "empty-root", "asks-for-script" or "script-only"; empty when it is none.

    It has little text and a script; and an element in which programs build their pages and that is empty, or words that
    ask to turn scripts on, or next to nothing else at all. A page that only sends its reader elsewhere is none.
    """
    if not _has_script(tree) or _refreshes(tree):
        return ""
    chars = _chars(_seen_text(tree))
    if chars >= FEW_CHARS:
        return ""
    if any(_is_empty_root(element) for element in tree.body.iter()):
        return "empty-root"
    if any(_ASKING.search("".join(element.itertext())) for element in tree.root.iter("noscript")):
        return "asks-for-script"
    return "script-only" if chars < NO_CHARS else ""


def _has_script(tree: Tree) -> bool:
    return any("json" not in (script.get("type") or "") for script in tree.root.iter("script"))


def _refreshes(tree: Tree) -> bool:
    return any((meta.get("http-equiv") or "").strip().lower() == "refresh" for meta in tree.root.iter("meta"))


def _seen_text(tree: Tree) -> str:
    parts: list[str] = []
    waiting = [tree.body]
    while waiting:
        element = waiting.pop()
        if element.tag not in _UNSEEN:
            parts.append(element.text or "")
            waiting.extend(element)
        parts.append(element.tail or "")
    return " ".join(parts)


def _chars(text: str) -> int:
    length = nonspace_length(text)
    return round(length * (1 + cjk_share(text)))


def _is_empty_root(element: etree._Element) -> bool:
    is_tag = element.tag in ("app-root", "app-main")
    is_named = element.tag in ("div", "main", "section") and _ROOTS.fullmatch(element.get("id") or "")
    return bool(is_tag or is_named) and nonspace_length("".join(element.itertext())) < NO_CHARS
