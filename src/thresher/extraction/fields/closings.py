"""Who is named where a page ends: biographies, signatures below the text, links to all of someone's posts, owners."""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from thresher.extraction.fields.names import is_person, is_surely_person, without_titles
from thresher.extraction.fields.signature_words import ARCHIVE, BIOGRAPHY, EDGES, PERSONAL
from thresher.extraction.fields.signatures import read_line, without_dates
from thresher.extraction.fields.texts import compact

MIN_BIOGRAPHY = 40  # characters of a text that says who someone is
MIN_PARAGRAPH = 120  # characters of a text that someone signs
MAX_FAREWELL = 60  # characters of the line below it
MAX_LINES = 150  # after the beginning of the text that are looked at
MAX_SPACES = 3  # in a name
MAX_OFFICE = 80  # characters of a line that tells the office of whom the line above names
MAX_ARCHIVE = 90  # characters of a link to someone's posts
MAX_COPYRIGHT = 90  # characters of a line that says whose the page is
MAX_OWNED = 300  # characters of a text that names whom the host is named after
HEADER, FOOTER = 20, 40  # first and last lines of a page, among which one says whose it is
MIN_BRAND = 7  # letters of a host that is a person's name

_COPYRIGHT = re.compile(r"©|\([cC]\)|[Cc]opyright|COPYRIGHT")
_MORE = re.compile(r"[|•,]|\.(?=\s|$)")
_YEARS = re.compile(r"[\d\s–—-]+|\ball rights reserved\b.*|\b(?:copyright|by|llc|inc)\b|©|\(c\)", re.IGNORECASE)
_WRITES = re.compile(
    r"\b(?:(?:copy)?writer|reporter|editor|columnist|correspondent|journalist|contributor|author|blogger|redakteur|autor|"
    r"rédact|periodista|redactor|giornalista|jornalista|dziennikar|redaktor|skribent|toimittaja|yazar|muhabir)",
    re.IGNORECASE,
)
# Without one of which there are none.
_STARTS = (
    *("view", "see ", "read", "show", "all ", "more", "othe", "alle", "weit", "mehr", "tous", "plus", "ver ", "todo"),
    "más ",
)
_ARCHIVE_STARTS = frozenset(form for start in _STARTS for form in (start, start.capitalize(), start.upper()))
_RIGHTS = ("©", "opyright", "COPYRIGHT", "(c)", "(C)")


def find_biographies(texts: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield the people of whom a text says who they are, and its place."""
    for place, text in enumerate(texts):
        # Two capital words, without which there is none, and which most texts do not begin with.
        if len(text) < MIN_BIOGRAPHY or not text[0].isupper() or not text[text.find(" ") + 1].isupper():
            continue
        match = BIOGRAPHY.match(text)
        if match and is_person(name := without_titles(match[1])) and PERSONAL.search(text, match.end()):
            yield place, name


def find_farewells(texts: Sequence[str]) -> Iterator[str]:
    """Yield the only common name that stands alone on the line below a paragraph, as one signs a letter."""
    signed = {
        line.partition(",")[0]
        for above, line in pairwise(texts)
        if len(above) >= MIN_PARAGRAPH and len(line) <= MAX_FAREWELL and " " in line and _is_signed(line)
    }
    if len(signed) == 1:
        yield from signed


def _is_signed(line: str) -> bool:
    """Say whether a line is a common name, with nothing but a place and a date behind it."""
    name, comma, _ = line.partition(",")
    return is_surely_person(name) and (not comma or without_dates(line)[1])


def find_closings(texts: Sequence[str], start: int) -> Iterator[str]:
    """Yield the common names that stand alone, after `start`, on a line above one that tells that they write."""
    for line, below in pairwise(texts[start : start + MAX_LINES]):
        is_short = len(line) <= MAX_FAREWELL and len(below) <= MAX_OFFICE and 0 < line.count(" ") <= MAX_SPACES
        if is_short and is_surely_person(line) and _WRITES.search(below) and not is_person(below):
            yield line


def find_archives(texts: Sequence[str], sites: Collection[str]) -> Iterator[str]:
    """Yield those to all of whose posts a line leads: "View all posts by Ann Miller"."""
    for text in [text for text in texts if text[:4] in _ARCHIVE_STARTS and len(text) <= MAX_ARCHIVE]:
        if match := ARCHIVE.match(text):
            read = read_line(f"by {text[match.end() :].strip(' →»>›')}", sites)
            if read and len(read.names) == 1 and is_person(read.names[0]):
                yield read.names[0]


def find_owners(texts: Sequence[str], host: str) -> Iterator[str]:
    """Yield the people who have the rights in the page, or after whom its host is named."""
    footer = texts[-FOOTER:]
    for text in footer if any(map("\n".join(footer).__contains__, _RIGHTS)) else ():
        if len(text) <= MAX_COPYRIGHT and (match := _COPYRIGHT.search(text)):
            name = _YEARS.sub(" ", _MORE.split(text[match.end() :], maxsplit=1)[0])
            name = " ".join(name.split()).strip(f"{EDGES}·")
            if is_surely_person(name):
                yield name
    brand = compact(max(host.removeprefix("www.").split(".")[:-1], key=len, default=""))
    ends = [text for text in (*texts[:HEADER], *footer) if len(text) <= MAX_OWNED]
    if len(brand) >= MIN_BRAND and brand in "".join(ends).lower().replace(" ", ""):
        yield from _called(ends, brand)


def _called(texts: Sequence[str], brand: str) -> Iterator[str]:
    """Yield the first name in texts that is written like the host."""
    for text in texts:
        if brand not in text.lower().replace(" ", ""):
            continue
        words = [word.strip(EDGES).removesuffix("'s").removesuffix("’s") for word in text.split()]
        for count in (2, 3):
            names = (" ".join(words[start : start + count]) for start in range(len(words) - count + 1))
            if name := next((name for name in names if compact(name) == brand and is_person(name)), ""):
                yield name
                return
