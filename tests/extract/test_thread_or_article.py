"""Looks of a page and its posts together decide whether it is a thread, or an article with comments."""

import sys
from datetime import UTC, datetime

import pytest

from thresher.extract.contract import Content
from thresher.extract.discussion import with_posts
from thresher.extract.fields.found import found
from thresher.extract.forum.thread import Thread
from thresher.extract.kind import KINDS, Judged
from thresher.html import parse
from thresher.model import Block, Kind, Post, Span

PAGE = parse("<html><body><p>Whatever it says.</p></body></html>")
NOW = datetime(2026, 11, 15, tzinfo=UTC)


def judged(chance: float) -> Judged:
    """A page that is a thread with this chance, and an article otherwise."""
    chances = dict.fromkeys(KINDS, 0.0) | {Kind.THREAD: chance, Kind.ARTICLE: 1 - chance}
    kind = Kind.THREAD if chance > 0.5 else Kind.ARTICLE
    return Judged(found(kind, "features", chances[kind]), chances)


def thread(confidence: float, *sizes: int) -> Thread:
    """Posts of so many characters."""
    posts = [Post("Ann", None, "x" * size, n, xpath=f"/html/body/div[{n}]") for n, size in enumerate(sizes, start=1)]
    return Thread(tuple(posts), (), confidence, {})


def content(**sizes: int) -> Content:
    """A main text of so many characters, by element: `div1` is the first post, `main` is none."""
    paths = {name: f"/html/body/div[{name[3:]}]/p" if name[3:].isdigit() else "/html/body/main/p" for name in sizes}
    return Content(tuple(Block((Span("x" * size),), xpath=paths[name]) for name, size in sizes.items()))


def kind_of(monkeypatch: pytest.MonkeyPatch, chance: float, posts: Thread, text: Content) -> Kind:
    module = sys.modules["thresher.extract.discussion"]
    monkeypatch.setattr(module, "find_thread", lambda tree, *, fetched_at: posts)
    kept, kind = with_posts(PAGE, judged(chance), text, posts="threads", fetched_at=NOW)
    assert bool(kept.posts) == (kind.value is Kind.THREAD)
    return kind.value


@pytest.mark.parametrize(
    ("chance", "posts", "text", "kind"),
    [
        # A page that looks like a thread is one with likely posts, not with doubtful ones.
        (0.7, thread(0.6, 200, 200), content(div1=200, div2=200), Kind.THREAD),
        (0.6, thread(0.3, 200, 200), content(div1=200, div2=200), Kind.ARTICLE),
        # Comments under a longer text are comments, however the page looks.
        (0.9, thread(0.9, 100, 100), content(main=900), Kind.ARTICLE),
        (0.9, thread(0.9, 900, 900), content(main=100), Kind.THREAD),
        # A page that does not look like one needs several posts that share the main text.
        (0.05, thread(0.8, 300, 300, 300), content(div1=300, div2=300, div3=300), Kind.THREAD),
        (0.05, thread(0.8, 300, 300), content(div1=300, div2=300), Kind.ARTICLE),
        (0.05, thread(0.8, 900, 90, 90), content(div1=900, div2=90, div3=90), Kind.ARTICLE),
        (0.05, thread(0.5, *[200] * 5), content(div1=200, div2=200, div3=200, div4=200, div5=200), Kind.THREAD),
        (0.4, thread(0.95, 900, 90), content(div1=900, div2=90), Kind.THREAD),
        # Where a thread is out of the question nobody looks.
        (0.01, thread(1.0, *[200] * 5), content(div1=200, div2=200), Kind.ARTICLE),
        # A single post makes a thread where it holds the text.
        (0.6, thread(0.1, 500), content(div1=500), Kind.THREAD),
        (0.6, thread(0.1, 500), content(div1=500, main=300), Kind.ARTICLE),
        (0.4, thread(0.6, 500), content(div1=500), Kind.THREAD),
        (0.3, thread(0.5, 500), content(div1=500), Kind.ARTICLE),
    ],
)
def test_a_page_is_a_thread_by_its_looks_and_its_posts(
    monkeypatch: pytest.MonkeyPatch, chance: float, posts: Thread, text: Content, kind: Kind
) -> None:
    assert kind_of(monkeypatch, chance, posts, text) is kind
