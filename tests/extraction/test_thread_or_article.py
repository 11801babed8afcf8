"""Looks of a page and its posts together decide whether it is a thread, or an article with comments."""

import sys
from datetime import UTC, datetime
from random import Random

import pytest

from thresher import extract
from thresher.extraction.contract import Content
from thresher.extraction.discussion import ENOUGH, ENOUGH_ELSE, SURE, decide_thread, with_posts
from thresher.extraction.evidence import EVIDENCE, Held, evidence_of, held_by
from thresher.extraction.fields.found import found
from thresher.extraction.forum.confidence import SIGNS, _unnamed
from thresher.extraction.forum.thread import Thread
from thresher.extraction.kind import KINDS, Judged
from thresher.html import parse
from thresher.lab.train.engines import Engine
from thresher.lab.train.kind_rows import Words
from thresher.model import Block, Kind, Post, Span

PAGE = parse("<html><body><p>Whatever it says.</p></body></html>")
NOW = datetime(2026, 11, 15, tzinfo=UTC)
NOTHING = tuple(float(name == "authors") for name in EVIDENCE)  # but that the posts are somebody's
ALIKE = tuple(float(name in ("authors", "top_alike")) for name in EVIDENCE)  # several are made as the main text is
SENTENCES = [
    f"The {what} {did} the {where} before anyone on the {side} side had heard of it."
    for what in ("ferry", "captain", "harbour master", "old bridge", "tide", "cattle boat")
    for did in ("left", "crossed", "closed", "blocked", "flooded")
    for where in ("estuary", "landing", "quay", "market")
    for side in ("northern", "southern")
]
WORDS = Words(["The last ferry", "A question about tides", "Who moves the cattle now"], SENTENCES, ["heron", "curlew"])


def judged(chance: float, other: Kind = Kind.ARTICLE, *, says_thread: bool = False) -> Judged:
    """A page that is a thread with this chance, and another kind otherwise."""
    chances = dict.fromkeys(KINDS, 0.0) | {Kind.THREAD: chance, other: 1 - chance}
    kind = Kind.THREAD if chance > 0.5 else other
    return Judged(found(kind, "features", chances[kind]), chances, says_thread)


def thread(*sizes: int, opening: str = "div") -> Thread:
    """Posts of so many characters, the first in an element of this name, the others in divisions."""
    paths = [f"/html/body/{opening if n == 1 else 'div'}[{n}]" for n in range(1, len(sizes) + 1)]
    posts = [Post("Ann", None, "x" * size, 0, xpath=path) for size, path in zip(sizes, paths, strict=True)]
    return Thread(tuple(posts), (), 0.8, {}, (0.0,) * len(SIGNS))


def evidence(posts: Thread, *text: tuple[str, int], named: tuple[str, ...] = ()) -> dict[str, float]:
    row = evidence_of(posts, held_by(posts, text), judged(0.4).chances, says_thread=False, named=named)
    return dict(zip(EVIDENCE, row, strict=True))


def test_likely_posts_make_a_thread_of_whatever_a_page_looks_like() -> None:
    kind = decide_thread(judged(0.2), ALIKE, 0.9, 12)
    assert kind.value is Kind.THREAD
    assert kind.evidence.confidence == 0.9
    assert decide_thread(judged(0.2), ALIKE, ENOUGH_ELSE - 0.01, 12).value is Kind.ARTICLE
    assert decide_thread(judged(0.6), NOTHING, ENOUGH + 0.01, 12).value is Kind.THREAD


def test_one_post_makes_no_thread_of_a_page_that_does_not_look_like_one() -> None:
    assert decide_thread(judged(0.2), ALIKE, 0.99, 1).value is Kind.ARTICLE
    assert decide_thread(judged(0.2, says_thread=True), NOTHING, 0.99, 1).value is Kind.THREAD


def test_posts_where_comments_stand_must_be_surer_unless_the_page_surely_looks_like_a_thread() -> None:
    comments = [float(name in ("authors", "others_headed")) for name in EVIDENCE]
    for looks in (0.4, 0.6):
        assert decide_thread(judged(looks), comments, SURE - 0.01, 12).value is Kind.ARTICLE
        assert decide_thread(judged(looks), comments, SURE, 12).value is Kind.THREAD
    assert decide_thread(judged(0.95), comments, ENOUGH, 12).value is Kind.THREAD


def test_posts_of_nobody_must_be_surer_unless_the_page_says_that_it_is_a_thread() -> None:
    nobodys = (0.0,) * len(EVIDENCE)
    assert decide_thread(judged(0.6), nobodys, SURE - 0.01, 12).value is Kind.ARTICLE
    assert decide_thread(judged(0.6, says_thread=True), nobodys, ENOUGH, 12).value is Kind.THREAD


def test_posts_below_an_article_made_otherwise_must_be_surer() -> None:
    assert decide_thread(judged(0.4), NOTHING, SURE - 0.01, 12).value is Kind.ARTICLE
    assert decide_thread(judged(0.4), NOTHING, SURE, 12).value is Kind.THREAD
    assert decide_thread(judged(0.4, Kind.LISTING), NOTHING, ENOUGH_ELSE, 12).value is Kind.THREAD
    assert decide_thread(judged(0.6), NOTHING, ENOUGH, 12).value is Kind.THREAD


@pytest.mark.parametrize("other", [Kind.ARTICLE, Kind.LISTING, Kind.BOARD])
def test_what_looks_like_a_thread_and_has_no_likely_posts_is_what_it_looks_like_next(other: Kind) -> None:
    assert decide_thread(judged(0.8, other), NOTHING, 0.1, 12).value is other


def test_nobody_looks_for_posts_where_a_thread_is_out_of_the_question(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(tree: object, *, fetched_at: datetime | None) -> Thread:
        raise AssertionError("looked for posts")

    monkeypatch.setattr(sys.modules["thresher.extraction.discussion"], "find_thread", refuse)
    text = Content((Block((Span("x"),), xpath="/html/body/p"),))
    assert with_posts(PAGE, judged(0.001), text, posts="threads", fetched_at=NOW)[1].value is Kind.ARTICLE
    with pytest.raises(AssertionError, match="looked for posts"):
        with_posts(PAGE, judged(0.001, says_thread=True), text, posts="threads", fetched_at=NOW)


def test_evidence_tells_where_the_main_text_lies() -> None:
    first, second = "/html/body/div[1]/p", "/html/body/div[2]/p"
    shared = evidence(thread(300, 100), (first, 300), (second, 100))
    assert (shared["inside"], shared["top_share"], shared["holders"]) == (1.0, 0.75, 1.0)
    apart = evidence(thread(100, 100), ("/html/body/main/p", 900), (second, 100))
    assert apart["inside"] == pytest.approx(0.1)
    assert apart["first_share"] == 0.0


def test_evidence_tells_a_text_in_markup_of_its_own_above_its_comments() -> None:
    assert evidence(thread(900, 90, 90, opening="main"), ("/html/body/main[1]/p", 900))["unlike"] == 1.0
    alike = evidence(thread(900, 90, 90), ("/html/body/div[1]/p", 900))
    assert (alike["unlike"], alike["top_alike"]) == (0.0, 1.0)


def test_evidence_tells_posts_in_elements_named_for_comments() -> None:
    named = ("/html/body/div[2]", "/html/body/div[3]")
    told = evidence(thread(900, 90, 90), ("/html/body/div[1]/p", 900), named=named)
    assert (told["others_named"], told["first_named"]) == (1.0, 0.0)


def test_a_text_outside_of_all_posts_is_held_by_none() -> None:
    assert held_by(thread(10, 10), [("/html/body/p", 50)]) == Held({}, 50)


def test_threads_of_most_made_up_engines_are_told_as_threads_and_read_whole() -> None:
    told = 0
    for seed in range(40):
        engine = Engine(Random(f"told {seed}"), WORDS, is_wide=False)
        told += extract(engine.page(engine.thread()), f"https://boards.example/{seed}").kind is Kind.THREAD
    assert told >= 36


def test_the_way_to_a_profile_leaves_out_whom_it_names_and_is_told_at_once_of_any_address() -> None:
    told = {"/user/7/": "/user/", "/m.php?u=5&x=1#p": "/m.php?u=", "/user/7#a/b": "/user/", "ann": ""}
    assert {href: _unnamed(href) for href in told} == told
    assert _unnamed("user/" + "#" * 1_000_000 + "/\n") == "user/"  # minutes for a pattern that goes back
