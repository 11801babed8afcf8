"""Ctrl-C in commands that crawl and then do something else: nothing is lost, and the work can be taken up again."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.commands import Command
from tests.watching.site import NewsSite, serving
from thresher import wiring
from thresher.config import Settings

ARTICLES = 20
ENVIRON = os.environ | {
    "THRESHER_ALLOWED_ADDRESSES": "127.0.0.1",
    "THRESHER_DELAY_S": "0.1",
    "THRESHER_BACKOFF_S": "0.1",
    "THRESHER_MAX_ATTEMPTS": "1",
}


@pytest.fixture
def site() -> Iterator[NewsSite]:
    with serving(NewsSite()) as running:
        running.publish("daily", *(f"On day {number} the ferry was late." for number in range(ARTICLES)))
        yield running


def start(data: Path, *words: str) -> Command:
    return Command("--data", str(data), *words, cwd=data.parent, environ=ENVIRON)


def finished(data: Path, *words: str) -> str:
    command = start(data, *words)
    _, err = command.communicate(timeout=280)
    assert command.returncode in (0, 3), err
    return str(err)


def interrupted(command: Command, site: NewsSite, pages: int) -> str:
    """Press Ctrl-C when the site has been asked for some pages; return what the command said."""
    deadline_s = time.monotonic() + 280
    while len(site.asked) < pages:
        assert time.monotonic() < deadline_s
        assert command.poll() is None, command.said()
        time.sleep(0.01)
    command.send_signal(signal.SIGINT)
    _, err = command.communicate(timeout=280)
    assert command.returncode == 130, err
    assert "Traceback" not in err
    return str(err)


def stored(data: Path) -> int:
    with closing(wiring.open_corpus(Settings(data=str(data)))) as corpus:
        return sum(1 for _ in corpus.store.documents())


def test_a_retry_that_is_interrupted_goes_on_where_it_ended(site: NewsSite, tmp_path: Path) -> None:
    data = tmp_path / "data"
    site.down = {f"/daily/{number}" for number in range(ARTICLES)}
    finished(data, "crawl", f"{site.url}/daily/feed")
    assert stored(data) == 0
    site.down.clear()
    site.asked.clear()
    err = interrupted(start(data, "runs", "retry"), site, 3)
    assert f"thresher --data {data} crawl --resume" in err
    assert stored(data) < ARTICLES
    finished(data, "crawl", "--resume")
    assert stored(data) == ARTICLES
    assert len([path for path in site.asked if not path.endswith(("feed", "robots.txt"))]) == ARTICLES


def test_a_crawl_that_is_interrupted_still_writes_its_report(site: NewsSite, tmp_path: Path) -> None:
    data, report = tmp_path / "data", tmp_path / "r.html"
    err = interrupted(start(data, "crawl", "--report", str(report), f"{site.url}/daily/feed"), site, 5)
    assert f"report of run 1: {report}" in err
    assert f"thresher --data {data} crawl --resume" in err
    first = report.read_text()
    assert "interrupted" in first
    assert first.rstrip().endswith("</html>")
    finished(data, "crawl", "--resume", "--report", str(report))
    assert all(f"The news of daily {number} today" in report.read_text() for number in range(ARTICLES))
    assert stored(data) == ARTICLES


def test_ctrl_c_while_a_report_is_written_leaves_no_half_of_it(site: NewsSite, tmp_path: Path) -> None:
    data = tmp_path / "data"
    code = (
        "import os, signal, sys\n"
        "from thresher.analysis import report_page\n"
        "from thresher.cli import start\n"
        "report_page.closing = lambda summary: os.kill(os.getpid(), signal.SIGINT)\n"
        f"sys.argv = ['thresher', '--data', {str(data)!r}, 'crawl', '--limit', '3', '--report', 'r.html', "
        f"{site.url + '/daily/feed'!r}]\n"
        "start.main()\n"
    )
    line = [sys.executable, "-c", code]
    ended = subprocess.run(line, env=ENVIRON, cwd=tmp_path, capture_output=True, text=True, timeout=280, check=False)
    assert (ended.returncode, "Traceback" in ended.stderr) == (130, False), ended.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["data"]
    finished(data, "runs", "report", "1", "-o", str(tmp_path / "r.html"))
    assert (tmp_path / "r.html").exists()
