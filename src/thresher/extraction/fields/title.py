"""The title: the headline that the page shows, with <title>, og:title and JSON-LD as witnesses.

The thesis that brings CEVC (§4.3.2.2) takes the longest common substring of <title> and <h1>, <title> where that is
under five characters long, and <h1> where there is no <title>. Here the <h1> that is like what the page says elsewhere
is taken whole, since <title> is often shortened or reworded for search engines; the common part only where the <h1>
holds more than a headline. Without such an <h1> it is JSON-LD, og:title or <title>, less the name of the site.
"""

import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from typing import NamedTuple

from thresher import urls
from thresher.extraction.fields.clues import MAX_TITLE, Clues
from thresher.extraction.fields.found import Found, found
from thresher.extraction.fields.home import name_in_title, without_name
from thresher.extraction.fields.json_ld import texts_of
from thresher.extraction.fields.near import Shown, texts_shown
from thresher.extraction.fields.texts import compact, fold
from thresher.html import Tree
from thresher.text import has_cjk, tokens

MIN_COMMON = 5  # characters that <title> and <h1> must share (thesis, §4.3.2.2)
MIN_LIKENESS = 0.3  # of the words of two titles, under which they are of two things
LONG_HEADING = 200  # characters, over which an <h1> holds more than a headline
SEEN_BLOCKS = 400  # from the top, among which a headline is looked for that is in no <h1>

_SEPARATORS = " \t-–—|_·•:：»«›‹/\\,，>"
_SEGMENT = re.compile(
    r"\s*[|_»›·•｜]+\s*|\s+[-–—:~]+\s+|\s+[«‹]\s+(?![^»›]*[»›])|(?<=[^\x00-\x7f])[-–—]+(?=[^\x00-\x7f])"
)  # « is a quotation mark where it is closed
_MARKS = re.compile("[|_»›·•｜:~–—«‹-]+")  # which every match of the above holds, and which are found much faster
_META = ("og:title", "twitter:title", "parsely-title", "sailthru.title", "dc.title", "citation_title")
_QUOTES = str.maketrans("‘’“”–—\xa0", "''\"\"-- ")


class _Told(NamedTuple):
    """A title that the page tells, and where."""

    text: str
    source: str


def find_title(tree: Tree, clues: Clues, site_name: str | None, blocks: Sequence[Shown] = ()) -> Found[str] | None:
    """Return the title of what the page holds; None when it has neither <title> nor <h1> nor a headline."""
    said = _said_names(clues, site_name)
    names = said | _names_of_host(tree)
    title = clues.title
    headlines = _headlines(clues)
    of_site = {text for text in headlines if _is_only_site(text, title, said, names, blocks)}
    names |= {_compact(text) for text in of_site}
    if _is_only_site(title, title, said, names, blocks) and (only := _other_heading(clues.headings, names, of_site)):
        return found(only, "h1", 0.6, only)
    site = name_in_title(tree, title)
    bares = {text: without_site(without_name(text, site) or text, names) for text in (*headlines, title)}
    told = [_Told(bares[text], source) for text, source in headlines.items() if text not in of_site]
    bare = bares[title]
    heading = _best_heading(clues.headings, bare, told, names | {_compact(site)})
    if heading and not told and (below := _below_site(heading, title, blocks)):
        return found(below, "title ∩ smaller heading", 0.8, title)
    if heading and not _ends_with_site(heading, bare, blocks):
        return _from_heading(bares.get(heading) or without_site(heading, names), title, bare, told)
    if not told and (only := _beside_site(clues.headings, site, bare, blocks)):
        return found(only, "h1", 0.6, only)
    if told or bare:
        return _shown(told, bare, without_name(title, site) or title, blocks) or _unseen(told, bare, title)
    return found(clues.headings[0], "h1", 0.6, clues.headings[0]) if clues.headings else None


def _ends_with_site(heading: str, bare: str, blocks: Sequence[Shown]) -> bool:
    """Say whether a heading is the last segment of <title> while a smaller heading shows what comes before it."""
    if len(bare) <= len(heading) or not _normal(bare).endswith(_normal(heading)):
        return False
    before = bare[: -len(heading)].strip(_SEPARATORS)
    return any(block.tag in ("h2", "h3") and _same(block.text, before) for block in blocks[:SEEN_BLOCKS])


def _beside_site(headings: Sequence[str], site: str, bare: str, blocks: Sequence[Shown]) -> str:
    """Return the only <h1> beside that of the site, where no heading shows what <title> says; empty otherwise.

    Wikis call a page by its address in <title>.
    """
    others = [heading for heading in headings if not _same(heading, site)]
    if not site or len(others) != 1 or len(headings) == 1 or len(others[0]) < MIN_COMMON:
        return ""
    shown = any(block.tag in ("h1", "h2", "h3") and _same(block.text, bare) for block in blocks[:SEEN_BLOCKS])
    return "" if shown else others[0]


def _below_site(heading: str, title: str, blocks: Sequence[Shown]) -> str:
    """Return the smaller heading that is the rest of a <title> which begins with the <h1>; empty where none is.

    Blogs show their own name in <h1>, with that of the post below.
    """
    if len(title) <= len(heading) or not _normal(title).startswith(_normal(heading)):
        return ""
    rest = title[len(heading) :]
    after = rest.strip(_SEPARATORS)
    if not after or rest.strip()[:1] not in _SEPARATORS:
        return ""
    shown = (block.text for block in blocks[:SEEN_BLOCKS] if block.tag in ("h2", "h3") and _same(block.text, after))
    return next(shown, "")


def _from_heading(heading: str, title: str, bare: str, told: Sequence[_Told]) -> Found[str]:
    if headline := _other_headline(heading, title, told):
        return found(headline.text, headline.source, 0.6, headline.text)
    if agreed := next((each for each in told if _same(each.text, heading)), None):
        return found(heading, f"h1 = {agreed.source}", 0.95, heading)
    for each in (*told, _Told(bare, "title")):  # "Kicker Headline" in <h1>, "Headline" elsewhere
        if 2 * len(each.text) > len(heading) and _normal(heading).endswith(" " + _normal(each.text)):
            return found(heading[-len(each.text) :], f"h1 ∩ {each.source}", 0.85, heading)
    common = common_part(heading, title)
    if len(heading) > LONG_HEADING and len(common) >= MIN_COMMON:
        return found(common, "title ∩ h1", 0.7, f"{title} ∩ {heading}")
    if len(common) < MIN_COMMON:
        return found(heading, "h1", 0.6, heading)
    source, confidence = ("title ∩ h1", 0.9) if len(common) + 1 >= len(heading) else ("h1 ~ title", 0.8)
    return found(heading, source, confidence, f"{title} ∩ {heading}")


def _other_headline(heading: str, title: str, told: Sequence[_Told]) -> _Told | None:
    """Return the JSON-LD headline where <h1> only repeats a <title> that was worded for search engines."""
    headline = told[0] if told and told[0].source == "json-ld headline" else None
    if headline is None or headline.text.endswith(".") or not _starts(title, heading):
        return None
    if len(tokens(headline.text)) < 4 or _starts(heading, headline.text) or _starts(headline.text, heading):
        return None
    return headline


def _best_heading(headings: Sequence[str], bare: str, told: Sequence[_Told], names: set[str]) -> str:
    """Return the <h1> that is most like the title as told elsewhere; empty where none can be the headline."""
    references = [each for each in (*(each.text for each in told), bare) if each]
    if not references:
        return headings[0] if headings else ""
    told_alike = {_normal(each.text) for each in told}
    if repeated := next((heading for heading in headings if _normal(heading) in told_alike), None):
        return repeated
    best, best_likeness = "", -1.0
    for heading in headings:
        likeness = max(_likeness(heading, reference) for reference in references)
        if likeness > best_likeness and not _is_name_of_site(heading, names, bare, told):
            best, best_likeness = heading, likeness
    return best if best_likeness >= MIN_LIKENESS and _shares_enough(best, references) else ""


def _is_name_of_site(heading: str, names: set[str], bare: str, told: Sequence[_Told]) -> bool:
    """Say whether a heading is the site's name, or a lesser segment of <title> that nothing else repeats."""
    if _compact(heading) in names:
        return True
    is_start = _starts(bare, heading) and not _same(bare, heading)
    if told and is_start and all(_likeness(heading, each.text) < MIN_LIKENESS for each in told):
        return True
    segments = [segment for segment in _SEGMENT.split(bare) if segment]
    lesser = len(segments) > 1 and any(_same(segment, heading) for segment in segments)
    return lesser and len(heading) < max(map(len, segments))


def _shares_enough(heading: str, references: Iterable[str]) -> bool:
    """Ask for five characters in common (thesis) or two words, so that a word of the menu is no title."""
    words = set(tokens(heading))
    for reference in references:
        if _same(heading, reference) or (not has_cjk(heading) and len(words & set(tokens(reference))) > 1):
            return True
        if len(words) > 1 and len(common_part(heading, reference)) >= MIN_COMMON:
            return True
    return False


def _shown(told: Sequence[_Told], bare: str, title: str, blocks: Sequence[Shown]) -> Found[str] | None:
    """Return the block that shows what is told, or a segment of it; the longest, so that no section's name wins."""
    wanted = {_normal(each.text): each for each in reversed((*told, _Told(bare, "title"))) if each.text}
    for each in (*told, _Told(bare, "title"), _Told(title, "title")):
        for segment in _SEGMENT.finditer(each.text):
            wanted.setdefault(_normal(each.text[: segment.start()]), each)
    longest = min(max(map(len, wanted), default=0), MAX_TITLE)  # no character is folded to none
    # Few texts begin as one that is wanted does; an umlaut or a quote may be written in several ways.
    firsts = {first for key in wanted for first in (key[:1], key[:1].upper())}
    shown = [
        text
        for text in texts_shown(blocks, SEEN_BLOCKS)
        if MIN_COMMON <= len(text) <= longest
        and (text[0] in firsts or (text[0] > "z" and not "\u3400" <= text[0] <= "\u9fff"))
        and _normal(text) in wanted
    ]
    if not shown:
        return None
    best = max(shown, key=len)
    return found(best, f"shown = {wanted[_normal(best)].source}", 0.8, wanted[_normal(best)].text)


def _unseen(told: Sequence[_Told], bare: str, title: str) -> Found[str]:
    for each in told:
        if len(each.text) >= MIN_COMMON:
            return found(each.text, each.source, 0.7, each.text)
    return found(bare or title, "title", 0.6, title) if title else found(told[0].text, told[0].source, 0.5)


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


def without_site(title: str, names: set[str]) -> str:
    """Return the title without last or first segments that are a name of the site, given in compact form."""
    if not _MARKS.search(title):
        return title.strip() or title
    borders = _borders(title)
    start, end = 0, len(title)
    for border, following in zip(borders, (*(border.start() for border in borders[1:]), end), strict=False):
        if _names_site(title[border.end() : following], names):
            end = border.start()
            break
    for border in borders:
        if border.start() >= end or not _names_site(title[start : border.start()], names):
            break
        start = border.end()
    return title[start:end].strip() or title


def _borders(title: str) -> "list[re.Match[str]]":
    """Return what `_SEGMENT` finds, which is asked only where there are marks, and at the white space before them."""
    borders: list[re.Match[str]] = []
    done = 0
    for marks in _MARKS.finditer(title):
        place = marks.start()
        while place > done and title[place - 1].isspace():
            place -= 1
        while (place := max(place, done)) < marks.end():
            if match := _SEGMENT.match(title, place):
                borders.append(match)
                done = match.end()
            place += 1
    return borders


def _names_site(segment: str, names: set[str]) -> bool:
    compact = _compact(segment)
    return compact in names or any(len(name) > 3 and compact.startswith(name) and len(segment) < 40 for name in names)


def _said_names(clues: Clues, site_name: str | None) -> set[str]:
    """Return the names that the page gives its site, in compact form."""
    said = [site_name or "", *texts_of((clues.article or {}).get("publisher"))]
    for item in clues.items:
        if item.get("@type") == "WebSite":
            said += texts_of(item.get("name"))
    return {name for name in map(_compact, said) if name}


def _names_of_host(tree: Tree) -> set[str]:
    """Return what the site may be called by its domain, with and without the suffix."""
    site = urls.site_of(tree.url) if tree.url else ""
    return {name for name in (_compact(site), _compact(site.partition(".")[0])) if name}


def _is_only_site(text: str, title: str, said: set[str], names: set[str], blocks: Sequence[Shown]) -> bool:
    """Say whether a headline that the page tells is but the name of its site.

    It is one that the page gives its site; or its domain, or the end of a <title>, the rest of which a heading shows.
    """
    if _compact(text) in said:
        return True
    rest = _beside(text, title)
    if not rest or (_compact(text) not in names and not _starts(title, rest)):
        return False
    return any(block.tag in ("h1", "h2", "h3") and _same(block.text, rest) for block in blocks[:SEEN_BLOCKS])


def _beside(text: str, title: str) -> str:
    """Return the rest of a <title> that begins or ends with a text, separators aside; empty where it does neither."""
    size = len(text)
    if not size or len(title) <= size:
        return ""
    if _same(title[-size:], text) and title[-size - 1] in _SEPARATORS:
        return title[:-size].strip(_SEPARATORS)
    if _same(title[:size], text) and title[size] in _SEPARATORS:
        return title[size:].strip(_SEPARATORS)
    return ""


def _other_heading(headings: Sequence[str], names: set[str], of_site: set[str]) -> str:
    """Return the first <h1> that is no name of a site, and more than a word of its menu; empty where there is none."""
    if not of_site:
        return ""
    others = (text for text in headings if _compact(text) not in names)
    return next((text for text in others if len(text) >= MIN_COMMON and len(tokens(text)) > 1), "")


def _headlines(clues: Clues) -> dict[str, str]:
    """Return the titles that the page tells and where it first does, the surest first."""
    told: dict[str, str] = {}
    if clues.article and (texts := texts_of(clues.article.get("headline"))):
        told[texts[0][:MAX_TITLE]] = "json-ld headline"
    for name in _META:
        if text := clues.meta.get(name):
            told.setdefault(text[:MAX_TITLE], f"meta {name}")
    return told


def _likeness(one: str, other: str) -> float:
    words, others = set(tokens(one)), set(tokens(other))
    return 2 * len(words & others) / (len(words) + len(others)) if words and others else 0.0


def _same(one: str, other: str) -> bool:
    return _normal(one) == _normal(other)


def _starts(text: str, start: str) -> bool:
    return _normal(text).startswith(_normal(start).rstrip(".… "))


def _normal(text: str) -> str:
    if text.isascii():
        return text.lower()
    return _unquoted(text) if len(text) <= MAX_TITLE else fold(text.translate(_QUOTES))


@lru_cache(maxsize=64)  # titles of the page at hand
def _unquoted(text: str) -> str:
    return fold(text.translate(_QUOTES))


def _compact(text: str) -> str:
    return compact(text).removeprefix("www")


def _lower(text: str) -> str:
    """Fold case and quotes where that keeps every character in its place."""
    lowered = text.translate(_QUOTES).lower()
    return lowered if len(lowered) == len(text) else text


def _splits_word(text: str, position: int) -> bool:
    """Say whether a cut here goes through a word of letters and digits (Chinese is cut anywhere)."""
    if not 0 < position < len(text):
        return False
    before, after = text[position - 1], text[position]
    return before.isalnum() and after.isalnum() and not has_cjk(before + after)
