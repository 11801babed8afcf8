"""Ctrl-C and SIGTERM end a command silently at whatever moment they come."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

STRIKE = "import os, signal, time\nos.kill(os.getpid(), signal.{})\ntime.sleep(60)\n"


def strike_at_import(module: str, number: str, folder: Path, *args: str) -> "subprocess.CompletedProcess[str]":
    """Run a command that gets a signal while it imports a module."""
    (folder / f"{module}.py").write_text(STRIKE.format(number))
    line = [sys.executable, "-m", "thresher", *args]
    environ = os.environ | {"PYTHONPATH": str(folder)}
    return subprocess.run(line, env=environ, cwd=folder, capture_output=True, text=True, timeout=50, check=False)


@pytest.mark.parametrize("module", ["click", "rich", "scrapy"])
def test_ctrl_c_while_modules_are_imported_ends_with_130_and_no_traceback(module: str, tmp_path: Path) -> None:
    ended = strike_at_import(module, "SIGINT", tmp_path, "crawl", "http://a.test/")
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "")


def test_sigterm_while_modules_are_imported_ends_silently(tmp_path: Path) -> None:
    ended = strike_at_import("click", "SIGTERM", tmp_path, "crawl", "http://a.test/")
    assert (ended.returncode, ended.stdout, ended.stderr) == (-signal.SIGTERM, "", "")


@pytest.mark.parametrize("number", ["SIGINT", "SIGTERM"])
def test_a_signal_before_the_first_line_of_the_sample_site_ends_silently(number: str, tmp_path: Path) -> None:
    code = (
        "import os, signal, sys\n"
        "from thresher.cli import demo, start\n"
        f"demo.SampleWeb = lambda **_: os.kill(os.getpid(), signal.{number})\n"
        "sys.argv = ['thresher', 'demo', '--serve-only', '--port', '0']\n"
        "start.main()\n"
    )
    line = [sys.executable, "-c", code]
    ended = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, timeout=50, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr.strip()) == (130, "", "")


def test_a_job_in_the_background_which_ignores_ctrl_c_ends_on_sigterm(tmp_path: Path) -> None:
    line = [sys.executable, "-m", "thresher", "demo", "--serve-only", "--port", "0"]
    serving = subprocess.Popen(
        line,
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),  # as `command &` in a script does
    )
    assert serving.stderr
    said = [serving.stderr.readline(), serving.stderr.readline()]
    serving.send_signal(signal.SIGINT)
    serving.send_signal(signal.SIGTERM)
    rest = serving.stderr.read()
    assert serving.wait(timeout=50) in (0, 130)
    assert "sample site" in said[0]
    assert "Traceback" not in rest


def test_hardly_anything_is_imported_before_ctrl_c_is_listened_for() -> None:
    code = "import sys, thresher.cli.start; print(sorted(name for name in sys.modules if name.startswith('thresher')))"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules = ["", ".cli", ".cli.exits", ".cli.start", ".errors", ".version"]
    assert told.stdout.strip() == str([f"thresher{name}" for name in modules])
