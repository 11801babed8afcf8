"""Links near the title that read as a person's name and lead to an address made of it: /amanda-hallsten."""

import re
import unicodedata
from collections.abc import Iterator

from lxml import etree

from thresher.extraction.fields.inline import text_of
from thresher.extraction.fields.names import is_surely_person
from thresher.extraction.fields.near import Near
from thresher.html import Tree

MAX_LINKS = 20  # with one name that are looked at
AFTER, BEFORE = 8, 3  # lines around the title
MAX_NAME = 60  # characters

# Where those are led to whom the page is about.
_SUBJECT = re.compile(
    r"tag|topic|thema|theme|search|suche|categor|keyword|hashtag|wiki|company|stock|celebrit|player|spieler|artist|actor|"
    r"topico|tema|dossier|perso[nš]|facebook|twitter|linkedin|instagram",
    re.IGNORECASE,
)
_LINKS = etree.XPath(".//a[contains(@href, $last) or contains(@href, $capital)]")
_NO_LETTER = re.compile("[^a-z]+")


def find_named_links(tree: Tree, near: Near) -> Iterator[str]:
    """Yield the common names that stand alone on lines near the title and are links to a page called after them.

    Sections have such links, too; so a common given name must tell.
    """
    for line in (*near.after[:AFTER], *near.before[:BEFORE]):
        if len(line) > MAX_NAME or not is_surely_person(line):
            continue
        last = _letters(line.rpartition(" ")[2])
        for link in _LINKS(tree.body, last=last, capital=last.capitalize())[:MAX_LINKS] if last else ():
            if _leads_to(link.get("href") or "", line) and text_of(link, MAX_NAME) == line:
                yield line
                break


def _leads_to(href: str, name: str) -> bool:
    path = href.partition("//")[2].partition("/")[2] if "//" in href else href
    called = _letters(name)
    return len(called) > 4 and called in _letters(path.rstrip("/").rpartition("/")[2]) and not _SUBJECT.search(path)


def _letters(text: str) -> str:
    """Return the letters of a text as addresses write them: small, without accents."""
    return _NO_LETTER.sub("", unicodedata.normalize("NFKD", text).lower())
