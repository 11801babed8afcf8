"""The attacks of scripts/attack, in their short version: every one of them is held."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.attack.attacks import HELD, Table
from tests.servers import Server

SCRIPT = Path(__file__).parents[2] / "scripts" / "attack"


def attack(*words: str) -> "subprocess.CompletedProcess[str]":
    line = [sys.executable, str(SCRIPT), "--short", *words]
    return subprocess.run(line, capture_output=True, text=True, check=False, timeout=850)


def check(done: "subprocess.CompletedProcess[str]") -> None:
    assert done.returncode == 0, done.stdout + done.stderr
    rows = [line for line in done.stdout.splitlines() if line.startswith("| ")][1:]
    assert len(rows) > 30
    assert all(row.endswith(f"| {HELD} |") for row in rows)


@pytest.mark.slow
def test_every_attack_is_held_with_everything_embedded() -> None:
    check(attack("--only", "sqlite"))


@pytest.mark.slow
@pytest.mark.long  # what differs from the embedded frontier is in the contract tests
def test_every_attack_is_held_with_links_in_redis(redis_process: Server) -> None:
    assert redis_process.url  # there is a redis-server to run; the attacks start their own
    check(attack("--only", "redis"))


def test_a_table_tells_what_did_not_hold_and_where() -> None:
    table = Table()
    for place, faults in (("one", []), ("two", ["a", "b", "c", "d", "e"])):
        table.on = place
        table.note("a | bomb", "it is refused", faults)
    table.note("another", "the same")
    assert table.failed == 1
    assert list(table.lines())[2:] == [
        "| a ¦ bomb | it is refused | held | DID NOT HOLD: a; b; c; and 2 more |",
        "| another | the same | not tried | held |",
    ]
