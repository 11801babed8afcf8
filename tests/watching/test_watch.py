"""`thresher watch` on a local site: what is due is asked, what is new is stored, and the catalog knows of it."""

import json
import os
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.commands import Command
from tests.watching.site import ForumSite, NewsSite, serving
from thresher.crawling.corpus import Corpus
from thresher.frontier.contract import Rules
from thresher.lab.watch_web import Item
from thresher.model import Endpoint, EndpointKind, Source, SourceKind, SourceState
from thresher.model.link import Link
from thresher.model.run import WATCH
from thresher.model.source import EndpointState
from thresher.watching.sources import Watched

ENVIRON = {"THRESHER_ALLOWED_ADDRESSES": "127.0.0.1", "THRESHER_BACKOFF_S": "0.1"}


@pytest.fixture
def site() -> Iterator[NewsSite]:
    with serving(NewsSite()) as running:
        running.publish("daily", "The ferry was late.", "The bridge was closed.")
        yield running


def thresher(data: Path, *words: str, environ: Mapping[str, str] | None = None) -> str:
    """Run a command; return what it printed."""
    process = Command("--data", str(data), *words, environ=os.environ | ENVIRON | dict(environ or {}))
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    return str(out)


def watch_once(data: Path, environ: Mapping[str, str] | None = None) -> None:
    thresher(data, "watch", "--once", "--delay", "0", "--progress", "none", environ=environ)


def wake(corpus: Corpus, *urls: str) -> None:
    """Let links be due, as after their interval."""
    frontier = corpus.frontier(WATCH, Rules())
    for url in urls:
        standing = frontier.find(url)
        assert standing is not None
        frontier.wake([standing.link])


def add(corpus: Corpus, site: NewsSite, name: str = "daily", **terms: object) -> str:
    address = f"{site.url}/{name}/feed"
    corpus.catalog().add(Source(name=name, kind=SourceKind.FEED, address=address, **terms))  # type: ignore[arg-type]
    return address


def stored(corpus: Corpus) -> set[str]:
    return {(document.url or "").rpartition("127.0.0.1")[2].partition("/")[2] for document in corpus.store.documents()}


def test_a_feed_is_asked_again_and_only_what_is_new_is_fetched(site: NewsSite, corpus: Corpus, tmp_path: Path) -> None:
    feed = add(corpus, site)
    watch_once(tmp_path)
    assert stored(corpus) == {"daily/0", "daily/1"}
    watch_once(tmp_path)  # nothing is due
    assert site.asked.count("/daily/feed") == 1
    site.publish("daily", "The market moved.")
    wake(corpus, feed)
    watch_once(tmp_path)
    assert stored(corpus) == {"daily/0", "daily/1", "daily/2"}
    assert [site.asked.count(f"/daily/{path}") for path in ("feed", "0", "1", "2")] == [2, 1, 1, 1]
    catalog = corpus.catalog()
    second, first = catalog.rounds("daily")
    assert (first.found, first.new, second.found, second.new) == (2, 2, 3, 1)
    assert catalog.tally("daily")[("stored", "article")] == 3
    endpoint = catalog.endpoint("daily", feed)
    assert endpoint is not None
    assert (endpoint.asked, endpoint.failures) == (2, 0)
    assert endpoint.interval_s is not None


def test_a_search_is_asked_again_and_its_results_are_collected(site: NewsSite, corpus: Corpus, tmp_path: Path) -> None:
    engines = {"THRESHER_ENGINES": json.dumps({"alerts": {"url": f"{site.url}/daily/feed/{{keyword}}"}})}
    corpus.catalog().add(Source(name="ferries", kind=SourceKind.SEARCH, keywords=("ferry",)))
    watch_once(tmp_path, engines)
    assert stored(corpus) == {"daily/0", "daily/1"}
    (endpoint,) = corpus.catalog().endpoints("ferries")
    assert (endpoint.kind, endpoint.url) == (EndpointKind.SEARCH, f"{site.url}/daily/feed/ferry")
    site.publish("daily", "The ferry came back.")
    wake(corpus, endpoint.url)
    watch_once(tmp_path, engines)
    assert stored(corpus) == {"daily/0", "daily/1", "daily/2"}
    assert [visited.new for visited in corpus.catalog().rounds("ferries")] == [1, 2]


def test_results_of_a_search_may_be_anywhere_and_listed_pages_may_not() -> None:
    source = Source(name="ferries", kind=SourceKind.SEARCH, keywords=("ferry",))
    page = Endpoint(source="ferries", url="http://engine.test/?q=ferry", kind=EndpointKind.SEARCH)
    watched = Watched(source, {page.url: page})
    assert watched.refuse(Link("http://elsewhere.test/1", 1, "result", source="ferries")) is None
    assert watched.refuse(Link("http://elsewhere.test/1", 1, "page", source="ferries")) == "off-host"


def test_a_feed_that_has_moved_is_followed_and_reported(site: NewsSite, corpus: Corpus, tmp_path: Path) -> None:
    feed = add(corpus, site)
    site.moved["/daily/feed"] = "/news/feed"
    site.publish("news", "The river rose.")
    watch_once(tmp_path)
    assert "news/0" in stored(corpus)
    old, new = corpus.catalog().endpoint("daily", feed), corpus.catalog().endpoint("daily", f"{site.url}/news/feed")
    assert old is not None
    assert new is not None
    assert (old.state, old.moved_to) == (EndpointState.MOVED, new.url)
    assert (new.state, new.asked) == (EndpointState.ACTIVE, 1)


def test_a_feed_that_fails_is_asked_later_and_never_given_up(site: NewsSite, corpus: Corpus, tmp_path: Path) -> None:
    feed = add(corpus, site, "absent")
    for failures in (1, 2):
        watch_once(tmp_path)
        endpoint = corpus.catalog().endpoint("absent", feed)
        assert endpoint is not None
        assert (endpoint.failures, endpoint.interval_s) == (failures, 3600.0 * failures)
        wake(corpus, feed)
    assert corpus.frontier(WATCH, Rules()).census().dead == 0


def test_an_article_is_tried_for_hours_when_its_site_is_down(site: NewsSite, corpus: Corpus, tmp_path: Path) -> None:
    add(corpus, site)
    site.down.add("/daily/0")
    watch_once(tmp_path, {"THRESHER_MAX_ATTEMPTS": "1", "THRESHER_BACKOFF_S": "40"})
    assert stored(corpus) == {"daily/1"}
    standing = corpus.frontier(WATCH, Rules()).find(f"{site.url}/daily/0")
    assert standing is not None
    assert (standing.state, standing.attempts) == ("delayed", 1)
    site.down.clear()
    wake(corpus, f"{site.url}/daily/0")
    watch_once(tmp_path)
    assert stored(corpus) == {"daily/0", "daily/1"}


def test_a_paused_source_is_left_alone_and_a_removed_one_forgotten(
    site: NewsSite, corpus: Corpus, tmp_path: Path
) -> None:
    feed = add(corpus, site)
    watch_once(tmp_path)
    corpus.catalog().set_state("daily", SourceState.PAUSED)
    site.publish("daily", "The school opened.")
    wake(corpus, feed)
    watch_once(tmp_path)
    assert site.asked.count("/daily/feed") == 1
    corpus.catalog().remove("daily")
    wake(corpus, feed)
    watch_once(tmp_path)
    standing = corpus.frontier(WATCH, Rules()).find(feed)
    assert standing is not None
    assert (standing.state, standing.reason) == ("done", "source-removed")
    add(corpus, site)
    watch_once(tmp_path)
    assert "daily/2" in stored(corpus)


def test_patterns_win(site: NewsSite, corpus: Corpus, tmp_path: Path) -> None:
    add(corpus, site, exclude=("/0$",))
    watch_once(tmp_path)
    assert stored(corpus) == {"daily/1"}


def test_an_edited_article_has_a_history(site: NewsSite, corpus: Corpus, tmp_path: Path) -> None:
    add(corpus, site)
    watch_once(tmp_path)
    article = f"{site.url}/daily/0"
    standing = corpus.frontier(WATCH, Rules()).find(article)
    assert standing is not None
    assert standing.due_in_s == pytest.approx(3600, abs=120)  # it is looked at for edits after an hour
    site.articles["daily"][0] = "The ferry was on time."
    wake(corpus, article)
    watch_once(tmp_path)
    first, second = json.loads(thresher(tmp_path, "history", article, "-f", "json"))
    assert "late" in first["text"]
    assert "on time" in second["text"]
    assert any(line.startswith("+") and "on time" in line for line in second["diff"])
    assert "2 versions" in thresher(tmp_path, "history", article)


def test_a_document_that_was_stored_and_not_counted_is_counted_when_it_is_looked_at_again(
    site: NewsSite, corpus: Corpus, tmp_path: Path
) -> None:
    add(corpus, site)
    watch_once(tmp_path)
    corpus.catalog().remove("daily")  # as if the process had been killed before it wrote to the catalog
    add(corpus, site)
    wake(corpus, f"{site.url}/daily/0")
    watch_once(tmp_path)
    assert site.answered_unchanged >= 1
    assert corpus.catalog().tally("daily")[("stored", "article")] == 1


def test_of_a_board_only_the_threads_are_asked_for_in_which_somebody_wrote(corpus: Corpus, tmp_path: Path) -> None:
    began = time.time() - 8 * 3600
    posts = [Item(began + 60 * number, number, 1) for number in range(1, 7)]
    answer = Item(began + 3600, 3, 2)
    many = [Item(began + 7200 + 60 * number, 5, number) for number in range(2, 13)]
    with serving(ForumSite([*posts, answer, *many])) as forum:
        board = f"{forum.url}/board/1/"
        corpus.catalog().add(Source(name="forum", kind=SourceKind.FORUM, address=board))
        asked = []
        for hours, woken in ((0.5, 0), (1.5, 1), (1.6, 1), (3.0, 1)):
            forum.now = began + hours * 3600
            if woken:
                wake(corpus, board)
            forum.asked.clear()
            watch_once(tmp_path)
            asked.append([path for path in forum.asked if path.startswith("/topic/")])
        threads = {number: len(list(corpus.store.posts(f"{forum.url}/topic/{number}/"))) for number in range(1, 7)}
    assert sorted(asked[0]) == [f"/topic/{number}/" for number in range(1, 7)]
    assert asked[1:] == [["/topic/3/"], [], ["/topic/5/", "/topic/5/?p=2"]]
    assert threads == {1: 1, 2: 1, 3: 2, 4: 1, 5: 12, 6: 1}


def test_links_of_a_source_carry_its_name(site: NewsSite, corpus: Corpus, tmp_path: Path) -> None:
    add(corpus, site)
    watch_once(tmp_path)
    standing = corpus.frontier(WATCH, Rules()).find(f"{site.url}/daily/1")
    assert standing is not None
    assert standing.link == Link(f"{site.url}/daily/1", 1, "feed", f"{site.url}/daily/feed", 8, source="daily")
