"""A reader that has seen enough ends a command quietly, and never a crawl."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from thresher.cli.progress import Meter
from thresher.frontier.contract import Census


class Unwritable:
    """Standard error that fails."""

    encoding = "utf-8"

    def __init__(self, error: OSError) -> None:
        self._error = error

    def isatty(self) -> bool:
        return False

    def write(self, text: str) -> int:
        raise self._error

    def flush(self) -> None:
        raise self._error


def test_a_command_whose_reader_leaves_ends_well_and_says_nothing(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    text = "".join(f"<p>It rained all day, and hour {n} was no drier than the one before it.</p>" for n in range(400))
    page.write_text(f"<title>Rain on the harbour</title><h1>Rain on the harbour</h1>{text}")
    reading, writing = os.pipe()
    command = [sys.executable, "-m", "thresher", "extract", "-q", *["page.html"] * 20]
    with subprocess.Popen(command, cwd=tmp_path, stdout=writing, stderr=subprocess.PIPE) as process:
        os.close(writing)
        os.read(reading, 10)
        os.close(reading)
        _, said = process.communicate(timeout=280)
    assert (process.returncode, said) == (0, b"")


@pytest.mark.parametrize("error", [BrokenPipeError(), OSError(errno.ENOSPC, "No space left on device")])
def test_progress_that_cannot_be_shown_ends_no_crawl(error: OSError, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thresher.cli.progress.JSON_EVERY_S", 0.0)
    monkeypatch.setattr(sys, "stderr", Unwritable(error))
    meter = Meter("json", None)
    meter.counted(Census(1, 0, 0, 0, 0, 0))
    meter.counted(Census(2, 0, 0, 0, 0, 0))
    meter.draining()
