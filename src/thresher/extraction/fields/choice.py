"""Choose the authors among all whom a page mentions: a weighted sum of marks, whose weights are learned.

A conditional logit model: of the sets of people that a page names, and of nobody, each is chosen with a chance that
grows with the exponential of its sum. `thresher.lab.train.authors` fits the weights.
"""

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from importlib import resources
from typing import NamedTuple

from thresher.extraction.fields.mentions import Mention
from thresher.extraction.fields.names import has_role, is_person, is_surely_person, without_titles
from thresher.extraction.fields.near import MAX_LINE, Near
from thresher.extraction.fields.signatures import may_lead, read_line
from thresher.extraction.fields.texts import compact, fold
from thresher.extraction.fields.told import COMPANIES, LEGAL_FORMS

WEIGHTS = "author_weights.json"
OFTEN = 3  # times that a text names someone who is its subject
MIN_SITE = 4  # characters of a site's name that is looked for inside others
_FIRSTS = ("data", "meta", "credit", "line", "label")  # kinds of places of which the first is compared with
_DATA = ("data", "meta")
_ONCE = ("line", "label", "byline", "odd")  # kinds of places of which only the first counts for a name
# Marks that say less of a name that is not known to be one.
_DOUBTED = (
    *("line bare", "line alone", "line lead", "line dated", "line by a date", "line office", "line +1", "line +2"),
    *("biography", "label", "byline", "credit near", "farewell"),
)

_HOST = re.compile(r"[\w-]\.(?:com|org|net|info|eu|[a-z]{2})(?:/|$)", re.IGNORECASE)  # "example.org"

People = frozenset[str]


class Candidate(NamedTuple):
    """A set of people, how the surest mention writes them and where that stands, and all that speaks for or against."""

    people: People
    mention: Mention
    marks: frozenset[str]


def find_candidates(mentions: Iterable[Mention], page: "Page") -> list[Candidate]:
    """Return the sets of people that are mentioned, each with the marks of all its mentions."""
    groups: dict[People, list[Mention]] = {}
    firsts: dict[str, People] = {}
    for mention in mentions:
        people = frozenset(filter(None, map(_person, mention.names)))
        if people:
            groups.setdefault(people, []).append(mention)
            firsts.setdefault(mention.marks[0], people)
    found = [
        Candidate(
            people, group[0], frozenset((*_own(group), *_beside(people, firsts, page), *page.marks_of(people, group)))
        )
        for people, group in groups.items()
    ]
    return _judged_together([each for each in found if not _made_the_site(each.marks)])


def _made_the_site(marks: frozenset[str]) -> bool:
    """Say whether a company or a host is told by meta elements alone, and no line near the title shows it."""
    is_company = not marks.isdisjoint(("legal form", "host"))
    return is_company and "meta" in marks and marks.isdisjoint(("data", "near", "credit", "line", "label", "byline"))


def find_plain(told: Sequence[Mention], near: Near) -> Mention | None:
    """Return the only people whom the page's data names, where lines near the title show them and nobody besides."""
    people = [mention for mention in told if all(map(is_person, map(_written, mention.names)))]
    if len({frozenset(map(_person, mention.names)) for mention in people}) != 1:
        return None
    names = [_person(name) for name in people[0].names]
    lines = (*near.after, *near.before)
    around = [line.casefold() for line in lines]
    if not all(any(name in line for line in around) for name in names):
        return None
    asked = (line for line, small in zip(lines, around, strict=True) if names[0] in small or may_lead(line))
    signed = list(map(read_line, asked))
    is_other = any(read and read.lead and names[0] not in map(_person, read.names) for read in signed)
    has_more = any(read and len(read.names) > len(names) for read in signed)
    return None if is_other or has_more else people[0]


def choose(candidates: Sequence[Candidate], least: float = 0.0) -> tuple[Candidate, float] | None:
    """Return the most likely candidate and how likely it is; None where no sum is above the least, that of nobody."""
    if not candidates:
        return None
    weights = _weights()
    sums = [sum(weights.get(mark, 0.0) for mark in each.marks) for each in candidates]
    best = max(sums)
    if best <= least:
        return None
    chance = math.exp(best) / (1 + sum(map(math.exp, sums)))
    return candidates[sums.index(best)], chance


@cache
def _weights() -> Mapping[str, float]:
    text = resources.files("thresher.extraction.fields").joinpath(WEIGHTS).read_text("utf-8")
    weights: dict[str, float] = json.loads(text)
    return weights


def _person(name: str) -> str:
    """Return a name without titles and degrees, in small letters."""
    return " ".join(without_titles(name.partition(",")[0]).casefold().split()).strip(".")


def _written(name: str) -> str:
    """Return a name as it is written, without titles and degrees."""
    return without_titles(name.partition(",")[0])


def _own(group: Sequence[Mention]) -> Iterator[str]:
    """Yield the marks of the mentions, and "again" where the same kind of place names the same people twice."""
    seen: set[str] = set()
    for mention in group:
        kind = mention.marks[0]
        if kind in seen and kind in _ONCE:
            yield f"{kind} again"
        else:
            yield from mention.marks
        seen.add(kind)
    is_told = not seen.isdisjoint(_DATA)
    shown = seen.difference(_DATA)
    if is_told and shown:
        yield "told and shown"
    if not is_told:
        yield "only shown"
    if len(shown) > 1:
        yield "shown twice"
    if seen.issuperset(_DATA):
        yield "told twice"
    if seen.issuperset(("credit", "line")):
        yield "credit and line"


def _beside(people: People, firsts: Mapping[str, People], page: "Page") -> Iterator[str]:
    """Yield how the people compare with those whom the first place of each kind names."""
    for kind in _FIRSTS:
        if first := firsts.get(kind):
            if people == first:
                yield f"first {kind}"
            elif people < first:
                yield f"part of {kind}"
            elif people > first:
                yield f"more than {kind}"
            elif people.isdisjoint(first):
                yield f"not {kind}" if page.shows_near(first) or kind not in _DATA else f"not {kind}, elsewhere"


class Page:
    """The texts of a page as names are looked for in them."""

    def __init__(self, near: Near, sites: frozenset[str]) -> None:
        self._sites = sites
        self._texts = near.texts
        self._title = fold(near.title)
        self._around = fold("\n".join((*near.after, *near.before)))
        self._known: dict[tuple[People, bool], tuple[str, ...]] = {}  # where people are shown, once it was looked up

    @cached_property
    def _lines(self) -> str:
        return fold("\n".join([text for text in self._texts if len(text) <= MAX_LINE]))

    @cached_property
    def _text(self) -> str:
        return fold("\n".join([text for text in self._texts if len(text) > MAX_LINE]))

    def shows_near(self, people: People) -> bool:
        """Say whether lines near the title show all of the people."""
        return all(name in self._around for name in people)

    def marks_of(self, people: People, group: Sequence[Mention]) -> Iterator[str]:
        """Yield what the names look like and where else the page shows them."""
        names = group[0].names
        yield from self._shape(names)
        names = tuple(map(_written, names))
        is_told = any(mention.marks[0] in _DATA for mention in group)
        if (people, is_told) not in self._known:
            self._known[people, is_told] = tuple(self._shown(people, is_told=is_told))
        yield from self._known[people, is_told]
        is_sure = all(map(is_surely_person, names))
        marks = {mark for mention in group for mark in mention.marks}
        yield "common names" if is_sure else "uncommon names" if all(map(is_person, names)) else "no names"
        yield from (f"{mark}, unsure" for mark in _DOUBTED if mark in marks and not is_sure)
        if marks.isdisjoint(("line near", "credit near")):
            yield from ("credit elsewhere",) if "credit" in marks else ()
            yield from ("shown elsewhere",) if marks.isdisjoint(_DATA) else ()

    def _shape(self, names: Sequence[str]) -> Iterator[str]:
        joined = [compact(name) for name in names]
        is_site = any(name in self._sites for name in joined)
        flags = {"several": len(names) > 1, "many": len(names) > 3, "one word": any(" " not in name for name in names)}
        flags |= {"site": is_site, "office": any(map(has_role, names)), "long": any(len(n.split()) > 3 for n in names)}
        flags["company"] = any(name.endswith(COMPANIES) for name in names)
        flags["legal form"] = any(name.endswith(LEGAL_FORMS) for name in names)
        flags["host"] = any("." in name and _HOST.search(name) for name in names)
        flags["capitals"] = all(map(str.isupper, names))
        sites = [site for site in self._sites if len(site) >= MIN_SITE]
        flags["like the site"] = any(name in site or site in name for name in joined for site in sites)
        return (name for name, is_so in flags.items() if is_so)

    def _shown(self, people: People, *, is_told: bool) -> Iterator[str]:
        surnames = [name.rpartition(" ")[2] for name in people]
        is_near = self.shows_near(people)
        shown = [self._lines.count(name) for name in people]
        is_hidden = not any(shown) and not any(name in self._lines or name in self._text for name in surnames)
        flags = {"near": is_near, "in lines": all(shown), "hidden": is_hidden}
        flags["in lines twice"] = min(shown) > 1
        flags["in the title"] = any(name in self._title for name in people)
        flags |= {"told, near": is_told and is_near, "told, hidden": is_told and is_hidden}
        flags["told, elsewhere"] = is_told and not is_near and not is_hidden
        if all(" " in name for name in people):
            times = max(map(self._text.count, surnames))
            flags |= {"in the text": times > 0, "often in the text": times >= OFTEN}
            flags["whole in the text"] = times > 0 and any(name in self._text for name in people)
        return (name for name, is_so in flags.items() if is_so)


_ORGANISED = frozenset(("site", "office", "company", "staff", "host"))
_BELOW_TITLE = ("line +1", "line +2", "line +4", "line +8")
_NAMED = frozenset(("label", "biography", "data", "meta", "credit near"))
_SIGNED = frozenset(("line lead", "line by a date", "line dated", "line office"))


def _judged_together(candidates: list[Candidate]) -> list[Candidate]:
    """Mark organisations, those beside whom a person is named, and bylines beside data that names whom none shows."""
    persons = [each.people for each in candidates if _is_named_person(each.marks)]
    is_told_near = any("told, near" in each.marks and each.marks.isdisjoint(_ORGANISED) for each in candidates)
    marked = []
    for each in candidates:
        is_signed = each.marks.issuperset(("line lead", "common names", "only shown"))
        if is_signed and not is_told_near and not each.marks.isdisjoint(_BELOW_TITLE):
            each = each._replace(marks=each.marks | {"signed, not told"})
        if not each.marks.isdisjoint(_ORGANISED) or each.marks.issuperset(("one word", "like the site")):
            more = {"organisation"} | ({"organisation beside a person"} if set(persons) - {each.people} else set())
            each = each._replace(marks=each.marks | more)
        marked.append(each)
    return marked


def _is_named_person(marks: frozenset[str]) -> bool:
    if "common names" not in marks:
        return False
    return not marks.isdisjoint(_NAMED) or ("line near" in marks and not marks.isdisjoint(_SIGNED))
