"""`thresher crawl` checks everything before it opens anything, and goes on with the run that got somewhere."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.commands import run as thresher
from tests.fetch.loopback import Site, answer
from thresher import wiring
from thresher.config import Settings
from thresher.discovery.scope import Scope
from thresher.frontier.contract import Rules
from thresher.model import Link

PAGE = b"<html><title>A list of pages</title><a href='/a'>one</a> <a href='/private/b'>two</a>"


def runs(folder: Path) -> list[int]:
    corpus = wiring.open_corpus(Settings(data=str(folder)), create=False)
    try:
        return [run.id for run in corpus.store.runs()]
    finally:
        corpus.close()


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--allow-address", "nonsense"), "'nonsense' is not an address"),
        (("--include", "("), "regular expression"),
        (("--same-host", "--any-host"), "--same-host and --any-host contradict each other"),
        (("--subdomains", "--any-host"), "contradict"),
        (("--dry-run", "--enqueue"), "give one of them"),
        (("--header", "hush"), "Name: value"),
        (("--auth", "hush"), "USER:PASSWORD"),
        (("--cookies", "missing.txt"), "cannot read missing.txt"),
        (("--proxy", "socks5://hush@a.test"), "not supported"),
        (("--store", "oracle://hush"), "not supported"),
    ],
)
def test_a_wrong_argument_opens_nothing(args: tuple[str, ...], words: str, tmp_path: Path) -> None:
    ended = thresher("crawl", "http://a.test/", *args, cwd=tmp_path)
    assert (ended.returncode, words in ended.stderr) == (2, True), ended.stderr
    assert "hush" not in ended.stderr
    assert list(tmp_path.iterdir()) == []


def test_resume_passes_over_a_run_that_could_not_begin_and_names_the_one_it_takes(tmp_path: Path) -> None:
    data = tmp_path / "thresher-data"
    with Site({"/": answer(PAGE)}) as site:
        given = ("--allow-address", "127.0.0.1", "--delay", "0", "--progress", "none")
        assert thresher("crawl", f"{site.origin}/", *given, "--limit", "1", cwd=tmp_path).returncode == 0
        wrong = thresher("crawl", f"{site.origin}/", "--allow-address", "x", cwd=tmp_path)
        assert (wrong.returncode, runs(data)) == (2, [1])
        _open_as_earlier_versions_did(data, f"{site.origin}/")
        resumed = thresher("crawl", "--resume", "--limit", "2", cwd=tmp_path)
    assert runs(data) == [2, 1]
    assert "Traceback" not in resumed.stderr
    assert "resuming run 1 of " in resumed.stderr
    assert f"{site.origin}/" in resumed.stderr
    assert "/a" in site.paths()


def _open_as_earlier_versions_did(data: Path, start: str) -> None:
    """Open a run whose options make no sense, with its start in the queue."""
    corpus = wiring.open_corpus(Settings(data=str(data)))
    options = {"scope": Scope.around([start]).as_json(), "limit": None, "refresh": False, "algorithm": None}
    run = corpus.store.start_run([start], options | {"means": {"allowed_addresses": ["x"]}}, datetime.now(UTC))
    corpus.frontier(run.job, Rules()).offer([Link(start)])
    corpus.close()


def test_a_run_that_only_waits_is_resumed(tmp_path: Path) -> None:
    with Site({"/": answer(PAGE)}) as site:
        opened = thresher("crawl", f"{site.origin}/", "--enqueue", "--data", "my data", cwd=tmp_path)
        assert "1 link in the queue" in opened.stderr
        assert "thresher --data 'my data' worker run " in opened.stderr
        assert "thresher --data 'my data' frontier status --job 1" in opened.stderr
        given = ("--resume", "--data", "my data", "--allow-address", "127.0.0.1", "--delay", "0")
        resumed = thresher("crawl", *given, cwd=tmp_path)
    assert "resuming run 1 " in resumed.stderr
    assert "/a" in site.paths()


def test_a_dry_run_looks_at_robots_txt(tmp_path: Path) -> None:
    with Site({"/": answer(PAGE)}) as site, Site({}, "127.0.0.2") as other:
        site.routes["/"] = answer(PAGE + f"<a href='{other.origin}/c'>three</a>".encode())
        site.routes["/robots.txt"] = answer(b"User-agent: *\nDisallow: /private/")
        given = ("--dry-run", "--any-host", "--allow-address", "127.0.0.1", "--progress", "none")
        ended = thresher("crawl", f"{site.origin}/", *given, cwd=tmp_path)
        assert other.connections == 0
    assert ended.returncode == 0, ended.stderr
    assert f"skip\trobots-disallowed\t{site.origin}/private/b" in ended.stdout
    assert f"fetch\tarticle\t{site.origin}/a" in ended.stdout
    assert "would follow 2 links" in ended.stderr
    assert "robots.txt of 1 further host was not checked" in ended.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("word", ["-storm", "-offer", "-fish", "-传闻"])
def test_a_query_that_begins_with_an_excluded_word_is_explained(word: str, tmp_path: Path) -> None:
    ended = thresher("search", word, cwd=tmp_path)
    assert ended.returncode == 2
    assert f"thresher search -- {word}" in ended.stderr
    assert f"!{word[1:]}" in ended.stderr
    assert "nothing was collected" in thresher("search", "--", word, cwd=tmp_path).stderr
    assert list(tmp_path.iterdir()) == []


def test_numbers_and_nouns_agree(tmp_path: Path) -> None:
    with Site({"/": answer(b"<html><title>Nothing</title>")}) as site:
        given = ("--allow-address", "127.0.0.1", "--delay", "0", "--progress", "none")
        ended = thresher("crawl", f"{site.origin}/", *given, cwd=tmp_path)
    assert "0 documents from 1 page\n" in ended.stderr
