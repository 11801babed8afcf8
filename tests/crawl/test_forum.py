"""A forum, crawled with the real command: every thread and post exactly once, while it grows and through kills."""

import random
import time
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.crawl.harness import Crawl
from thresher.index.query import parse
from thresher.sample import RunningSample, SampleWeb, Truth, serve

MEMBERS = r"profile|/members|space-uid|/out/|sort="  # pages that have nothing to do with threads
FLAGS = ("--delay", "0", "--concurrency", "8", "--progress", "none")
# Posts that are added by thread; 1, 5 and 9 are of the first board, 2, 6 and 10 of the second, and so on.
GROWTH = ({1: 4, 3: 8}, {2: 9, 11: 3}, {4: 8}, {10: 7, 9: 4}, {12: 5}, {1: 6}, {3: 2})
Threads = dict[str, list[tuple[str, int]]]  # the posts' ids and positions, by the thread's URL


@pytest.fixture
def site() -> Iterator[RunningSample]:
    """A forum whose clock shows the present; its posts can be added to."""
    reference = datetime.now(UTC).replace(second=0, microsecond=0) - timedelta(minutes=1)
    with serve(SampleWeb(pages=40, crawl_delay_s=None, reference=reference)) as running:
        yield running


@pytest.fixture
def crawl(tmp_path: Path, site: RunningSample) -> Crawl:
    return Crawl(tmp_path / "data", site, FLAGS)


def truths(site: RunningSample) -> list[Truth]:
    """All threads, those of one post too."""
    return [truth for truth in site.web.truth() if truth.site == "forum"]


def true_threads(site: RunningSample) -> Threads:
    return {truth.url: [(post.id or "", post.position) for post in truth.posts] for truth in truths(site)}


def stored_threads(crawl: Crawl, site: RunningSample) -> Threads:
    """The threads as they are stored; what is stored of their pages besides is none."""
    pages = {page for truth in truths(site) for page in truth.pages}
    corpus = crawl.open()
    try:
        documents = list(corpus.store.documents())
        assert len({document.url for document in documents}) == len(documents) == corpus.index.count()
        return {str(d.url): [(post.id or "", post.position) for post in d.posts] for d in documents if d.url in pages}
    finally:
        corpus.close()


def stored_texts(crawl: Crawl) -> dict[str, str]:
    corpus = crawl.open()
    try:
        return {post.id or "": post.text for document in corpus.store.documents() for post in document.posts}
    finally:
        corpus.close()


def run(crawl: Crawl, *flags: str) -> set[str]:
    """Crawl the forum to its end; return what was asked for."""
    crawl.site.server.forget()
    ended = crawl.run(*flags, *(() if "--resume" in flags else ("--exclude", MEMBERS)), starts=crawl.site.starts[2:])
    assert ended.code == 0, ended.err
    return {access.url for access in crawl.site.server.log()}


def test_every_thread_and_post_is_there_once_and_a_thread_is_one_document(crawl: Crawl) -> None:
    run(crawl)
    assert stored_threads(crawl, crawl.site) == true_threads(crawl.site)
    report = crawl.report()
    pages = [page for truth in truths(crawl.site) for page in truth.pages]
    assert report.thread_pages == len(pages) - len(truths(crawl.site))
    texts = stored_texts(crawl)
    right = [texts[post.id or ""] == post.text for truth in truths(crawl.site) for post in truth.posts]
    assert sum(right) >= 0.97 * len(right)
    corpus = crawl.open()
    try:
        for truth in truths(crawl.site):
            words = " ".join(truth.posts[-1].text.split("\n")[0].split()[:6])
            hits = corpus.index.search(parse(f'"{words}" is:thread', datetime.now(UTC)), limit=100).hits
            assert truth.url in {hit.url for hit in hits}
            assert max(Counter(hit.url for hit in hits).values()) == 1
            assert [fate.state for fate in corpus.store.fates(truth.pages[-1])] == ["stored"]
    finally:
        corpus.close()


@pytest.mark.slow
def test_posts_added_during_a_crawl_are_there_once_after_the_next(crawl: Crawl) -> None:
    process = crawl.start_and_wait(5, "--exclude", MEMBERS, starts=crawl.site.starts[2:])
    site = crawl.site
    for growth in GROWTH:
        site = site.grown(growth)
        time.sleep(0.1)
    _, err = process.communicate(timeout=280)
    assert process.returncode == 0, err
    run(crawl)
    assert stored_threads(crawl, site) == true_threads(site)


@pytest.mark.slow
def test_a_grown_thread_is_asked_for_from_its_last_page_and_a_quiet_one_not(crawl: Crawl) -> None:
    run(crawl)
    first_pages = {truth.url: truth.pages for truth in truths(crawl.site)}
    long, edited = truths(crawl.site)[0], truths(crawl.site)[1]
    grown = crawl.site.grown({1: 19}, [(2, len(edited.posts))])
    asked = run(crawl)
    assert stored_threads(crawl, grown) == true_threads(grown)
    assert asked & set(truths(grown)[0].pages) == set(truths(grown)[0].pages[len(long.pages) - 1 :])
    several = {page for pages in first_pages.values() for page in pages[:-1]}
    assert not asked & several
    days_ago = crawl.site.web.plan.reference - timedelta(days=3)
    quiet = [
        truth
        for truth in truths(grown)
        if truth.skin == "discuz" and (truth.posts[-1].published or days_ago) < days_ago
    ]
    assert quiet
    assert not asked & {page for truth in quiet for page in truth.pages}

    run(crawl, "--refresh")
    post = truths(grown)[1].posts[-1]
    assert stored_texts(crawl)[post.id or ""] == post.text
    assert stored_threads(crawl, grown) == true_threads(grown)


@pytest.mark.slow
def test_a_crawl_of_a_growing_forum_that_is_killed_again_and_again_loses_and_doubles_nothing(crawl: Crawl) -> None:
    site, chance = crawl.site, random.Random(5)
    for killed, growth in enumerate(GROWTH[:3]):
        resume = ["--resume"] if killed else ["--exclude", MEMBERS]
        process = crawl.start_and_wait(chance.randint(2, 9), *resume, starts=crawl.site.starts[2:])
        site = site.grown(growth)
        time.sleep(chance.uniform(0.0, 0.2))
        assert process.poll() is None, process.communicate()
        process.kill()
        process.communicate()
    run(crawl, "--resume")
    run(crawl)
    assert stored_threads(crawl, site) == true_threads(site)
