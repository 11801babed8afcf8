"""Who signs a line: "By Ann Miller", "Ann Miller, Staff Writer | 5 May 2016", "Author:" and "Ann Miller" below it."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from thresher.extraction.fields.dates import find_dates, has_digit
from thresher.extraction.fields.name_forms import is_caseless_name, joined_names, undoubled, without_glued_office
from thresher.extraction.fields.name_words import NO_LOGINS, PAPERS, PARTICLES
from thresher.extraction.fields.names import (
    has_role,
    is_credential,
    is_person,
    is_surely_person,
    is_told_name,
    without_titles,
)
from thresher.extraction.fields.near import MAX_LINE
from thresher.extraction.fields.signature_words import (
    AFTER_LOGIN,
    BETWEEN,
    CAPITALS,
    EDGES,
    GLUED,
    GLUED_OFFICE,
    JOINT,
    LABEL,
    LABEL_STARTS,
    LEAD,
    LEAD_STARTS,
    OFFICES,
    ORGANISATION,
    OTHER_MAKER,
    OTHER_STARTS,
    PARTS,
    STAMP,
    TIMES,
    YEAR_JOINT,
    has_lead_in,
    may_begin_with_name,
)

MAX_PARTS, MAX_NAMES = 8, 12  # of a line; more is a menu
MIN_CAPTION = 50  # characters of what a picture shows, with the photographer behind
MAX_LABEL = 34  # characters of a line that only says that the author is named below
MAX_NAMED, MAX_MORE = 100, 60  # characters of the line below a label, and of those with further names
MORE = 4  # such lines
MAX_OFFICE = 80  # characters of a line below a name that tells the office
MAX_LOGIN_PART, MAX_STAFF_PART = 40, 60  # characters around a login or an organisation after "by"
MAX_MENTION = 110  # characters of a line that is looked at anywhere on the page

PERSON, LOGIN, STAFF, SEVERAL = "person", "login", "staff", "several"
_AFTER_NAME = frozenset(("for", "in", "at", "on", "from", "is", "mit", "with", "im", "the", "of", "am", "and"))


class Signature(NamedTuple):
    """Names that a line gives and what tells that they are its authors'."""

    names: tuple[str, ...]
    place: int  # of the line among the texts
    lead: bool = False  # "By …"
    dated: bool = False
    office: bool = False  # "…, Staff Writer"
    alone: bool = False  # nothing else in the line
    kind: str = PERSON


class _Read(NamedTuple):
    names: tuple[str, ...]
    lead: bool
    office: str
    kind: str = PERSON


def read_line(line: str, sites: Collection[str] = (), below: str = "") -> Signature | None:
    """Return who signs a line, if anyone does; `sites` are names of the site, `below` is the next line."""
    if not 3 <= len(line) <= MAX_LINE or not (CAPITALS.search(line) or may_lead(line)):
        return None
    text, dated = without_dates(undoubled(line))
    parts = [part for part in PARTS.split(joined_names(text) if "/" in text else text) if part.strip(EDGES)]
    for number, part in enumerate(parts if len(parts) <= MAX_PARTS else ()):
        told = _read_part(part.strip(" ,;:-–—"), sites)
        after = parts[number + 1] if number + 1 < len(parts) else ""
        if told is None or not _is_plain(told, dated, len(parts), after):
            continue
        if number and len(parts[0]) >= MIN_CAPTION and not dated:  # "The ferry in the harbour. By Ann Miller"
            continue
        office = told.office or after or (below if len(below) <= MAX_OFFICE and not may_lead(below) else "")
        is_alone = len(parts) == 1 and not told.office and not told.lead
        return Signature(told.names, 0, told.lead, dated, tells_office(office), is_alone, told.kind)
    return None


def tells_office(text: str) -> bool:
    """Say whether a text tells that someone writes, edits, or knows the matter by trade."""
    return any(map(text.casefold().__contains__, OFFICES))


def _is_plain(told: _Read, dated: bool, parts: int, after: str) -> bool:
    """Say whether names without "by" that share their line stand beside a date or an office, or are surely names."""
    return told.lead or dated or parts == 1 or tells_office(after) or all(map(is_surely_person, told.names))


@lru_cache(maxsize=64)  # lines near the title, which several searches ask for
def without_dates(line: str) -> tuple[str, bool]:
    """Return a line with dates and times cut out, and whether it had any."""
    is_glued = JOINT.search(line) is not None or (", 20" in line and YEAR_JOINT.search(line) is not None)
    if not has_digit(line):
        return GLUED.sub(" | ", line) if is_glued else line, False
    text = GLUED.sub(" ", line) if is_glued else line
    kept: list[str] = []
    done = 0
    for moment in find_dates(text):
        kept += (STAMP.sub("", text[done : moment.start]), " | ")
        done = moment.start + len(moment.raw)
    rest = "".join((*kept, text[done:]))
    timeless = TIMES.sub(" | ", rest) if has_digit(rest) or "yesterday" in rest.casefold() else rest
    return timeless, done > 0 or timeless != rest


def _read_part(part: str, sites: Collection[str]) -> _Read | None:
    start = part[:2]
    if (start.lower() in OTHER_STARTS or not start.isascii()) and OTHER_MAKER.match(part):
        return None
    rest = part
    while has_lead_in(rest) and (match := LEAD.match(rest)):
        rest = rest[match.end() :]
    has_lead = rest is not part and len(rest) < len(part)
    if not has_lead and not may_begin_with_name(part):
        return None
    pieces = _pieces_of(without_glued_office(rest) if "&" in rest else rest)
    if not pieces or len(pieces) > MAX_NAMES:
        return None
    names, office = _names_of(pieces, has_lead, sites)
    if has_lead and not names and is_caseless_name(rest.strip(EDGES)):
        names = [rest.strip(EDGES)]
    if names:
        is_known = has_lead or not office or _is_office(office, sites)
        return _Read(tuple(dict.fromkeys(names)), has_lead, office) if is_known else None
    return _login_or_staff(pieces[0][0].strip(EDGES), part) if has_lead else None


def _pieces_of(text: str) -> list[tuple[str, bool]]:
    """Return what may be names in a list, and of each whether a comma alone parts it from the one before."""
    pieces = BETWEEN.split(text)
    if len(pieces) == 1:
        return [(text, False)] if text.strip(EDGES) else []
    commas = [False, *(between.strip() == "," for between in pieces[1::2])]
    return [(piece, comma) for piece, comma in zip(pieces[::2], commas, strict=True) if piece.strip(EDGES)]


def _names_of(pieces: Sequence[tuple[str, bool]], has_lead: bool, sites: Collection[str]) -> tuple[list[str], str]:
    """Return the names that begin a list, and what comes after: an office, a paper, a place."""
    names: list[str] = []
    office = ""
    for number, (piece, comma) in enumerate(pieces):
        name, tail = _name_of(piece, has_lead, sites)
        is_last = comma and number + 1 == len(pieces)
        if name and (not number or _goes_on(name, names[0], office, is_last)):
            names.append(name)
            office = tail or office
        elif not number:
            break
        elif name or not is_credential(piece.strip(EDGES)):
            return names, office or piece
    return names, office


def _goes_on(name: str, first: str, office: str, is_last: bool) -> bool:
    """Say whether what follows a name in a list is another one, and no office or paper."""
    if is_surely_person(name):
        return True
    return not office and (first.isupper() or not name.isupper()) and not (is_last and is_surely_person(first))


def _name_of(piece: str, has_lead: bool, sites: Collection[str]) -> tuple[str, str]:
    """Return the name with which a piece begins, and the rest of it; no name where it does not begin with one."""
    piece = without_titles(piece.strip(EDGES if not piece.endswith(("Jr.", "Sr.")) else EDGES.replace(".", "")))
    words = piece.split()
    name = _short_name(words) if len(words) > 2 else ""
    rest = piece[len(name) :].strip()
    if is_person(piece):
        is_cut = name and (_names_paper(rest) or (sites and _holds_site(rest, sites)))
        return (name, rest) if is_cut else (piece, "")
    for match in GLUED_OFFICE.finditer(piece):
        glued, office = piece[: match.end()], piece[match.end() :]
        if has_role(office) and is_person(glued):
            return glued, office
    if not name or not (has_lead or is_surely_person(name)):
        return "", piece
    if has_role(rest) or _holds_site(rest, sites):
        return name, rest
    is_cut = has_lead and (rest.split()[0].casefold() in _AFTER_NAME or _is_tail(name, words))
    return (name, rest) if is_cut else ("", piece)


def _names_paper(text: str) -> bool:
    """Say whether a text of several words ends as names of newspapers do: "Granite Bay Courier"."""
    return " " in text and text.rpartition(" ")[2].rpartition("-")[2].casefold() in PAPERS


def _is_tail(name: str, words: Sequence[str]) -> bool:
    rest = words[len(name.split())]
    return len(words) > 4 or (len(words) == 4 and (rest[0].islower() or is_surely_person(name)))


def _short_name(words: Sequence[str]) -> str:
    """Return the given name and surname that begin a line, with initials and particles between them."""
    end = 2
    while end < min(len(words), 5) and (words[end - 1] in PARTICLES or len(words[end - 1].strip(".")) == 1):
        end += 1
    name = " ".join(words[:end]).strip(",")
    return name if is_person(name) else ""


def _is_office(text: str, sites: Collection[str]) -> bool:
    is_told = has_role(text) or tells_office(text)
    return is_told or _holds_site(text, sites) or ORGANISATION.match(text) is not None


def _holds_site(text: str, sites: Collection[str]) -> bool:
    joined = "".join(text.casefold().split())
    return any(site in joined for site in sites)


def _login_or_staff(name: str, part: str) -> _Read | None:
    """Read what follows "by" and is no person's name."""
    name = AFTER_LOGIN.split(name, maxsplit=1)[0]
    if not is_told_name(name):
        return None
    if " " not in name and name.casefold() not in NO_LOGINS and len(part) <= MAX_LOGIN_PART:
        return _Read((name,), True, "", LOGIN)
    if len(name.split()) <= 4 and ORGANISATION.match(name) and len(part) <= MAX_STAFF_PART:
        return _Read((name,), True, "", STAFF)
    return None


def may_lead(line: str) -> bool:
    """Say whether a line may have "by" or the like in it or at its beginning; much faster than to read it."""
    if " by " in line or " By" in line or " von " in line or " par " in line:
        return True
    return line[:2].casefold() in LEAD_STARTS and LEAD.match(line) is not None


def find_signatures(texts: Sequence[str], places: Iterable[int], sites: Collection[str]) -> list[Signature]:
    """Return who signs some of the lines, and pairs of names that stand alone on lines below each other."""
    signed: list[Signature] = []
    for place in places:
        below = texts[place + 1] if place + 1 < len(texts) else ""
        if read := read_line(texts[place], sites, below):
            signed.append(read._replace(place=place))
    pairs = [
        one._replace(names=tuple(dict.fromkeys(one.names + other.names)), kind=SEVERAL)
        for one, other in pairwise(signed)
        if ((one.alone and other.alone) or (one.office and other.office and not other.lead))
        and other.place == one.place + 1
        and one.names != other.names
    ]
    return signed + [pair for pair in pairs if all(map(is_surely_person, pair.names))]


def find_labelled(texts: Sequence[str], sites: Collection[str]) -> Iterator[Signature]:
    """Yield who is named on the line below one that says no more than that the author is."""
    for place in [
        place for place, text in enumerate(texts[:-1]) if len(text) <= MAX_LABEL and text[:2] in LABEL_STARTS
    ]:
        named = texts[place + 1]
        if len(named) > MAX_NAMED or not LABEL.match(texts[place]):
            continue
        first = PARTS.split(without_dates(undoubled(named))[0])[0].strip(" ,;:-–—")
        told = _read_part(first if LEAD.match(first) else f"by {first}", sites) if first.strip(EDGES) else None
        if told:
            more = _further(texts[place + 1 : place + 2 + MORE]) if told.kind == PERSON else ()
            yield Signature((*told.names, *more), place + 1, lead=True, alone=True, kind=told.kind)


def _further(lines: Sequence[str]) -> Iterator[str]:
    """Yield the names that stand alone on the lines below the first."""
    for line in (without_glued_office(line).partition(",")[0] for line in lines[1:]):
        if len(line) > MAX_MORE or (line != lines[0] and not is_surely_person(line)):
            return
        if line != lines[0] and not lines[0].startswith(line):
            yield line
