"""Posts as HTML: the post itself, and all that stands around it without belonging to it."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from thresher.model import Post
from thresher.sample.boards import Board, board_of, member_path, subject, thread_path
from thresher.sample.clock import ago, shown
from thresher.sample.dice import dice
from thresher.sample.plan import Plan
from thresher.sample.prose import choices
from thresher.sample.skin import fill
from thresher.sample.threads import Posting, nick_of

_AD_AFTER = 3  # posts


def post_list(plan: Plan, number: int, shown_posts: Sequence[Posting]) -> str:
    """Return the posts of a thread page, with an advertisement among them."""
    board = board_of(plan, number)
    pieces = [_post(plan, number, posting) for posting in shown_posts]
    pieces.insert(_AD_AFTER, fill(board.skin, "between", {}))
    return "\n".join(pieces)


def _post(plan: Plan, number: int, posting: Posting) -> str:
    board, post = board_of(plan, number), posting.post
    title = subject(plan, number)
    slots = author_slots(board, posting.member) | member_slots(plan, board, posting.member)
    slots |= {
        "id": post.id,
        "path": thread_path(plan, number),
        "position": post.position,
        "floor": _floor(post.position),
        "published_shown": when(plan, board, post.published),
        "subject": title if post.position == 1 else f"Re: {title}",
        "stripe": _stripe(board, post.position),
        "likes": f"{post.position % 4} likes" if post.position % 4 > 1 else "",
    }
    lines = [fill(board.skin, "line", {"text": line}) for line in post.text.split("\n")]
    return fill(
        board.skin,
        "post",
        slots,
        body=(fill(board.skin, "line_break", {}) + "\n").join(lines),
        quote=_quote(plan, board, posting.quoted),
        signature=fill(board.skin, "signature", {"text": posting.signature}) if posting.signature else "",
        edited=_edited(plan, board, posting),
    )


def _quote(plan: Plan, board: Board, quoted: Post | None) -> str:
    if quoted is None:
        return ""
    moment = when(plan, board, quoted.published)
    return fill(
        board.skin, "quote", {"id": quoted.id, "author": quoted.author, "text": quoted.text, "published_shown": moment}
    )


def _edited(plan: Plan, board: Board, posting: Posting) -> str:
    if posting.edited is None:
        return ""
    return fill(
        board.skin, "edited", {"author": posting.post.author, "edited_shown": when(plan, board, posting.edited)}
    )


def _floor(position: int) -> str:
    return {1: "楼主", 2: "沙发", 3: "板凳"}.get(position, f"{position}#")


def _stripe(board: Board, position: int) -> str:
    return str(2 - position % 2) if board.skin == "classic" else ("odd" if position % 2 else "even")


def when(plan: Plan, board: Board, moment: datetime | None) -> str:
    """Return a moment as the board shows it; nothing for None."""
    if moment is None:
        return ""
    return ago(moment, plan.reference)[0] if board.relative else shown(board.skin, moment)


def author_slots(board: Board, member: int) -> dict[str, object]:
    """Return the gaps that a member's name and profile fill."""
    nick = nick_of(board, member)
    return {"author": nick, "author_path": member_path(board, member), "author_number": member, "initial": nick[:1]}


def member_slots(plan: Plan, board: Board, member: int) -> dict[str, object]:
    """Return a member's card: dates and numbers beside the posts that are not theirs."""
    rng = dice(plan.seed, "member", board.language, member)
    joined = (plan.reference - timedelta(days=rng.randint(800, 5000))).astimezone(board.zone)
    return {
        "rank": rng.choice(choices(board.language, (), "rank")),
        "post_count": rng.randint(1, 4000),
        "joined": shown(f"joined_{board.language}", joined),
        "location": rng.choice(choices(board.language, (), "place")),
    }
