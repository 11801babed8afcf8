"""What one host sends costs its own links an attempt at most: the crawl goes on, and tells what became of them."""

from pathlib import Path

import pytest

from tests.commands import run
from tests.crawl.hostile import article
from tests.fetch.loopback import Site, answer

ENVIRON = {"THRESHER_ALLOWED_ADDRESSES": "127.0.0.1", "THRESHER_BACKOFF_S": "0.1", "THRESHER_EXTRACTORS": "1"}
NO_DATE = "Mon, 01 Jan 2024 00:00:00 +99999999999999"
AGENTS = "".join(f"User-agent: a{number}\n" for number in range(2_000))
RULES = "".join(f"Disallow: /{number}\n" for number in range(2_000))
ROBOTS = {
    "retry-after": answer(b"", content_type="text/plain", retry_after=NO_DATE),
    "retry-after-404": answer(b"", "404 Not Found", retry_after=NO_DATE),
    "many-agents": answer(f"{AGENTS}{RULES}".encode(), content_type="text/plain"),
}


@pytest.mark.parametrize("name", ROBOTS)
def test_a_robots_made_to_break_a_crawler_does_not_stop_the_crawl(tmp_path: Path, name: str) -> None:
    with Site({"/robots.txt": ROBOTS[name], "/": article("The ferry is late again")}) as site:
        line = ["--data", str(tmp_path), "crawl", f"{site.origin}/", "--delay", "0", "--progress", "none"]
        ended = run(*line, environ=ENVIRON)
    assert ended.returncode == 0, ended.stderr
    assert "Traceback" not in ended.stderr
    assert "(stored" in run("--data", str(tmp_path), "why", f"{site.origin}/").stdout


def test_a_header_made_to_break_a_crawler_costs_its_page_its_attempts(tmp_path: Path) -> None:
    busy = answer(b"", "503 Busy", retry_after=NO_DATE)
    with Site({"/": answer(b'<a href="/busy">busy</a>'), "/busy": busy}) as site:
        line = ["--data", str(tmp_path), "crawl", f"{site.origin}/", "--delay", "0", "--progress", "none"]
        ended = run(*line, environ=ENVIRON | {"THRESHER_MAX_ATTEMPTS": "2"})
    assert "Traceback" not in ended.stderr
    assert "buried (http-503" in run("--data", str(tmp_path), "why", f"{site.origin}/busy").stdout


def test_a_redirect_to_another_port_is_followed_when_the_port_is_permitted(tmp_path: Path) -> None:
    with Site({"/": article("The ferry is late again")}) as there, Site({}) as site:
        site.routes["/"] = answer(b"", "302 Found", location=f"{there.origin}/")
        line = ["crawl", f"{site.origin}/", "--delay", "0", "--progress", "none"]
        refused = run("--data", str(tmp_path / "one"), *line, environ=ENVIRON)
        assert (refused.returncode, there.connections) == (6, 0)
        assert "--allow-port allows it" in refused.stderr
        followed = run("--data", str(tmp_path / "two"), *line, "--allow-port", str(there.port), environ=ENVIRON)
    assert followed.returncode == 0, followed.stderr
    assert "/" in there.paths()


def many_pages() -> dict[str, bytes]:
    links = "".join(f'<a href="/{number}">page {number}</a>' for number in range(40)).encode()
    pages = {f"/{number}": article(f"The ferry is late for the {number}th time") for number in range(40)}
    return {"/": answer(links), **pages}


def test_a_host_sends_no_more_than_it_may_and_the_run_ends(tmp_path: Path) -> None:
    with Site(many_pages()) as site:
        line = ["--data", str(tmp_path), "crawl", f"{site.origin}/", "--delay", "0", "--progress", "none"]
        ended = run(*line, "--concurrency", "1", environ=ENVIRON | {"THRESHER_HOST_BYTES": "6000"})
        asked = [path for path in site.paths() if path != "/robots.txt"]
    assert ended.returncode == 0, ended.stderr
    assert "host-bytes" in ended.stderr + ended.stdout
    assert len(asked) < 20
    told = [run("--data", str(tmp_path), "why", f"{site.origin}/{number}").stdout for number in (0, 39)]
    assert any("host-bytes" in each for each in told)


def test_a_run_that_was_sent_all_it_may_ends_in_good_order_and_can_go_on(tmp_path: Path) -> None:
    with Site(many_pages()) as site:
        line = ["--data", str(tmp_path), "crawl", f"{site.origin}/", "--delay", "0.3", "--progress", "none"]
        ended = run(*line, environ=ENVIRON | {"THRESHER_RUN_BYTES": "3000"})
        assert ended.returncode == 130, ended.stderr
        assert "run_bytes" in ended.stderr
        more = ["--data", str(tmp_path), "crawl", "--resume", "--delay", "0", "--progress", "none"]
        assert run(*more, environ=ENVIRON).returncode == 0
        stored = {path for path in site.paths() if path != "/robots.txt"}
    assert stored == set(many_pages())
