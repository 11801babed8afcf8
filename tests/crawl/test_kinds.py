"""Kinds of links that lead to nothing are given up after a few, and nothing that is a document is lost by it."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from thresher import urls, wiring
from thresher.config import Settings
from thresher.crawling.books import Books
from thresher.crawling.corpus import Corpus
from thresher.crawling.intake import Intake
from thresher.crawling.kinds import BARREN, FORGOTTEN, GOOD_WEIGHT, SAMPLES, SIGNS, SIGNS_IN_A_ROW, Kinds, page_number
from thresher.crawling.landing import Landing
from thresher.crawling.ledger import Ledger
from thresher.discovery.scope import Scope
from thresher.frontier.contract import Rules, Settlement
from thresher.model import Fate, Lease, Link, Outcome, Page
from thresher.sqlite import connect
from thresher.store.contract import KindCount, Record
from thresher.store.sql import sqlite_store

START = "http://a.test/"
NOW = datetime(2026, 11, 15, tzinfo=UTC)
RULES = Rules(delay_s=0.0, host_concurrency=100)
FORM, DOCUMENT, EMPTY = "sign-in", "stored", "short-text"


@dataclass
class Answer:
    """What a page of the site is, and what it leads to."""

    reason: str = "listing"
    links: Sequence[str] = ()
    why: str = "page"
    onward: str = ""  # the next page of a list
    items: Sequence[str] = ()  # that a list names


@dataclass
class Crawl:
    """One run over a site that is made up as it is asked for."""

    corpus: Corpus
    site: Callable[[str], Answer]
    at: datetime = NOW
    asked: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.run = self.corpus.store.start_run([START], {}, self.at)
        self.frontier = self.corpus.frontier(self.run.job, RULES)
        books = Books(self.frontier, self.corpus.store, self.corpus.index, self.corpus.together)
        self.intake = Intake(self.frontier, self.corpus.store, self.run, Scope.around([START]), refresh=False)
        self.ledger = Ledger(books, self.intake)

    def finish(self) -> "Crawl":
        """Ask for all that there is, one page after the other."""
        self.intake.take([Link(START)], self.at)
        while leases := self.frontier.lease("w1", 1):
            self.ledger.write([self.landing(lease) for lease in leases])
        return self

    def landing(self, lease: Lease) -> Landing:
        link = lease.link
        if link.replay:
            return Landing(Settlement(lease, Outcome.DONE, "replayed"))
        if self.intake.kinds.leaves(link):
            return Landing(Settlement(lease, Outcome.DONE, BARREN))
        self.asked.append(link.url.removeprefix(START))
        answer = self.site(self.asked[-1])
        found = tuple(Link(START + name, link.depth + 1, answer.why, link.url) for name in answer.links)
        found += tuple(Link(START + name, link.depth + 1, "article", link.url) for name in answer.items)
        if answer.onward:
            found += (Link(START + answer.onward, link.depth + 1, "next", link.url),)
        is_document = answer.reason == DOCUMENT
        fate = Fate(link.url, self.run.id, "stored" if is_document else "skipped", answer.reason, self.at, status=200)
        record = Record(fate, Page(link.url, 200, b"<p>", self.at), None, found)
        return Landing(
            Settlement(lease, Outcome.DONE, answer.reason, fetched=True, fruitful=is_document), record, found
        )

    def counts(self) -> Counter[str]:
        """How many pages of each kind were asked for."""
        return Counter(urls.kind_of(START + name) for name in self.asked)


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    corpus = wiring.open_corpus(Settings(data=str(tmp_path)))
    yield corpus
    corpus.close()


def forum(name: str) -> Answer:
    """Sixty threads, each with forms to answer and to report, and the member who wrote it."""
    if not name:
        return Answer("board", [f"topic/{number}" for number in range(60)], "thread")
    kind, _, number = name.partition("/")
    if kind == "topic":
        return Answer(DOCUMENT, [f"reply/{number}", f"report/{number}", f"member/{number}"])
    return Answer(FORM) if kind in ("reply", "report") else Answer("other")


def test_forms_and_members_are_asked_for_a_few_times_and_the_threads_all(corpus: Corpus) -> None:
    asked = Crawl(corpus, forum).finish().counts()
    assert asked["/topic/#"] == 60
    assert asked["/reply/#"] == asked["/report/#"] == 1  # one form to sign in tells enough
    assert asked["/member/#"] == 4 + 1


def test_a_second_crawl_knows_what_leads_to_nothing(corpus: Corpus) -> None:
    Crawl(corpus, forum).finish()
    asked = Crawl(corpus, forum, NOW + timedelta(days=1)).finish().counts()
    assert asked["/reply/#"] + asked["/report/#"] + asked["/member/#"] <= 3


def test_what_was_given_up_is_tried_again_after_a_while(corpus: Corpus) -> None:
    Crawl(corpus, forum).finish()
    asked = Crawl(corpus, forum, NOW + FORGOTTEN + timedelta(days=1)).finish().counts()
    assert asked["/reply/#"] >= 2


def test_links_that_are_left_are_told_with_their_reason(corpus: Corpus) -> None:
    crawl = Crawl(corpus, forum).finish()
    told = [corpus.store.fates(f"{START}reply/{number}")[0] for number in range(60)]
    assert sum(fate.reason == BARREN for fate in told) == 60 - crawl.counts()["/reply/#"]
    census = crawl.frontier.census()
    assert census.pending == census.leased == census.dead == 0


def archive(name: str) -> Answer:
    """An archive of 4,000 documents behind 100 pages of a list, of which the front page shows the newest 200 too."""
    if not name:
        return Answer("listing", [f"story/{number}" for number in range(200)] + ["archive/1"])
    kind, _, number = name.partition("/")
    if kind == "archive":
        first = (int(number) - 1) * 40
        onward = f"archive/{int(number) + 1}" if int(number) < 100 else ""
        return Answer("listing", [f"story/{first + place}" for place in range(40)], onward=onward)
    return Answer(DOCUMENT, [f"print/{number}"]) if kind == "story" else Answer("noindex", [f"story/{number}"])


def test_no_document_of_a_long_archive_is_lost_though_its_first_pages_show_nothing_new(corpus: Corpus) -> None:
    crawl = Crawl(corpus, archive)
    crawl.intake.take([Link(START)], NOW)
    while leases := crawl.frontier.lease("w1", 64):
        crawl.ledger.write([crawl.landing(lease) for lease in leases])
    asked = crawl.counts()
    assert asked["/story/#"] == 4_000
    assert asked["/archive/#"] == 100
    assert asked["/print/#"] < 2 * 64  # of which as many are asked for at once


def slow_section(name: str) -> Answer:
    """A section of 300 reports, of which the first forty are too short to keep."""
    if not name:
        return Answer("listing", [f"list/{number}" for number in range(10)])
    kind, _, number = name.partition("/")
    if kind == "list":
        return Answer("listing", [f"report/{int(number) * 30 + place}" for place in range(30)])
    return Answer(EMPTY if int(number) < 40 else DOCUMENT)


def test_a_section_whose_first_pages_give_nothing_is_found_out_and_followed_after_all(corpus: Corpus) -> None:
    crawl = Crawl(corpus, slow_section).finish()
    stored = {name for name in crawl.asked if slow_section(name).reason == DOCUMENT}
    assert len(stored) == 260
    fates = [corpus.store.fates(f"{START}report/{number}")[0].reason for number in range(40, 300)]
    assert set(fates) == {DOCUMENT}


def sections(name: str) -> Answer:
    """Forty sections, of which only the last thirty have documents that the front page does not show."""
    if not name:
        return Answer("listing", [f"section/{number}" for number in range(40)] + ["story/0"])
    kind, _, number = name.partition("/")
    if kind == "section":
        return Answer("listing", ["story/0"] if int(number) < 10 else [f"story/{number}-{n}" for n in range(5)])
    return Answer(DOCUMENT)


def test_sections_with_documents_of_their_own_are_all_followed(corpus: Corpus) -> None:
    stored = {name for name in Crawl(corpus, sections).finish().asked if name.startswith("story/")}
    assert len(stored) == 1 + 30 * 5


def blog(name: str, *, lists: int = 5) -> Answer:
    """Seven posts on each page of the list; tags and months that name the same ones."""
    kind, _, rest = name.partition("/")
    if kind in ("", "page"):
        here = int(rest or 1)
        first = 7 * (here - 1)
        around = {f"page/{number}" for number in (here - 1, here + 1, lists) if 1 < number <= lists} - {name}
        archives = [*(f"tag/{letter}" for letter in "abcdefghij"), *(f"2024/{month:02}" for month in range(1, 13))]
        return Answer("listing", [*archives, *sorted(around)], items=[f"post/{n}" for n in range(first, first + 7)])
    if kind in ("tag", "2024"):
        return Answer("listing", [f"tag/{rest}?page=2"] if kind == "tag" else (), items=["post/1", "post/2"])
    return Answer(DOCUMENT)


def test_archives_are_left_when_a_list_has_named_everything(corpus: Corpus) -> None:
    asked = Crawl(corpus, blog).finish().counts()
    assert asked["/post/#"] == 35
    assert asked["/page/#"] == 4
    assert asked["/tag/*"] == 1
    assert asked["/#/#"] == 1
    assert asked["/tag/*?page"] == 0


def test_archives_are_followed_when_one_names_what_the_list_has_not(corpus: Corpus) -> None:
    def site(name: str) -> Answer:
        found = blog(name)
        kind, _, rest = name.partition("/")
        return Answer("listing", items=[f"post/{ord(rest)}"]) if kind == "tag" else found

    asked = Crawl(corpus, site).finish().counts()
    assert asked["/tag/*"] == 10
    assert asked["/post/#"] == 35 + 10


def test_pages_between_two_that_name_known_items_are_left(corpus: Corpus) -> None:
    everything = [f"post/{number}" for number in range(70)]

    def site(name: str) -> Answer:
        if name == "all":
            return Answer("listing", items=everything)
        found = blog(name, lists=10)
        return Answer(found.reason, ["all", *found.links], items=found.items) if not name else found

    crawl = Crawl(corpus, site)
    crawl.intake.take([Link(f"{START}all", why="start")], NOW)
    asked = crawl.finish().asked
    assert sum(name.startswith("post/") for name in asked) == 70
    assert sum(name.startswith("page/") for name in asked) <= 3


@pytest.mark.parametrize(
    ("found_on", "url", "number"),
    [
        ("", "page/3/", 3),
        ("?tag=en", "?paged=4&tag=en", 4),
        ("tag/en/page/2/", "tag/en/page/4/", 4),
        ("", "index3.html", 3),
        ("index2.html", "index3.html", 3),
        ("", "?p=11", None),  # a post
        ("news/", "news/11", None),
        ("", "2024/05/", None),
        ("tag/en/", "tag/zh/page/2/", None),
    ],
)
def test_further_pages_of_a_list_are_told_by_their_address(found_on: str, url: str, number: int | None) -> None:
    assert page_number(Link(START + url, 1, "page", START + found_on)) == number


def diffs(name: str) -> Answer:
    """Pages that each lead to a document at first; later all documents are known."""
    if not name:
        return Answer("listing", [f"diff/{number}" for number in range(60)])
    kind, _, number = name.partition("/")
    if kind == "diff":
        return Answer("noindex", [f"story/{int(number) % 5}"])
    return Answer(DOCUMENT)


def test_a_kind_that_led_to_documents_is_given_up_later_and_on_more_signs(corpus: Corpus) -> None:
    asked = Crawl(corpus, diffs).finish().counts()
    assert asked["/story/#"] == 5
    assert 5 + SIGNS_IN_A_ROW // 2 <= asked["/diff/#"] <= 5 + SIGNS_IN_A_ROW


@pytest.mark.parametrize("failure", ["http-404", "http-410", "http-500", "unreadable", "too-many-redirects"])
def test_dead_links_and_failures_are_no_sign_against_what_looks_like_them(corpus: Corpus, failure: str) -> None:
    def site(name: str) -> Answer:
        if not name:
            return Answer("listing", [f"old-tale-{letter}" for letter in "abcdefghijklmnop"] + ["new-tale"])
        return Answer(DOCUMENT if name == "new-tale" else failure)

    assert "new-tale" in Crawl(corpus, site).finish().asked


def test_two_workers_tell_each_other_what_is_good(corpus: Corpus) -> None:
    first, second = Kinds(corpus.store, NOW), Kinds(corpus.store, NOW)
    links = [Link(f"{START}notes/{number}", 1, "page", START) for number in range(SIGNS + 1)]

    def ending(link: Link, reason: str) -> Settlement:
        lease = Lease(link, 1, "w", 0.0)
        return Settlement(lease, Outcome.DONE, reason, fetched=True, fruitful=reason == DOCUMENT)

    assert not any(first.refuses(link) or second.refuses(link) for link in links)
    first.learn([ending(links[-1], DOCUMENT)], {}, ())
    learned = second.learn([ending(link, EMPTY) for link in links[:-1]], {}, ())
    assert learned.given_up == []
    assert not second.refuses(links[0])


def test_an_answer_that_an_earlier_run_stored_is_no_further_sign(corpus: Corpus) -> None:
    for day in range(6):  # two pages, asked for again in each run
        crawl = Crawl(corpus, lambda name: Answer(EMPTY) if name else Answer("listing", ["a/1", "a/2"]), NOW)
        crawl.at += timedelta(days=day)
        assert crawl.finish().counts()["/a/#"] == 2


def test_pages_of_an_unknown_kind_wait_for_the_first_ones(corpus: Corpus) -> None:
    kinds = Kinds(corpus.store, NOW)
    links = [Link(f"{START}a/{number}", 1, "page", START) for number in range(8)]
    begun: list[str] = []

    async def ask(link: Link, enough: asyncio.Event) -> None:
        async with kinds.turns.turn(link, enough.wait(), lambda: False) as asking:  # type: ignore[arg-type]
            begun.append(link.url)
            await asking

    async def play() -> list[int]:
        enough, seen = asyncio.Event(), []
        tasks = [asyncio.create_task(ask(link, enough)) for link in links]
        while not begun:
            await asyncio.sleep(0.01)
        seen.append(len(begun))
        enough.set()
        await asyncio.gather(*tasks)
        return [*seen, len(begun)]

    assert asyncio.run(play()) == [1, 8]


def test_the_sample_grows_rarer(corpus: Corpus) -> None:
    def many(name: str) -> Answer:
        return Answer(FORM) if name else Answer("listing", [f"reply/{number}" for number in range(1_000)])

    asked = Crawl(corpus, many).finish().counts()["/reply/#"]
    assert asked == 1 + len({64, 256} & SAMPLES)


def test_what_a_host_has_shown_helps_to_tell_the_items_of_its_lists(tmp_path: Path) -> None:
    connection = connect(tmp_path / "corpus.db")
    store = sqlite_store(connection)
    rows = [("/news/*", 0, 3), ("/tag/*", 5, 0), ("/about", 0, 0)]
    store.count_kinds([KindCount("a.test", name, signs, 0, bore, 0, 0, NOW) for name, signs, bore in rows])
    assert Kinds(store, NOW).experience("a.test") == {"/news/*": (GOOD_WEIGHT, 0), "/tag/*": (0, 5)}
    assert Kinds(store, NOW).experience("b.test") == {}
    connection.close()


def in_turn(kinds: Kinds, links: Sequence[Link]) -> list[str]:
    """Ask for all links at once; return when each began and ended."""
    order: list[str] = []

    async def ask(link: Link) -> None:
        async with kinds.turns.turn(link, asyncio.sleep(0), lambda: False) as asking:  # type: ignore[arg-type]
            order.append(f"begin {link.url}")
            await asking
            await asyncio.sleep(0)
            order.append(f"end {link.url}")

    async def play() -> None:
        await asyncio.wait_for(asyncio.gather(*map(ask, links)), 10)

    asyncio.run(play())
    return order


def test_pages_of_a_short_first_list_are_asked_for_one_after_the_other(corpus: Corpus) -> None:
    links = [Link(f"{START}page/{number}/", 1, "page", START) for number in (5, 2)]
    order = in_turn(Kinds(corpus.store, NOW, [START]), links)
    assert order == [f"{step} {link.url}" for link in links for step in ("begin", "end")]


@pytest.mark.parametrize("pager", ["page/{}/", "?paged={}", "?pagenum={}"])
def test_other_pages_wait_while_pages_of_a_short_first_list_do(corpus: Corpus, pager: str) -> None:
    kinds = Kinds(corpus.store, NOW, [START])
    pages = [Link(START + pager.format(number), 1, "page", START) for number in (5, 2)]
    tag = Link(f"{START}?tag=boats", 1, "page", START)
    assert not any(map(kinds.refuses, [*pages, tag]))
    order = in_turn(kinds, [pages[0], tag, pages[1]])
    assert order.index(f"begin {tag.url}") > order.index(f"end {pages[1].url}")
