"""What comes from the network never reaches the terminal as something that it obeys."""

import io
import json
import logging
import os
import pty
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.commands import run as thresher
from tests.contracts.index_words import document
from tests.fetch.loopback import Site, answer
from thresher import wiring
from thresher.cli import terminal
from thresher.cli.main import run
from thresher.config import Settings
from thresher.model import Fate
from thresher.store.contract import Record
from thresher.text import printable

EVIL = "a\x1b]0;owned\x07b\x9b2Jc\u202ed\u2066e\u2069f\u200eg\u061ch\rOK\x00\x7f"
CLEAN = "a]0;ownedb2JcdefghOK"
OBEYED = [*map(chr, range(9)), *map(chr, range(11, 32)), *map(chr, range(127, 160)), *"\u061c\u200e\u200f"]
OBEYED += [*"\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"]


def held(text: str) -> list[str]:
    return [char for char in OBEYED if char in text]


def test_everything_that_a_terminal_obeys_is_dropped_and_nothing_else() -> None:
    assert printable(EVIL) == CLEAN
    assert printable("".join(OBEYED)) == ""
    kept = "Zoë\tand\nلا نص\u200cی 降准 👩\u200d🚀 e\u0301 \xa0\xad"
    assert printable(kept) == kept
    assert printable("half \ud83d of a character") == "half  of a character"


def test_messages_and_logs_are_cleaned_and_passwords_in_them_masked(capsys: pytest.CaptureFixture[str]) -> None:
    terminal.log_to_stderr()
    terminal.say(f"{EVIL} redis://:hush@queue/0")
    logging.getLogger("any.library").warning("%s at http://me:hush@proxy:3128", EVIL)
    shown = capsys.readouterr().err
    assert held(shown) == []
    assert shown.count(CLEAN) == 2
    assert "hush" not in shown


def test_data_stays_as_it_is_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    terminal.show_data(EVIL)
    terminal.show(EVIL)
    assert capsys.readouterr().out == f"{EVIL}\n{CLEAN}\n"
    file = io.StringIO()
    assert terminal.for_data(file) is file


def test_data_is_cleaned_on_a_terminal() -> None:
    class Screen(io.StringIO):
        def isatty(self) -> bool:
            return True

    screen = Screen()
    stream = terminal.for_data(screen)
    stream.write(EVIL)
    stream.writelines([EVIL, "\n"])
    assert screen.getvalue() == f"{CLEAN}{CLEAN}\n"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A corpus with one document and one fate that hold what they should not."""
    corpus = wiring.open_corpus(Settings(data=str(tmp_path)))
    url, now = "https://evil.test/a", datetime.now(UTC)
    corpus.store.start_run([url], {}, now)
    fate = Fate(url, 1, "skipped", f"http-{EVIL}", now, detail=EVIL, found_on=f"https://evil.test/{EVIL}")
    evil = document(url, f"harbour {EVIL}", title=EVIL, authors=(EVIL,), site="evil.test")
    corpus.store.save(Record(fate, document=evil))
    corpus.index.add([evil], now, run=1)
    corpus.close()
    return tmp_path


@pytest.mark.parametrize("command", [("why", "https://evil.test/a"), ("search", "harbour")])
def test_what_was_stored_is_cleaned_when_it_is_shown(
    command: tuple[str, ...], corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["--data", str(corpus), *command]) == 0
    out = capsys.readouterr().out
    assert "owned" in out
    assert held(out) == []


def test_json_keeps_every_character_in_a_pipe(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--data", str(corpus), "why", "https://evil.test/a", "-f", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["fates"][0]["detail"] == EVIL.replace("\x00", "\ufffd")


def test_headers_and_titles_of_a_page_are_cleaned_by_probe_and_crawl(tmp_path: Path) -> None:
    page = f"<html><title>{EVIL} is the title</title><h1>{EVIL} is the title</h1><p>" + "All is well here. " * 20
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; \x1b]0;owned\x07 \xc2\x9b2J \xe2\x80\xae\r\n"
    with Site({"/": head + f"Content-Length: {len(page.encode())}\r\n\r\n".encode() + page.encode()}) as site:
        site.routes["/robots.txt"] = answer(b"", "404 Not Found")
        given = (f"{site.origin}/", "--allow-address", "127.0.0.1")
        probed = thresher("probe", *given, cwd=tmp_path)
        crawled = thresher("crawl", *given, "--delay", "0", "--progress", "json", cwd=tmp_path)
    assert "owned" in probed.stdout
    assert crawled.returncode == 0, crawled.stderr
    assert held(probed.stdout + probed.stderr + crawled.stdout + crawled.stderr) == []


def test_a_document_is_cleaned_on_a_real_terminal_and_kept_in_a_pipe(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(
        "<html><h1>The ferry is late</h1><p>" + "The ferry \x9b31m was late \u2066again\u2069. " * 9, "utf-8"
    )
    line = [sys.executable, "-m", "thresher", "extract", str(tmp_path / "page.html"), "-f", "json"]
    shown = b""

    def read(descriptor: int) -> bytes:
        nonlocal shown
        data = os.read(descriptor, 4096)
        shown += data
        return b""

    pty.spawn(line, read)
    assert "late again" in shown.decode()
    assert [char for char in held(shown.decode()) if char != "\r"] == []
