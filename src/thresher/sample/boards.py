"""Boards: the parts of the forum, each in the markup of another kind of forum software, and their addresses."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from zlib import crc32

from thresher.sample.dice import picks
from thresher.sample.plan import SPAN_DAYS, Plan, Series
from thresher.sample.prose import choices, fill_in

POSTS_PER_PAGE = 10
_QUIET_DAYS = 2  # no thread begins later, so that there is time for answers
_RECENT_DAYS = 50  # a board with relative times shows weeks at most, which stand for one day only


@dataclass(frozen=True, slots=True)
class Board:
    """A board: its skin names the kind of software it imitates."""

    number: int
    skin: str
    title: str
    description: str
    language: str
    topic: str
    encoding: str = "utf-8"
    zone: timezone = UTC
    relative: bool = False  # shows "3 days ago" and nothing else
    repeats_first: bool = False  # shows the first post on top of every page


BOARDS = (
    Board(1, "classic", "Boats and moorings", "Everything that floats", "en", "boats", encoding="iso-8859-1"),
    Board(
        2,
        "discuz",
        "家电与数码",
        "拆机、维修、改造",
        "zh",
        "gadgets",
        encoding="gbk",
        zone=timezone(timedelta(hours=8)),
    ),
    Board(3, "modern", "Bicycles", "Two wheels, many noises", "en", "bikes", relative=True),
    Board(4, "flat", "Garden machines", "Mowers, pumps, barrows", "en", "plants", repeats_first=True),
)


def threads_of(plan: Plan) -> Series:
    """Return the forum's numbered threads, dealt out to the boards."""
    return Series("forum", plan.counts()["forum"], len(BOARDS), plan)


def board_of(plan: Plan, number: int) -> Board:
    """Return the board of a thread."""
    return BOARDS[threads_of(plan).group_of(number)]


def begun_at(plan: Plan, number: int) -> datetime:
    """Return when a thread was begun."""
    span = _RECENT_DAYS if board_of(plan, number).relative else SPAN_DAYS
    return threads_of(plan).published(number, span - _QUIET_DAYS) - timedelta(days=_QUIET_DAYS)


def subject_words(plan: Plan, number: int) -> dict[str, str]:
    """Return the words that a thread's title is made of; no other thread of its board has the same."""
    board = board_of(plan, number)
    symbols = ("part", "symptom", "event", "forumtitle")
    lists = [choices(board.language, (board.topic,), symbol) for symbol in symbols]
    rank = threads_of(plan).rank_of(number)
    return dict(zip(symbols, picks(rank, lists, plan.seed + crc32(board.topic.encode())), strict=True))


def subject(plan: Plan, number: int) -> str:
    """Return a thread's title."""
    words = subject_words(plan, number)
    title = fill_in(words["forumtitle"], words)
    return title[:1].upper() + title[1:]


def board_path(board: Board, page: int, per_page: int) -> str:
    """Return the path of a page of a board."""
    number, slug = board.number, _slug(board.title)
    first, later = {
        "classic": (f"/viewforum.php?f={number}", f"/viewforum.php?f={number}&start={(page - 1) * per_page}"),
        "discuz": (f"/forum-{number}-1.html", f"/forum-{number}-{page}.html"),
        "modern": (f"/boards/{slug}.{number}/", f"/boards/{slug}.{number}/page-{page}"),
        "flat": (f"/board/{number}/", f"/board/{number}/?p={page}"),
    }[board.skin]
    return first if page == 1 else later


def thread_path(plan: Plan, number: int, page: int = 1) -> str:
    """Return the path of a page of a thread."""
    board = board_of(plan, number)
    if board.skin == "modern":
        root = f"/threads/{_slug(subject(plan, number))}.{number}/"
        return root if page == 1 else f"{root}page-{page}"
    first, later = {
        "classic": (f"/viewtopic.php?f={board.number}&t={number}", f"&start={(page - 1) * POSTS_PER_PAGE}"),
        "discuz": (f"/thread-{number}-{page}-1.html", ""),
        "flat": (f"/topic/{number}/", f"?p={page}"),
    }[board.skin]
    return first if page == 1 else first + later


def member_path(board: Board, member: int) -> str:
    """Return the path of a member's profile."""
    pattern = {
        "classic": "/profile.php?mode=viewprofile&u={}",
        "discuz": "/space-uid-{}.html",
        "modern": "/members/{}/",
        "flat": "/profile.php?id={}",
    }[board.skin]
    return pattern.format(member)


def _slug(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
