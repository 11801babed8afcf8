"""Mentions: every place in which a page in a European language may name its authors, with marks that describe it."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from thresher.extraction.fields.closings import (
    find_archives,
    find_biographies,
    find_closings,
    find_farewells,
    find_owners,
)
from thresher.extraction.fields.clues import Clues
from thresher.extraction.fields.credits import BOX, find_credits
from thresher.extraction.fields.dates import has_digit
from thresher.extraction.fields.given_names import GIVEN_NAMES
from thresher.extraction.fields.name_words import NO_LOGINS
from thresher.extraction.fields.named_links import find_named_links
from thresher.extraction.fields.names import begins_with_given_name, is_office, is_person, is_told_name, without_titles
from thresher.extraction.fields.near import MAX_LINE, Near
from thresher.extraction.fields.signature_words import CAPITALS, LEAD, LOGIN, OTHER_MAKER, STAFF
from thresher.extraction.fields.signatures import (
    MAX_MENTION,
    PERSON,
    Signature,
    find_labelled,
    find_signatures,
    may_lead,
    read_line,
    without_dates,
)
from thresher.extraction.fields.texts import fold
from thresher.extraction.fields.told import host_of, owner_of, told_by_data, told_by_meta, without_sites
from thresher.html import Tree

ABOVE, BELOW = 3, 10  # lines around the title that are read; with 4 and 16 no page of `dev` gets another author
TOP = 20  # lines read where the title is not shown
MAX_CREDITS = 10  # elements that credit someone that are looked at
MAX_CLOSINGS = 6  # names with an office, or links to someone's posts, that are looked at
MAX_FAR = 20  # bylines elsewhere that are looked at
MAX_STAMP = 80  # characters of a line beside a name that holds a date
LABEL_NEAR = 12  # lines from the title within which a login below a label counts
LATE = 0.6  # share of the text after which it says who wrote it
MAX_ODD, MAX_ODD_WORDS = 30, 4  # characters and words of a line that names a team or a given name

CHANGED = "changed"  # the mark of who changed a page last; it has no weight
_CHANGED = re.compile(
    r"\blast\s(?:modified|changed|edited|updated|revised)\b|\bzuletzt\s(?:geändert|bearbeitet)\b", re.IGNORECASE
)
_COMMENTED = re.compile(r"\b(?:kommentar von|comment by)\b", re.IGNORECASE)
_FAR = (
    *("By ", "by ", "BY ", "Von ", "von ", "Par ", "par ", "Por ", "por ", "Di ", "di ", "Door ", "Av ", "Af "),
    *("Author", "Autor", "Auteur", "Автор", "Text", "Words", "Story", "Redaktion", "Yazan", "Oleh", "Writer", "Del "),
    *("Συντάκτης", "Γράφει", "Текст", "Escribe", "Írta", "About the author", "About The Author", "بقلم", "מאת"),
)  # how bylines begin that are looked for all over the page
_FAR_STARTS = frozenset(start[:2] for start in _FAR)
_META_KINDS = {"author": "meta author", "citation_author": "meta citation", "article:author": "meta article"}
_CREDIT_KINDS = {"rel=author": "rel", "itemprop author": "itemprop", BOX: "box", "link to the author": "link"}
_NEAR = ((1, "+1"), (2, "+2"), (4, "+4"), (8, "+8"))  # lines below the title, and what they are called


class Mention(NamedTuple):
    """Names, where they stand, and marks that tell what speaks for them; the first mark is the kind of place."""

    names: tuple[str, ...]
    source: str
    marks: tuple[str, ...]


class Place(NamedTuple):
    """The texts of a page, where among them its title is, and where after that the first longer one."""

    texts: Sequence[str]
    title: int | None
    text: int

    def has_date(self, place: int) -> bool:
        """Say whether a short line holds a date or a time."""
        if not 0 <= place < len(self.texts) or len(self.texts[place]) > MAX_STAMP:
            return False
        return has_digit(self.texts[place]) and without_dates(self.texts[place])[1]


def find_mentions(tree: Tree, clues: Clues, near: Near, sites: frozenset[str]) -> Iterator[Mention]:
    """Yield elements that credit someone, and who is named near the title."""
    yield from _in_credits(tree, clues, near, sites)
    if linked := tuple(dict.fromkeys(find_named_links(tree, near))):
        yield Mention(linked, "link named after a person", ("named link",))
    place = _place_of(near, clues)
    yield from _in_lines(place, sites)
    yield from _odd(place)


def find_more_mentions(clues: Clues, near: Near, sites: frozenset[str]) -> Iterator[Mention]:
    """Yield who is named below a label, in a biography, or in a byline anywhere else; costlier, and seldom needed."""
    place = _place_of(near, clues)
    yield from _below_labels(place, sites)
    yield from _in_biographies(place)
    yield from _elsewhere(place, sites)
    yield from (Mention((name,), "signed, after the text", ("farewell",)) for name in find_farewells(near.texts))


def find_last_mentions(tree: Tree, clues: Clues, near: Near, sites: frozenset[str]) -> Iterator[Mention]:
    """Yield who is named with an office below the text, whose posts a link leads to, and whose the site is."""
    yield from _at_the_end(_place_of(near, clues), sites)
    owners = dict.fromkeys(find_owners(near.texts, host_of(tree)))
    yield from (Mention((name,), "owner of the site", ("rights",)) for name in owners)
    if owner := owner_of(tree, clues):
        yield Mention((owner,), "site named after a person", ("owner",))
    yield from _changed_last(near.texts, sites)


def find_told(clues: Clues, sites: frozenset[str]) -> Iterator[Mention]:
    """Yield whom the page's data names, JSON-LD and then meta elements."""
    for told in told_by_data(clues):
        if told.names:
            yield Mention(told.names, told.source, ("data", told.source, *(("staff",) if told.is_staff else ())))
    for told in told_by_meta(clues):
        if names := without_sites(told.names, sites):
            name = told.source.partition(" ")[2]
            kind = _META_KINDS.get(name, "meta twitter" if name.startswith("twitter:data") else "meta other")
            yield Mention(names, told.source, ("meta", kind))


def _in_credits(tree: Tree, clues: Clues, near: Near, sites: frozenset[str]) -> Iterator[Mention]:
    heading = clues.headings.index(near.title) if near.title in clues.headings else 0
    around = fold("\n".join((*near.after, *near.before)))
    for number, credit in enumerate(islice(find_credits(tree, heading), MAX_CREDITS)):
        names = without_sites(credit.names, sites)
        kind = _CREDIT_KINDS.get(credit.source) or ("name" if credit.confidence >= 0.7 else "class")
        marks = ["credit", f"credit {kind}{'' if credit.after_title else ' early'}"]
        if all(name.casefold() in around for name in names):
            marks.append("credit near")
        if not number:
            marks.append("credit first")
        source = credit.source if credit.after_title else f"{credit.source}, above the title"
        yield Mention(names, source, tuple(marks))


def _place_of(near: Near, clues: Clues) -> Place:
    title = near.place
    if title is None:
        title = next((near.texts.index(heading) for heading in clues.headings if heading in near.texts), None)
    start = 0 if title is None else title + 1
    long = (number for number in range(start, len(near.texts)) if len(near.texts[number]) > MAX_LINE)
    return Place(near.texts, title, next(long, len(near.texts)))


def _in_lines(place: Place, sites: frozenset[str]) -> Iterator[Mention]:
    start, end = (0, TOP) if place.title is None else (place.title - ABOVE, place.title + BELOW + 1)
    lines = [number for number in range(max(0, start), min(end, len(place.texts))) if _is_read(number, place)]
    for signed in find_signatures(place.texts, lines, sites):
        if signed.place != place.title:
            source = "byline near the title" if signed.lead else "name near the title"
            yield Mention(signed.names, source, tuple(_marks_of_line(signed, place)))


def _is_read(number: int, place: Place) -> bool:
    """Say whether a line may be signed: it says so, begins with a given name, or is by the title or a date."""
    line = place.texts[number]
    if " " not in line or len(line) > MAX_LINE:
        return False
    if may_lead(line):
        return True
    if not CAPITALS.search(line):  # without which it names nobody
        return False
    is_next = place.title is not None and 0 < number - place.title <= 2
    is_named = is_next or begins_with_given_name(line)
    return is_named or any(map(has_digit, place.texts[max(0, number - 1) : number + 2]))


def _marks_of_line(signed: Signature, place: Place) -> Iterator[str]:
    away = signed.place - place.title if place.title is not None else 99
    yield "line"
    yield f"line {_bucket(away)}"
    has_date = place.has_date(signed.place - 1) or place.has_date(signed.place + 1)
    flags = {"lead": signed.lead, "dated": signed.dated, "office": signed.office, "alone": signed.alone}
    flags |= {"by a date": has_date, "above the text": away > 0 and signed.place < place.text}
    flags["bare"] = not (signed.lead or signed.dated or signed.office or has_date)
    flags["alone above"] = signed.alone and away < 0
    flags["lead late"], flags["lead early"] = signed.lead and away > 8, signed.lead and away < 0
    flags[signed.kind] = signed.kind != PERSON
    yield from (f"line {name}" for name, is_so in flags.items() if is_so)
    if -4 <= away <= 12:
        yield "line near"


def _bucket(away: int) -> str:
    if away > 0:
        return next((name for last, name in _NEAR if away <= last), "+9")
    return "-1" if away == -1 else "-3" if away >= -3 else "-9"


def _below_labels(place: Place, sites: frozenset[str]) -> Iterator[Mention]:
    before: Signature | None = None
    for signed in find_labelled(place.texts, sites):
        away = signed.place - place.title if place.title is not None else 99
        if signed.kind != PERSON and abs(away) > LABEL_NEAR:
            continue
        label = place.texts[signed.place - 1].casefold()
        marks = ["label", *(("label about",) if "about" in label or "meet" in label else ())]
        marks += (["label near"] if 0 < away <= LABEL_NEAR else []) + (
            [f"label {signed.kind}"] if signed.kind != PERSON else []
        )
        yield Mention(signed.names, "byline, labelled", tuple(marks))
        if before and signed.kind == before.kind == PERSON and signed.place - before.place <= 6:
            names = tuple(dict.fromkeys(before.names + signed.names))
            yield Mention(names, "byline, labelled", ("label", "label several"))
        before = signed


def _in_biographies(place: Place) -> Iterator[Mention]:
    start = place.title or 0
    found = list(find_biographies(place.texts))
    long = (number for number, text in enumerate(place.texts) if len(text) > MAX_LINE) if found else ()
    last = max(long, default=0)
    for number, name in found:
        marks = ["biography"]
        if number > start + LATE * (last - start):
            marks.append("biography late")
        if name in place.texts:
            marks.append("biography below a name")
        yield Mention((name,), "biography", tuple(marks))


def _at_the_end(place: Place, sites: frozenset[str]) -> Iterator[Mention]:
    closings = list(dict.fromkeys(find_closings(place.texts, place.text)))
    many = ("closing one of many",) if len(closings) > 1 else ()
    yield from (Mention((name,), "name and office", ("closing", *many)) for name in closings[:MAX_CLOSINGS])
    archives = list(dict.fromkeys(find_archives(place.texts, sites)))
    many = ("archive one of many",) if len(archives) > 1 else ()
    yield from (Mention((name,), "link to all posts", ("archive", *many)) for name in archives[:MAX_CLOSINGS])


def _elsewhere(place: Place, sites: frozenset[str]) -> Iterator[Mention]:
    """Yield the bylines that stand neither near the title nor below a label."""
    start, end = (0, TOP) if place.title is None else (place.title - ABOVE, place.title + BELOW + 1)
    lines = [
        text
        for text in (*place.texts[: max(0, start)], *place.texts[end:])
        if len(text) <= MAX_MENTION and (text[:2] in _FAR_STARTS or " by " in text or " By " in text or " von " in text)
    ]
    signed = [read for text in lines if _may_be_signed(text) and (read := read_line(text, sites)) and read.lead]
    signed = [read for read in signed if read.kind == PERSON or read.dated]
    count = len({read.names for read in signed})
    many = ("byline one of many",) if count > 2 else ("byline one of two",) if count == 2 else ()
    for read in signed[:MAX_FAR]:
        yield Mention(read.names, "byline", ("byline", *(("byline odd",) if read.kind != PERSON else ()), *many))


def _changed_last(texts: Sequence[str], sites: frozenset[str]) -> Iterator[Mention]:
    """Yield who changed the page last, as a wiki says below its text: nobody else signs it."""
    for text in texts:
        if len(text) <= MAX_MENTION and (match := _CHANGED.search(text)):
            read = read_line(text[match.end() :].lstrip(" :"), sites)
            if read and (read.lead or read.dated):
                yield Mention(read.names, "changed it last", (CHANGED,))


def _may_be_signed(line: str) -> bool:
    if not (line.startswith(_FAR) or " by " in line or " By " in line or " von " in line):
        return False
    return may_lead(line) and not _COMMENTED.search(line)


def _odd(place: Place) -> Iterator[Mention]:
    """Yield a team, a given name or a login alone between the title and a date, or a team below the title."""
    title = place.title if place.title is not None else len(place.texts)
    for number in (title + 1, title + 2, title - 1):
        line = place.texts[number] if 0 <= number < len(place.texts) else ""
        if not 2 < len(line) <= MAX_ODD or len(line.split()) > MAX_ODD_WORDS:
            continue
        is_staff = STAFF.search(line) is not None and not has_digit(line) and not is_office(line)
        is_named = is_staff or line.casefold() in GIVEN_NAMES or without_titles(line) != line
        if not (is_named or _is_login(line, place.texts[:title])) or not is_told_name(line):
            continue
        if is_person(line) or OTHER_MAKER.match(line) or LEAD.match(line):
            continue
        if place.has_date(number - 1) or place.has_date(number + 1):
            source = "name beside the date" if is_named else "login beside the date"
            yield Mention((line,), source, ("odd" if is_named else "odd login",))
        elif is_staff and number > title and " " in line:
            yield Mention((line,), "team below the title", ("odd undated",))


def _is_login(line: str, above: Sequence[str]) -> bool:
    """Say whether a word may be a login: not written as a button is, and no line above the title has it."""
    if " " in line or line.istitle() or line.isupper() or not LOGIN.fullmatch(line) or line.casefold() in NO_LOGINS:
        return False
    return not any(text.startswith(line) for text in above)
