"""A crawl of sites that do everything wrong ends, tells what became of every link, and collects the rest."""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.commands import run
from tests.crawl.hostile import BAD_LINKS, MANY_LINKS, RIGHT, TRAPS, WRONG, article, front_page, trap
from tests.fetch.loopback import Site, answer
from thresher import urls, wiring
from thresher.cli import exits
from thresher.config import Settings
from thresher.crawling.report import Report
from thresher.crawling.run import report
from thresher.errors import UsageError
from thresher.frontier.contract import Rules

pytestmark = pytest.mark.slow  # a host that never answers takes its time

HOST_PAGES = 200
BARREN_PAGES = 12
ENVIRON = {
    "THRESHER_ALLOWED_ADDRESSES": "127.0.0.1",
    "THRESHER_BACKOFF_S": "0.1",
    "THRESHER_MAX_ATTEMPTS": "2",
    "THRESHER_TIMEOUT_S": "20",
    "THRESHER_HOST_PAGES": str(HOST_PAGES),
    "THRESHER_BARREN_PAGES": str(BARREN_PAGES),
}


@dataclass(frozen=True)
class Done:
    """A crawl of the three sites, when it has ended."""

    traps: Site
    maze: Site
    wrong: Site
    data: Path
    err: str
    report: Report

    def reason(self, url: str) -> str:
        """Say what became of a URL; empty when nothing did."""
        corpus = wiring.open_corpus(Settings(data=str(self.data)), create=False)
        try:
            return next((fate.reason for fate in corpus.store.fates(url)), "")
        finally:
            corpus.close()


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Done]:
    data = tmp_path_factory.mktemp("bad") / "data"
    routes = {path: route for path, (route, _) in WRONG.items()} | RIGHT
    routes |= {"/same": article("The same page"), "/many-links": MANY_LINKS}
    with Site(TRAPS, otherwise=trap) as traps, Site({}, otherwise=trap) as maze, Site(routes) as wrong:
        wrong.routes["/"] = front_page(wrong.origin)
        traps.routes["/robots.txt"] = answer(f"Sitemap: {traps.origin}/sitemap/0.xml".encode())
        starts = [f"{traps.origin}/", f"{maze.origin}/words/begin", f"{wrong.origin}/"]
        command = [sys.executable, "-m", "thresher", "--data", str(data), "crawl", *starts]
        flags = ["--delay", "0", "--concurrency", "8", "--progress", "none"]
        environ = os.environ | ENVIRON
        ended = subprocess.run(
            [*command, *flags], env=environ, capture_output=True, text=True, timeout=280, check=False
        )
        yield Done(traps, maze, wrong, data, ended.stderr, _report(data))


def _report(data: Path) -> Report:
    corpus = wiring.open_corpus(Settings(data=str(data)), create=False)
    try:
        run = corpus.store.runs(limit=1)[0]
        return report(corpus, run.id, corpus.frontier(run.job, Rules()))
    finally:
        corpus.close()


def test_the_crawl_ends_and_nothing_is_left_over(done: Done) -> None:
    assert "run 1 finished" in done.err
    assert "Traceback" not in done.err
    census = done.report.census
    assert (census.pending, census.delayed, census.leased) == (0, 0, 0)
    assert not [reason for (_, reason) in done.report.tally if reason in ("worker-error", "extractor-error")]


@pytest.mark.parametrize("path", WRONG)
def test_what_a_server_does_wrong_has_its_reason(done: Done, path: str) -> None:
    assert done.reason(done.wrong.origin + path) == WRONG[path][1]


@pytest.mark.parametrize("path", RIGHT)
def test_a_page_that_lies_about_its_charset_is_read_all_the_same(done: Done, path: str) -> None:
    assert done.reason(done.wrong.origin + path) == "stored"
    corpus = wiring.open_corpus(Settings(data=str(done.data)), create=False)
    try:
        document = corpus.store.document(done.wrong.origin + path)
    finally:
        corpus.close()
    assert document
    assert document.title.startswith(("渡轮", "The ferry is on time"))
    assert "�" not in document.text


@pytest.mark.parametrize("href", BAD_LINKS, ids=lambda href: ascii(href)[:30])
def test_a_link_that_leads_nowhere_good_is_not_followed_and_has_its_reason(done: Done, href: str) -> None:
    try:
        target = urls.canonical(href, done.wrong.origin)
    except UsageError:
        target = urls.shown(href)
    assert done.reason(target) == BAD_LINKS[href]
    assert "s3cret" not in done.err


@pytest.mark.parametrize(
    "start",
    [
        "http://h/" + "x" * 100_000,
        "http://ann:s3cret@h/",
        "http://[::1",
        "http://\x01/",
        "file:///etc/passwd",
        "//",
        "",
    ],
    ids=lambda start: ascii(start)[:20],
)
def test_a_start_that_is_none_is_refused_in_one_line(tmp_path: Path, start: str) -> None:
    ended = run("crawl", start, cwd=tmp_path)
    assert ended.returncode == exits.USAGE
    assert len(ended.stderr.strip().splitlines()) == 1
    assert len(ended.stderr) < 500
    assert "s3cret" not in ended.stderr
    assert not (tmp_path / "thresher-data").exists()


def test_one_page_in_many_spellings_is_asked_for_once(done: Done) -> None:
    asked = done.wrong.paths()
    assert asked.count("/same") == 1
    assert not [path for path in asked if "same" in path and path != "/same"]


def test_of_countless_links_on_a_page_so_many_are_looked_at(done: Done) -> None:
    refused = done.report.tally[("refused", "off-host")]
    assert 10_000 <= refused <= 10_010
    assert done.report.tally[("refused", "too-many-links")] == 1


@pytest.mark.parametrize("prefix", ["/calendar/", "/basket/", "/sitemap/", "/feed/", "/refresh"])
def test_a_form_of_page_that_brings_nothing_is_given_up(done: Done, prefix: str) -> None:
    asked = [path for path in done.traps.paths() if path.startswith(prefix)]
    assert BARREN_PAGES // 2 <= len(asked) <= 3 * BARREN_PAGES
    assert done.report.tally[("refused", "trap")] >= 5


def test_a_path_that_only_grows_ends(done: Done) -> None:
    assert 4 < max(path.count("/") for path in done.traps.paths()) <= 21  # or sooner, as a kind that leads to nothing


def test_sessions_make_no_new_pages(done: Done) -> None:
    asked = [path for path in done.traps.paths() if path.startswith("/shop")]
    assert sorted(asked) == ["/shop?item=0", "/shop?item=1", "/shop?item=2"]


def test_redirects_that_never_arrive_are_given_up(done: Done) -> None:
    hops = [path for path in done.traps.paths() if path.startswith("/hop/")]
    assert hops == [f"/hop/{number}" for number in range(6)]
    assert done.reason(f"{done.traps.origin}/hop/5") == "too-many-redirects"
    assert done.reason(f"{done.traps.origin}/self") == "redirected-to-itself"
    assert done.traps.paths().count("/loop/a") == 1


def test_a_maze_without_a_single_document_is_left(done: Done) -> None:
    assert BARREN_PAGES < len(set(done.maze.paths())) < HOST_PAGES
    assert done.report.tally[("refused", "barren")] + done.report.tally[("refused", "trap")] > 0


def test_what_stands_among_traps_is_found(done: Done) -> None:
    assert done.reason(f"{done.traps.origin}/article") == "stored"
