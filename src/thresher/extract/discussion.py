"""What becomes of the posts that a page shows: a thread, comments under an article, or nothing."""

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime
from typing import Literal

from thresher.extract.contract import Content
from thresher.extract.fields.found import Found, found
from thresher.extract.forum.thread import Thread, find_thread
from thresher.extract.kind import Judged
from thresher.html import Tree
from thresher.model import Kind, Post

Posts = Literal["threads", "comments", "always"]
POSTS: tuple[Posts, ...] = ("threads", "comments", "always")
# What chance of a thread and confidence of its posts make together where a page is one: neither is enough by itself for
# an article with comments. 629 of 633 labelled threads have it, which the model of kinds has seen, and 43 of 59 pages
# of other forums.
ENOUGH = 1.2
AGAINST = 0.1  # more than that on a page that looks like something else
ENOUGH_FOR_ONE = 0.95  # where a single post holds the text, which is then the same
IN_ONE = 0.9  # share of the main text that a single post holds, where it is a thread of one
# Chance of a thread under which no posts are looked for. On sites and engines left out 98 % of threads have more, and
# 3.5 % of articles, which cost no more than others then.
DOUBT = 0.02
# What posts must be to make a thread of a page that does not look like one: at least so many, so confident, and none
# with a larger share of the main text, as an article above its comments has.
BY_POSTS = ((3, 0.7, 0.7), (5, 0.5, 0.4))
IN_POSTS = 0.5  # share of the main text that lies in posts, where the page is a thread and no article with comments


def with_posts(
    tree: Tree, judged: Judged, content: Content, *, posts: Posts, fetched_at: datetime | None
) -> tuple[Content, Found[Kind]]:
    """Return content and kind of a page with its posts, where it has any that are wanted.

    "threads" are wanted by default; "comments" are the posts of articles as well, less what is the article's own;
    "always" takes whatever looks most like posts, and makes the page a thread.
    """
    kind = judged.kind
    if posts == "threads" and kind.value is not Kind.THREAD and judged.chances[Kind.THREAD] < DOUBT:
        return content, kind
    thread = find_thread(tree, fetched_at=fetched_at)
    if not thread.posts:
        return content, kind
    if posts == "always" or _is_thread(thread, content, judged):
        sure = max(thread.confidence, kind.evidence.confidence if kind.value is Kind.THREAD else 0.0)
        about = found(Kind.THREAD, "posts", sure, f"{len(thread.posts)} posts")
        return replace(content, blocks=thread.blocks, confidence=thread.confidence, posts=thread.posts), about
    if kind.value is Kind.THREAD:
        kind = found(Kind.ARTICLE, "posts that are comments", 1 - kind.evidence.confidence)
    if posts == "comments":
        return replace(content, posts=_comments(thread, content)), kind
    return content, kind


def _is_thread(thread: Thread, content: Content, judged: Judged) -> bool:
    """Say whether the posts are likely ones, and the main text is theirs."""
    evidence = judged.chances[Kind.THREAD] + thread.confidence
    looks_like_one = judged.kind.value is Kind.THREAD
    if len(thread.posts) == 1:
        return (looks_like_one or evidence >= ENOUGH_FOR_ONE) and _lies_in_posts(thread, content, IN_ONE)
    if looks_like_one and evidence >= ENOUGH:
        return not _stands_apart(thread, content)
    is_likely = evidence >= ENOUGH + AGAINST or _is_talk(thread, content)
    return is_likely and _lies_in_posts(thread, content)


def _is_talk(thread: Thread, content: Content) -> bool:
    """Say whether the posts by themselves make a thread: several, likely ones, none of which has most of the text."""
    held = _held_by(thread, content)
    share = max(held.values(), default=0) / (sum(held.values()) or 1)
    count, sure = len(thread.posts), thread.confidence
    return any(count >= least and sure >= enough and share <= most for least, enough, most in BY_POSTS)


def _held_by(thread: Thread, content: Content) -> dict[int, int]:
    """Return how many characters of the main text lie in each post that has any, by its place."""
    roots = {root: place for place, post in enumerate(thread.posts) for root in post.xpath.split("|")}
    held: dict[int, int] = {}
    for block in content.blocks:
        root = _below(block.xpath, roots)
        if root:
            held[roots[root]] = held.get(roots[root], 0) + len(block.text)
    return held


def _stands_apart(thread: Thread, content: Content) -> bool:
    """Say whether the posts are comments under a longer text, which an article is; so in none of 633 threads."""
    whole = sum(len(block.text) for block in content.blocks)
    return whole > sum(len(post.text) for post in thread.posts) and not _lies_in_posts(thread, content)


def _lies_in_posts(thread: Thread, content: Content, share: float = IN_POSTS) -> bool:
    whole = sum(len(block.text) for block in content.blocks)
    return sum(_held_by(thread, content).values()) >= share * whole


def _comments(thread: Thread, content: Content) -> tuple[Post, ...]:
    """Return the posts that hold nothing of the article."""
    own = [block.xpath for block in content.blocks]
    left = [post for post in thread.posts if post.text and not any(_below(path, post.xpath.split("|")) for path in own)]
    return tuple(replace(post, position=place) for place, post in enumerate(left, start=1))


def _below(path: str, roots: Collection[str]) -> str:
    """Return the element that an element is, or lies in, of some elements by XPath; empty where it lies in none."""
    while path and path not in roots:
        path = path.rpartition("/")[0]
    return path
