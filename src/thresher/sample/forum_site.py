"""The forum as a site: which path leads to which board, thread, member or closed area."""

import re
from urllib.parse import parse_qs

from thresher.sample.answer import Answer, redirect
from thresher.sample.boards import BOARDS, POSTS_PER_PAGE, Board, board_path, thread_path, threads_of
from thresher.sample.feeds import robots
from thresher.sample.forum import board_page, index_page, member_page, notice, thread_page
from thresher.sample.plan import Plan
from thresher.sample.sites import still

FORUM_DISALLOWED = ("/private/", "/posting.php", "/login.php", "/goto/", "/forum.php")

_PATTERNS = (
    ("board", re.compile(r"/forum-(?P<n>\d{1,8})-(?P<page>\d{1,6})\.html")),
    ("board", re.compile(r"/boards/[a-z0-9-]*\.(?P<n>\d{1,8})/(?:page-(?P<page>\d{1,6}))?")),
    ("board", re.compile(r"/board/(?P<n>\d{1,8})/")),
    ("thread", re.compile(r"/thread-(?P<n>\d{1,8})-(?P<page>\d{1,6})-1\.html")),
    ("thread", re.compile(r"/threads/[a-z0-9-]*\.(?P<n>\d{1,8})/(?:page-(?P<page>\d{1,6}))?")),
    ("thread", re.compile(r"/topic/(?P<n>\d{1,8})/")),
    ("old", re.compile(r"/t/(?P<n>\d{1,8})")),
)
_MEMBER = {"discuz": re.compile(r"/space-uid-(\d{1,8})\.html"), "modern": re.compile(r"/members/(\d{1,8})/")}
PLAIN = {"/faq.php": "Frequently asked questions", "/memberlist.php": "Memberlist"}


def forum_answer(plan: Plan, path: str, query: str) -> Answer | None:
    """Return what the forum has at a path with its query, or None."""
    if path == "/":
        return index_page(plan)
    if path == "/robots.txt":
        return robots(plan, disallow=FORUM_DISALLOWED)
    if path in PLAIN:
        return notice(BOARDS[0], PLAIN[path], "<p>This page is part of a sample forum.</p>")
    if path.startswith(FORUM_DISALLOWED):
        return notice(BOARDS[0], "Members only", "<p>You have to be a moderator to see this page.</p>")
    if path.startswith("/out/"):
        return notice(BOARDS[0], "Our sponsors", "<p>Thank you for supporting a sample forum.</p>")
    return still(path) or _numbered(plan, path, _numbers(query)) or _member(plan, path, _numbers(query))


def _numbers(query: str) -> dict[str, int]:
    """Return the parameters that are numbers; all others are ignored, as forums do."""
    return {name: int(values[0]) for name, values in parse_qs(query).items() if re.fullmatch(r"\d{1,8}", values[0])}


def _numbered(plan: Plan, path: str, query: dict[str, int]) -> Answer | None:
    """Return the board or thread that a path names."""
    if path == "/viewforum.php":
        page = query.get("start", 0) // plan.per_page + 1
        return _board(plan, query.get("f", 0), page, path)
    if path == "/viewtopic.php":
        return _thread(plan, query.get("t", 0), query.get("start", 0) // POSTS_PER_PAGE + 1, path)
    for kind, pattern in _PATTERNS:
        match = pattern.fullmatch(path)
        if match:
            number, page = int(match["n"]), int(match.groupdict().get("page") or query.get("p", 1))
            return {"board": _board, "thread": _thread, "old": _old}[kind](plan, number, page, path)
    return None


def _board(plan: Plan, number: int, page: int, path: str) -> Answer | None:
    board = next((each for each in BOARDS if each.number == number), None)
    known = board is not None and board_path(board, page, plan.per_page).split("?")[0] == path
    return board_page(plan, board, page) if board and known else None


def _thread(plan: Plan, number: int, page: int, path: str) -> Answer | None:
    if not 1 <= number <= threads_of(plan).count or thread_path(plan, number, page).split("?")[0] != path:
        return None
    return thread_page(plan, number, page)


def _old(plan: Plan, number: int, page: int, path: str) -> Answer | None:
    """Redirect a thread's old address to the new one."""
    return redirect(thread_path(plan, number)) if 1 <= number <= threads_of(plan).count else None


def _member(plan: Plan, path: str, query: dict[str, int]) -> Answer | None:
    if path == "/profile.php":
        board: Board = BOARDS[0] if "u" in query else BOARDS[3]
        return member_page(plan, board, query.get("u", query.get("id", 0)))
    for board in BOARDS:
        match = _MEMBER[board.skin].fullmatch(path) if board.skin in _MEMBER else None
        if match:
            return member_page(plan, board, int(match[1]))
    return None
