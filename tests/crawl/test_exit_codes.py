"""Which exit code a crawl ends with."""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.commands import run as thresher
from thresher import wiring
from thresher.cli import exits
from thresher.cli.crawl_summary import exit_code, show_failings
from thresher.config import Settings
from thresher.crawling.report import Report
from thresher.crawling.run import report
from thresher.frontier.contract import Census, Rules
from thresher.model import Fate, Link, Page, Run, RunState
from thresher.sample import RunningSample
from thresher.store.contract import Record

START = "http://a.test/"
NOW = datetime(2026, 3, 4, tzinfo=UTC)


def ended(
    tally: Mapping[tuple[str, str], int], *, failed_starts: Mapping[str, str] | None = None, fetched: int = 50
) -> Report:
    run = Run(1, (START,), {}, RunState.FINISHED, NOW)
    return Report(run, tally, Census(0, 0, 0, fetched, 0, reserved=fetched), failed_starts or {})


def test_dead_links_below_the_limit_are_no_failure() -> None:
    found = ended({("stored", "stored"): 40, ("skipped", "http-404"): 2, ("buried", "dns"): 2})
    assert exit_code(found, 0.1) == exits.DONE


def test_a_single_dead_link_of_a_small_crawl_is_no_failure() -> None:
    assert exit_code(ended({("stored", "stored"): 1, ("skipped", "http-404"): 1}, fetched=1), 0.1) == exits.DONE


def test_a_single_dead_link_counts_where_none_may_fail() -> None:
    assert exit_code(ended({("stored", "stored"): 40, ("buried", "dns"): 1}), 0.0) == exits.SOME_FAILED


def test_more_failures_than_the_limit_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    found = ended(
        {("stored", "stored"): 6, ("skipped", "http-404"): 3, ("buried", "dns"): 1, ("refused", "off-host"): 9}
    )
    assert exit_code(found, 0.1) == exits.SOME_FAILED
    show_failings(found, 0.1)
    assert capsys.readouterr().err == "thresher: 4 of 10 pages failed, more than max_failures = 0.1\n"


def test_what_a_site_forbids_is_no_failure() -> None:
    assert exit_code(ended({("stored", "stored"): 2, ("skipped", "robots-disallowed"): 30}), 0.1) == exits.DONE


def test_a_start_that_failed_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    found = ended({("stored", "stored"): 40, ("skipped", "http-404"): 1}, failed_starts={START: "http-404"})
    assert exit_code(found, 0.1) == exits.SOME_FAILED
    show_failings(found, 0.1)
    assert (
        capsys.readouterr().err
        == f"thresher: the start URL {START} failed: http-404: the server answered with status 404\n"
    )


@pytest.mark.parametrize(
    ("state", "reason", "fails"),
    [
        ("skipped", "http-404", True),
        ("buried", "dns", True),
        ("skipped", "robots-disallowed", True),
        ("skipped", "not-html", True),
        ("skipped", "listing", False),
        ("skipped", "already-stored", False),
    ],
)
def test_a_start_fails_where_it_redirects_to_what_does_not_come(
    state: str, reason: str, fails: bool, tmp_path: Path
) -> None:
    corpus = wiring.open_corpus(Settings(data=str(tmp_path)))
    try:
        run = corpus.store.start_run([START], {}, NOW)
        onward = Link("http://b.test/", why="redirect")
        leads = Fate(START, run.id, "skipped", "redirected", NOW)
        page = Page(START, 301, b"", NOW)
        with corpus.together():
            corpus.store.save(Record(leads, page, None, (onward,)))
            corpus.store.save(Record(Fate(onward.url, run.id, state, reason, NOW)))
        found = report(corpus, run.id, corpus.frontier(run.job, Rules()))
    finally:
        corpus.close()
    assert found.failed_starts == ({START: reason} if fails else {})


def test_a_crawl_with_one_dead_start_of_two_ends_with_some_failures(site: RunningSample, tmp_path: Path) -> None:
    starts = (site.starts[0], f"{site.starts[0]}no/such/page")
    ended = thresher(
        *("crawl", *starts, "--allow-address", "127.0.0.1", "--delay", "0", "--max-depth", "0", "-q"), cwd=tmp_path
    )
    assert ended.returncode == 3, ended.stderr
    assert f"the start URL {starts[1]} failed: http-404" in ended.stderr
