"""The forum's pages: its boards, threads and members as HTML, each board in its own skin."""

from collections.abc import Sequence
from datetime import datetime
from html import escape

from thresher.sample.answer import Answer, page
from thresher.sample.boards import (
    BOARDS,
    POSTS_PER_PAGE,
    Board,
    board_of,
    board_path,
    subject,
    thread_path,
    threads_of,
)
from thresher.sample.clock import shown
from thresher.sample.dice import dice
from thresher.sample.plan import Plan, pager_numbers
from thresher.sample.postbox import author_slots, member_slots, post_list, when
from thresher.sample.press import pager
from thresher.sample.prose import choices
from thresher.sample.skin import fill, has
from thresher.sample.threads import member_of, nick_of, page_count, post_count, postings, times

_SIMILAR = 3


def index_page(plan: Plan) -> Answer:
    """Return the forum's front page: its boards."""
    rows = "\n".join(
        fill(
            "classic",
            "index_row",
            {
                "path": board_path(board, 1, plan.per_page),
                "title": board.title,
                "description": board.description,
                "threads": threads_of(plan).size(group),
                "last_shown": shown("classic", plan.reference),
            },
        )
        for group, board in enumerate(BOARDS)
    )
    main = fill("classic", "index", {"news": plan.origins.news, "blog": plan.origins.blog}, rows=rows)
    return _framed(BOARDS[0], "Index", main, "index", None)


def board_page(plan: Plan, board: Board, number: int) -> Answer | None:
    """Return a page of a board, or None where there is no such page."""
    series, group = threads_of(plan), BOARDS.index(board)
    pages = series.pages(group)
    if not 1 <= number <= pages:
        return None
    paths = {each: board_path(board, each, plan.per_page) for each in pager_numbers(number, pages)}
    threads = series.on_page(number, group)
    path = board_path(board, 1, plan.per_page)
    slots = author_slots(board, 1) | {"title": board.title, "path": path, "board": board.number}
    slots["sort_path"] = f"{path}{'&' if '?' in path else '?'}sort=title&order=asc"
    session = f"{dice(plan.seed, 'session', board.number, number).getrandbits(128):032x}"
    rows = "\n".join(_row(plan, each, session) for each in threads)
    main = fill(board.skin, "board", slots, rows=rows, pager=_pager(board, number, paths))
    return _framed(board, board.title, main, "forum", _newest(plan, threads))


def thread_page(plan: Plan, number: int, at: int) -> Answer | None:
    """Return a page of a thread, or None where there is no such page."""
    pages, count = page_count(plan, number), post_count(plan, number)
    if not 1 <= at <= pages:
        return None
    board, title = board_of(plan, number), subject(plan, number)
    first = (at - 1) * POSTS_PER_PAGE + 1
    positions = [*range(first, min(first + POSTS_PER_PAGE, count + 1))]
    shown_posts = postings(plan, number, [1, *positions] if board.repeats_first and at > 1 else positions)
    slots = author_slots(board, member_of(plan, number, 1)) | {
        "title": title,
        "path": thread_path(plan, number),
        "thread": number,
        "board": board.number,
        "board_path": board_path(board, 1, plan.per_page),
        "board_title": board.title,
        "replies": count - 1,
        "views": count * 37 + number % 19,
    }
    paths = {each: thread_path(plan, number, each) for each in pager_numbers(at, pages)}
    main = fill(
        board.skin,
        "thread",
        slots,
        posts=post_list(plan, number, shown_posts),
        pager=_pager(board, at, paths),
        similar=_similar(plan, number),
    )
    return _framed(board, title, main, "topic", shown_posts[-1].post.published)


def member_page(plan: Plan, board: Board, member: int) -> Answer | None:
    """Return a member's profile, or None where there is no such member."""
    if not 1 <= member <= len(choices(board.language, (), "nick")):
        return None
    profile = member_slots(plan, board, member)
    body = "".join(f"<p>{escape(str(profile[key]))}</p>" for key in ("rank", "location", "joined", "post_count"))
    return notice(board, nick_of(board, member), body)


def notice(board: Board, title: str, body: str) -> Answer:
    """Return a page that is neither thread nor board; the body is markup."""
    return _framed(board, title, fill(board.skin, "plain", {"title": title}, body=body), "page", None)


def _framed(board: Board, title: str, main: str, kind: str, modified: datetime | None) -> Answer:
    html = fill(board.skin, "frame", {"title": title, "kind": kind}, main=main, head="")
    return page(html, encoding=board.encoding, modified=modified)


def _pager(board: Board, here: int, paths: dict[int, str]) -> str:
    return pager(board.skin, here, paths, "下一页" if board.language == "zh" else "Next")


def _row(plan: Plan, number: int, session: str) -> str:
    board, moments = board_of(plan, number), times(plan, number)
    last = nick_of(board, member_of(plan, number, len(moments)))
    slots = author_slots(board, member_of(plan, number, 1)) | {
        "thread": number,
        "title": subject(plan, number),
        "path": thread_path(plan, number),
        "replies": len(moments) - 1,
        "views": len(moments) * 37 + number % 19,
        "last_author": last,
        "last_shown": when(plan, board, moments[-1]),
        "published_shown": when(plan, board, moments[0]),
        "published_day": f"{moments[0].year}-{moments[0].month}-{moments[0].day}",
        "session": session,
        "stripe": "odd" if number % 2 else "even",
    }
    return fill(board.skin, "row", slots)


def _newest(plan: Plan, threads: Sequence[int]) -> datetime | None:
    return max((times(plan, each)[-1] for each in threads), default=None)


def _similar(plan: Plan, number: int) -> str:
    """Return links to other threads of the board, where its skin shows them."""
    board, series = board_of(plan, number), threads_of(plan)
    if not has(board.skin, "similar"):
        return ""
    near = [number + step * series.groups for step in (1, -1, 2, -2)]
    links = [{"path": thread_path(plan, n), "title": subject(plan, n)} for n in near if 1 <= n <= series.count]
    return "\n".join(fill(board.skin, "similar", each) for each in links[:_SIMILAR])
