"""Credits: elements that say by class, rel, itemprop or link that they name the author."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from lxml import etree

from thresher.extraction.fields.inline import pieces_of
from thresher.extraction.fields.names import LEAD, is_office, is_person, names_in, without_tail
from thresher.extraction.fields.names_cjk import account_in
from thresher.html import Tree

try:
    from thresher.extraction.fields._signed import Signed
except ImportError:  # not compiled
    Signed = None  # type: ignore[assignment,misc]

MAX_CREDITS = 30  # elements looked at
MAX_BESIDE = 40  # elements next to one that are looked at for further authors
MAX_TOGETHER = 8  # authors in one place
MAX_TEXT = 300  # characters of one
MAX_CLASS, MAX_CLASSES = 300, 20  # characters and names of a class attribute
MAX_UP = 8  # ancestors looked at
LINKED = 0.6  # confidence of a link to a page of the author's
BOX = "box about the author"
ACCOUNT = ("account", 0.45)  # of whoever put it there, as self-publishing sites show them
MAX_PIECES = 6  # texts of an element that are looked at for an account

_TAGS = (
    "h1",
    "a",
    "span",
    "div",
    "p",
    "address",
    "li",
    "cite",
    "small",
    "strong",
    "em",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "td",
    "dd",
)
_HINTS = ("author", "byline", "autor", "auteur", "writer", "contributor", "verfasser", "redakteur", "journalist")
_HINT = re.compile(r"author|byline|autor(?!is)|auteur|writer|contributor|verfasser|redakteur|journalist", re.IGNORECASE)
_CJK_HINTS = (*_HINTS, "nick", "user", "account", "name", "reporter")
_ACCOUNT = re.compile(r"nick|user[-_]{0,2}(?:name|info|link)|account|reporter|^names?$|[-_]name$", re.IGNORECASE)
_NO_CREDIT = re.compile(
    r"comment|avatar|image|img|photo|pic\b|mediabox|caption|bio|desc|social|follow|share|icon|date|time|authori[tsz]|"
    r"job|role|title(?!__)|related|more-|list",
    re.IGNORECASE,
)
_GOES_ON = re.compile(r"(?:^|\s)(?:and|und|et|y|e|og|och|en|&)$|[,;、]$", re.IGNORECASE)
_OTHERS_BY = re.compile(r"(?:review|edit|check|verifi|photo|illustrat|translat)\w*\s+by:?$", re.IGNORECASE)
# "Veröffentlicht am 5. Mai 2016 von Ann Miller"
_STAMPED = re.compile(
    r"^(?:publiziert|veröffentlicht|geschrieben|gepostet|erstellt|posted|published|publié|publicado)\b[^|]{2,40}?\s"
    r"(?:by|von|par|por)\s+(?=\S)",
    re.IGNORECASE,
)
_BY_ITSELF = re.compile(r"(?:^|\s)by:?$", re.IGNORECASE)
_NAME = re.compile(r"name|^author$|^byline$|p-author|fn\b|by-?author", re.IGNORECASE)
_BOX = re.compile(r"author[-_]{0,2}(?:bio|box|info|card)|(?:bio|about)[-_](?:the[-_])?author", re.IGNORECASE)
_STEPS = (
    *("author", "autor", "auteur", "writer", "contributor", "journalist", "reporter", "columnist", "staff", "people"),
    *("profile", "profil", "team", "user", "redaktion", "redakteur", "autorin", "redactor", "verfasser"),
)
# Small letters only, with the slash in front: so the search for it runs at the speed of a plain one.
_LINK = re.compile(rf"/(?:{'|'.join(_STEPS)})(?:s|es|en)?/(?=[\w%@~-])")
_ACCOUNT_LINK = re.compile(r"/u/|/space[-?/.]|mod=space|/@")
_TELLING_ID = re.compile(r"(?:\w{2,12}[-_])?(?:author|byline|writer)(?:[-_]?(?:name|baidu|block|info))?", re.IGNORECASE)
_PATHS = (*_STEPS, "u/", "@", "space")
_TEASER = re.compile(r"teaser|card|comment-", re.IGNORECASE)
_ELSEWHERE_WORDS = (
    *("comment", "related", "recommend", "sidebar", "teaser", "widget", "popular", "trending", "footer", "newsletter"),
    *("promo", "carousel", "readmore", "read-more", "readnext", "read-next"),
)
_FOOT_OF_ARTICLE = re.compile(r"\b(?:entry|post|article|story)[-_]{0,2}footer\b", re.IGNORECASE)
_ELSEWHERE = re.compile("|".join(_ELSEWHERE_WORDS), re.IGNORECASE)


class Credit(NamedTuple):
    """Names, where they were found, and whether that is after the title."""

    names: tuple[str, ...]
    source: str
    confidence: float
    after_title: bool


def find_credits(tree: Tree, title_place: int, around: str = "") -> Iterator[Credit]:
    """Yield the credits of a page in reading order; `title_place` is how many <h1> come before the title's own.

    `around` are the lines near the title of a Chinese, Japanese or Korean page: names of accounts count where they
    stand in it.
    """
    headings = looked_at = 0
    last: etree._Element | None = None
    for element in _candidates(tree.body, is_cjk=bool(around)):
        tag, hint = element.tag, _hint_of(element)
        # Most elements are settled here: neither a link nor of a class that says anything.
        is_silent = tag != "a" and (not hint or _kind_of_class(hint) is None) and element.get("itemprop") is None
        if is_silent and not around:
            headings += tag == "h1"
            continue
        kind = _kind_of(element, hint) or (_account_kind(element, hint) if around else None)
        headings += tag == "h1"
        if kind is None or (last is not None and _is_inside(element, last)):
            continue
        looked_at += 1
        if looked_at > MAX_CREDITS:
            return
        if _is_elsewhere(element):
            continue
        names = _names_of(element, *kind) if kind is not ACCOUNT else ()
        if names := names or (_account_of(element, around) if around else ()):
            last = element
            together = tuple(dict.fromkeys((*names, *_beside(element, *kind))))
            if len(together) <= MAX_TOGETHER:  # more are a table of people
                yield Credit(together, kind[0], kind[1], headings > title_place)


def _candidates(body: etree._Element, *, is_cjk: bool) -> Iterator[etree._Element]:
    """Iterate over elements among which are all credits and every <h1>; compiled, over few others."""
    if Signed is None:
        return body.iter(*_TAGS)
    return iter(Signed(body, _TAGS, _CJK_HINTS, _PATHS) if is_cjk else Signed(body, _TAGS, _HINTS, _STEPS))


def _hint_of(element: etree._Element) -> str:
    """Return what an element is called by its class, and by its id where that is plain."""
    named, called = element.get("class") or "", element.get("id")
    if len(named) > MAX_CLASS:
        named = named[:MAX_CLASS]
    return f"{named} {called}" if called and _tells_by_id(called[:MAX_CLASS]) else named


@lru_cache(maxsize=1024)
def _tells_by_id(called: str) -> bool:
    return _TELLING_ID.fullmatch(called) is not None


def _kind_of(element: etree._Element, hint: str) -> tuple[str, float] | None:
    """Say how an element tells that it names the author, and how sure that is; None when it does not."""
    role = element.get("itemprop")
    if element.tag == "a":
        rel, href = element.get("rel"), element.get("href")
        if rel and "author" in rel:
            return "rel=author", 0.8
        if href and (_LINK.search(href) or "author=" in href) and not _NO_CREDIT.search(hint):
            named = _kind_of_class(hint)
            return named if named and named[1] > LINKED else ("link to the author", LINKED)
    if role and "author" in role:
        return "itemprop author", 0.8
    return _kind_of_class(hint) if hint else None


@lru_cache(maxsize=4096)  # a page has many elements and few classes
def _kind_of_class(hint: str) -> tuple[str, float] | None:
    lowered = hint.lower()
    if not any(map(lowered.__contains__, _HINTS)):
        return None
    classes = [name for name in hint.split()[:MAX_CLASSES] if _HINT.search(name)]
    if told := [name for name in classes if not _NO_CREDIT.search(name)]:
        return "class", 0.7 if any(map(_NAME.search, told)) else 0.6
    return (BOX, 0.5) if any(map(_BOX.search, classes)) else None


def _account_kind(element: etree._Element, hint: str) -> tuple[str, float] | None:
    """Say that an element names an account by its class, or as a link to one."""
    if element.tag == "a" and _ACCOUNT_LINK.search(element.get("href") or ""):
        return ACCOUNT
    return _kind_of_account(hint)


@lru_cache(maxsize=1024)
def _kind_of_account(hint: str) -> tuple[str, float] | None:
    return ACCOUNT if any(map(_ACCOUNT.search, hint.split()[:MAX_CLASSES])) else None


def _account_of(element: etree._Element, around: str) -> tuple[str, ...]:
    """Return the first text of an element that can be called so and stands near the title."""
    for meta in islice(element.iter("meta"), MAX_PIECES):
        if meta.get("itemprop") == "name" and (name := account_in(meta.get("content") or "")):
            return (name,)
    for piece, _ in islice(pieces_of(element, MAX_TEXT), MAX_PIECES):
        if (name := account_in(piece)) and name in around:
            return (name,)
    return ()


def _names_of(element: etree._Element, source: str, confidence: float) -> tuple[str, ...]:
    """Read the pieces of a credit up to what is no name."""
    names: list[str] = []
    first_holder = ""
    lenient = confidence >= 0.7
    goes_on = True  # a comma or an "and" since the last name
    for piece, holder in pieces_of(element, MAX_TEXT):
        lenient = lenient or LEAD.match(piece + " x") is not None
        if piece[-3:].lower().rstrip(":").endswith("by"):
            if _OTHERS_BY.search(piece):
                break
            if names and _BY_ITSELF.search(piece):  # "Guide by Ann Miller"
                names = []
        piece = _STAMPED.sub("", piece) if piece[:1] in "PVGEpvge" else piece
        told = without_tail(LEAD.sub("", piece + " ").strip())
        found = names_in([told], told=lenient and source != "link to the author") if told else ()
        found = () if all(map(is_office, found)) else found
        if found and not names:
            names, first_holder = list(found), holder
        elif found and is_person(found[0]) and (goes_on or holder == first_holder):
            names += [name for name in found if name not in names]
        elif names and not _GOES_ON.search(piece):
            break
        goes_on = _GOES_ON.search(piece) is not None
    return tuple(names)


def _beside(element: etree._Element, source: str, confidence: float) -> Iterator[str]:
    """Yield the names of like elements next to a credit, as of further authors."""
    parent = element.getparent()
    if parent is None:
        return
    above = parent.getparent() if len(parent) == 1 and parent.getnext() is not None else None
    for place in (parent, above):
        for other in islice(place.iter(str(element.tag)), MAX_BESIDE) if place is not None else ():
            is_like = other is not element and other.get("class") == element.get("class")
            if is_like and _kind_of(other, _hint_of(other)) == (source, confidence):
                yield from filter(is_person, _names_of(other, source, confidence))


def _is_inside(element: etree._Element, other: etree._Element) -> bool:
    for count, above in enumerate(element.iterancestors()):
        if above is other:
            return True
        if count == MAX_UP:
            break
    return False


def _is_elsewhere(element: etree._Element) -> bool:
    """Say whether an element stands in comments, teasers or the page's margins."""
    for count, above in enumerate(element.iterancestors()):
        told = f"{(above.get('class') or '')[:MAX_CLASS]} {(above.get('id') or '')[:MAX_CLASS]}"
        if _ends_article(above, told):
            continue
        if above.tag in ("nav", "footer", "aside"):
            return True
        if above.tag in ("main", "body") or count == MAX_UP:
            return False
        if above.tag == "article":
            return _TEASER.search(told) is not None
        if _tells_elsewhere(told):
            return True
    return False


def _ends_article(element: etree._Element, told: str) -> bool:
    """Say whether an element is the foot of an article, where some themes put the byline, and not that of the page."""
    if element.tag == "footer":
        parent = element.getparent()
        return (parent is not None and parent.tag == "article") or _FOOT_OF_ARTICLE.search(told) is not None
    return "footer" in told and _FOOT_OF_ARTICLE.search(told) is not None


@lru_cache(maxsize=4096)
def _tells_elsewhere(told: str) -> bool:
    if told.isascii():  # as most are, which plain searches are much faster for
        return any(map(told.lower().__contains__, _ELSEWHERE_WORDS))
    return _ELSEWHERE.search(told) is not None
