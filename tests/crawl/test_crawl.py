"""The whole path, with the real command and a real server: what is collected, what is not, and why."""

import itertools
import signal
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from tests.crawl.harness import Crawl
from thresher.index.query import parse
from thresher.urls import site_of

NewCrawl = Callable[..., Crawl]


@pytest.fixture(scope="module")
def done(site: object, tmp_path_factory: pytest.TempPathFactory) -> Crawl:
    """One whole crawl that several tests look at."""
    crawl = Crawl(tmp_path_factory.mktemp("whole") / "data", site)  # type: ignore[arg-type]  # a RunningSample
    ended = crawl.run()
    assert ended.code == 0, ended.err  # the page that answers 500 is given up, which is no failure of the crawl
    return crawl


def test_every_article_is_stored_under_the_url_that_was_fetched(done: Crawl) -> None:
    stored = {url for url, *_ in done.corpus()}
    expected = done.site.web.expected_urls()
    assert expected.articles - expected.noindex <= stored


def test_titles_and_dates_are_the_true_ones(done: Crawl) -> None:
    stored = {url: (title, published) for url, title, _, published, _ in done.corpus()}
    for truth in done.site.web.truth():
        if truth.kind == "article" and truth.url in stored:
            title, published = stored[truth.url]
            assert title == truth.title
            assert published
            assert datetime.fromisoformat(published).date() == truth.published.date(), truth.url


def test_what_robots_txt_or_nofollow_forbids_is_never_asked_for(done: Crawl) -> None:
    expected = done.site.web.expected_urls()
    asked = {access.url for access in done.site.server.log()}
    assert asked
    assert not [url for url in asked if url.startswith(expected.disallowed_prefixes)]
    assert not asked & expected.unfollowed


def test_what_asks_not_to_be_kept_is_not_stored(done: Crawl) -> None:
    assert not {url for url, *_ in done.corpus()} & done.site.web.expected_urls().noindex


def test_the_endless_calendar_ends(done: Crawl) -> None:
    prefixes = done.site.web.expected_urls().trap_prefixes
    fetched = [access for access in done.site.server.log() if access.url.startswith(prefixes)]
    assert 10 < len(fetched) < 200


def test_every_link_is_accounted_for(done: Crawl) -> None:
    report = done.report()
    by_state = Counter[str]()
    for (state, _), count in report.tally.items():
        by_state[state] += count
    census = report.census
    assert census.pending == census.delayed == census.leased == 0
    assert census.done == by_state["stored"] + by_state["skipped"]
    assert census.dead == by_state["buried"] == 1


def test_a_page_is_asked_for_once(done: Crawl) -> None:
    hazards = set(done.site.web.expected_urls().hazards.values())
    times = Counter(access.url for access in done.site.server.log() if not access.url.endswith("/robots.txt"))
    assert {url: n for url, n in times.items() if n > 1 and url not in hazards} == {}


def test_chinese_words_are_found_in_the_middle_of_a_sentence(done: Crawl) -> None:
    corpus = done.open()
    try:
        found = corpus.index.search(parse("准备金", datetime.now(UTC)))
    finally:
        corpus.close()
    assert found.total > 0
    for hit in found.hits:
        assert "准备金" in {hit.snippet[start:end] for start, end in hit.marks} or "准备金" in hit.title


def test_a_second_crawl_fetches_listings_anew_and_documents_not(new_crawl: NewCrawl) -> None:
    crawl = new_crawl()
    assert crawl.run().code == 0
    first, documents = crawl.corpus(), {url for url, *_, posts in crawl.corpus() if not posts}  # threads may grow
    crawl.site.server.forget()
    assert crawl.run().code == 0
    asked = {access.url for access in crawl.site.server.log()}
    assert len([url for url in asked if url.startswith(crawl.site.web.expected_urls().trap_prefixes)]) < 200
    assert not asked & documents
    assert set(crawl.site.starts) <= asked
    assert crawl.corpus() == first

    crawl.site.server.forget()
    assert crawl.run("--refresh").code == 0
    refetched = {access.url: access.status for access in crawl.site.server.log()}
    assert documents <= set(refetched)
    assert 304 in refetched.values()
    assert crawl.corpus() == first


def test_a_limit_is_exact_over_a_resume(new_crawl: NewCrawl) -> None:
    crawl = new_crawl()
    process = crawl.start_and_wait(15, "--limit", "25")
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=280)
    crawl.run("--resume", starts=())
    report = crawl.report()
    assert report.fetched == 25
    kept = [fate for fate in report.tally if fate[0] in ("stored", "skipped")]
    assert sum(report.tally[fate] for fate in kept) >= 25


def test_ctrl_c_drains_and_the_resumed_crawl_ends_like_an_undisturbed_one(done: Crawl, new_crawl: NewCrawl) -> None:
    crawl = new_crawl("interrupted", "--delay", "0.02", "--progress", "none")
    process = crawl.start_and_wait(60)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=280)
    assert process.returncode == 130, err
    assert f"thresher --data {crawl.data} crawl --resume" in err
    assert crawl.report().census.leased == 0
    assert 0 < len(crawl.corpus()) < len(done.corpus())

    assert crawl.run("--resume", starts=()).code == 0
    assert crawl.corpus() == done.corpus()


def test_depth_counts_the_shortest_path_whatever_comes_first(new_crawl: NewCrawl) -> None:
    shallow = new_crawl("shallow", "--delay", "0", "--concurrency", "1", "--progress", "none")
    hasty = new_crawl("hasty", "--delay", "0", "--concurrency", "16", "--progress", "none")
    for crawl in (shallow, hasty):
        assert crawl.run("--max-depth", "2").code in (0, 3)
    assert shallow.corpus() == hasty.corpus()


def test_a_start_that_redirects_to_another_host_is_crawled_there(new_crawl: NewCrawl) -> None:
    crawl = new_crawl()
    to_blog = next(url for url in crawl.site.web.expected_urls().redirects if "blog" in url)
    origins = crawl.site.web.origins
    port = origins.blog.rpartition(":")[2]
    assert crawl.run("--limit", "40", "--allow-port", port, starts=(to_blog,)).code in (0, 3)
    stored = {url for url, *_ in crawl.corpus()}
    assert any(url.startswith(origins.blog) for url in stored)
    assert not any(url.startswith(origins.forum) for url in stored)


def test_a_host_is_given_its_delay_between_any_two_requests(new_crawl: NewCrawl) -> None:
    crawl = new_crawl("polite", "--delay", "0.3", "--concurrency", "16", "--progress", "none")
    crawl.run("--limit", "12")
    at: dict[str, list[float]] = {}
    for access in crawl.site.server.log():
        at.setdefault(access.url.split("/")[2], []).append(access.at)
    gaps = [later - sooner for times in at.values() for sooner, later in itertools.pairwise(times)]
    assert len(gaps) >= 9
    assert min(gaps) >= 0.29


def test_a_dry_run_says_what_it_would_fetch_and_stores_nothing(new_crawl: NewCrawl) -> None:
    crawl = new_crawl()
    ended = crawl.run("--dry-run", starts=crawl.site.starts[:1])
    assert ended.code == 0, ended.err
    verbs = Counter(line.split("\t")[0] for line in ended.out.splitlines())
    assert verbs["fetch"] > 5
    assert verbs["skip"] > 0
    assert not crawl.data.exists()


def test_pages_leave_traces_to_later_runs_unless_site_memory_is_off(
    done: Crawl, new_crawl: NewCrawl, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THRESHER_SITE_MEMORY", "false")
    without = new_crawl()
    without.run("--limit", "12")
    left = []
    for crawl in (done, without):
        corpus = crawl.open()
        left.append([corpus.store.traces(site_of(start), before=99) for start in crawl.site.starts])
        corpus.close()
    assert any(left[0])
    assert not any(left[1])
