"""thresher.crawl(): again and again in one process, beside an event loop, stopped, interrupted and orphaned."""

import asyncio
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import thresher
from thresher.errors import UsageError
from thresher.sample import RunningSample

QUICK: dict[str, Any] = {"allowed_addresses": ["127.0.0.1"], "delay_s": 0}
SLOW: dict[str, Any] = {"allowed_addresses": ["127.0.0.1"], "delay_s": 0.5}
DEADLINE_S = 120

STARTED_BY_ANOTHER = """
import sys, thresher
crawl = thresher.crawl(sys.argv[2:], data=sys.argv[1], allowed_addresses=["127.0.0.1"], delay_s=0.5, stream=True)
print(crawl.pid, flush=True)
try:
    for document in crawl:
        print("document", flush=True)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


def test_crawls_can_follow_one_another_also_beside_an_event_loop(site: RunningSample, tmp_path: Path) -> None:
    async def in_a_notebook() -> thresher.CrawlReport:
        report: thresher.CrawlReport = thresher.crawl(site.starts[0], data=tmp_path / "a", limit=3, **QUICK)
        return report

    assert asyncio.run(in_a_notebook()).pages == 3
    report = thresher.crawl([site.starts[0]], data=tmp_path / "b", limit=4, **QUICK)
    assert (report.pages, report.finished, report.run) == (4, True, 1)


def test_documents_come_as_they_land_and_threads_whole(site: RunningSample, tmp_path: Path) -> None:
    crawl = thresher.crawl(site.starts, data=tmp_path, stream=True, **QUICK)
    documents = list(crawl)
    assert crawl.report is not None
    assert crawl.report.documents == len(documents) == len({document.url for document in documents})
    with thresher.open(tmp_path) as corpus:
        stored = {document.url: document for document in corpus.documents()}
        assert {document.url: document for document in documents} == stored
        thread = max(documents, key=lambda document: len(document.posts))
        assert len(thread.posts) > 10
        assert list(corpus.posts(str(thread.url))) == list(thread.posts)
        assert corpus.count("is:thread") == sum(document.kind == "thread" for document in documents)
    kinds = [document.kind for document in documents]
    assert kinds == sorted(kinds)  # articles first: threads are complete at the end alone


def test_leaving_the_loop_stops_the_crawl(site: RunningSample, tmp_path: Path) -> None:
    crawl = thresher.crawl(site.starts, data=tmp_path, stream=True, **QUICK)
    for _document in crawl:
        break
    assert is_gone(crawl.pid)


def test_a_crawl_can_be_stopped_early_and_reports(site: RunningSample, tmp_path: Path) -> None:
    before = len(site.server.log())
    crawl = thresher.crawl(site.starts, data=tmp_path, stream=True, **SLOW)
    wait_until(lambda: len(site.server.log()) > before, "no request was sent")
    crawl.stop()
    list(crawl)
    assert crawl.report is not None
    assert not crawl.report.finished


def test_a_crawl_that_is_stopped_at_once_ends(site: RunningSample, tmp_path: Path) -> None:
    crawl = thresher.crawl(site.starts, data=tmp_path, stream=True, **SLOW)
    crawl.stop()
    list(crawl)
    assert crawl.report is None or not crawl.report.finished
    assert is_gone(crawl.pid)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"urls": "ftp://a.example/"}, "http"),
        ({"urls": []}, "give a URL"),
        ({"urls": "http://a.example/", "include": ["("]}, "regular expression"),
        ({"urls": "http://a.example/", "reach": "moon"}, "reach"),
        ({"urls": "http://a.example/", "limit": 0}, "limit"),
        ({"urls": "http://a.example/", "algorithm": "magic"}, "magic"),
        ({"urls": "http://a.example/", "colour": "red"}, "unknown setting 'colour'"),
        ({"urls": "http://a.example/", "delay_s": "soon"}, "delay_s"),
    ],
)
def test_a_wrong_argument_is_a_usage_error_and_leaves_nothing(
    arguments: dict[str, Any], words: str, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match=words):
        thresher.crawl(data=tmp_path / "data", **arguments)
    assert list(tmp_path.iterdir()) == []


def started(site: RunningSample, folder: Path) -> tuple[subprocess.Popen[str], int]:
    """Start a script that crawls; return it, and the number of the process that crawls for it."""
    line = [sys.executable, "-c", STARTED_BY_ANOTHER, str(folder), *site.starts]
    script = subprocess.Popen(line, stdout=subprocess.PIPE, text=True)
    assert script.stdout
    pid = int(script.stdout.readline())
    wait_until((folder / "corpus.db").exists, "the crawl never began")
    return script, pid


def test_a_crawl_ends_with_the_process_that_started_it(site: RunningSample, tmp_path: Path) -> None:
    script, pid = started(site, tmp_path)
    script.kill()
    script.wait()
    wait_until(lambda: is_gone(pid), "the crawl outlived its parent")


def test_an_interrupt_lets_the_crawl_finish_and_then_arrives(site: RunningSample, tmp_path: Path) -> None:
    script, pid = started(site, tmp_path)
    script.send_signal(signal.SIGINT)
    out, _ = script.communicate(timeout=DEADLINE_S)
    assert out.endswith("interrupted\n")
    assert script.returncode == 0
    assert is_gone(pid)


def wait_until(condition: Callable[[], bool], otherwise: str) -> None:
    deadline = time.monotonic() + DEADLINE_S
    while not condition():
        assert time.monotonic() < deadline, otherwise
        time.sleep(0.05)


def is_gone(pid: int) -> bool:
    """Say whether a process has ended; one that nobody has waited for yet has."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True
