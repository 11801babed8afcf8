"""Threads: everything that is true of one thread and its posts, from their numbers alone."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from thresher.model import Post
from thresher.sample.boards import (
    POSTS_PER_PAGE,
    Board,
    begun_at,
    board_of,
    subject_words,
    thread_path,
    threads_of,
)
from thresher.sample.clock import ago
from thresher.sample.dice import dice, shuffled
from thresher.sample.plan import Plan
from thresher.sample.prose import Writer, choices

_LONG_THREAD = 23  # posts of each board's first thread: every board has pages to turn
_SIZES = ((2, 8), (2, 8), (3, 9), (9, 25), (26, 60))
_CHANCE_QUOTE = 0.3
_CHANCE_SIGNATURE = 0.35
_CHANCE_EDITED = 0.1
_EDITED = {"en": "I have to add that all of this is settled now.", "zh": "补充一下，问题已经解决了，谢谢各位。"}
_SENTENCE_END = {"en": ". ", "zh": "。"}


@dataclass(frozen=True, slots=True)
class Posting:
    """A post, and what its page shows beside the post's own words."""

    post: Post
    member: int
    quoted: Post | None  # the post that it quotes
    signature: str | None
    edited: datetime | None


def post_count(plan: Plan, number: int) -> int:
    """Return how many posts a thread has, those added since included."""
    return _count_at_first(plan, number) + sum(count for thread, count in plan.added if thread == number)


def _count_at_first(plan: Plan, number: int) -> int:
    """Return how many posts a thread has at the reference: the first of a board many, the second one."""
    rank = threads_of(plan).rank_of(number)
    if rank < 2:
        return (_LONG_THREAD, 1)[rank]
    rng = dice(plan.seed, "forum", "posts", number)
    return rng.randint(*rng.choice(_SIZES))


def page_count(plan: Plan, number: int) -> int:
    """Return how many pages a thread has."""
    return -(-post_count(plan, number) // POSTS_PER_PAGE)


def times(plan: Plan, number: int) -> list[datetime]:
    """Return when each post was written, as precisely as its board shows it."""
    rng = dice(plan.seed, "forum", "times", number)
    board, begun = board_of(plan, number), begun_at(plan, number)
    gaps = [0.0] + [rng.expovariate(1) + 0.01 for _ in range(_count_at_first(plan, number) - 1)]
    room_s = (plan.reference - begun).total_seconds() - 3600
    scale_s = min(8 * 3600, room_s / max(1.0, sum(gaps)))
    moments: list[datetime] = []
    elapsed_s = 0.0
    for gap in gaps:
        elapsed_s += gap * scale_s
        moments.append((begun + timedelta(seconds=elapsed_s)).replace(second=0, microsecond=0))
    moments += [plan.reference.replace(second=0, microsecond=0)] * (post_count(plan, number) - len(gaps))
    return [ago(each, plan.reference)[1] if board.relative else each.astimezone(board.zone) for each in moments]


def member_of(plan: Plan, number: int, position: int) -> int:
    """Return the number of the member who wrote a post; the one who asked comes back now and then."""
    rng = dice(plan.seed, "forum", "member", number, position)
    if position > 1 and rng.random() < 0.2:
        return member_of(plan, number, 1)
    return rng.randrange(len(choices(board_of(plan, number).language, (), "nick"))) + 1


def nick_of(board: Board, member: int) -> str:
    """Return the name of a member."""
    return choices(board.language, (), "nick")[member - 1]


def postings(plan: Plan, number: int, positions: Sequence[int]) -> list[Posting]:
    """Return the posts at some positions (from 1) of a thread."""
    moments = times(plan, number)
    return [_posting(plan, number, position, moments) for position in positions]


def _posting(plan: Plan, number: int, position: int, moments: Sequence[datetime]) -> Posting:
    rng = dice(plan.seed, "forum", "extras", number, position)
    board = board_of(plan, number)
    quoted = None
    if position > 2 and rng.random() < _CHANCE_QUOTE:
        quoted = _post(plan, number, rng.randint(1, position - 1), moments)
        quoted = replace(quoted, text=_first_sentence(quoted.text, board.language))
    post = _post(plan, number, position, moments)
    if quoted and quoted.text in post.text:
        quoted = None  # nobody quotes what they say themselves
    member = member_of(plan, number, position)
    signer = Writer(board.language, ("forum",), dice(plan.seed, "forum", "signature", board.number, member))
    signer.name("Nick", nick_of(board, member))
    signed, edited = rng.random() < _CHANCE_SIGNATURE, rng.random() < _CHANCE_EDITED
    return Posting(
        post=_quoting(post, quoted, board),
        member=member,
        quoted=quoted,
        signature=signer.write("signature") if signed else None,
        edited=moments[position - 1] + timedelta(minutes=rng.randint(1, 50)) if edited else None,
    )


def _quoting(post: Post, quoted: Post | None, board: Board) -> Post:
    """Return the post with what it quotes; only some boards show which post that is."""
    if quoted is None:
        return post
    return replace(post, quotes=(quoted.text,), reply_to=quoted.id if board.skin in ("discuz", "modern") else None)


def _post(plan: Plan, number: int, position: int, moments: Sequence[datetime]) -> Post:
    board = board_of(plan, number)
    post_id = str(number * 1000 + position)
    page = (position - 1) // POSTS_PER_PAGE + 1
    anchor = {"classic": "p", "discuz": "pid", "modern": "post-", "flat": "p"}[board.skin] + post_id
    return Post(
        author=nick_of(board, member_of(plan, number, position)),
        published=moments[position - 1],
        text="\n".join(_lines(plan, number, position)),
        position=position,
        id=post_id,
        permalink=f"{plan.origins.forum}{thread_path(plan, number, page)}#{anchor}",
    )


def _lines(plan: Plan, number: int, position: int) -> list[str]:
    """Write the lines of a post: a question with its story first, answers later."""
    board = board_of(plan, number)
    rng = dice(plan.seed, "forum", "text", number, position)
    writer = Writer(board.language, (board.topic, "forum"), rng)
    for symbol, words in subject_words(plan, number).items():
        writer.name(symbol.capitalize(), words)
    if position == 1:
        asked = choices(board.language, ("forum",), "ask")
        places = [0, *sorted(rng.sample(range(1, len(asked)), rng.randint(2, 5)))]
        sentences = [writer.expand(asked[place]) for place in places]
    else:
        replies = choices(board.language, ("forum",), "reply")
        cycle, place = divmod(position - 2, len(replies))
        reply = writer.expand(replies[shuffled(place, len(replies), number)])
        # The thread has said all it can say once: what comes now has to add something.
        sentences = [reply] + [writer.write("more") for _ in range(rng.randint(min(cycle, 2), 3))]
    cut = rng.randint(1, len(sentences))
    joiner = "" if board.language == "zh" else " "
    later = [_EDITED[board.language]] if (number, position) in plan.edited else []
    return [joiner.join(part) for part in (sentences[:cut], sentences[cut:], later) if part]


def _first_sentence(text: str, language: str) -> str:
    end = _SENTENCE_END[language]
    return text.split("\n")[0].split(end)[0].rstrip(".。") + end.strip()
