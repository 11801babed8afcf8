"""Pagination: which other pages a page of a thread or listing belongs to, told by URLs that differ in one number.

Links whose text is a number or a pager's word, elements with rel=next and the like, and the options of select boxes
are candidates. Those whose URL is the page's own but for one number (or with that number added) are its fellows. Of
several such numbers the one counts that grows with the numbers that the links show; without any it has to have a name
that numbers of pages go by, for "next" may lead to the next thread as well.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice, pairwise
from typing import NamedTuple

from lxml import etree

from thresher import urls
from thresher.discovery.pagination_spots import NUMBER, Spot, spots, without_blanks
from thresher.discovery.pagination_words import (
    COUNTED_NAMES,
    ICON,
    ICON_ROLES,
    NUMBER_WORDS,
    OTHER_NAMES,
    PAGE_NAMES,
    RELS,
    ROLES,
)
from thresher.errors import UsageError
from thresher.html import Tree

MAX_LABEL_CHARS = 40
MAX_LABEL_PIECES = 10  # texts of a link that are read
MAX_CANDIDATES = 500
MAX_PAGE = 100_000
_DIGIT = re.compile(r"\d")
_WORDS = re.compile(r"[^\W\d_]+|\d+")


@dataclass(frozen=True, slots=True)
class Pagination:
    """The pages around one page; URLs are canonical."""

    first: str  # the first page, which names the whole
    number: int = 1  # of this page, from 1
    previous: str | None = None
    next: str | None = None
    last: str | None = None  # the last page that is linked to, when it lies after this one
    pages: Mapping[int, str] | None = None  # the page itself and all that it links to, by number
    numbered_first: str | None = None  # another address of the first page, with its number ("?page=1"), if it is linked


class _Candidate(NamedTuple):
    url: str
    number: int | None  # that the link shows
    role: str | None  # next, previous, first or last


def find_pagination(tree: Tree, url: str) -> Pagination:
    """Return where a page at a canonical URL stands among its fellows; alone, it is the first.

    The address that a page gives as its own (rel=canonical) names the whole where it can be believed: one thread may be
    reached by several.
    """
    candidates = list(_candidates(tree, url))
    told = _told(tree, url)
    pager = _among(url, candidates)
    if pager is None and told:
        pager = _among(told, candidates)
        return pager.pagination() if pager else Pagination(told if _is_believable(told, url) else url)
    if pager is None:
        return Pagination(url)
    found = pager.pagination()
    if found.number > 1:
        found = replace(found, first=_as_linked(tree, found.first))
    if told and _is_believable(told, url):
        return replace(found, first=pager.first_of(told) or found.first)
    return found


def _as_linked(tree: Tree, first: str) -> str:
    """Return a first page's address with or without the slash at its end, as the page links to it."""
    other = first[:-1] if first.endswith("/") else f"{first}/"
    end = other.rstrip("/").rpartition("/")[2]
    linked = set()
    for element in tree.root.iter("a"):
        href = element.get("href")
        if href and end in href:
            with suppress(UsageError):
                linked.add(urls.canonical(href, tree.base_url or first))
    return other if other in linked and first not in linked else first


def _candidates(tree: Tree, url: str) -> Iterator[_Candidate]:
    seen: set[_Candidate] = set()  # as they are spelled
    for element in tree.root.iter("a", "link", "option"):
        tag = element.tag
        href = element.get("value" if tag == "option" else "href")
        if not href or href[0] == "#" or (tag == "option" and "/" not in href and "?" not in href):
            continue
        number, role = _label(element, tag == "link")
        if number is None and role is None:
            continue
        spelled = _Candidate(href, number, role)
        if spelled in seen:
            continue
        seen.add(spelled)
        if len(seen) > MAX_CANDIDATES:
            return
        try:
            target = urls.canonical(href, tree.base_url or url, encoding=tree.encoding or "utf-8")
        except UsageError:
            continue
        yield _Candidate(target, number, role)


def _label(element: etree._Element, is_bare: bool) -> tuple[int | None, str | None]:
    """Return the number that a link shows and the role that it plays; a bare one shows nothing."""
    rel = element.get("rel")
    role = next((RELS[word] for word in rel.lower().split() if word in RELS), None) if rel else None
    if is_bare:
        return None, role
    text = "".join(islice(element.itertext(), MAX_LABEL_PIECES)) if len(element) else element.text or ""
    number, told = _drawn(element) if not text or text.isspace() else _read(text[: 4 * MAX_LABEL_CHARS])
    return number, role or told


def _drawn(element: etree._Element) -> tuple[int | None, str | None]:
    """Return what a link without text tells by the names of itself and of the icon within it."""
    for part in islice(element.iter(etree.Element), MAX_LABEL_PIECES):
        for name in ("aria-label", "title", "alt"):
            number, role = _read((part.get(name) or "")[: 4 * MAX_LABEL_CHARS])
            if number is not None or role:
                return number, role
        drawing = "" if part is element else part.get("href") or part.get("xlink:href") or ""  # <use href="#arrow">
        drawn = _icon_role(f"{part.get('class') or ''} {drawing}"[: 4 * MAX_LABEL_CHARS])
        if drawn:
            return None, drawn
    return None, None


@lru_cache(maxsize=2_000)
def _icon_role(names: str) -> str | None:
    """Return the role that the names of an icon tell: a doubled arrow leads to the first or the last page."""
    match = ICON.search(names.lower())
    if match is None:
        return None
    role = match[2] or RELS[match[3]]
    role = ICON_ROLES.get(role, role)
    return {"next": "last", "previous": "first"}[role] if match[1] else role


@lru_cache(maxsize=20_000)  # labels come again on every page of a site, most of them on every page of a forum
def _read(text: str) -> tuple[int | None, str | None]:
    """Return the number and the role that a text tells; None for what it does not."""
    label = " ".join(text.split()).lower()
    if len(label) > MAX_LABEL_CHARS:
        return None, None
    role = ROLES.get(label) or ROLES.get(label.strip("[]() .…|‹›«»<>→←"))
    return _number_in(label), role or (
        _icon_role(label) if "_" in label else None
    )  # fonts that draw words: arrow_right


def _number_in(label: str) -> int | None:
    """Return the number of a label that says little else ("2", "[2]", "... 23", "Page 2", "第2页")."""
    if not _DIGIT.search(label):
        return None
    words = _WORDS.findall(label)
    numbers = [word for word in words if word.isdecimal()]
    if len(numbers) != 1 or any(
        word not in NUMBER_WORDS and word not in "第页頁" for word in words if word != numbers[0]
    ):
        return None
    number = int(numbers[0]) if len(numbers[0]) < 7 else MAX_PAGE + 1
    return number if 1 <= number <= MAX_PAGE else None


def _told(tree: Tree, url: str) -> str | None:
    """Return the address on this host that the page gives as its own, when it is another."""
    for link in tree.root.iter("link"):
        if (link.get("rel") or "").lower() == "canonical":
            try:
                told = urls.canonical(link.get("href") or "", tree.base_url or url)
            except UsageError:
                return None
            return told if told != url and urls.origin_of(told) == urls.origin_of(url) else None
    return None


def _is_believable(told: str, url: str) -> bool:
    """Say whether an address that a page gives as its own can be: of the same script, or with the same numbers."""
    theirs, ours = set(NUMBER.findall(told)), set(NUMBER.findall(url[len(urls.origin_of(url)) :]))
    same_path = told.partition("?")[0] == url.partition("?")[0]
    return bool(theirs) and (same_path or (bool(ours) and ours <= theirs))


def _among(own: str, candidates: Sequence[_Candidate]) -> "_Pager | None":
    """Return the best supported pager that a URL is part of."""
    mine = {spot.key: spot for spot in spots(own)}
    groups: dict[str, list[tuple[_Candidate, Spot]]] = {}
    origin = urls.origin_of(own)
    for candidate in candidates:
        if urls.origin_of(candidate.url) != origin:
            continue
        for spot in spots(candidate.url):
            if spot.key in mine and (spot.value is not None or mine[spot.key].value is not None):
                groups.setdefault(spot.key, []).append((candidate, spot))
    pagers = [
        _Pager(mine[key], own, fellows)
        for key, fellows in groups.items()
        if any(candidate.url != own for candidate, _ in fellows)  # one that shows itself alone has no fellows
    ]
    best = max(pagers, key=_Pager.support, default=None)
    return best if best and best.support() > (0, 0) else None


class _Pager:
    """Links to pages that differ from ours in one number."""

    def __init__(self, mine: Spot, own: str, fellows: Sequence[tuple[_Candidate, Spot]]) -> None:
        self._mine, self._own = mine, own
        self._fellows = fellows
        self._name = next((spot.name for _, spot in fellows if spot.value is not None), mine.name)
        shown = {(candidate.number, spot.value) for candidate, spot in fellows if candidate.number}
        self._start, self._step = _line(shown) or self._guess()
        self._fits = {pair for pair in shown if self._number(pair[1]) == pair[0]}

    def support(self) -> tuple[int, int]:
        """Return how many links fit a pager: by their number, by their word; (0, 0) when it is none."""
        roles = len({candidate.role for candidate, _ in self._fellows if candidate.role})
        named = self._name in PAGE_NAMES
        if self._name in OTHER_NAMES and self._mine.bare is not None:
            return 0, 0
        beside_id = self._mine.bare is None and NUMBER.search(self._mine.key) is not None  # thread-9-#-1.html
        fits = len({number for number, value in self._fits if number > 1 or value is None or named or beside_id})
        if fits and (named or roles or fits > 1 or self._step == 1):
            return fits, roles
        has_bare = self._mine.value is None or any(spot.value is None for _, spot in self._fellows)
        by_role = roles and self._mine.bare is not None and (not self._name or has_bare)
        return (0, roles) if named or by_role else (0, 0)

    def pagination(self) -> Pagination:
        """Return our place among the pages."""
        number = self._number(self._mine.value)
        pages = {self._number(spot.value): candidate.url for candidate, spot in reversed(self._fellows)}
        pages = {at: url for at, url in pages.items() if at >= 1} | {number: self._own}
        after, before = [at for at in pages if at > number], [at for at in pages if at < number]
        first = self._first(pages)
        fellows = self._fellows if self._name in PAGE_NAMES else ()  # without a name, /1 may be a page of its own
        numbered = (each.url for each, spot in fellows if spot.value is not None and self._number(spot.value) == 1)
        return Pagination(
            first=first,
            number=number,
            previous=pages[max(before)] if before else None,
            next=pages[min(after)] if after else None,
            last=pages[max(after)] if after else None,
            pages=pages,
            numbered_first=next((url for url in numbered if url not in (first, self._own)), None),
        )

    def first_of(self, other: str) -> str | None:
        """Return the first page of what another address of ours belongs to; None when it does not tell."""
        if self._mine.value is None:
            return other
        for spot in spots(other):
            if spot.bare is not None and spot.value == self._mine.value and spot.name == self._mine.name:
                return urls.canonical(urls.origin_of(other) + spot.bare)
        return None

    def _first(self, pages: Mapping[int, str]) -> str:
        """Return the first page's address, without a number where pages are known to do without."""
        if self._mine.value is None:
            return without_blanks(self._own)
        bare = next((candidate.url for candidate, spot in self._fellows if spot.value is None), None)
        if bare:
            return bare
        origin = urls.origin_of(self._own)
        if self._mine.bare is not None and (self._mine.name or 1 not in pages):
            return urls.canonical(origin + self._mine.bare)
        return pages[1] if 1 in pages else origin + self._mine.key.replace("\0", str(self._start))

    def _number(self, value: int | None) -> int:
        if value is None:
            return 1
        return (value - self._start) // self._step + 1

    def _guess(self) -> tuple[int, int]:
        """Return the value of the first page and the step where no link shows a number.

        The one that leads from the first page to the next tells both. One value alone is that of the last of two pages.
        """
        values = {spot.value for _, spot in self._fellows} | {self._mine.value}
        known = sorted(value for value in values if value)
        second = next(
            (spot.value for candidate, spot in self._fellows if spot.value and candidate.role == "next"), None
        )
        if self._mine.value is None and second:
            return (1, 1) if second == 2 else (0, second)
        if self._name in COUNTED_NAMES:
            return (0, 1) if 0 in values else (1, 1)
        step = min((later - sooner for sooner, later in pairwise(known)), default=known[0] if known else 1)
        return (1, 1) if step == 1 or known == [2] else (0, step)


def _line(shown: set[tuple[int, int | None]]) -> tuple[int, int] | None:
    """Return the value of the first page and the step to the next, as most links tell them; None when none does."""
    pairs = sorted((number, value) for number, value in shown if value is not None)
    votes: dict[tuple[int, int], int] = {}
    for number, value in pairs:
        guesses = {(1, 1)} if value == number else {(0, 1)} if value == number - 1 else set()
        if number > 1 and value % (number - 1) == 0 and value:
            guesses.add((0, value // (number - 1)))
        for guess in guesses:
            votes[guess] = votes.get(guess, 0) + 1
    return max(votes, key=lambda guess: (votes[guess], guess), default=None)
