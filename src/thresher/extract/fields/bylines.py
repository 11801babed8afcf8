"""Bylines in the text of a page, in Latin scripts: "By Ann Miller", "Ann Miller - 5 May 2016", "Written by …"."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from thresher.extract.fields.dates import find_dates, has_digit
from thresher.extract.fields.found import Named
from thresher.extract.fields.names import LEAD, has_role, is_person, is_surely_person, names_in, without_tail
from thresher.extract.fields.near import MAX_LINE, Near

NAMES_AFTER = 5  # lines from the title on, in which a bare name is its author's
MAX_LOGIN_LINE = 25  # characters of a line that names a login after "by"
MAX_LABEL = 12  # characters of a line that only says that the author is named below
MAX_NAME_LINE = 60  # characters of a line that holds a name and an office
MIN_PARAGRAPH = 120  # characters of a text that someone signs

_VERB = r"(?:written|posted|published|reported|text|words|story|article|created|submitted|authored)"
_BY = re.compile(rf"(?:^|[\s\d•|·,–—])(?:{_VERB}\s)?by\s?[:：]?\s*(?=\S)(.{{2,}})$", re.IGNORECASE)
# Whose name follows made something else: "Photo by", "Reviewed by", "More articles by".
_OTHER_MAKER = re.compile(
    r"(?:photos?|photograph\w*|images?|pictures?|illustrat\w+|videos?|graphics?|art|artwork|foto|theme|powered|site|"
    r"design\w*|reviewed|edited|checked|verified|sponsored|presented|hosted|translated|articles|posts|stories|more|"
    r"comments?|copyright|©[\s\d–-]*|filter|sort|browse|shop|search|followed|supported|recommended)\s+by\b",
    re.IGNORECASE,
)
_GLUED = re.compile(r"^(?:By|Von|Par|Por)(?=[A-ZÄÖÜÉ][a-zäöüé]+ [A-ZÄÖÜÉ])(.+)$")
_ABROAD = re.compile(
    r"^(?:Von|Par|Por|Di|Door|Av|Af|Autor(?:in|en)?|Auteure?|Autore|Автор|Yazan|Oleh)(?:\s*[:：]\s*|\s+)(.{3,})$"
)
_SIGNED = re.compile(
    rf"(?:^|\s){_VERB}\sby\s?[:：]?\s+(.{{3,}})$|^(?:Author|Autor(?:in|en)?|Auteure?|Автор|Redaktion|Text)\s?[:：]\s*(.{{3,}})$",
    re.IGNORECASE,
)

# "Ein Artikel von Ann Miller", "Publié par Ann Miller", "Gespeichert von ann am 5. Juni"
_WROTE = """
    geschrieben verfasst erstellt gespeichert veröffentlicht eingestellt gepostet écrit écrite publié publiée
    rédigé rédigée posté escrito publicado redactado scritto pubblicato cura geschreven gepubliceerd skrevet skriven
    submitted posted written
"""
_WRITTEN = frozenset(_WROTE.split())
_MADE = _WRITTEN | frozenset(("artikel", "beitrag", "bericht", "text", "kommentar", "interview", "article"))
_LABELS = frozenset(
    ("author", "authors", "autor", "autorin", "autoren", "auteur", "written by", "by", "von", "text", "words")
)
_LABELS_START = frozenset(letter for label in _LABELS for letter in (label[0], label[0].upper()))
_MAKERS = (" von ", " par ", " por ", " da ", " di ", " door ", " av ", " af ")
_ON = re.compile(r"^(?:.{0,30}\d{4}\s?[,|·•–-]?\s?)?von\s+((?:Dr\. |Prof\. )?(?=[A-ZÄÖÜ])\S+(?: \S+){1,3})$")
_OFFICE = re.compile(r"^([^,–—|/(-]{4,40}?)\s*(?:[,–—|/(]|\s-\s)\s*(.{3,})$")
_WRITERS = re.compile(
    r"writer|reporter|editor|correspondent|columnist|contribut|journalist|author|redakt|r[ée]dact|reda[kc]t|korresp|"
    r"toimittaja|attorney|fellow|muhabir|yazar|periodista|jornalista|giornalista",
    re.IGNORECASE,
)
_PERSONAL = re.compile(
    r"\b(?:he|she|his|her|him|writer|author|journalist|editor|founder|co-founder|expert|director|manager|consultant|"
    r"reporter|professor|lives|holds|passionate|er|sie|seine|ihre|autor|autorin|elle|il|ella)\b",
    re.IGNORECASE,
)
_IS = re.compile(r"\s(?:is|was|has|are|ist|war|est|es|é|è|är|er|on|writes|covers|works|schreibt)\s")

_STARTS = (
    *("By ", "by ", "Von ", "Par ", "Por ", "Di ", "Door ", "Av ", "Af ", "Author", "Autor", "Auteur", "Автор"),
    *("Redaktion:", "Text:"),
    *("Yazan", "Oleh"),
)
_FIRST = frozenset(start[:2] for start in _STARTS)


def find_near_bylines(near: Near) -> Iterator[Named]:
    """Yield the bylines near the title: where they stand, how sure that is, and the names."""
    for line in (*near.after, *near.before):
        searches = (_ABROAD.match, _GLUED.match) if line[:2] in _FIRST else ()
        if names := _named(line, _search_by, *searches) or _made(line, _MADE, (*_MAKERS, " by ")):
            yield "byline near the title", 0.7, names
        elif "von " in line and (match := _ON.match(line)) and is_person(match[1]):
            yield "byline near the title", 0.7, (match[1],)


def find_bylines(near: Near) -> Iterator[Named]:
    """Yield where else names stand on the page, how sure that is, and the names; the surest first."""
    yield from _beside_dates(near.after, near.before)
    yield from _in_office(near.after)
    yield from _described(near.texts)
    yield from _below_labels(near.texts)
    yield from _anywhere(near.texts)
    yield from _after_text(near.texts)
    for line in near.below[:NAMES_AFTER]:
        if is_surely_person(line) and len(line.split()) <= 3 and line not in near.title and not line.isupper():
            yield "name below the title", 0.4, (line,)


def _after_text(texts: Sequence[str]) -> Iterator[Named]:
    """Yield the only common name that stands alone on the line below a paragraph, as one signs a letter."""
    signed = [
        line
        for above, line in pairwise(texts)
        if len(above) >= MIN_PARAGRAPH and len(line) <= MAX_NAME_LINE and " " in line and is_surely_person(line)
    ]
    if len(set(signed)) == 1:
        yield "signed, after the text", 0.4, (signed[0],)


def _made(line: str, verbs: frozenset[str], makers: Sequence[str]) -> tuple[str, ...]:
    """Return the people whom a line says to have made this, or the only one, if a login."""
    for maker in makers:
        verb, found, told = line.partition(maker)
        if found and verb.rpartition(" ")[2].casefold() in verbs and not _OTHER_MAKER.search(line):
            names = names_in([_before_date(told.lstrip(" :："))])
            return names if all(map(is_person, names)) or (len(names) == 1 and " " not in names[0]) else ()
    return ()


def _below_labels(texts: Sequence[str]) -> Iterator[Named]:
    """Yield the people named on the line below a label, as in two cells of a table."""
    below = [
        text
        for label, text in pairwise(texts)
        if label[:1] in _LABELS_START and len(label) <= MAX_LABEL and label.lower().rstrip(" :：") in _LABELS
    ]
    for text in below:
        if len(text) <= MAX_NAME_LINE:
            names = names_in([_before_date(text.partition("/")[0])])
            if names and all(map(is_person, names)):
                yield "byline", 0.6, names


def _anywhere(texts: Sequence[str]) -> Iterator[Named]:
    """Yield whom a line anywhere says to have written this, or the only one whom a line names after "by"."""
    plain: list[tuple[str, ...]] = []
    lines = [text for text in texts if len(text) <= MAX_LINE]
    page = "\n".join(lines)
    makers = [maker for maker in _MAKERS if maker in page]
    for text in [
        text for text in lines if "by" in text or text[:2] in _FIRST or (makers and any(map(text.__contains__, makers)))
    ]:
        if names := _named(text, _SIGNED.search) or _made(text, _WRITTEN, makers):
            yield "byline", 0.6, names
        elif (
            text.startswith(_STARTS)
            and (names := _named(text, _search_by, _ABROAD.match))
            and is_person(names[0])
            and names not in plain
        ):
            plain.append(names)
    if len(plain) == 1:  # several are those of other articles
        yield "byline", 0.5, plain[0]


def _in_office(lines: Sequence[str]) -> Iterator[Named]:
    """Yield the people whom their line, or the one below, calls writers, editors or the like."""
    names: list[str] = []
    for line, below in zip(lines, (*lines[1:], ""), strict=False):
        if len(line) > MAX_NAME_LINE:
            continue
        if len(below) <= MAX_NAME_LINE and is_person(line) and _WRITERS.search(below):
            names.append(line)
        elif _WRITERS.search(line) and (match := _OFFICE.match(line)) and is_person(match[1]):
            names.append(match[1])
    if names:
        yield "name and office", 0.6, tuple(dict.fromkeys(names))


def _described(texts: Sequence[str]) -> Iterator[Named]:
    """Yield a name that stands alone above a text which says who that is, as in a box about the author."""
    for name, text in [(name, text) for name, text in pairwise(texts) if text.startswith(name)]:
        is_subject = len(name) <= MAX_NAME_LINE and _IS.match(text, len(name)) is not None
        if is_subject and is_person(name) and _PERSONAL.search(text, len(name)):
            yield "name above a biography", 0.6, (name,)


def _search_by(line: str) -> "re.Match[str] | None":
    return _BY.search(line) if "by" in line.lower() and not _OTHER_MAKER.search(line) else None


def _named(line: str, *searches: "Callable[[str], re.Match[str] | None]") -> tuple[str, ...]:
    for search in searches:
        if match := search(line):
            told = match[match.lastindex or 0]
            told = _before_date(told)
            if told and told[0].isalpha() and (told[0].isupper() or _is_login(told, line)):
                return names_in([told])
    return ()


def _before_date(told: str) -> str:
    if has_digit(told) and (moment := next(find_dates(told), None)):
        told = told[: moment.start]
    return without_tail(told)


def _is_login(told: str, line: str) -> bool:
    return " " not in told and len(line) <= MAX_LOGIN_LINE and not has_role(told)


def _beside_dates(after: Sequence[str], before: Sequence[str]) -> Iterator[Named]:
    """Yield a person's name that shares its line with a date, or stands alone beside one."""
    lines = [*reversed(before[:2]), *after[:NAMES_AFTER]]
    dated = [next(find_dates(line), None) if has_digit(line) else None for line in lines]
    for line, moment in zip(lines, dated, strict=True):
        if moment:
            for part in (line[: moment.start], line[moment.start + len(moment.raw) :]):
                if is_person(name := without_tail(LEAD.sub("", part.strip(" -–—|,•·")))):
                    yield "name beside the date", 0.5, (name,)
    for place, line in enumerate(lines):
        if is_person(line) and len(line.split()) <= 3 and any(dated[max(0, place - 1) : place + 2]):
            yield "name beside the date", 0.4, (line,)
