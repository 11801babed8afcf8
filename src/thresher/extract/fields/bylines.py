"""Bylines in the text of a page, in Latin scripts: "By Ann Miller", "Ann Miller - 5 May 2016", "Written by …"."""

import re
from collections.abc import Callable, Iterator, Sequence

from thresher.extract.fields.dates import find_dates
from thresher.extract.fields.names import is_person, names_in, without_tail
from thresher.extract.fields.near import MAX_LINE, Near

NAMES_AFTER = 5  # lines from the title on, in which a bare name beside a date is its author

_VERB = r"(?:written|posted|published|reported|text|words|story|article|created|submitted|authored)"
_BY = re.compile(rf"(?:^|[\s\d•|·,–—])(?:{_VERB}\s)?by\s?[:：]?\s*(?=\S)(.{{2,}})$", re.IGNORECASE)
_GLUED = re.compile(r"^(?:By|Von|Par|Por)(?=[A-ZÄÖÜÉ][a-zäöüé]+ [A-ZÄÖÜÉ])(.+)$")
_ABROAD = re.compile(r"^(?:Von|Par|Por|Di|Door|Av|Af|Autor|Auteur|Autore|Автор|Yazan|Oleh)(?:\s*[:：]\s*|\s+)(.{3,})$")
_SIGNED = re.compile(
    rf"(?:^|\s){_VERB}\sby\s?[:：]?\s+(.{{3,}})$|^(?:Author|Autor|Auteur|Автор)\s?[:：]\s*(.{{3,}})$", re.IGNORECASE
)

_STARTS = ("Von ", "Par ", "Por ", "Di ", "Door ", "Av ", "Af ", "Author", "Autor", "Auteur", "Автор", "Yazan", "Oleh")


def find_bylines(near: Near) -> Iterator[tuple[str, float, tuple[str, ...]]]:
    """Yield where names stand on the page, how sure that is, and the names; the surest first."""
    for line in (*near.after, *near.before):
        if names := _named(line, _search_by, _ABROAD.match, _GLUED.match):
            yield "byline near the title", 0.7, names
    yield from _beside_dates(near.after, near.before)
    for text in near.texts:
        if len(text) <= MAX_LINE and ("by" in text or "By" in text or text.startswith(_STARTS)):
            if names := _named(text, _SIGNED.search):
                yield "byline", 0.6, names
            elif (
                (names := _named(text, _search_by, _ABROAD.match))
                and len(names[0]) + 4 >= len(text)
                and is_person(names[0])
            ):
                yield "byline", 0.5, names


def _search_by(line: str) -> "re.Match[str] | None":
    return _BY.search(line) if "by" in line.lower() else None


def _named(line: str, *searches: "Callable[[str], re.Match[str] | None]") -> tuple[str, ...]:
    for search in searches:
        if match := search(line):
            told = match[match.lastindex or 0]
            if any(map(str.isdigit, told)) and (moment := next(find_dates(told), None)):
                told = told[: moment.start]
            told = without_tail(told)
            if told and told[0].isalpha() and (told[0].isupper() or " " not in told):
                return names_in([told])
    return ()


def _beside_dates(after: Sequence[str], before: Sequence[str]) -> Iterator[tuple[str, float, tuple[str, ...]]]:
    """Yield a person's name that shares its line with a date, or stands alone beside one."""
    lines = [*reversed(before[:2]), *after[:NAMES_AFTER]]
    dated = [next(find_dates(line), None) if any(map(str.isdigit, line)) else None for line in lines]
    for line, moment in zip(lines, dated, strict=True):
        if moment:
            for part in (line[: moment.start], line[moment.start + len(moment.raw) :]):
                if is_person(name := without_tail(part)):
                    yield "name beside the date", 0.5, (name,)
    for place, line in enumerate(lines):
        if is_person(line) and len(line.split()) <= 3 and any(dated[max(0, place - 1) : place + 2]):
            yield "name beside the date", 0.4, (line,)
