"""Processes of this machine: a supervisor that keeps them running, and whole fleets of real workers."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.contracts.frontier_words import Clock
from tests.crawl.fleet import ENVIRON, until
from thresher import wiring
from thresher.cli.main import cli
from thresher.config import Settings
from thresher.errors import UsageError
from thresher.fleet.contract import GRACE_S, Member, Phase
from thresher.fleet.processes import FIRST_PAUSE_S, STEADY_S, Processes, Supervisor
from thresher.frontier.contract import Rules
from thresher.sample import RunningSample, SampleWeb, serve

OBEYS = "import signal, sys; signal.signal(15, lambda *_: sys.exit(0)); print('ready', flush=True); signal.pause()"
DEAF = "import signal; signal.signal(15, signal.SIG_IGN); print('ready', flush=True); signal.pause(); signal.pause()"


class Watched:
    """A supervisor that looks when it is told to, and whose clock stands still meanwhile."""

    def __init__(self, folder: Path, script: str) -> None:
        self.clock, self.folder = Clock(), folder
        self.supervisor = Supervisor(folder, lambda *_: [sys.executable, "-c", script], self.clock)

    def want(self, word: str, name: str = "worker-1") -> None:
        (self.folder / f"{name}.wanted").write_text(f"{word} {time.time_ns()}")

    def state(self, name: str = "worker-1") -> dict[str, Any]:
        self.supervisor.look()
        found: dict[str, Any] = json.loads((self.folder / f"{name}.state").read_text())
        return found

    def until(self, happened: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        until(lambda: happened(self.state()))
        return self.state()

    def ready(self, times: int = 1) -> None:
        """Wait until the process has said so."""
        log = self.folder / "worker-1.log"
        until(lambda: self.supervisor.look() and log.exists() and log.read_text().count("ready") == times)

    def end(self) -> None:
        for path in self.folder.glob("*.wanted"):
            path.unlink()
        until(lambda: not self.supervisor.look())


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Callable[[str], Watched]]:
    made: list[Watched] = []

    def make(script: str) -> Watched:
        made.append(Watched(tmp_path, script))
        return made[-1]

    yield make
    for one in made:
        one.end()


def test_a_member_that_fails_is_started_again_after_pauses_that_grow(watched: Callable[[str], Watched]) -> None:
    fleet = watched("raise SystemExit(3)")
    fleet.want("up")
    for starts, pause_s in enumerate((1.0, 2.0, 4.0)):
        found = fleet.until(lambda state: state["phase"] == "pausing")
        assert (found["code"], found["restarts"]) == (3, starts)
        fleet.clock.advance(pause_s - 0.01)
        assert fleet.state()["restarts"] == starts
        fleet.clock.advance(0.02)
        assert fleet.state()["restarts"] == starts + 1


def test_a_member_that_was_steady_is_started_again_soon(watched: Callable[[str], Watched]) -> None:
    fleet = watched(OBEYS)
    fleet.want("up")
    fleet.ready()
    fleet.clock.advance(STEADY_S)
    os.kill(int(fleet.state()["heard_as"].split("/")[1]), signal.SIGKILL)
    fleet.until(lambda state: state["phase"] == "pausing")
    fleet.clock.advance(FIRST_PAUSE_S)
    assert fleet.state()["phase"] == "running"


def test_a_member_that_ends_well_stays_ended_until_it_is_started(watched: Callable[[str], Watched]) -> None:
    fleet = watched("raise SystemExit(0)")
    fleet.want("up")
    fleet.until(lambda state: state["phase"] == "ended")
    fleet.clock.advance(1_000.0)
    assert fleet.state()["restarts"] == 0
    fleet.want("up")
    fleet.until(lambda state: state["restarts"] == 1)


def test_a_member_drains_at_one_signal_and_is_killed_when_it_hears_none(watched: Callable[[str], Watched]) -> None:
    fleet = watched(DEAF)
    fleet.want("up")
    fleet.ready()
    fleet.want("drain")
    assert fleet.state()["phase"] == "running"
    fleet.clock.advance(GRACE_S - 0.1)
    assert fleet.state()["phase"] == "running"
    fleet.clock.advance(0.2)
    assert fleet.until(lambda state: state["phase"] == "ended")["code"] == -9


def test_a_member_that_is_started_while_it_drains_ends_and_comes_back(watched: Callable[[str], Watched]) -> None:
    fleet = watched(OBEYS)
    fleet.want("up")
    fleet.ready()
    fleet.want("drain")
    fleet.supervisor.look()
    fleet.want("up")
    fleet.ready(times=2)
    assert fleet.state()["phase"] == "running"


def test_without_a_supervisor_nothing_runs_whatever_was_written(tmp_path: Path) -> None:
    dead = f"{socket.gethostname()}/999999999/2.boot"
    told = {"order": "up 1", "phase": "running", "heard_as": dead, "started_at": 1.0, "restarts": 0, "code": None}
    (tmp_path / "worker-1.wanted").write_text("up 1")
    (tmp_path / "worker-1.state").write_text(json.dumps(told))
    (member,) = Processes(tmp_path, {}).members()
    assert (member.phase, member.reason) == (Phase.ENDED, "its supervisor has ended")


def test_a_name_that_is_not_there_and_another_image_are_refused(tmp_path: Path) -> None:
    fleet = Processes(tmp_path, {})
    with pytest.raises(UsageError, match="no member 'worker-9'"):
        fleet.logs("worker-9", 5)
    with pytest.raises(UsageError, match="the installed version"):
        fleet.renew("thresher:2")


@pytest.fixture
def site() -> Iterator[RunningSample]:
    with serve(SampleWeb(pages=40, crawl_delay_s=None, slow_s=0.2)) as running:
        yield running


class Shell:
    """The `thresher fleet` command of one data folder."""

    def __init__(self, data: Path) -> None:
        self.data = data

    def __call__(self, *words: str) -> str:
        # A process of its own starts the supervisor, which then is no child of the test's.
        environ = os.environ | ENVIRON | {"THRESHER_DATA": str(self.data), "THRESHER_DELAY_S": "0.5"}
        ended = subprocess.run(
            [sys.executable, "-P", "-m", "thresher", *words],
            env=environ,
            capture_output=True,
            text=True,
            cwd=self.data.parent,
            timeout=280,
        )
        assert ended.returncode == 0, ended.stderr
        return ended.stdout + ended.stderr

    def rows(self) -> list[dict[str, Any]]:
        environ = ENVIRON | {"THRESHER_DATA": str(self.data)}
        ended = CliRunner(env=environ).invoke(cli, ["fleet", "status", "-f", "json"], catch_exceptions=False)
        found: list[dict[str, Any]] = json.loads(ended.stdout)
        return found

    def members(self) -> list[Member]:
        return Processes(self.data / "fleet", {}).members()


@pytest.mark.slow
def test_a_fleet_grows_and_shrinks_during_a_crawl_and_loses_no_lease(tmp_path: Path, site: RunningSample) -> None:
    shell = Shell(tmp_path / "data")
    shell("crawl", *site.starts, "--enqueue")
    try:
        shell("fleet", "up", "-n", "2")
        until(lambda: [row["state"] for row in shell.rows()] == ["running", "running"])
        until(lambda: sum(row["pages"] or 0 for row in shell.rows()) > 5)
        assert "1 member ended after" in shell("fleet", "scale", "1")
        shell("worker", "check")
        (row,) = shell.rows()
        corpus = wiring.open_corpus(Settings(data=str(shell.data)))
        frontier, overseer = corpus.frontier("run-1", Rules()), corpus.overseer("run-1", Rules())
        assert set(frontier.workers()) <= {row["worker"]}, "the one that was drained gave its links back"
        assert [standing.lost for standing in overseer.peek(1_000) if standing.lost] == []
        killed = shell.members()[0]
        os.kill(int(killed.heard_as.split("/")[1]), signal.SIGKILL)
        until(lambda: shell.rows()[0]["restarts"] == 1 and shell.rows()[0]["state"] in ("running", "waiting"))
        assert "working on run 1" in shell("fleet", "logs", row["member"])
        before = shell.rows()[0]["worker"]
        assert "is replaced" in shell("fleet", "restart")
        (upgraded,) = shell.rows()
        assert upgraded["worker"] != before
        assert before not in frontier.workers(), "the one that was replaced gave its links back"
        corpus.close()
    finally:
        shell("fleet", "down")
    assert shell.rows() == []
    until(lambda: not Processes(shell.data / "fleet", {}).is_supervised())
