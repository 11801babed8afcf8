"""What becomes of the posts that a page shows: a thread, comments under an article, or nothing."""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from thresher.extraction.contract import Content
from thresher.extraction.fields.found import Found, found
from thresher.extraction.forum.thread import Thread, find_thread
from thresher.extraction.kind import Judged
from thresher.html import Tree
from thresher.model import Kind, Post

Posts = Literal["threads", "comments", "always"]
POSTS: tuple[Posts, ...] = ("threads", "comments", "always")
# What chance of a thread and confidence of its posts make together where a page is one: neither is enough by itself for
# an article with comments.
ENOUGH = 1.2
ENOUGH_ALIKE = 1.0  # where several posts have the markup of the one with the main text: comments differ from an article
AGAINST = 0.1  # more than that on a page that looks like something else
SAID = 0.3  # less where the page says itself that it is a thread
ENOUGH_FOR_ONE = 0.95  # where a single post holds the text, which is then the same, and the page says it is a thread
IN_ONE = 0.9  # share of the main text that a single post holds, where it is a thread of one
# Chance of a thread under which no posts are looked for, unless the page says that it is one. Of threads that do not,
# judged by models of other sites and engines, posts made a thread of none below it; one article in sixty is above.
DOUBT = 0.1
# What posts must be to make a thread of a page that does not look like one: at least so many, so confident, and none
# with a larger share of the main text, as an article above its comments has.
BY_POSTS = ((3, 0.7, 0.7), (5, 0.5, 0.4))
# Confidence of posts that makes a thread by itself where they are alike, and where they are not: then the page must
# look like one a little, or have no other text, for the comments of a blog can be as plain as posts.
SURE_ALIKE, SURE, LOOKS = 0.7, 0.92, 0.2
IN_POSTS = 0.5  # share of the main text that lies in posts, where the page is a thread and no article with comments
IN_TALK = 0.6  # the same where only the number of posts speaks for a thread: pages of goods have reviews
NO_TEXT = 200  # characters; a shorter main text says nothing against posts that have much more
# The same where the page says itself that it is a thread. Articles with the comments of blogs put below them have more
# text outside of what looks like posts; of 633 threads four have any, and these at most 920 characters.
LITTLE = 1000
# Chance of a thread where the posts below the first are comments and made otherwise than the text: the comments of some
# blogs are as plain as posts. No thread of `forums`, magic_forum and wcxb_other is so made and does not say what it is.
IN_COMMENTS = 0.9
_NUMBER = re.compile(r"\[\d+\]")


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
    "always" takes whatever looks most like posts, and makes the page a thread. `named` are the XPaths of elements below
    the text that hold comments, `headed` those of them that a heading tells and no name.
    """
    kind = judged.kind
    if not are_sought(judged, posts):
        return content, kind
    thread = find_thread(tree, fetched_at=fetched_at)
    if not thread.posts:
        return content, kind
    if posts == "always" or _is_thread(thread, content, judged, named=named, headed=headed):
        sure = max(thread.confidence, kind.evidence.confidence if kind.value is Kind.THREAD else 0.0)
        about = found(Kind.THREAD, "posts", sure, f"{len(thread.posts)} posts")
        return replace(content, blocks=thread.blocks, confidence=thread.confidence, posts=thread.posts), about
    if kind.value is Kind.THREAD:
        kind = _second(judged)
    if posts == "comments":
        return replace(content, posts=_comments(thread, content, named)), kind
    return content, kind


def are_sought(judged: Judged, posts: Posts) -> bool:
    """Say whether posts are looked for on a page."""
    if posts != "threads" or judged.kind.value is Kind.THREAD:
        return True
    return judged.says_thread or judged.chances[Kind.THREAD] >= DOUBT


def _second(judged: Judged) -> Found[Kind]:
    """Return what a page is that looks like a thread and has no likely posts: mostly an article with comments."""
    others = {kind: chance for kind, chance in judged.chances.items() if kind is not Kind.THREAD}
    best = max(others, key=lambda kind: others[kind])
    return found(best, "posts that are comments", 1 - judged.kind.evidence.confidence)


def _is_thread(
    thread: Thread, content: Content, judged: Judged, *, named: Collection[str], headed: Collection[str]
) -> bool:
    """Say whether the posts are likely ones, and the main text is theirs."""
    evidence = judged.chances[Kind.THREAD] + thread.confidence + (SAID if judged.says_thread else 0.0)
    looks_like_one = judged.kind.value is Kind.THREAD
    held = _held_by(thread, content)
    if len(thread.posts) == 1:
        share = IN_POSTS if looks_like_one and judged.says_thread else IN_ONE
        may_be_one = looks_like_one or (judged.says_thread and evidence >= ENOUGH_FOR_ONE)
        return may_be_one and held.in_posts >= share * held.whole
    are_alike = _are_alike(thread, held)
    may_be_comments = not judged.says_thread and judged.chances[Kind.THREAD] < IN_COMMENTS
    if may_be_comments and (_are_below_heading(thread, headed) or (not are_alike and _are_in(thread.posts[1:], named))):
        return False
    if looks_like_one and evidence >= (ENOUGH_ALIKE if are_alike else ENOUGH):
        return held.lies_in_posts or held.whole <= (LITTLE if judged.says_thread else NO_TEXT)
    enough = ENOUGH if are_alike else ENOUGH + AGAINST
    is_likely = evidence >= enough or _is_talk(thread, held, judged, are_alike=are_alike)
    return is_likely and (held.lies_in_posts or _is_empty(thread, held, judged))


@dataclass(frozen=True, slots=True)
class _Held:
    """How many characters of the main text lie in each post that has any, by its place; and in the page as a whole."""

    by: dict[int, int]
    whole: int

    @property
    def in_posts(self) -> int:
        return sum(self.by.values())

    @property
    def lies_in_posts(self) -> bool:
        return self.in_posts >= IN_POSTS * self.whole


def _held_by(thread: Thread, content: Content) -> _Held:
    roots = {root: place for place, post in enumerate(thread.posts) for root in post.xpath.split("|")}
    by: dict[int, int] = {}
    known: dict[str, str] = {}  # blocks have few elements right around them
    whole = 0
    for block in content.blocks:
        size = len(block.text)
        whole += size
        root = block.xpath
        if root not in roots:
            around = root[: max(root.rfind("/"), 0)]
            if around not in known:
                known[around] = _below(around, roots)
            root = known[around]
        if root:
            by[roots[root]] = by.get(roots[root], 0) + size
    return _Held(by, whole)


def _is_talk(thread: Thread, held: _Held, judged: Judged, *, are_alike: bool) -> bool:
    """Say whether the posts by themselves make a thread: likely ones, and either many, alike or beyond doubt."""
    if judged.kind.value is Kind.LISTING:
        return False
    share = max(held.by.values(), default=0) / (held.in_posts or 1)
    count, sure = len(thread.posts), thread.confidence
    looks = judged.says_thread or judged.chances[Kind.THREAD] >= LOOKS or _is_empty(thread, held, judged)
    if (are_alike and sure >= SURE_ALIKE) or (looks and sure >= SURE):
        return True
    are_many = any(count >= least and sure >= enough and share <= most for least, enough, most in BY_POSTS)
    return are_many and held.in_posts >= IN_TALK * held.whole


def _are_in(posts: Iterable[Post], elements: Collection[str]) -> bool:
    return all(_below(post.xpath.split("|")[0], elements) for post in posts)


def _are_below_heading(thread: Thread, headed: Collection[str]) -> bool:
    """Say whether a heading of comments parts the first post from all others, whose markup is another."""
    first, *others = thread.posts
    return _are_in(others, headed) and not _are_in((first,), headed) and not _is_like_others(thread, 0)


def _are_alike(thread: Thread, held: _Held) -> bool:
    """Say whether other posts have the same markup as the one that has most of the main text."""
    return bool(held.by) and _is_like_others(thread, max(held.by, key=lambda place: held.by[place]))


def _is_like_others(thread: Thread, number: int) -> bool:
    shape = _NUMBER.sub("", thread.posts[number].xpath)
    others = (post for place, post in enumerate(thread.posts) if place != number)
    return any(_NUMBER.sub("", post.xpath) == shape for post in others)


def _is_empty(thread: Thread, held: _Held, judged: Judged) -> bool:
    """Say whether the page has no main text besides its posts, and is no list."""
    is_list = judged.kind.value in (Kind.BOARD, Kind.LISTING)
    return not is_list and held.whole < NO_TEXT and sum(len(post.text) for post in thread.posts) > 2 * held.whole


def _comments(thread: Thread, content: Content, named: Collection[str]) -> tuple[Post, ...]:
    """Return the posts that hold nothing of the article."""
    own: set[str] = set()  # elements of the article, and all that they lie in
    for block in content.blocks:
        path = "" if _below(block.xpath, named) else block.xpath
        while path and path not in own:
            own.add(path)
            path = path[: max(path.rfind("/"), 0)]
    left = [post for post in thread.posts if post.text and own.isdisjoint(post.xpath.split("|"))]
    return tuple(replace(post, position=place) for place, post in enumerate(left, start=1))


def _below(path: str, roots: Collection[str]) -> str:
    """Return the element that an element is, or lies in, of some elements by XPath; empty where it lies in none."""
    while path and path not in roots:
        path = path[: max(path.rfind("/"), 0)]
    return path
