"""The commands that ask a server, on the sample web."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.commands import Command, run
from thresher.sample import RunningSample

LOOPBACK = ("--allow-address", "127.0.0.1")


def thresher(*args: str, cwd: Path, **environ: str) -> "subprocess.CompletedProcess[str]":
    return run(*args, cwd=cwd, environ=os.environ | environ)


def test_several_urls_and_files_are_extracted_and_what_fails_is_named(site: RunningSample, tmp_path: Path) -> None:
    news = site.starts[0]
    sources = (f"{news}world/", f"{news}poll/results", "missing.html", f"{news}science/")
    ended = thresher("extract", *LOOPBACK, *sources, "-f", "txt", cwd=tmp_path, THRESHER_DELAY_S="0")
    assert ended.returncode == 3, ended.stderr
    assert ended.stdout.startswith(f"source: {news}world/\n\nWorld\n")
    assert f"\n---\n\nsource: {news}science/\n\nScience\n" in ended.stdout
    assert "poll/results answered with status 500" in ended.stderr
    assert "cannot read missing.html" in ended.stderr


def test_a_pdf_is_told_by_its_url_as_by_its_file(site: RunningSample, tmp_path: Path) -> None:
    url = f"{site.starts[0]}files/annual-report.pdf"
    alone = thresher("extract", *LOOPBACK, url, cwd=tmp_path)
    assert (alone.returncode, alone.stderr) == (1, f"thresher: {url}: this is a PDF, not a web page\n")
    (tmp_path / "report").write_bytes(b"%PDF-1.4\n")
    both = thresher("extract", *LOOPBACK, url, "report", cwd=tmp_path)
    assert both.returncode == 1
    assert f"thresher: {url}: this is a PDF, not a web page\n" in both.stderr
    assert "thresher: report: this is a PDF, not a web page\n" in both.stderr


def test_a_list_of_urls_is_fetched_in_its_order_and_one_at_a_time_from_each_host(
    site: RunningSample, tmp_path: Path
) -> None:
    site.server.forget()
    paths = ("world/", "nowhere", "science/", "world/", "files/annual-report.pdf")
    wanted = [f"{start}{path}" for path in paths for start in site.starts[:2]]
    (tmp_path / "urls").write_text("\n".join(wanted))
    ended = thresher("extract", *LOOPBACK, "--from", "urls", "-f", "jsonl", cwd=tmp_path, THRESHER_DELAY_S="0.05")
    assert ended.returncode == 3, ended.stderr
    assert "http" in ended.stdout
    found = [json.loads(line)["source"] for line in ended.stdout.splitlines()]
    assert found == [url for url in wanted if url in found]
    assert f"{site.starts[0]}nowhere answered with status 404" in ended.stderr
    assert wanted[0] in found
    assert "Traceback" not in ended.stderr


def test_a_batch_of_urls_is_interrupted_at_once(site: RunningSample, tmp_path: Path) -> None:
    (tmp_path / "urls").write_text(f"{site.starts[0]}world/\n" * 1000)
    flags = ("--from", "urls", "-f", "json", "-o", "out.json", *LOOPBACK)
    command = Command("extract", *flags, cwd=tmp_path, environ=os.environ | {"THRESHER_DELAY_S": "0.2"})
    try:
        while not list(tmp_path.glob(".out.json.*")) and command.poll() is None:
            time.sleep(0.01)
        command.send_signal(signal.SIGINT)
        assert command.wait(300) == 130
    finally:
        command.kill()
    assert 0 < len(json.loads((tmp_path / "out.json").read_text())) < 400  # the first came first, not after all others


def test_probe_says_that_a_listing_would_not_be_stored(site: RunningSample, tmp_path: Path) -> None:
    ended = thresher("probe", *LOOPBACK, site.starts[0], cwd=tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert "would store:  no, listing" in ended.stdout


def test_probe_says_which_page_of_which_thread_it_is(site: RunningSample, tmp_path: Path) -> None:
    forum = site.starts[2]
    ended = thresher("probe", *LOOPBACK, f"{forum}thread-2-2-1.html", cwd=tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert f"thread:       10 posts on page 2 of {forum}thread-2-1-1.html" in ended.stdout
    assert "part 2" in ended.stdout


def test_a_resumed_run_keeps_the_flags_it_was_started_with(site: RunningSample, tmp_path: Path) -> None:
    started = thresher("crawl", *LOOPBACK, "--delay", "0", "--limit", "2", site.starts[0], cwd=tmp_path)
    assert started.returncode == 0, started.stderr
    resumed = thresher("crawl", "--resume", "--limit", "9", cwd=tmp_path)
    assert resumed.returncode == 0, resumed.stderr
    assert "from 9 pages" in resumed.stderr


def test_asking_why_writes_nothing(site: RunningSample, tmp_path: Path) -> None:
    thresher("crawl", *LOOPBACK, "--delay", "0", "--limit", "2", site.starts[0], cwd=tmp_path)
    database = tmp_path / "thresher-data" / "corpus.db"
    before = database.read_bytes()
    ended = thresher("why", f"{site.starts[0]}world/", cwd=tmp_path)
    assert "run 1: pending" in ended.stdout
    assert database.read_bytes() == before


@pytest.mark.slow
def test_the_demo_ends_well_and_what_it_suggests_works(tmp_path: Path) -> None:
    ended = thresher("demo", "--pages", "10", "--port", "0", cwd=tmp_path, THRESHER_BACKOFF_S="0.1")
    assert ended.returncode == 0, ended.stderr
    assert "[降准]" in ended.stdout
    (question,) = (line.split() for line in ended.stderr.splitlines() if " why http" in line)
    answer = thresher(*question[1:], cwd=tmp_path)
    assert "the server answered with status 500" in answer.stdout
