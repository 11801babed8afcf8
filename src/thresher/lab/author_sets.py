"""Which people a list of authors names, however it is written: as one string or several, with or without offices."""

import re
import unicodedata
from collections.abc import Iterable

_SAME = str.maketrans(
    {**dict.fromkeys("‘’‚‛′`´", "'"), **dict.fromkeys("“”„‟″«»", '"'), **dict.fromkeys("‐‑‒–—―−", "-")}
)
_LEAD = re.compile(r"^(?:by|von|written by)[:\s]\s*", re.IGNORECASE)
_DEGREE = re.compile(
    r",\s*(?:[A-Z]{2,6}|(?:[A-Z][a-z]{0,2}\.){1,4}[A-Z]?\.?|[A-Z][a-z]?[A-Z]{1,3}|Jr|Sr|Esq)\.?[®™]?(?=\s*(?:,|$))"
)
# From here on a string tells of an office: "Ann Miller, Shipping Expert", "Ann Miller, edited by Bob Stone".
_OFFICE = re.compile(
    r",\s[^,]*?\b(?:expert|editor|edited|writer|reporter|correspondent|columnist|contributor|representative|director|"
    r"manager|ceo|founder|president|professor|attorney|analyst|officer|head of|specialist|consultant|producer)\b.*$",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"\s*[,;、|&]\s*(?:and\s|und\s|et\s)?\s*|\s+(?:and|und|et)\s+", re.IGNORECASE)
_TITLE = re.compile(r"^(?:(?:dr|prof|mr|mrs|ms)\.?|professor)\s+(?=\S)")
_EDGES = " .,:;|-"


def normalised(text: str) -> str:
    """Return the text in one case and composition, with one kind of space, quotes and dashes."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().translate(_SAME).split())


def author_set(names: Iterable[str]) -> frozenset[str]:
    """Return the people named, each `normalised`, without "by", titles, degrees and offices."""
    people: set[str] = set()
    for name in names:
        told = _OFFICE.sub("", _DEGREE.sub("", _LEAD.sub("", name.strip())))
        parts = (normalised(part).strip(_EDGES) for part in _BETWEEN.split(told))
        people.update(_TITLE.sub("", part) for part in parts if part)
    return frozenset(people)
