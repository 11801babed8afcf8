"""Several real processes at one SQLite frontier."""

import subprocess
import sys
from itertools import chain
from pathlib import Path
from subprocess import PIPE

from tests.contracts.frontier_words import link
from tests.frontier.drainer import RULES
from thresher.frontier.sqlite import SqliteFrontier
from thresher.sqlite import connect

ROOT = Path(__file__).parents[2]
LINKS = 2000
HOSTS = 50


def filled(path: Path) -> SqliteFrontier:
    frontier = SqliteFrontier(connect(path), "job", RULES)
    frontier.offer([link(str(number), f"h{number % HOSTS}.example") for number in range(LINKS)])
    return frontier


def start(path: Path, *workers: str, pause_s: float = 0.001) -> list["subprocess.Popen[str]"]:
    """Start worker processes that all begin at the same moment."""
    command = [sys.executable, "-m", "tests.frontier.drainer", str(path)]
    processes = [
        subprocess.Popen([*command, worker, str(pause_s)], cwd=ROOT, stdin=PIPE, stdout=PIPE, stderr=PIPE, text=True)
        for worker in workers
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    return processes


def test_four_processes_lease_each_link_exactly_once(tmp_path: Path) -> None:
    frontier = filled(tmp_path / "f.db")
    shares = []
    for process in start(tmp_path / "f.db", "w1", "w2", "w3", "w4"):
        output, errors = process.communicate(timeout=280)
        assert (process.returncode, errors) == (0, "")
        shares.append(output.split())
    assert all(shares)
    assert len(list(chain(*shares))) == len(set(chain(*shares))) == LINKS
    assert frontier.census().done == LINKS


def test_killed_processes_lose_no_link(tmp_path: Path) -> None:
    frontier = filled(tmp_path / "f.db")
    for number in range(5):
        (process,) = start(tmp_path / "f.db", f"w{number}", pause_s=0.01)
        assert process.stdout is not None
        for _ in range(37 * (number + 1)):
            process.stdout.readline()
        process.kill()
        process.communicate(timeout=280)
        assert frontier.reap([f"w{number}"]) <= 8
        census = frontier.census()
        assert (census.pending + census.done, census.leased) == (LINKS, 0)
        assert 0 < census.done < LINKS
    (last,) = start(tmp_path / "f.db", "last")
    output, errors = last.communicate(timeout=280)
    assert errors == ""
    assert len(output.split()) == LINKS - census.done
    assert (frontier.census().done, frontier.census().reserved) == (LINKS, LINKS)
