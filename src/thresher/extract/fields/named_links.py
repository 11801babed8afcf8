"""Links near the title that read as a person's name and lead to an address made of it: /amanda-hallsten."""

import re
import unicodedata
from collections.abc import Iterator
from itertools import islice

from lxml import etree

from thresher.extract.fields.inline import text_of
from thresher.extract.fields.names import is_person
from thresher.extract.fields.near import Near
from thresher.text import has_cjk

MAX_LINKS = 3_000  # that are looked at
AFTER, BEFORE = 8, 3  # lines around the title
MAX_NAME = 60  # characters

# Where those are led to whom the page is about.
_SUBJECT = re.compile(
    r"tag|topic|thema|theme|search|suche|categor|keyword|hashtag|wiki|company|stock|celebrit|player|spieler|artist|actor|"
    r"topico|tema|dossier|perso[nš]|facebook|twitter|linkedin|instagram",
    re.IGNORECASE,
)
_NO_LETTER = re.compile("[^a-z]+")


def find_named_links(body: etree._Element, near: Near) -> Iterator[str]:
    """Yield the names that stand alone on lines near the title and are links to a page called after them."""
    lines = (*near.after[:AFTER], *near.before[:BEFORE])
    wanted = {line for line in lines if len(line) <= MAX_NAME and is_person(line) and not has_cjk(line)}
    for link in islice(body.iter("a"), MAX_LINKS) if wanted else ():
        name = text_of(link, MAX_NAME)
        if name in wanted and _leads_to(link.get("href") or "", name):
            yield name


def _leads_to(href: str, name: str) -> bool:
    path = href.partition("//")[2].partition("/")[2] if "//" in href else href
    called = _letters(name)
    return len(called) > 4 and called in _letters(path.rstrip("/").rpartition("/")[2]) and not _SUBJECT.search(path)


def _letters(text: str) -> str:
    """Return the letters of a text as addresses write them: small, without accents."""
    return _NO_LETTER.sub("", unicodedata.normalize("NFKD", text).lower())
