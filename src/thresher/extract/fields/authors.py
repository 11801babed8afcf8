"""The authors: structured data, rel=author and bylines."""

import re
from collections.abc import Iterable, Iterator, Sequence

from thresher.extract.blocks import cut
from thresher.extract.fields.clues import Clues, texts_of
from thresher.extract.fields.found import Found, found
from thresher.html import Tree
from thresher.model import Block
from thresher.text import clean, has_cjk

MAX_NAME = 60  # characters
MAX_WORDS = 6  # in one name
MAX_AUTHORS = 10
BYLINE_BLOCKS = 60  # short blocks from the top in which a byline is looked for

_META = ("author", "article:author", "dc.creator", "dcterms.creator", "parsely-author", "sailthru.author", "byl")
_CLASSES = frozenset(
    {"author", "byline", "author-name", "byline-name", "article-author", "post-author", "entry-author"}
)
_SPLIT = re.compile(r"\s*[,;、，；|/]\s*|\s+(?:and|und|et|y|e|og|och|en|i|и)\s+|\s*[&＆]\s*")
_LEAD = re.compile(
    r"^(?:(?:written |posted |published )?by|von|par|por|di|door|av|af|автор)\s*[:：]?\s+"
    r"|^(?:作者|文|记者|記者)\s*[:：/]?\s*",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"https?:|www\.|@", re.IGNORECASE)
_NO_NAME = re.compile(r"\d{2}|^(?:admin|administrator|staff|editor|unknown|none|null|anonymous)$", re.IGNORECASE)
_LATIN_BYLINE = re.compile(r"^(?:Written by|Posted by|By|Von|Par|Por|Di|Door)[:\s]\s*(.{3,80})$")
_CHINESE_BYLINE = re.compile(r"(?:作者|记者|記者|撰文)\s*[:：]\s*([^\s:：|，,、()（）【】“”‘’']{2,10})")
_TAIL = re.compile(r"\s+(?:on|for|at|in|published|updated)\s.*$", re.IGNORECASE)  # "By Ann Miller for the Daily Grain"


def find_authors(
    tree: Tree, clues: Clues, blocks: Sequence[Block], site_name: str | None
) -> Found[tuple[str, ...]] | None:
    """Return the names of the people who wrote the page; None when it does not tell."""
    for source, confidence, told in _candidates(tree, clues, blocks):
        names = _names_in(told, site_name)
        if names:
            return found(names, source, confidence, "; ".join(told))
    return None


def _candidates(tree: Tree, clues: Clues, blocks: Sequence[Block]) -> Iterator[tuple[str, float, list[str]]]:
    """Yield what may hold names, the surest first; the costly ones are read only when asked for."""
    for item in clues.items:
        yield "json-ld author", 0.95, texts_of(item.get("author"))
    for name in _META:
        yield f"meta {name}", 0.85, [clues.meta[name]] if name in clues.meta else []
    yield "rel=author", 0.8, _linked(tree)
    for text in _classed(tree):
        yield "class", 0.65, [text]
    yield "byline", 0.6, _bylines(blocks)


def _classed(tree: Tree) -> Iterator[str]:
    """Yield the short texts of elements whose class or itemprop is that of an author."""
    for element in tree.body.iter("span", "a", "div", "p", "address", "li", "cite"):
        told = (element.get("itemprop") or element.get("class") or "").lower()
        if ("author" in told or "byline" in told) and not _CLASSES.isdisjoint(told.split()):
            text = " ".join(block.text for block in cut(element, bare=True))
            if len(text) <= 2 * MAX_NAME:
                yield text


def _linked(tree: Tree) -> list[str]:
    """Return the texts of links to an author, at most a few."""
    texts: list[str] = []
    for element in tree.root.iter("a"):
        if "author" in (element.get("rel") or "").lower().split():
            texts.append(" ".join(block.text for block in cut(element, bare=True)))
            if len(texts) == MAX_AUTHORS:
                break
    return texts


def _bylines(blocks: Sequence[Block]) -> list[str]:
    for block in blocks[:BYLINE_BLOCKS]:
        text = block.text
        if len(text) > 2 * MAX_NAME:
            continue
        match = _CHINESE_BYLINE.search(text) if has_cjk(text) else _LATIN_BYLINE.match(text)
        if match:
            return [match[1]]
    return []


def _names_in(texts: Iterable[str], site_name: str | None) -> tuple[str, ...]:
    """Split texts into names, and leave out what is none."""
    names: dict[str, None] = {}
    for text in texts:
        if _ADDRESS.search(text):
            continue
        for part in _SPLIT.split(_LEAD.sub("", clean(text)[: MAX_NAME * MAX_AUTHORS])):
            name = _TAIL.sub("", part).strip(" .:：-–—·\"'“”()（）")
            if _is_name(name) and (not site_name or name.casefold() != site_name.casefold()):
                names[name] = None
    return tuple(names)[:MAX_AUTHORS]


def _is_name(text: str) -> bool:
    return 2 <= len(text) <= MAX_NAME and len(text.split()) <= MAX_WORDS and not _NO_NAME.search(text)
