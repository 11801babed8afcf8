"""A document whose page has moved is kept under the new address, and one that has not moved stays where it is."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.contracts.store_words import document, page, post
from thresher import wiring
from thresher.config import Settings
from thresher.crawling.corpus import Corpus
from thresher.crawling.landing import Landing
from thresher.crawling.moves import MOVED, Awakening, follow_moves
from thresher.frontier.contract import Rules, Settlement
from thresher.frontier.sqlite import SqliteFrontier
from thresher.index.query import parse
from thresher.model import Block, Document, Fate, Kind, Lease, Link, Outcome, Span
from thresher.sqlite import connect
from thresher.store.contract import Record

OLD, NEW = "https://a.test/2024/ferry", "https://a.test/moved-ferry"
AT = datetime(2026, 11, 15, tzinfo=UTC)
TEXT = (
    "The last ferry of the season left the harbour an hour late, with nobody on board but the cook and two cats.",
    "By noon the wind had turned, and the islands lay behind a wall of rain that the office had not foreseen.",
)


def ferry(url: str = OLD, *, title: str = "The last ferry", text: tuple[str, ...] = TEXT, **values: Any) -> Document:
    blocks = tuple(Block((Span(line),), "p", f"/p[{number}]") for number, line in enumerate(text, start=1))
    told = {"authors": ("Ada Byrne",), "published": datetime(2024, 6, 3, 9, tzinfo=UTC), **values}
    return replace(document(url, title=title), blocks=blocks, **told)


@dataclass
class Crawls:
    """A corpus in which an earlier run has stored the ferry, and what a later one asks for."""

    corpus: Corpus
    asked: list[Link] = field(default_factory=list)

    def land(
        self,
        url: str,
        found: Document | None = None,
        *,
        run: int = 2,
        status: int = 200,
        reason: str = "",
        to: str = "",
        **link: Any,
    ) -> None:
        """Write what came of a page, as a run does."""
        reason = reason or ("stored" if found else "redirected" if to else f"http-{status}")
        state = "stored" if found else "skipped"
        at = AT + timedelta(days=run)
        wanted = Link(url, **{"depth": 1, "why": "page", **link})
        fate = Fate(url, run, state, reason, at, to, status, wanted.found_on)
        thread = url if found and found.kind is Kind.THREAD else None
        record = Record(fate, page(url, status=status, fetched_at=at), found, thread=thread)
        self.corpus.store.save(record)
        if found:
            self.corpus.index.add([found], at, run=run)
        ended = Settlement(Lease(wanted, 1, "w", 0.0), Outcome.DONE, reason)
        onward = (Link(to, 1, "redirect", url),) if to else ()
        follow_moves(self.corpus.store, self.corpus.index, [Landing(ended, record, onward)], self.asked.extend)

    def stored(self) -> list[str]:
        return sorted(found.url or "" for found in self.corpus.store.documents())

    def found(self, words: str) -> list[str | None]:
        return [hit.url for hit in self.corpus.index.search(parse(words, now=AT)).hits]


@pytest.fixture
def crawls(tmp_path: Path) -> Iterator[Crawls]:
    corpus = wiring.open_corpus(Settings(data=str(tmp_path)))
    made = Crawls(corpus)
    made.land(OLD, ferry(), run=1)
    yield made
    corpus.close()


@pytest.mark.parametrize("status", [301, 308])
def test_a_redirect_for_good_moves_a_document_though_its_text_was_edited(crawls: Crawls, status: int) -> None:
    crawls.land(OLD, status=status, to=NEW)
    assert crawls.stored() == [OLD]
    crawls.land(NEW, ferry(NEW, text=("All is different now, and shorter than it was.",)), why="redirect", found_on=OLD)
    assert crawls.stored() == [NEW]
    assert crawls.found("different") == [NEW]
    assert crawls.found("islands") == []
    assert crawls.corpus.store.fates(OLD)[0].reason == MOVED


def test_a_redirect_that_is_seen_after_the_new_page_moves_a_document(crawls: Crawls) -> None:
    crawls.land(NEW, ferry(NEW))
    crawls.land(OLD, status=301, to=NEW)
    assert crawls.stored() == [NEW]


@pytest.mark.parametrize("answer", [{"status": 404}, {"reason": "noindex"}])
def test_the_old_address_is_asked_for_when_a_new_page_says_the_same(crawls: Crawls, answer: dict[str, Any]) -> None:
    crawls.land(NEW, ferry(NEW))
    assert [(link.url, link.why, link.found_on) for link in crawls.asked] == [(OLD, MOVED, NEW)]
    assert crawls.stored() == [OLD, NEW]
    crawls.land(OLD, why=MOVED, found_on=NEW, **answer)
    assert crawls.stored() == [NEW]


@pytest.mark.parametrize("answer", [{"status": 404}, {"reason": "noindex"}])
def test_a_document_has_moved_whose_old_address_was_asked_for_before(crawls: Crawls, answer: dict[str, Any]) -> None:
    crawls.land(OLD, **answer)
    assert crawls.stored() == [OLD]
    crawls.land(NEW, ferry(NEW))
    assert crawls.stored() == [NEW]
    assert crawls.asked == []


def test_two_pages_that_both_answer_stay_two_documents(crawls: Crawls) -> None:
    crawls.land(NEW, ferry(NEW))
    crawls.land(OLD, ferry(), why=MOVED, found_on=NEW)
    assert crawls.stored() == [OLD, NEW]


@pytest.mark.parametrize("status", [302, 307])
def test_a_redirect_for_now_moves_nothing(crawls: Crawls, status: int) -> None:
    crawls.land(OLD, status=status, to=NEW)
    crawls.land(NEW, ferry(NEW, text=("All is different now.",)), why="redirect", found_on=OLD)
    assert crawls.stored() == [OLD, NEW]


def test_a_redirect_to_another_article_moves_nothing(crawls: Crawls) -> None:
    crawls.land(OLD, status=301, to=NEW)
    other = ferry(NEW, title="Our archive has closed", text=("Everything that was here is gone for good now.",))
    crawls.land(NEW, other, why="redirect", found_on=OLD)
    assert crawls.stored() == [OLD, NEW]


@pytest.mark.parametrize(
    "other",
    [{"title": "Another headline"}, {"authors": ("Someone else",)}, {"published": datetime(2025, 1, 1, tzinfo=UTC)}],
)
def test_a_copy_with_another_title_author_or_day_is_not_asked_about(crawls: Crawls, other: dict[str, Any]) -> None:
    crawls.land(NEW, ferry(NEW, **other))
    assert crawls.asked == []


def test_a_copy_on_another_host_and_one_of_the_same_run_have_not_moved(crawls: Crawls) -> None:
    crawls.land("https://b.test/ferry", ferry("https://b.test/ferry"))
    crawls.land("https://b.test/again", ferry("https://b.test/again"))
    assert crawls.asked == []
    assert len(crawls.stored()) == 3


@pytest.mark.parametrize(("text", "kept"), [("".join(TEXT), 1), ("".join(TEXT) + " Or not.", 2)])
def test_a_thread_with_the_same_first_post_has_moved(crawls: Crawls, text: str, kept: int) -> None:
    old, new = "https://a.test/boats/t-9", "https://a.test/nets/t-9"
    at = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)
    posts = (post(1, "".join(TEXT), published=at), post(2, TEXT[0], published=at))
    crawls.land(old, ferry(old, kind=Kind.THREAD, posts=posts), run=1)
    there = (post(1, text, published=at), *posts[1:])
    crawls.land(new, ferry(new, kind=Kind.THREAD, posts=there))
    assert [url for url in crawls.stored() if url != OLD] == ([new] if kept == 1 else [old, new])


def test_an_address_that_waits_to_be_passed_over_is_woken_afterwards(tmp_path: Path) -> None:
    connection = connect(tmp_path / "corpus.db")
    frontier = SqliteFrontier(connection, "run-2", Rules(delay_s=0))
    awakening = Awakening(frontier)
    frontier.offer([Link(OLD, 1, "page", "http://gull.example/", replay=True)])
    awakening.wake(Link(OLD, 1, MOVED, NEW))
    (passed,) = frontier.lease("w", 5)
    assert passed.link.replay
    awakening.wake()  # it is leased
    frontier.settle([Settlement(passed, Outcome.DONE, "replayed")])
    awakening.wake()
    (asked,) = frontier.lease("w", 5)
    assert (asked.link.url, asked.link.why, asked.link.replay) == (OLD, MOVED, False)
    frontier.settle([Settlement(asked, Outcome.DONE, "http-404")])
    awakening.wake()
    assert frontier.lease("w", 5) == []
    connection.close()
