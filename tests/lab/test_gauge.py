"""A command's time, and the CPU time and memory of all its processes."""

import sys
from pathlib import Path

import pytest

from thresher.errors import ThresherError
from thresher.lab import gauge as module
from thresher.lab.gauge import gauge

BURN = "import time\nwhile time.process_time() < 0.8: sum(range(1000))"
CHILD = f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {BURN!r}])"
LEAVE = f"import subprocess, sys\nsubprocess.Popen([sys.executable, '-c', {BURN!r}], close_fds=False)"
ORPHAN = f"""
import os, subprocess, sys
ended, running = os.pipe()
os.set_inheritable(running, True)
subprocess.run([sys.executable, '-c', {LEAVE!r}], close_fds=False)
os.close(running)
os.read(ended, 1)  # until the orphan has ended
"""
LARGE = """
import os, time
held = bytearray(80_000_000)
open("held", "w").close()
while not os.path.exists("seen"):  # the test says when it was looked at
    time.sleep(0.01)
print("done")
"""


def python(script: str) -> list[str]:
    return [sys.executable, "-c", script]


@pytest.mark.parametrize("script", [BURN, CHILD, ORPHAN], ids=["own", "child", "orphan"])
def test_the_cpu_time_of_every_process_counts(script: str, tmp_path: Path) -> None:
    reading = gauge(python(script), folder=tmp_path, timeout_s=240)
    assert 0.4 <= reading.cpu_s <= 5  # a process may burn a little after it was last looked at
    assert reading.wall_s >= 0.4


def test_the_memory_is_that_of_all_processes_at_their_largest_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = module._processes

    def look_and_tell() -> list[module.Process]:
        has_all = (tmp_path / "held").exists()
        found = look()
        if has_all:
            (tmp_path / "seen").touch()
        return found

    monkeypatch.setattr(module, "_processes", look_and_tell)
    reading = gauge(python(LARGE), folder=tmp_path, timeout_s=240)
    assert 80_000_000 < reading.peak_bytes < 200_000_000
    assert reading.output == "done\n"


def test_a_command_that_fails_says_why(tmp_path: Path) -> None:
    with pytest.raises(ThresherError, match="no such luck"):
        gauge(python("raise SystemExit('no such luck')"), folder=tmp_path, timeout_s=240)


def test_an_exit_code_may_be_good(tmp_path: Path) -> None:
    assert gauge(python("raise SystemExit(3)"), folder=tmp_path, timeout_s=240, good_codes=(0, 3)).output == ""


def test_a_command_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    started = tmp_path / "started"
    script = f"import pathlib, time\npathlib.Path({str(started)!r}).touch()\ntime.sleep(60)"
    with pytest.raises(ThresherError, match="longer than allowed"):
        gauge(python(script), folder=tmp_path, timeout_s=1)
