"""Looks of a page and its posts together decide whether it is a thread, or an article with comments."""

import sys
from datetime import UTC, datetime

import pytest

from thresher.extraction.contract import Content
from thresher.extraction.discussion import with_posts
from thresher.extraction.fields.found import found
from thresher.extraction.forum.thread import Thread
from thresher.extraction.kind import KINDS, Judged
from thresher.html import parse
from thresher.model import Block, Kind, Post, Span

PAGE = parse("<html><body><p>Whatever it says.</p></body></html>")
NOW = datetime(2026, 11, 15, tzinfo=UTC)


def judged(chance: float, other: Kind = Kind.ARTICLE, *, says_thread: bool = False) -> Judged:
    """A page that is a thread with this chance, and another kind otherwise."""
    chances = dict.fromkeys(KINDS, 0.0) | {Kind.THREAD: chance, other: 1 - chance}
    kind = Kind.THREAD if chance > 0.5 else other
    return Judged(found(kind, "features", chances[kind]), chances, says_thread)


def thread(confidence: float, *sizes: int, opening: str = "div") -> Thread:
    """Posts of so many characters, the first in an element of this name, the others in divisions."""
    paths = [f"/html/body/{opening if n == 1 else 'div'}[{n}]" for n in range(1, len(sizes) + 1)]
    posts = [Post("Ann", None, "x" * size, 0, xpath=path) for size, path in zip(sizes, paths, strict=True)]
    return Thread(tuple(posts), (), confidence, {})


def content(**sizes: int) -> Content:
    """A main text of so many characters, by element: `div1` is the first post, `main` is none."""
    paths = {
        name: f"/html/body/{name[:-1]}[{name[-1]}]/p" if name[-1].isdigit() else "/html/body/main/p" for name in sizes
    }
    return Content(tuple(Block((Span("x" * size),), xpath=paths[name]) for name, size in sizes.items()))


def kind_of(monkeypatch: pytest.MonkeyPatch, page: Judged, posts: Thread, text: Content, *named: str) -> Kind:
    module = sys.modules["thresher.extraction.discussion"]
    monkeypatch.setattr(module, "find_thread", lambda tree, *, fetched_at: posts)
    kept, kind = with_posts(PAGE, page, text, posts="threads", fetched_at=NOW, named=named)
    assert bool(kept.posts) == (kind.value is Kind.THREAD)
    return kind.value


@pytest.mark.parametrize(
    ("chance", "posts", "text", "kind"),
    [
        # A page that looks like a thread is one with likely posts, not with doubtful ones.
        (0.7, thread(0.6, 200, 200), content(div1=200, div2=200), Kind.THREAD),
        (0.6, thread(0.3, 200, 200), content(div1=200, div2=200), Kind.ARTICLE),
        (0.6, thread(0.5, 200, 200), content(div1=200, div2=200), Kind.THREAD),
        (0.6, thread(0.5, 200, 200, opening="main"), content(main1=200, div2=100), Kind.ARTICLE),
        # What stands below a text that lies elsewhere is comments, however long, and however the page looks.
        (0.9, thread(0.9, 100, 100), content(main=900), Kind.ARTICLE),
        (0.9, thread(0.9, *[900] * 20), content(main=900), Kind.ARTICLE),
        (0.9, thread(0.9, 900, 900), content(main=100), Kind.THREAD),
        # A page that does not look like one needs several posts that share the main text.
        (0.12, thread(0.8, 300, 300, 300), content(div1=300, div2=300, div3=300), Kind.THREAD),
        (0.12, thread(0.6, 300, 300), content(div1=300, div2=300), Kind.ARTICLE),
        # The article above its comments has other markup than they have, and a thread looks like one a little.
        (0.12, thread(0.89, 900, 90, 90, opening="main"), content(main1=900, div2=90, div3=90), Kind.ARTICLE),
        (0.12, thread(0.8, 900, 90, 90), content(div1=900, div2=90, div3=90), Kind.THREAD),
        (0.12, thread(0.95, 900, 90, 90, opening="main"), content(main1=900), Kind.ARTICLE),
        (0.25, thread(0.95, 900, 90, 90, opening="main"), content(main1=900), Kind.THREAD),
        # Posts are everything where there is next to no other text.
        (0.12, thread(0.95, 300, 300), content(main=20), Kind.THREAD),
        (0.12, thread(0.95, 300, 300), content(main=300), Kind.ARTICLE),
        (0.12, thread(0.5, *[200] * 5), content(div1=200, div2=200, div3=200, div4=200, div5=200), Kind.THREAD),
        (0.12, thread(0.65, *[200] * 5), content(main=400, div1=100, div2=100, div3=100, div4=150), Kind.ARTICLE),
        (0.4, thread(0.95, 900, 90), content(div1=900, div2=90), Kind.THREAD),
        # Where a thread is out of the question nobody looks.
        (0.09, thread(1.0, *[200] * 5), content(div1=200, div2=200), Kind.ARTICLE),
        # A single post makes a thread where it holds the text.
        (0.6, thread(0.1, 500), content(div1=500), Kind.THREAD),
        (0.6, thread(0.1, 500), content(div1=500, main=300), Kind.ARTICLE),
        (0.4, thread(0.9, 500), content(div1=500), Kind.ARTICLE),
    ],
)
def test_a_page_is_a_thread_by_its_looks_and_its_posts(
    monkeypatch: pytest.MonkeyPatch, chance: float, posts: Thread, text: Content, kind: Kind
) -> None:
    assert kind_of(monkeypatch, judged(chance), posts, text) is kind


def test_what_a_page_says_of_itself_speaks_for_a_thread_of_one_post(monkeypatch: pytest.MonkeyPatch) -> None:
    posts, text = thread(0.7, 500), content(div1=500)
    assert kind_of(monkeypatch, judged(0.01), posts, text) is Kind.ARTICLE
    assert kind_of(monkeypatch, judged(0.3, says_thread=True), posts, text) is Kind.THREAD
    assert kind_of(monkeypatch, judged(0.3, says_thread=True), thread(0.2, 500), text) is Kind.ARTICLE
    with_card = content(div1=500, main=100)
    assert kind_of(monkeypatch, judged(0.8), posts, with_card) is Kind.ARTICLE
    assert kind_of(monkeypatch, judged(0.8, says_thread=True), posts, with_card) is Kind.THREAD


def test_a_page_that_says_it_is_a_thread_may_have_a_little_text_outside_its_posts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    posts, says = thread(0.9, *[900] * 20), judged(0.9, says_thread=True)
    assert kind_of(monkeypatch, says, posts, content(main=900)) is Kind.THREAD
    assert kind_of(monkeypatch, says, posts, content(main=1100)) is Kind.ARTICLE


def test_posts_in_elements_named_for_comments_make_no_thread_of_a_page_that_may_be_an_article(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    posts, text = thread(0.95, 900, 90, 90, opening="main"), content(main1=900)
    named = ("/html/body/div[2]", "/html/body/div[3]")
    assert kind_of(monkeypatch, judged(0.6), posts, text) is Kind.THREAD
    assert kind_of(monkeypatch, judged(0.6), posts, text, *named) is Kind.ARTICLE
    assert kind_of(monkeypatch, judged(0.6), posts, text, named[0]) is Kind.THREAD
    assert kind_of(monkeypatch, judged(0.95), posts, text, *named) is Kind.THREAD
    assert kind_of(monkeypatch, judged(0.6, says_thread=True), posts, text, *named) is Kind.THREAD
    alike = thread(0.95, 900, 90, 90)
    assert kind_of(monkeypatch, judged(0.6), alike, content(div1=900), *named) is Kind.THREAD


@pytest.mark.parametrize("other", [Kind.LISTING, Kind.BOARD])
def test_entries_of_a_list_are_no_posts(monkeypatch: pytest.MonkeyPatch, other: Kind) -> None:
    entries = thread(1.0, *[200] * 6)
    text = content(div1=200, div2=200, div3=200) if other is Kind.LISTING else content(main=20)
    assert kind_of(monkeypatch, judged(0.1, other), entries, text) is other


def test_a_page_without_likely_posts_is_what_it_looks_like_next(monkeypatch: pytest.MonkeyPatch) -> None:
    doubtful = thread(0.1, 200, 200)
    assert kind_of(monkeypatch, judged(0.6, Kind.LISTING), doubtful, content(main=900)) is Kind.LISTING
