"""Thread links: which links of a thread's or article's page lead to others, and which lead back to it or to forms."""

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import NamedTuple

from thresher.discovery.boards import kind_of_address, reason_to_leave
from thresher.discovery.pagination import Pagination
from thresher.discovery.pagination_words import PAGE_NAMES
from thresher.model import Kind, Link

SAME_THREAD = "same-thread"
LIST_FEED = "list-feed"
LEFT_ON_BOARDS = frozenset({SAME_THREAD, "forum-member", "forum-login", "forum-posting"})  # a board may be named "help"
MIN_THREADS = 2  # that a page leads to, for its links to be sorted as those of a board
FOLLOWED = frozenset({"start", "redirect", "feed", "thread", "board", "part", "next", "sitemap"})


class Sorted(NamedTuple):
    """The links to follow, and those to leave with the reason."""

    links: tuple[Link, ...]
    left: tuple[tuple[str, str], ...]


def sort_page_links(
    links: tuple[Link, ...], url: str, pagination: Pagination | None, kind: Kind, *, is_board: bool = False
) -> Sorted:
    """Sort the links of a page by what it is: a thread or article, or a list of them.

    `is_board` says that a list of boards has led to it, so that it is one though it may show a single thread.
    """
    if kind is Kind.THREAD:
        sorted_links = sort_thread_links(links, url, pagination)
        return sorted_links._replace(links=with_comment_feeds(sorted_links.links, url))
    if kind is Kind.ARTICLE:
        return Sorted(with_comment_feeds(links, url), ())
    found = without_own_feeds(links, url) if kind in (Kind.LISTING, Kind.BOARD) else Sorted(links, ())
    if kind is not Kind.BOARD and not is_board:
        return found
    sorted_links = sort_board_links(found.links, is_known=is_board)
    return sorted_links._replace(left=found.left + sorted_links.left)


def sort_board_links(links: Iterable[Link], *, is_known: bool = False) -> Sorted:
    """Sort the links of a board: what leads to forms, members or another view of one of its threads is left.

    What is not known to be a board is taken for one where it leads to threads.
    """
    links = tuple(links)
    threads = {link.url for link in links if link.why == "thread"}
    if is_known:
        threads |= {link.url for link in links if kind_of_address(link.url) == "thread"}
    elif len(threads) < MIN_THREADS:
        return Sorted(links, ())
    left = dict(_sorted(links, threads, set()).left)
    left = {url: reason for url, reason in left.items() if reason in LEFT_ON_BOARDS}
    return Sorted(tuple(link for link in links if link.url not in left), tuple(left.items()))


def sort_thread_links(links: Iterable[Link], url: str, pagination: Pagination | None) -> Sorted:
    """Sort the links of a page of a thread: what leads to forms, members or the same thread again is left."""
    own = {url, *(pagination.pages or {}).values(), pagination.first} if pagination else {url}
    return _sorted(links, own, set((pagination.pages or {}).values()) if pagination else set())


def _sorted(links: Iterable[Link], own: Collection[str], pages: Collection[str]) -> Sorted:
    bare: dict[str, list[str]] = {}  # by path: only an address with the same one can be a view of another
    for address in own:
        bare.setdefault(address.partition("?")[0], []).append(address)
    followed: list[Link] = []
    left: list[tuple[str, str]] = []
    for link in links:
        same_path = bare.get(link.url.partition("?")[0], ())
        reason = None if link.why in FOLLOWED or link.url in pages else _reason(link.url, same_path)
        if reason:
            left.append((link.url, reason))
        else:
            followed.append(link)
    return Sorted(tuple(followed), tuple(left))


def with_comment_feeds(links: tuple[Link, ...], url: str) -> tuple[Link, ...]:
    """Return the links of an article or thread, the feed of that page alone as what it is: one of comments."""
    return tuple(replace(link, why="comments") if _is_own_feed(link, url) else link for link in links)


def without_own_feeds(links: tuple[Link, ...], url: str) -> Sorted:
    """Return the links of a list, and its own feed as left: it names what the list shows, and no more."""
    own = {link.url for link in links if _is_own_feed(link, url)}
    return Sorted(tuple(link for link in links if link.url not in own), tuple((each, LIST_FEED) for each in own))


def _is_own_feed(link: Link, page: str) -> bool:
    """Say whether a feed's address is that of the page with something added; that of a front page is the site's."""
    if link.why not in ("feed", "subfeed"):
        return False
    path, _, query = link.url.partition("?")
    page_path, _, page_query = page.partition("?")
    if page_query:
        return path == page_path and set(page_query.split("&")) < set(query.split("&"))
    return page_path.count("/") > 3 and path != page_path and path.startswith(page_path.rstrip("/") + "/")


def without_first_page(links: tuple[Link, ...], pagination: Pagination | None) -> tuple[Link, ...]:
    """Return a page's links, that to the first page by its number ("?page=1") as it is called without one."""
    numbered = pagination.numbered_first if pagination else None
    if pagination is None or numbered is None or numbered == pagination.first:
        return links
    known = {link.url for link in links}
    if pagination.first in known or pagination.number == 1:
        return tuple(link for link in links if link.url != numbered)
    return tuple(replace(link, url=pagination.first) if link.url == numbered else link for link in links)


def _reason(url: str, own: Iterable[str]) -> str | None:
    if any(_is_view_of(url, address) for address in own):
        return SAME_THREAD
    return reason_to_leave(url)


def _is_view_of(url: str, thread: str) -> bool:
    """Say whether an address is a thread's with parameters added that are none of a page's number."""
    path, _, query = url.partition("?")
    thread_path, _, thread_query = thread.partition("?")
    ours, theirs = set(filter(None, query.split("&"))), set(filter(None, thread_query.split("&")))
    added = {pair.partition("=")[0].lower() for pair in ours - theirs}
    return path == thread_path and theirs <= ours and bool(added) and added.isdisjoint(PAGE_NAMES)
