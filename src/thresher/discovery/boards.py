"""Boards: what the links of a forum's page are for, told by the rows they stand in and by shapes learned on the page.

A list whose records each have a link, a count and a time is a list of threads, or of boards where each record names
its last thread as well. The title's link is the longest of a record; the shape that most titles' addresses share tells
threads, that of the short links beside them tells members. Words of known engines are hints where structure leaves a
question, and name what a page offers besides: replying, printing, sorting, logging in.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from lxml import etree

from thresher.discovery.board_rows import Row, find_lists, has_words_beside_time, is_time
from thresher.discovery.board_words import BOARDS, HINTS, LEFT, ORDER, PAGES, THREADS
from thresher.discovery.references import Reference
from thresher.discovery.row_texts import may_show_numbers

MIN_TITLE = 2  # characters
MIN_SIGNS = 3  # links for replying, quoting and the like that make a page without lists a forum's
MIN_NUMBERS = 6  # texts that are numbers, on a page whose addresses say nothing: three rows of two counts
MOSTLY = 0.6  # of a list's rows that have to agree
MIN_UNNAMED = 3  # rows of a list whose addresses say nothing; two may be chance
MIN_ALIKE = 3  # titles whose addresses are of one shape, for others of this shape to be taken for threads or boards
_WORD = re.compile(r"[a-z][a-z_-]*[a-z]|[a-z]")
_MASKED = re.compile(r"\d+")
_PATH = re.compile(r"^https?://[^/]*/")
_PARTS = re.compile(r"[a-z]+|[^\x00-\x7f]+|%[0-9a-f]{2}")
_POST = re.compile(r"#p(?:ost|id)?[-_]?\d|[?&](?:pid|p)=\d+#|/post-\d+|#\w*\d{2,}$")
_NUMBERS = etree.XPath("count(//text()[number(.) * 0 = 0])")  # what is no number is not 0 when multiplied
_SIGNS = frozenset(("forum-posting", "forum-print", "forum-last-post"))


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_THREAD_WORDS, _BOARD_WORDS, _ORDER_WORDS, _PAGE_WORDS = map(_words, (THREADS, BOARDS, ORDER, PAGES))
_LEFT_WORDS = {reason: _words(words) for reason, words in LEFT.items()}


class Address(NamedTuple):
    """The words of an address: the beginnings of its path's steps, the names of its parameters, and their values."""

    steps: frozenset[str]
    names: frozenset[str]
    values: frozenset[str]


@dataclass(slots=True)
class Roles:
    """What the links of a page are for, by address as it is spelled."""

    threads: dict[str, str] = field(default_factory=dict)  # and when they were last active, as far as that is told
    boards: dict[str, str] = field(default_factory=dict)
    left: dict[str, str] = field(default_factory=dict)  # and the reason
    newest: Sequence[str] = ()  # the threads, last active first, where all tell when that was


def board_references(root: etree._Element, references: Iterable[Reference]) -> Iterator[Reference]:
    """Yield a page's references, those of a forum with what they are for: threads, boards, or why they are left.

    Threads come in the order of their last activity, the newest first, where all rows tell it so that it can be
    compared; otherwise as they stand. References of pages that are no forum's pass as they are.
    """
    known = list(references)
    roles = _roles(root, known)
    if roles is None:
        yield from known
        return
    order = {href: place for place, href in enumerate(roles.newest)}
    known.sort(key=lambda reference: order.get(reference.href, len(order)))
    for reference in known:
        yield _told(reference, roles)


def _told(reference: Reference, roles: Roles) -> Reference:
    href = reference.href
    if reference.refusal or reference.why == "next":
        return reference
    if reference.why == "page" and href in roles.threads:
        return reference._replace(why="thread")
    if reference.why == "page" and href in roles.boards:
        return reference._replace(why="board")
    if reference.why == "feed" and not _address(href).steps & _THREAD_WORDS:
        return reference  # of the whole forum; only those of single threads repeat what their pages say
    return reference._replace(refusal=roles.left.get(href))


def _roles(root: etree._Element, references: Sequence[Reference]) -> Roles | None:
    """Return what a forum page's links are for; None for a page that is no forum's."""
    if not _may_be_forum(root, references):
        return None
    lists = [rows for rows in find_lists(root) if _is_forum_list(rows)]
    left = {reference.href: reason for reference in references if (reason := reason_to_leave(reference.href))}
    if not lists and sum(reason in _SIGNS for reason in left.values()) < MIN_SIGNS:
        return None
    roles = Roles(left=left)
    for rows in lists:
        _read_list(rows, roles)
    if all(roles.threads.values()):
        roles.newest = sorted(roles.threads, key=lambda href: roles.threads[href], reverse=True)
    _spread(references, roles)
    return roles


def _may_be_forum(root: etree._Element, references: Sequence[Reference]) -> bool:
    """Say whether a page is worth a closer look: its addresses are such as forums have, or it shows many numbers."""
    hrefs = "\n".join(reference.href for reference in references)
    if sum(map(hrefs.count, HINTS)) >= MIN_SIGNS:
        return True
    return may_show_numbers(root, MIN_NUMBERS) and _NUMBERS(root) >= MIN_NUMBERS


def _is_forum_list(rows: Sequence[Row]) -> bool:
    """Say whether rows are those of a forum: their titles' addresses say so, or they have two counts each.

    Lists of news have one count at most, that of the comments.
    """
    titles = [title for row in rows if (title := _title(row))]
    named = sum(kind_of_address(title) is not None for title in titles)
    if len(rows) < MIN_UNNAMED:
        return named == len(rows)
    return named >= MOSTLY * len(rows) or sum(row.counts > 1 for row in rows) >= MOSTLY * len(rows)


def _title(row: Row) -> str | None:
    """Return the address of a row's longest link that is neither a number, a time nor one to be left."""
    texts = [(len(text) + sum(char > "\u2e80" for char in text), href) for href, text in _titles(row)]
    return max(texts, key=lambda item: item[0])[1] if texts else None


def _titles(row: Row) -> list[tuple[str, str]]:
    """Return the links of a row that may be its title, in order.

    What tells a time and little else is the last post; but no row begins with that, so there it is a title with a date.
    """
    links = [(href, text) for href, text in row.links if _may_be_title(href, text)]
    return [
        (href, text)
        for number, (href, text) in enumerate(links)
        if not is_time(text) or (number == 0 and has_words_beside_time(text) and not _POST.search(href))
    ]


def _may_be_title(href: str, text: str) -> bool:
    is_named = len(text) >= MIN_TITLE and not text.isdigit()
    return is_named and not reason_to_leave(href) and not href.startswith("javascript:")


def _read_list(rows: Sequence[Row], roles: Roles) -> None:
    before = _boards_before(rows)
    for row in rows:
        title = _title(row)
        if title is None:
            continue
        board = next((href for href, _ in row.links if href in before), None)
        kind = "thread" if board else kind_of_address(title) or "thread"
        (roles.threads if kind == "thread" else roles.boards).setdefault(title, row.newest)
        if board:
            roles.boards[board] = row.newest
        for href, text in row.links:
            if href in (title, board) or href in roles.threads or href in roles.boards:
                continue
            _read_beside(href, text, roles)


def _read_beside(href: str, text: str, roles: Roles) -> None:
    """Say what a link beside the title is for: the last post, another thread or board, or the member who wrote it."""
    if text.isdigit():
        return  # a further page of the thread
    kind = kind_of_address(href)
    if not text or is_time(text) or _POST.search(href):
        if kind != "board":
            roles.left.setdefault(href, "forum-last-post")
    elif kind == "board":
        roles.boards.setdefault(href, "")
    elif kind is None:
        roles.left.setdefault(href, "forum-member")


def _boards_before(rows: Sequence[Row]) -> frozenset[str]:
    """Return the links that stand before the titles of last threads: those of boards, on a forum's front page.

    They are one to a row, all different, and beside them and the titles there are links of a third shape: the members
    who wrote last.
    """
    firsts: list[str] = []
    thirds = 0
    for row in rows:
        title = _title(row)
        links = [href for href, _ in _titles(row)]
        if title is None or links[0] == title or _shape(links[0]) == _shape(title):
            continue
        firsts.append(links[0])
        beginnings = {_beginning(title), _beginning(links[0])}
        thirds += any(text and _beginning(href) not in beginnings for href, text in row.links)
    alike = len({_shape(href) for href in firsts}) == 1 and len(set(firsts)) == len(firsts) > MOSTLY * len(rows)
    named = all(kind_of_address(href) == "board" for href in firsts)
    return frozenset(firsts) if alike and (named or thirds > MOSTLY * len(rows)) else frozenset()


def _beginning(href: str) -> str:
    """Return the first step of an address's path."""
    return _MASKED.sub("0", _PATH.sub("", href).lstrip("./").partition("/")[0].partition("?")[0])


def _spread(references: Sequence[Reference], roles: Roles) -> None:
    """Leave links to single posts, and take links of the shapes learned on the page for threads or boards too."""
    known = [
        (_shape_counts(roles.threads), roles.threads),
        (_shape_counts(roles.boards), roles.boards),
    ]
    for reference in references:
        href = reference.href
        if href in roles.threads or href in roles.boards or href in roles.left:
            continue
        if _POST.search(href):
            roles.left[href] = "forum-last-post"
            continue
        for shapes, links in known:
            if shapes[_shape(href)] >= MIN_ALIKE:
                links.setdefault(href, "")
                break


def _shape_counts(links: Iterable[str]) -> Counter[str]:
    return Counter(map(_shape, links))


@lru_cache(maxsize=4_096)
def kind_of_address(href: str) -> str | None:
    """Return what the words of an address say it leads to: "thread", "board", or None where they say neither."""
    address = _address(href)
    words = address.steps | {name for name in address.names if len(name) > 1} | address.values
    if words & _THREAD_WORDS:
        return "thread"
    return "board" if words & _BOARD_WORDS else None


@lru_cache(maxsize=4_096)  # asked about once for each row that may be a title, and links come again on every page
def reason_to_leave(href: str) -> str | None:
    """Return why a link of a forum page is left, by the words of its address; None when it is not."""
    address = _address(href)
    if address.names & _ORDER_WORDS and not address.names & _PAGE_WORDS:
        return "forum-order"
    words = address.steps | address.values | {name for name in address.names if len(name) > 1}
    return next((reason for reason, known in _LEFT_WORDS.items() if words & known), None)


@lru_cache(maxsize=4_096)
def _address(href: str) -> Address:
    path, _, query = href.partition("#")[0].lower().partition("?")
    path = path.partition("://")[2].partition("/")[2] if "://" in path else path
    pairs = [pair.partition("=") for pair in query.replace(";", "&").split("&") if pair]
    names = {name for name, equals, _ in pairs if equals}
    values = {word for _, equals, value in pairs if equals and (word := _first_word(value))}
    steps = {
        word
        for step in (*path.split("/"), *(name for name, equals, _ in pairs if not equals))
        if (word := _first_word(step))
    }
    return Address(frozenset(steps), frozenset(names), frozenset(values))


def _first_word(step: str) -> str | None:
    """Return the word that a step or value is or begins with; None for a slug, which is nobody's word."""
    word = _WORD.match(step)
    if word is None:
        return None
    rest = step[word.end() :]
    return word[0] if not rest or rest[0] in ".-_/" or rest[0].isdigit() else None


@lru_cache(maxsize=4_096)
def _shape(href: str) -> str:
    """Return what addresses of one make share: numbers and slugs masked, values of parameters left out."""
    path, _, query = href.partition("#")[0].lower().partition("?")
    names = sorted(pair.partition("=")[0] for pair in query.split("&") if pair)
    return "/".join(map(_mask, path.split("/"))) + "?" + "&".join(map(_mask, names))


def _mask(step: str) -> str:
    stem, dot, ending = step.rpartition(".")
    is_slug = len(_PARTS.findall(stem if dot else step)) > 1
    return f"*{dot}{_MASKED.sub('0', ending)}" if is_slug and dot else "*" if is_slug else _MASKED.sub("0", step)
