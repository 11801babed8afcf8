"""Kinds: which kinds of links lead to nothing on a host, learned from a few of each and kept for later runs.

    a link ──▶ its kind: the path with numbers and names masked, and the names of parameters (urls.kind_of)

                 the first pages gave nothing
    unknown ──────────────────────────────────────▶ given up: those that wait are dropped, later ones left,
       │   ◀──────────────────────────────────────            but for a sample: the 16th, the 64th, the 256th …
       │       a sample gives something: all that was
       │       left is offered again; or a week passed
       │
       └─ a page is a document ──▶ open for good

A page gives nothing when it is no document and leads to no link that is new. Nothing is left on the word of such pages
alone that a start, a search or the pager of a list leads to. When a further page of a list names known items alone, as
the first page does, so do those between.
"""

import asyncio
import re
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import lru_cache
from operator import itemgetter
from types import MappingProxyType
from typing import NamedTuple

from thresher import urls
from thresher.crawling.landing import Landing
from thresher.crawling.reasons import is_failure
from thresher.discovery.links import priority_of
from thresher.discovery.sitemaps import is_sitemap_file
from thresher.frontier.contract import Settlement
from thresher.model import Failure, Link, Outcome, Page
from thresher.store.contract import COPY, KindCount, Store

Asking = Awaitable[Page | Failure]  # what asks for a page when it is awaited

BARREN = "barren"
# How many signs it takes to give a kind up. A page that gives nothing is one sign, a clear case is two: a form to sign
# in, one that is refused, the address of something known, a page that asks not to be kept, a list that names known
# items alone. Where another list has named all that there is, such a list is enough, and so is everywhere a form that
# leads back to the page that it is linked from. A dead link or a server that fails is none: it says nothing of the next
# one.
SIGNS = 4
SIGNS_BESIDE_SITEMAP = 2  # on a host whose sitemap names its documents
SIGNS_IN_A_ROW = 8  # of a kind whose pages have led to documents, or that a list names as its items
REFUSED = frozenset({"http-401", "http-403", "http-405"})
CLEAR = REFUSED | {"redirected", "redirected-to-itself", "noindex", COPY}
SIGN_IN = "sign-in"
LISTS = frozenset({"listing", "board"})  # reasons of pages that may name items
MIN_ITEMS = 2  # that a page has to name to count as a list of known ones
SITEMAP_PAGES = 5  # that a sitemap has to name
SAMPLES = frozenset(4**power for power in range(2, 20))  # which ones of the links that are left are followed
FIRST_LATE_SAMPLE = 64  # where a form to sign in, or a list of all that a host has, leaves little doubt
SHORT_LIST = 20  # pages of a list
MAX_WAITING = 30  # pages of all hosts that wait for further pages of a list: others have to have a place
FORGOTTEN = timedelta(days=7)  # after which a kind that was given up is tried again
MAX_KINDS = 2_000  # of a host; of hosts
MAX_SKIPPED_ON = 20_000  # pages whose links of a kind are offered again when it turns out to be good
GOOD_WEIGHT = 3  # documents that one whole kind stands for: what it has shown is kept, not how often
EXEMPT = frozenset({"start", "search", "result", "redirect", "part", "continued", "moved"})
ITEMS = frozenset({"article", "thread", "feed"})
AFTER_LISTS = frozenset({"page", "board"})  # those that wait for the feed and the sitemap
_PAGE_NUMBER = re.compile(r"[?&](?:page|paged|pg|p|start|offset|cursor)=\w+|/page/?\d+/?$|/index(?=\.)|\d+")
_DATE_NUMBER = re.compile(r"(?<!\d)(?:0\d|(?:19|20)\d\d)(?!\d)")  # of a year, or a month or day: none of a page
PAGE_NAMES = frozenset({"page", "paged", "pg", "pagenum"})  # that are used for nothing else
MAX_DIGITS = 6
_PAGE_STEP = re.compile(r"/page[/-]?(\d+)/?$|/index[_-]?(\d*)\.[a-z]{2,5}$")


@dataclass(slots=True)
class _Kind:
    name: str
    signs: int = 0  # that it leads to nothing, in a row
    bore: bool = False  # a page of it is a document
    led: bool = False  # a page of it has led to one
    led_late: bool = False  # a page of it led to new links though a catalogue had been read
    is_item: bool = False  # a list or feed named a link of it as one of its items
    is_form: bool = False  # a page of it asked to sign in
    is_given_up: bool = False
    skipped: int = 0  # links that were not followed
    samples: set[str] = field(default_factory=set)  # of these, those that are followed all the same
    skipped_on: set[str] = field(default_factory=set)  # pages where the others stand


@dataclass(slots=True)
class _Host:
    kinds: dict[str, _Kind] = field(default_factory=dict)
    from_sitemap: int = 0  # pages that a sitemap names
    first_list: dict[str, bool] = field(default_factory=dict)  # further pages of the list on a start: which were read
    is_paged: bool = False  # one of them names items
    empty: dict[str, int] = field(default_factory=dict)  # pager → its farthest page that names known items alone


class Learned(NamedTuple):
    """What pages have shown."""

    given_up: list[Link]  # one link of each kind that is given up from now on
    again: list[Link]  # links that were left, of kinds that are good after all


class Kinds:
    """What one worker knows of the kinds of links of the hosts that it meets."""

    def __init__(self, store: Store, now: datetime, starts: Collection[str] = ()) -> None:
        self._store, self._now = store, now
        self._first_lists = frozenset(_pager_of(start)[0] for start in starts)
        self._hosts: dict[str, _Host] = {}
        self._changes: dict[tuple[str, str], KindCount] = {}  # that are not stored yet
        self._new_pages: Counter[str | None] = Counter()  # page → new links to further pages of the list that it shows
        self._new_items: Counter[str | None] = Counter()  # page → items that it names and nobody knew
        self.turns = Turns(self)

    def note_new(self, link: Link) -> None:
        """Note that a page has led to a link that nobody knew."""
        self._new_pages[link.found_on] += link.why == "next" or page_number(link) is not None
        self._new_items[link.found_on] += link.why in ITEMS

    def note_resting(self, link: Link) -> None:
        """Note that a list is taken as it was stored: nobody has to wait for it, and it names known items alone."""
        host = self._host(link.host)
        if link.url in host.first_list:
            host.first_list[link.url] = True
        self._note_end(link)

    def refuses(self, link: Link) -> bool:
        """Say whether a link is of a kind that leads to nothing; it counts as left, unless it is a sample."""
        if self._is_between(link):
            return True
        self._note_why(link)
        kind = self._judged(link)
        if kind is None or not kind.is_given_up or link.url in kind.samples:
            return False
        kind.skipped += 1
        self._change(link.host, kind, skipped=1)
        is_sure = kind.is_form or _has_catalogue(self._host(link.host))
        if kind.skipped in SAMPLES and not (is_sure and kind.skipped < FIRST_LATE_SAMPLE):
            kind.samples.add(link.url)
            return False
        if link.found_on and len(kind.skipped_on) < MAX_SKIPPED_ON:
            kind.skipped_on.add(link.found_on)
        return True

    def leaves(self, link: Link) -> bool:
        """Say whether a link is of a kind that was given up, and no sample."""
        host = self._hosts.get(link.host)
        if host and (self._is_between(link) or self._goes_on_in_vain(host, link)):
            return True
        kind = host.kinds.get(urls.kind_of(link.url)) if host and not is_exempt(link) else None
        return kind is not None and kind.is_given_up and link.url not in kind.samples

    def learn(
        self,
        endings: Sequence[Settlement],
        new: Mapping[str | None, int],
        stored_before: Collection[str],
        items: Mapping[str, int] = MappingProxyType({}),
    ) -> Learned:
        """Learn from pages that were asked for; `new` says how many new links each led to.

        `items` says how many items each of them names.

        Those that an earlier run has stored tell nothing new: they have been counted then.
        """
        learned = Learned([], [])
        new = {page: count - self._new_pages[page] for page, count in new.items()}
        known_items = {page: count for page, count in items.items() if not self._new_items[page]}
        self._new_pages.clear()
        self._new_items.clear()
        for end in endings:
            link = end.lease.link
            was_asked = end.outcome is not Outcome.RETRY and end.reason != BARREN and not link.replay
            if was_asked and not end.unchanged and link.url not in stored_before:
                names_known = end.reason in LISTS and known_items.get(link.url, 0) >= MIN_ITEMS
                if names_known:
                    self._note_end(link)
                if self.is_of_first_list(link):
                    host = self._host(link.host)
                    host.first_list[link.url] = True
                    host.is_paged |= end.reason in LISTS
                self._count(end, bool(new.get(link.url)), learned, names_known=names_known)
        self._store.count_kinds(list(self._changes.values()))
        self._changes.clear()
        return learned

    def experience(self, host: str) -> dict[str, tuple[int, int]]:
        """Return what became of a host's links so far, by kind: a weight for documents, and one for other pages."""
        known = self._host(host).kinds.values()
        return {
            kind.name: (GOOD_WEIGHT, 0) if kind.bore else (0, kind.signs) for kind in known if kind.bore or kind.signs
        }

    def forget(self) -> None:
        """Drop what is remembered: the transaction that it was learned in did not happen."""
        self._hosts.clear()
        self._changes.clear()
        self._new_pages.clear()
        self._new_items.clear()

    def knows_good(self, link: Link) -> bool:
        """Say whether a link's kind is known to hold documents; asked beside the thread of the books."""
        host = self._hosts.get(link.host)
        kind = host.kinds.get(urls.kind_of(link.url)) if host else None
        return kind is not None and kind.bore

    def wants_more(self, link: Link, under_way: int) -> bool:
        """Say whether a page may be asked for while so many of its kind are under way, each of which may be enough;
        asked beside the thread of the books."""
        host = self._hosts.get(link.host, _Host())
        kind = host.kinds.get(urls.kind_of(link.url)) or _Kind("")
        return kind.signs + SIGNS * under_way < _needed(host, kind, link.why)

    def is_of_first_list(self, link: Link) -> bool:
        """Say whether a link leads to a further page of the list that a start shows."""
        return page_number(link) is not None and _pager_of(link.url)[0] in self._first_lists

    def may_be_spared(self, link: Link) -> bool:
        """Say whether a link leads to a further page of a short first list: its last page may tell of all of them."""
        return self.is_of_first_list(link) and (page_number(link) or 0) <= SHORT_LIST

    def has_list_to_read(self, host: str) -> bool:
        """Say whether further pages of the list that a start shows are known and not read yet."""
        known = self._hosts.get(host)
        return known is not None and not all(list(known.first_list.values()))

    def _note_why(self, link: Link) -> None:
        """Note what a link says of its kind, and of its host."""
        if link.why in ITEMS:
            kind = self._kind(self._host(link.host), link.url)
            if kind:
                kind.is_item = True
        elif self.is_of_first_list(link):
            pages = self._host(link.host).first_list
            if len(pages) < MAX_KINDS:
                pages.setdefault(link.url, False)
        elif link.why == "sitemap" and not is_sitemap_file(link.url, link.why):
            self._host(link.host).from_sitemap += 1

    def _note_end(self, link: Link) -> None:
        """Note that a further page of a list names known items alone."""
        number = page_number(link)
        if number is not None:
            empty = self._host(link.host).empty
            pager, _ = _pager_of(link.url)
            if len(empty) < MAX_KINDS:
                empty[pager] = max(number, empty.get(pager, 0))

    def _is_between(self, link: Link) -> bool:
        """Say whether a link leads to a page of a list that lies between the first and one that name known items."""
        number = page_number(link)
        if number is None or number <= 1:
            return False
        host = self._hosts.get(link.host)
        return host is not None and number < host.empty.get(_pager_of(link.url)[0], 0)

    def _goes_on_in_vain(self, host: _Host, link: Link) -> bool:
        """Say whether a link leads to a further page of a list whose kind was given up."""
        if page_number(link) is None and link.why != "next":
            return False
        kind = host.kinds.get(urls.kind_of(link.found_on or ""))
        return kind is not None and kind.is_given_up

    def _count(self, end: Settlement, is_hopeful: bool, learned: Learned, *, names_known: bool) -> None:
        link = end.lease.link
        if end.fruitful:
            self._praise(link, learned)
        kind = self._judged(link)
        if kind is None or kind.bore or not _says_something(end):
            return
        if is_hopeful:
            kind.signs = 0
            kind.led_late |= _has_catalogue(self._host(link.host))
            self._reopen(link.host, kind, learned)
        else:
            kind.is_form = kind.is_form or end.reason == SIGN_IN
            kind.signs += self._weight(link, end.reason, names_known=names_known)
            if not kind.is_given_up and self._is_enough(link, kind):
                kind.is_given_up = True
                learned.given_up.append(link)
        self._change(link.host, kind)

    def _weight(self, link: Link, reason: str, *, names_known: bool) -> int:
        """Return for how many signs a page counts that gives nothing."""
        if reason == SIGN_IN or (names_known and _has_catalogue(self._host(link.host))):
            return SIGNS
        return 2 if names_known or reason in CLEAR else 1

    def _praise(self, link: Link, learned: Learned) -> None:
        """Note that a page is a document: its kind is good, and so is that of the page that led to it."""
        host = self._host(link.host)
        kind = self._kind(host, link.url)
        if kind and not kind.bore:
            kind.bore = True
            self._reopen(link.host, kind, learned)
            self._change(link.host, kind, bore=1)
        if link.found_on is None or link.why == "redirect" or urls.host_of(link.found_on) != link.host:
            return
        parent = self._kind(host, link.found_on)
        if parent and not parent.led:
            parent.led = True
            self._reopen(link.host, parent, learned)
            self._change(link.host, parent, led=1)

    def _is_enough(self, link: Link, kind: _Kind) -> bool:
        """Say whether there are enough signs; what other workers saw counts."""
        host = self._host(link.host)
        if kind.signs < _needed(host, kind, link.why):
            return False
        stored = next((row for row in self._store.kinds(link.host) if row.kind == kind.name), None)
        if stored:
            kind.bore, kind.led = kind.bore or stored.bore > 0, kind.led or stored.led > 0
        return not kind.bore and kind.signs >= _needed(host, kind, link.why)

    def _reopen(self, host: str, kind: _Kind, learned: Learned) -> None:
        """Let a kind that was given up be followed again, with all that was left of it in this run."""
        if not kind.is_given_up:
            return
        kind.is_given_up, kind.signs = False, 0
        found = {
            link.url: link
            for page in kind.skipped_on
            for link in self._store.outlinks(page)
            if link.host == host and urls.kind_of(link.url) == kind.name
        }
        known = self._store.known(list(found))
        learned.again.extend(link for url, link in found.items() if url not in known)
        kind.skipped_on.clear()

    def _judged(self, link: Link) -> _Kind | None:
        """Return the kind of a link; None where it does not matter."""
        return None if is_exempt(link) else self._kind(self._host(link.host), link.url)

    def _kind(self, host: _Host, url: str) -> _Kind | None:
        name = urls.kind_of(url)
        known = host.kinds.get(name)
        if known is None and len(host.kinds) < MAX_KINDS:
            known = host.kinds[name] = _Kind(name)
        return known

    def _host(self, name: str) -> _Host:
        known = self._hosts.get(name)
        if known is None:
            if len(self._hosts) > MAX_KINDS:
                self._hosts.clear()
            known = _Host({row.kind: self._stored(row) for row in self._store.kinds(name)})
            self._hosts[name] = known
        return known

    def _stored(self, row: KindCount) -> _Kind:
        is_old = row.at < self._now - FORGOTTEN
        kind = _Kind(row.kind, 0 if is_old else row.signs, row.bore > 0, row.led > 0, skipped=row.skipped)
        kind.is_given_up = row.given_up > 0 and not is_old and not kind.bore
        return kind

    def _change(self, host: str, kind: _Kind, *, bore: int = 0, led: int = 0, skipped: int = 0) -> None:
        """Keep what is to be stored of a kind with the next pages that are counted."""
        before = self._changes.get((host, kind.name))
        if before:
            bore, led, skipped = bore + before.bore, led + before.led, skipped + before.skipped
        given_up = int(kind.is_given_up)
        self._changes[host, kind.name] = KindCount(host, kind.name, kind.signs, given_up, bore, led, skipped, self._now)


class Turns:
    """Lets pages of an unknown kind be asked for one after the other: the first ones tell about the others.

    It belongs to the event loop, and asks nobody who waits.
    """

    def __init__(self, kinds: Kinds) -> None:
        self._kinds = kinds
        self._of_kind: Counter[tuple[str, str]] = Counter()  # pages under way
        self._lists: Counter[str] = Counter()  # of these, feeds and sitemaps of a host
        self._first_lists: Counter[str] = Counter()  # of the pages that wait, those of a host's first list
        self._waiting = 0
        self._ended = asyncio.Event()

    @asynccontextmanager
    async def turn(self, link: Link, asking: Asking, in_a_hurry: Callable[[], bool]) -> AsyncIterator[Asking]:
        """Wait until a page may be asked for; give what asks for it, or says that it is not worth it.

        The turn ends when all is written that came of it.
        """
        await self._wait(link, in_a_hurry)
        kind, is_list = (link.host, urls.kind_of(link.url)), _is_list(link)
        self._of_kind[kind] += 1
        self._lists[link.host] += is_list
        try:
            yield _instead(asking) if self._kinds.leaves(link) else asking
        finally:
            self._of_kind -= Counter({kind: 1})
            self._lists -= Counter({link.host: int(is_list)})
            self._ended.set()
            self._ended = asyncio.Event()

    async def _wait(self, link: Link, in_a_hurry: Callable[[], bool]) -> None:
        of_first_list = Counter({link.host: int(self._kinds.is_of_first_list(link))})
        self._waiting += 1
        self._first_lists += of_first_list
        try:
            while self._has_to_wait(link) and not in_a_hurry():
                await self._ended.wait()
        finally:
            self._waiting -= 1
            self._first_lists -= of_first_list

    def _has_to_wait(self, link: Link) -> bool:
        if self._kinds.may_be_spared(link) and self._of_kind[link.host, urls.kind_of(link.url)]:
            return self._waiting <= MAX_WAITING
        if is_exempt(link) or self._kinds.knows_good(link):
            return False
        if self._is_first_list_begun(link) or (self._lists[link.host] and link.why in AFTER_LISTS):
            return True
        under_way = self._of_kind[link.host, urls.kind_of(link.url)]
        return under_way > 0 and not self._kinds.wants_more(link, under_way)

    def _is_first_list_begun(self, link: Link) -> bool:
        """Say whether to wait for further pages of a host's first list, while these wait or other pages come in."""
        if self._waiting > MAX_WAITING or self._kinds.is_of_first_list(link):
            return False
        is_busy = any(name == link.host and count for (name, _), count in self._of_kind.items())
        return (is_busy or link.host in self._first_lists) and self._kinds.has_list_to_read(link.host)


def _instead(asking: Asking) -> Asking:
    """Answer in place of a host that is not going to be asked."""
    if isinstance(asking, Coroutine):
        asking.close()
    return _barren()


async def _barren() -> Page | Failure:
    return Failure(BARREN, Outcome.DONE)


def _says_something(end: Settlement) -> bool:
    """Say whether a page was read, or refused to whoever has no account: other failures are no sign."""
    state = "buried" if end.outcome is Outcome.BURY else "skipped"
    return end.reason in CLEAR or end.reason == SIGN_IN or not is_failure(state, end.reason)


def named_items(landings: Sequence[Landing]) -> dict[str, int]:
    """Say how many items each page names."""
    return {
        landing.settlement.lease.link.url: sum(link.why in ("article", "thread") for link in landing.links)
        for landing in landings
    }


def is_exempt(link: Link) -> bool:
    """Say whether a link is followed whatever its kind: it was asked for, or goes on where a page ends."""
    if link.why in EXEMPT or link.depth == 0 or link.replay or link.source:
        return True
    return is_sitemap_file(link.url, link.why) or link.why == "next" or _goes_on(link)


def short_list(pages: Sequence[Link]) -> list[Link]:
    """Return the further pages of the list on a start as they are to be asked for, the last one first, if they are few.

    They name what there is, so that pages by tag, author or month need not be asked for; they come before these.
    """
    numbered = sorted(((page_number(link) or 0, link) for link in pages), key=itemgetter(0), reverse=True)
    is_short = bool(numbered) and numbered[0][0] <= SHORT_LIST
    return [replace(link, priority=priority_of("article", 1)) for _, link in numbered] if is_short else []


def _goes_on(link: Link) -> bool:
    """Say whether a link leads to another page of the list that it stands on: it differs in one number at most."""
    if link.found_on is None or _without_numbers(link.url) != _without_numbers(link.found_on):
        return False
    ours, theirs = set(_DATE_NUMBER.findall(link.url)), set(_DATE_NUMBER.findall(link.found_on))
    return ours <= theirs


def page_number(link: Link) -> int | None:
    """Return which further page of the list that it stands on a link leads to, if its address says so, else None."""
    base, number = _pager_of(link.url)
    return number if number is not None and link.found_on and base == _pager_of(link.found_on)[0] else None


@lru_cache(maxsize=4_096)
def _pager_of(url: str) -> tuple[str, int | None]:
    """Return the address of a list without the number of its page, and that number if there is one."""
    path, _, query = url.partition("?")
    number, kept = None, []
    for pair in filter(None, query.split("&")):
        name, _, value = pair.partition("=")
        if name in PAGE_NAMES and value.isascii() and value.isdecimal():
            number = int(value[:MAX_DIGITS])
        else:
            kept.append(pair)
    step = _PAGE_STEP.search(path)
    if step:
        number = int((step[1] or step[2])[:MAX_DIGITS]) if step[1] or step[2] else number
        path = path[: step.start()]
    return path.rstrip("/") + (f"?{'&'.join(kept)}" if kept else ""), number


def _without_numbers(url: str) -> str:
    return _PAGE_NUMBER.sub("", url).rstrip("/?.")


def _has_catalogue(host: _Host) -> bool:
    """Say whether a list has named what a host has: its sitemap, or the list on a start, if all its pages were read."""
    return host.from_sitemap >= SITEMAP_PAGES or (host.is_paged and all(host.first_list.values()))


def _needed(host: _Host, kind: _Kind, why: str) -> int:
    led = kind.led_late or (kind.led and not _has_catalogue(host))
    if led or kind.is_item or why in ITEMS:
        return SIGNS_IN_A_ROW
    return SIGNS_BESIDE_SITEMAP if host.from_sitemap >= SITEMAP_PAGES and why != "sitemap" else SIGNS


def _is_list(link: Link) -> bool:
    return link.why == "feed" or is_sitemap_file(link.url, link.why)
