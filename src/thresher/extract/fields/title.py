"""The title: what <title> and <h1> have in common, with og:title and JSON-LD as witnesses.

The thesis that brings CEVC (§4.3.2.2) takes the longest common substring of <title> and <h1>, <title> where that is
under five characters long, and <h1> where there is no <title>. We cut the common part at borders of words, take the
best of several <h1>, ignore case, prefer an <h1> that og:title or JSON-LD repeats word for word, and where the common
part covers less than half of both take what is given as headline there.
"""

import re
from difflib import SequenceMatcher

from lxml import etree

from thresher.extract.blocks import cut
from thresher.extract.fields.clues import Clues, texts_of
from thresher.extract.fields.found import Found, found
from thresher.html import Tree
from thresher.text import clean, has_cjk

MIN_COMMON = 5  # characters that <title> and <h1> must share (thesis, §4.3.2.2)
MAX_LENGTH = 300  # characters of a title that are looked at; the comparison costs their product
MAX_HEADINGS = 8  # <h1> elements that are looked at

_SEPARATORS = " \t-–—|_·•:：»«›‹/\\,，>"
_SEGMENT = re.compile(r"\s*[|_»›·•]+\s*|\s+[-–—:]+\s+|(?<=[^\x00-\x7f])[-–—](?=[^\x00-\x7f])")


def find_title(tree: Tree, clues: Clues, site_name: str | None) -> Found[str] | None:
    """Return the title of what the page holds; None when it has neither <title> nor <h1> nor a headline."""
    title = _title_of(tree)
    headings = _headings_of(tree)
    headline, headline_source = _headline(clues)
    if not title:
        return _without_title(headings, headline, headline_source)
    agreed = next((h1 for h1 in headings if h1.casefold() == headline.casefold()), None)
    if agreed and len(agreed) >= MIN_COMMON:
        return found(agreed, f"h1 = {headline_source}", 0.95, agreed)
    return _from_title(title, headings, (headline, headline_source), site_name)


def _from_title(title: str, headings: list[str], told: tuple[str, str], site_name: str | None) -> Found[str]:
    common, heading = max(
        ((common_part(h1, title), h1) for h1 in headings), key=lambda pair: len(pair[0]), default=("", "")
    )
    headline, headline_source = told
    if len(common) >= MIN_COMMON and 2 * len(common) >= min(len(heading), len(title)):
        confirmed = not headline or common in headline or headline in common
        return found(common, "title ∩ h1", 0.95 if confirmed else 0.8, f"{title} ∩ {heading}")
    if headline and len(common_part(headline, title)) >= MIN_COMMON:
        return found(without_site(headline, site_name), headline_source, 0.8, headline)
    if len(common) >= MIN_COMMON:
        return found(common, "title ∩ h1", 0.5, f"{title} ∩ {heading}")
    return found(without_site(title, site_name), "title", 0.6, title)


def common_part(one: str, other: str) -> str:
    """Return the longest common substring as `one` writes it, cut at words, without separators around it."""
    lower_one, lower_other = _lower(one), _lower(other)
    if lower_one in lower_other:
        return one.strip(_SEPARATORS)
    match = SequenceMatcher(None, lower_one, lower_other, autojunk=False).find_longest_match()
    start, end = match.a, match.a + match.size
    while start < end and _splits_word(one, start):
        start += 1
    while end > start and _splits_word(one, end):
        end -= 1
    return one[start:end].strip(_SEPARATORS)


def _lower(text: str) -> str:
    """Fold case where that keeps every character in its place."""
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else text


def without_site(title: str, site_name: str | None) -> str:
    """Return the title without a last or first segment that is the site's name."""
    if not site_name:
        return title
    name = site_name.casefold()
    for segment in _SEGMENT.finditer(title):
        if title[segment.end() :].casefold() == name:
            return title[: segment.start()]
        if title[: segment.start()].casefold() == name:
            return title[segment.end() :]
    return title


def _splits_word(text: str, position: int) -> bool:
    """Say whether a cut here goes through a word of letters and digits (Chinese is cut anywhere)."""
    if not 0 < position < len(text):
        return False
    before, after = text[position - 1], text[position]
    return before.isalnum() and after.isalnum() and not has_cjk(before + after)


def _title_of(tree: Tree) -> str:
    for element in tree.root.iter("title"):
        parent = element.getparent()
        if parent is None or parent.tag not in ("svg", "symbol", "g"):
            return clean("".join(element.itertext()))[:MAX_LENGTH]
    return ""


def _headings_of(tree: Tree) -> list[str]:
    texts: list[str] = []
    for count, element in enumerate(tree.root.iter("h1")):
        if count == MAX_HEADINGS:
            break
        if text := _text_of(element):
            texts.append(text)
    return texts


def _text_of(element: etree._Element) -> str:
    return clean(" ".join(block.text for block in cut(element, bare=True)))[:MAX_LENGTH]


def _headline(clues: Clues) -> tuple[str, str]:
    if clues.article and (texts := texts_of(clues.article.get("headline"))):
        return texts[0][:MAX_LENGTH], "json-ld headline"
    for name in ("og:title", "twitter:title", "dc.title"):
        if text := clues.meta.get(name):
            return text[:MAX_LENGTH], f"meta {name}"
    return "", ""


def _without_title(headings: list[str], headline: str, headline_source: str) -> Found[str] | None:
    if headings:
        return found(headings[0], "h1", 0.6, headings[0])
    return found(headline, headline_source, 0.6, headline) if headline else None
