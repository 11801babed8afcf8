"""Forms in which names are written: with a slash between two, glued to an office, in scripts without capitals."""

import re

from thresher.extraction.fields.names import has_role, is_person
from thresher.extraction.fields.signature_words import EDGES, GLUED_OFFICE, LEAD

MAX_SLASHES = 4  # between names

_CASELESS = re.compile(
    r"(?:[\u0590-\u05ff]{2,}|[\u0600-\u06ff\u0750-\u077f\u200c]{2,}|[\u0900-\u097f]{2,}|[\u0980-\u09ff]{2,}|[\u0e00-\u0e7f]{2,})"
)


def is_caseless_name(text: str) -> bool:
    """Say whether a text can be a name in Hebrew, Arabic, Devanagari, Bengali or Thai letters: two to four words."""
    if text.isascii():
        return False
    words = text.split()
    return 2 <= len(words) <= 4 and all(map(_CASELESS.fullmatch, words))


def joined_names(text: str) -> str:
    """Return a text with "&" for the slashes that part names alone: "By Ann Miller/Bo Stone"."""
    first, *others = text.split("/")
    if len(others) > MAX_SLASHES or not all(is_person(other.strip(EDGES)) for other in others):
        return text
    lead = LEAD.match(first)
    is_name = is_person(first[lead.end() if lead else 0 :].strip(EDGES))
    return " & ".join((first, *others)) if is_name else text


def without_glued_office(text: str) -> str:
    """Return a text with a comma between a name and the office glued to it: "Ann MillerNews & TV Reporter"."""
    for match in GLUED_OFFICE.finditer(text):
        if has_role(text[match.end() :]) and is_person(text[: match.end()]):
            return f"{text[: match.end()]}, {text[match.end() :]}"
    return text


def undoubled(line: str) -> str:
    """Return one half of a line that says the same twice, as pages do for those who hear them."""
    half = len(line) // 2
    is_doubled = len(line) % 2 and line[half] == " " and line[:half] == line[half + 1 :]
    return line[:half] if is_doubled else line
