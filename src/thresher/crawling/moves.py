"""Moves: what was stored under an address that it has no more is kept under its new one, and is one document.

    the old address redirects for good to a page with the same title or text ───────────────▶ moved
    a new page says what an old one of its host says ─▶ the old address is asked once ─▶ it is gone,
                                                         redirects, or asks not to be kept: moved
    a new thread begins with the post, by author, time and text, that an old one of its host begins with ─▶ moved

What an earlier run has stored can have moved, to what no earlier run has stored.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from thresher import urls
from thresher.crawling.landing import Landing
from thresher.discovery.links import priority_of
from thresher.frontier.contract import Frontier
from thresher.index.contract import Index
from thresher.model import Document, Fate, Kind, Link, Post
from thresher.store.contract import Store

MOVED = "moved"  # the reason of a URL whose document is kept under another one; the why of a link to an old address
FOR_GOOD = (301, 308)
GONE = (404, 410)
NOT_TO_BE_KEPT = "noindex"  # some sites answer so where a page was, in place of 404: "This topic does not exist"
MAX_HOPS = 5
MAX_ASLEEP = 50  # links that wait to be woken

Ask = Callable[[Sequence[Link]], object]  # lets addresses be asked for, though this run may have passed them over


class Awakening:
    """Lets links be asked for that a run may have passed over; one that waits to be passed over, when that is done."""

    def __init__(self, frontier: Frontier) -> None:
        self._frontier = frontier
        self._asleep: list[Link] = []

    def wake(self, *links: Link) -> None:
        """Wake these links, and those that could not be woken before."""
        wanted = [*self._asleep, *links]
        woken = self._frontier.wake(wanted) if wanted else []
        self._asleep = [link for link, done in zip(wanted, woken, strict=True) if not done][:MAX_ASLEEP]

    def forget(self) -> None:
        """Drop what is remembered."""
        self._asleep.clear()


class _Move(NamedTuple):
    old: str
    new: str
    seen: Fate  # what became of the page that tells


def follow_moves(store: Store, index: Index, landings: Sequence[Landing], ask: Ask) -> None:
    """Keep documents that have moved under their new addresses; call it when the landings that tell are saved."""
    for landing in landings:
        link, fate = landing.settlement.lease.link, landing.fate
        if fate is None:
            continue
        if landing.document and landing.document.url and fate.state == "stored":
            for move in _arrived(store, landing.document.url, link, fate, ask):
                _keep(store, index, move)
        elif fate.reason == "redirected" and fate.status in FOR_GOOD:
            _keep(store, index, _Move(link.url, landing.links[0].url, fate))
        elif link.why == MOVED and link.found_on and _is_gone(fate):
            _keep(store, index, _Move(link.url, link.found_on, fate))


def _arrived(store: Store, url: str, link: Link, fate: Fate, ask: Ask) -> Iterator[_Move]:
    """Yield where a new document may have been before, as far as that is known; ask where it is not."""
    if _was_stored(store, url, fate.run):
        return
    yield from (_Move(old, url, fate) for old in _redirecting(store, link, fate.run))
    new = store.document(url, posts=False)
    for old in store.copies(url):
        known = store.document(old, posts=False) if _may_have_moved(store, old, url, fate.run) else None
        if new is None or known is None or not _is_same(known, new):
            continue
        last = _last(store, old, fate.run)
        if _begin_alike(store, known, new) or (last and (_is_gone(last) or last.detail == url)):
            yield _Move(old, url, fate)
        elif last is None or last.status is None:
            ask([Link(old, max(link.depth, 1), MOVED, url, priority_of(MOVED, link.depth))])


def _is_gone(fate: Fate) -> bool:
    """Say whether an address has no document any more."""
    return fate.status in GONE or fate.reason == NOT_TO_BE_KEPT


def _redirecting(store: Store, link: Link, run: int) -> Iterator[str]:
    """Yield the addresses that have led to a page by redirects for good."""
    why, address = link.why, link.found_on
    for _ in range(MAX_HOPS):
        last = _last(store, address, run) if address and why == "redirect" else None
        if last is None or last.status not in FOR_GOOD:
            return
        yield last.url
        address = last.found_on  # of that page: if a redirect led there, its fate says so as well


def _may_have_moved(store: Store, old: str, new: str, run: int) -> bool:
    return old != new and urls.host_of(old) == urls.host_of(new) and _was_stored(store, old, run)


def _was_stored(store: Store, url: str, run: int) -> bool:
    """Say whether an earlier run has stored the page of a URL."""
    return any(fate.run < run and fate.state == "stored" for fate in store.fates(url))


def _last(store: Store, url: str, run: int) -> Fate | None:
    return next((fate for fate in store.fates(url) if fate.run == run), None)


def _keep(store: Store, index: Index, move: _Move) -> None:
    """Let the document of the old address be that of the new one, if these are two documents and alike."""
    old, new = store.document(move.old, posts=False), store.document(move.new, posts=False)
    if old is None or new is None or (old.url, new.url) != (move.old, move.new):
        return
    if not _was_stored(store, move.old, move.seen.run) or _was_stored(store, move.new, move.seen.run):
        return
    if old.kind is not new.kind or (old.title != new.title and move.old not in store.copies(move.new)):
        return
    fate = Fate(move.old, move.seen.run, "skipped", MOVED, move.seen.at, move.new, move.seen.status, move.seen.found_on)
    first_seen = store.move(move.old, move.new, fate)
    kept = store.document(move.new)
    if first_seen and kept:
        index.remove([urls.key_of(move.old), urls.key_of(move.new)])
        index.add([kept], first_seen, run=fate.run)


def _is_same(old: Document, new: Document) -> bool:
    told = (old.kind, old.title, old.authors, old.published)
    return old.published is not None and told == (new.kind, new.title, new.authors, new.published)


def _begin_alike(store: Store, old: Document, new: Document) -> bool:
    """Say whether two threads begin with one post: its author writes at one moment once."""
    if old.kind is not Kind.THREAD:
        return False
    ours, theirs = (next(store.posts(each.url or ""), None) for each in (old, new))
    return ours is not None and ours.published is not None and theirs is not None and said_by(ours) == said_by(theirs)


def said_by(post: Post) -> tuple[object, ...]:
    """Return what tells a post from all others: an author writes at one moment once."""
    return post.author, post.published, post.text
