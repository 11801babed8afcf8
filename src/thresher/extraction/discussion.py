"""What becomes of the posts that a page shows: a thread, comments under an article, or nothing."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Literal

from thresher.extraction.contract import Content
from thresher.extraction.evidence import EVIDENCE, below, evidence_of, held_by
from thresher.extraction.fields.found import Found, found
from thresher.extraction.forum.thread import Thread, find_thread
from thresher.extraction.kind import MIN_LETTERS, Judged, chance_of_thread
from thresher.html import Tree
from thresher.model import Kind, Post

Posts = Literal["threads", "comments", "always", "never"]
POSTS: tuple[Posts, ...] = ("threads", "comments", "always", "never")
# Chance, by looks and posts together, from which on a page is a thread: one that looks like a thread or says so itself;
# another with several posts; and one where something speaks against them. docs/evaluation-kinds.md has what these do.
ENOUGH, ENOUGH_ELSE, SURE = 0.35, 0.8, 0.9
# Chance of a thread by looks alone under which no posts are looked for, unless the page says that it is one.
DOUBT = 0.05
# Chance of a thread by looks from which on nothing speaks against posts.
LOOKS_SURE = 0.9
_AUTHORS, _TOP_ALIKE = map(EVIDENCE.index, ("authors", "top_alike"))
_OTHERS_NAMED, _OTHERS_HEADED = map(EVIDENCE.index, ("others_named", "others_headed"))


def with_posts(
    tree: Tree,
    judged: Judged,
    content: Content,
    *,
    posts: Posts,
    fetched_at: datetime | None,
    named: Collection[str] = (),
    headed: Collection[str] = (),
) -> tuple[Content, Found[Kind]]:
    """Return content and kind of a page with its posts, where it has any that are wanted.

    "threads" are wanted by default; "comments" are the posts of articles as well, less what is the article's own;
    "always" takes whatever looks most like posts, and makes the page a thread; with "never" it is none. `named` are the
    XPaths of elements below the text that hold comments, `headed` those of them that a heading tells and no name.
    """
    kind = judged.kind
    if not are_sought(judged, posts):
        return content, kind
    thread = find_thread(tree, fetched_at=fetched_at)
    if not thread.posts:
        may_be_none = kind.value is Kind.THREAD and posts != "always" and not judged.says_thread
        is_empty = sum(len(block.text) for block in content.blocks) < MIN_LETTERS
        return content, without_thread(judged, "no posts") if may_be_none and is_empty else kind
    text = [(block.xpath, len(block.text)) for block in content.blocks]
    held = held_by(thread, text)
    says = judged.says_thread
    row = evidence_of(thread, held, judged.chances, says_thread=says, named=named, headed=headed)
    kind = decide_thread(judged, row, chance_of_thread(row), len(thread.posts))
    if posts == "always":
        kind = found(
            Kind.THREAD, "posts", max(thread.confidence, kind.evidence.confidence), f"{len(thread.posts)} posts"
        )
    if kind.value is Kind.THREAD:
        return replace(content, blocks=thread.blocks, confidence=thread.confidence, posts=thread.posts), kind
    if posts == "comments":
        return replace(content, posts=_comments(thread, content, named)), kind
    return content, kind


def are_sought(judged: Judged, posts: Posts) -> bool:
    """Say whether posts are looked for on a page."""
    if posts == "never":
        return False
    if posts != "threads" or judged.kind.value is Kind.THREAD:
        return True
    return judged.says_thread or judged.chances[Kind.THREAD] >= DOUBT


def decide_thread(judged: Judged, evidence: Sequence[float], chance: float, count: int) -> Found[Kind]:
    """Return what a page with so many posts is: a thread by its chance, or what it looks like besides.

    What looks like a thread and is none is mostly an article with comments.
    """
    looks = judged.kind.value is Kind.THREAD or judged.says_thread
    enough = ENOUGH if looks else ENOUGH_ELSE
    if _speaks_against(judged, evidence):
        enough = SURE
    if chance >= enough and (count > 1 or looks):
        return found(Kind.THREAD, "posts", chance, f"{count} posts")
    if judged.kind.value is Kind.THREAD:
        return without_thread(judged, "posts that are comments", 1 - chance)
    return judged.kind


def without_thread(judged: Judged, why: str, sure: float | None = None) -> Found[Kind]:
    """Return what a page that is no thread is most likely; as sure as its share among the other kinds, unless told."""
    others = {kind: share for kind, share in judged.chances.items() if kind is not Kind.THREAD}
    best = max(others, key=lambda kind: others[kind])
    return found(best, why, others[best] / (sum(others.values()) or 1.0) if sure is None else sure)


def _speaks_against(judged: Judged, evidence: Sequence[float]) -> bool:
    """Say whether posts may be comments: they stand where these do, are nobody's, or are unlike the text above."""
    if judged.says_thread or judged.chances[Kind.THREAD] >= LOOKS_SURE:
        return False
    is_apart = judged.kind.value is Kind.ARTICLE and not evidence[_TOP_ALIKE]
    return is_apart or _are_comments(evidence) or not evidence[_AUTHORS]


def _are_comments(evidence: Sequence[float]) -> bool:
    """Say whether all posts but the first stand where comments do, and the text is made otherwise than they are."""
    stand_apart = evidence[_OTHERS_NAMED] >= 1 or evidence[_OTHERS_HEADED] >= 1
    return stand_apart and not evidence[_TOP_ALIKE]


def _comments(thread: Thread, content: Content, named: Collection[str]) -> tuple[Post, ...]:
    """Return the posts that hold nothing of the article."""
    own: set[str] = set()  # elements of the article, and all that they lie in
    for block in content.blocks:
        path = "" if below(block.xpath, named) else block.xpath
        while path and path not in own:
            own.add(path)
            path = path[: max(path.rfind("/"), 0)]
    left = [post for post in thread.posts if post.text and own.isdisjoint(post.xpath.split("|"))]
    return tuple(replace(post, position=place) for place, post in enumerate(left, start=1))
