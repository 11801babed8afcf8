"""Features of a page's address: how deep it lies, how its last step is made, and words of forums and lists in it."""

import re
from array import array
from urllib.parse import urlsplit

from thresher.extraction.kinds.words import ADDRESS_WORDS, LIST_WORDS, TALK_WORDS

ADDRESS = (
    "url_known",
    "url_steps",
    "url_query",
    "url_hyphens",
    "url_number",
    "url_digits",
    "url_ending",
    "url_thread",
    "url_board",
    "url_list",
    "url_forum_host",
    "url_date",
    "url_slash",
    "url_last",
    "url_talk",
)
_WORD = re.compile(r"(?:^|[/?&=])([a-z]+)(?=$|[/?&=.]|[-_]?\d)")  # of a step or parameter, not of a slug
_PARTS = re.compile(r"[-_.]")
_NUMBER = re.compile(r"\d{3,}")
_DATE = re.compile(r"/(?:19|20)\d\d[/-]?\d\d?")
_FORUM_HOST = re.compile(r"\b(?:forums?|bbs|boards?|community|discuss|discourse|tieba|club)\b")


def fill_address(url: str | None, out: "array[float]", o: int) -> None:
    """Fill in the features of an address; they stay zero where there is none, or none that can be read."""
    if not url:
        return
    try:
        parts = urlsplit(url)
    except ValueError:
        return
    path = parts.path.lower()
    steps = [step for step in path.split("/") if step]
    last = steps[-1] if steps else ""
    words = set(_WORD.findall(f"{path}?{parts.query.lower()}"))
    values = (
        1.0,
        len(steps),
        parts.query.count("=") + bool(parts.query),
        max(last.count("-"), last.count("_")),
        1.0 if _NUMBER.search(last) or _NUMBER.search(parts.query) else 0.0,
        sum(char.isdigit() for char in last),
        1.0 if "." in last else 0.0,
        *(float(len(words & known)) for known in ADDRESS_WORDS),
        1.0 if _FORUM_HOST.search(parts.netloc.lower()) or _FORUM_HOST.search(path[:20]) else 0.0,
        1.0 if _DATE.search(path) else 0.0,
        1.0 if path.endswith("/") else 0.0,
        1.0 if not LIST_WORDS.isdisjoint(_PARTS.split(last)) else 0.0,
        1.0 if not words.isdisjoint(TALK_WORDS) else 0.0,
    )
    out[o : o + len(values)] = array("f", values)
